/** A value of a query's column: the days since 1970 of a day, the unscaled number of a decimal. */
export type Value = number | bigint | string | boolean | null;
export type Columns = readonly (readonly Value[])[];

/** Values that an answer applies in addition to the rows. */
export interface Basis {
  readonly marginPercent: number;
}

/** A model gets the rows of its SQL file part by part, as columns, and then computes its figures. */
export interface Model {
  add(columns: Columns): void;
  /** Whether the rows are too few for a fit: then the figures take no time. */
  readonly isTooLittle: boolean;
  figures(basis: Basis): Readonly<Record<string, unknown>>;
}
