import type { Comparison } from "../../src/core/contract/param.ts";
import { type Breaks, namedBy, type Row, rowsOf } from "./cohortRows.ts";
import { coverageOf } from "./coverage.ts";
import { daysFrom, firstOfMonth, monthNo, plusDays, type Span, within } from "./days.ts";
import { type Counted, type Customer, type Facts, firstOf, wholeOf } from "./facts.ts";
import {
  changeOf,
  costOfGoods,
  count,
  difference,
  enteredBy,
  type Figure,
  investmentOf,
  isRecurring,
  ltvOf,
  monthCut,
  monthsOf,
  ordersOf,
  orZero,
  paybackOf,
  periodOf,
  ratioOf,
  retentionLtvOf,
  revenueIn,
  revenueOf,
  share,
  spendOf,
  spentOn,
} from "./figures.ts";
import { Fraction } from "./fraction.ts";

/** `/v1/profitability/*`, only from the sentences of the rules. */

export type Answer = Record<string, unknown>;

const HUNDRED = new Fraction(100);

/** The rounding of each unit [D8]. */
export const money = (figure: Figure): number | null => figure?.number(2) ?? null;
export const ratio = (figure: Figure): number | null => figure?.number(4) ?? null;
export const percent = money;
export const months = money;
export const whole = (figure: Figure): number | null => figure?.number(0) ?? null;

export const head = (facts: Facts, span: Span, of: "all" | "stores" = "all"): Answer => ({
  period: { startDate: span.start, endDate: span.end },
  asOf: facts.asOf,
  coverage: coverageOf(facts, span, of),
});

/** What an answer says of its filters, if one was sent [D86]. */
export const filtersOf = (integrationId: string | null, channel: string | null): Answer =>
  integrationId === null && channel === null ? {} : { filters: { integrationId, channel } };

// ----------------------------------------------------------------------------------------------------------- /cards

type Indicators = Readonly<Record<string, { readonly exact: Figure; readonly shown: number | null }>>;

function indicatorsOf(facts: Facts, span: Span): { numbers: Indicators; words: Answer } {
  const period = periodOf(facts, span);
  const { rate } = facts.margin;
  const { orders, entered, returned } = period;
  const revenue = revenueOf(orders);
  const investment = investmentOf(facts, period.spend);
  const recurring = orders.filter(isRecurring);
  const contribution = revenue.times(rate);
  const cac = cacOf(facts, investment, entered);
  const ltv = ltvOf(facts, entered);
  const acquired = enteredBy(period, "acquisition");
  const spentBy = (strategy: Parameters<typeof spentOn>[1]): Figure => investmentOf(facts, spentOn(period, strategy));
  const acquisitionInvestment = spentBy("acquisition");
  const acquisitionCac = ratioOf(acquisitionInvestment, count(acquired));
  const acquisitionContribution = revenueIn(period, acquired).times(rate);
  const acquisitionLtv = ltvOf(facts, acquired);
  const branded = enteredBy(period, "brand");
  const brandInvestment = spentBy("brand");
  const brandContribution = revenueIn(period, branded).times(rate);
  const monetized = orders.filter(({ campaign }) => campaign?.strategy === "monetization");
  const monetizedAgain = monetized.filter(isRecurring);
  const monetizationInvestment = spentBy("monetization");
  const monetizationContribution = revenueOf(monetized).times(rate);
  const { marginBasis, ...goods } = costOfGoods(facts, orders);
  const as = (show: (figure: Figure) => number | null, figures: Readonly<Record<string, Figure>>): Indicators =>
    Object.fromEntries(Object.entries(figures).map(([name, exact]) => [name, { exact, shown: show(exact) }]));
  return {
    numbers: {
      ...as(whole, {
        orders: count(orders),
        newCustomers: count(entered),
        recurringCustomers: count(returned),
        customers: count([...entered, ...returned]),
        recurringOrders: count(recurring),
        acquisitionNewCustomers: count(acquired),
        brandImpressions:
          brandInvestment && Fraction.sum(spentOn(period, "brand").map(({ impressions }) => impressions)),
        brandNewCustomers: count(branded),
        monetizationRecurringCustomers: count([...new Set(monetizedAgain.map(({ customer }) => customer))]),
      }),
      ...as(money, {
        revenue,
        investment,
        averageTicket: orZero(revenue.per(count(orders))),
        contribution,
        contributionProfit: difference(contribution, investment),
        cpv: share(investment, count(orders)),
        cpr: share(investment, count(recurring)),
        cac,
        ltv,
        ltvLifetime: ltvOf(facts, facts.customers),
        retentionLtv: retentionLtvOf(facts, entered),
        clv: difference(ltv, cac),
        campaignCac: share(acquisitionInvestment, count(entered)),
        acquisitionInvestment,
        acquisitionCac,
        acquisitionContribution,
        acquisitionLtv,
        brandInvestment,
        brandContribution,
        monetizationInvestment,
        monetizationContribution,
        monetizationCpr: ratioOf(monetizationInvestment, count(monetizedAgain)),
        unclassifiedInvestment: spentBy(null),
        ...goods,
      }),
      ...as(ratio, {
        ltvCacRatio: unlessFiltered(facts, ratioOf(ltv, cac)),
        roi: unlessFiltered(facts, returnOn(contribution, investment)),
        acquisitionLtvCacRatio: ratioOf(acquisitionLtv, acquisitionCac),
        acquisitionRoi: returnOn(acquisitionContribution, acquisitionInvestment),
        brandRoi: returnOn(brandContribution, brandInvestment),
        monetizationRoi: returnOn(monetizationContribution, monetizationInvestment),
      }),
      ...as(months, { payback: paybackOf(facts, entered, period.spend) }),
      ...as(percent, { conversionRate: conversionOf(facts, span) }),
    },
    words: { hasAcquisitionClassification: facts.hasAcquisition, marginBasis },
  };
}

/** With a filter null without anything to divide by [D86], else 0. */
const unlessFiltered = ({ filter }: Facts, figure: Figure): Figure => (filter ? figure : orZero(figure));

/** With a filter null without spend, too. */
function cacOf({ filter }: Facts, investment: Figure, entered: readonly Customer[]): Figure {
  if (!filter) return share(investment, count(entered));
  return investment === null || investment.isZero ? null : investment.per(count(entered));
}

const returnOn = (contribution: Fraction, investment: Figure): Figure =>
  ratioOf(difference(contribution, investment), investment);

/** Events are of no store and of no channel. */
function conversionOf(facts: Facts, span: Span): Figure {
  const { funnel } = facts.settings;
  if (!funnel || facts.filter) return null;
  const total = (names: readonly string[]): Fraction =>
    Fraction.sum(
      facts.events
        .filter(({ name, day }) => names.includes(name) && within(day, span))
        .map(({ count: times }) => new Fraction(times)),
    );
  return total(funnel.decision).times(HUNDRED).per(total(funnel.interest));
}

const shownOf = (numbers: Indicators): Answer =>
  Object.fromEntries(Object.entries(numbers).map(([name, { shown }]) => [name, shown]));

/** As many days right before. */
export function spanBefore({ start, end }: { start: string; end: string }): { start: string; end: string } {
  const length = daysFrom(start, end);
  return { start: plusDays(start, -length), end: plusDays(start, -1) };
}

/** The period that the answer is compared with [D50]; null for none. */
export function spanCompared(span: Span, compare: Comparison): { start: string; end: string } | null {
  const { start, end } = span;
  if (start === null || end === null || compare === "none") return null;
  if (compare === "previous") return spanBefore({ start, end });
  if (compare === "weekdays") return { start: plusDays(start, -364), end: plusDays(end, -364) };
  return { start: yearBefore(start), end: yearBefore(end) };
}

function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, "0");
  return day.endsWith("-02-29") ? `${year}-02-28` : year + day.slice(4);
}

export function cards(facts: Facts, span: Span, compare: Comparison = "previous"): Answer {
  const { numbers, words } = indicatorsOf(facts, span);
  const answer = {
    ...head(facts, span),
    ...facts.margin.fields,
    ...shownOf(numbers),
    ...words,
  };
  const before = spanCompared(span, compare);
  if (before === null || span.end === null) return { ...answer, previousPeriod: null, changes: null };
  const previous = indicatorsOf(facts, before);
  // Bases, not periods [D25].
  const wonBy = (day: string): Customer[] => facts.customers.filter((customer) => firstOf(customer).day <= day);
  const [base, baseNow] = [wonBy(before.end), wonBy(span.end)];
  const bases: Readonly<Record<string, { before: Figure; now: Figure }>> = {
    ltv: { before: ltvOf(facts, base), now: ltvOf(facts, baseNow) },
    retentionLtv: { before: retentionLtvOf(facts, base), now: retentionLtvOf(facts, baseNow) },
  };
  const changes = Object.entries(numbers).map(([name, { exact }]) => {
    const { now, before: then } = bases[name] ?? { now: exact, before: previous.numbers[name]?.exact ?? null };
    return [name, percent(changeOf(now, then))];
  });
  return {
    ...answer,
    previousPeriod: {
      period: { startDate: before.start, endDate: before.end },
      ...shownOf(previous.numbers),
      ...previous.words,
      ltv: money(bases.ltv?.before ?? null),
      retentionLtv: money(bases.retentionLtv?.before ?? null),
    },
    changes: { ...Object.fromEntries(changes), margin: 0 },
  };
}

/** With the amounts of the margin's items. */
export function cardsWithAmounts(facts: Facts, span: Span, compare?: Comparison): Answer {
  return { ...cards(facts, span, compare), variableCosts: variableCosts(facts, indicatorsOf(facts, span).numbers) };
}

/** Rounded; the largest, the first of equals, takes what is missing to the whole. */
function variableCosts({ margin: { shares } }: Facts, numbers: Indicators): Answer | null {
  if (!shares) return null;
  const revenue = numbers.revenue?.exact ?? Fraction.zero;
  const exact = Object.entries(shares).map(([name, share]) => [name, revenue.times(share).times(CENT)] as const);
  const whole = shownCents(numbers, "revenue") - shownCents(numbers, "contribution");
  const cents = exact.map(([name, cost]) => ({ name, cents: Math.round((money(cost) ?? 0) * 100) }));
  const largest = cents.reduce((most, one) => (Math.abs(one.cents) > Math.abs(most.cents) ? one : most));
  largest.cents += whole - cents.reduce((sum, one) => sum + one.cents, 0);
  return Object.fromEntries(cents.map((one) => [one.name, one.cents / 100]));
}

const CENT = new Fraction(1, 100);
const shownCents = (numbers: Indicators, name: string): number => Math.round((numbers[name]?.shown ?? 0) * 100);

// -------------------------------------------------------------------------------------------------------- the series

export function metricsEvolution(facts: Facts, span: Span): Answer {
  const data = monthsOf(facts, span).map((month) => {
    const { orders, spend, entered } = periodOf(facts, monthCut(month, span));
    const investment = investmentOf(facts, spend);
    const cac = cacOf(facts, investment, entered);
    const ltv = ltvOf(facts, entered);
    const { marginBasis, ...goods } = costOfGoods(facts, orders);
    return {
      month: firstOfMonth(month),
      totalRevenue: money(revenueOf(orders)),
      totalOrders: orders.length,
      totalInvestment: money(investment),
      newCustomers: entered.length,
      cac: money(cac),
      ltv: money(ltv),
      cpv: money(share(investment, count(orders))),
      ltvCacRatio: ratio(unlessFiltered(facts, ratioOf(ltv, cac))),
      ...Object.fromEntries(Object.entries(goods).map(([name, figure]) => [name, money(figure)])),
      marginBasis,
    };
  });
  return { ...head(facts, span), ...facts.margin.fields, data };
}

/** Points of a trend that have any day of the span. */
export function trend(facts: Facts, span: Span, granularity: "day" | "week" | "month"): Answer {
  const months = monthsOf(facts, span);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined)
    return { ...head(facts, span), ...facts.margin.fields, granularity, data: [] };
  const [start, end] = [monthCut(first, span).start as string, monthCut(last, span).end as string];
  const dates = Array.from({ length: daysFrom(start, end) }, (_, no) => pointOf(plusDays(start, no), granularity));
  const data = [...new Set(dates)].map((date) => {
    const days = Array.from({ length: 31 }, (_, no) => plusDays(date, no)).filter(
      (day) => pointOf(day, granularity) === date && within(day, { start, end }),
    );
    const { numbers } = indicatorsOf(facts, { start: days[0] as string, end: days.at(-1) as string });
    return { date, ...Object.fromEntries(OF_A_POINT.map((name) => [name, numbers[name]?.shown ?? null])) };
  });
  return { ...head(facts, span), ...facts.margin.fields, granularity, data };
}

const OF_A_POINT =
  "revenue investment orders newCustomers averageTicket contribution contributionProfit cac ltv ltvCacRatio roi".split(
    " ",
  );

function pointOf(day: string, granularity: "day" | "week" | "month"): string {
  if (granularity === "month") return `${day.slice(0, 8)}01`;
  return granularity === "day" ? day : plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** By day up to 92 days, else by month [D28]. */
const DAYS_AT_MOST = 92;

/** Each day of a period; without one from the first to the last order [D29]. */
export function cmvEvolution(facts: Facts, span: Span): Answer {
  const ordered = wholeOf(facts)
    .orders.map(({ day }) => day)
    .sort();
  const [first, last] = [span.start ?? ordered[0], span.end ?? ordered.at(-1)];
  const days =
    first === undefined || last === undefined
      ? []
      : Array.from({ length: daysFrom(first, last) }, (_, no) => plusDays(first, no));
  const data = days.map((date) => {
    const { orders } = periodOf(facts, { start: date, end: date });
    const revenue = revenueOf(orders);
    const { marginBasis, ...goods } = costOfGoods(facts, orders);
    return {
      date,
      revenue: money(revenue),
      orders: orders.length,
      averageTicket: money(orZero(revenue.per(count(orders)))),
      ...Object.fromEntries(Object.entries(goods).map(([name, figure]) => [name, money(figure)])),
      marginBasis,
    };
  });
  return { ...head(facts, span, "stores"), ...facts.margin.fields, data };
}

interface Points {
  readonly granularity: "day" | "month";
  readonly points: readonly { readonly date: string; readonly span: Span }[];
}

/** A point for each day, or for each month of a longer period. */
export function pointsOf(facts: Facts, span: Span): Points {
  const length = span.start === null || span.end === null ? null : daysFrom(span.start, span.end);
  if (length === null || length > DAYS_AT_MOST) {
    const months = monthsOf(facts, span);
    return {
      granularity: "month",
      points: months.map((month) => ({ date: firstOfMonth(month), span: monthCut(month, span) })),
    };
  }
  const days = Array.from({ length }, (_, no) => plusDays(span.start as string, no));
  return { granularity: "day", points: days.map((date) => ({ date, span: { start: date, end: date } })) };
}

export function newVsRecurring(facts: Facts, span: Span): Answer {
  const { granularity, points } = pointsOf(facts, span);
  const data = points.map((point) => {
    const { entered, returned } = periodOf(facts, point.span);
    return {
      date: point.date,
      newCustomers: entered.length,
      recurringCustomers: returned.length,
      customers: entered.length + returned.length,
    };
  });
  return { ...head(facts, span, "stores"), granularity, data };
}

// ---------------------------------------------------------------------------------------------------------- /cohort

export interface CohortQuestion {
  readonly view: "revenue" | "logo";
  readonly groupBy: "month" | "quarter" | "year" | "week";
  readonly breakBy: Breaks | null;
}

const LENGTH = { month: 1, quarter: 3, year: 12 } as const;

/** Mondays since the first one of the calendar that computers count days by. */
const FIRST_MONDAY = "1969-12-29";
const weekNo = (day: string): number => Math.floor((daysFrom(FIRST_MONDAY, day) - 1) / 7);

export function cohort(facts: Facts, span: Span, question: CohortQuestion): Answer {
  const { groupBy } = question;
  const length = groupBy === "week" ? 0 : LENGTH[groupBy];
  const stepOf = (day: string): number => (length === 0 ? weekNo(day) : Math.floor(monthNo(day) / length));
  const firstDayOf = (step: number): string =>
    length === 0 ? plusDays(FIRST_MONDAY, 7 * step) : firstOfMonth(step * length);
  return {
    ...head(facts, span),
    ...facts.margin.fields,
    ...question,
    data: rowsOf(facts, span, question.breakBy, stepOf).map((row) =>
      rowOf(facts, row, question, stepOf, firstDayOf(row.step)),
    ),
  };
}

function rowOf(
  facts: Facts,
  row: Row,
  { view, breakBy }: CohortQuestion,
  stepOf: (day: string) => number,
  cohortMonth: string,
): Answer {
  const { rate } = facts.margin;
  const { customers } = row;
  const orders = ordersOf(customers);
  // A later order may be dated before the first, in a store of another time zone. It counts in step 0, so that the
  // cells add up to the cohort's total.
  const bought = (n: number): Counted[] => orders.filter(({ day }) => Math.max(stepOf(day) - row.step, 0) === n);
  const buyers = (n: number): Fraction => count([...new Set(bought(n).map(({ customer }) => customer))]);
  const investment = row.spend && spendOf(row.spend);
  const direct = revenueOf(orders.filter((order) => !isRecurring(order)));
  const total = revenueOf(orders);
  const again = customers.filter((customer) => customer.orders.some(isRecurring));
  const last = stepOf(facts.horizon as string) - row.step;
  const start = revenueOf(bought(0));
  const cells = Array.from({ length: last + 1 }, (_, n) => {
    const inRevenue = revenueOf(bought(n)).times(rate);
    return [
      String(n),
      {
        pct: ratio(view === "logo" ? buyers(n).per(buyers(0)) : revenueOf(bought(n)).per(start)),
        absolute: view === "logo" ? whole(buyers(n)) : money(inRevenue),
        complementary: view === "logo" ? money(inRevenue) : whole(buyers(n)),
        repurchaseRevenue: n === 0 ? null : money(revenueOf(bought(n).filter(isRecurring))),
      },
    ];
  });
  const economics = {
    investment: money(investment),
    cac: money(investment && orZero(investment.per(count(customers)))),
    ltv: money(ltvOf(facts, customers)),
    payback: months(row.spend && paybackOf(facts, customers, row.spend)),
  };
  return {
    cohortMonth,
    ...(breakBy === null ? {} : { ...namedBy(row), ...economics }),
    initialValue: view === "logo" ? customers.length : money(start.times(rate)),
    acquisitionInvestment: money(investment),
    roi: ratio(investment && start.times(rate).minus(investment).per(investment)),
    firstPurchaseCustomers: customers.length,
    repurchaseCustomers: again.length,
    repurchasePct: percent(count(again).times(HUNDRED).per(count(customers))),
    directRevenue: money(direct),
    directMargin: money(direct.times(rate)),
    totalRevenue: money(total),
    totalMargin: money(total.times(rate)),
    additionalRevenue: money(total.minus(direct)),
    additionalMargin: money(total.minus(direct).times(rate)),
    months: Object.fromEntries(cells),
  };
}
