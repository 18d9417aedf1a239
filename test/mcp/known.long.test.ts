import { expect } from "chai";
import { type DataFolder, NOW } from "../support/data.ts";
import { LATER, landedTwice, serviceAt } from "../support/histories.ts";
import { type Agent, connect, opened } from "../support/mcp.ts";
import type { Service } from "../support/service.ts";

const CARDS = { period: "2025-03", why: false };

const ASKED: readonly (readonly [string, Record<string, unknown>])[] = [
  ["profit_of_a_period", { period: "last_90_days", break_by: "origem" }],
  ["trend", { metrics: ["revenue"] }],
  ["breakdown", { by: "payment_group,store", period: "last_90_days" }],
  ["cohorts", { steps: 3 }],
  ["forecast", {}],
  ["acquisition", { period: "last_month" }],
  ["products", { store: "Loja Aurora", period: "last_90_days", top: 3 }],
  ["product", { store: "Loja Aurora", product: "vestido lua", period: "last_90_days", series: "week" }],
  ["sql", { query: "select sum(revenue)::double as revenue from orders" }],
];

/** Without what only says that a result is about what was known, and how long it took. */
const comparable = (result: Record<string, unknown>): string =>
  JSON.stringify(result)
    .replaceAll(/"knownAt":"[^"]*",/g, "")
    .replaceAll(/[?&]knownAt=[^"&]*/g, "")
    .replace(/"milliseconds":\d+/, "");

/** A part of a result. */
const at = (value: unknown, place: string): unknown =>
  place.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

describe("The tools and what was known [D80]", () => {
  let data: DataFolder;
  let service: Service;
  let agent: Agent;
  let leave: () => Promise<void>;
  const recorded = new Map<string, string>();

  const enter = async (folder: DataFolder, now: string): Promise<void> => {
    service = await serviceAt(folder, now);
    const { address, close } = await opened(service.app);
    agent = await connect(address, { "x-client-id": "test", "x-client-secret": "x" });
    leave = async () => {
      await agent.close();
      close();
      await service.close();
    };
  };

  before(async () => {
    data = await landedTwice(async (folder) => {
      await enter(folder, NOW);
      for (const [name, args] of ASKED) recorded.set(name, comparable(await call(name, args)));
      await leave();
    });
    await enter(data, LATER);
  });
  after(async () => {
    await leave?.();
    await data?.remove();
  });

  const call = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { isError, text, structured } = await agent.call(name, args);
    expect(isError, text).to.equal(false);
    return structured;
  };

  it("return what they would have returned then", async () => {
    expect(recorded).to.have.length(ASKED.length);
    for (const [name, args] of ASKED) {
      expect(comparable(await call(name, { ...args, known_at: NOW })), name).to.equal(recorded.get(name));
      expect(comparable(await call(name, args)), name).to.not.equal(recorded.get(name));
    }
  });

  it("answer by an instant, a day and a pin; addresses carry the instant", async () => {
    const now = await call("profit_of_a_period", CARDS);
    for (const known_at of [NOW, "closed"]) {
      const then = await call("profit_of_a_period", { ...CARDS, known_at });
      expect(then.knownAt).to.equal(NOW);
      expect(at(then, "cards.revenue")).to.not.equal(at(now, "cards.revenue"));
      const address = String(at(then, "cards.address"));
      expect(address).to.contain(`knownAt=${encodeURIComponent(NOW)}`);
      const { status, body } = await service.get(address);
      expect([status, body.revenue, body.knownAt]).to.deep.equal([200, at(then, "cards.revenue"), NOW]);
      const explained = await call("explain", { address, figure: "revenue" });
      expect([explained.knownAt, at(explained, "explanation.value")]).to.deep.equal([NOW, body.revenue]);
    }
    const day = await call("profit_of_a_period", { ...CARDS, known_at: "2025-04-10" });
    expect(day.knownAt).to.equal("2025-04-10T23:59:59.999Z");
    expect(now).to.not.have.property("knownAt");
  });

  it("count days back from what was known, in its data", async () => {
    const days = async (period: string, known_at?: string): Promise<unknown> =>
      at(await call("profit_of_a_period", { period, why: false, known_at }), "period");
    expect(await days("last_month", NOW)).to.include({ from: "2025-03-01", to: "2025-03-31" });
    expect(await days("yesterday", NOW)).to.include({ from: "2025-03-31", to: "2025-03-31" });
    expect(await days("yesterday")).to.include({ from: "2025-04-19", to: "2025-04-19" });
    const last = (await call("sql", { query: "select max(ordered_on)::varchar as day from orders", known_at: NOW }))
      .rows;
    const spent = await call("sql", { query: "select max(spent_on)::varchar as day from media_spend", known_at: NOW });
    const until = [last, spent.rows].flat(2).filter(Boolean).sort().at(-1);
    expect(await days("last_7_days", NOW)).to.include({ to: until });
  });

  it("run queries of their own on what was known", async () => {
    const query = "select count(*)::int as n from orders";
    const [now, then] = [await call("sql", { query }), await call("sql", { query, known_at: "closed" })];
    expect(then.knownAt).to.equal(NOW);
    expect(then.rows).to.not.deep.equal(now.rows);
  });

  it("say what has changed since, and the orders behind it", async () => {
    const args = { known_at: "closed", period: "2025-03", granularity: "none", orders: true };
    const result = await call("what_changed", args);
    const { body } = await service.get(String(at(result, "changes.address")));
    expect(at(result, "changes.data")).to.deep.equal(body.data);
    const revenue = (body.data as { figure: string; change: number; causes: Record<string, number> }[])[0];
    expect(revenue?.figure).to.equal("revenue");
    expect(revenue?.causes).to.include({ settings: 0, gone: 0 });
    const orders = at(result, "orders.data") as { change: number }[];
    expect(orders).to.not.be.empty;
    const sum = orders.reduce((total, { change }) => total + Math.round(change * 100), 0);
    expect(sum).to.equal(Math.round((revenue?.change ?? 0) * 100));
  });

  it("name the argument that is wrong", async () => {
    for (const [known_at, part] of [
      ["2020-01-01", "Nothing was known then"],
      ["2999-01-01", "It must not be after now"],
      ["no-such-pin", "the name of a pin"],
    ]) {
      for (const [tool, args] of [
        ["profit_of_a_period", CARDS],
        ["sql", { query: "select 1 as one" }],
      ] as const) {
        const { isError, text } = await agent.call(tool, { ...args, known_at });
        expect([isError, text.includes("- known_at: "), text.includes(String(part))], text).to.deep.equal([
          true,
          true,
          true,
        ]);
      }
    }
  });

  it("take it wherever they have a period or a query", async () => {
    for (const { name, inputSchema } of (await agent.list()) as {
      name: string;
      inputSchema: { properties: object };
    }[]) {
      const { properties } = inputSchema;
      const isDated = "period" in properties || "query" in properties;
      if (isDated) expect(properties, name).to.have.property("known_at");
    }
  });
});
