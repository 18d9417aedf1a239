import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { People } from "../../src/features/people/people.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA, DataFolder, STOREA } from "../support/data.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { orders, SHOP, values } from "../support/syncs.ts";

type Body = Record<string, unknown> & { readonly id: string; readonly present?: Record<string, unknown> };
interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly tag: string;
}

describe("A service that takes files [D93]", function () {
  this.timeout(300_000);
  let data: DataFolder;
  let serving: Serving;
  const tokens: Record<string, string> = {};

  before(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
    await data.sync();
    const people = new People(data.path);
    const sessions = new Sessions({ dataDir: data.path, credentials: { holds: async () => undefined } });
    for (const role of ["admin", "viewer"] as const) {
      await people.add(`${role}@example.com`, { organizations: [AURORA], role });
      tokens[role] = (await sessions.startOf({ person: `${role}@example.com` }, "test")).token;
    }
    serving = await startServing(data);
  });
  after(async () => {
    await serving.stop();
    await data.remove();
  });

  const UPLOADS = `/platform/organizations/${AURORA}/uploads`;

  async function asks(
    method: string,
    path: string,
    { body, who = "admin", headers = {} }: { body?: object; who?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const base = `http://127.0.0.1:${serving.port}`;
    const isBytes = body instanceof Buffer;
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...{ cookie: `lucra_session=${tokens[who]}`, "x-lucra-page": "1", origin: base, "accept-language": "en" },
        "content-type": isBytes ? "application/octet-stream" : "application/json",
        ...(method === "POST" ? { "idempotency-key": randomBytes(12).toString("hex") } : {}),
        ...headers,
      },
      ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Body, tag: response.headers.get("etag") ?? "" };
  }

  async function until(id: string, holds: (body: Body) => boolean): Promise<Body> {
    for (let tries = 0; tries < 600; tries++) {
      const { status, body } = await asks("GET", `${UPLOADS}/${id}`);
      if (status === 200 && holds(body)) return body;
      await sleep(200);
    }
    throw new Error("not in time");
  }

  /** Sends the beginning of a piece, then breaks the connection. */
  const broken = (path: string, bytes: Buffer, cut: number): Promise<void> =>
    new Promise((done) => {
      const base = `http://127.0.0.1:${serving.port}`;
      const headers = {
        ...{ cookie: `lucra_session=${tokens.admin}`, "x-lucra-page": "1", origin: base },
        ...{ "content-type": "application/octet-stream", "content-length": bytes.length },
      };
      const sent = request(`${base}${path}`, { method: "PUT", headers });
      sent.on("error", () => done());
      sent.write(bytes.subarray(0, cut), () => setTimeout(() => sent.destroy(), 50));
    });

  it("goes on where a piece broke off, and says where that is", async () => {
    const bytes = Buffer.from(orders(...Array.from({ length: 2_000 }, (_, n) => ({ id: String(n), value: 1 }))));
    const { status, body } = await asks("POST", UPLOADS, { body: { name: "pedidos.json", bytes: bytes.length } });
    expect([status, Object.keys(body)]).to.deep.equal([200, ["id"]]);
    const piece = (at: number) => `${UPLOADS}/${body.id}/pieces/${at}`;
    expect((await asks("PUT", piece(0), { body: bytes.subarray(0, 500_000) })).body).to.deep.equal({
      received: 500_000,
    });
    await broken(piece(500_000), bytes.subarray(500_000, 900_000), 200_000);
    const { received } = await until(body.id, () => true);
    expect(received).to.be.within(500_000, 700_000);
    const wrong = await asks("PUT", piece(800_000), { body: bytes.subarray(800_000, 900_000) });
    expect([wrong.status, wrong.body.present]).to.deep.equal([409, { reason: "offset", received }]);
    for (let at = Number(received); at < bytes.length; at += 1_000_000)
      expect((await asks("PUT", piece(at), { body: bytes.subarray(at, at + 1_000_000) })).status).to.equal(200);
    expect((await until(body.id, () => true)).state).to.equal("received");

    await asks("POST", `${UPLOADS}/${body.id}/look`, { body: {} });
    const seen = await until(body.id, ({ busy }) => busy === null);
    const look = seen.look as Record<string, unknown>;
    expect(look).to.include({ outcome: "ready", rows: 2_000, integration: STOREA });
    const landing = await asks("POST", `${UPLOADS}/${body.id}/landing`, { body: { look: look.id } });
    expect([landing.status, landing.body]).to.deep.equal([200, { id: body.id }]);
    // Killed while the file lands, it goes on after the next start.
    await sleep(300);
    serving.child.kill("SIGKILL");
    await sleep(500);
    serving = await startServing(data);
    expect((await until(body.id, ({ state }) => state !== "landing")).state).to.equal("landed");
    expect(Object.keys(await values(data))).to.have.length(2_000);
    const files = await asks("GET", `/platform/organizations/${AURORA}/integrations/${STOREA}/files`);
    expect((files.body.files as { rows: number }[]).map(({ rows }) => rows)).to.deep.equal([2_000]);
    expect((await asks("POST", `${UPLOADS}/${body.id}/undo`, { body: {} })).status).to.equal(200);
    await until(body.id, ({ state }) => state === "undone");
    expect(await values(data)).to.deep.equal({});
    const log = (await data.text(`audit/${AURORA}.ndjson`))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(log.flatMap(({ what, person }) => (what ? [[what, person]] : []))).to.deep.equal([
      ["uploads.add", "admin@example.com"],
      ["uploads.land", "admin@example.com"],
      ["uploads.undo", "admin@example.com"],
    ]);
  });

  it("refuses what is none of a page's, of an admin's or of a file's", async () => {
    const body = { name: "a".repeat(10_000), bytes: 4 };
    const sent = async (more: Parameters<typeof asks>[2] = {}) =>
      (await asks("POST", UPLOADS, { body, ...more })).status;
    expect(await sent({ who: "viewer" })).to.equal(403);
    expect((await asks("GET", UPLOADS, { who: "viewer" })).status).to.equal(403);
    expect(await sent({ headers: { origin: "http://evil.example" } })).to.equal(403);
    expect(await sent({ headers: { "idempotency-key": "" } })).to.equal(428);
    expect(await sent({ body: { name: "a", bytes: 200_000_001 } })).to.equal(413);
    expect(await sent({ body: { name: "a", bytes: 0 } })).to.equal(400);
    expect(await sent({ body: { name: "a", bytes: "4" } })).to.equal(400);
    const { id } = (await asks("POST", UPLOADS, { body })).body;
    expect((await until(id, () => true)).name).to.match(/^a{199}…$/);
    const piece = `${UPLOADS}/${id}/pieces/0`;
    expect((await asks("PUT", piece, { body: {} })).status).to.equal(415);
    expect((await asks("PUT", piece, { body: Buffer.alloc(1_000_001) })).status).to.equal(413);
    for (const at of ["-1", "1e0", "00000000000000000", "..%2f"])
      expect((await asks("PUT", `${UPLOADS}/${id}/pieces/${at}`, { body: Buffer.from("abcd") })).status, at).to.equal(
        400,
      );
    for (const name of ["0".repeat(32), "..%2f..%2fcredentials.json", "%2e%2e"])
      expect((await asks("GET", `${UPLOADS}/${name}`)).status, name).to.equal(404);
    expect((await asks("POST", `${UPLOADS}/${id}/look`, { body: {} })).body.present).to.deep.equal({
      reason: "state",
      state: "receiving",
    });
    expect((await asks("DELETE", `${UPLOADS}/${id}`)).status).to.equal(428);
    const { tag } = await asks("GET", `${UPLOADS}/${id}`);
    await asks("PUT", piece, { body: Buffer.from("ab") });
    expect((await asks("DELETE", `${UPLOADS}/${id}`, { headers: { "if-match": tag } })).status).to.equal(412);
    const now = await asks("GET", `${UPLOADS}/${id}`);
    expect((await asks("DELETE", `${UPLOADS}/${id}`, { headers: { "if-match": now.tag } })).status).to.equal(200);
    expect((await asks("GET", `${UPLOADS}/${id}`)).status).to.equal(404);
    const unknown = await asks("GET", `/platform/organizations/${AURORA}/integrations/${AURORA}/files`);
    expect(unknown.status).to.equal(404);
  });

  it("of one key lands once", async () => {
    const { id } = (await asks("POST", UPLOADS, { body: { name: "a", bytes: 4 } })).body;
    const headers = { "idempotency-key": "0123456789abcdef" };
    const both = await Promise.all([1, 2].map(() => asks("POST", UPLOADS, { body: { name: "b", bytes: 4 }, headers })));
    expect(new Set(both.map(({ body }) => body.id)).size).to.equal(1);
    expect(both[0]?.body.id).to.not.equal(id);
  });
});
