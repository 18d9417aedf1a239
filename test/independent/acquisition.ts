import type { Comparison } from "../../src/core/contract/param.ts";
import { coverageOf } from "./coverage.ts";
import type { Span } from "./days.ts";
import { type Attribution, byText, type Counted, type Customer, type Facts, firstOf, type SpendDay } from "./facts.ts";
import {
  changeOf,
  count,
  enteredBy,
  type Figure,
  investmentOf,
  isSpendKnown,
  ltvOf,
  type Period,
  paybackOf,
  periodOf,
  ratioOf,
  revenueIn,
  revenueOf,
  spendOf,
  spentOn,
} from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { type Answer, money, months, percent, pointsOf, ratio, spanCompared, whole } from "./profitability.ts";
import { CHANNELS, LABELS } from "./text.ts";

/** `/v1/acquisition`, only from the sentences of the rules. */

interface Dates {
  readonly start: string;
  readonly end: string;
}

const datesOf = ({ start, end }: Dates): Answer => ({ startDate: start, endDate: end });

function metricsOf(facts: Facts, span: Span): Record<string, Figure> {
  const period = periodOf(facts, span);
  const acquired = enteredBy(period, "acquisition");
  const spent = spentOn(period, "acquisition");
  const acquisitionInvestment = investmentOf(facts, spent);
  // Null if no acquisition campaign spent, or they brought no customer.
  const unknown = acquisitionInvestment === null || acquisitionInvestment.isZero || acquired.length === 0;
  const cac = unknown ? null : acquisitionInvestment.per(count(acquired));
  const acquisitionAvgLtv = unknown ? null : ltvOf(facts, acquired);
  const contribution = revenueIn(period, acquired).times(facts.margin.rate);
  return {
    investment: investmentOf(facts, period.spend),
    acquisitionInvestment,
    acquisitionNewCustomers: count(acquired),
    newCustomers: count(period.entered),
    cac,
    acquisitionAvgLtv,
    acquisitionLtvCacRatio: ratioOf(acquisitionAvgLtv, cac),
    acquisitionRoi: unknown ? null : contribution.minus(acquisitionInvestment).per(acquisitionInvestment),
    paybackMonths: paybackOf(facts, acquired, spent),
  };
}

const SHOWN: Readonly<Record<string, (figure: Figure) => number | null>> = {
  acquisitionNewCustomers: whole,
  newCustomers: whole,
  acquisitionLtvCacRatio: ratio,
  acquisitionRoi: ratio,
  paybackMonths: months,
};

export function summary(facts: Facts, span: Dates, compare: Comparison = "previous"): Answer {
  const before = spanCompared(span, compare);
  const [now, then] = [metricsOf(facts, span), before && metricsOf(facts, before)];
  const metrics = Object.entries(now).map(([name, value]) => [
    name,
    {
      value: (SHOWN[name] ?? money)(value),
      changePct: name === "paybackMonths" ? null : percent(changeOf(value, then?.[name] ?? null)),
    },
  ]);
  return {
    period: datesOf(span),
    previousPeriod: before && datesOf(before),
    asOf: facts.asOf,
    coverage: coverageOf(facts, span),
    ...facts.margin.fields,
    ...Object.fromEntries(metrics),
    hasAcquisitionClassification: facts.hasAcquisition,
  };
}

interface Brought {
  /** Null if it is unknown [D86]. */
  readonly spent: readonly SpendDay[] | null;
  readonly orders: readonly Counted[];
  readonly entered: readonly Customer[];
}

interface Row {
  /** The sort key. */
  readonly key: string;
  readonly connector?: string;
  readonly investment: Figure;
  readonly newCustomers: number;
  readonly row: Answer;
}

/** The cost and the result of a channel or a campaign. */
function economics(facts: Facts, period: Period, { spent, orders, entered }: Brought): Answer {
  const investment = spent && spendOf(spent);
  const unknown = investment === null || investment.isZero || entered.length === 0;
  const cac = unknown ? null : investment.per(count(entered));
  const ltv = ltvOf(facts, entered);
  const newCustomersRevenue = revenueIn(period, entered);
  const contribution = newCustomersRevenue.times(facts.margin.rate);
  return {
    investment: money(investment),
    orders: orders.length,
    revenue: money(revenueOf(orders)),
    newCustomers: entered.length,
    newCustomersRevenue: money(newCustomersRevenue),
    cac: money(cac),
    ltv: money(ltv),
    ltvCacRatio: ratio(ratioOf(ltv, cac)),
    roi: ratio(unknown ? null : contribution.minus(investment).per(investment)),
    paybackMonths: months(spent && paybackOf(facts, entered, spent)),
  };
}

/** The largest first. */
function nullsLast(a: Figure, b: Figure): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b.compare(a);
}

function listOf(facts: Facts, span: Dates, rows: readonly Row[]): Answer {
  const data = rows
    .toSorted(
      (a, b) =>
        nullsLast(a.investment, b.investment) ||
        b.newCustomers - a.newCustomers ||
        byText(a.key, b.key) ||
        byText(a.connector ?? "", b.connector ?? ""),
    )
    .map(({ row }) => row);
  return { period: datesOf(span), asOf: facts.asOf, coverage: coverageOf(facts, span), ...facts.margin.fields, data };
}

export function channels(facts: Facts, span: Dates): Answer {
  const period = periodOf(facts, span);
  const rows = CHANNELS.flatMap((channel): Row[] => {
    const brought: Brought = {
      spent:
        isSpendKnown(facts) || (channel !== "searchads" && channel !== "socialads")
          ? period.spend.filter(({ campaign }) => campaign.connector === channel)
          : null,
      orders: period.orders.filter((order) => order.channel === channel),
      entered: period.entered.filter((customer) => firstOf(customer).channel === channel),
    };
    if (Object.values(brought).every((all) => all === null || all.length === 0)) return [];
    const row = { channel, label: LABELS[channel], ...economics(facts, period, brought) };
    return [
      { key: channel, investment: brought.spent && spendOf(brought.spent), newCustomers: brought.entered.length, row },
    ];
  });
  return listOf(facts, span, rows);
}

export function campaigns(facts: Facts, span: Dates): Answer {
  const period = periodOf(facts, span);
  const named = [...period.orders, ...period.entered.map(firstOf)].flatMap(({ campaign }) => campaign ?? []);
  const all = [...period.spend.map(({ campaign: { connector, id } }) => ({ connector, key: id })), ...named];
  const distinct = new Map(all.map(({ connector, key }) => [`${connector} ${key}`, { connector, key }]));
  const rows = [...distinct.values()].map(({ connector, key }): Row => {
    const isIt = (one: Attribution | null): boolean => one?.connector === connector && one.key === key;
    const brought: Brought = {
      spent:
        isSpendKnown(facts) || connector === null
          ? period.spend.filter(({ campaign }) => campaign.connector === connector && campaign.id === key)
          : null,
      orders: period.orders.filter(({ campaign }) => isIt(campaign)),
      entered: period.entered.filter((customer) => isIt(firstOf(customer).campaign)),
    };
    const landed = facts.campaigns.find((one) => one.connector === connector && one.id === key);
    const row = {
      campaignId: landed?.id ?? null,
      campaignName: landed?.name ?? key,
      connector,
      strategy: (landed ?? named.find(isIt))?.strategy ?? null,
      impressions: whole(brought.spent && Fraction.sum(brought.spent.map(({ impressions }) => impressions))),
      clicks: whole(brought.spent && Fraction.sum(brought.spent.map(({ clicks }) => clicks))),
      ...economics(facts, period, brought),
    };
    const own = { investment: brought.spent && spendOf(brought.spent), newCustomers: brought.entered.length, row };
    return { key, connector: connector ?? "", ...own };
  });
  return listOf(facts, span, rows);
}

export function newCustomers(facts: Facts, span: Dates): Answer {
  const { granularity, points } = pointsOf(facts, span);
  const data = points.map(({ date, span: point }) => {
    const { entered } = periodOf(facts, point);
    const of = (channel: string): number => entered.filter((one) => firstOf(one).channel === channel).length;
    const byChannel = Object.fromEntries(CHANNELS.map((channel) => [channel, of(channel)]));
    return { date, newCustomers: entered.length, channels: byChannel };
  });
  return { period: datesOf(span), asOf: facts.asOf, coverage: coverageOf(facts, span, "stores"), granularity, data };
}
