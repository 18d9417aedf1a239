/** Unit of a number; it determines the rounding [D8]. */
export type Measure =
  | "currency"
  | "ratio"
  | "percent"
  | "months"
  | "days"
  /** Goods or conversions, or a rate of them: up to four decimals. */
  | "units"
  | "count"
  /** Depends on the request's `view`. */
  | "count or currency";

/** Type of an answer's figure. */
export type Unit =
  | Measure
  /** A number whose unit the vendor does not document. */
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
  /** An object whose keys are data: every value has these figures. `key`: the column of the keys in a table. */
  | { readonly keyed: Figures; readonly key: Figures }
  /** One of several objects. */
  | { readonly either: readonly Figures[] }
  /** Always null. */
  | "null";

export interface Figure {
  readonly unit: Unit;
  readonly description: string;
  /** How a number is computed, from figures of the same answer or from rows. */
  readonly formula?: string;
  /** When it is null; absent: never. */
  readonly nullWhen?: string;
  /** When the answer carries it; absent: always. */
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
/** The figure, which is null in this case. */
export const orNull = (figure: Figure, nullWhen: string): Figure => ({ ...figure, nullWhen });
