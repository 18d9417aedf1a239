import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { codeVersion } from "../../src/core/marts/codeVersion.ts";
import { Replica } from "../../src/features/cluster/objects/replica.ts";
import { AURORA, DataFolder, type Ended } from "../support/data.ts";
import { CARDS, SHOP, version } from "../support/generations.ts";
import { TestStorage } from "../support/objects.ts";
import { type Serving, startServing } from "../support/serving.ts";

const ASKED = `${CARDS}?startDate=2025-01-01&endDate=2025-02-28`;
const KNOWN_MS = 3_000;

describe("A storage for replicas, without a database", function () {
  this.timeout(180_000);
  let storage: TestStorage;
  let writer: DataFolder;
  let copy: DataFolder;
  const running: Serving[] = [];

  beforeEach(async () => {
    storage = await TestStorage.start();
    [writer, copy] = [await DataFolder.empty(), await DataFolder.empty()];
    await writer.settings(SHOP);
    await version(writer, 1);
    expect((await lucra("sync")).status).to.equal(0);
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await storage.stop();
    useCoordination(copy.path, undefined);
    await Promise.all([writer.remove(), copy.remove()]);
  });

  const lucra = (...args: string[]): Promise<Ended> => writer.lucra(args, storage.environment);
  const objects = async (holds: (key: string) => boolean): Promise<string[]> => (await storage.keys()).filter(holds);
  /** Answers of a replica with an empty folder, with the credentials of the writer's. */
  const answer = async (): Promise<{ status: number; body: unknown }> => {
    const data = await DataFolder.empty();
    const { client_id, client_secret } = await new Credentials(writer.path).create({
      organizations: [AURORA],
      name: "client",
    });
    expect((await lucra("keys", "list")).status).to.equal(0);
    const replica = await startServing(data, ["--read-only"], undefined, storage.environment);
    try {
      const url = `http://127.0.0.1:${replica.port}${ASKED}&organizationId=${AURORA}`;
      const response = await fetch(url, { headers: { "x-client-id": client_id, "x-client-secret": client_secret } });
      return { status: response.status, body: await response.json() };
    } finally {
      await replica.stop();
      await data.remove();
    }
  };

  it("bounds how long a revoked credential works while the storage is down, also after a restart", async () => {
    const clients = new Credentials(writer.path);
    const { client_id, client_secret } = await clients.create({ organizations: [AURORA], name: "client" });
    expect((await lucra("keys", "list")).status).to.equal(0);
    const open = () =>
      Replica.open(copy.config, {
        store: storage.open(),
        codeVersion: codeVersion(),
        onProblem: () => {},
        onRecovery: () => {},
        knownMs: KNOWN_MS,
      });
    const verified = (): Promise<string> =>
      new Credentials(copy.path).verify(client_id, client_secret).then(
        (client) => client?.clientId ?? "refused",
        ({ kind }) => kind,
      );
    let replica = await open();
    expect(await verified()).to.equal(client_id);
    storage.down();
    await clients.revoke(client_id);
    expect(await verified()).to.equal(client_id);
    await sleep(KNOWN_MS + 500);
    expect([replica.isKnown, await verified()]).to.deep.equal([false, "storage"]);
    await replica.stop();
    useCoordination(copy.path, undefined);
    replica = await open();
    expect([replica.isKnown, await verified()], "after a restart").to.deep.equal([false, "storage"]);
    storage.down(false);
    expect((await lucra("keys", "list")).status).to.equal(0);
    for (let n = 0; n < 50 && (await verified()) !== "refused"; n++) await sleep(200);
    expect([replica.isKnown, await verified()]).to.deep.equal([true, "refused"]);
    await replica.stop();
  });

  it("has its damaged objects named by doctor, and sent again by `storage repair`", async () => {
    const good = await answer();
    expect(good.status).to.equal(200);
    const [damaged = ""] = await objects((key) => key.includes("/files/"));
    await storage.damage(damaged);
    expect((await answer()).status).to.equal(503);
    const examined = await lucra("doctor", "--verify");
    expect(examined.status).to.equal(1);
    expect(examined.stdout.replaceAll(/\s+/g, " ")).to.contain("run `lucra storage repair`");
    const repaired = await lucra("storage", "repair");
    expect([repaired.status, repaired.stdout.trim().split("\n").at(-1)]).to.deep.equal([0, "sent again: 1"]);
    expect(await answer()).to.deep.equal(good);
    expect((await lucra("storage", "repair")).stdout.trim()).to.equal("sent again: 0");
  });

  it("has a damaged description and a damaged pointer replaced by the next sync", async () => {
    const good = await answer();
    for (const kind of [/gen=\d+\.[0-9a-f]+\.json$/, /\/current$/]) {
      const [damaged = ""] = await objects((key) => kind.test(key));
      await storage.damage(damaged);
      expect((await answer()).status, damaged).to.equal(503);
      const { status, stderr } = await lucra("sync");
      expect(status, stderr).to.equal(0);
      expect(await answer(), damaged).to.deep.equal(good);
    }
  });
});
