import { expect } from "chai";
import fc from "fast-check";
import { daysBefore, lastOfMonth, monthsBefore } from "../../explorer/src/days.ts";
import { isCut, stepsOf, usualGroup } from "../../explorer/src/views/customers/cohortSteps.ts";

import { lineIn, rangeOf } from "../../explorer/src/views/sqlPlace.ts";

const cell = (absolute: number, complementary = 0) => ({ pct: null, absolute, complementary, repurchaseRevenue: null });
const cohort = (cohortMonth: string, ...values: number[]) => ({
  cohortMonth,
  initialValue: 0,
  acquisitionInvestment: null,
  firstPurchaseCustomers: 0,
  repurchaseCustomers: 0,
  // The order of an object's members is not part of JSON.
  months: Object.fromEntries(values.map((value, n) => [String(n), cell(value, -value)])),
});

describe("The steps of a cohort", () => {
  it("are all complete, except a last one that ends after the data", () => {
    const open = (last: string) => stepsOf(cohort("2025-01-01", 3, 2, 1), "month", last).map(({ isOpen }) => isOpen);
    expect(open("2025-03-21")).to.deep.equal([false, false, true]);
    expect(open("2025-03-31")).to.deep.equal([false, false, false]);
  });

  it("are as long as the cohort", () => {
    const isOpen = (groupBy: "quarter" | "year", last: string) =>
      stepsOf(cohort("2025-01-01", 1), groupBy, last)[0]?.isOpen;
    expect(isOpen("quarter", "2025-03-30")).to.equal(true);
    expect(isOpen("quarter", "2025-03-31")).to.equal(false);
    expect(isOpen("year", "2025-12-30")).to.equal(true);
    expect(isOpen("year", "2025-12-31")).to.equal(false);
  });

  it("are in numeric order, also after the tenth", () => {
    const many = cohort("2024-01-01", ...Array.from({ length: 14 }, (_, n) => n));
    expect(stepsOf(many, "month", "2025-02-28").map(({ n }) => n)).to.deep.equal([...Array(14).keys()]);
  });

  it("report that the period cuts a cohort", () => {
    expect(isCut("2025-01-01", "month", "2025-01-01", "2025-01-31")).to.equal(false);
    expect(isCut("2025-01-01", "month", "2025-01-02", null)).to.equal(true);
    expect(isCut("2025-01-01", "quarter", null, "2025-03-30")).to.equal(true);
    expect(isCut("2025-01-01", "quarter", null, null)).to.equal(false);
  });
});

describe("Days", () => {
  const days = fc
    .date({ min: new Date("1990-01-01"), max: new Date("2060-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  it("end their month on the day before the next one begins", () => {
    fc.assert(
      fc.property(days, fc.nat(40), (day, later) => {
        const end = lastOfMonth(day, later);
        expect(daysBefore(end, -1)).to.equal(monthsBefore(day, -later - 1));
      }),
    );
  });

  it("return to the same day after going back and forth", () => {
    fc.assert(
      fc.property(days, fc.nat(1000), (day, n) => {
        expect(daysBefore(daysBefore(day, n), -n)).to.equal(day);
      }),
    );
  });
});

describe("The cohorts of a period without a choice", () => {
  it("are of months, of quarters from 19 months on, and of years from 61 on", () => {
    const group = (from: string) => usualGroup(from, "2025-12-15");
    expect([group("2025-01-01"), group("2024-07-31"), group("2024-06-30")]).to.deep.equal([
      "month",
      "month",
      "quarter",
    ]);
    expect([group("2021-01-01"), group("2020-12-31"), group("2015-01-01")]).to.deep.equal(["quarter", "year", "year"]);
  });
});

describe("The place of an error in a query", () => {
  it("is the line that the engine names", () => {
    const text = "select *\nfrom orders\nwhere nothing = 1";
    expect(lineIn("Binder Error: …\n\nLINE 3: where nothing = 1\n              ^")).to.equal(3);
    expect(lineIn("Parser Error: it is on LINE 3: no")).to.equal(undefined);
    expect(text.slice(...rangeOf(text, 3))).to.equal("where nothing = 1");
    expect(rangeOf(text, 9)).to.deep.equal([text.length + 1, text.length + 1]);
  });
});
