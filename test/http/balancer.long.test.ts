import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { AURORA, type DataFolder, freePort, ROOT } from "../support/data.ts";
import { CARDS, shopOfVersion1 } from "../support/generations.ts";
import { type Serving, startServing } from "../support/serving.ts";

const CONFIGURATION = path.join(ROOT, "deploy", "haproxy.cfg");

describe("Two read-only services behind HAProxy, as in deploy/", function () {
  this.timeout(120_000);
  let data: DataFolder;
  let replicas: Serving[] = [];
  let balancer: ChildProcess | undefined;

  before(function () {
    if (spawnSync("haproxy", ["-v"]).status === 0) return;
    console.log("      HAProxy is not installed, so that nothing is balanced");
    this.skip();
  });

  after(async () => {
    balancer?.kill("SIGKILL");
    await Promise.all(replicas.map((replica) => replica.stop()));
    await data?.remove();
  });

  it("answer alike, go on when one is killed, and hide what is the operator's", async () => {
    data = await shopOfVersion1();
    const { client_id, client_secret } = await new Credentials(data.path).create({
      organizations: [AURORA],
      name: "client",
    });
    const start = () => startServing(data, ["--read-only"]);
    replicas = await Promise.all([start(), start()]);
    const writer = await startServing(data);
    replicas.push(writer);
    const port = await freePort();
    balancer = spawn("haproxy", ["-db", "-f", CONFIGURATION], {
      env: {
        PATH: process.env.PATH,
        LUCRA_BIND: `127.0.0.1:${port}`,
        LUCRA_REPLICA_1: `127.0.0.1:${replicas[0]?.port}`,
        LUCRA_REPLICA_2: `127.0.0.1:${replicas[1]?.port}`,
        // One that is not there.
        LUCRA_REPLICA_3: `127.0.0.1:${await freePort()}`,
        LUCRA_WRITER: `127.0.0.1:${writer.port}`,
      },
      stdio: "ignore",
    });
    const home = `http://127.0.0.1:${port}`;
    const headers = { "x-client-id": client_id, "x-client-secret": client_secret };
    const cards = `${home}${CARDS}?organizationId=${AURORA}&startDate=2025-01-01&endDate=2025-02-28`;
    const ask = (address: string) => fetch(address, { headers, signal: AbortSignal.timeout(20_000) });
    const isUp = () =>
      ask(cards).then(
        ({ status }) => status === 200,
        () => false,
      );
    for (let n = 0; n < 100 && !(await isUp()); n++) await sleep(100);
    const { etag, text } = await answered(await ask(cards));
    const me = (at: number | string) => fetch(`http://127.0.0.1:${at}/platform/me`, { headers: { host: "localhost" } });
    expect((await me(port)).status, "people are at the writer").to.equal(401);
    for (const { port: own } of replicas) {
      const direct = await ask(cards.replace(home, `http://127.0.0.1:${own}`));
      expect(await answered(direct)).to.deep.equal({ etag, text });
    }
    for (const hidden of ["/readyz", "/readyz?verbose", "/metrics"]) {
      expect((await ask(home + hidden)).status, hidden).to.equal(404);
    }
    expect((await ask(`${home}/healthz`)).status).to.equal(200);
    for (const { child } of replicas.slice(0, 1)) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    for (let n = 0; n < 30; n++) expect(await answered(await ask(cards))).to.deep.equal({ etag, text });
  });
});

async function answered(response: Response): Promise<{ etag: string | null; text: string }> {
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  return { etag: response.headers.get("etag"), text };
}
