import type { Span } from "./days.ts";
import { byText, type Facts, firstOf } from "./facts.ts";
import {
  changeOf,
  count,
  enteredBy,
  type Figure,
  ltvOf,
  paybackOf,
  periodOf,
  ratioOf,
  revenueIn,
  revenueOf,
  spendOf,
  spentOn,
} from "./figures.ts";
import type { Fraction } from "./fraction.ts";
import { type Answer, money, months, percent, ratio, spanBefore, whole } from "./profitability.ts";
import { CHANNELS, LABELS } from "./text.ts";

/** `/v1/acquisition/summary` and `/channels`, from the specification's sentences alone. */

interface Dates {
  readonly start: string;
  readonly end: string;
}

const datesOf = ({ start, end }: Dates): Answer => ({ startDate: start, endDate: end });

function metricsOf(facts: Facts, span: Span): Record<string, Figure> {
  const period = periodOf(facts, span);
  const acquired = enteredBy(period, "acquisition");
  const spent = spentOn(period, "acquisition");
  const acquisitionInvestment = spendOf(spent);
  // Null when no acquisition campaign spent, or they brought no customer.
  const unknown = acquisitionInvestment.isZero || acquired.length === 0;
  const cac = unknown ? null : acquisitionInvestment.per(count(acquired));
  const acquisitionAvgLtv = unknown ? null : ltvOf(facts, acquired);
  const contribution = revenueIn(period, acquired).times(facts.margin.rate);
  return {
    investment: spendOf(period.spend),
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

export function summary(facts: Facts, span: Dates): Answer {
  const before = spanBefore(span);
  const [now, then] = [metricsOf(facts, span), metricsOf(facts, before)];
  const metrics = Object.entries(now).map(([name, value]) => [
    name,
    {
      value: (SHOWN[name] ?? money)(value),
      changePct: name === "paybackMonths" ? null : percent(changeOf(value, then[name] ?? null)),
    },
  ]);
  return {
    period: datesOf(span),
    previousPeriod: datesOf(before),
    asOf: facts.asOf,
    ...facts.margin.fields,
    ...Object.fromEntries(metrics),
    hasAcquisitionClassification: facts.hasAcquisition,
  };
}

export function channels(facts: Facts, span: Dates): Answer {
  const period = periodOf(facts, span);
  const { rate } = facts.margin;
  const rows = CHANNELS.map((channel) => {
    const spent = period.spend.filter(({ campaign }) => campaign.connector === channel);
    const orders = period.orders.filter((order) => order.channel === channel);
    const entered = period.entered.filter((customer) => firstOf(customer).channel === channel);
    const investment = spendOf(spent);
    const unknown = investment.isZero || entered.length === 0;
    const cac = unknown ? null : investment.per(count(entered));
    const ltv = ltvOf(facts, entered);
    const newCustomersRevenue = revenueIn(period, entered);
    return {
      there: spent.length + orders.length + entered.length > 0,
      investment,
      row: {
        channel,
        label: LABELS[channel],
        investment: money(investment),
        orders: orders.length,
        revenue: money(revenueOf(orders)),
        newCustomers: entered.length,
        newCustomersRevenue: money(newCustomersRevenue),
        cac: money(cac),
        ltv: money(ltv),
        ltvCacRatio: ratio(ratioOf(ltv, cac)),
        roi: ratio(unknown ? null : newCustomersRevenue.times(rate).minus(investment).per(investment)),
        paybackMonths: months(paybackOf(facts, entered, spent)),
      },
    };
  });
  const data = rows
    .filter(({ there }) => there)
    .sort(
      (a, b) =>
        descending(a.investment, b.investment) ||
        b.row.newCustomers - a.row.newCustomers ||
        byText(a.row.channel, b.row.channel),
    )
    .map(({ row }) => row);
  return { period: datesOf(span), asOf: facts.asOf, ...facts.margin.fields, data };
}

const descending = (a: Fraction, b: Fraction): number => b.compare(a);
