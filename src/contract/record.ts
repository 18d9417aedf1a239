import { type Field, type Fields, instant, text, unitOf } from "./field.ts";
import type { Figure, Figures, Unit } from "./figure.ts";

export const CONNECTORS = ["socialads", "searchads", "webanalytics", "crm", "storea", "storeb"] as const;
export type Connector = (typeof CONNECTORS)[number];

/** The bookkeeping fields a served row carries beside its own [D22]. */
const BOOKKEEPING = {
  organization_id: text("Organization."),
  user_id: text("User of the integration, as the settings say now.", { nullWhen: "they name none" }),
  document_id: text("The row: a stable hash of its natural key and integration."),
  integration_name: text("Name of the integration, as the settings say now.", { nullWhen: "they name none" }),
  integration_id: text("Integration: the connected account that the row came from."),
  organization_id_legacy: text("No longer in use.", { nullWhen: "always" }),
  inserted_at: instant("When this version of the row was landed."),
} as const satisfies Fields;

export type Bookkeeping = keyof typeof BOOKKEEPING;

/** Whether a column of a plain table means anything to us: a field of the record, or what its served rows carry beside. */
export const isKnownColumn = ({ fields }: Pick<RecordDeclaration, "fields">, name: string): boolean =>
  Object.hasOwn(fields, name) || Object.hasOwn(BOOKKEEPING, name);

/** How a string filter compares: exactly, as a part of the text, or without regard to case. */
export type Match = "exact" | "contains" | "ignoringCase";

export type Filter =
  | {
      readonly match: Match;
      readonly field: string;
      /** What a value may lack at its beginning: `gid://shopify/Product/`. */
      readonly prefix?: string;
    }
  /** Bounds of a day or an instant [D21]; the value may be `a|b`: b where a is null. */
  | { readonly from: string }
  | { readonly to: string };

/** One of the sixteen row endpoints: a paged list of one record. */
export interface Served {
  readonly path: string;
  readonly summary: string;
  readonly bookkeeping: readonly Bookkeeping[];
  /** Query parameter → what it filters. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** The relation of `sql/core` that its rows are read from; else they are the landed rows, the winning version of each. */
  readonly source?: string;
  /** The field of the default order; `document_id` breaks ties. */
  readonly order: string;
  /** Whether `orderBy` and `orderDirection` are taken. */
  readonly sortable?: boolean;
}

/**
 * A vendor's record: what lands, and how its rows are told apart. The mapping from the vendor's objects is
 * `sql/staging/<connector>/<name>.sql`.
 */
export interface RecordDeclaration {
  readonly connector: Connector;
  readonly name: string;
  /** What one row is. */
  readonly grain: string;
  readonly fields: Fields;
  /** The natural key within an integration. */
  readonly key: readonly string[];
  /** Fields a row must have; without this, those of the key. */
  readonly required?: readonly string[];
  /** The field with the vendor's own timestamp of this version: the newest wins. */
  readonly version?: string;
  /** The field that says when what a row tells of happened; may be `a|b`: b where a is null. Absent: how things stand. */
  readonly day?: string;
  /** Keeps one row per landing instead of the newest alone: readings over time. */
  readonly history?: boolean;
  /** Rows of one key may be broken down further; the mapping says by what in `_segment`, and they are combined. */
  readonly segmented?: boolean;
  /**
   * Where the vendor's objects lie in its envelopes: `data[]`, `data.orders.edges[].node`.
   * Absent: the record has no export of its own but comes with another's.
   */
  readonly envelopes?: readonly string[];
  /** Keys beside an envelope's rows that the mapping needs to read them (column headers of a report). */
  readonly context?: readonly string[];
  /** Keys any of which tells a plain table of the record's own fields from the vendor's object. */
  readonly plain?: readonly string[];
  /** Objects whose parent stands on another line of the file (`__parentId`) are folded into it. */
  readonly bulk?: boolean;
  readonly served?: Served;
}

/** `storea_orders`: the record's name in SQL and in file names. */
export function relationOf(record: Pick<RecordDeclaration, "connector" | "name">): string {
  return `${record.connector}_${record.name.replaceAll("-", "_")}`;
}

/** A record with a row endpoint. */
export type ServedRecord = RecordDeclaration & { readonly served: Served };

export const isServed = (record: RecordDeclaration): record is ServedRecord => record.served !== undefined;

/** The fields a served row carries, in order: the record's own, then its bookkeeping. */
export const servedFields = (record: ServedRecord): string[] => [
  ...Object.keys(record.fields).filter((name) => !record.fields[name]?.internal),
  ...record.served.bookkeeping,
];

/** The relation that a record's rows are served from, sorted in the default order. */
export const servedRelation = (record: ServedRecord): string => record.served.source ?? relationOf(record);

const NOT_TOLD = "the export does not tell";

/** When a row has null in one of its record's own fields; undefined: never. */
function nullRule(record: RecordDeclaration, name: string, field: Field): string | undefined {
  if ((record.required ?? record.key).includes(name)) return undefined;
  if (field.computed) return field.nullWhen;
  const rule = field.nullWhen ?? NOT_TOLD;
  return field.combine === "none" ? `${rule}, or reported it in parts, which do not add up` : rule;
}

const figureOf = (field: Field, nullWhen: string | undefined): Figure => ({
  unit: figureUnit(field),
  description: field.description,
  ...(nullWhen ? { nullWhen } : {}),
});

function figureUnit(field: Field): Unit {
  const { kind, of = {} } = field;
  if (kind === "text" || kind === "json") return "text";
  if (kind === "flag" || kind === "day" || kind === "instant") return kind;
  if (kind !== "list") return unitOf(field) ?? "number";
  const members = Object.entries(of).map(([name, member]) => [name, figureOf(member, member.nullWhen ?? NOT_TOLD)]);
  return { array: Object.fromEntries(members) };
}

/** What a served row holds, as figures. */
export function servedFigures(record: ServedRecord): Figures {
  const own = Object.entries(record.fields).filter(([, field]) => !field.internal);
  return Object.fromEntries([
    ...own.map(([name, field]) => [name, figureOf(field, nullRule(record, name, field))]),
    ...record.served.bookkeeping.map((name) => {
      const field: Field = BOOKKEEPING[name];
      return [name, figureOf(field, field.nullWhen)];
    }),
  ]);
}
