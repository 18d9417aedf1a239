import type { Field, Fields } from "./field.ts";

/**
 * Days, relative to the place of a figure in an answer:
 *
 * - `span`: the days of its row, of the period compared with, or of the period; `until`: all up to the last of these,
 * - `step`: the days of a step of a cohort; `firstStep`: of its first step; `untilStep`: of all steps up to it,
 * - `complete`: the days of the cohorts for which the step is over,
 * - `cutoff`: all up to the last day that a test knows.
 */
export type Days = "span" | "until" | "step" | "firstStep" | "untilStep" | "complete" | "cutoff" | "all";

/** Orders or spend with one value of an attribute. `row`: the value that the row is of. */
export type Attribute = "row" | { readonly strategy: string } | { readonly channel: string };

/** A set of counted orders; each member restricts it. */
export interface OrdersOf {
  /** By the orders' own days. */
  readonly ordered?: Days;
  /** Orders of customers, by the day of their first order. */
  readonly acquired?: Days;
  readonly purchase?: "first" | "repeat";
  /** Only customers' first orders themselves, without the others of a first purchase. */
  readonly isFirst?: true;
  /** Orders of customers whose first order is before the days of `ordered`; orders without a customer, or of one whose first order is later. */
  readonly customer?: "recurring" | "neither";
  /** By the order's own attribute. */
  readonly own?: Attribute;
  /** By the attribute of the customer's first order. */
  readonly first?: Attribute;
  /** Only orders with or without real cost. */
  readonly cost?: "real" | "none";
  /** Only orders after the calendar month of the customer's first. */
  readonly isLater?: true;
  /** Only orders within the steps of a cohort up to that of the figure. */
  readonly isWithinSteps?: true;
  /** Only the order that the row is. */
  readonly isRow?: true;
  /** Only orders of the campaign that the request names. */
  readonly isRequested?: true;
  /** Of customers: only their orders in the store and channel that the request filters by; otherwise all, wherever [D86]. */
  readonly isFiltered?: true;
}

/** A set of rows of `media_spend`. */
export interface SpendOf {
  readonly spent: Days;
  readonly of?: Attribute;
  /** Only spend of the campaign that the request names. */
  readonly isRequested?: true;
}

/**
 * A set of sales of a store [D33] with a product or a category: by their days, those of the last 30 days or 12 months, or
 * all of the customers who entered through it in these days. `invoiced`: those of all stores and products by their days.
 */
export type SalesOf = "sold" | "recent" | "year" | "entered" | "invoiced";

/** The rows that a figure is computed from, in addition to the figures that its formula names. */
export interface Basis {
  readonly orders?: readonly OrdersOf[];
  readonly spend?: readonly SpendOf[];
  readonly sales?: readonly SalesOf[];
  /** Other records, by the kind of their connectors. */
  readonly also?: "analytics" | "store" | "finance";
  /** Whether all this, and the figures that the formula names, are those of the period compared with, or of both. */
  readonly of?: "compared" | "both";
}

/** The fields, those of each group with its basis. The names of a group are separated by spaces. */
export function basedOn(groups: Readonly<Record<string, Basis>>, fields: Fields): Fields {
  const bases = new Map(
    Object.entries(groups).flatMap(([names, basis]) => names.split(" ").map((name): [string, Basis] => [name, basis])),
  );
  const missing = [...bases.keys()].filter((name) => !Object.hasOwn(fields, name));
  if (missing.length > 0) throw new Error(`no fields to give a basis: ${missing.join(", ")}`);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, Field] => {
      const basis = bases.get(name);
      return [name, basis ? { ...field, basis } : field];
    }),
  );
}

/** The fields, with this basis those numbers that have none, also in objects and lists. */
export const allBasedOn = (basis: Basis, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { unit } = field;
      if (typeof unit !== "object") return [name, { basis, ...field }];
      if ("array" in unit) return [name, { ...field, unit: { ...unit, array: allBasedOn(basis, unit.array) } }];
      return [name, "object" in unit ? { ...field, unit: { object: allBasedOn(basis, unit.object) } } : field];
    }),
  );
