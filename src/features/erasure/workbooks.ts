import { withoutEmails } from "./erased.ts";
import { wordsOf } from "./fields.ts";
import { editedCells, headingsAt } from "./tables.ts";
import { isDate, type Reading } from "./verdict.ts";

/** The parts of a workbook that hold cells. */
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const TEXTS = "xl/sharedStrings.xml";

/** An element of XML, with or without a prefix of its namespace. */
interface Element {
  readonly offset: number;
  readonly length: number;
  readonly prefix: string;
  readonly attributes: string;
  readonly inner: string;
  readonly innerOffset: number;
}

/** The elements of this name that are whole; they are not within each other. */
function* elementsOf(xml: string, name: string): Generator<Element> {
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", at)) {
    const found = elementAt(xml, at, name);
    if (found === null) return;
    if (found) yield found;
    at = found ? found.offset + found.length : at + 1;
  }
}

/** Undefined if another tag begins there; null if it has no end. */
function elementAt(xml: string, offset: number, name: string): Element | null | undefined {
  const colon = xml.slice(offset + 1, offset + LONGEST_PREFIX).indexOf(`:${name}`);
  const prefix = xml.startsWith(name, offset + 1) ? "" : xml.slice(offset + 1, offset + 2 + colon);
  if (!/^(\w+:)?$/.test(prefix) || !xml.startsWith(name, offset + 1 + prefix.length)) return undefined;
  const from = offset + 1 + prefix.length + name.length;
  if (!/[\s/>]/.test(xml[from] ?? "")) return undefined;
  const end = xml.indexOf(">", from);
  if (end < 0) return null;
  const isEmpty = xml[end - 1] === "/";
  const attributes = xml.slice(from, isEmpty ? end - 1 : end);
  if (isEmpty) return { offset, length: end + 1 - offset, prefix, attributes, inner: "", innerOffset: end };
  const closing = `</${prefix}${name}>`;
  const close = xml.indexOf(closing, end);
  if (close < 0) return null;
  const inner = xml.slice(end + 1, close);
  return { offset, length: close + closing.length - offset, prefix, attributes, inner, innerOffset: end + 1 };
}

const LONGEST_PREFIX = 32;

interface CellOf {
  readonly at: number;
  readonly offset: number;
  readonly length: number;
  readonly prefix: string;
  readonly attributes: string;
  readonly shared: number | undefined;
  readonly text: string;
}

/** The parts of a workbook that change, by name. */
export function editedWorkbook(parts: ReadonlyMap<string, string>, reading: Reading): Map<string, string> {
  const changed = new Map<string, string>();
  const texts = textsIn(parts.get(TEXTS) ?? "");
  const [taken, left] = [new Set<number>(), new Set<number>()];
  for (const [name, xml] of parts) {
    if (!SHEET.test(name)) continue;
    const edited = editedSheet(xml, texts, reading, taken, left);
    if (edited !== xml) changed.set(name, edited);
  }
  const gone = new Set([...taken].filter((n) => !left.has(n)));
  const isErased = (email: string): boolean => reading.erased.find("email", email)?.asked === true;
  for (const [n, text] of texts.entries()) if (!left.has(n) && withoutEmails(text, isErased).found > 0) gone.add(n);
  for (const [name, xml] of parts) {
    const present = changed.get(name) ?? xml;
    const emptied = name === TEXTS && gone.size > 0 ? withoutItems(present, gone) : present;
    // Comments, properties, and texts that no cell shows any more. Those of rows that stay are left to them.
    const edited = name === TEXTS || SHEET.test(name) ? emptied : withoutEmails(emptied, isErased).text;
    if (edited !== xml) changed.set(name, edited);
  }
  return changed;
}

function editedSheet(
  xml: string,
  texts: readonly string[],
  reading: Reading,
  taken: Set<number>,
  left: Set<number>,
): string {
  const rows = [...elementsOf(xml, "row")].map(({ inner, innerOffset }) => cellsIn(inner, innerOffset, texts));
  const filled = rows.filter((cells) => cells.some(({ text }) => text !== ""));
  const headings = filled.length > 0 ? textsOf(filled[headingsAt(filled.map(textsOf))] ?? []) : [];
  const start = headingsAt(filled.map(textsOf));
  const edits: { offset: number; length: number; text: string }[] = [];
  for (const [n, cells] of filled.entries()) {
    const changed =
      n > start ? editedCells(headings, dated(headings, textsOf(cells)), reading) : new Map<number, string>();
    for (const cell of cells) {
      const value = changed.get(cell.at);
      if (value === undefined) {
        if (cell.shared !== undefined) left.add(cell.shared);
        continue;
      }
      if (cell.shared !== undefined) taken.add(cell.shared);
      const type = attributeOf(cell.attributes, "t");
      const plain = cell.attributes.replace(` t="${type}"`, "").trimEnd();
      const open = `<${cell.prefix}c${plain}`;
      const t = `${cell.prefix}t`;
      const text =
        value === ""
          ? `${open}/>`
          : `${open} t="inlineStr"><${cell.prefix}is><${t} xml:space="preserve">${escaped(value)}</${t}></${cell.prefix}is></${cell.prefix}c>`;
      edits.push({ offset: cell.offset, length: cell.length, text });
    }
  }
  let result = "";
  let end = 0;
  for (const edit of edits) {
    result += xml.slice(end, edit.offset) + edit.text;
    end = edit.offset + edit.length;
  }
  return result + xml.slice(end);
}

function cellsIn(inner: string, offset: number, texts: readonly string[]): CellOf[] {
  let next = 0;
  return [...elementsOf(inner, "c")].map(({ prefix, attributes, inner: content, ...cell }) => {
    const place = attributeOf(attributes, "r")?.replace(/\d+$/, "");
    const at = place === undefined ? next : columnOf(place);
    next = at + 1;
    const type = attributeOf(attributes, "t") ?? "n";
    const [first] = elementsOf(content, "v");
    const value = unescaped(first?.inner ?? "");
    const shared = type === "s" && value !== "" ? Number(value) : undefined;
    const text = shared !== undefined ? (texts[shared] ?? "") : type === "inlineStr" ? textIn(content) : value;
    return { at, offset: offset + cell.offset, length: cell.length, prefix, attributes, shared, text };
  });
}

function attributeOf(attributes: string, name: string): string | undefined {
  const start = attributes.indexOf(` ${name}="`);
  if (start < 0) return undefined;
  const from = start + name.length + 3;
  return attributes.slice(from, attributes.indexOf('"', from));
}

function textsOf(cells: readonly CellOf[]): string[] {
  const texts: string[] = [];
  for (const { at, text } of cells) {
    while (texts.length < at) texts.push("");
    texts[at] = text;
  }
  return texts;
}

/** Days of a spreadsheet as dates, so that it is known what came later. */
const dated = (headings: readonly string[], texts: readonly string[]): string[] =>
  texts.map((text, at) => {
    if (!/^\d{5}(\.\d+)?$/.test(text) || !isDate(wordsOf(headings[at] ?? ""))) return text;
    return new Date(Date.UTC(1899, 11, 30) + Math.round(Number(text) * 86_400) * 1_000).toISOString();
  });

function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** A text without its pronunciation. */
function textIn(xml: string): string {
  let shown = xml;
  for (const { offset, length } of [...elementsOf(xml, "rPh")].reverse())
    shown = shown.slice(0, offset) + shown.slice(offset + length);
  return [...elementsOf(shown, "t")].map(({ inner }) => unescaped(inner)).join("");
}

const textsIn = (xml: string): string[] => [...elementsOf(xml, "si")].map(({ inner }) => textIn(inner));

/** Shared texts that only emptied cells had. */
function withoutItems(xml: string, gone: ReadonlySet<number>): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [n, { offset, length, prefix }] of [...elementsOf(xml, "si")].entries()) {
    if (!gone.has(n)) continue;
    pieces.push(xml.slice(end, offset), `<${prefix}si><${prefix}t></${prefix}t></${prefix}si>`);
    end = offset + length;
  }
  return pieces.join("") + xml.slice(end);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? all;
  });

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
