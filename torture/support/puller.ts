import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Limits } from "../../src/features/pull/client.ts";
import { type DataFolder, ROOT } from "../../test/support/data.ts";

/** `lucra pull`, without the other commands. */
const PROGRAM = `
import { Command } from "commander";
import "./features/index.ts";
import { pullCommand } from "./features/pull/command.ts";
import { readConfig } from "./core/config.ts";
import { LIMITS } from "./features/pull/client.ts";
Object.assign(LIMITS, JSON.parse(process.argv[2]));
process.umask(0o077);
const program = new Command();
pullCommand(program, () => readConfig(process.env));
await program.parseAsync(["node", "lucra", "pull", ...process.argv.slice(3)]);
`;

/** The vendors of a test answer or break off at once: seconds of back-off would be most of the time. */
const SHORT: Partial<Limits> = { headersMs: 2_000, silenceMs: 2_000, firstBackOffMs: 20, longestBackOffMs: 200 };

/** The command in one file with short waits, so that its process starts sooner: for parts that start it often. */
export class Puller {
  readonly #home: string;

  private constructor(home: string) {
    this.#home = home;
  }

  static async make(): Promise<Puller> {
    const home = await mkdtemp(path.join(tmpdir(), "lucra-puller-"));
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
    await mkdir(path.join(home, "src", "features", "pull"), { recursive: true });
    await writeFile(path.join(home, "src", "features", "pull", "pull.mjs"), outputFiles[0]?.contents ?? "");
    return new Puller(home);
  }

  start({ path: folder }: DataFolder, now: string, ...args: readonly string[]): ChildProcess {
    const program = path.join(this.#home, "src", "features", "pull", "pull.mjs");
    return spawn(process.execPath, [program, JSON.stringify(SHORT), ...args], {
      env: { PATH: process.env.PATH, LUCRA_DATA_DIR: folder, LUCRA_NOW: now, TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  remove(): Promise<void> {
    return rm(this.#home, { recursive: true, force: true });
  }
}
