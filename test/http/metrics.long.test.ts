import type { ChildProcess } from "node:child_process";
import { get } from "node:http";
import { expect } from "chai";
import { type Logger, pino } from "pino";
import request from "supertest";
import type { Answers } from "../../src/core/contract/endpoint.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { Metrics } from "../../src/core/http/metrics.ts";
import type { Listening } from "../../src/core/http/server.ts";
import { LandingWatch } from "../../src/core/landing/ledger/landed.ts";
import { loggable } from "../../src/core/params/kinds.ts";
import { ask, CARDS, CONTACTS, FakeAnswers, makeApp, SECRET, THEIRS, until } from "../support/app.ts";
import { AURORA, DataFolder, exportsOf, freePort, SOCIALADS, STOREA, said, storeaOrder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const PERIOD = "startDate=2025-02-01&endDate=2025-02-28";
const EMAIL = "ana.souza@example.com";

/** A metrics page's figures, by their name and labels as printed. */
function figures(page: string): Map<string, number> {
  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ")).replace("+Inf", "Infinity")),
    ]),
  );
}

/** The figures of one metric. */
const of = (all: Map<string, number>, name: string): Record<string, number> =>
  Object.fromEntries([...all].filter(([key]) => key.split("{")[0] === name));

/** `name;dur=1.2;desc="x"` … by name. */
const timings = (header: string): Record<string, string> =>
  Object.fromEntries(
    header
      .split(", ")
      .map((part) => /^(\w+);(?:dur=(\d+\.\d)|desc="(\w+)")$/.exec(part))
      .map((found) => {
        if (!found) throw new Error(`no Server-Timing: ${header}`);
        return [found[1], found[2] ?? found[3]];
      }),
  );

class Lines {
  readonly all: string[] = [];
  readonly log: Logger = pino({ level: "debug" }, { write: (line: string) => void this.all.push(line) });

  with(message: string): Record<string, unknown>[] {
    return this.all.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
  }
}

/** A store that has landed two orders, and an ad account that never landed anything. */
const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [
    { id: STOREA, connector: "storea" },
    { id: SOCIALADS, connector: "socialads" },
  ],
};
const STORE_LABELS = `organization="${AURORA}",integration="${STOREA}",connector="storea"`;
const ADS_LABELS = `organization="${AURORA}",integration="${SOCIALADS}",connector="socialads"`;

async function aShop(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  const orders = [storeaOrder({ id: "a", value: 1 }), storeaOrder({ id: "b", value: 2 })];
  await data.settings(SHOP);
  await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(orders));
  await data.sync();
  return data;
}

describe("The metrics", () => {
  describe("of a service over data", () => {
    let data: DataFolder;
    let service: Service;
    let page: Listening;
    const metrics = new Metrics();
    const lines = new Lines();

    const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${page.port}/metrics`)).text();

    before(async () => {
      // With kept plans, an answer is one query.
      data = await landedFixtures({ LUCRA_SLOW_MS: "0", LUCRA_KEPT_PLANS: "0" });
      service = await openService(data.config, AURORA, { metrics, log: lines.log });
      const listening = await metrics.serve(0, lines.log);
      if (!listening) throw new Error("no metrics");
      page = listening;
    });

    after(async () => {
      await page?.stop();
      service?.close();
      await data?.remove();
    });

    it("are only served to this machine under its own name: a page in a browser may use another", async () => {
      const asked = (host: string): Promise<number> =>
        new Promise((done, fail) => {
          get({ host: "127.0.0.1", port: page.port, path: "/metrics", headers: { host } }, (response) => {
            response.resume();
            done(response.statusCode ?? 0);
          }).on("error", fail);
        });
      expect(await asked(`evil.example:${page.port}`)).to.equal(403);
      for (const host of ["localhost", `127.0.0.1:${page.port}`]) expect(await asked(host)).to.equal(200);
    });

    it("count requests, look-ups and queries exactly", async () => {
      await service.get(`${CARDS}?${PERIOD}`);
      await service.get(`${CARDS}?${PERIOD}`);
      await service.get(`${CARDS}?startDate=x`);
      await service.get(`${CONTACTS}?email=${encodeURIComponent(EMAIL)}`);
      await service.get(`/v1/products/there-is-none?integrationId=${STOREA}`);
      await service.get("/v1/profitability/carts");
      await request(service.app).get("/healthz");
      await request(service.app).post(CARDS).set("x-client-id", "test").set("x-client-secret", "x");
      const requests = async (): Promise<Record<string, number>> => of(figures(await scrape()), "lucra_requests_total");
      await until(async () => Object.values(await requests()).reduce((sum, n) => sum + n, 0) === 8);
      expect(await requests()).to.deep.equal({
        'lucra_requests_total{endpoint="/v1/profitability/cards",status="200"}': 2,
        'lucra_requests_total{endpoint="/v1/profitability/cards",status="400"}': 1,
        'lucra_requests_total{endpoint="/v1/profitability/cards",status="405"}': 1,
        'lucra_requests_total{endpoint="/v1/crm/contacts",status="200"}': 1,
        'lucra_requests_total{endpoint="/v1/products/:productId",status="404"}': 1,
        'lucra_requests_total{endpoint="other",status="404"}': 1,
        'lucra_requests_total{endpoint="/healthz",status="200"}': 1,
      });
      const all = figures(await scrape());
      expect(of(all, "lucra_request_seconds_count")).to.include({
        'lucra_request_seconds_count{endpoint="/v1/profitability/cards"}': 4,
      });
      expect(of(all, "lucra_cache_lookups_total")).to.deep.equal({
        'lucra_cache_lookups_total{endpoint="/v1/profitability/cards",result="miss"}': 1,
        'lucra_cache_lookups_total{endpoint="/v1/profitability/cards",result="hit"}': 1,
        'lucra_cache_lookups_total{endpoint="/v1/crm/contacts",result="miss"}': 1,
        'lucra_cache_lookups_total{endpoint="/v1/products/:productId",result="miss"}': 1,
      });
      expect(of(all, "lucra_query_seconds_count")).to.deep.equal({
        'lucra_query_seconds_count{sql="envelope"}': 1,
        'lucra_query_seconds_count{sql="profitability/cards"}': 1,
        'lucra_query_seconds_count{sql="rows/crm_contacts"}': 1,
        'lucra_query_seconds_count{sql="products/detail/found"}': 1,
      });
      expect(of(all, "lucra_encode_seconds_count")).to.deep.equal({
        'lucra_encode_seconds_count{endpoint="/v1/profitability/cards"}': 1,
        'lucra_encode_seconds_count{endpoint="/v1/crm/contacts"}': 1,
      });
      expect(Object.fromEntries(all)).to.include({
        lucra_queue_seconds_count: 3,
        lucra_queue_running: 0,
        lucra_queue_waiting: 0,
        lucra_queue_slots: 6,
      });
      expect([...all.keys()]).to.include.members(["process_cpu_seconds_total", "process_resident_memory_bytes"]);
    });

    it("name each block's file, and each part's", async () => {
      await service.get(`/v1/products/504?integrationId=${STOREA}`);
      const { body } = await service.get(`/v1/products?integrationId=${STOREA}`);
      expect(body).to.have.property("data");
      const counted = Object.keys(of(figures(await scrape()), "lucra_query_seconds_count"));
      const files = counted.map((key) => /sql="(.*)"/.exec(key)?.[1]);
      for (const endpoint of endpoints) {
        if (endpoint.path === "/v1/products/:productId") {
          expect(files).to.include.members(Object.values(endpoint.parts).map(({ sql }) => sql));
        }
        if (endpoint.path === "/v1/products") {
          const parts = Object.values(endpoint.parts).filter(({ when }) => !when);
          expect(files).to.include.members(parts.map(({ sql }) => sql));
        }
      }
    });

    it("have a line in the log for each slow query: its file and its parameters, without free text", async () => {
      const before = lines.with("slow query").length;
      const name = "Camiseta Azul";
      const address = `/v1/products?integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;
      await request(service.app)
        .get(`${address}&search=${encodeURIComponent(name)}&minNetSales=10&organizationId=${AURORA}`)
        .set("x-client-id", "test")
        .set("x-client-secret", SECRET)
        .set("x-request-id", "job-7");
      const slow = lines.with("slow query").slice(before);
      const listing = slow.find(({ sql }) => sql === "products/listing");
      expect(listing).to.include({
        level: 40,
        endpoint: "/v1/products",
        organization: AURORA,
        requestId: "job-7",
      });
      expect(listing?.milliseconds).to.be.a("number");
      expect(listing?.parameters).to.include({
        integrationId: STOREA,
        dateFrom: "2025-02-01",
        dateTo: "2025-02-28",
        minNetSales: "10",
        search: "… (13)",
      });
      const contacts = lines.with("slow query").find(({ sql }) => sql === "rows/crm_contacts");
      expect(contacts?.parameters).to.deep.equal({
        email: `… (${EMAIL.length})`,
        page: 1,
        limit: 500,
        all: "false",
        headings: "names",
      });
    });

    it("contain nothing that a request sent, nor does the log", async () => {
      const said = [EMAIL, "Camiseta", SECRET];
      await service.get(`${CONTACTS}?email=${encodeURIComponent(EMAIL)}&id=${SECRET}&lifecycleStage=Camiseta&limit=7`);
      const text = `${await scrape()}\n${lines.all.join("\n")}`;
      expect(text).to.include("lucra_requests_total").and.include("slow query");
      for (const value of said) expect(text).to.not.include(value).and.not.include(encodeURIComponent(value));
    });

    it("are only on their own port, where nothing else is served", async () => {
      for (const address of ["/metrics", "/v1/metrics"]) expect((await service.get(address)).status).to.equal(404);
      expect((await fetch(`http://127.0.0.1:${page.port}${CARDS}?organizationId=${AURORA}`)).status).to.equal(404);
    });
  });

  describe("of the lake", () => {
    it("are the landed rows and the time since, also of an integration that never landed", async () => {
      const data = await aShop();
      try {
        const metrics = new Metrics();
        const watch = new LandingWatch(data.path);
        const now = new Date(data.config.now().getTime() + 3_600_000);
        metrics.watchLandings(() => watch.read([SHOP, { organizationId: "nobody", name: "" }], now), new Lines().log);
        const scrape = async (): Promise<Record<string, number>> =>
          Object.fromEntries(
            [...figures(await metrics.registry.metrics())].filter(([name]) => /^lucra_(l|i)/.test(name)),
          );
        const lag = (labels: string): string => `lucra_integration_lag_seconds{${labels}}`;
        const rows = (labels: string, record: string): string => `lucra_landed_rows{${labels},record="${record}"}`;
        const rest = {
          [lag(ADS_LABELS)]: Number.POSITIVE_INFINITY,
          ...Object.fromEntries(["adset-config", "campaigns", "platform"].map((name) => [rows(ADS_LABELS, name), 0])),
          ...Object.fromEntries(["categories", "inventory", "products"].map((name) => [rows(STORE_LABELS, name), 0])),
        };
        const store = { [lag(STORE_LABELS)]: 3600, [rows(STORE_LABELS, "orders")]: 2 };
        expect(await scrape()).to.deep.equal({ ...rest, ...store });
        const again = [storeaOrder({ id: "b", value: 3 }), storeaOrder({ id: "c", value: 1 })];
        await data.write(`${exportsOf(STOREA, "orders")}/more.json`, JSON.stringify(again));
        await data.sync();
        expect(await scrape()).to.deep.equal({ ...rest, ...store, [rows(STORE_LABELS, "orders")]: 4 });
      } finally {
        await data.remove();
      }
    });

    it("keep the others when it cannot be read, and report that in the log", async () => {
      const metrics = new Metrics();
      const lines = new Lines();
      metrics.watchLandings(() => Promise.reject(new Error("no footer")), lines.log);
      metrics.requests.inc({ endpoint: "other", status: 404 });
      const all = figures(await metrics.registry.metrics());
      expect(of(all, "lucra_requests_total")).to.deep.equal({
        'lucra_requests_total{endpoint="other",status="404"}': 1,
      });
      expect([of(all, "lucra_landed_rows"), of(all, "lucra_integration_lag_seconds")]).to.deep.equal([{}, {}]);
      expect(lines.with("the lake could not be read for the metrics")).to.not.be.empty;
    });
  });

  it("count refusals and failures by their status, only under declared addresses", async () => {
    const metrics = new Metrics();
    const { app, answers } = makeApp(new FakeAnswers(), { metrics });
    await request(app).get(CARDS);
    await ask(app, `${CARDS}?organizationId=${THEIRS}`);
    await ask(app, `/v1/things/${encodeURIComponent(EMAIL)}`);
    await ask(app, "/v1/things/%ZZ");
    await ask(app, `/v1/${encodeURIComponent(EMAIL)}`);
    await ask(app, "/V1/profitability/cards");
    answers.reply = () => {
      throw new Error("x");
    };
    await ask(app, CARDS);
    const counted = async (): Promise<Record<string, number>> =>
      of(figures(await metrics.registry.metrics()), "lucra_requests_total");
    const of_ = (endpoint: string, status: number): string =>
      `lucra_requests_total{endpoint="${endpoint}",status="${status}"}`;
    await until(async () => Object.values(await counted()).reduce((sum, n) => sum + n, 0) === 7);
    expect(await counted()).to.deep.equal({
      [of_(CARDS, 401)]: 1,
      [of_(CARDS, 403)]: 1,
      [of_("/v1/things/:thingId", 200)]: 1,
      [of_("/v1/things/:thingId", 400)]: 1,
      [of_("other", 404)]: 2,
      [of_(CARDS, 500)]: 1,
    });
  });

  it("show a full queue, its waiting clients and the shared computations", async () => {
    const metrics = new Metrics();
    let open: (body: string) => void = () => {};
    const body = new Promise<string>((done) => {
      open = done;
    });
    const { app } = makeApp(new FakeAnswers(() => body), { metrics });
    const asked = [1, 2, 3, 3].map((n) => ask(app, `${CONTACTS}?page=${n}`).then(({ headers }) => headers));
    const now = async (): Promise<Record<string, number>> =>
      Object.fromEntries(figures(await metrics.registry.metrics()));
    const lookups = (result: string): string => `lucra_cache_lookups_total{endpoint="${CONTACTS}",result="${result}"}`;
    await until(async () => (await now())[lookups("shared")] === 1 && (await now()).lucra_queue_waiting === 1);
    expect(await now()).to.include({ lucra_queue_running: 2, lucra_queue_slots: 2, [lookups("miss")]: 3 });
    open("{}");
    const answers = (await Promise.all(asked)).map((headers) => timings(headers["server-timing"] ?? ""));
    expect(answers.map(({ cache }) => cache).sort()).to.deep.equal(["miss", "miss", "miss", "shared"]);
    expect(answers.find(({ cache }) => cache === "shared")).to.have.all.keys("cache", "total");
  });
});

describe("Server-Timing", () => {
  it("shows where the time went: of a computed answer, a cached one, one that the client holds, and a refusal", async () => {
    const answers = new FakeAnswers();
    const timed: Answers = {
      dataState: () => answers.dataState(),
      prepare: () => answers.prepare(),
      answer: (context) => {
        context.onQuery("a", 3000);
        context.onQuery("b", 2);
        return answers.answer(context);
      },
    };
    const { app } = makeApp(answers, { answers: timed });
    const computed = await ask(app, CARDS);
    const kept = await ask(app, CARDS);
    const held = await ask(app, CARDS).set("if-none-match", computed.headers.etag ?? "");
    const refused = await ask(app, `${CARDS}?x=1`);
    const stranger = await request(app).get(CARDS);
    const [first, second, third, fourth, fifth] = [computed, kept, held, refused, stranger].map(({ headers }) =>
      timings(headers["server-timing"] ?? ""),
    );
    expect([computed, kept, held, refused, stranger].map(({ status }) => status)).to.deep.equal([
      200, 200, 304, 400, 401,
    ]);
    expect(first).to.have.all.keys("cache", "queue", "query", "total").and.include({ cache: "miss" });
    // From the beginning of the first query to the end of the last.
    expect(Number(first?.query)).to.be.within(3000, 3100);
    for (const timing of [second, third]) {
      expect(timing).to.have.all.keys("cache", "total").and.include({ cache: "hit" });
    }
    for (const timing of [fourth, fifth]) expect(timing).to.have.all.keys("total");
  });
});

describe("What the log may contain of parameters", () => {
  it("is decided by the declaration of each, for every endpoint", () => {
    for (const { params } of endpoints) {
      const accepted = Object.fromEntries(Object.keys(params).map((name) => [name, "Ana Souza"]));
      for (const [name, shown] of Object.entries(loggable(params, accepted))) {
        const param = params[name];
        const isFree = param?.kind === "text" || (param?.kind === "list" && !param.of);
        expect(shown, name).to.equal(isFree ? "… (9)" : "Ana Souza");
      }
      expect(loggable(params, Object.fromEntries(Object.keys(params).map((name) => [name, null])))).to.deep.equal({});
    }
  });
});

describe("lucra serve", () => {
  let data: DataFolder;
  const serving: ChildProcess[] = [];

  before(async () => {
    data = await aShop();
  });

  after(async () => {
    for (const child of serving) child.kill("SIGKILL");
    await data?.remove();
  });

  /** Starts a service; its log until it was ready, by message. */
  async function serve(metricsPort: number): Promise<Map<string, Record<string, unknown>>> {
    const child = data.start(["serve"], { PORT: "0", LUCRA_METRICS_PORT: String(metricsPort) });
    serving.push(child);
    const lines = (await said(child, /"msg":"ready".*\n/)).trimEnd().split("\n");
    return new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.msg, line]));
  }

  it("serves its metrics on a separate port; continues if that is taken, or 0", async () => {
    const port = await freePort();
    const first = await serve(port);
    expect(first.get("metrics")).to.include({ port });
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(figures(page).get(`lucra_integration_lag_seconds{${STORE_LABELS}}`)).to.equal(0);
    expect(figures(page).get(`lucra_landed_rows{${STORE_LABELS},record="orders"}`)).to.equal(2);
    const [taken, none] = await Promise.all([serve(port), serve(0)]);
    expect(taken.get("no metrics; LUCRA_METRICS_PORT names another port, or 0 for none")).to.deep.include({
      level: 50,
      problem: `cannot listen on 127.0.0.1:${port} (EADDRINUSE)`,
    });
    expect([...none.keys()]).to.deep.equal(["listening", "ready"]);
    for (const log of [first, taken, none]) {
      const address = `http://127.0.0.1:${log.get("listening")?.port}`;
      expect((await fetch(`${address}/readyz`)).status).to.equal(200);
      expect((await fetch(`${address}/metrics`)).status).to.equal(404);
    }
  });
});
