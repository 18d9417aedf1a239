import { zipSync } from "fflate";
import { workbook } from "../../test/support/workbook.ts";
import { dayIn, decoded, instantIn, isUtf8, type Notation, normalized, notationOf, numberIn, readCsv } from "./csv.ts";
import {
  CONTROL,
  digits,
  type FileSet,
  type Found,
  type FoundRows,
  isForeign,
  type Kind,
  type Random,
  upTo,
  type Value,
} from "./kind.ts";

type Type = "id" | "text" | "number" | "day" | "instant";

interface Column {
  readonly heading: string;
  readonly type: Type;
  /** Without it the file is no longer one of its kind. */
  readonly isNeeded?: boolean;
}

/** A table that is written as text. */
interface Layout {
  readonly columns: Readonly<Record<string, Column>>;
  readonly encoding: "utf8" | "latin1" | "utf16le";
  /** How a vendor writes a missing figure. */
  readonly none?: RegExp;
  /** Whether it has the record's own columns: then its first row is the heading, which is spelled differently. */
  readonly isPlain?: boolean;
}

/** A row of a table as text, with the values of its cells. */
interface TableRow {
  readonly cells: Readonly<Record<string, string>>;
  readonly all: readonly string[];
  readonly first: string;
  /** Whether it has as many cells as the heading. */
  readonly isWide: boolean;
  /** Whether its text is in the file's encoding, and can only be in that. */
  readonly isText: boolean;
}

interface Table {
  readonly rows: readonly TableRow[];
  readonly notation: Notation;
  readonly has: (field: string) => boolean;
}

/** A heading without accents, capitals, doubled spaces and currency. */
const plain = (heading: string): string =>
  heading
    .replace(/^\ufeff/, "")
    .replace(/ \([A-Z]{3}\)\s*$/, "")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== "")
    .join(" ");

/** A heading of the record's own columns, in which spaces, points and hyphens may replace underscores. */
const fieldOf = (heading: string): string =>
  heading
    .replace(/^\ufeff/, "")
    .trim()
    .toLowerCase()
    .split(/[\s.-]+|__/)
    .join("_");

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
/** One row in so many that is UTF-8 may be a damaged one of another encoding. */
const MOST_UTF8 = 11;
const UNASSIGNED = /[\x81\x8d\x8f\x90\x9d]/;

/** The text of a file, each byte a character; UTF-16 becomes UTF-8. */
function textOf(bytes: Buffer, { encoding }: Layout): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    try {
      return Buffer.from(new TextDecoder("utf-16le", { fatal: true }).decode(bytes)).toString("latin1");
    } catch {
      return undefined;
    }
  }
  if (encoding === "utf16le") return undefined;
  return bytes.toString("latin1").replace(/^\xef\xbb\xbf/, "");
}

function tableOf(bytes: Buffer, layout: Layout): Table | undefined {
  const text = textOf(bytes, layout);
  if (text === undefined) return undefined;
  for (const separator of [",", ";", "\t", "|"]) {
    const lines = readCsv(text, separator);
    const at = (lines ?? []).slice(0, layout.isPlain ? 1 : 20).findIndex((cells) => isHeading(cells, layout));
    if (lines && at >= 0) return tableIn(lines[at] as string[], lines.slice(at + 1), layout);
  }
  return undefined;
}

const spelling = ({ isPlain }: Layout): ((heading: string) => string) => (isPlain ? fieldOf : plain);

const headings = (cells: readonly string[], layout: Layout): string[] =>
  cells.map((cell) => spelling(layout)(decoded(cell)));

function isHeading(cells: readonly string[], layout: Layout): boolean {
  const found = headings(cells, layout);
  return Object.values(layout.columns).every(
    ({ heading, isNeeded }) => !isNeeded || found.includes(spelling(layout)(heading)),
  );
}

function tableIn(heading: readonly string[], lines: readonly string[][], layout: Layout): Table | undefined {
  const found = headings(heading, layout);
  const places = Object.entries(layout.columns).map(
    ([field, column]) => [field, found.indexOf(spelling(layout)(column.heading))] as const,
  );
  const isTwice = places.some(([, at]) => at >= 0 && found.indexOf(found[at] as string, at + 1) >= 0);
  if (isTwice) return undefined;
  // With bytes that Windows-1252 does not have, or rows that are UTF-8, all of the file's text may be in another encoding.
  const others = lines.filter((cells) => !cells.every(isAscii));
  const isOther =
    layout.encoding === "latin1" &&
    (others.some((cells) => cells.some((cell) => UNASSIGNED.test(cell))) ||
      others.filter((cells) => cells.every(isUtf8)).length * MOST_UTF8 > others.length);
  // Programs write all rows alike: in a download, empty cells after the last column are in its first row, too.
  const isWide = (cells: readonly string[]): boolean =>
    cells.length === heading.length ||
    (cells.length > heading.length &&
      cells.slice(heading.length).every((cell) => cell === "") &&
      (layout.isPlain || cells.length === lines[0]?.length));
  const rows = lines.map((cells): TableRow => {
    const all = cells.map((cell) => decoded(cell));
    return {
      all,
      cells: Object.fromEntries(places.flatMap(([field, at]) => (at < 0 ? [] : [[field, (all[at] ?? "").trim()]]))),
      first: (all[found.findIndex((one) => one !== "")] ?? "").trim(),
      isWide: isWide(cells),
      isText: cells.every(isAscii) || (cells.every(isUtf8) !== (layout.encoding === "latin1") && !isOther),
    };
  });
  const numbers = Object.entries(layout.columns).filter(([, { type }]) => type === "number");
  const notation = notationOf(
    rows.filter(({ isWide }) => isWide).flatMap(({ cells }) => numbers.map(([field]) => cells[field] ?? "")),
  );
  if (!notation) return undefined;
  return { rows, notation, has: (field) => places.some(([name, at]) => name === field && at >= 0) };
}

/** What a cell is as its type; undefined if it cannot be read. */
function typedCell(type: Type, text: string, notation: Notation, none?: RegExp): string | null | undefined {
  if (text === "" || none?.test(text)) return null;
  if (type === "number") return numberIn(text, notation);
  if (type === "day") return dayIn(text);
  // The account's time zone is UTC.
  if (type === "instant") return (instantIn(text) ?? instantIn(`${text}Z`))?.toString();
  return text;
}

/** Whether a text may be refused or rejected for its characters. */
const isStrange = (text: string): boolean => CONTROL.test(text) || text !== text.trim();

interface Read {
  readonly values: Readonly<Record<string, string | null | undefined>>;
  readonly isReadable: boolean;
  readonly isIntact: boolean;
}

/** The values of a row by its columns; those of absent columns are null. */
function readRow(row: TableRow, { notation }: Table, { columns, none }: Layout): Read {
  const values = Object.fromEntries(
    Object.entries(columns).map(([field, { type }]) => [
      field,
      typedCell(type, row.cells[field] ?? "", notation, none),
    ]),
  );
  const isReadable = row.isWide && Object.values(values).every((value) => value !== undefined);
  const isIntact =
    isReadable &&
    row.isText &&
    !row.all.some(isStrange) &&
    Object.entries(columns).every(([field, { type }]) => {
      const text = row.cells[field] ?? "";
      if (type === "number") return text === "" || none?.test(text) || /^-?\d(?:[\d.,]{0,11}\d)?$/.test(text);
      return type === "id" ? /^[\w#-]{1,40}$/.test(text) : type !== "day" || /^(?:19|20)\d\d-\d\d-\d\d$/.test(text);
    });
  return { values, isReadable, isIntact };
}

const csv = (rows: readonly (readonly string[])[], mark: string, end: string): string =>
  rows
    .map(
      (row) => row.map((cell) => (/[",;\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(mark) + end,
    )
    .join("");

/** Texts that need quotes or an encoding. */
const NAMES = ["Total Wine", 'x, "y"; z', "Conheça ação", "Busca - Marca", "[Acq] Sapato", "Verão é já"];
const nameOf = (random: Random): string => NAMES[upTo(random, NAMES.length)] as string;

const amountOf = (cents: number, notation: Notation): string => {
  const [whole = "", fraction = ""] = (cents / 100).toFixed(2).split(".");
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, notation === "en" ? "," : ".");
  return `${groups}${notation === "en" ? "." : ","}${fraction}`;
};
const countOf = (count: number, notation: Notation): string =>
  String(count).replace(/\B(?=(?:\d{3})+$)/g, notation === "en" ? "," : ".");
const dayOf = (number: number): string => new Date(Date.UTC(2025, 0, 1 + number)).toISOString().slice(0, 10);
const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

interface Report {
  readonly layout: Layout;
  readonly notation: Notation;
  readonly separator: string;
  /** Lines above the heading, and whether the last rows are totals. */
  readonly above?: readonly (readonly string[])[];
  readonly hasTotals: boolean;
  /** Fields of which a row of totals has none. */
  readonly names: readonly string[];
  /** How a total is recognized by its first cell. */
  readonly total?: RegExp;
}

/** The text of an ad report: a row per campaign and day. */
function reportOf(
  random: Random,
  { layout, notation, separator, above = [], hasTotals, total }: Report,
): { bytes: Buffer; rows: string[][] } {
  const fields = Object.keys(layout.columns);
  const made = Array.from({ length: 4 + upTo(random, 10) }, (_, at) => ({
    name: nameOf(random),
    id: digits(random, 13),
    day: dayOf(at),
    cents: upTo(random, 3_000_000),
    impressions: upTo(random, 200_000),
    clicks: upTo(random, 5_000),
  }));
  // Both say how the file writes its numbers.
  Object.assign(made[0] as object, { cents: 123_456 });
  const rows = made.map(({ name, id, day, cents, impressions, clicks }) => {
    const cells: Record<string, string> = {
      name,
      id,
      day,
      starts: "2025-01-01",
      ends: "2025-01-31",
      spend: amountOf(cents, notation),
      impressions: countOf(impressions, notation),
      clicks: countOf(clicks, notation),
      currency: "BRL",
    };
    return fields.map((field) => cells[field] ?? "");
  });
  const totals: Record<string, string> = {
    [fields[0] as string]: total ? "Total: Account" : "",
    spend: amountOf(sumOf(made.map(({ cents }) => cents)), notation),
    impressions: countOf(sumOf(made.map(({ impressions }) => impressions)), notation),
    clicks: countOf(sumOf(made.map(({ clicks }) => clicks)), notation),
    ...(total ? { currency: "BRL" } : { starts: "2025-01-01", ends: "2025-01-31" }),
  };
  const last = hasTotals ? [fields.map((field) => totals[field] ?? (total ? " --" : ""))] : [];
  const heading = Object.values(layout.columns).map((column) => column.heading);
  const all = [...above, heading, ...rows, ...last];
  const end = random() < 0.5 ? "\r\n" : "\n";
  const text = csv(all as string[][], separator, end);
  return {
    bytes: Buffer.from(layout.encoding === "latin1" ? text : `\ufeff${text}`, layout.encoding),
    rows: [heading, ...rows],
  };
}

/** Reads an ad report; nothing of it lands if its totals are wrong, or two rows have one key. */
function readReport(bytes: Buffer, { layout, names, total }: Report, currency?: string): FoundRows | undefined {
  const table = tableOf(bytes, layout);
  // Without a column of the day, rows are of their ranges.
  const first = ["day", "starts"].find((field) => table?.has(field));
  if (!table || !first) return undefined;
  const rows: Found[] = [];
  // A row that is no text is rejected, or read in another encoding: both sums are possible.
  const sums = new Map<string, string>();
  const sumsOfText = new Map<string, string>();
  let lines = 0;
  let isCountable = true;
  const totals: Read[] = [];
  for (const row of table.rows) {
    const read = readRow(row, table, layout);
    const { values } = read;
    const isTotal = total
      ? total.test(row.first) && (values.id ?? null) === null
      : names.length > 0 && names.every((name) => (row.cells[name] ?? "") === "");
    if (isTotal && row.isWide) {
      // A total that is no text is rejected, or read in another encoding: then it may be compared or not.
      isCountable &&= row.isText;
      if (row.isText) totals.push(read);
      continue;
    }
    lines++;
    if (!row.isWide) continue;
    if (currency && values.currency && values.currency.toUpperCase() !== currency) return undefined;
    for (const field of ["spend", "impressions", "clicks"]) {
      sums.set(field, plus(sums.get(field), values[field]));
      if (row.isText) sumsOfText.set(field, plus(sumsOfText.get(field), values[field]));
    }
    rows.push({
      key: `${values.id} ${values[first]}`,
      values: {
        spend: values.spend ?? (values.spend === null ? "0" : never),
        impressions: figureOf(table, "impressions", values.impressions),
        clicks: figureOf(table, "clicks", values.clicks),
        name: row.isText ? (values.name ?? null) : anything,
      },
      isIntact:
        ["impressions", "clicks"].every((field) => !values[field]?.includes(".")) &&
        read.isIntact &&
        values.spend !== null &&
        values.id !== null &&
        values[first] !== null,
    });
  }
  const isWrong = [sums, sumsOfText].every((all) =>
    totals.some(({ values }) =>
      ["spend", "impressions", "clicks"].some((field) => values[field] && (all.get(field) ?? "0") !== values[field]),
    ),
  );
  if (isWrong) return undefined;
  return { rows, ...(isCountable ? { lines } : {}) };
}

const anything = (): boolean => true;
const never = (): boolean => false;
const figureOf = ({ has }: Table, field: string, value: string | null | undefined): Value => {
  if (value === undefined) return never;
  return value ?? (has(field) ? (landed) => landed === null || landed === "0" : null);
};

function plus(sum = "0", value: string | null | undefined): string {
  const millionths = (text: string): bigint => {
    const [whole = "0", fraction = ""] = text.split(".");
    const all = BigInt(`${whole.replace("-", "")}${fraction.padEnd(6, "0")}`);
    return text.startsWith("-") ? -all : all;
  };
  if (!value) return sum;
  const all = millionths(sum) + millionths(value);
  const text = String(all < 0n ? -all : all).padStart(7, "0");
  return normalized(`${all < 0n ? "-" : ""}${text.slice(0, -6)}.${text.slice(-6)}`) as string;
}

const column = (heading: string, type: Type, isNeeded = false): Column => ({ heading, type, isNeeded });

const META_EN: Layout = {
  encoding: "utf8",
  none: /^-$/,
  columns: {
    starts: column("Reporting starts", "day"),
    ends: column("Reporting ends", "day"),
    name: column("Campaign name", "text"),
    id: column("Campaign ID", "id", true),
    day: column("Day", "day"),
    spend: column("Amount spent (BRL)", "number", true),
    impressions: column("Impressions", "number"),
    clicks: column("Clicks (all)", "number"),
  },
};
const META_PT: Layout = {
  ...META_EN,
  columns: {
    starts: column("Início dos relatórios", "day"),
    ends: column("Término dos relatórios", "day"),
    name: column("Nome da campanha", "text"),
    id: column("Identificação da campanha", "id", true),
    day: column("Dia", "day"),
    spend: column("Valor usado (BRL)", "number", true),
    impressions: column("Impressões", "number"),
    clicks: column("Cliques (todos)", "number"),
  },
};
const GOOGLE: Layout = {
  encoding: "utf8",
  none: /^[-–—]+$/,
  columns: {
    day: column("Day", "day", true),
    name: column("Campaign", "text"),
    id: column("Campaign ID", "id", true),
    currency: column("Currency code", "text"),
    spend: column("Cost", "number", true),
    impressions: column("Impr.", "number"),
    clicks: column("Clicks", "number"),
  },
};
const PLAIN: Layout = {
  encoding: "latin1",
  isPlain: true,
  columns: {
    day: column("date", "day", true),
    id: column("campaign_id", "id", true),
    name: column("campaign_name", "text"),
    spend: column("cost", "number", true),
    impressions: column("impressions", "number"),
    clicks: column("clicks", "number"),
  },
};

const SOCIALADS = {
  record: "socialads/campaigns",
  key: "concat(campaign_id, ' ', date_start)",
  values: { spend: "spend", impressions: "impressions", clicks: "clicks", name: "campaign_name" },
};
const SEARCHADS = {
  record: "searchads/campaigns",
  key: "concat(campaign_id, ' ', date)",
  values: { spend: "cost", impressions: "impressions", clicks: "clicks", name: "campaign_name" },
};

const META_NAMES = ["name", "id"];
const metaEn: Report = { layout: META_EN, notation: "en", separator: ",", hasTotals: true, names: META_NAMES };
const metaPt: Report = { layout: META_PT, notation: "pt-BR", separator: ";", hasTotals: false, names: META_NAMES };
const google: Report = {
  layout: GOOGLE,
  notation: "en",
  separator: ",",
  above: [["Campaign report"], ["January 1, 2025 - January 31, 2025"]],
  hasTotals: true,
  names: [],
  total: /^Total(?:: |$)/,
};
const googleTabs: Report = { ...google, layout: { ...GOOGLE, encoding: "utf16le" }, separator: "\t", hasTotals: false };
const latin: Report = { layout: PLAIN, notation: "pt-BR", separator: ";", hasTotals: false, names: [] };

const only = (files: FileSet): Buffer => Object.values(files)[0] as Buffer;

const report = (name: string, of: Report, where: typeof SOCIALADS, currency?: string): Kind => ({
  name,
  ...where,
  make: (random, number) => ({ [`${number}.csv`]: reportOf(random, of).bytes }),
  read: (files) => readReport(only(files), of, currency),
});

/**
 * In an archive, whose checksums say whether its content is damaged: all rows land unchanged, or none. Without its first
 * bytes it is no archive, and may have rows that are not packed.
 */
const packed = (name: string, where: typeof SOCIALADS, ending: string, pack: (random: Random) => Buffer): Kind => ({
  name,
  ...where,
  make: (random, number) => ({ [`${number}.${ending}`]: pack(random) }),
  read: (files, made) => {
    if (only(files).toString("latin1").startsWith("PK")) return unpacked.get(only(made))?.();
    const found = readReport(only(files), metaEn);
    return found && { rows: found.rows };
  },
});
const unpacked = new WeakMap<Buffer, () => FoundRows | undefined>();

function zipped(random: Random): Buffer {
  const { bytes } = reportOf(random, metaEn);
  const level = random() < 0.5 ? 0 : 6;
  const zip = Buffer.from(zipSync({ "report.csv": bytes }, { level }));
  unpacked.set(zip, () => readReport(bytes, metaEn));
  return zip;
}

/** A workbook whose numbers are numbers, or texts. */
function metaWorkbook(random: Random): Buffer {
  const { bytes, rows } = reportOf(random, { ...metaEn, hasTotals: false });
  const cells = rows.map((row, at) =>
    row.map((cell, column) => (at > 0 && column > 4 ? Number(cell.replaceAll(",", "")) : cell)),
  );
  const book = workbook({ "Raw Data Report": cells }, random() < 0.5);
  unpacked.set(book, () => readReport(bytes, metaEn));
  return book;
}

const ORDERS_VTEX: Layout = {
  encoding: "utf8",
  columns: {
    order: column("Order", "id", true),
    created: column("Creation Date", "instant", true),
    changed: column("Last Change Date", "instant"),
    status: column("Status raw value (temporary)", "text"),
    email: column("Email", "text"),
    currency: column("Currency Code", "text"),
    quantity: column("Quantity_SKU", "number", true),
    sku: column("ID_SKU", "id", true),
    sku_name: column("SKU Name", "text"),
    price: column("SKU Value", "number"),
    shipping: column("Shipping Value", "number"),
    total: column("Total Value", "number", true),
  },
};

const ORDERS_SHOPIFY: Layout = {
  encoding: "utf8",
  columns: {
    name: column("Name", "id", true),
    email: column("Email", "text"),
    status: column("Financial Status", "text"),
    currency: column("Currency", "text"),
    subtotal: column("Subtotal", "number"),
    total: column("Total", "number", true),
    created: column("Created at", "instant", true),
    quantity: column("Lineitem quantity", "number", true),
    sku_name: column("Lineitem name", "text", true),
    price: column("Lineitem price", "number", true),
    sku: column("Lineitem sku", "text"),
    id: column("Id", "text", true),
  },
};

interface Line {
  readonly quantity: number;
  readonly cents: number;
  readonly sku: string;
  readonly name: string;
}

/** Orders of one to three lines each. */
function ordersOf(random: Random): { id: string; name: string; total: number; lines: Line[]; minute: string }[] {
  return Array.from({ length: 2 + upTo(random, 5) }, () => {
    const lines = Array.from({ length: 1 + upTo(random, 3) }, () => ({
      quantity: 1 + upTo(random, 4),
      cents: 100 + upTo(random, 50_000),
      sku: digits(random, 6),
      name: nameOf(random),
    }));
    return {
      id: digits(random, 13),
      name: `#${digits(random, 9)}`,
      total: sumOf(lines.map(({ quantity, cents }) => quantity * cents)),
      lines,
      minute: String(10 + upTo(random, 50)),
    };
  });
}

function vtexOf(random: Random): Buffer {
  const rows = ordersOf(random).flatMap(({ id, total, lines, minute }) =>
    lines.map(({ quantity, cents, sku, name }) => [
      `v${id}-01`,
      `2025-01-08 14:${minute}:11Z`,
      `2025-01-10 09:${minute}:00Z`,
      "invoiced",
      `${id}@example.com`,
      "BRL",
      String(quantity),
      sku,
      name,
      (cents / 100).toFixed(2),
      "0",
      (total / 100).toFixed(2),
    ]),
  );
  const text = csv([Object.values(ORDERS_VTEX.columns).map(({ heading }) => heading), ...rows], ";", "\n");
  return Buffer.from(`\ufeff${text}`);
}

function shopifyOf(random: Random): Buffer {
  const rows = ordersOf(random).flatMap(({ id, name, total, lines, minute }) =>
    lines.map((line, at) => {
      const amount = (total / 100).toFixed(2);
      const own = ["a@example.com", "paid", "BRL", amount, amount, `2025-01-10 10:${minute}:00 -0300`];
      return [
        name,
        ...(at === 0 ? own : own.map(() => "")),
        String(line.quantity),
        line.name,
        (line.cents / 100).toFixed(2),
        line.sku,
        at === 0 ? id : "",
      ];
    }),
  );
  return Buffer.from(csv([Object.values(ORDERS_SHOPIFY.columns).map(({ heading }) => heading), ...rows], ",", "\n"));
}

/** The lines of a landed order, as JSON: each is one of these. */
const linesAre =
  (expected: readonly string[]): Value =>
  (landed) => {
    const lines = JSON.parse(landed ?? "[]") as (string | null)[][];
    const texts = lines.map(([sku, quantity, price]) =>
      [sku, normalized(quantity ?? ""), price === null ? null : normalized(price ?? "")].join(" "),
    );
    return JSON.stringify(texts.sort()) === JSON.stringify([...expected].sort());
  };

/** Reads a table with a row per line of an order. A row that is damaged breaks the order that it names. */
function readOrders(
  bytes: Buffer,
  layout: Layout,
  keyOf: (row: TableRow) => string,
  isFirst: (row: TableRow) => boolean,
): FoundRows | undefined {
  const table = tableOf(bytes, layout);
  if (!table) return undefined;
  const groups = new Map<string, { row: TableRow; read: Read }[]>();
  const damaged = new Set<string>();
  /** Orders that may have lost a row: a damaged one without a name is below theirs. */
  const doubtful = new Set<string>();
  let above = "";
  for (const row of table.rows) {
    const read = readRow(row, table, layout);
    const name = row.all[0]?.trim() ?? "";
    const isDamaged = !row.isWide || ("changed" in read.values && read.values.changed === undefined);
    if (isDamaged && name !== "") damaged.add(name);
    else if (isDamaged) doubtful.add(above);
    above = name || above;
    if (row.isWide) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), { row, read }]);
  }
  const rows = [...groups].map(([key, all]): Found => {
    const first = all.find(({ row }) => isFirst(row)) ?? (all[0] as (typeof all)[number]);
    const name = Object.values(first.row.cells)[0] ?? "";
    const { values } = first.read;
    // An apostrophe keeps a spreadsheet from reading an id as a number.
    const skuOf = ({ values: { sku } }: Read) => sku?.replace(/^'/, "");
    const lines = all.map(({ read }) => [skuOf(read), read.values.quantity, read.values.price].join(" "));
    const isReadable = all.every(({ read }) => read.isReadable);
    return {
      key: key.split("\n")[0] as string,
      values: {
        total: values.total ?? (values.total === null ? null : never),
        created: values.created ?? anything,
        lines: isReadable ? linesAre(lines) : anything,
      },
      isIntact:
        Boolean(values.total && values.created) &&
        !doubtful.has(name) &&
        !all.some(({ row }) => isForeign(row.cells.currency)) &&
        // The lines of an order are known only with their quantities.
        all.every(
          ({ row, read }) => read.isIntact && read.values.quantity !== null && isFirst(row) === (row === first.row),
        ),
      isBroken:
        all.some(({ row }) => row.cells.id && row.cells.id !== key) ||
        !isFirst((all[0] as (typeof all)[number]).row) ||
        isForeign(first.row.cells.currency) ||
        damaged.has(name),
    };
  });
  return { rows };
}

const STORE = {
  vtex: {
    record: "storea/orders",
    key: "order_id",
    values: {
      total: "value",
      created: "epoch_ms(creation_date)",
      lines: "to_json(list_transform(items, lambda i: [i.id, i.quantity::varchar, i.price::varchar]))",
    },
  },
  shopify: {
    record: "storeb/orders",
    key: "order_id",
    values: {
      total: "total_price",
      created: "epoch_ms(created_at)",
      lines: "to_json(list_transform(items, lambda i: [i.sku, i.quantity::varchar, i.price::varchar]))",
    },
  },
};

const CONTACTS: Layout = {
  encoding: "utf8",
  columns: {
    id: column("Record ID", "id", true),
    email: column("Email", "text", true),
    stage: column("Lifecycle Stage", "text"),
    created: column("Create Date", "text"),
    changed: column("Last Modified Date", "text"),
  },
};

function contactsOf(random: Random): Buffer {
  const rows = Array.from({ length: 4 + upTo(random, 10) }, () => {
    const minute = 10 + upTo(random, 50);
    const id = digits(random, 11);
    return [id, `c${id}@example.com`, "Customer", `2025-01-15 10:${minute}`, `2025-02-15 10:${minute}`];
  });
  return Buffer.from(csv([Object.values(CONTACTS.columns).map(({ heading }) => heading), ...rows], ",", "\n"));
}

function readContacts(bytes: Buffer): FoundRows | undefined {
  // With `ID` as its heading it is a table of the record's own columns.
  const id = column("ID", "id", true);
  const layout = tableOf(bytes, CONTACTS)
    ? CONTACTS
    : { ...CONTACTS, isPlain: true, columns: { ...CONTACTS.columns, id } };
  const table = tableOf(bytes, layout);
  if (!table) return undefined;
  const rows = table.rows.map((row): Found => {
    const { values, isIntact } = readRow(row, table, layout);
    const at = instantIn(`${values.created}Z`);
    return {
      key: values.id ?? "",
      values: {
        email: row.isText ? (values.email ?? null) : anything,
        created: values.created === null ? null : at === undefined ? anything : String(at),
      },
      isIntact: layout === CONTACTS && isIntact && at !== undefined && instantIn(`${values.changed}Z`) !== undefined,
      isBroken: !row.isWide,
    };
  });
  return { rows, lines: rows.length };
}

export const DOWNLOADS: readonly Kind[] = [
  report("Meta CSV, en", metaEn, SOCIALADS),
  report("Meta CSV, pt-BR", metaPt, SOCIALADS),
  packed("Meta XLSX", SOCIALADS, "xlsx", metaWorkbook),
  packed("Meta CSV in ZIP", SOCIALADS, "zip", zipped),
  report("Google Ads CSV", google, SEARCHADS, "BRL"),
  report("Google Ads CSV, UTF-16", googleTabs, SEARCHADS, "BRL"),
  report("plain CSV, Latin-1", latin, SEARCHADS),
  {
    name: "VTEX orders CSV",
    ...STORE.vtex,
    make: (random, number) => ({ [`${number}.csv`]: vtexOf(random) }),
    read: (files) =>
      readOrders(
        only(files),
        ORDERS_VTEX,
        ({ cells }) => [cells.order, cells.changed?.replace(/ ?Z$/, "")].join("\n"),
        () => true,
      ),
  },
  {
    name: "Shopify orders CSV",
    ...STORE.shopify,
    make: (random, number) => ({ [`${number}.csv`]: shopifyOf(random) }),
    read: (files) => readShopify(only(files)),
  },
  {
    name: "HubSpot contacts CSV",
    record: "crm/contacts",
    key: "id",
    values: { email: "email", created: "epoch_ms(create_date)" },
    make: (random, number) => ({ [`${number}.csv`]: contactsOf(random) }),
    read: (files) => readContacts(only(files)),
  },
];

/** The order's own row has its id, which is the key. Of two orders with one id, the first counts. */
function readShopify(bytes: Buffer): FoundRows | undefined {
  const ids = new Map<string, string>();
  for (const { cells, isWide } of tableOf(bytes, ORDERS_SHOPIFY)?.rows ?? []) {
    const isNew = isWide && cells.id && !ids.has(cells.name ?? "") && ![...ids.values()].includes(cells.id);
    if (isNew) ids.set(cells.name ?? "", cells.id as string);
  }
  const found = readOrders(
    bytes,
    ORDERS_SHOPIFY,
    ({ cells }) => ids.get(cells.name ?? "") ?? "",
    ({ cells }) => (cells.id ?? "") !== "",
  );
  return found && { rows: found.rows.filter(({ key }) => key !== "") };
}
