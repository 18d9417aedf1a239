import type { Figure } from "../answers.ts";
import { isMarginMissing, isOfMargin, lacksMargin } from "../margin.ts";

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

/** Figures that spend is a part of, and that have no other input that the page knows. */
const OF_SPEND = ["investment", "contributionProfit"];

/** Whether a figure is unknown because the spend of the store is [D86]: nothing else makes spend unknown. */
const lacksSpend = (indicators: object, name: string): boolean =>
  (indicators as { readonly investment?: Figure }).investment === null &&
  (OF_SPEND.includes(name) || (NEEDS[name]?.includes("investment") ?? false));

/** The reason why a figure is unknown; undefined if it is known or if the answer itself has null. */
export const unknownFor = (indicators: object, name: string): string | undefined =>
  lacksMargin(indicators) && isOfMargin(name)
    ? "no_margin"
    : lacksSpend(indicators, name)
      ? "hidden_spend"
      : NEEDS[name]?.filter((needed) => of(indicators, needed) === 0).map((needed) => REASONS[needed])[0];

/** The figure, or null if it is unknown: an unknown figure is never 0. */
export const knownOf = (indicators: object, name: string): Figure =>
  unknownFor(indicators, name) === undefined ? of(indicators, name) : null;

/** Inputs whose 0 makes the page show "not available" where the API's rules answer a number. */
const DECIDING: readonly string[] = ["orders", "investment", "newCustomers", "cac"];

interface Input {
  readonly figure: string;
  readonly value: Figure;
}

/** Why the page does not show a figure that an explanation has a number for. */
export function hiddenBecause(path: string, inputs: readonly Input[]): string | undefined {
  const last = (text: string): string => text.split(".").at(-1) ?? text;
  const name = last(path);
  if (isMarginMissing.value && isOfMargin(name)) return "no_margin";
  if (!Object.hasOwn(NEEDS, name)) return undefined;
  const zeros = inputs.filter(({ figure, value }) => value === 0 && DECIDING.includes(last(figure)));
  const needed = (NEEDS[name] ?? []).find((one) => zeros.some(({ figure }) => last(figure) === one));
  return needed ? REASONS[needed] : zeros.length > 0 ? "no_media" : undefined;
}
