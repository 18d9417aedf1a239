import { expect } from "chai";
import fc from "fast-check";
import { averagesOf, fewFrom, scaleOver, strengthOf } from "../../explorer/src/views/customers/averages.ts";
import { averageOf, crossingOf, pooledCac } from "../../explorer/src/views/customers/curves.ts";

const cell = (absolute: number) => ({ pct: null, absolute, complementary: 0, repurchaseRevenue: null });
const stepped = (initialValue: number, values: readonly number[], isLastOpen = false) => ({
  row: { initialValue },
  steps: values.map((value, n) => ({ n, cell: cell(value), isOpen: isLastOpen && n === values.length - 1 })),
});

const payback = (customers: number, investment: number, contributions: readonly number[], isLastOpen = false) => ({
  cohortMonth: "2025-01-01",
  customers,
  investment,
  cac: investment / customers,
  state: "not_yet" as const,
  paybackMonths: null,
  points: contributions.map((contribution, month) => ({
    month,
    complete: !(isLastOpen && month === contributions.length - 1),
    contribution,
    perCustomer: contribution / customers,
    lower: null,
    upper: null,
    paidBackPct: null,
  })),
});

describe("The weighted average of cohorts", () => {
  it("is the sum of the parts over the sum of the wholes, not the mean of the shares", () => {
    const averages = averagesOf([stepped(100, [100, 10]), stepped(900, [900, 9])], "logo");
    expect(averages[1]).to.deep.equal({ n: 1, cohorts: 2, part: 19, whole: 1000, pct: 0.019 });
  });

  it("leaves out steps in progress, and cohorts that have not come so far", () => {
    const averages = averagesOf([stepped(100, [100, 10, 4]), stepped(50, [50, 5], true)], "logo");
    expect(averages.map(({ n, cohorts, pct }) => [n, cohorts, pct])).to.deep.equal([
      [0, 2, 1],
      [1, 1, 0.1],
      [2, 1, 0.04],
    ]);
    expect(averagesOf([stepped(50, [50], true)], "logo")).to.deep.equal([]);
  });

  it("is unknown where the cohorts had nothing to begin with", () => {
    expect(averagesOf([stepped(0, [0, 3])], "revenue")[1]?.pct).to.equal(null);
  });

  it("counts as one of few where less than half of the customers are left", () => {
    expect(fewFrom([100, 60, 50, 49, 10])).to.equal(3);
    expect(fewFrom([100, 60])).to.equal(undefined);
    expect(fewFrom([])).to.equal(undefined);
  });

  it("sums amounts exactly: in cents", () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(amounts, (all) => {
        const rows = all.map((value) => stepped(value / 100, [value / 100, value / 100]));
        const total = all.reduce((sum, value) => sum + value, 0);
        expect(averagesOf(rows, "revenue")[1]?.part).to.equal(total / 100);
      }),
    );
  });
});

describe("The scale of a heat map", () => {
  it("ends at the 95th percentile, so that one outlier does not bleach the others", () => {
    const values = [...Array.from({ length: 99 }, (_, n) => n / 1000), 1.44];
    const scale = scaleOver(values, true);
    expect(scale).to.deep.equal({ low: 0, top: 0.094, most: 1.44 });
    expect(strengthOf(1.44, scale)).to.equal(1);
    expect(strengthOf(0.047, scale)).to.equal(0.5);
  });

  it("has a length also with one value or none", () => {
    expect(scaleOver([], true)).to.deep.equal({ low: 0, top: 1, most: undefined });
    expect(scaleOver([5, 5], false).top).to.be.above(5);
  });
});

describe("The average of values to date", () => {
  const course = (rows: Parameters<typeof averageOf>[0]): number[] =>
    averageOf(rows).map(({ perCustomer }) => Math.round(perCustomer * 1e6) / 1e6);

  it("adds up what each month added per customer, over the rows that completed it", () => {
    const rows = [payback(2, 10, [10, 20]), payback(3, 20, [5, 9], true)];
    expect(averageOf(rows).map(({ month, customers }) => [month, customers])).to.deep.equal([
      [0, 5],
      [1, 2],
    ]);
    expect(course(rows)).to.deep.equal([3, 3 + 10 / 2]);
    expect(pooledCac(rows)).to.equal(6);
  });

  it("does not fall because the better cohorts have not come so far", () => {
    // The older cohort is poor and earns on; the newer one is rich. The mean to date would fall from 82.5 to 16.
    const rows = [payback(10, 10, [150, 160, 165]), payback(10, 10, [1500, 1510], true)];
    expect(course(rows)).to.deep.equal([82.5, 83.5, 84]);
    const amounts = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 8 });
    const cohorts = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), amounts, fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(cohorts, (all) => {
        const made = all.map(([customers, added, isOpen]) => {
          const sums = added.map((_, n) => added.slice(0, n + 1).reduce((sum, cents) => sum + cents, 0) / 100);
          return payback(customers, 1, sums, isOpen);
        });
        const values = averageOf(made).map(({ perCustomer }) => perCustomer);
        for (const [n, value] of values.entries()) expect(value).to.be.at.least((values[n - 1] ?? 0) - 1e-9);
      }),
    );
  });

  it("falls where a month really took something away", () => {
    expect(course([payback(2, 1, [10, 6])])).to.deep.equal([5, 3]);
  });

  it("has the interval of the answer's average, moved with it", () => {
    const rows = [payback(10, 10, [150, 160]), payback(10, 10, [1500], true)];
    const pooled = [{ month: 0, customers: 10, perCustomer: 15, lower: 14, upper: 17 }];
    expect(averageOf(rows, pooled)[0]).to.include({ lower: 14, upper: 17 });
    expect(averageOf([payback(10, 1, [200])], pooled)[0]).to.include({ perCustomer: 20, lower: 19, upper: 22 });
    expect(averageOf(rows)[1]).to.include({ lower: null, upper: null });
  });
});

describe("The payback curve", () => {
  it("has the spend per customer of all rows as its cost", () => {
    expect(pooledCac([payback(2, 10, [1]), payback(3, 20, [1])])).to.equal(6);
    expect(pooledCac([payback(2, 0, [1])])).to.equal(null);
  });

  it("crosses its cost between two points, in its first one, or never", () => {
    expect(crossingOf([4, 8, 12], 10)).to.deep.equal({ month: 2, at: 1.5 });
    expect(crossingOf([4, 8], 3)).to.deep.equal({ month: 0, at: 0 });
    expect(crossingOf([4, 8], 8)).to.deep.equal({ month: 1, at: 1 });
    expect(crossingOf([4, 8], 9)).to.equal(undefined);
    expect(crossingOf([], 9)).to.equal(undefined);
  });
});
