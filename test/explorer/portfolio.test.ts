import { expect } from "chai";
import type { Statement } from "../../explorer/src/answers.ts";
import type { Line } from "../../explorer/src/views/portfolio/sums.ts";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["pt-BR"] }, configurable: true });
const { sumsOf } = await import("../../explorer/src/views/portfolio/sums.ts");
const { knowsFixed } = await import("../../src/features/actions/advice.ts");
const { shownLines } = await import("../../explorer/src/statement.ts");
const { shownBy } = await import("../../explorer/src/views/shared/frozen.ts");

const line = (currency: string | undefined, revenue: number, contribution3: number | null): Line => ({
  currency,
  revenue,
  contribution3,
  revenuePct: null,
  contribution3Pct: null,
  orders: 1,
  first: undefined,
});

describe("Sums of the portfolio [D94]", () => {
  it("are of one currency each", () => {
    const sums = sumsOf([line("BRL", 0.1, 1), line("USD", 5, 2), line("BRL", 0.2, 3)]);
    expect(sums).to.deep.equal([
      { currency: "BRL", count: 2, revenue: 0.3, contribution3: 4, orders: 2 },
      { currency: "USD", count: 1, revenue: 5, contribution3: 2, orders: 1 },
    ]);
  });

  it("are not known where a part is not", () => {
    const [sum] = sumsOf([line("BRL", 1, null), line("BRL", 2, 7)]);
    expect(sum).to.deep.include({ revenue: 3, contribution3: null });
  });
});

describe("A shared statement [D94]", () => {
  const amount = (value: number, source: string | null = "rules") => ({ amount: value, share: 0, source });
  const all = {
    revenue: amount(10),
    netRevenue: amount(9),
    contribution3: amount(4),
    fixed: amount(-1),
    profit: amount(3),
  };
  const without = (...names: readonly string[]): Statement =>
    ({ statement: Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name))) }) as never;

  it("has the lines that were chosen, and no others", () => {
    expect(shownLines(without("fixed", "profit"))).to.deep.equal(["revenue", "netRevenue", "contribution3"]);
    expect(shownLines(without("profit")).at(-1)).to.equal("fixed");
    expect(shownLines(without("fixed")).at(-1)).to.equal("profit");
    expect(shownLines(without()).slice(-2)).to.deep.equal(["fixed", "profit"]);
    expect([without(), without("fixed"), without("profit")].map(knowsFixed)).to.deep.equal([true, true, false]);
  });

  it("keeps its page apart from the day on which it was shared", () => {
    const kept = "report?period=month&sharedAt=2026-11-28T12%3A00%3A00.000Z&firstDay=2025-01-01&lastDay=2026-11-27";
    expect(shownBy(kept)).to.deep.equal({
      page: "report?period=month",
      now: Date.parse("2026-11-28T12:00:00.000Z"),
      firstDay: "2025-01-01",
      lastDay: "2026-11-27",
    });
    expect(shownBy("report")).to.deep.include({ now: undefined, firstDay: null, lastDay: null });
  });
});
