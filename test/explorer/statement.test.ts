import { expect } from "chai";
import type { Line, Statement, UnknownGoods } from "../../explorer/src/answers.ts";
import { amountOf, changedTotal, estimatedResult, resultOf, shownLines } from "../../explorer/src/statement.ts";

const LINES: readonly Line[] = [
  "revenue",
  "giftCards",
  "refunds",
  "salesTax",
  "netRevenue",
  "goods",
  "contribution1",
  "payment",
  "shipping",
  "fulfilment",
  "commission",
  "other",
  "contribution2",
  "media",
  "contribution3",
  "fixed",
  "profit",
];
const KNOWN: Readonly<Partial<Record<Line, number>>> = {
  revenue: 100,
  netRevenue: 100,
  goods: -40,
  contribution1: 60,
  payment: -4,
  contribution2: 56,
  media: -10,
  contribution3: 46,
  profit: 46,
};

type Figures = Partial<Statement["statement"][Line]>;

/** A statement of these lines; those that `lines` does not name are known to be 0. */
function statementOf(
  lines: Readonly<Partial<Record<Line, Figures>>>,
  changes: Partial<Record<Line, number | null>> = {},
) {
  const statement = LINES.map((line) => [
    line,
    { amount: KNOWN[line] ?? 0, share: null, source: "none", coverage: 1, parts: [], ...lines[line] },
  ]);
  return {
    statement: Object.fromEntries(statement),
    changes: Object.fromEntries(LINES.map((line) => [line, { amount: changes[line] ?? null, pct: null }])),
    missing: [],
  } as unknown as Statement;
}

describe("The statement on the page", () => {
  it("ends with the profit if fixed costs are known, `none` too, else with what is left after ads", () => {
    expect(resultOf(statementOf({}))).to.equal("profit");
    expect(resultOf(statementOf({ fixed: { source: "pending" } }))).to.equal("contribution3");
    expect(resultOf(statementOf({ fixed: { source: null } }))).to.equal("contribution3");
  });

  it("shows no line that is known to be 0, and nothing that is not known as 0", () => {
    const statement = statementOf({ shipping: { source: "pending", coverage: 0 }, fixed: { source: "pending" } });
    expect(shownLines(statement)).to.deep.equal([
      "revenue",
      "netRevenue",
      "goods",
      "contribution1",
      "payment",
      "shipping",
      "contribution2",
      "media",
      "contribution3",
    ]);
    expect(amountOf(statement, "shipping")).to.equal(null);
  });

  it("says what changed up to the last total that is known of both periods", () => {
    expect(changedTotal(statementOf({}, { profit: 1, contribution3: 2 }))).to.equal("profit");
    const withoutFixed = { fixed: { source: "pending" } } as const;
    expect(changedTotal(statementOf(withoutFixed, { profit: 1, contribution3: 2 }))).to.equal("contribution3");
    expect(changedTotal(statementOf({}, { netRevenue: 3 }))).to.equal("netRevenue");
    expect(changedTotal(statementOf({}))).to.equal(undefined);
  });

  it("estimates what is left with the suggested rules, if they give all goods a cost", () => {
    const unknown = { amount: null as unknown as number };
    const parts = [{ name: "orders", source: "orders", amount: -30 }] as const;
    const statement = statementOf({ goods: { ...unknown, parts: [...parts] }, contribution3: unknown });
    const row = { integrationId: "s", from: "2025-02-05", orders: 1, units: 1, revenue: 20, percentOfItems: 40 };
    const goods = (...amounts: (number | null)[]) =>
      ({ data: amounts.map((amount) => ({ ...row, goods: amount })) }) as unknown as UnknownGoods;
    expect(estimatedResult(statement, goods(-8, -0.5))).to.equal(100 - 30 - 8.5 - 4 - 10);
    expect(estimatedResult(statement, goods(-8, null))).to.equal(null);
  });
});
