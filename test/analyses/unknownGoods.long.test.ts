import { expect } from "chai";
import { AURORA, type DataFolder, STOREA } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";

describe("The rule that the goods without a cost suggest [D212]", () => {
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

  type Line = { readonly amount: number | null; readonly parts: readonly { readonly amount: number }[] };
  const linesOf = async (): Promise<Readonly<Record<string, Line>>> =>
    (await service.get(`/v1/profit/statement?${FEBRUARY}`)).body.statement as Readonly<Record<string, Line>>;

  it("gives the statement the estimated goods once it is among the settings", async () => {
    const { body } = await service.get(`/v1/profit/unknown-goods?${FEBRUARY}`);
    const [{ from, percentOfItems, goods }] = body.data as [Record<string, unknown> & { readonly goods: number }];
    const before = await linesOf();
    expect(before.contribution3?.amount).to.equal(null);
    const settings = JSON.parse(await data.text(`organizations/${AURORA}.json`));
    const rule = { item: "goods", percentOfItems, from, where: { integrationId: STOREA } };
    await data.settings({ ...settings, costs: [...settings.costs, rule] });
    await data.sync();
    const after = await linesOf();
    const known = before.goods?.parts.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
    expect(after.goods?.amount).to.be.closeTo(known + goods, 0.001);
    expect(after.contribution3?.amount).to.not.equal(null);
    expect((await service.get(`/v1/profit/unknown-goods?${FEBRUARY}`)).body.data).to.deep.equal([]);
    await data.settings(settings);
    await data.sync();
  });

  it("is not offered where another one may hold for the same orders", async () => {
    const settings = JSON.parse(await data.text(`organizations/${AURORA}.json`));
    const rule = { item: "goods", percentOfItems: 40, from: "2025-02-06", where: { paymentMethod: "Pix" } };
    await data.settings({ ...settings, costs: [...settings.costs, rule] });
    await data.sync();
    const { body } = await service.get(`/v1/profit/unknown-goods?${FEBRUARY}`);
    expect(body.data).to.deep.equal([
      {
        integrationId: STOREA,
        from: "2025-02-05",
        orders: 1,
        units: 1,
        revenue: 60,
        percentOfItems: null,
        goods: null,
      },
    ]);
    await data.settings(settings);
    await data.sync();
  });
});
