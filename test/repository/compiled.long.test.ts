import { spawnSync } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/data.ts";

describe("bin/lucra.cjs", function () {
  this.timeout(60_000);
  let home: string;

  /** A separate installation, and an empty folder for temporary files. */
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), "lucra-compiled-"));
    for (const part of ["bin", "src", "sql", "package.json"])
      await cp(path.join(ROOT, part), path.join(home, part), { recursive: true, preserveTimestamps: true });
    await symlink(path.join(ROOT, "node_modules"), path.join(home, "node_modules"));
    for (const folder of ["tmp", "data"]) await mkdir(path.join(home, folder));
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  const node = (...args: string[]): string => {
    // Not the settings with which these tests were started.
    const { TSX_DISABLE_CACHE: _, ...inherited } = process.env;
    const env = { ...inherited, TMPDIR: path.join(home, "tmp"), LUCRA_DATA_DIR: path.join(home, "data") };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: home, env, encoding: "utf8" });
    expect([status, stderr]).to.deep.equal([0, ""]);
    return stdout;
  };
  const list = (): string => node("bin/lucra.cjs", "keys", "list");
  const change = (): Promise<void> => appendFile(path.join(home, "src", "cli.ts"), 'console.log("changed");\n');

  it("compiles what was not compiled or has changed since, and runs it", async () => {
    const before = list();
    expect(before).to.include("client id");
    const made = await readdir(path.join(home, "dist"));
    expect(made).to.include("cli.js");
    await change();
    expect(list()).to.equal(`changed\n${before}`);
    expect(await readdir(path.join(home, "dist")), "what running processes may load").to.include.members(made);
    node("bin/compile.mjs");
    expect(list()).to.equal(`changed\n${before}`);
  });

  it("reads and leaves nothing where another user could have written first", async () => {
    list();
    node("bin/compile.mjs");
    list();
    expect(await readdir(path.join(home, "tmp"))).to.deep.equal([]);
  });
});
