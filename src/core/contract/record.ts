import { elementsOf, type Field, type FieldKind, type Fields, instant, kindOf, text } from "./field.ts";

/** The kind of a connector's vendor; analyses ask for a kind, not for connectors by name. */
export type ConnectorKind = "ads" | "analytics" | "crm" | "store" | "finance";

export const CONNECTOR_KINDS = {
  socialads: "ads",
  searchads: "ads",
  webanalytics: "analytics",
  crm: "crm",
  storea: "store",
  storeb: "store",
  finance: "finance",
} as const satisfies Record<string, ConnectorKind>;

export type Connector = keyof typeof CONNECTOR_KINDS;

export const CONNECTORS = Object.keys(CONNECTOR_KINDS) as Connector[];

export const connectorsOf = (kind: ConnectorKind): Connector[] =>
  CONNECTORS.filter((connector) => CONNECTOR_KINDS[connector] === kind);

/** The bookkeeping fields that a served row carries in addition to its own [D22]. */
const BOOKKEEPING = {
  organization_id: text("Organization."),
  user_id: text("User of the integration, from the present settings.", { nullWhen: "the settings name no user" }),
  document_id: text("Identifier of the row: a stable hash of its natural key and integration."),
  integration_name: text("Name of the integration, from the present settings.", {
    nullWhen: "the settings give it no name",
  }),
  integration_id: text("Integration: the connected account of the row."),
  organization_id_legacy: text("No longer in use.", { nullWhen: "always" }),
  inserted_at: instant("When this version of the row was landed."),
} as const satisfies Fields;

type Bookkeeping = keyof typeof BOOKKEEPING;

/** A column that breaks rows of one key down: by ad, device, hour… */
export interface Breakdown {
  /** The key in `_segment`, as the mapping of the vendor's objects writes it. */
  readonly key: string;
  /** The columns that may hold it; the first that is filled counts. */
  readonly columns: readonly string[];
  /** Keys of finer breakdowns: next to one of them it says nothing more. */
  readonly unless?: readonly string[];
  /** Whether a report by it may leave out parts of what is broken down: a campaign spends beside its keywords, too. */
  readonly ofParts?: true;
}

export const breakdownColumns = ({ breakdowns = [] }: Pick<RecordDeclaration, "breakdowns">): string[] =>
  breakdowns.flatMap(({ columns }) => columns);

/** The place of a row's currency [D4]. */
export interface NamedCurrency {
  /** A field of the record. */
  readonly field?: string;
  /** A path in the vendor's object. */
  readonly object?: string;
  /** A key of the envelope's context, and a path in it. */
  readonly context?: readonly [key: string, path: string];
  /** Columns of a plain table that are no fields. */
  readonly columns?: readonly string[];
}

/** Whether a column of a plain table is known: a field of the record, a breakdown, a currency, or a bookkeeping field. */
export const isKnownColumn = (
  record: Pick<RecordDeclaration, "fields" | "breakdowns" | "currency">,
  name: string,
): boolean =>
  Object.hasOwn(record.fields, name) ||
  Object.hasOwn(BOOKKEEPING, name) ||
  breakdownColumns(record).includes(name) ||
  (record.currency?.columns ?? []).includes(name);

/** How a text filter compares: equal, contained, or equal ignoring case. */
export type Match = "exact" | "contains" | "ignoringCase";

export type Filter =
  | {
      readonly match: Match;
      readonly field: string;
      /** A prefix that a request may omit: `gid://shopify/Product/`. */
      readonly prefix?: string;
    }
  /** Bounds of a day or an instant [D21]; the value may be `a|b`: b where a is null. */
  | { readonly from: string }
  | { readonly to: string };

/** A row endpoint: a paged list of one record. */
interface Served {
  readonly path: string;
  readonly summary: string;
  readonly bookkeeping: readonly Bookkeeping[];
  /** Filters, by query parameter. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** The relation of `sql/core` with its rows; absent: the winning versions of the landed rows. */
  readonly source?: string;
  /** The field of the default order; `document_id` breaks ties. */
  readonly order: string;
  /** Whether it accepts `orderBy` and `orderDirection`. */
  readonly sortable?: boolean;
}

/** How people get an export of a record. */
interface ExportGuide {
  /** The call of the vendor's API. */
  readonly api: string;
  /** The table that the vendor's pages export, and how to get it. */
  readonly download?: string;
  /** The unit of amounts in the vendor's objects, if it is not that of a table. */
  readonly vendorAmounts?: string;
  /** Other names of the columns, as tables of people and of other programs have them. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
}

/** How a table with a row for each line of a list is read: its rows of one key are one row of the record [D230]. */
interface Lines {
  /** The list of the record. */
  readonly into: string;
  /** Columns that such a table has for the line, next to the fields of the record. */
  readonly columns: Fields;
  /** One column of each group makes a table one of lines. */
  readonly needs: readonly (readonly string[])[];
  /** Required fields that the lines add up to where the table has no column of them. */
  readonly adds: readonly string[];
  /** Other names of these columns. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Fields whose names in such a table mean the line: without one in the sample that says so, the line's column is read. */
  readonly instead: Readonly<Record<string, string>>;
}

/**
 * A vendor's record: the fields that land, and the key of its rows. The mapping from the vendor's objects is
 * `sql/staging/<connector>/<name>.sql`.
 */
export interface RecordDeclaration {
  readonly connector: Connector;
  readonly name: string;
  /** The meaning of one row. */
  readonly grain: string;
  readonly fields: Fields;
  /** The natural key within an integration. */
  readonly key: readonly string[];
  /** Fields that a row must have; absent: those of the key. */
  readonly required?: readonly string[];
  /** The field with the vendor's timestamp of this version: the newest wins. */
  readonly version?: string;
  /** The field with the time of a row's event; may be `a|b`: b where a is null. Absent: rows describe a present state. */
  readonly day?: string;
  /** Columns of a plain table that break its rows down further, in the order of their keys in `_segment`. */
  readonly breakdowns?: readonly Breakdown[];
  /** The place of a row's currency; absent: rows name none. */
  readonly currency?: NamedCurrency;
  /**
   * Columns that carry the source of an order, or the value that a platform claims for a campaign: those of a table without
   * them are unknown, not empty or 0 [D15], [D54].
   */
  readonly source?: readonly string[];
  /** Orders count only with one of these [D3]: of a table without them none does. */
  readonly payment?: readonly string[];
  /** Keeps one row per landing instead of only the newest: readings over time. */
  readonly history?: boolean;
  /** Rows of one key may be broken down further: the mapping writes the breakdown to `_segment`, and they are combined. */
  readonly segmented?: boolean;
  /**
   * Paths of the vendor's objects in its envelopes: `data[]`, `data.orders.edges[].node`.
   * Absent: the record has no exports of its own; it lands with another record.
   */
  readonly envelopes?: readonly string[];
  /** Present in every record that has exports. An example of the vendor's objects is in `fixtures/examples`. */
  readonly guide?: ExportGuide;
  /** Keys of an envelope, next to its rows, that the mapping needs (column headers of a report). */
  readonly context?: readonly string[];
  /** Keys of the vendor's object that no envelope has: an object with one of them is not an envelope. */
  readonly own?: readonly string[];
  /** Any of these keys identifies a plain table of the record's fields, as opposed to the vendor's object. */
  readonly plain?: readonly string[];
  /**
   * Its exports are tables of the organization's own, in any format: the mapping reads their columns, which the guide's labels
   * also name. All their rows are kept, and `sql/core` says which of one key count [D71].
   */
  readonly ownTable?: true;
  /** A table may have a row for each line of what the record is, such as a product of an order [D230]. */
  readonly lines?: Lines;
  /** The amount in which rows of one key in a file add up. */
  readonly addsUp?: string;
  /** Objects whose parent is on another line of the file (`__parentId`) are merged into it. */
  readonly bulk?: boolean;
  readonly served?: Served;
}

/** `storea_orders`: the record's name in SQL and in file names. */
export function relationOf(record: Pick<RecordDeclaration, "connector" | "name">): string {
  return `${record.connector}_${record.name.replaceAll("-", "_")}`;
}

/** `storea/orders` */
export const titleOf = ({ connector, name }: Pick<RecordDeclaration, "connector" | "name">): string =>
  `${connector}/${name}`;

/** Fields that a row must have. */
export const requiredFields = ({ required, key }: RecordDeclaration): readonly string[] => required ?? key;

/** The fields that come from an export. */
export const landedFields = (record: RecordDeclaration): [string, Field][] =>
  Object.entries(record.fields).filter(([, field]) => !field.computed);

/** The names of the fields that come from an export. */
export const landedNames = ({ fields }: Pick<RecordDeclaration, "fields">): string[] =>
  Object.keys(fields).filter((name) => !fields[name]?.computed);

/** The columns of a table of one's own: the fields, and what one with a row for each line has of the line. */
export const ownColumns = (record: Pick<RecordDeclaration, "fields" | "lines">): string[] => [
  ...landedNames(record),
  ...Object.keys(record.lines?.columns ?? {}),
];

/** Whether a table with these columns has a row for each line. */
export const hasLines = ({ lines }: Pick<RecordDeclaration, "lines">, columns: readonly string[]): boolean =>
  lines?.needs.every((group) => group.some((name) => columns.includes(name))) ?? false;

/** The columns without which no row of a table with these columns lands. */
export const requiredColumns = (record: RecordDeclaration, columns: readonly string[]): readonly string[] =>
  hasLines(record, columns)
    ? requiredFields(record).filter((name) => !record.lines?.adds.includes(name))
    : requiredFields(record);

/** A column of a plain table, or a member of a list in one. */
interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

const TYPES: Readonly<Record<FieldKind, string>> = {
  text: "text",
  json: "JSON as text",
  flag: "true or false",
  integer: "whole number",
  number: "number",
  money: "amount",
  day: "day",
  instant: "instant",
  list: "list as JSON",
};

function typeOf(field: Field): string {
  if (field.unit === "currency") return TYPES.money;
  if (field.unit === "percent" || field.unit === "ratio") return field.unit;
  return TYPES[kindOf(field)];
}

/** The columns of the line, of a table with a row for each line. */
export const lineColumns = ({ lines }: RecordDeclaration): TableColumn[] =>
  Object.entries(lines?.columns ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field),
    isRequired: false,
    meaning: field.description,
  }));

/** The columns of a plain table of the record. */
export function tableColumns(record: RecordDeclaration): TableColumn[] {
  const columns = (fields: Fields, prefix: string, required: readonly string[]): TableColumn[] =>
    Object.entries(fields)
      .filter(([, field]) => !field.computed)
      .flatMap(([name, field]) => [
        {
          name: prefix + name,
          type: typeOf(field),
          isRequired: required.includes(name),
          meaning: field.nullWhen ? `${field.description} Empty if ${field.nullWhen}.` : field.description,
        },
        ...columns(elementsOf(field), `${prefix}${name}[].`, []),
      ]);
  return columns(record.fields, "", requiredFields(record));
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

const NOT_EXPORTED = "the export does not contain it";

/** When one of the record's own fields is null in a row; undefined: never. */
function nullRule(record: RecordDeclaration, name: string, field: Field): string | undefined {
  if (requiredFields(record).includes(name)) return undefined;
  if (field.computed) return field.nullWhen;
  const rule = field.nullWhen ?? NOT_EXPORTED;
  return field.combine === "none" ? `${rule}, or reports it in parts, which do not add up` : rule;
}

/** A field without a rule of its own is null if the export does not contain it; so are those of a list's elements. */
function ofRow(field: Field, nullWhen: string | undefined): Field {
  const { nullWhen: _, ...rest } = field;
  const elements = Object.entries(elementsOf(field)).map(([name, element]): [string, Field] => [
    name,
    ofRow(element, element.nullWhen ?? NOT_EXPORTED),
  ]);
  return {
    ...rest,
    ...(kindOf(field) === "list" ? { unit: { array: Object.fromEntries(elements) } } : {}),
    ...(nullWhen ? { nullWhen } : {}),
  };
}

/** The fields of a served row, with the rules of their nulls. */
export function rowFields(record: ServedRecord): Fields {
  const own = Object.entries(record.fields).filter(([, field]) => !field.internal);
  return Object.fromEntries([
    ...own.map(([name, field]) => [name, ofRow(field, nullRule(record, name, field))]),
    ...record.served.bookkeeping.map((name) => [name, BOOKKEEPING[name]]),
  ]);
}

/** Note on a table that lacks a column without which no row counts. */
export function unpaidNote(
  { payment = [] }: Pick<RecordDeclaration, "payment">,
  columns: readonly string[],
): string | undefined {
  if (payment.length === 0 || payment.some((name) => columns.includes(name))) return undefined;
  return (
    `no order of it counts, because it has no column ${payment.join(" or ")}: map the one with the day of payment, which is ` +
    `empty for unpaid orders (lucra import --map ${payment[0]}=…)`
  );
}
