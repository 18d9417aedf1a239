import { expect } from "chai";
import { daysBetweenLetters, dueDay, lastDayOf, momentIn, spansOf } from "../../src/features/letters/due.ts";

describe("When letters are due [D95]", () => {
  const known = { since: { day: "2026-01-01", time: "00:00" }, last: "2026-11-26" };
  const daily = { on: "daily", at: "08:00" } as const;

  it("is the time of the letter at the latest, and earlier once all data are there", () => {
    expect(dueDay(daily, { day: "2026-11-27", time: "07:59" }, known, false)).to.equal(undefined);
    expect(dueDay(daily, { day: "2026-11-27", time: "08:00" }, known, false)).to.equal("2026-11-27");
    expect(dueDay(daily, { day: "2026-11-27", time: "00:05" }, known, true)).to.equal("2026-11-27");
    expect(dueDay(daily, { day: "2026-11-26", time: "23:00" }, known, true), "sent already").to.equal(undefined);
  });

  it("is the last of several that are due, whose days without a letter are known", () => {
    const late = { ...known, last: "2026-11-20" };
    expect(dueDay(daily, { day: "2026-11-27", time: "06:00" }, late, false)).to.equal("2026-11-26");
    expect(dueDay(daily, { day: "2026-11-27", time: "09:00" }, late, false)).to.equal("2026-11-27");
    expect(daysBetweenLetters("daily", "2026-11-24", "2026-11-27")).to.deep.equal(["2026-11-25", "2026-11-26"]);
    expect(daysBetweenLetters("monthly", "2026-08-01", "2026-11-01")).to.deep.equal(["2026-09-01", "2026-10-01"]);
    expect(daysBetweenLetters("weekly", "2026-11-16", "2026-11-23")).to.deep.equal([]);
  });

  it("begins with the next time after the letter was made", () => {
    const made = { since: { day: "2026-11-27", time: "10:00" }, last: null };
    expect(dueDay(daily, { day: "2026-11-27", time: "10:01" }, made, true)).to.equal(undefined);
    expect(dueDay(daily, { day: "2026-11-28", time: "00:01" }, made, false)).to.equal(undefined);
    expect(dueDay(daily, { day: "2026-11-28", time: "08:00" }, made, false)).to.equal("2026-11-28");
  });

  it("is on Mondays and on the 1st, also after a day on which the service stood still", () => {
    expect(lastDayOf("weekly", "2026-11-29")).to.equal("2026-11-23");
    expect(lastDayOf("monthly", "2026-11-29")).to.equal("2026-11-01");
    const weekly = { on: "weekly", at: "08:00" } as const;
    const last = { ...known, last: "2026-11-16" };
    expect(dueDay(weekly, { day: "2026-11-25", time: "03:00" }, last, false)).to.equal("2026-11-23");
  });

  it("compares with the same weekday, the week and the month before", () => {
    expect(spansOf("daily", "2026-03-01")).to.deep.equal({
      from: "2026-02-28",
      to: "2026-02-28",
      beforeFrom: "2026-02-21",
      beforeTo: "2026-02-21",
    });
    expect(spansOf("weekly", "2026-11-23")).to.deep.equal({
      from: "2026-11-16",
      to: "2026-11-22",
      beforeFrom: "2026-11-09",
      beforeTo: "2026-11-15",
    });
    expect(spansOf("monthly", "2026-03-01")).to.deep.equal({
      from: "2026-02-01",
      to: "2026-02-28",
      beforeFrom: "2026-01-01",
      beforeTo: "2026-01-31",
    });
  });

  it("goes by the clock of the store", () => {
    expect(momentIn("America/Sao_Paulo", new Date("2026-11-28T02:30:00Z"))).to.deep.equal({
      day: "2026-11-27",
      time: "23:30",
    });
  });
});
