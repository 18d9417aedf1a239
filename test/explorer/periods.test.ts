import { expect } from "chai";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
});
const { readAddress, route } = await import("../../explorer/src/route.ts");
const { comparedWith, periodUntil, yearOf } = await import("../../explorer/src/period.ts");
const { lastFullDay, soldUntil } = await import("../../explorer/src/stores.ts");

const visit = (hash: string): void => {
  route.value = readAddress(hash);
};

interface Source {
  readonly connector: string;
  readonly newestDay: string | null;
  readonly lastLandedAt: string | null;
}
const source = ({ connector, newestDay, lastLandedAt }: Source) => ({
  integrationId: connector,
  connector,
  name: connector,
  newestDay,
  lastLandedAt,
});
const lastOf = (now: string, lastDay: string | null, zone: string, ...sources: readonly Source[]): string =>
  lastFullDay({ lastDay, timezones: [zone], connectors: sources.map(source) }, Date.parse(now));

describe("The last full day with data", () => {
  const SAO_PAULO = "America/Sao_Paulo";
  const store = (newestDay: string | null, lastLandedAt: string | null): Source => ({
    connector: "storea",
    newestDay,
    lastLandedAt,
  });
  const ads = (newestDay: string | null, lastLandedAt: string | null): Source => ({
    connector: "socialads",
    newestDay,
    lastLandedAt,
  });

  it("is before the day on which the store landed, in the shop's zone", () => {
    const landed = store("2024-12-31", "2024-12-31T12:00:00Z");
    expect(lastOf("2025-01-01T05:00:00Z", "2024-12-31", "UTC", landed)).to.equal("2024-12-30");
    // At 02:00 UTC it is still the evening before in São Paulo.
    const evening = store("2024-12-31", "2025-01-01T02:00:00Z");
    expect(lastOf("2025-01-02T12:00:00Z", "2024-12-31", "UTC", evening)).to.equal("2024-12-31");
    expect(lastOf("2025-01-02T12:00:00Z", "2024-12-31", SAO_PAULO, evening)).to.equal("2024-12-30");
  });

  it("is the last sale of an inactive shop, and yesterday without data", () => {
    expect(lastOf("2026-01-01T12:00:00Z", "2025-03-31", "UTC", store("2025-03-31", "2026-01-01T09:00:00Z"))).to.equal(
      "2025-03-31",
    );
    expect(lastOf("2026-01-01T12:00:00Z", null, "UTC")).to.equal("2025-12-31");
  });

  it("includes spend after the last sale, but no day of which the store has not landed", () => {
    const [now, sold, spent] = ["2025-11-26T12:00:00Z", "2025-10-27", "2025-11-25"];
    const fresh = ads(spent, "2025-11-26T08:00:00Z");
    // The organization's last day is that of the spend.
    expect(lastOf(now, spent, "UTC", store(sold, "2025-11-26T08:00:00Z"), fresh)).to.equal("2025-11-25");
    expect(lastOf(now, spent, "UTC", store(sold, "2025-11-10T08:00:00Z"), fresh)).to.equal("2025-11-09");
    expect(lastOf(now, "2025-11-26", "UTC", fresh), "only ads").to.equal("2025-11-25");
    expect(lastOf(now, "2025-11-25", "UTC", ads(spent, "2025-11-25T08:00:00Z")), "only ads").to.equal("2025-11-24");
  });

  it("is named with the day of the last order, after more than two days without one", () => {
    const since = (newestDay: string, last: string) =>
      soldUntil({ connectors: [store(newestDay, null), ads(last, null)].map(source) }, last);
    expect(since("2025-10-27", "2025-11-25")).to.equal("2025-10-27");
    expect(since("2025-11-23", "2025-11-25")).to.equal(undefined);
    expect(soldUntil({ connectors: [source(ads("2025-11-25", null))] }, "2025-11-25")).to.equal(undefined);
  });

  it("is never today, nor a day of the future", () => {
    const [now, far] = ["2025-11-26T12:00:00Z", "2031-01-01"];
    expect(lastOf(now, far, "UTC", store(far, now), ads(far, now))).to.equal("2025-11-25");
  });
});

describe("The months of the toolbar", () => {
  const inView = (query: string, last: string, now: string) => {
    visit(`#/overview?${query}`);
    return periodUntil(last, now);
  };
  const against = (query: string, last: string, now: string, first = "2020-01-01") => {
    const period = inView(query, last, now);
    const { from, to, kind } = comparedWith(period, first, last) ?? {};
    return { from, to, kind };
  };

  it("are those of the calendar, whatever the data cover", () => {
    const months = (last: string, now: string) => [
      inView("period=lastMonth", last, now),
      inView("period=month", last, now),
    ];
    expect(months("2024-12-30", "2025-01-01")).to.deep.equal([
      { from: "2024-12-01", to: "2024-12-31" },
      { from: "2025-01-01", to: "2025-01-01" },
    ]);
    expect(months("2024-11-25", "2024-12-01")[0]).to.deep.equal({ from: "2024-11-01", to: "2024-11-30" });
    expect(months("2025-01-31", "2025-02-01")[0]).to.deep.equal({ from: "2025-01-01", to: "2025-01-31" });
    expect(months("2024-11-24", "2024-11-25")[1]).to.deep.equal({ from: "2024-11-01", to: "2024-11-24" });
  });

  it("are compared with the month before, and a part of one with the same days of it", () => {
    expect(against("period=lastMonth", "2024-12-15", "2024-12-16")).to.deep.equal({
      from: "2024-10-01",
      to: "2024-10-31",
      kind: "own",
    });
    expect(against("period=month", "2024-03-30", "2024-03-31")).to.deep.equal({
      from: "2024-02-01",
      to: "2024-02-29",
      kind: "own",
    });
    expect(against("period=lastMonth", "2024-11-25", "2024-12-01"), "data until the 25th").to.deep.equal({
      from: "2024-10-01",
      to: "2024-10-25",
      kind: "own",
    });
    expect(against("period=month", "2024-11-30", "2024-12-01"), "nothing yet to compare").to.deep.equal({
      from: undefined,
      to: undefined,
      kind: undefined,
    });
    // As long as the month before, at whose end it begins, it is what the service calls the previous period.
    expect(against("period=lastMonth", "2024-08-31", "2024-09-01").kind).to.equal("previous");
  });

  it("and quarters and years too, as own dates", () => {
    const own = (from: string, to: string) => against(`from=${from}&to=${to}`, "2025-12-30", "2025-12-31");
    expect(own("2025-07-01", "2025-09-30")).to.include({ from: "2025-04-01", to: "2025-06-30" });
    expect(own("2024-01-01", "2024-12-31")).to.include({ from: "2023-01-01", to: "2023-12-31" });
    expect(own("2025-07-02", "2025-09-30")).to.include({ kind: "previous", from: "2025-04-02", to: "2025-07-01" });
  });

  it("are no other days than as many before, without a choice and whatever the data cover", () => {
    const of30 = (first: string, more = "") => against(`period=30d${more}`, "2025-12-30", "2025-12-31", first);
    const before = { kind: "previous", from: "2025-11-01", to: "2025-11-30" };
    expect(of30("2020-01-01")).to.deep.equal(before);
    expect(of30("2025-06-01")).to.deep.equal(before);
    expect(of30("2020-01-01", "&compare=weekdays").kind).to.equal("weekdays");
    expect(against("period=12m", "2025-12-30", "2025-12-31").kind, "365 days").to.equal("previous");
  });

  it("has days by name, weeks from Monday, quarters and years, of the calendar", () => {
    // A Saturday; the data end the day before.
    const named = (period: string, last = "2026-11-27", now = "2026-11-28") => {
      const { from, to } = inView(`period=${period}`, last, now);
      return `${from} ${to}`;
    };
    expect(named("today")).to.equal("2026-11-28 2026-11-28");
    expect(named("yesterday")).to.equal("2026-11-27 2026-11-27");
    expect(named("week")).to.equal("2026-11-23 2026-11-27");
    expect(named("lastWeek")).to.equal("2026-11-16 2026-11-22");
    expect(named("quarter")).to.equal("2026-10-01 2026-11-27");
    expect(named("lastQuarter")).to.equal("2026-07-01 2026-09-30");
    expect(named("year")).to.equal("2026-01-01 2026-11-27");
    // On the first day nothing is full yet.
    expect(named("week", "2026-11-29", "2026-11-30")).to.equal("2026-11-30 2026-11-30");
    expect(named("year", "2025-12-31", "2026-01-01")).to.equal("2026-01-01 2026-01-01");
    expect(named("lastQuarter", "2026-01-01", "2026-01-02")).to.equal("2025-10-01 2025-12-31");
    // A Sunday ends its week.
    expect(named("week", "2026-11-28", "2026-11-29")).to.equal("2026-11-23 2026-11-28");
  });

  it("compares a part of a unit with the same days of the unit before", () => {
    const daysBefore = (period: string, last: string, now: string) => {
      const { from, to } = against(`period=${period}`, last, now);
      return `${from} ${to}`;
    };
    expect(daysBefore("week", "2026-11-25", "2026-11-26"), "Monday to Wednesday").to.equal("2026-11-16 2026-11-18");
    expect(daysBefore("lastWeek", "2026-11-27", "2026-11-28")).to.equal("2026-11-09 2026-11-15");
    expect(daysBefore("quarter", "2026-11-27", "2026-11-28")).to.equal("2026-07-01 2026-08-27");
    expect(daysBefore("quarter", "2026-11-30", "2026-12-01"), "whole months of it").to.equal("2026-07-01 2026-08-31");
    expect(daysBefore("lastQuarter", "2026-11-27", "2026-11-28")).to.equal("2026-04-01 2026-06-30");
    expect(daysBefore("lastQuarter", "2026-08-10", "2026-11-28"), "the data end within it").to.equal(
      "2026-04-01 2026-05-10",
    );
    expect(daysBefore("year", "2024-02-29", "2024-03-01")).to.equal("2023-01-01 2023-02-28");
    expect(daysBefore("yesterday", "2026-11-27", "2026-11-28")).to.equal("2026-11-26 2026-11-26");
    expect(daysBefore("today", "2026-11-27", "2026-11-28"), "not over").to.equal("undefined undefined");
  });

  it("are whole where customers are counted by month", () => {
    visit("#/customers");
    expect(periodUntil("2011-12-09", "2011-12-10")).to.deep.equal({ from: "2010-12-01", to: "2011-12-09" });
    visit("#/customers?from=2011-02-03&to=2011-04-05");
    expect(periodUntil("2011-12-09", "2011-12-10")).to.deep.equal({ from: "2011-02-03", to: "2011-04-05" });
    visit("#/acquisition?period=12m");
    const period = periodUntil("2011-12-09", "2011-12-10");
    expect(yearOf(period, "2011-12-09")).to.deep.equal({ from: "2010-12-10", to: "2011-12-09", isCut: false });
  });
});
