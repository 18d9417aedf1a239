import { writeFile } from "node:fs/promises";
import { identifier, literal, type Session } from "../database.ts";
import { type Described, flat, isDecimal, isInstantColumn, isNested, isText } from "./described.ts";

/** How numbers, dates and flags are written, and which characters separate the cells. */
interface CsvDialect {
  readonly delimiter: string;
  /** Positions where some program begins a cell: programs split at these characters, and some ignore quotes. */
  readonly beginning: string;
  /** SQL for a value that is not text. */
  readonly cell: (column: Described) => string;
  readonly hasMark: boolean;
}

/** As programs read it: the texts of the engine, and instants as in JSON. */
const PLAIN: CsvDialect = {
  delimiter: ",",
  beginning: "(^|[;\\t\\r\\n])",
  cell: (column) => (isInstantColumn(column) ? `instant_text(${identifier(column.name)})` : identifier(column.name)),
  hasMark: false,
};

/**
 * As spreadsheets in Brazil read it. A text with commas has no quotes here, so a comma begins a cell too. Spreadsheets
 * know no zones: instants are in UTC, to the second.
 */
const BRAZILIAN: CsvDialect = {
  delimiter: ";",
  beginning: "(^|[,;\\t\\r\\n])",
  cell: brazilian,
  hasMark: true,
};

function brazilian(column: Described): string {
  const value = identifier(column.name);
  if (isInstantColumn(column)) return `strftime(${value}, '%d/%m/%Y %H:%M:%S')`;
  if (column.type === "DATE") return `strftime(${value}, '%d/%m/%Y')`;
  if (column.type === "BOOLEAN") return `case ${value} when true then 'VERDADEIRO' when false then 'FALSO' end`;
  if (isDecimal(column) || /^(FLOAT|DOUBLE)$/.test(column.type)) return `replace(${value}::varchar, '.', ',')`;
  return value;
}

const MARK = "\uFEFF";
const LINE_END = "\r\n";

/** Writes the rows of a query as CSV in a dialect; the engine writes the file. */
export async function writeCsv(
  session: Session,
  sql: string,
  columns: readonly Described[],
  file: string,
  isBrazilian: boolean,
): Promise<number> {
  const dialect = isBrazilian ? BRAZILIAN : PLAIN;
  const rows = `copy (${csvRows(columns, sql, dialect)}) to ${literal(file)}`;
  const options = `format csv, delimiter ${literal(dialect.delimiter)}, new_line ${literal(LINE_END)}`;
  if (!dialect.hasMark) return countOf(session, `${rows} (${options}, header)`);
  const head = MARK + columns.map(({ name, heading = name }) => quoted(heading)).join(dialect.delimiter) + LINE_END;
  // The engine writes what is before the rows and after them only if both are given.
  const written = await countOf(
    session,
    `${rows} (${options}, header false, prefix ${literal(head)}, suffix ${literal(LINE_END)})`,
  );
  if (written === 0) await writeFile(file, head);
  return written;
}

const quoted = (heading: string): string => (/[";\r\n]/.test(heading) ? `"${heading.replaceAll('"', '""')}"` : heading);

async function countOf(session: Session, sql: string): Promise<number> {
  const [result] = await session.rows(sql);
  return Number(result?.Count);
}

/** Converts to text first, since a cell reads its text several times. */
function csvRows(columns: readonly Described[], sql: string, dialect: CsvDialect): string {
  const texts = columns.map((column) => {
    const text = isText(column) ? `${flat(column)}::varchar` : flat(column);
    return `${text} as ${identifier(column.name)}`;
  });
  const cells = columns.map((column) => {
    const cell = isText(column) || isNested(column) ? textCell(column, dialect) : dialect.cell(column);
    return `${cell} as ${identifier(dialect.hasMark ? column.name : (column.heading ?? column.name))}`;
  });
  return `select ${cells.join(", ")} from (select ${texts.join(", ")} from (${sql}))`;
}

/** Characters that a program may skip before a formula; with apostrophes, so that an added one can be removed exactly. */
const SKIPPED = "[\\p{Cc}\\p{Z}\\x{FEFF}\"'']*";
/** `=`, `+`, `-`, `@`, and the characters that Unicode's compatibility forms (NFKC) change into one of them. */
const FORMULA_SIGN = "[=+@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠-]";

/**
 * A text that a spreadsheet could read as a formula gets an apostrophe before the sign. Cheap tests sort out most texts,
 * which begin with a letter or a digit and have no separators. Each test is a comparison: a list of characters would
 * become a join, and `copy` preserves the order of rows only without one.
 */
function textCell({ name }: Described, { beginning }: CsvDialect): string {
  const value = identifier(name);
  const first = `ord(${value})`;
  const separators = ["';'", "chr(9)", "chr(13)", "chr(10)", ...(beginning.includes(",") ? ["','"] : [])];
  const suspicions = [
    `${first} < ord('0') or ${first} = ord('=') or ${first} = ord('@') or ${first} >= 127`,
    ...separators.map((separator) => `contains(${value}, ${separator})`),
  ];
  const pattern = `'${beginning}(${SKIPPED})(${FORMULA_SIGN})'`;
  return `case when ${suspicions.join(" or ")}
    then regexp_replace(${value}, ${pattern}, '\\1\\2''\\3', 'g') else ${value} end`;
}
