import { expect } from "chai";
import { periodOf } from "../../src/features/mcp/period.ts";
import type { Call } from "../../src/features/mcp/tool.ts";

const call = (args: Record<string, string>, lastDay: string | null = "2025-03-26", today = "2025-04-02"): Call => ({
  args: { period: null, from: null, to: null, ...args },
  organization: { id: "o", name: "o", currency: null, lastDay },
  today,
  ask: async () => ({}),
});

const daysOf = (period: string, today?: string): string => {
  const { from, to } = periodOf(call({ period }, undefined, today), "last_30_days");
  return `${from} ${to}`;
};

describe("The period of a call", () => {
  it("is named by the calendar, up to today", () => {
    for (const [name, expected] of Object.entries({
      today: "2025-04-02 2025-04-02",
      yesterday: "2025-04-01 2025-04-01",
      this_week: "2025-03-31 2025-04-02",
      last_week: "2025-03-24 2025-03-30",
      this_month: "2025-04-01 2025-04-02",
      last_month: "2025-03-01 2025-03-31",
      this_quarter: "2025-04-01 2025-04-02",
      last_quarter: "2025-01-01 2025-03-31",
      this_year: "2025-01-01 2025-04-02",
      last_year: "2024-01-01 2024-12-31",
      last_12_months: "2024-04-01 2025-03-31",
      "2024-02": "2024-02-01 2024-02-29",
      "2025-Q1": "2025-01-01 2025-03-31",
      "2025": "2025-01-01 2025-04-02",
    })) {
      expect(daysOf(name), name).to.equal(expected);
    }
    expect(daysOf("last_month", "2025-01-15")).to.equal("2024-12-01 2024-12-31");
    expect(daysOf("last_quarter", "2025-02-15")).to.equal("2024-10-01 2024-12-31");
    expect(daysOf("this_week", "2025-03-30")).to.equal("2025-03-24 2025-03-30");
  });

  it("slides up to the last day with data, or today if that is not known or later", () => {
    expect(daysOf("last_30_days")).to.equal("2025-02-25 2025-03-26");
    expect(periodOf(call({ period: "last_7_days" }, null), "all")).to.deep.include({
      from: "2025-03-27",
      to: "2025-04-02",
    });
    expect(periodOf(call({}, "2025-04-03"), "last_1_days")).to.deep.include({ from: "2025-04-02", to: "2025-04-02" });
  });

  it("is two days, the second of which may be left out", () => {
    expect(periodOf(call({ from: "2025-01-01", to: "2025-01-31" }), "all")).to.deep.include({
      from: "2025-01-01",
      to: "2025-01-31",
    });
    expect(periodOf(call({ from: "2025-01-01" }), "all")).to.deep.include({ from: "2025-01-01", to: "2025-03-26" });
  });

  it("is refused if it is not known, in the future, in the wrong order, or named twice", () => {
    for (const args of [
      { period: "recently" },
      { period: "2025-13" },
      { period: "2025-Q5" },
      { period: "0001" },
      { period: "last_0_days" },
      { period: "last_99999_days" },
      { period: "2025-05" },
      { to: "2025-01-31" },
      { from: "2025-02-01", to: "2025-01-31" },
      { period: "2024", from: "2024-01-01" },
    ]) {
      expect(() => periodOf(call(args as Record<string, string>), "all"), JSON.stringify(args)).to.throw(/`/);
    }
  });
});
