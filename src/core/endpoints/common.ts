import type { Basis, OrdersOf, SpendOf } from "../contract/basis.ts";
import { CHANNELS } from "../contract/channel.ts";
import { type Field, orNull } from "../contract/field.ts";
import { COMPARISONS, organizationId, type Param, type Params, type PeriodRule } from "../contract/param.ts";
import type { Strategy } from "../contract/settings.ts";

/** The parameters of an analysis over any period. */
export const period: Params = {
  organizationId,
  startDate: { kind: "day", description: "First day, inclusive; the default of both dates is the whole history." },
  endDate: { kind: "day", description: "Last day, inclusive; the default of both dates is the whole history." },
};

/** The period that the answer is compared with [D50]. */
export const compare: Param = {
  kind: "choice",
  of: COMPARISONS,
  fallback: "previous",
  refusesEmpty: true,
  description:
    "What the period is compared with: `previous`, the period of the same length right before it; `year`, the same dates one year earlier (29 February becomes 28); `weekdays`, the same weekdays 364 days earlier; `none`, nothing.",
};

/** Longest series by day: a century. */
export const MOST_DAYS = 36_525;

/** Any period: BI tools request everything since 1900. */
export const anyPeriod: PeriodRule = { start: "startDate", end: "endDate", bothOrNone: "ignored" };

/** An analysis over any period. */
export const common = { params: period, periods: [anyPeriod], unknown: "refused", cacheSeconds: 1800 } as const;

/** The filters of an analysis [D86]. */
export const filters: Params = {
  integrationId: {
    kind: "uuid",
    // Without it the answer is about everything: that must not come of a client's empty variable.
    refusesEmpty: true,
    description:
      "Only this store: its orders, the customers whose first order is there, and the spend of the ad accounts that name it alone.",
  },
  channel: {
    kind: "choice",
    of: CHANNELS,
    refusesEmpty: true,
    description:
      "Only this channel: its orders, the customers whose first order came by it, and the spend of the connector of its name.",
  },
};

/** The names of the filters. */
export const FILTERS = Object.keys(filters);

export const UNKNOWN_SPEND = "the spend of the store is unknown";
export const IS_FILTERED = "a filter is sent";

/** The field where it may be null for a further reason. */
const orAlsoNull = (nullWhen: string, field: Field): Field =>
  orNull(field, field.nullWhen ? `${field.nullWhen}, or ${nullWhen}` : nullWhen);

/** A figure of spend, which may be unknown of a store [D86]. */
export const ofSpend = (field: Field): Field => orAlsoNull(UNKNOWN_SPEND, field);

/** The same of a quotient, which has nothing to divide by with a filter. */
export const ofFilteredSpend = (field: Field): Field =>
  orAlsoNull(`${IS_FILTERED} and there is no spend or no new customer, or ${UNKNOWN_SPEND}`, field);

/** An analysis over any period that can be filtered. */
export const filtered = { ...common, params: { ...period, ...filters }, filters: "strict" } as const;

/** Fields of the envelope. */
export const dated = ["period", "asOf", "coverage"] as const;
export const margin = ["marginPercent", "marginConfigured", "marginCompleteness", "marginItemStatus"] as const;

/** The classes that the settings give to campaigns. */
export const STRATEGIES: readonly Strategy[] = ["acquisition", "brand", "monetization"];

/** A basis of orders or of spend only. */
export const ordersOf = (...orders: OrdersOf[]): Basis => ({ orders });
export const spendOf = (...spend: SpendOf[]): Basis => ({ spend });

/** The orders of customers acquired in the figure's days, in a row those whose first order has its value. */
export const ACQUIRED_BY_ROW: OrdersOf = { acquired: "span", first: "row" };

/** The spend of the figure's days: all of it, that of campaigns of a class, and that of the row's value. */
export const SPENT: SpendOf = { spent: "span" };
export const SPENT_BY_ROW: SpendOf = { spent: "span", of: "row" };
export const spentOn = (strategy: Strategy | "unclassified"): SpendOf => ({ spent: "span", of: { strategy } });

/** The field with this basis. */
export const withBasis = (basis: Basis, field: Field): Field => ({ ...field, basis });
