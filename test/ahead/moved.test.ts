import { expect } from "chai";
import { moved } from "../../src/features/ahead/moved.ts";

const PERIODS = [{ start: "startDate", end: "endDate" }];

/** The period after the last day with data has moved. */
const periodAfter = (days: readonly [string, string], before: string, last: string): string => {
  const sent = { startDate: days[0], endDate: days[1], compare: "year" };
  const { startDate, endDate, compare } = moved(sent, PERIODS, { before, after: last });
  expect(compare).to.equal("year");
  return `${startDate}..${endDate}`;
};

describe("A request for new data", () => {
  it("covers as many days up to the new last one", () => {
    expect(periodAfter(["2025-02-10", "2025-03-11"], "2025-03-11", "2025-03-12")).to.equal("2025-02-11..2025-03-12");
    expect(periodAfter(["2025-03-05", "2025-03-11"], "2025-03-11", "2025-03-14")).to.equal("2025-03-08..2025-03-14");
    // The last whole day may be the one before.
    expect(periodAfter(["2025-03-04", "2025-03-10"], "2025-03-11", "2025-03-12")).to.equal("2025-03-05..2025-03-11");
  });

  it("begins with this month, or with the same number of whole months", () => {
    expect(periodAfter(["2025-03-01", "2025-03-11"], "2025-03-11", "2025-03-12")).to.equal("2025-03-01..2025-03-12");
    expect(periodAfter(["2025-03-01", "2025-03-31"], "2025-03-31", "2025-04-01")).to.equal("2025-04-01..2025-04-01");
    expect(periodAfter(["2024-03-01", "2025-03-11"], "2025-03-11", "2025-03-12")).to.equal("2024-03-01..2025-03-12");
    expect(periodAfter(["2024-03-01", "2025-02-28"], "2025-02-28", "2025-03-01")).to.equal("2024-03-01..2025-03-01");
    expect(periodAfter(["2024-02-01", "2025-01-30"], "2025-01-30", "2025-01-31")).to.equal("2024-02-01..2025-01-31");
  });

  it("stays the same for a period that is over, for the whole history, and for odd parameters", () => {
    expect(periodAfter(["2025-02-01", "2025-02-28"], "2025-03-11", "2025-03-12")).to.equal("2025-02-01..2025-02-28");
    for (const sent of [{}, { startDate: "2025-03-01" }, { startDate: ["a", "b"], endDate: "2025-03-11" }])
      expect(moved(sent, PERIODS, { before: "2025-03-11", after: "2025-03-12" })).to.deep.equal(sent);
  });
});
