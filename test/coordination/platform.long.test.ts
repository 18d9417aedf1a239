import { createHash, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Audit } from "../../src/core/audit/audit.ts";
import type { Coordination } from "../../src/core/coordination/coordination.ts";
import { useCoordination } from "../../src/core/coordination/registry.ts";
import { openPostgres } from "../../src/features/cluster/postgres/open.ts";
import { Agents } from "../../src/features/oauth/agents.ts";
import { People } from "../../src/features/people/people.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA, DataFolder, exportsOf, STOREA } from "../support/data.ts";
import { type Postgres, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { count, ORDERS, orders, shop } from "../support/schedules.ts";
import { type Serving, startServing } from "../support/serving.ts";

const HOME = `/platform/organizations/${AURORA}`;
const TABLE = "order_id,status,value,creation_date\nc,invoiced,20.00,2025-02-11\nd,invoiced,30.00,2025-02-12";
const ROUNDS = 20;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each resource answers something of its own.
  readonly body: any;
  readonly tag: string;
}

describe("The platform of two services over PostgreSQL [D91]", function () {
  this.timeout(300_000);
  let postgres: Postgres;
  let postgresUrl: string;
  let data: DataFolder;
  let coordination: Coordination;
  let cookie: string;
  let services: Serving[] = [];

  before(async function () {
    if (postgresPrograms() === undefined) return this.skip();
    postgres = await startPostgres();
    const url = await postgres.database();
    postgresUrl = url;
    data = await DataFolder.empty();
    coordination = openPostgres(url, data.path);
    useCoordination(data.path, coordination);
    await data.settings(shop());
    await data.write(`${exportsOf(STOREA, "orders")}/first.json`, orders("a", "b"));
    await data.sync();
    await new People(data.path).add("ana@example.com", { organizations: [AURORA], role: "admin" });
    const sessions = new Sessions({ dataDir: data.path, credentials: { holds: async () => undefined } });
    cookie = `lucra_session=${(await sessions.startOf({ person: "ana@example.com" }, "test")).token}`;
    const environment = { LUCRA_DATABASE_URL: url };
    const first = await startServing(data, [], undefined, environment);
    services = [first, await startServing(data, [], undefined, environment, first.keys)];
  });

  after(async () => {
    for (const service of services) await service.stop();
    await coordination?.close();
    if (data) useCoordination(data.path, undefined);
    await postgres?.remove();
    await data?.remove();
  });

  /** A request of the page at one of the services. */
  async function ask(at: number, method: string, place: string, body?: object | Buffer, tag = ""): Promise<Answer> {
    const base = `http://127.0.0.1:${services[at % 2]?.port}`;
    const isBytes = body instanceof Buffer;
    const response = await fetch(`${base}${HOME}/${place}`, {
      method,
      headers: {
        ...{ cookie, "x-lucra-page": "1", origin: base, "accept-language": "en" },
        "content-type": isBytes ? "application/octet-stream" : "application/json",
        ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
        ...(tag ? { "if-match": tag } : {}),
      },
      ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json(), tag: response.headers.get("etag") ?? "" };
  }

  const logged = (what: string) =>
    new Audit(data.path).entries(AURORA).then((all) => all.filter((one) => one.what === what));

  /** Adds a note, again from what is there now as often as another one was quicker. */
  async function note(at: number, text: string): Promise<number> {
    for (let conflicts = 0; ; ) {
      const { body, tag } = await ask(at, "GET", "settings/notes");
      const value = [...(body.value ?? []), { from: "2025-01-01", text }];
      const { status, body: answer } = await ask(at, "PUT", "settings/notes", { value }, tag);
      if (status === 200) return conflicts;
      if (status !== 503) expect(status, JSON.stringify(answer)).to.equal(412);
      if (status === 412) conflicts++;
    }
  }

  it("gives tokens once for a code, and lets an agent refresh in parallel, at both at once [D97]", async () => {
    const other = openPostgres(postgresUrl, data.path);
    const verifier = "v".repeat(43);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const granted = { person: "ana@example.com", organization: AURORA, clientId: "agent", clientName: "Agent" };
    const agents = [new Agents(data.path)];
    useCoordination(data.path, other);
    agents.push(new Agents(data.path));
    useCoordination(data.path, coordination);
    const at = (n: number): Agents => agents[n % 2] as Agents;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const consent = { ...granted, redirectUri: "http://127.0.0.1/x", challenge };
        const [code, again] = [await at(round).consent(consent), await at(round).consent(consent)];
        const sent = { clientId: "agent", redirectUri: "http://127.0.0.1/x", verifier };
        const given = await Promise.all(Array.from({ length: 6 }, (_, n) => at(n).redeem({ ...sent, code })));
        const pairs = given.filter((one) => "access" in one);
        expect(pairs).to.have.length(1);
        const ended = await at(round).refresh(pairs[0]?.refresh ?? "", "agent");
        expect(ended, "its second use has ended it").to.have.property("refused");
        const first = await at(round).redeem({ ...sent, code: again });
        const refresh = "refresh" in first ? first.refresh : "";
        const parallel = await Promise.all(Array.from({ length: 6 }, (_, n) => at(n).refresh(refresh, "agent")));
        for (const [n, one] of parallel.entries())
          expect("access" in one && (await at(n + 1).refresh(one.refresh, "agent"))).to.have.property("access");
      }
    } finally {
      await other.close();
    }
  });

  it("loses no change of settings that both make at once", async () => {
    const texts = Array.from({ length: ROUNDS }, (_, n) => [`first ${n}`, `second ${n}`]);
    let conflicts = 0;
    for (const [n, [first = "", second = ""]] of texts.entries()) {
      const [one, other, targets] = await Promise.all([
        note(0, first),
        note(1, second),
        ask(n, "GET", "settings/targets").then(({ tag }) =>
          ask(n, "PUT", "settings/targets", { value: { cac: n + 1 } }, tag),
        ),
      ]);
      expect(targets.status, "another section is no conflict").to.equal(200);
      conflicts += one + other;
    }
    expect(conflicts, "the same section at once").to.be.greaterThan(0);
    const notes = (await ask(0, "GET", "settings/notes")).body.value;
    expect(notes.map(({ text }: { text: string }) => text)).to.have.members(texts.flat());
    expect((await ask(1, "GET", "settings/targets")).body.value).to.deep.equal({ cac: ROUNDS });
    const lines = await logged("settings.change");
    expect(lines.filter(({ outcome }) => outcome === "done")).to.have.length(3 * ROUNDS);
    expect(lines.every(({ outcome }) => outcome !== undefined)).to.equal(true);
    const rows = await postgres.query("select content from lucra.documents where name = 'people.json'");
    expect(rows).to.have.length(1);
  });

  it("takes pieces of a file at either service, and lands it once", async () => {
    const bytes = Buffer.from(TABLE);
    const { body: made, status } = await ask(0, "POST", "uploads", { name: "b.csv", bytes: bytes.length });
    expect(status, JSON.stringify(made)).to.equal(200);
    const upload = `uploads/${made.id}`;
    for (let at = 0, n = 1; at < bytes.length; at += 20, n++) {
      const piece = bytes.subarray(at, at + 20);
      // The same piece at both services at once.
      const both = await Promise.all([0, 1].map((one) => ask(one, "PUT", `${upload}/pieces/${at}`, piece)));
      expect(
        both.map((one) => one.status),
        `piece ${n}`,
      ).to.deep.equal([200, 200]);
    }
    const until = async (holds: (body: Answer["body"]) => boolean): Promise<Answer["body"]> => {
      for (let tries = 0; tries < 300; tries++) {
        const { body } = await ask(tries, "GET", upload);
        if (holds(body)) return body;
        await sleep(200);
      }
      throw new Error("not in time");
    };
    expect((await ask(1, "POST", `${upload}/look`, {})).status).to.equal(200);
    const { look } = await until((body) => body.look !== null && body.busy === null);
    expect(look).to.deep.include({ outcome: "ready", rows: 2 });
    const begun = await Promise.all([0, 1].map((at) => ask(at, "POST", `${upload}/landing`, { look: look.id })));
    expect(begun.map((one) => one.status).sort()).to.deep.equal([200, 409]);
    const landed = await until((body) => body.state === "landed");
    expect(landed.landed).to.deep.include({ rows: 2, rejected: 0 });
    expect(landed.landed.exports).to.have.length(1);
    for (const service of services) await service.until(ORDERS, (body) => count(body) === 4);
    expect((await ask(0, "POST", `${upload}/undo`, {})).status).to.equal(200);
    await until((body) => body.state === "undone");
    for (const service of services) await service.until(ORDERS, (body) => count(body) === 2);
    for (const what of ["uploads.land", "uploads.undo"])
      expect(
        (await logged(what)).filter(({ outcome }) => outcome === "done"),
        what,
      ).to.have.length(1);
  });

  it("keeps all of many files that both announce at once, and no more than 20", async () => {
    const many = await Promise.all(
      Array.from({ length: 24 }, (_, n) => ask(n, "POST", "uploads", { name: `${n}.csv`, bytes: 10 })),
    );
    const made = many.filter(({ status }) => status === 200);
    expect(made).to.have.length(20);
    const { data: all } = (await ask(1, "GET", "uploads")).body;
    const waiting = all.filter(({ state }: { state: string }) => state === "receiving");
    expect(waiting.map(({ id }: { id: string }) => id)).to.have.members(made.map(({ body }) => body.id));
    expect(await readdir(data.path)).to.not.include.members(["people.json", "uploads.json", "sessions.json"]);
  });
});
