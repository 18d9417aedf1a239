import type { Accepted } from "./param.ts";

/** The languages of the texts that people read, and how each writes numbers and dates. The first is that of the API. */
export const LOCALES = ["en", "pt-BR"] as const;
export type Locale = (typeof LOCALES)[number];

/** The first row of a table: names of fields, or labels. */
export const HEADINGS = ["names", "labels"] as const;

/** How people want to read a table in CSV or XLSX. The formats of programs ignore it. */
interface Dialect {
  /** Undefined: as programs read it. */
  readonly locale: Locale | undefined;
  readonly hasLabels: boolean;
}

export const dialectOf = ({ locale, headings }: Accepted): Dialect => ({
  locale: (locale ?? undefined) as Locale | undefined,
  hasLabels: headings === "labels",
});
