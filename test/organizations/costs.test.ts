import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { costWarnings } from "../../src/core/organizations/costs.ts";
import { readOrganization } from "../../src/core/organizations/settings.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const STORE = "22222222-2222-4222-8222-22222222222a";
const ADS = "33333333-3333-4333-8333-333333333333";

const settingsWith = (costs: unknown, more: object = {}): object => ({
  organizationId: ID,
  name: "Loja",
  integrations: [
    { id: STORE, connector: "vtex" },
    { id: ADS, connector: "socialads" },
  ],
  ...more,
  costs,
});

const read = (settings: object) => readOrganization(JSON.stringify(settings), ID);
const faults = (...costs: readonly unknown[]): readonly string[] => read(settingsWith(costs)).faults;

function warnings(costs: readonly unknown[], more: object = {}): readonly string[] {
  const { settings, faults } = read(settingsWith(costs, more));
  expect(faults).to.deep.equal([]);
  return costWarnings(settings as Organization);
}

describe("Cost rules", () => {
  it("are taken with one amount of their item", () => {
    const rules = [
      { item: "salesTax", percentOfRevenue: 6.5, from: "2024-01-01", until: "2024-12-31" },
      { item: "goods", percentOfItems: 55 },
      { item: "payment", name: "Cartão", percentOfRevenue: 3.99, where: { paymentMethod: "creditCard" } },
      { item: "payment", perOrder: 0.4, where: { integrationId: STORE, channel: "social_ads" } },
      { item: "shipping", charged: true },
      { item: "fulfilment", perUnit: 1.234567 },
      { item: "commission", none: true },
      { item: "other", perUnit: 0 },
      { item: "fixed", name: "Aluguel", perMonth: 3_000 },
    ];
    expect(read(settingsWith(rules)).settings?.costs).to.deep.equal(rules);
  });

  it("name a store, whatever the case of its letters", () => {
    const rule = { item: "payment", perOrder: 1, where: { integrationId: STORE.toUpperCase() } };
    expect(read(settingsWith([rule])).settings?.costs?.[0]?.where).to.deep.equal({ integrationId: STORE });
  });

  it("are refused with their place", () => {
    expect(faults({ item: "payments", perOrder: 1 })).to.deep.equal([
      'costs[0].item: "payments" is unknown, did you mean payment?',
    ]);
    expect(faults({ item: "goods", none: true }, { item: "payment" })).to.deep.equal([
      "costs[1]: one amount is expected: percentOfRevenue or perOrder or none",
    ]);
    expect(faults({ item: "payment", perOrder: 1, percentOfRevenue: 2 })).to.have.lengthOf(1);
    expect(faults({ item: "payment", perUnit: 1 })).to.deep.equal([
      "costs[0].perUnit: no amount of payment, which has percentOfRevenue, perOrder, none",
    ]);
    expect(faults({ item: "fixed", perMonth: 1, where: { channel: "direct" } })).to.deep.equal([
      "costs[0].where: fixed costs are of no order",
    ]);
    expect(
      faults({ item: "other", perOrder: 1, from: "2024-02-30" }, { item: "other", perUnit: 1, until: "" }),
    ).to.deep.equal([
      "costs[0].from: a day such as 2024-02-29 is expected",
      "costs[1].until: a day such as 2024-02-29 is expected",
    ]);
    expect(faults({ item: "other", perOrder: 1, from: "2024-02-02", until: "2024-02-01" })).to.deep.equal([
      "costs[0].until: 2024-02-01 is before from",
    ]);
    for (const integrationId of [ADS, ID, "loja"]) {
      expect(faults({ item: "other", perOrder: 1, where: { integrationId } })).to.deep.equal([
        `costs[0].where.integrationId: ${integrationId} is no store of these settings`,
      ]);
    }
    expect(faults({ item: "other", perOrder: 1, where: { store: "x" } })[0]).to.match(
      /^costs\[0\]\.where\.store: unknown/,
    );
  });

  it("have amounts within their bounds", () => {
    const percentFault = "costs[0].percentOfRevenue: a number from 0 to 100 with at most 6 decimals is expected";
    for (const percent of [-1, 100.5, "3"])
      expect(faults({ item: "payment", percentOfRevenue: percent })).to.deep.equal([percentFault]);
    expect(faults({ item: "other", perOrder: -0.01 })).to.deep.equal([
      "costs[0].perOrder: a number of 0 or more with at most 6 decimals is expected",
    ]);
    expect(faults({ item: "other", perOrder: 0.1234567 })).to.deep.equal([
      "costs[0].perOrder: at most 6 decimals are expected",
    ]);
    for (const name of ["none", "charged"])
      expect(faults({ item: "shipping", [name]: false })).to.deep.equal([`costs[0].${name}: true is expected`]);
  });
});

describe("Warnings about cost rules", () => {
  it("name two that add up for one order, or one day", () => {
    const card = { item: "payment", percentOfRevenue: 4, where: { paymentMethod: "creditCard" } };
    expect(warnings([card, { ...card, percentOfRevenue: 1, where: { channel: "direct" } }])).to.deep.equal([
      "costs[0] and costs[1]: both rules of payment have percentOfRevenue and can hold for one order: they add up",
    ]);
    const rent = { item: "fixed", perMonth: 1, until: "2024-06-30" };
    expect(warnings([rent, { ...rent, from: "2024-06-30", until: "2024-12-31" }])).to.have.lengthOf(1);
  });

  it("do not name those that differ in kind, days or orders", () => {
    const rule = { item: "payment", percentOfRevenue: 4, until: "2024-06-30", where: { paymentMethod: "Pix" } };
    expect(
      warnings([
        rule,
        { item: "payment", perOrder: 1 },
        { ...rule, from: "2024-07-01", until: "2024-12-31" },
        { ...rule, where: { paymentMethod: "creditCard" } },
        { item: "commission", percentOfRevenue: 4 },
        { item: "other", none: true },
        { item: "other", none: true },
      ]),
    ).to.deep.equal([]);
  });

  it("name an item of the margin that ends to hold", () => {
    const margin = { items: { gateway: { percent: 3 }, tax: "orders", shipping: "orders" } };
    const from = "2024-07-01";
    const rules = ["payment", "salesTax", "shipping"].map((item) => ({ item, perOrder: 1, from }));
    expect(warnings(rules, { margin })).to.deep.equal(
      [
        ["payment", "gateway"],
        ["shipping", "shipping"],
      ].map(
        ([item, of]) =>
          `costs: the first rule of ${item} begins on ${from}; before that day ${item} is unknown, as margin.items.${of} no longer holds`,
      ),
    );
    expect(warnings([{ item: "payment", perOrder: 1 }, ...rules], { margin })).to.have.lengthOf(2);
  });
});
