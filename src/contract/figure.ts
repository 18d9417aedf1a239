/** What a number is in: says how it is rounded [D8], and what a reader may expect. */
export type Measure =
  | "currency"
  | "ratio"
  | "percent"
  | "months"
  | "days"
  /** Of goods or conversions, or a rate of them: up to four decimals. */
  | "units"
  | "count"
  /** As the request's `view` says. */
  | "count or currency";

/** What an answer's figure is. */
export type Unit =
  | Measure
  /** A number that the vendor says nothing more of. */
  | "number"
  | "flag"
  | "text"
  | "day"
  | "instant"
  | { readonly choice: readonly string[] }
  /** A list of some of these. */
  | { readonly choices: readonly string[] }
  | { readonly object: Figures }
  | { readonly array: Figures }
  /** An object whose keys are data: every value has these figures. `key`: what a key is, where it has a column. */
  | { readonly keyed: Figures; readonly key: Figures }
  /** One or the other. */
  | { readonly either: readonly Figures[] }
  /** Nothing, always. */
  | "null";

export interface Figure {
  readonly unit: Unit;
  readonly description: string;
  /** Of a number: how it is computed from figures of the same answer, or from what is counted. */
  readonly formula?: string;
  /** When it is null; without this it never is. */
  readonly nullWhen?: string;
  /** When the answer carries it; without this it always does. */
  readonly presentWhen?: string;
}

export type Figures = Readonly<Record<string, Figure>>;

const measured =
  (unit: Measure) =>
  (description: string, formula: string): Figure => ({ unit, description, formula });
const of =
  (unit: Unit) =>
  (description: string): Figure => ({ unit, description });

export const currency = measured("currency");
export const ratio = measured("ratio");
export const percent = measured("percent");
export const months = measured("months");
export const days = measured("days");
export const units = measured("units");
export const count = measured("count");
export const countOrCurrency = measured("count or currency");
export const truth = of("flag");
export const word = of("text");
export const date = of("day");
export const instant = of("instant");
export const choice = (of: readonly string[], description: string): Figure => ({ unit: { choice: of }, description });
export const object = (figures: Figures, description: string): Figure => ({ unit: { object: figures }, description });
export const array = (figures: Figures, description: string): Figure => ({ unit: { array: figures }, description });
export const keyed = (key: Figures, figures: Figures, description: string): Figure => ({
  unit: { keyed: figures, key },
  description,
});
/** The figure where it may be null, and when it is. */
export const orNull = (figure: Figure, nullWhen: string): Figure => ({ ...figure, nullWhen });
