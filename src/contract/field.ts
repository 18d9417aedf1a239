import type { Measure } from "./figure.ts";

/**
 * The vocabulary of values: each field knows its type in the lake, its type in JSON, its unit and what it means.
 * Records and endpoints are tables of these, and everything that needs a type reads it here.
 */
export type FieldKind = "text" | "json" | "flag" | "integer" | "number" | "money" | "day" | "instant" | "list";

/** How rows that break one record down further (by hour, device, ad…) become one: add up, compute again, or drop. */
export type Combine = "sum" | "none" | { recompute: string };

export interface Field {
  readonly kind: FieldKind;
  readonly description: string;
  /** What a number is in; of money it is currency, of an integer a count. */
  readonly unit?: Measure;
  /** When a served row has null there, where that says more than that the export does not tell. */
  readonly nullWhen?: string;
  /** Landed for the analyses, never served as a row's field. */
  readonly internal?: boolean;
  /** Not in any export: computed in `sql/core`. */
  readonly computed?: boolean;
  readonly combine?: Combine;
  /** Of a list: the fields of its elements. */
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

/** Marks fields as landed for the analyses only. */
export function internal(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, internal: true }]));
}

/** What a field's number is in; undefined of what is no number, and where the vendor does not tell. */
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
