import type { Advice, Targets } from "../../../../src/features/actions/advice.ts";
import { type ActionFormats, sentenceOf } from "../../../../src/features/actions/sentence.ts";
import { figure, hero, share, type Unit } from "../../format.ts";
import { t } from "../../text.ts";

const UNITS: Readonly<Record<keyof Targets, Unit>> = {
  revenue: "currency",
  contribution3: "currency",
  profit: "currency",
  margin: "percent",
  cac: "currency",
  ltvCacRatio: "times",
};

const FORMATS: ActionFormats = {
  money: (amount) => hero(amount, "currency"),
  count: (n) => figure(n, "count"),
  days: (n) => figure(n, "days"),
  share,
  target: (value, of) => hero(value, UNITS[of]),
  line: (item) => ((t().metric as Readonly<Record<string, string>>)[item] ?? item).toLocaleLowerCase(),
  named: (name) => name,
};

/** The sentence of an advice, with its numbers and its store if there are others. */
export const textOf = (advice: Advice): string => sentenceOf(advice, t().advice, FORMATS);

/** What the link of an advice is called. */
export function linkText(advice: Advice): string {
  const words = t().cockpit;
  const { view } = advice;
  if (view === "overview") return advice.name === "target" ? words.openStatement : words.openMissing;
  if (view === "products") return words.openProducts;
  return view === "acquisition" ? words.openAcquisition : words.openData;
}
