import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { COMPARED, compareFigures, type Explanation, ofFigure } from "../support/explanations.ts";
import { figuresOf, valueAt } from "../support/figures.ts";
import { isClose, recomputed } from "../support/formulas.ts";
import { ANALYSES, openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const CARDS = "/v1/profitability/cards";
const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";
const QUARTER = "startDate=2025-01-01&endDate=2025-03-31";

describe("Explanations [D56]", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  const answer = async (query: string): Promise<{ status: number; body: Record<string, unknown> }> =>
    service.get(`/v1/explain?${query}`);

  const explain = async (query: string): Promise<Explanation> => {
    const { status, body } = await answer(query);
    expect(status, `${query}: ${JSON.stringify(body.details)}`).to.equal(200);
    return body as unknown as Explanation;
  };

  const refused = async (query: string): Promise<{ parameter: string; message: string }[]> => {
    const { status, body } = await answer(query);
    expect(status, query).to.equal(400);
    return body.details as { parameter: string; message: string }[];
  };

  for (const address of COMPARED) {
    it(`have the value, the inputs and the orders of some figures of ${address}`, async () => {
      const { figures } = await compareFigures(service, address, 5);
      expect(figures).to.be.greaterThan(0);
    });
  }

  it("can be recomputed from the figures that the formula names", async () => {
    const { body } = await service.get(`${CARDS}?${FEBRUARY}`);
    const wrong: string[] = [];
    let computed = 0;
    // Those of the period; explain.long.test.ts has all.
    for (const [figure, value] of [...figuresOf(CARDS, body)].filter(([name]) => !name.includes("."))) {
      const result = recomputed(await explain(`${FEBRUARY}&endpoint=${CARDS}&figure=${figure}`));
      if (result === undefined) continue;
      computed += 1;
      if (!isClose(result, value)) wrong.push(`${figure}: ${result} ${value}`);
    }
    expect(wrong).to.deep.equal([]);
    expect(computed).to.be.greaterThan(15);
  });

  it("count all orders of the period for revenue, and those left out by reason", async () => {
    for (const figure of ["revenue", "averageTicket", "contribution", "contributionProfit", "cpv"]) {
      const { rows, orders } = await explain(`endpoint=${CARDS}&${FEBRUARY}&figure=${figure}`);
      expect(rows.ordersUsed, figure).to.equal(9);
      expect(rows.ordersLeftOut, figure).to.deep.equal([
        { reason: "replaced", orders: 1, value: 700 },
        { reason: "unpaid", orders: 2, value: 1200 },
      ]);
      expect(orders, figure).to.equal(`/v1/profitability/orders?organizationId=${AURORA}&${FEBRUARY}`);
    }
  });

  it("have no orders where orders play no part", async () => {
    for (const figure of ["investment", "acquisitionInvestment", "brandImpressions", "unclassifiedInvestment"]) {
      const { rows, orders, sources } = await explain(`endpoint=${CARDS}&${FEBRUARY}&figure=${figure}`);
      expect(orders, figure).to.equal(null);
      expect(rows, figure).to.deep.include({ ordersUsed: 0, ordersLeftOut: [] });
      expect(new Set(sources.map(({ record }) => record)), figure).to.deep.equal(new Set(["campaigns"]));
    }
  });

  it("have no address for a change: its orders are those of two periods", async () => {
    const { rows, orders, inputs } = await explain(`endpoint=${CARDS}&${FEBRUARY}&figure=changes.revenue`);
    expect(orders).to.equal(null);
    const before = await explain(`endpoint=${CARDS}&${FEBRUARY}&figure=previousPeriod.revenue`);
    expect(rows.ordersUsed).to.equal(9 + before.rows.ordersUsed);
    expect(inputs.map(({ figure }) => figure)).to.deep.equal(["revenue", "previousPeriod.revenue"]);
  });

  it("follow the period compared with", async () => {
    const { rows } = await explain(`endpoint=${CARDS}&${FEBRUARY}&compare=year&figure=previousPeriod.contribution`);
    expect(rows).to.deep.include({ ordersUsed: 0, ordersLeftOut: [] });
  });

  it("have the orders to date of the acquired customers behind a lifetime value", async () => {
    const { orders } = await explain(`endpoint=${CARDS}&${FEBRUARY}&figure=ltv`);
    expect(orders).to.include("acquiredStart=2025-02-01&acquiredEnd=2025-02-28").and.not.include("startDate");
    const ever = await explain(`endpoint=${CARDS}&figure=ltv`);
    expect(ever.orders).to.include("customer=new");
  });

  it("list the parameters as they were understood", async () => {
    const { parameters } = await explain(`endpoint=${CARDS}&startDate=2025-02-01&figure=revenue`);
    expect(parameters).to.deep.equal({
      organizationId: AURORA,
      startDate: null,
      endDate: null,
      compare: "previous",
      integrationId: null,
      channel: null,
      marginItems: null,
    });
    const summary = await explain("endpoint=/v1/acquisition/summary&period=7d&figure=cac.value");
    expect(summary.parameters).to.include({ period: "7d" });
    expect(summary.parameters.startDate).to.match(/^\d{4}-\d{2}-\d{2}$/);
  });

  it("name rows by month, day, channel, campaign and product", async () => {
    const asked: [address: string, row: string, figure: string][] = [
      ["/v1/profitability/metrics-evolution", "2025-02", "totalRevenue"],
      ["/v1/profitability/metrics-evolution", "2025-02-01", "totalRevenue"],
      ["/v1/profitability/cmv-evolution", "2025-02-03", "revenue"],
      ["/v1/profitability/trend", "2025-02-03", "contributionProfit"],
      ["/v1/profitability/trend?granularity=week", "2025-02-03", "revenue"],
      ["/v1/profitability/cohort?groupBy=quarter", "2025-01", "months.0.absolute"],
      ["/v1/profitability/cohort?groupBy=year", "2025-01", "totalRevenue"],
      ["/v1/profitability/cohort?breakBy=origem", "2025-01:searchads", "totalRevenue"],
      ["/v1/profitability/cohort?breakBy=campanha", "2025-01:", "totalRevenue"],
      [`/v1/acquisition/channels?${QUARTER}`, "searchads", "orders"],
      [`/v1/acquisition/campaigns?${QUARTER}`, "120330000000001", "orders"],
      [`/v1/acquisition/new-customers?${FEBRUARY}`, "2025-02-03", "channels.email"],
    ];
    for (const [address, row, figure] of asked) {
      const { body } = await service.get(address);
      const rows = body.data as Record<string, unknown>[];
      const isNamed = (one: Record<string, unknown>): boolean => {
        const first = one.cohortMonth ?? one.month ?? one.date ?? one.channel ?? one.campaignId;
        const [name, key] = row.split(":");
        return String(first).startsWith(String(name)) && (key === undefined || (one.breakKey ?? "") === key);
      };
      const { value, inputs } = await explain(ofFigure(address, figure, row));
      const own = rows.find(isNamed);
      expect(value, `${address} ${row}`).to.equal(valueAt(own, figure));
      for (const input of inputs) {
        const there = valueAt(own, input.figure) ?? valueAt(body, input.figure);
        expect(there, `${row} ${input.figure}`).to.equal(input.value);
      }
    }
  });

  it("take a product's id in the path, encoded or not", async () => {
    const parameters = `integrationId=${ANALYSES.join().match(/integrationId=([\w-]+)/)?.[1]}&${"dateFrom=2025-01-01&dateTo=2025-03-31"}`;
    const { body } = await service.get(`/v1/products/501?${parameters}`);
    const expected = valueAt(body, "summary.netSales");
    for (const endpoint of ["/v1/products/501", "/v1/products/%35%30%31"]) {
      const query = new URLSearchParams({ endpoint, figure: "summary.netSales" });
      expect((await explain(`${parameters}&${query}`)).value).to.equal(expected);
    }
    const listed = await explain(`${parameters}&endpoint=/v1/products&figure=netSales&row=501`);
    expect(listed.value).to.equal(expected);
  });

  it("say why a value is null, also of an object", async () => {
    const { isNullBecause, value } = await explain(`endpoint=${CARDS}&figure=previousPeriod`);
    expect(value).to.equal(null);
    expect(isNullBecause).to.include("whole history");
  });

  it("refuse what is no endpoint, figure or row, with what there is", async () => {
    const cases: [query: string, parameter: string, message: string][] = [
      ["endpoint=/v1/profitability/card&figure=revenue", "endpoint", CARDS],
      ["endpoint=/v1/storea/orders&figure=value", "endpoint", CARDS],
      [`endpoint=${CARDS}%3FstartDate=2025-02-01&figure=revenue`, "endpoint", "Só o caminho é esperado"],
      ["figure=revenue", "endpoint", "obrigatório"],
      [`endpoint=${CARDS}`, "figure", "obrigatório"],
      [`endpoint=${CARDS}&figure=revenu`, "figure", "Você quis dizer revenue?"],
      [`endpoint=${CARDS}&${FEBRUARY}&figure=previousPeriod`, "figure", "revenue"],
      [`endpoint=${CARDS}&figure=marginBasis`, "figure", "revenue"],
      [`endpoint=${CARDS}&figure=hasAcquisitionClassification`, "figure", "revenue"],
      [`endpoint=${CARDS}&figure=previousPeriod.ltv`, "figure", "previousPeriod é nulo"],
      [`endpoint=${CARDS}&figure=constructor.name`, "figure", "revenue"],
      [`endpoint=${CARDS}&figure=revenue&row=2025-02`, "row", "não tem linhas"],
      ["endpoint=/v1/profitability/metrics-evolution&figure=nothing&row=1999-01", "row", "2025-02"],
      ["endpoint=/v1/profitability/metrics-evolution&figure=nothing&row=2025-02", "figure", "totalRevenue"],
      ["endpoint=/v1/profitability/metrics-evolution&figure=totalRevenue", "figure", "2025-02"],
      ["endpoint=/v1/profitability/cohort&figure=months.999.absolute&row=2025-01", "figure", "months.{step}.absolute"],
      [`endpoint=${CARDS}&figure=revenue&foo=1`, "foo", "desconhecido"],
      [`endpoint=${CARDS}&figure=revenue&startDate=2025-02-30&endDate=2025-03-01`, "startDate", "data"],
    ];
    for (const [query, parameter, message] of cases) {
      const details = await refused(query);
      expect(
        details.map((one) => one.parameter),
        query,
      ).to.deep.equal([parameter]);
      expect(details[0]?.message, query).to.include(message);
    }
  });

  it("list the tables of one's own that a line of the statement is made of [D71]", async () => {
    const { sources } = await explain(`endpoint=/v1/profit/statement&${FEBRUARY}&figure=statement.payment.amount`);
    expect(sources.map(({ record }) => record)).to.include.members([
      "orders",
      "expenses",
      "payment-fees",
      "product-costs",
    ]);
  });

  it("are of the organization that was asked for", async () => {
    const { sources, orders } = await explain(`endpoint=${CARDS}&figure=revenue`);
    expect(orders).to.include(AURORA);
    expect(sources.map(({ record }) => record)).to.include("orders");
    for (const { files, rows } of sources) {
      expect(files).to.be.greaterThan(0);
      expect(rows).to.be.greaterThan(0);
    }
  });
});
