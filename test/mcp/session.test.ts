import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { failed } from "../../src/core/sync/sync.ts";
import { UPDATES_CASES } from "../support/cases.ts";
import { AURORA, type DataFolder, ROOT, SEARCHADS } from "../support/data.ts";
import { type Agent, connect, isPartOf, opened } from "../support/mcp.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const GOLDEN = path.join(ROOT, "test/mcp/session.json");

/** A question of an owner, the calls that answer it, and where the answer is in their results. */
interface Question {
  readonly question: string;
  readonly calls: readonly {
    readonly tool: string;
    readonly args: Record<string, unknown>;
    /** Paths in the result. */
    readonly read: readonly string[];
  }[];
}

const FEBRUARY = { period: "2025-02" };
const MARCH = { period: "2025-03" };
const QUARTER = { from: "2025-01-01", to: "2025-03-31" };
/** The largest one, and no section of the results of acquisition. */
const ONLY_LOSSES = { channels: false, campaigns: false, top: 1 };
type Row = Readonly<Record<string, unknown>>;

/** Orders of those who came back and paid by Pix, by state of the South. */
const SOUTH =
  "select state, count(*) as orders from orders where payment_group = 'pix' and is_recurring and state in ('PR', 'RS', 'SC') group by all order by all";

const SESSION: readonly Question[] = [
  {
    question: "Which shops may I ask about?",
    calls: [{ tool: "list_organizations", args: {}, read: ["organizations.0.name", "organizations.0.currency"] }],
  },
  {
    question: "How much did we earn in February?",
    calls: [
      {
        tool: "profit_of_a_period",
        args: { ...FEBRUARY, why: false },
        read: [
          "statement.statement.netRevenue",
          "statement.statement.goods",
          "statement.statement.contribution3",
          "statement.changes.netRevenue",
          "statement.missing",
          "notes",
          "period.from",
          "period.to",
          "cards.revenue",
          "cards.contributionProfit",
          "cards.changes.contributionProfit",
        ],
      },
    ],
  },
  {
    question: "Why did profit fall in March?",
    calls: [
      {
        tool: "profit_of_a_period",
        args: { ...MARCH, break_by: "origem", top: 3 },
        read: ["bridge.comparedWith", "bridge.contributionProfit", "bridge.drivers"],
      },
    ],
  },
  {
    question: "Which channel pays back fastest?",
    calls: [
      {
        tool: "acquisition",
        args: {
          from: "2025-01-01",
          to: "2025-03-31",
          sort_by: "paybackMonths",
          order: "asc",
          campaigns: false,
          top: 1,
        },
        read: ["channels.data.0.label", "channels.data.0.paybackMonths", "more"],
      },
    ],
  },
  {
    question: "Which campaign lost money?",
    calls: [
      {
        tool: "acquisition",
        args: { from: "2025-01-01", to: "2025-03-31", sort_by: "roi", order: "asc", channels: false, top: 1 },
        read: [
          "campaigns.data.0.campaignName",
          "campaigns.data.0.roi",
          "campaigns.data.0.investment",
          "campaigns.data.0.newCustomersRevenue",
        ],
      },
    ],
  },
  {
    question: "Which campaign lost money after all costs, and on which products?",
    calls: [
      {
        tool: "acquisition",
        args: { ...QUARTER, ...ONLY_LOSSES, contribution: "campanha" },
        read: [
          "contribution.data.0.breakKey",
          "contribution.data.0.breakLabel",
          "contribution.data.0.contributionAfterAds",
          "contribution.data.0.contributionProfit",
        ],
      },
      {
        tool: "acquisition",
        args: { ...QUARTER, ...ONLY_LOSSES, products_of_campaign: "21100000001" },
        read: ["products.data.0.productName", "products.data.0.marginAfterAds", "products.total.products", "more"],
      },
    ],
  },
  {
    question: "What will last year's customers still buy?",
    calls: [{ tool: "forecast", args: {}, read: ["forecast.state", "forecast.total"] }],
  },
  {
    question: "Do the customers of January come back?",
    calls: [
      {
        tool: "cohorts",
        args: { ...{ from: "2025-01-01", to: "2025-01-31" }, view: "logo", steps: 3 },
        read: ["retention.data.0.cohortMonth", "retention.data.0.repurchasePct", "retention.data.0.months", "more"],
      },
    ],
  },
  {
    question: "When had the customers of each month paid for themselves?",
    calls: [
      {
        tool: "cohorts",
        args: { about: "payback", steps: 1 },
        read: ["payback.data.0.cohortMonth", "payback.data.0.state", "payback.data.0.paybackMonths"],
      },
    ],
  },
  {
    question: "Which product of the outlet brings the most margin?",
    calls: [
      {
        tool: "products",
        args: { from: "2025-01-01", to: "2025-03-31", store: "aurora outlet", sort_by: "marginTotal", top: 1 },
        read: ["products.data.0.productName", "products.data.0.marginTotal", "more.0.of"],
      },
    ],
  },
  {
    question: "What is bought together with the dress Vestido Lua?",
    calls: [
      {
        tool: "product",
        args: { from: "2025-01-01", to: "2025-03-31", store: "Loja Aurora", product: "vestido lua" },
        read: ["product.productId", "product.summary.netSales", "product.boughtTogether.rows"],
      },
    ],
  },
  {
    question: "How did revenue develop over the last three months?",
    calls: [
      {
        tool: "trend",
        args: { period: "last_3_months", metrics: ["revenue", "contribution2"] },
        read: ["statement.data"],
      },
      {
        tool: "trend",
        args: { about: "profit", period: "last_3_months", metrics: ["totalRevenue"] },
        read: ["profit.data"],
      },
    ],
  },
  {
    question: "What is CAC, and how did February's come about?",
    calls: [
      { tool: "describe_metrics", args: { search: "cac", top: 1 }, read: ["metrics.0.formula", "metrics.0.nullWhen"] },
      {
        tool: "explain",
        args: { address: "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28", figure: "cac" },
        read: ["explanation.value", "explanation.unit", "explanation.inputs", "explanation.rows.spendRows"],
      },
    ],
  },
  {
    question: "What are the fees of February made of?",
    calls: [
      {
        tool: "describe_metrics",
        args: { search: "payment", top: 1 },
        read: ["metrics.0.at", "metrics.0.formula"],
      },
      {
        tool: "explain",
        args: {
          address: "/v1/profit/statement?startDate=2025-02-01&endDate=2025-02-28&compare=previous",
          figure: "statement.payment.amount",
        },
        read: ["explanation.value", "explanation.formula", "explanation.rows", "explanation.sources"],
      },
    ],
  },
  {
    question: "Which customers of both stores spent most? No tool lists customers.",
    calls: [
      { tool: "describe_views", args: { view: "orders" }, read: ["views.0.name"] },
      {
        tool: "sql",
        args: {
          query:
            "select customer_no, count(distinct integration_id) as stores, count(*) as orders, sum(revenue) as revenue from orders where customer_no is not null group by all having stores > 1 order by revenue desc, customer_no limit 2",
        },
        read: ["columns", "rows"],
      },
    ],
  },
  {
    question: "Where do our Pix customers of the South come back?",
    calls: [
      {
        tool: "breakdown",
        args: { period: "all", by: "payment_group,state", compare: "none" },
        read: ["breakdown.data.5", "breakdown.total.recurringOrders"],
      },
      { tool: "sql", args: { query: SOUTH }, read: ["rows"] },
    ],
  },
];

const at = (value: unknown, place: string): unknown =>
  place.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

/** The fixtures, except that a campaign spent 1000 instead of 25 in March: it lost money, and that month has a loss. */
async function costlyFixtures(): Promise<DataFolder> {
  const folder = await landedFixtures();
  const name = `exports/${AURORA}/${SEARCHADS}/campaigns/2025-q1.json`;
  const export_ = JSON.parse(await readFile(path.join(folder.path, name), "utf8")) as {
    results: { campaign: { id: string }; metrics: { costMicros: string }; segments: { date: string } }[];
  }[];
  for (const { campaign, metrics, segments } of export_.flatMap(({ results }) => results)) {
    if (campaign.id === "21100000001" && segments.date >= "2025-03") metrics.costMicros = "1000000000";
  }
  await folder.write(name, JSON.stringify(export_));
  const report = await folder.sync();
  if (failed(report)) throw new Error(`the fixtures did not land whole: ${JSON.stringify(report)}`);
  return folder;
}

describe("A session of an agent", () => {
  let data: DataFolder;
  let service: Service;
  let agent: Agent;
  let close: () => void;

  before(async () => {
    data = await costlyFixtures();
    service = await openService(data.config, AURORA);
    const { address, close: end } = await opened(service.app);
    close = end;
    agent = await connect(address, { "x-client-id": "test", "x-client-secret": "x" });
  });
  after(async () => {
    await agent.close();
    close();
    await service.close();
    await data.remove();
  });

  it("answers sixteen questions of an owner by calls of tools, with the numbers of the API; UPDATE=1 writes them", async () => {
    const answered: unknown[] = [];
    for (const { question, calls } of SESSION) {
      const answers: unknown[] = [];
      for (const { tool, args, read } of calls) {
        const { isError, text, structured } = await agent.call(tool, args);
        expect(isError, `${question} ${text}`).to.equal(false);
        for (const { address, ...part } of Object.values(structured) as Record<string, unknown>[]) {
          if (typeof address !== "string") continue;
          expect(isPartOf(part, (await service.get(address)).body), `${question} ${address}`).to.equal(true);
        }
        answers.push({
          tool,
          args,
          read: Object.fromEntries(read.map((place) => [place, at(structured, place) ?? null])),
        });
      }
      answered.push({ question, answers });
    }
    expect(answered).to.have.length(16);
    if (UPDATES_CASES) writeFileSync(GOLDEN, `${JSON.stringify(answered, null, 2)}\n`);
    expect(answered).to.deep.equal(JSON.parse(readFileSync(GOLDEN, "utf8")));
  });

  it("says the same of Pix customers of the South by a tool, by SQL, by values and by orders", async () => {
    const called = await agent.call("breakdown", { period: "all", by: "payment_group,state", compare: "none" });
    const { rows } = (await agent.call("sql", { query: SOUTH })).structured as { rows: unknown[][] };
    const get = async (address: string): Promise<Row[]> => (await service.get(address)).body.data as Row[];
    const ofSouth = (data: readonly Row[]): unknown[][] =>
      data
        .filter(({ key }) => Array.isArray(key) && key[0] === "pix" && ["PR", "RS", "SC"].includes(key[1]))
        .map(({ key, recurringOrders }) => [(key as string[])[1], recurringOrders]);
    const values = await get("/v1/profitability/breakdown?by=payment_group,state&compare=none");
    const orders: unknown[][] = [];
    for (const state of ["PR", "RS", "SC"]) {
      const found = await get(`/v1/profitability/orders?paymentGroup=pix&state=${state}&purchase=repeat`);
      if (found.length > 0) orders.push([state, found.length]);
    }
    expect(ofSouth((called.structured.breakdown as { data: Row[] }).data)).to.deep.equal([["PR", 1]]);
    expect(rows).to.deep.equal([["PR", 1]]);
    expect(ofSouth(values)).to.deep.equal([["PR", 1]]);
    expect(orders).to.deep.equal([["PR", 1]]);
  });
});
