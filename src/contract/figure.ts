/** What an answer's figure is: its unit says how it is rounded [D8], and what a reader may expect. */
export type Unit =
  | "currency"
  | "ratio"
  | "percent"
  | "months"
  | "days"
  /** Of goods, or a rate of them: up to four decimals. */
  | "units"
  | "count"
  | "flag"
  | "text"
  | "day"
  | "instant"
  | { readonly choice: readonly string[] }
  | { readonly object: Figures }
  | { readonly array: Figures }
  /** An object whose keys are data: every value has these figures. `key`: what a key is, where it has a column. */
  | { readonly keyed: Figures; readonly key: Figures };

export interface Figure {
  readonly unit: Unit;
  readonly description: string;
  readonly nullable?: boolean;
}

export type Figures = Readonly<Record<string, Figure>>;

const of =
  (unit: Unit) =>
  (description: string): Figure => ({ unit, description });

export const currency = of("currency");
export const ratio = of("ratio");
export const percent = of("percent");
export const months = of("months");
export const days = of("days");
export const units = of("units");
export const count = of("count");
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
export const orNull = (figure: Figure): Figure => ({ ...figure, nullable: true });
