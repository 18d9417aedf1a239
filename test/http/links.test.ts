import { expect } from "chai";
import request, { type Test } from "supertest";
import { Metrics } from "../../src/core/http/metrics.ts";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import type { Link } from "../../src/features/links/links.ts";
import { ACME, FakeAnswers, fakeApp, GONE, OTHER } from "./fake.ts";

const tokenOf = (name: string): string => name.padEnd(43, "-");
const link = (name: string, endpoint: string, more: Partial<Link> = {}): [string, Link] => [
  tokenOf(name),
  { id: `link_${name}`, name, organization: ACME, endpoint, createdAt: "", ...more },
];

const KNOWN = new Map([
  link("strict", "/v1/strict?view=logo"),
  link("item", "/v1/items/a%2Fb"),
  link("days", "/v1/strict?view=logo", { days: 7 }),
  link("gone", "/v1/strict", { organization: GONE }),
  link("other", "/v1/strict", { organization: OTHER }),
  link("old", "/v1/nothing-any-more"),
  link("many", "/v1/organizations"),
]);
const links = { find: async (token: string) => KNOWN.get(token) };
const linkedApp = (
  answers = new FakeAnswers(),
  more: Parameters<typeof fakeApp>[1] = {},
  log?: Parameters<typeof fakeApp>[2],
) => fakeApp(answers, { links, ...more }, log);
const get = (app: ReturnType<typeof fakeApp>, name: string, rest = ""): Test =>
  request(app).get(`/links/${tokenOf(name)}${rest}`);

describe("Share links [D57]", () => {
  it("answer their endpoint with their parameters and nothing else", async () => {
    const app = linkedApp();
    const { status, body, headers } = await get(app, "strict");
    expect([status, body.id, body.accepted.view]).to.deep.equal([200, ACME, "logo"]);
    expect(headers).to.include({
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "private, no-cache",
    });
    expect(headers["x-ratelimit-limit"]).to.equal("100");
    expect((await get(app, "item")).body.accepted.itemId).to.equal("a/b");
    expect((await get(app, "other")).body.id).to.equal(OTHER);
    expect((await get(app, "strict").set("if-none-match", String(headers.etag))).status).to.equal(304);
    const head = await request(app).head(`/links/${tokenOf("strict")}`);
    expect([head.status, head.headers.etag, head.text ?? ""]).to.deep.equal([200, headers.etag, ""]);
  });

  it("fill in the last full days, which are over in every time zone of the organization", async () => {
    const clock = { now: new Date("2025-03-10T01:30:00Z") };
    const timezones = ["UTC", "America/Sao_Paulo"];
    const integrations = timezones.map((timezone, n) => ({ id: String(n), connector: "storea" as const, timezone }));
    const answers = new FakeAnswers();
    const app = linkedApp(answers, {
      now: () => clock.now,
      organizations: {
        has: async () => true,
        settings: async (organizationId) => ({ organizationId, name: "", integrations }),
      },
    });
    const daysOf = async (): Promise<unknown[]> => {
      const { body } = await get(app, "days");
      return [body.accepted.startDate, body.accepted.endDate, body.accepted.view];
    };
    expect(await daysOf()).to.deep.equal(["2025-03-02", "2025-03-08", "logo"]);
    clock.now = new Date("2025-03-10T03:00:00Z");
    expect(await daysOf()).to.deep.equal(["2025-03-03", "2025-03-09", "logo"]);
  });

  it("that are unknown, of a removed organization, or have anything after the token are the same 404", async () => {
    const app = linkedApp();
    const seen = new Set<string>();
    for (const address of [
      "/links/",
      "/links/x",
      `/links/${tokenOf("unknown")}`,
      `/links/${tokenOf("gone")}`,
      `/links/${tokenOf("strict")}/`,
      `/links/${tokenOf("strict")}/x`,
      `/links/%00`,
      `/links/%zz`,
    ]) {
      const { status, text, headers } = await request(app).get(address);
      seen.add(`${status} ${text} ${headers["x-ratelimit-limit"]} ${headers["x-robots-tag"]}`);
    }
    expect([...seen]).to.deep.equal(['404 {"error":"Not Found","message":"O recurso não existe."} undefined noindex']);
    expect((await request(app).post(`/links/${tokenOf("unknown")}`)).status).to.equal(404);
    expect((await get(app, "old")).status).to.equal(404);
  });

  it("that fail count with wrong credentials of their address; good ones go on working", async () => {
    const app = linkedApp();
    const statuses: number[] = [];
    for (let n = 0; n < 16; n++) {
      statuses.push((await get(app, `no${n}`)).status);
      statuses.push((await request(app).get("/v1/strict").set("authorization", "Bearer a.b")).status);
    }
    expect(statuses.slice(0, 30)).to.deep.equal(Array.from({ length: 15 }, () => [404, 401]).flat());
    expect(statuses.slice(30)).to.deep.equal([429, 429]);
    expect((await get(app, "strict")).status).to.equal(200);
  });

  it("have a rate of their own", async () => {
    const limit = new SlidingLog(2, () => 0);
    const app = linkedApp(new FakeAnswers(), { limit });
    const statuses: number[] = [];
    for (const name of ["strict", "strict", "strict", "item"]) statuses.push((await get(app, name)).status);
    limit.shutdown();
    expect(statuses).to.deep.equal([200, 200, 429, 200]);
  });

  it("refuse a parameter of their endpoint, which would look as if it counted, and ignore others", async () => {
    const app = linkedApp();
    const answers = await Promise.all(
      ["?view=revenue", `?organizationId=${OTHER}`, "?startDate=2025-01-01&x=1"].map((rest) =>
        get(app, "strict", rest),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.details?.[0]?.parameter])).to.deep.equal([
      [400, "view"],
      [400, "organizationId"],
      [400, "startDate"],
    ]);
    const { status, body } = await get(app, "strict", "?_=17");
    expect([status, body.id, body.accepted.view]).to.deep.equal([200, ACME, "logo"]);
  });

  it("are read-only", async () => {
    const { status, headers } = await request(linkedApp()).post(`/links/${tokenOf("strict")}`);
    expect([status, headers.allow]).to.deep.equal([405, "GET, HEAD"]);
  });

  it("to the list of organizations list their own", async () => {
    const { body } = await get(linkedApp(), "many");
    expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([ACME]);
  });

  it("are 404 if the operator has not turned them on, without a failure of the address", async () => {
    const app = fakeApp();
    for (let n = 0; n < 40; n++) expect((await get(app, "strict")).status).to.equal(404);
  });

  it("are shown by their route and id in logs and metrics, never by their token", async () => {
    const lines: string[] = [];
    const metrics = new Metrics();
    const answers = new FakeAnswers(() => Promise.reject(new Error("broken")));
    const app = linkedApp(answers, { metrics }, { write: (line) => void lines.push(line) });
    const off = fakeApp(answers, {}, { write: (line) => void lines.push(line) });
    const seen: string[] = [];
    for (const one of [app, off]) {
      for (const name of ["strict", "unknown", "gone"]) {
        for (const rest of ["", "/x", `?${tokenOf(name)}=${tokenOf(name)}`]) {
          const { text, headers } = await get(one, name, rest).set("x-request-id", `job-${tokenOf(name)}`.slice(0, 64));
          seen.push(text, JSON.stringify(headers));
        }
      }
    }
    const all = [...seen, ...lines, await metrics.registry.metrics()].join("\n");
    for (const name of ["strict", "unknown", "gone"]) expect(all).to.not.contain(tokenOf(name));
    const line = JSON.parse(lines.find((text) => text.includes("link_strict")) ?? "{}");
    expect([line.req.path, line.clientId, line.res.status]).to.deep.equal(["/links/:token", "link_strict", 500]);
    expect(await metrics.registry.metrics()).to.contain('endpoint="/links/:token"');
  });
});
