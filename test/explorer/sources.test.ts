import { expect } from "chai";
import fc from "fast-check";
import type { Source } from "../../explorer/src/answers.ts";
import { daysBefore } from "../../explorer/src/days.ts";
import {
  buckets,
  changeOf,
  keyOf,
  ofNewCustomers,
  rowNameOf,
  totalOf,
} from "../../explorer/src/views/acquisition/sources.ts";

const source = (more: Partial<Source>): Source =>
  ({ investment: 0, orders: 0, revenue: 0, newCustomers: 0, newCustomersRevenue: 0, roi: null, ...more }) as Source;

describe("Channels and campaigns", () => {
  it("have exact totals of what adds up, and no other", () => {
    const cents = fc.array(fc.record({ spend: fc.nat(1e9), customers: fc.nat(1000) }), { maxLength: 60 });
    fc.assert(
      fc.property(cents, (all) => {
        const total = totalOf(
          all.map(({ spend, customers }) => source({ investment: spend / 100, newCustomers: customers })),
        );
        const spend = all.reduce((sum, it) => sum + it.spend, 0) / 100;
        const customers = all.reduce((sum, it) => sum + it.customers, 0);
        expect(total.investment).to.equal(spend);
        expect(total.newCustomers).to.equal(customers);
        for (const name of ["cac", "roi", "ltv"] as const) expect(total[name], name).to.equal(undefined);
      }),
    );
  });

  it("change in percent as the API's own figures: from nothing there is no change", () => {
    expect(changeOf(15, 10)).to.equal(50);
    expect(changeOf(5, 10)).to.equal(-50);
    for (const [now, before] of [
      [5, 0],
      [5, null],
      [null, 5],
      [5, undefined],
    ] as const) {
      expect(changeOf(now, before)).to.equal(null);
    }
  });

  it("have the money that new customers alone left, also where there is none of them", () => {
    const of = (more: Partial<Source>): number | null => ofNewCustomers(source(more));
    expect(of({ investment: 10, roi: -0.123, newCustomers: 1 })).to.equal(-1.23);
    expect(of({ investment: 10, roi: null, newCustomers: 0 })).to.equal(-10);
    expect(of({ investment: 10, roi: null, newCustomers: 2 }), "without a margin").to.equal(null);
    expect(of({ investment: 0, roi: null, newCustomers: 2 })).to.equal(null);
  });

  it("are named apart: one id of two ad networks is two campaigns, an unknown one has no row of its own", () => {
    const [search, social] = (["searchads", "socialads"] as const).map((connector) =>
      source({ campaignId: "1", campaignName: "Verão", connector }),
    ) as [Source, Source];
    const unknown = source({ campaignId: null, campaignName: "verao-2", connector: null });
    expect(new Set([search, social, unknown].map(keyOf)).size).to.equal(3);
    expect(rowNameOf(search, [search])).to.equal("1");
    expect(rowNameOf(search, [search, social])).to.equal("1:searchads");
    expect(rowNameOf(unknown, [unknown])).to.equal(undefined);
    expect(rowNameOf(source({ channel: "direct" }), [])).to.equal("direct");
  });
});

describe("New customers by week and month", () => {
  const points = (from: string, counts: readonly number[]) =>
    counts.map((newCustomers, n) => ({
      date: daysBefore(from, -n),
      newCustomers,
      channels: { direct: newCustomers, other: 0 },
    })) as unknown as Parameters<typeof buckets>[0];

  it("are the sums of their days", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 92 }),
        fc.constantFrom("week", "month"),
        (counts, by) => {
          const all = buckets(points("2025-01-15", counts), by as "week" | "month", "2025-12-31");
          const sum = (values: readonly number[]): number => values.reduce((so, value) => so + value, 0);
          expect(sum(all.map(({ newCustomers }) => newCustomers))).to.equal(sum(counts));
          expect(sum(all.map(({ channels }) => channels.direct ?? 0))).to.equal(sum(counts));
          expect(all.every(({ from, to }, n) => n === 0 || from > (all[n - 1]?.to ?? to))).to.equal(true);
        },
      ),
    );
  });

  it("begin on Mondays and on firsts, and the last is in progress if the period ends before it", () => {
    // 15 January 2025 is a Wednesday.
    const weeks = buckets(points("2025-01-15", Array(7).fill(1)), "week", "2025-01-21");
    expect(weeks.map(({ from, to, newCustomers, isOpen }) => [from, to, newCustomers, isOpen])).to.deep.equal([
      ["2025-01-13", "2025-01-19", 5, false],
      ["2025-01-20", "2025-01-26", 2, true],
    ]);
    const [month] = buckets(points("2025-01-15", [1, 1]), "month", "2025-01-31");
    expect([month?.from, month?.to, month?.isOpen]).to.deep.equal(["2025-01-01", "2025-01-31", false]);
  });
});
