import type { Measure } from "./figure.ts";

/**
 * The vocabulary of values: each field has its type in the lake, its type in JSON, its unit and its meaning. Records and
 * endpoints are tables of fields, and everything that needs a type reads it here.
 */
export type FieldKind = "text" | "json" | "flag" | "integer" | "number" | "money" | "day" | "instant" | "list";

/** How rows that break one record down further (by hour, device, ad…) are combined: sum, recompute, or drop. */
export type Combine = "sum" | "none" | { recompute: string };

export interface Field {
  readonly kind: FieldKind;
  readonly description: string;
  /** Unit of a number; the default is currency for money and count for integers. */
  readonly unit?: Measure;
  /** When this is null in a served row, unless it simply was not in the export. */
  readonly nullWhen?: string;
  /** Landed for the analyses, never served as a row's field. */
  readonly internal?: boolean;
  /** Not in any export: computed in `sql/core`. */
  readonly computed?: boolean;
  readonly combine?: Combine;
  /** Fields of a list's elements. */
  readonly of?: Fields;
}

export type Fields = Readonly<Record<string, Field>>;

type Extra = Pick<Field, "unit" | "nullWhen" | "internal" | "computed" | "combine">;

const of =
  (kind: FieldKind) =>
  (description = "", extra: Extra = {}): Field => ({ kind, description, ...extra });

export const text = of("text");
/** JSON carried as text. */
export const json = of("json");
export const flag = of("flag");
export const integer = of("integer");
export const number = of("number");
/** An amount in currency units, never a float. */
export const money = of("money");
export const day = of("day");
export const instant = of("instant");
export const list = (fields: Fields, description = "", extra: Extra = {}): Field => ({
  kind: "list",
  description,
  of: fields,
  ...extra,
});

/** Marks fields as internal. */
export function internal(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, internal: true }]));
}

/** Unit of a field's number; undefined if it is not a number or the vendor does not document the unit. */
export function unitOf({ kind, unit }: Field): Measure | undefined {
  if (unit) return unit;
  if (kind === "money") return "currency";
  return kind === "integer" ? "count" : undefined;
}

const DUCKDB: Record<Exclude<FieldKind, "list">, string> = {
  text: "varchar",
  json: "varchar",
  flag: "boolean",
  integer: "bigint",
  number: "double",
  money: "decimal(18, 6)",
  day: "date",
  instant: "timestamptz",
};

/** The field's type in the lake. */
export function duckdbType(field: Field): string {
  if (field.kind !== "list") return DUCKDB[field.kind];
  const members = Object.entries(field.of ?? {}).map(([name, member]) => `"${name}" ${duckdbType(member)}`);
  return `struct(${members.join(", ")})[]`;
}
