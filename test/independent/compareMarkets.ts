import { expect } from "chai";
import fc from "fast-check";
import type { Landed } from "../support/exports.ts";
import { type Market, market, storePeriod } from "../support/market.ts";
import { writeMarket } from "../support/marketExports.ts";
import { NOW } from "../support/world.ts";
import { compareRandom } from "./agreement.ts";
import { differences, show } from "./differences.ts";
import { detail, productsOf, series } from "./productDetail.ts";
import {
  categoryTotals,
  listing,
  METRICS,
  type Page,
  RANGED,
  type Ranged,
  type Row,
  type Selection,
  SORTINGS,
  type StoreView,
  viewOf,
} from "./products.ts";

const CATEGORIES = ["1", "11", "111", "12", "2", "99", "aa", "aa-1", "hg-11", "calcados-cia", "uncategorized"];

/** A selection without its ranges: a bound is a value that some product has. */
const question = fc.record({
  period: storePeriod,
  /** Not sent: the last 30 days. */
  implied: fc.constantFrom(false, false, false, true),
  search: fc.option(fc.constantFrom("CANE", "álb", "%", "_", "é", "produto 1", "a"), { nil: undefined, freq: 2 }),
  status: fc.option(fc.constantFrom("all" as const, "active" as const, "inactive" as const), { nil: undefined }),
  categoryIds: fc.option(fc.subarray(CATEGORIES, { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 2 }),
  columns: fc.option(fc.subarray(METRICS, { minLength: 1 }), { nil: undefined, freq: 3 }),
  range: fc.record({
    of: fc.constantFrom(...RANGED),
    side: fc.constantFrom("min" as const, "max" as const),
    at: fc.nat({ max: 9 }),
  }),
  sortBy: fc.constantFrom(...SORTINGS),
  sortOrder: fc.constantFrom("asc" as const, "desc" as const),
  includeCategories: fc.boolean(),
  page: fc.integer({ min: 1, max: 3 }),
  pageSize: fc.integer({ min: 1, max: 5 }),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

interface Asked {
  readonly market: Market;
  readonly questions: readonly Question[];
}

const asked: fc.Arbitrary<Asked> = fc.noBias(
  fc.record({ market, questions: fc.array(question, { minLength: 3, maxLength: 3 }) }),
);

interface Ask {
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly expected: Row;
}

const IMPLIED = { from: "2025-03-03", to: NOW.slice(0, 10) };
const WHOLE: Page = { sortBy: "netSales", sortOrder: "desc", page: 1, pageSize: 100 };

function asksOf(view: StoreView, it: Question): Ask[] {
  const { search, status, categoryIds, columns, sortBy, sortOrder } = it;
  const period = it.implied ? IMPLIED : it.period;
  const whole: Selection = period;
  const some: Selection = {
    ...period,
    ...(search ? { search } : {}),
    ...(status ? { status } : {}),
    ...(categoryIds ? { categoryIds } : {}),
  };
  const all = listing(view, whole, WHOLE, false);
  const without: Record<string, string> = it.includeCategories ? {} : { includeCategories: "false" };
  const inRange: Selection = {
    ...period,
    ...(status ? { status } : {}),
    ranges: rangeOf(all.data as Row[], it),
    ...(columns ? { columns } : {}),
  };
  const page: Page = { sortBy, sortOrder, page: it.page, pageSize: it.pageSize };
  const path = "/v1/products";
  const sorted = { sortBy, sortOrder };
  return [
    {
      path,
      sent: { ...sentFor(whole), ...sorted, pageSize: "100" },
      expected: listing(view, whole, { ...WHOLE, ...sorted }, true),
    },
    {
      path,
      sent: { ...sentFor(some), ...sorted, page: String(it.page), pageSize: String(it.pageSize), ...without },
      expected: listing(view, some, page, it.includeCategories),
    },
    it.range.side === "min"
      ? { path, sent: { ...sentFor(inRange), pageSize: "100" }, expected: listing(view, inRange, WHOLE, true) }
      : { path: `${path}/categories`, sent: sentFor(inRange), expected: categoryTotals(view, inRange) },
  ];
}

/** One in so many products is asked for separately: each answer takes as long as a listing. */
const ONE_IN = 3;

/** Some of the store's products, one by one: the whole detail in one period, the sales in another. */
function asksOfSome(market: Market, view: StoreView, [first, second]: readonly Question[]): Ask[] {
  if (!first || !second) throw new Error("two questions are needed");
  const granularity = first.includeCategories ? "day" : "week";
  const some = productsOf(view).filter((_, no) => no % ONE_IN === first.range.at % ONE_IN);
  return some.flatMap((product) => {
    const of = ({ period }: Question) => ({ market, view, product, period, today: NOW.slice(0, 10) });
    const sent = ({ period }: Question) => ({ productId: product.id, dateFrom: period.from, dateTo: period.to });
    return [
      { path: "/v1/products/:productId", sent: sent(first), expected: detail(of(first)) },
      {
        path: "/v1/products/:productId/series",
        sent: { ...sent(second), granularity },
        expected: series(of(second), granularity),
      },
    ];
  });
}

function rangeOf(rows: readonly Row[], { range: { of, side, at } }: Question): NonNullable<Selection["ranges"]> {
  const values = rows.map((row) => row[of]).filter((value) => value !== null);
  const bound = String(values[at % Math.max(values.length, 1)] ?? 0);
  return { [of]: { [side]: bound } };
}

function sentFor(it: Selection): Record<string, string> {
  const ranges = Object.entries(it.ranges ?? {}) as [Ranged, Record<string, string>][];
  return {
    ...(it.from === IMPLIED.from && it.to === IMPLIED.to ? {} : { dateFrom: it.from, dateTo: it.to }),
    ...(it.search === undefined ? {} : { search: it.search }),
    ...(it.status === undefined ? {} : { status: it.status }),
    ...(it.categoryIds === undefined ? {} : { categoryIds: it.categoryIds.join(",") }),
    ...(it.columns === undefined ? {} : { columns: it.columns.join(",") }),
    ...Object.fromEntries(
      ranges.flatMap(([metric, bounds]) =>
        Object.entries(bounds).map(([side, value]) => [`${side}${metric[0]?.toUpperCase()}${metric.slice(1)}`, value]),
      ),
    ),
  };
}

let compared = 0;

async function compare(landed: Landed, one: Asked): Promise<string[]> {
  const found: string[] = [];
  for (const store of one.market.stores) {
    const view = viewOf(one.market, store);
    const asks = [
      ...one.questions.flatMap((question) => asksOf(view, question)),
      ...asksOfSome(one.market, view, one.questions),
    ];
    for (const { path, sent, expected } of asks) {
      const answer = await landed.ask(one.market, path, { integrationId: store.account.id, ...sent });
      const different = differences(answer, expected);
      compared += 1;
      found.push(...different.map((difference) => `${path}?${new URLSearchParams(sent)} ${difference}`));
    }
  }
  return found;
}

/** The differing organization in readable form: a line for each thing. */
function described({ market: { settings, syncs, stores } }: Asked): string {
  const lines = stores.flatMap(({ account, tree, ...rows }) => [
    `${show(account)} ${tree}`,
    ...Object.entries(rows).map(([name, all]) => [`${name}:`, ...all.map(show)].join("\n  ")),
  ]);
  return [show(settings), `syncs: ${syncs.join(", ")}`, ...lines].join("\n");
}

/** Compares the answers about the products of so many random organizations with the independent computation. */
export function compareMarkets(worlds: number, seed: number): void {
  compareRandom(
    {
      of: " of the products",
      asked,
      differencesOf: (laboratory, one) =>
        laboratory.withFiles([one.market], writeMarket, (landed) => compare(landed, one)),
      described,
      atEnd: () => expect(compared).to.be.at.least(worlds * 9),
    },
    { worlds, seed },
  );
}
