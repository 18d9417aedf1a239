import type { Basis } from "./basis.ts";

/**
 * The vocabulary of values, of the lake as well as of answers: each field has its unit or type, its meaning and when it
 * is null. Records and endpoints are tables of fields, and everything that needs a type reads it here.
 */

/** Units of numbers; they determine the rounding [D8]. */
const MEASURES = [
  "currency",
  "ratio",
  "percent",
  "months",
  "days",
  /** Goods or conversions: two decimals in analyses, four for a rate of them. */
  "units",
  "count",
  /** Depends on the request's `view`. */
  "count or currency",
  /** A number whose unit the vendor does not document. */
  "number",
] as const;

/** Unit of a number, or type of any other value. */
export type Unit =
  | (typeof MEASURES)[number]
  | "flag"
  | "text"
  | "day"
  | "instant"
  | { readonly choice: readonly string[] }
  /** A list of some of these. */
  | { readonly choices: readonly string[] }
  /** A list of texts. */
  | "texts"
  /** Lists of any values. */
  | "lists"
  /** Texts and numbers, or null, by names that are data. */
  | "values"
  /** Rows of any values, in the order of columns that are data. */
  | "rows"
  | { readonly object: Fields }
  /** `isUnnested`: in a table each element is a row. */
  | { readonly array: Fields; readonly isUnnested?: true }
  /** An object whose keys are data: every value has these fields. `key`: the column of the keys in a table. */
  | { readonly keyed: Fields; readonly key: Fields }
  /** A text; a list of two, each of which may be null, where the parameter of this name crosses two attributes. `of`: how many it has. */
  | { readonly crossed: string; readonly of?: number }
  /** One of several objects. */
  | { readonly either: readonly Fields[] }
  /** Always null. */
  | "null";

/** How a value is stored in the lake. */
export type FieldKind = "text" | "json" | "flag" | "integer" | "number" | "money" | "day" | "instant" | "list";

/** How rows that break one record down further (by hour, device, ad…) are combined: sum, recompute, or drop. */
type Combine = "sum" | "none" | { recompute: string };

export interface Field {
  readonly unit: Unit;
  readonly description: string;
  /** How a number is computed, from fields of the same answer or from rows. */
  readonly formula?: string;
  /** When it is null. Absent: never; in a record: whenever the export does not contain it. */
  readonly nullWhen?: string;
  /** When an answer carries it; absent: always. */
  readonly presentWhen?: string;
  /** How a record's field is stored, where the unit does not determine it: amounts that vendors report as floats. */
  readonly stored?: FieldKind;
  /** Landed for the analyses, never served as a row's field. */
  readonly internal?: boolean;
  /** Personal data: null, in the page, for those who only read [D90]. */
  readonly isPersonal?: boolean;
  /** Null in this answer: personal data, for somebody who only reads. */
  readonly isHidden?: boolean;
  /** Not in any export: computed in `sql/core`. */
  readonly computed?: boolean;
  readonly combine?: Combine;
  /** The rows that a figure is computed from. Absent: those of the figures that its formula names. */
  readonly basis?: Basis;
  /** An object of the period that the answer compares with: its first and last day, or its figures. */
  readonly compared?: "days" | "figures";
}

export type Fields = Readonly<Record<string, Field>>;

/** The formula of an answer's number, or further properties. */
type Detail = string | Omit<Field, "unit" | "description">;

const of =
  (unit: Unit, base: Partial<Field> = {}) =>
  (description = "", detail: Detail = {}): Field => ({
    unit,
    description,
    ...base,
    ...(typeof detail === "string" ? { formula: detail } : detail),
  });

export const text = of("text");
/** JSON carried as text. */
export const json = of("text", { stored: "json" });
export const flag = of("flag");
export const day = of("day");
export const instant = of("instant");
export const number = of("number");
export const currency = of("currency");
export const ratio = of("ratio");
export const percent = of("percent");
export const months = of("months");
export const days = of("days");
export const units = of("units");
export const count = of("count");
export const countOrCurrency = of("count or currency");
export const choice = (of: readonly string[], description: string): Field => ({ unit: { choice: of }, description });
export const object = (fields: Fields, description: string): Field => ({ unit: { object: fields }, description });
export const array = (fields: Fields, description = ""): Field => ({ unit: { array: fields }, description });
/** A list whose elements are the rows of a table. */
export const unnested = (fields: Fields, description: string): Field => ({
  unit: { array: fields, isUnnested: true },
  description,
});
export const keyed = (key: Fields, fields: Fields, description: string): Field => ({
  unit: { keyed: fields, key },
  description,
});

/** The value, or the two values, of what the rows are broken down by. */
export const crossed = (parameter: string, description: string): Field => ({
  unit: { crossed: parameter },
  description,
});

/** The object, which has the days or the figures of the period that the answer compares with. */
export const compared = (has: "days" | "figures", field: Field): Field => ({ ...field, compared: has });

/** The field, which is null in this case. */
export const orNull = (field: Field, nullWhen: string): Field => ({ ...field, nullWhen });

/** The field as personal data, which its description says. */
export const personal = (field: Field): Field => ({
  ...field,
  description: `${field.description.replace(/\.$/, "")}; personal data.`,
  isPersonal: true,
});

/** Marks fields as internal. */
export function internal(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, internal: true }]));
}

/** The fields of a list's elements. */
export const elementsOf = ({ unit }: Field): Fields => (typeof unit === "object" && "array" in unit ? unit.array : {});

/** The fields of the objects in a value; undefined if it has none. */
export function membersOf(unit: Unit): Fields | undefined {
  if (typeof unit !== "object") return undefined;
  if ("object" in unit) return unit.object;
  if ("array" in unit) return unit.array;
  if ("keyed" in unit) return unit.keyed;
  // A block in error has the same fields.
  return "either" in unit ? unit.either[0] : undefined;
}

/** Whether the value has several objects, each under a number or a key. */
export const isMany = ({ unit }: Field): boolean => typeof unit === "object" && ("array" in unit || "keyed" in unit);

const NUMBERS: ReadonlySet<unknown> = new Set(MEASURES);

export const isNumber = ({ unit }: Field): boolean => NUMBERS.has(unit);

/** How the field of a record is stored. */
export function kindOf({ unit, stored }: Field): FieldKind {
  if (stored) return stored;
  if (typeof unit === "object") return "array" in unit ? "list" : "text";
  if (unit === "text" || unit === "flag" || unit === "day" || unit === "instant") return unit;
  if (unit === "currency") return "money";
  return unit === "count" ? "integer" : "number";
}

export const isKind = (field: Field | undefined, kind: FieldKind): boolean =>
  field !== undefined && kindOf(field) === kind;

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
  const kind = kindOf(field);
  if (kind !== "list") return DUCKDB[kind];
  const members = Object.entries(elementsOf(field)).map(([name, member]) => `"${name}" ${duckdbType(member)}`);
  return `struct(${members.join(", ")})[]`;
}
