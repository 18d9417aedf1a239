import { expect } from "chai";
import request, { type Test } from "supertest";
import { AURORA, type DataFolder, exportsOf, FINANCE, STOREA, STOREB } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";
const STATEMENT = "/v1/profit/statement";

describe("The statement of profit [D74]", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  const asCsv = (address: string): Test =>
    request(service.app)
      .get(`${address}&format=csv&organizationId=${AURORA}`)
      .set({ "x-client-id": "test", "x-client-secret": "x" });

  const lines = async (query: string): Promise<string[][]> => {
    const { status, text } = await asCsv(`${STATEMENT}?${query}`);
    expect(status, text).to.equal(200);
    return text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(","));
  };

  it("is a table of its lines, with the period compared with if there is one", async () => {
    const [heading, ...rows] = await lines(FEBRUARY);
    expect(heading).to.deep.equal(["line", "amount", "share", "source", "coverage", "previous", "change", "pct"]);
    expect(rows.map(([line]) => line)).to.have.lengthOf(17);
    expect(rows[0]?.slice(0, 2)).to.deep.equal(["revenue", "1350.00"]);
    const short = ["line", "amount", "share", "source", "coverage"];
    expect((await lines(`${FEBRUARY}&compare=none`))[0]).to.deep.equal(short);
    expect((await lines(""))[0]).to.deep.equal(short);
    const compared = await lines(`${FEBRUARY}&compare=none&compareStartDate=2025-01-01&compareEndDate=2025-01-31`);
    expect(compared[0]).to.deep.equal(heading);
  });

  it("is a table of its steps with a granularity", async () => {
    const [heading, ...rows] = await lines(`${FEBRUARY}&granularity=week`);
    expect(heading?.slice(0, 2)).to.deep.equal(["date", "revenue"]);
    expect(rows).to.have.lengthOf(5);
  });

  it("of a store is as fresh as the store, and has its spend from the account that names it alone [D86]", async () => {
    const { body } = await service.get(`${STATEMENT}?integrationId=${STOREA.toUpperCase()}`);
    expect(body.integrationId).to.equal(STOREA);
    expect(body.coverage).to.deep.equal({
      stores: [{ integrationId: STOREA, lastDay: "2025-03-05" }],
      accounts: [{ integrationId: "c3f9e2f0-2d70-4b5c-8e33-40b16c8d9f03", lastDay: "2025-03-03" }],
    });
    expect(body.statement).to.nested.include({
      "media.source": "records",
      "fixed.amount": null,
      "profit.amount": null,
    });
    for (const path of [STATEMENT, "/v1/profit/orders"]) {
      for (const id of [FINANCE, "22222222-2222-4222-8222-222222222222"]) {
        const address = `${path}?integrationId=${id}`;
        for (const { status } of [await service.get(address), await asCsv(address)])
          expect(status, address).to.equal(404);
      }
    }
  });

  it("is another after a table of costs has landed, and does not count what it cannot know", async () => {
    await data.write(
      `${exportsOf(FINANCE, "product-costs")}/later.csv`,
      [
        "integration_id,sku,cost,valid_from,currency",
        `${STOREA},5051,20,2025-01-01,`,
        "Loja que não há,5011,1,2025-01-01,",
        ",5011,1,2025-01-01,",
        `${STOREA},5011,1,2025-01-01,EUR`,
      ].join("\n"),
    );
    await data.write(
      `${exportsOf(FINANCE, "payment-fees")}/later.csv`,
      `integration_id,order_id,fee,date\n${STOREB},gid://shopify/Order/7300000000003,2.00,2025-02-09\n`,
    );
    await data.sync();
    const { body } = await service.get(`${STATEMENT}?${FEBRUARY}&compare=none`);
    const { goods, payment } = body.statement as Record<"goods" | "payment", Record<string, unknown>>;
    expect(goods.parts).to.deep.equal([
      { name: "orders", source: "orders", amount: -380 },
      { name: "product-costs", source: "records", amount: -20 },
      { name: "Custo do outlet", source: "rules", amount: -8 },
    ]);
    expect(goods.amount).to.equal(-408);
    expect(payment.coverage).to.equal(1);
    expect(payment.parts).to.deep.include({ name: "payment-fees", source: "records", amount: -5.8 });
    const costs = await service.get("/v1/finance/product-costs?sku=5011");
    const stores = (costs.body.data as Record<string, unknown>[]).map(({ integration_id }) => integration_id);
    expect(stores).to.have.members([null, "Loja que não há", STOREA]);

    const { findings } = (await service.get("/v1/data-quality")).body as {
      findings: { kind: string; examples: Record<string, unknown>[] }[];
    };
    const rowsOf = (kind: string): Record<string, unknown>[] =>
      findings.find((one) => one.kind === kind)?.examples ?? [];
    expect(rowsOf("costsWithoutEffect").map(({ what, reason, count }) => [what, reason, count])).to.deep.equal([
      ["product-costs", "another currency", 2],
      ["product-costs", "no store, and there are several", 1],
      ["product-costs", "no such store", 1],
    ]);
    expect(rowsOf("unusedCostRules")).to.deep.equal([]);
    expect(rowsOf("unknownCosts").map(({ what }) => what)).to.deep.equal(["other", "payment"]);
  });
});
