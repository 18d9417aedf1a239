import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { DataFolder } from "../support/data.ts";
import { CARDS, shopOfVersion1 } from "../support/generations.ts";
import { type Serving, startServing } from "../support/serving.ts";

const CACHED = `${CARDS}?startDate=2025-01-01&endDate=2025-02-28`;
const PATIENCE = AbortSignal.timeout;

/** A file system in a process, which passes everything on to the data folder and can be stopped. */
describe("A service over storage that hangs", function () {
  this.timeout(120_000);
  let data: DataFolder;
  let place: string;
  let mount: ChildProcess | undefined;
  let serving: Serving | undefined;

  before(async function () {
    if (spawnSync("bindfs", ["--version"]).status !== 0) {
      console.log("      bindfs is not installed, so that no storage can hang");
      this.skip();
    }
    data = await shopOfVersion1();
    place = await mkdtemp(path.join(tmpdir(), "lucra-mount-"));
    mount = spawn("bindfs", ["-f", "--no-allow-other", data.path, place], { stdio: "ignore" });
    for (let n = 0; n < 100 && !(await isMounted(place)); n++) await sleep(50);
    if (!(await isMounted(place))) {
      console.log("      no file system can be mounted here");
      this.skip();
    }
  });

  after(async () => {
    mount?.kill("SIGCONT");
    await serving?.stop();
    if (place && (await isMounted(place))) execFileSync("umount", [place]);
    mount?.kill();
    if (place) await rm(place, { recursive: true, force: true });
    await data?.remove();
  });

  it("answers what is cached, is not ready, keeps no request waiting, and goes on by itself", async () => {
    serving = await startServing(data, ["--read-only"], undefined, { LUCRA_DATA_DIR: place });
    const { status, body } = await serving.get(CACHED);
    expect(status).to.equal(200);
    expect((await serving.get("/readyz")).status).to.equal(200);
    mount?.kill("SIGSTOP");
    // A second later the kernel asks for attributes again, and the service looks again.
    await sleep(1_500);
    const began = performance.now();
    const first = await serving.get("/readyz", PATIENCE(10_000));
    expect([first.status, first.body]).to.deep.equal([503, { ready: false }]);
    for (let n = 0; n < 20; n++) {
      const again = await serving.get(CACHED, PATIENCE(10_000));
      expect([again.status, again.body]).to.deep.equal([200, body]);
    }
    const uncached = await serving.get(`${CARDS}?startDate=2025-01-02&endDate=2025-02-28`, PATIENCE(10_000));
    expect([uncached.status, uncached.headers.get("retry-after")]).to.deep.equal([503, "5"]);
    expect((await serving.get("/healthz", PATIENCE(1_000))).status).to.equal(200);
    expect((await serving.get("/readyz?verbose", PATIENCE(10_000))).body).to.deep.equal({ ready: false });
    // Generous: the machine may be busy.
    expect(performance.now() - began).to.be.below(15_000);
    mount?.kill("SIGCONT");
    await serving.until("/readyz", ({ ready }) => ready === true);
    await serving.until(`${CARDS}?startDate=2025-01-02&endDate=2025-02-28`, () => true);
    expect((await serving.get(CACHED)).body).to.deep.equal(body);
  });
});

async function isMounted(place: string): Promise<boolean> {
  return (await readFile("/proc/mounts", "utf8")).includes(` ${place} `);
}
