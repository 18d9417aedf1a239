interface Column {
  readonly name: string;
  /** In the engine. */
  readonly type: string;
}

type Write = (value: unknown) => string;

/** As in the service's other tables: where some program begins a cell, what it may skip there, and signs of a formula. */
const BEGINS_CELL = new Set(",;\t\r\n");
const SKIPPED = /[\p{Cc}\p{Z}\uFEFF"']/u;
const SIGNS = new Set("=+@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠-");
const NUMBER = /^(DECIMAL|DOUBLE|FLOAT|U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)\b(?!.*\[)/;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * JSON values as CSV in the form of the service's other tables: the heading, and what writes a row. Texts that a spreadsheet
 * could read as a formula get an apostrophe. `isBrazilian`: with semicolons, decimal commas, dd/mm/yyyy and a byte order mark.
 */
export function csvOf(columns: readonly Column[], isBrazilian: boolean) {
  const line = (cells: readonly string[]): string => `${cells.join(isBrazilian ? ";" : ",")}\r\n`;
  const writers = columns.map((column) => writerOf(column, isBrazilian));
  const heading = line(columns.map(({ name }) => quoted(harmless(name))));
  return {
    heading: isBrazilian ? BYTE_ORDER_MARK + heading : heading,
    row: (values: readonly unknown[]): string => line(values.map((value, n) => (writers[n] ?? plain)(value))),
  };
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

/** Puts an apostrophe before each sign that begins a cell, in one walk over the text. */
export function harmless(text: string): string {
  let written = "";
  let copied = 0;
  let at = 0;
  let isAtBeginning = true;
  for (const character of text) {
    if (isAtBeginning && SIGNS.has(character)) {
      written += `${text.slice(copied, at)}'`;
      copied = at;
      isAtBeginning = false;
    } else {
      isAtBeginning = BEGINS_CELL.has(character) || (isAtBeginning && SKIPPED.test(character));
    }
    at += character.length;
  }
  return written + text.slice(copied);
}

/** The empty text is quoted, since null is nothing at all. */
const quoted = (text: string): string =>
  text === "" || /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
