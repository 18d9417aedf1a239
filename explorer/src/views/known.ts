import type { Figure } from "../answers.ts";

/** What a figure of a period cannot be known without. The answer then has 0, as the API's rules want it. */
const NEEDS: Readonly<Record<string, readonly Needed[]>> = {
  averageTicket: ["orders"],
  cpv: ["orders", "investment"],
  cac: ["investment", "newCustomers"],
  ltvCacRatio: ["investment", "newCustomers"],
  clv: ["investment"],
  roi: ["investment"],
};

type Needed = "orders" | "investment" | "newCustomers";

const WITHOUT: Readonly<Record<Needed, string>> = {
  orders: "no_orders",
  investment: "no_media",
  newCustomers: "no_customers",
};

/** The base of these is everyone won so far, not the period's customers: what they were before is of other people. */
const OF_ANOTHER_BASE = ["ltv", "retentionLtv"];

export const isComparable = (name: string): boolean => !OF_ANOTHER_BASE.includes(name);

const of = (figures: object, name: string): Figure => (figures as Readonly<Record<string, Figure>>)[name] ?? null;

/** Why a figure of some indicators is not known; undefined when it is, or when the answer says so itself. */
export const unknownFor = (indicators: object, name: string): string | undefined =>
  NEEDS[name]?.filter((needed) => of(indicators, needed) === 0).map((needed) => WITHOUT[needed])[0];

/** A figure as far as it is known: null is "not available", never 0. */
export const knownOf = (indicators: object, name: string): Figure =>
  unknownFor(indicators, name) === undefined ? of(indicators, name) : null;
