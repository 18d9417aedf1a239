import { daysFrom, plusDays, type Span, within } from "./days.ts";
import { Fraction } from "./fraction.ts";
import { type Customer, firstSale, isFirst, isLater, netRevenue, type Sale, type SoldLine } from "./sales.ts";
import type { Stock } from "./stock.ts";

/** The metrics of a product, or of several together: the formulas of the rules in exact numbers. */

export interface StoreFacts {
  readonly sales: readonly Sale[];
  readonly hasReturns: boolean;
  /** min(today, day of the store's last sync) [D34]; null if it never landed anything. */
  readonly asOfDay: string | null;
  readonly asOf: string | null;
  readonly now: number;
}

export type Metrics = Readonly<Record<string, Fraction | null>>;
export interface Measured {
  readonly metrics: Metrics;
  readonly states: Readonly<Record<string, unknown>>;
}

const count = (of: number): Fraction => new Fraction(of);
export const DAY = 86_400_000;
const WINDOW = 180;

/** The sales of some products, order by order. */
export interface Bought {
  readonly sale: Sale;
  readonly lines: readonly SoldLine[];
}

export const boughtOf = (sales: readonly Sale[], products: ReadonlySet<string>): Bought[] =>
  sales.flatMap((sale) => {
    const lines = sale.lines.filter(({ product, sold }) => sold > 0 && product !== null && products.has(product));
    return lines.length === 0 ? [] : [{ sale, lines }];
  });

export function measured(facts: StoreFacts, products: ReadonlySet<string>, stock: Stock, period: Span): Measured {
  const bought = boughtOf(facts.sales, products);
  const inPeriod = bought.filter(({ sale }) => within(sale.day, period));
  const sold = soldOf(inPeriod);
  const cohort = cohortOf(facts, enteredBy(bought, period));
  const velocity = velocityOf(facts, bought);
  const days = stock.available === null ? null : count(stock.available).per(velocity);
  const noSales = sold.grossUnits.isZero;
  return {
    metrics: {
      grossSales: sold.grossSales,
      netSales: sold.netSales,
      grossUnits: sold.grossUnits,
      netUnits: sold.netUnits,
      averageTicket: sold.averageTicket,
      cogs: sold.cogs,
      marginTotal: sold.marginTotal,
      marginAverage: sold.marginAverage,
      newCustomers: cohort.entryCustomers,
      recurringCustomers: count(customersOf(inPeriod.filter(({ sale }) => isLater(sale))).size),
      ...cohort,
      availableStock: stock.available === null ? null : count(stock.available),
      velocity30d: velocity,
      daysOfStock: days,
      returnRate: noSales || !facts.hasReturns ? null : sold.grossUnits.minus(sold.netUnits).per(sold.grossUnits),
    },
    states: {
      inventoryState: stock.state,
      inventoryFreshness: freshness(stock, facts.now),
      inventoryUpdatedAt: stock.readAt,
      cohortState: cohortState(cohort.entryCustomers, cohort.matureEntryCustomers),
      cohortWindowDays: WINDOW,
      asOf: facts.asOf,
      coverage: {
        grossValue: share(sold.valuedUnits, sold.grossUnits),
        cost: share(sold.costedUnits, sold.grossUnits),
        inventory: share(count(stock.skusRead), count(stock.skus)),
        matureCohort: share(cohort.matureEntryCustomers, cohort.entryCustomers),
      },
      ndReasons: {
        averageTicket: sold.averageTicket === null ? "no_sales_base" : null,
        margin: sold.marginReason,
        averageMargin: sold.netSales?.isZero ? "no_net_sales" : sold.marginReason,
        daysOfStock: days === null ? daysReason(stock) : null,
        ltv180: cohortReason(cohort.entryCustomers, cohort.matureEntryCustomers),
        repurchaseRate180: cohortReason(cohort.entryCustomers, cohort.matureEntryCustomers),
        returnRate: noSales ? "no_sales_base" : facts.hasReturns ? null : "no_returns_coverage",
      },
    },
  };
}

const share = (part: Fraction, whole: Fraction): number => (part.per(whole) ?? Fraction.zero).number(4);

// ----------------------------------------------------------------------------------------------------------- sales

interface Sold {
  readonly grossSales: Fraction | null;
  readonly netSales: Fraction | null;
  readonly grossUnits: Fraction;
  readonly netUnits: Fraction;
  readonly valuedUnits: Fraction;
  readonly costedUnits: Fraction;
  readonly averageTicket: Fraction | null;
  readonly cogs: Fraction | null;
  readonly marginTotal: Fraction | null;
  readonly marginAverage: Fraction | null;
  readonly marginReason: string | null;
}

export function soldOf(bought: readonly Bought[]): Sold {
  let [gross, net, cost] = [Fraction.zero, Fraction.zero, Fraction.zero];
  let [units, kept, valued, costed] = [0, 0, 0, 0];
  for (const { sold, returned, value, cost: unitCost } of bought.flatMap(({ lines }) => lines)) {
    units += sold;
    kept += sold - returned;
    if (value !== null) {
      valued += sold;
      gross = gross.plus(value.times(count(sold)));
      net = net.plus(value.times(count(sold - returned)));
    }
    if (unitCost !== null) {
      costed += sold;
      cost = cost.plus(unitCost.times(count(sold - returned)));
    }
  }
  const unknown = units > 0 && valued === 0;
  const marginReason = valued < units ? "incomplete_gross_value" : costed < units ? "incomplete_cost" : null;
  const margin = marginReason === null ? net.minus(cost) : null;
  return {
    grossSales: unknown ? null : gross,
    netSales: unknown ? null : net,
    grossUnits: count(units),
    netUnits: count(kept),
    valuedUnits: count(valued),
    costedUnits: count(costed),
    averageTicket: unknown ? null : net.per(count(bought.length)),
    cogs: marginReason === null ? cost : null,
    marginTotal: margin,
    marginAverage: margin?.per(net) ?? null,
    marginReason,
  };
}

// ------------------------------------------------------------------------------------------------------- customers

export const customersOf = (bought: readonly Bought[]): Set<Customer> =>
  new Set(bought.map(({ sale }) => sale.customer).filter((customer) => customer !== null));

type Cohort = Readonly<Record<"entryCustomers" | "matureEntryCustomers", Fraction>> &
  Readonly<
    Record<
      "ltv180" | "repurchaseRate180" | "ltvToDate" | "repurchaseRateToDate" | "cohortElapsedDaysAverage",
      Fraction | null
    >
  >;

/** Customers whose first purchase, in the period, contains a product [D34]: its parts may be of several days. */
export const enteredBy = (bought: readonly Bought[], period: Span): Customer[] =>
  [...customersOf(bought.filter(({ sale }) => isFirst(sale)))].filter((one) => within(firstSale(one).day, period));

function cohortOf({ asOfDay }: StoreFacts, entered: readonly Customer[]): Cohort {
  // East of UTC a sale may be on the day after the as-of day.
  const elapsed = (customer: Customer): number =>
    asOfDay === null ? 0 : Math.max(0, daysFrom(firstSale(customer).day, asOfDay) - 1);
  const mature = entered.filter((customer) => elapsed(customer) >= WINDOW);
  const within180 = (customer: Customer): Sale[] =>
    customer.sales.filter(({ day }) => day <= plusDays(firstSale(customer).day, WINDOW - 1));
  const average = (customers: readonly Customer[], of: (customer: Customer) => Fraction): Fraction | null =>
    Fraction.sum(customers.map(of)).per(count(customers.length));
  const revenue = (sales: readonly Sale[]): Fraction => Fraction.sum(sales.map(netRevenue));
  const whether = (is: boolean): Fraction => (is ? Fraction.one : Fraction.zero);
  return {
    entryCustomers: count(entered.length),
    matureEntryCustomers: count(mature.length),
    ltv180: average(mature, (customer) => revenue(within180(customer))),
    repurchaseRate180: average(mature, (customer) => whether(within180(customer).some(isLater))),
    ltvToDate: average(entered, ({ sales }) => revenue(sales)),
    repurchaseRateToDate: average(entered, ({ sales }) => whether(sales.some(isLater))),
    cohortElapsedDaysAverage: average(entered, (customer) => count(Math.min(elapsed(customer), WINDOW))),
  };
}

function cohortState(entered: Fraction, mature: Fraction): string {
  if (entered.isZero) return "no_base";
  if (mature.isZero) return "maturing";
  return mature.compare(entered) === 0 ? "mature" : "partial";
}

function cohortReason(entered: Fraction, mature: Fraction): string | null {
  if (!mature.isZero) return null;
  return entered.isZero ? "no_base" : "maturing";
}

// ----------------------------------------------------------------------------------------------------------- stock

/** Units sold per day over the 30 complete days before the as-of day. */
function velocityOf({ asOfDay }: StoreFacts, bought: readonly Bought[]): Fraction {
  if (asOfDay === null) return Fraction.zero;
  const span = { start: plusDays(asOfDay, -30), end: plusDays(asOfDay, -1) };
  const lines = bought.filter(({ sale }) => within(sale.day, span)).flatMap((one) => one.lines);
  return new Fraction(
    lines.reduce((sum, { sold }) => sum + sold, 0),
    30,
  );
}

function freshness({ readAt }: Stock, now: number): string {
  if (readAt === null) return "missing";
  return now - Date.parse(readAt) > DAY ? "stale" : "fresh";
}

function daysReason({ state }: Stock): string {
  if (state === "unlimited" || state === "unmonitored") return state;
  return state === "unknown" ? "no_inventory" : "no_movement";
}
