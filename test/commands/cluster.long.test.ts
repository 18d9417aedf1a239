import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { missingPrograms } from "../../torture/support/machines.ts";
import { type Ended, ended, ROOT } from "../support/data.ts";

describe("npm run cluster", function () {
  this.timeout(240_000);
  let folder: string;

  before(async function () {
    if (missingPrograms().length > 0) return this.skip();
    // Beside a cluster that someone uses.
    folder = await mkdtemp(path.join(tmpdir(), "lucra-cluster-test-"));
  });
  after(async () => {
    if (folder === undefined) return;
    await run("stop");
    await rm(folder, { recursive: true, force: true });
  });

  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, ["--import", "./bin/typescript.mjs", "cluster/run.ts", ...args], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const run = (...args: string[]): Promise<Ended> => ended(start(...args));

  it("starts everything, answers at its address, and leaves nothing behind", async () => {
    const started = await run();
    expect(started.status, started.stderr).to.equal(0);
    const [, address = ""] = /Address: +(\S+)/.exec(started.stdout) ?? [];
    const health = new URL("/healthz", address);
    expect((await fetch(health)).status).to.equal(200);
    expect((await fetch(new URL("/v1/organizations", address))).status).to.equal(401);
    const again = await run();
    expect([again.status, again.stderr.trim()]).to.deep.equal([
      1,
      "cluster: a cluster is running: `npm run cluster -- stop` ends it",
    ]);
    const stopped = await run("stop");
    expect(stopped.status, stopped.stderr).to.equal(0);
    expect(await fetch(health).catch(() => "refused")).to.equal("refused");
    expect(existsSync(path.join(folder, `lucra-cluster-${userInfo().uid}`))).to.equal(false);
    expect((await run("stop")).stdout.trim()).to.equal("no cluster is running");
  });
});
