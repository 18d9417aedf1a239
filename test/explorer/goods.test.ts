import { expect } from "chai";
import { hasNoProducts, withKnownGoods } from "../../explorer/src/goods.ts";

const line = (amount: number, source: string | null = "rules") => ({ amount, share: 0.5, source });
const CHANGE = { amount: 1, pct: 2 };

const statementOf = (goods: string | null, revenue = 100) => ({
  statement: {
    revenue: line(revenue, "orders"),
    salesTax: line(-8),
    goods: line(0, goods),
    contribution1: line(92, null),
    contribution3: line(80, null),
    profit: line(70, null),
  },
  data: [{ date: "2025-02-01", revenue: 100, goods: 0, contribution3: 80 }],
  previousPeriod: { period: {}, revenue: 90, contribution3: 70 },
  changes: { revenue: CHANGE, contribution3: CHANGE },
  missing: [],
});

describe("The statement of orders without products", () => {
  it("does not know the cost of the goods, nor what is left", () => {
    const answer = withKnownGoods(statementOf(null));
    const { statement, data, previousPeriod, changes } = answer;
    expect(hasNoProducts(answer)).to.equal(true);
    expect(statement.revenue).to.deep.equal(line(100, "orders"));
    expect(statement.salesTax.amount).to.equal(-8);
    for (const name of ["goods", "contribution1", "contribution3", "profit"] as const)
      expect([statement[name].amount, statement[name].share], name).to.deep.equal([null, null]);
    expect(data).to.deep.equal([{ date: "2025-02-01", revenue: 100, goods: null, contribution3: null }]);
    expect(previousPeriod).to.deep.equal({ period: {}, revenue: 90, contribution3: null });
    expect(changes).to.deep.equal({ revenue: CHANGE, contribution3: { amount: null, pct: null } });
  });

  it("is as the service says where products were sold, or nothing was", () => {
    for (const answer of [statementOf("records"), statementOf("pending"), statementOf(null, 0), { data: [] }, null])
      expect(withKnownGoods(answer)).to.equal(answer);
  });
});
