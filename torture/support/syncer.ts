import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { PartitionPolicy } from "../../src/core/marts/partitions.ts";
import { type DataFolder, NOW, ROOT } from "../../test/support/data.ts";

/** What `lucra sync` does, without the other modules of `lucra`. */
const PROGRAM = `
import "./features/index.ts";
import { knownOrganizations } from "./core/organizations/open.ts";
import { readConfig } from "./core/config.ts";
import { PARTITION_POLICY } from "./core/marts/partitions.ts";
import { failed, sync } from "./core/sync/sync.ts";
Object.assign(PARTITION_POLICY, JSON.parse(process.argv[2]));
process.umask(0o077);
const config = readConfig(process.env);
const organizations = await knownOrganizations(config.dataDir, (problem) => { throw new Error(problem); });
const report = await sync(config, { organizations });
if (failed(report) || report.incrementalFallbacks.length > 0) throw new Error(JSON.stringify(report));
console.log(report.increments.length > 0 ? "increment" : report.derived.length > 0 ? "whole" : "none");
`;

/** A sync bundled in one file, so that its process starts in a third of the time: for parts that start a thousand. */
export class Syncer {
  readonly #home: string;

  private constructor(home: string) {
    this.#home = home;
  }

  static async make(): Promise<Syncer> {
    const home = await mkdtemp(path.join(tmpdir(), "lucra-syncer-"));
    for (const name of ["sql", "node_modules", "package.json"])
      await symlink(path.join(ROOT, name), path.join(home, name));
    const { outputFiles } = await build({
      stdin: { contents: PROGRAM, resolveDir: path.join(ROOT, "src"), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      write: false,
    });
    // It looks for the SQL at its place in the tree.
    await mkdir(path.join(home, "src", "core", "sync"), { recursive: true });
    await writeFile(path.join(home, "src", "core", "sync", "sync.mjs"), outputFiles[0]?.contents ?? "");
    return new Syncer(home);
  }

  /** At its end it reports how everything was derived. `cutting`: changes to the usual partitioning of orders. */
  start({ path: folder }: DataFolder, cutting: Partial<PartitionPolicy>): ChildProcess {
    return spawn(
      process.execPath,
      [path.join(this.#home, "src", "core", "sync", "sync.mjs"), JSON.stringify(cutting)],
      {
        env: {
          PATH: process.env.PATH,
          LUCRA_DATA_DIR: folder,
          LUCRA_NOW: NOW,
          TZ: "UTC",
          UV_THREADPOOL_SIZE: "16",
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
  }

  remove(): Promise<void> {
    return rm(this.#home, { recursive: true, force: true });
  }
}
