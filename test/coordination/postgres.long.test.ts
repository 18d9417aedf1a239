import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { Audit } from "../../src/core/audit/audit.ts";
import { type Coordination, CURRENT, NoTurn } from "../../src/core/coordination/coordination.ts";
import { changeDelivery, readDeliveries } from "../../src/core/coordination/deliveries.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { exportState, importState } from "../../src/features/cluster/postgres/move.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import { People } from "../../src/features/people/people.ts";
import { SignIns } from "../../src/features/people/signIns.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../support/postgres.ts";

const ORGANIZATION = "5d1f0f0e-8a3c-4f6e-9a55-0a51c1f7a001";
const OTHER = "5d1f0f0e-8a3c-4f6e-9a55-0a51c1f7a002";

describe("Coordination by PostgreSQL", function () {
  this.timeout(60_000);
  let postgres: Postgres;
  let url: string;
  const opened: Coordination[] = [];

  /** One more process, as far as the database can tell. */
  const open = (dataDir = "/data", knownMs?: number): Coordination => {
    const coordination = openPostgres(url, dataDir, knownMs);
    opened.push(coordination);
    return coordination;
  };

  before(async function () {
    if (postgresPrograms() === undefined) return this.skip();
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    url = await postgres.database();
  });
  afterEach(async () => {
    await postgres?.start().catch(() => {});
    for (const coordination of opened.splice(0)) await coordination.close();
  });
  after(() => postgres?.remove());

  const writing = <T>(one: Coordination, work: () => Promise<T>, waitMs = 5_000, organization = ORGANIZATION) =>
    one.turns.writing(waitMs, (turnOf) => turnOf(organization, work));

  it("takes people and the log of their changes over, and gives them back", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "lucra-move-"));
    const change = (n: number): Promise<void> =>
      new Audit(dataDir).run(
        { person: "ana@example.com" },
        { organization: ORGANIZATION, what: `change.${n}` },
        async () => {},
      );
    const whats = async (): Promise<string[]> =>
      (await new Audit(dataDir).entries(ORGANIZATION)).map(({ what, outcome }) => `${what} ${outcome}`);
    try {
      await new People(dataDir).add("ana@example.com", { organizations: [ORGANIZATION], role: "admin" });
      await new SignIns(dataDir).offer("ana@example.com", { kind: "invitation" });
      await change(1);
      await change(2);
      const folder = path.join(dataDir, "audit");
      const before = await readFile(path.join(folder, `${ORGANIZATION}.ndjson`), "utf8");
      // The tables are made by the first connection.
      await open(dataDir).pointers.text(ORGANIZATION, CURRENT);
      const moved = await importState(url, dataDir);
      expect([...moved].sort()).to.deep.equal([`audit/${ORGANIZATION}.ndjson`, "people.json", "sign-ins.json"]);
      useCoordination(dataDir, open(dataDir));
      expect(await whats()).to.deep.equal(["change.1 done", "change.2 done"]);
      expect((await new People(dataDir).list()).map(({ email }) => email)).to.deep.equal(["ana@example.com"]);
      await change(3);
      useCoordination(dataDir, undefined);
      await exportState(url, dataDir);
      expect(await whats()).to.deep.equal(["change.1 done", "change.2 done", "change.3 done"]);
      const after = await readFile(path.join(folder, `${ORGANIZATION}.ndjson`), "utf8");
      const parsed = (text: string): unknown[] =>
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
      expect(parsed(after).slice(0, 4)).to.deep.equal(parsed(before));
      expect((await stat(path.join(folder, `${ORGANIZATION}.ndjson`))).mode & 0o777).to.equal(0o600);
      expect(await postgres.query("select 1").then(() => open(dataDir).logs.read(ORGANIZATION, 0))).to.deep.include({
        lines: [],
      });
    } finally {
      useCoordination(dataDir, undefined);
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it("takes what was delivered over, changes it by several processes, and gives it back", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "lucra-move-"));
    const note = (name: string): Promise<void> =>
      changeDelivery<{ n: number }, void>(dataDir, ORGANIZATION, name, (entry) => ({
        entry: { n: (entry?.n ?? 0) + 1 },
        result: undefined,
      }));
    try {
      await note("webhook");
      await open(dataDir).pointers.text(ORGANIZATION, CURRENT);
      expect(await importState(url, dataDir)).to.deep.equal([`deliveries/${ORGANIZATION}.json`]);
      for (let n = 0; n < 10; n++) {
        // Each as another process.
        useCoordination(dataDir, open(dataDir));
        await Promise.all([note("webhook"), note("letter a")]);
      }
      expect(await readDeliveries(dataDir, ORGANIZATION)).to.deep.equal({ webhook: { n: 11 }, "letter a": { n: 10 } });
      useCoordination(dataDir, undefined);
      await exportState(url, dataDir);
      expect(await readDeliveries(dataDir, ORGANIZATION)).to.deep.equal({ webhook: { n: 11 }, "letter a": { n: 10 } });
    } finally {
      useCoordination(dataDir, undefined);
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  describe("of turns", () => {
    it("gives one organization to one process at a time, and another organization at once", async () => {
      const [a, b] = [open(), open()];
      const order: string[] = [];
      let waiting: Promise<unknown> = Promise.resolve();
      await writing(a, async () => {
        waiting = writing(b, async () => order.push("second"));
        await writing(b, async () => order.push("other organization"), 5_000, OTHER);
        await sleep(300);
        order.push("first");
      });
      await waiting;
      await writing(b, async () => order.push("third"));
      expect(order).to.deep.equal(["other organization", "first", "second", "third"]);
    });

    it("says so if a turn stays taken", async () => {
      const [a, b] = [open(), open()];
      await writing(a, async () => {
        const error = await writing(b, async () => {}, 200).catch((caught) => caught);
        expect(error).to.be.instanceOf(NoTurn);
        expect(error.message).to.contain("another process has the turn");
      });
    });

    it("loses a turn whose connection was ended, and publishes nothing in it", async () => {
      const one = open();
      const error = await writing(one, async () => {
        await one.pointers.put(ORGANIZATION, CURRENT, "before", { expected: undefined });
        await postgres.query("select pg_terminate_backend(backend_pid) from lucra.turns");
        await one.pointers.put(ORGANIZATION, CURRENT, "after", { expected: "before" });
      }).catch((caught) => caught);
      expect(error).to.be.instanceOf(NoTurn);
      expect(await one.pointers.text(ORGANIZATION, CURRENT)).to.equal("before");
    });

    it("gives the turn of a silent process to one that waits, and the first one publishes nothing", async () => {
      const [silent, next] = [open(), open()];
      const error = await writing(silent, async () => {
        await silent.pointers.put(ORGANIZATION, CURRENT, "one", { expected: undefined });
        await postgres.query("update lucra.turns set beat_at = clock_timestamp() - interval '1 hour'");
        await writing(next, () => next.pointers.put(ORGANIZATION, CURRENT, "two", { expected: "one" }));
        await silent.pointers.put(ORGANIZATION, CURRENT, "three", { expected: "two" });
      }).catch((caught) => caught);
      expect(error).to.be.instanceOf(NoTurn);
      expect(await next.pointers.text(ORGANIZATION, CURRENT)).to.equal("two");
    });
  });

  describe("of pointers and numbers", () => {
    it("lets one of many publications of the same predecessor through", async () => {
      const many = Array.from({ length: 8 }, () => open());
      const results = await Promise.all(
        many.map((one, n) =>
          writing(one, () => one.pointers.put(ORGANIZATION, CURRENT, `by ${n}`, { expected: undefined }), 20_000),
        ),
      );
      expect(results.filter(Boolean)).to.have.length(1);
      const [text, version] = [
        await open().pointers.text(ORGANIZATION, CURRENT),
        await open().pointers.version(ORGANIZATION),
      ];
      expect(text).to.equal(`by ${results.indexOf(true)}`);
      expect(version).to.be.a("string");
    });

    it("compares the pointer, puts one without comparison, lists and removes", async () => {
      const one = open();
      await writing(one, async () => {
        const { pointers } = one;
        expect(await pointers.put(ORGANIZATION, CURRENT, "a", { expected: "b" })).to.equal(false);
        expect(await pointers.put(ORGANIZATION, CURRENT, "a", { expected: undefined })).to.equal(true);
        expect(await pointers.put(ORGANIZATION, CURRENT, "c", { expected: "b" })).to.equal(false);
        const before = await pointers.version(ORGANIZATION);
        expect(await pointers.put(ORGANIZATION, CURRENT, "c", { expected: "a" })).to.equal(true);
        expect(await pointers.version(ORGANIZATION)).to.not.equal(before);
        await pointers.put(ORGANIZATION, "current.0123456789abcdef", "old");
        await pointers.put(ORGANIZATION, "current.0123456789abcdef", "older");
        const all = await pointers.all(ORGANIZATION);
        expect(all.map(({ name, text }) => [name, text])).to.deep.equal([
          [CURRENT, "c"],
          ["current.0123456789abcdef", "older"],
        ]);
        await pointers.remove(ORGANIZATION, "current.0123456789abcdef");
        expect(await pointers.text(ORGANIZATION, "current.0123456789abcdef")).to.equal(undefined);
        expect(await pointers.changedAt(ORGANIZATION)).to.be.instanceOf(Date);
      });
    });

    it("changes nothing without the turn", async () => {
      const one = open();
      for (const change of [
        () => one.pointers.put(ORGANIZATION, CURRENT, "a"),
        () => one.pointers.remove(ORGANIZATION, CURRENT),
        () => one.numbers.claim(ORGANIZATION, "landing", 1),
        () => one.turns.assertHeld(ORGANIZATION),
      ]) {
        expect(await change().catch((error) => error)).to.be.instanceOf(NoTurn);
      }
    });

    it("never gives a number twice, whatever the files say", async () => {
      const claimed: number[] = [];
      for (const atLeast of [1, 1, 7, 3, 8]) {
        const one = open();
        await writing(one, async () => claimed.push(await one.numbers.claim(ORGANIZATION, "landing", atLeast)));
      }
      expect(claimed).to.deep.equal([1, 2, 7, 8, 9]);
    });
  });

  describe("of credentials", () => {
    let dataDirs: string[];
    beforeEach(async () => {
      dataDirs = await Promise.all([1, 2].map(() => mkdtemp(path.join(tmpdir(), "lucra-database-"))));
      for (const dataDir of dataDirs) useCoordination(dataDir, open(dataDir));
    });
    afterEach(async () => {
      for (const dataDir of dataDirs) {
        useCoordination(dataDir, undefined);
        await rm(dataDir, { recursive: true });
      }
    });
    const credentials = (n: number): Credentials => new Credentials(dataDirs[n] ?? "");

    it("keeps what 16 processes create at once", async () => {
      const all = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          credentials(n % 2).create({ organizations: [ORGANIZATION], name: `${n}` }),
        ),
      );
      const kept = (await credentials(0).list()).map(({ client_id }) => client_id);
      expect(kept).to.have.members(all.map(({ client_id }) => client_id));
    });

    it("shows a creation and a revocation to other processes within a second", async () => {
      const there = credentials(1);
      expect(await there.verify("nobody", "secret")).to.equal(undefined);
      const { client_id, client_secret } = await credentials(0).create({ organizations: [ORGANIZATION], name: "one" });
      await sleep(1_000);
      expect((await there.verify(client_id, client_secret))?.clientId).to.equal(client_id);
      await credentials(0).revoke(client_id);
      await sleep(1_000);
      expect(await there.verify(client_id, client_secret)).to.equal(undefined);
    });

    it("refuses everybody if the known ones are older than the bound", async () => {
      const [dataDir = ""] = dataDirs;
      useCoordination(dataDir, open(dataDir, 1_000));
      const there = credentials(0);
      const { client_id, client_secret } = await there.create({ organizations: [ORGANIZATION], name: "one" });
      expect((await there.verify(client_id, client_secret))?.clientId).to.equal(client_id);
      await postgres.stop();
      await sleep(2_000);
      const error = await there.verify(client_id, client_secret).catch((caught) => caught);
      expect(error.kind).to.equal("storage");
      await postgres.start();
      await sleep(2_500);
      expect((await there.verify(client_id, client_secret))?.clientId).to.equal(client_id);
    });

    it("goes on with the known ones while the database is down, and follows it when it is back", async () => {
      const there = credentials(1);
      const { client_id, client_secret } = await credentials(0).create({ organizations: [ORGANIZATION], name: "one" });
      await there.verify(client_id, client_secret);
      const coordination = opened.at(-1) as Coordination;
      await postgres.stop();
      await sleep(600);
      expect((await there.verify(client_id, client_secret))?.clientId).to.equal(client_id);
      expect(coordination.downSince()).to.be.instanceOf(Date);
      const refused = await there.create({ organizations: [ORGANIZATION], name: "two" }).catch((error) => error);
      expect(refused.message).to.contain("does not answer");
      await postgres.start();
      await sleep(2_500);
      expect(coordination.downSince()).to.equal(undefined);
      await credentials(0).revoke(client_id);
      await sleep(1_000);
      expect(await there.verify(client_id, client_secret)).to.equal(undefined);
    });
  });
});
