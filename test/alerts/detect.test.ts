import { expect } from "chai";
import fc from "fast-check";
import type { Session } from "../../src/core/engine/database.ts";
import { addDays } from "../../src/core/time/days.ts";
import { Laboratory } from "../support/exports.ts";
import {
  type Able,
  type Cause,
  causesOf,
  expectedAt,
  type Judged,
  judgedCampaign,
  judgedReturns,
  judgedSpend,
  judgedThree,
} from "./detect.ts";

/** A Monday. */
const FIRST = "2025-01-06";
const dayOf = (no: number): string => addDays(FIRST, no);

interface Shop {
  readonly orders: readonly number[];
  /** In cents. */
  readonly revenue: readonly number[];
  readonly spend: readonly number[];
  readonly returns: readonly number[];
  readonly sales: readonly number[];
  /** The days that the data cover. */
  readonly from: number;
  readonly until: number;
  readonly rule: "above" | "below" | "change";
  readonly value: number;
  readonly over: "day" | "week";
}

const DAYS = 140;

/** Days around a level, which some days leave. */
const daysAround = (most: number): fc.Arbitrary<number[]> =>
  fc
    .record({
      level: fc.integer({ min: 0, max: most }),
      noise: fc.array(fc.integer({ min: -30, max: 30 }), { minLength: DAYS, maxLength: DAYS }),
      from: fc.integer({ min: 60, max: DAYS }),
      times: fc.constantFrom(0, 0.3, 0.5, 1, 2, 3),
    })
    .map(({ level, noise, from, times }) =>
      noise.map((percent, day) => Math.round(level * (1 + percent / 100) * (day >= from ? times : 1))),
    );

const shop: fc.Arbitrary<Shop> = fc.record({
  orders: daysAround(60),
  revenue: daysAround(900_000),
  spend: daysAround(200_000),
  returns: daysAround(40),
  sales: fc.uniqueArray(fc.integer({ min: 0, max: DAYS - 1 }), { maxLength: 12 }),
  from: fc.constantFrom(0, 0, 10),
  until: fc.constantFrom(DAYS - 1, DAYS - 4),
  rule: fc.constantFrom("above", "below", "change"),
  value: fc.constantFrom(-30, -20, 10, 40, 5_000),
  over: fc.constantFrom("day", "week"),
});

/** The relations that the macros read, of one shop with one campaign, which has all of its orders. */
async function show(session: Session, { orders, revenue, spend, returns, sales, from, until, ...rule }: Shop) {
  const days = orders.map((_, no) => ({
    day_on: dayOf(no),
    is_sale: sales.includes(no),
    revenue: (revenue[no] ?? 0) / 100,
    investment: (spend[no] ?? 0) / 100,
    orders: orders[no],
    returns: returns[no],
  }));
  await session.run(
    `create or replace temp table shop_days as
      select
        unnest(['all', 'ad']) as scope, unnest([null, 'x:1']) as scope_key, day_on::date as day_on, is_sale,
        revenue::decimal(38, 22) as revenue, 0::decimal(38, 22) as gift_cards, 0::decimal(38, 22) as refunds,
        0::decimal(38, 22) as sales_tax, 0::decimal(38, 22) as goods, 0::decimal(38, 22) as payment, 0::decimal(38, 22) as shipping,
        0::decimal(38, 22) as fulfilment, 0::decimal(38, 22) as commission, 0::decimal(38, 22) as other,
        -investment::decimal(38, 22) as media, orders::decimal(38, 6) as orders, 0::decimal(38, 6) as new_customers,
        investment::decimal(38, 22) as investment, returns::decimal(38, 6) as returns, false as is_unknown
      from (select unnest(from_json($1::json, '[{"day_on": "VARCHAR", "is_sale": "BOOLEAN", "revenue": "DECIMAL(18, 2)",
        "investment": "DECIMAL(18, 2)", "orders": "BIGINT", "returns": "BIGINT"}]'), recursive := true))`,
    [JSON.stringify(days)],
  );
  await session.run("create or replace temp table shop_windows as from scope_windows('shop_days')");
  await session.run(
    `create or replace temp table shop_watched as
      select 101 as alert_no, 'revenue' as figure, 'all' as scope, null::varchar as scope_key, '${rule.over}' as over,
        '${rule.rule}' as rule, ${rule.value}::double as "value"
      union all select 5, 'revenue', 'all', null, 'day', null, null
      union all select -2, 'orders', 'all', null, 'day', null, null`,
  );
  await session.run(
    `create or replace temp table shop_spans as
      select unnest(['revenue', 'orders', 'investment', 'contribution3']) as figure, 'all' as scope, null::varchar as scope_key,
        '${dayOf(from)}'::date as from_on, '${dayOf(until)}'::date as until_on`,
  );
  await session.run(
    "create or replace temp table shop_expected as from expected_days('shop_watched', 'shop_windows', 'shop_spans')",
  );
  await session.run("create or replace temp table three_expected as from shop_expected where alert_no = 5");
  await session.run("create or replace temp table orders_expected as from shop_expected where alert_no < 0");
}

const JUDGED = {
  rule: "judged_rules('shop_watched', 'shop_expected')",
  three: "judged_three('three_expected')",
  spend: "(select 2 as alert_no, * from judged_spend('orders_expected', 'shop_windows', 'shop_spans'))",
  campaign: "(select 6 as alert_no, * from judged_campaigns('shop_days', 'shop_spans'))",
  returns: "(select 7 as alert_no, * from judged_returns('shop_days', 'shop_spans'))",
} as const;

/** What the SQL says of each day: beyond, within, or nothing; and whether it could tell. */
async function judgedBySql(session: Session, name: keyof typeof JUDGED): Promise<Able> {
  const rows = await session.rows(
    `select day_on::varchar as day, is_beyond, can_tell from ${JUDGED[name]} where is_beyond is not null`,
  );
  const found = new Map(rows.map(({ day, ...of }) => [day, of]));
  const days = Array.from({ length: DAYS }, (_, no) => found.get(dayOf(no)));
  return {
    judged: days.map((of) => (of?.is_beyond ?? null) as boolean | null),
    canTell: days.map((of) => of?.can_tell === true),
  };
}

/** The same, by plain numbers. */
function judgedByNumbers(shop: Shop): Record<keyof typeof JUDGED, Able> {
  const { from, until } = shop;
  const isSale = (day: number): boolean => shop.sales.includes(day);
  const isCovered = (day: number, first = day): boolean => first >= from && day <= until;
  const covered = (values: readonly number[]) => values.map((value, day) => (isCovered(day) ? value : null));
  const money = (cents: readonly number[]): number[] => cents.map((one) => one / 100);
  const weekly = (values: readonly number[]) =>
    values.map((_, day) =>
      day < 6 || !isCovered(day, day - 6)
        ? null
        : Math.round(100 * values.slice(day - 6, day + 1).reduce((all, one) => all + one, 0)) / 100,
    );
  const revenue = money(shop.revenue);
  const values = shop.over === "day" ? covered(revenue) : weekly(revenue);
  const hasSale = (day: number): boolean =>
    shop.over === "day" ? isSale(day) : [0, 1, 2, 3, 4, 5, 6].some((back) => isSale(day - back));
  const always = (judged: Judged): Able => ({ judged, canTell: judged.map(() => true) });
  /** It can tell only of days that it judged. */
  const ifCovered = ({ judged, canTell }: Able, length: number): Able => {
    const covered = judged.map((one, day) => (isCovered(day, day - length) ? one : null));
    return { judged: covered, canTell: canTell.map((can, day) => can && covered[day] !== null) };
  };
  const campaign = { spend: money(shop.spend), orders: shop.orders, afterCosts: revenue };
  return {
    rule: ifCovered(
      always(
        values.map((value, day) => {
          if (value === null) return null;
          if (shop.rule === "above") return value > shop.value;
          if (shop.rule === "below") return value < shop.value;
          const { expected } = expectedAt(values, day, hasSale, shop.over);
          if (expected === null || expected === 0) return null;
          const limit = (shop.value / 100) * Math.abs(expected);
          return shop.value < 0 ? value - expected < limit : value - expected > limit;
        }),
      ),
      0,
    ),
    three: ifCovered(judgedThree(covered(revenue), isSale, 0.5), 0),
    spend: ifCovered(always(judgedSpend(covered(shop.orders), money(shop.spend), isSale)), 0),
    campaign: ifCovered(judgedCampaign(campaign, money(shop.spend), isSale), 2),
    returns: ifCovered(judgedReturns(shop.returns, shop.orders), 86),
  };
}

describe("The detection of alerts [D96], [D226], [D227]", () => {
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  it("says of each day what plain numbers say, and of the same causes", async () => {
    const spoken = new Set<string>();
    await laboratory.database.use((session) =>
      fc.assert(
        fc.asyncProperty(shop, async (one) => {
          await show(session, one);
          const byNumbers = judgedByNumbers(one);
          for (const name of Object.keys(JUDGED) as (keyof typeof JUDGED)[]) {
            const bySql = await judgedBySql(session, name);
            expect(bySql, name).to.deep.equal(byNumbers[name]);
            if (bySql.judged.includes(true)) spoken.add(name);
            const rows = await session.rows(
              `with judged as materialized (from ${JUDGED[name]}) from alert_causes('judged') order by from_on`,
            );
            const causes = rows.map(({ from_on, until_on }) => ({ from: String(from_on), until: until_on }));
            expect(causes, `causes of ${name}`).to.deep.equal(causesOf(bySql.judged).map(shown));
          }
        }),
        { numRuns: Number(process.env.LUCRA_RUNS ?? 12), seed: 96 },
      ),
    );
    expect([...spoken].sort(), "each spoke in some world").to.deep.equal(Object.keys(JUDGED).sort());
  });
});

const shown = ({ from, until }: Cause) => ({ from: dayOf(from), until: until === null ? null : dayOf(until) });
