import { expect } from "chai";
import { pageOf } from "./page.ts";
import type { Measured } from "./parts/analyses.ts";
import type { Results } from "./results.ts";

// Not among the service's own tests: `npx mocha bench/page.test.ts`.
describe("page of the benchmark", () => {
  const times = (median: number) => ({ median, p95: 2 * median });
  const other = (median?: number) => ({
    compared: 3,
    missing: ["label"],
    values: 30,
    ties: 1,
    ...(median === undefined ? {} : { times: times(median) }),
  });
  const question = (hot: number, postgres?: number, clickhouse?: number): Measured => ({
    question: "cards",
    bytes: 4000,
    cold: times(40),
    hot: times(hot),
    others: { PostgreSQL: other(postgres), ClickHouse: other(clickhouse) },
  });
  const pageWith = (...measured: readonly Measured[]): string => {
    const run = { seconds: 1, cpuSeconds: 1, peak: 100 };
    const results: Results = {
      sizes: measured.map((analyses, n) => ({
        orders: 20_000 * 10 ** n,
        landing: { all: run, landed: 1, bare: 2, day: run, dayOrders: 1 },
        analyses: [analyses],
        own: [{ question: "payback curves", bytes: 30_000, cold: times(n + 30), hot: times(n + 15) }],
        rows: { page: 1, copy: 1, first: 1, thousandth: 1, firstSorted: 1, thousandthSorted: 1 },
        load: { unloaded: times(1), loaded: times(2) },
        peaks: { cold: 1, hot: 1 },
        versions: { PostgreSQL: "15", ClickHouse: "26" },
      })),
      cached: [],
      minutes: 1,
    };
    return pageOf(results, new Date("2026-11-23"));
  };

  it("names the fastest engine of each question and size, by the hot service", () => {
    const page = pageWith(question(20, 50, 100), question(20, 10, 5));
    expect(page).to.include("| cards | **Lucra** 2.50 × | ClickHouse 4.00 × |");
    expect(page).to.include("won: Lucra 1, PostgreSQL 0, ClickHouse 1");
    expect(page).to.include("| cards | 4 | 40 (80) | 20 (40) | 10 (20) | 5.0 (10) | ClickHouse 4.00 × |");
  });

  it("shows the times of the questions that only the service answers, of each size", () => {
    const page = pageWith(question(20, 50, 100), question(20, 10, 5));
    expect(page).to.include("| payback curves | 30 | 30 (60) | 15 (30) | 30 | 31 (62) | 16 (32) |");
  });

  it("shows no time of an engine that answers differently, and what was compared", () => {
    const page = pageWith(question(20, undefined, 30));
    expect(page).to.include("| 20 (40) | differs | 30 (60) | **Lucra** 1.50 × |");
    expect(page).to.include("| cards | 3 of 4 | 60 | 2 |");
  });
});
