interface Column {
  readonly name: string;
  /** In the engine. */
  readonly type: string;
}

type Write = (value: unknown) => string;

/** As in the service's other tables: where some program begins a cell, what it may skip there, and signs of a formula. */
const FORMULA = /(^|[,;\t\r\n])([\p{Cc}\p{Z}\uFEFF"']*)([=+@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠-])/gu;
const NUMBER = /^(DECIMAL|DOUBLE|FLOAT|U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)\b(?!.*\[)/;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * JSON values as CSV in the form of the service's other tables. Texts that a spreadsheet could read as a formula get an
 * apostrophe. `isBrazilian`: with semicolons, decimal commas, dd/mm/yyyy and a byte order mark.
 */
export function csvOf(columns: readonly Column[], rows: readonly (readonly unknown[])[], isBrazilian: boolean): string {
  const separator = isBrazilian ? ";" : ",";
  const writers = columns.map((column) => writerOf(column, isBrazilian));
  const head = columns.map(({ name }) => quoted(harmless(name)));
  const lines = rows.map((row) => row.map((value, n) => (writers[n] ?? plain)(value)));
  const text = [head, ...lines].map((cells) => `${cells.join(separator)}\r\n`).join("");
  return isBrazilian ? BYTE_ORDER_MARK + text : text;
}

function writerOf({ type }: Column, isBrazilian: boolean): Write {
  if (NUMBER.test(type)) return (value) => unlessNull(value, (text) => (isBrazilian ? text.replace(".", ",") : text));
  if (type === "DATE" && isBrazilian)
    return (value) => unlessNull(value, (text) => text.split("-").reverse().join("/"));
  return plain;
}

const plain: Write = (value) => unlessNull(value, (text) => quoted(harmless(text)));

function unlessNull(value: unknown, write: (text: string) => string): string {
  if (value === null || value === undefined) return "";
  return write(typeof value === "object" ? JSON.stringify(value) : String(value));
}

const harmless = (text: string): string => text.replaceAll(FORMULA, "$1$2'$3");

/** The empty text is quoted, since null is nothing at all. */
const quoted = (text: string): string =>
  text === "" || /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
