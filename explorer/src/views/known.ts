import type { Figure } from "../answers.ts";
import { isOfMargin, lacksMargin } from "../margin.ts";

/** The inputs that a figure needs. If one is 0, the API's rules answer 0; the page shows "not available". */
const NEEDS: Readonly<Record<string, readonly Needed[]>> = {
  averageTicket: ["orders"],
  cpv: ["orders", "investment"],
  cac: ["investment", "newCustomers"],
  ltvCacRatio: ["investment", "newCustomers"],
  clv: ["investment"],
  roi: ["investment"],
};

type Needed = "orders" | "investment" | "newCustomers";

const REASONS: Readonly<Record<Needed, string>> = {
  orders: "no_orders",
  investment: "no_media",
  newCustomers: "no_customers",
};

/**
 * Lifetime values to date: earlier customers have had longer to buy again, so a change says nothing. The previous `ltv` and
 * `retentionLtv` are even those of all customers acquired so far, not of a period [D25].
 */
const NOT_COMPARABLE = ["ltv", "retentionLtv", "ltvCacRatio", "clv"];

export const isComparable = (name: string): boolean => !NOT_COMPARABLE.includes(name);

const of = (figures: object, name: string): Figure => (figures as Readonly<Record<string, Figure>>)[name] ?? null;

/** The reason why a figure is unknown; undefined if it is known or if the answer itself has null. */
export const unknownFor = (indicators: object, name: string): string | undefined =>
  lacksMargin(indicators) && isOfMargin(name)
    ? "no_margin"
    : NEEDS[name]?.filter((needed) => of(indicators, needed) === 0).map((needed) => REASONS[needed])[0];

/** The figure, or null if it is unknown: an unknown figure is never 0. */
export const knownOf = (indicators: object, name: string): Figure =>
  unknownFor(indicators, name) === undefined ? of(indicators, name) : null;
