import fc from "fast-check";
import { CHANNELS } from "../../../src/core/contract/channel.ts";
import type { Period, World } from "../../support/world.ts";
import { firstOfMonth, monthNo, plusDays } from "../days.ts";
import { ANY_ORDER, isWanted, type OrderFilters } from "../orders.ts";
import { pace } from "../pace.ts";
import { profitOrders, statement } from "../profit.ts";
import type { ProfitFacts } from "../profitFacts.ts";
import { filters } from "./orders.ts";
import { datesOf, EVER, type Question, sentIf } from "./question.ts";

export const STATEMENT = "/v1/profit/statement";
export const PROFIT_ORDERS = "/v1/profit/orders";

const statementChoice = fc.record({
  granularity: fc.constantFrom(null, "day" as const, "week" as const, "month" as const),
  compare: fc.constantFrom(
    "previous" as const,
    "year" as const,
    "weekdays" as const,
    "none" as const,
    "second period" as const,
  ),
  store: fc.option(fc.nat({ max: 2 }), { nil: null, freq: 2 }),
  channel: fc.option(fc.constantFrom(...CHANNELS), { nil: null, freq: 1 }),
  refundsOn: fc.constantFrom("refund" as const, "order" as const),
});

export const statementChoices = fc.array(statementChoice, { minLength: 6, maxLength: 6 });
type StatementChoice = typeof statementChoice extends fc.Arbitrary<infer T> ? T : never;

const storeOf = ({ settings }: World, no: number | null): string | null => {
  const stores = settings.integrations.filter(({ connector }) => connector === "storea" || connector === "storeb");
  return no === null ? null : (stores[no % stores.length]?.id ?? null);
};

/** Of all stores or one, over the whole history and over a period, perhaps compared with another. */
export function statementQuestions(
  world: World,
  [first, second]: readonly [Period, Period],
  choices: readonly StatementChoice[],
): Question<ProfitFacts>[] {
  return choices.map(({ granularity, compare, store, channel, refundsOn }, no) => {
    const span = no % 3 === 0 ? null : first;
    const integrationId = storeOf(world, store);
    const comparison =
      compare === "second period" ? { compareStartDate: second.start, compareEndDate: second.end } : { compare };
    return {
      path: STATEMENT,
      sent: {
        ...datesOf(span),
        ...sentIf("granularity", granularity),
        ...sentIf("integrationId", integrationId),
        ...sentIf("channel", channel),
        refundsOn,
        ...comparison,
      },
      expected: (facts) =>
        statement(facts, {
          span: span ?? EVER,
          granularity,
          compare: compare === "second period" ? second : compare,
          filters: { integrationId, channel },
          refundsOn,
        }),
    };
  });
}

const ordersChoice = fc.record({
  wanted: filters,
  store: fc.option(fc.nat({ max: 2 }), { nil: null, freq: 2 }),
  orderBy: fc.constantFrom("orderedAt" as const, "contribution2" as const),
  orderDirection: fc.constantFrom("ASC" as const, "DESC" as const),
  limit: fc.constantFrom(500, 7),
  page: fc.constantFrom(1, 2),
});

export const profitOrdersChoices = fc.array(ordersChoice, { minLength: 4, maxLength: 4 });
type OrdersChoice = typeof ordersChoice extends fc.Arbitrary<infer T> ? T : never;

/** All counted orders, and those that pass the filters. */
export function profitOrdersQuestions(
  world: World,
  [first]: readonly [Period, Period],
  choices: readonly OrdersChoice[],
): Question<ProfitFacts>[] {
  return choices.map(({ wanted: some, store, orderBy, orderDirection, limit, page }, no) => {
    const span = no % 2 === 0 ? null : first;
    const wanted: OrderFilters = no === 0 ? ANY_ORDER : some;
    const integrationId = storeOf(world, store);
    const { acquired, counted: _, carried, ...named } = wanted;
    const sent = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null);
    return {
      path: PROFIT_ORDERS,
      sent: {
        ...Object.fromEntries(sent),
        ...carried,
        ...(acquired ? { acquiredStart: acquired.start, acquiredEnd: acquired.end } : {}),
        ...datesOf(span),
        ...sentIf("integrationId", integrationId),
        orderBy,
        orderDirection,
        limit: String(limit),
        page: String(page),
      },
      expected: (facts) =>
        profitOrders(facts, {
          span: span ?? EVER,
          wanted: (order) => isWanted(order, span ?? EVER, wanted),
          filters: { integrationId, channel: wanted.channel },
          orderBy,
          orderDirection,
          limit,
          page,
        }),
    };
  });
}

export const PACE = "/v1/profit/pace";

/** Days of which the pace is asked: ends of months among them, and days whose 12 months before have data. */
export const paceDays = fc.array(
  fc.oneof(
    fc.constantFrom("2025-03-31", "2025-04-01", "2025-04-30", "2025-05-31"),
    fc.integer({ min: 0, max: 430 }).map((no) => plusDays("2024-12-01", no)),
  ),
  { minLength: 3, maxLength: 3 },
);

const TARGETS = { revenue: "1000.5", contribution3: "300", profit: "0.01" };

export const paceQuestions = (days: readonly string[]): Question<ProfitFacts>[] =>
  days.map((today) => ({
    path: PACE,
    sent: {},
    unsent: {
      monthStart: firstOfMonth(monthNo(today)),
      yesterday: plusDays(today, -1),
      targets: JSON.stringify(TARGETS),
    },
    expected: (facts) => pace(facts, today, TARGETS),
  }));
