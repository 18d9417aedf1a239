import { withoutEmails } from "./erased.ts";
import { wordsOf } from "./fields.ts";
import { editedCells, headingsAt } from "./tables.ts";
import { isDate, type Reading } from "./verdict.ts";

/** The parts of a workbook that hold cells. */
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const TEXTS = "xl/sharedStrings.xml";

const ROW = /<((?:\w+:)?)row\b[^>]*?(?:\/>|>([\s\S]*?)<\/\1row>)/g;
const CELL = /<((?:\w+:)?)c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/\1c>)/g;
const TEXT = /<((?:\w+:)?)t\b[^>]*?(?:\/>|>([\s\S]*?)<\/\1t>)/g;
const ITEM = /<((?:\w+:)?)si\b[^>]*?(?:\/>|>([\s\S]*?)<\/\1si>)/g;
const VALUE = /<((?:\w+:)?)v\b[^>]*?>([\s\S]*?)<\/\1v>/;

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
  const rows = [...xml.matchAll(ROW)].map((row) => {
    const inner = row[2] ?? "";
    return cellsIn(inner, row.index + row[0].indexOf(inner, row[0].indexOf(">")), texts);
  });
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
      const plain = cell.attributes
        .replace(/\s+t="[^"]*"/, "")
        .replace(/\/$/, "")
        .trimEnd();
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
  return [...inner.matchAll(CELL)].map((cell) => {
    const [whole, prefix = "", attributes = "", content = ""] = cell;
    const place = /\sr="([A-Z]+)\d*"/.exec(attributes)?.[1];
    const at = place === undefined ? next : columnOf(place);
    next = at + 1;
    const type = /\st="([^"]*)"/.exec(attributes)?.[1] ?? "n";
    const value = unescaped(VALUE.exec(content)?.[2] ?? "");
    const shared = type === "s" && value !== "" ? Number(value) : undefined;
    const text = shared !== undefined ? (texts[shared] ?? "") : type === "inlineStr" ? textIn(content) : value;
    return { at, offset: offset + cell.index, length: whole.length, prefix, attributes, shared, text };
  });
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

const textIn = (xml: string): string => {
  const shown = xml.replaceAll(/<((?:\w+:)?)rPh\b[\s\S]*?<\/\1rPh>/g, "");
  return [...shown.matchAll(TEXT)].map(([, , text = ""]) => unescaped(text)).join("");
};

const textsIn = (xml: string): string[] => [...xml.matchAll(ITEM)].map(([, , item = ""]) => textIn(item));

/** Shared texts that only emptied cells had. */
function withoutItems(xml: string, gone: ReadonlySet<number>): string {
  let n = 0;
  return xml.replaceAll(ITEM, (item, prefix: string) =>
    gone.has(n++) ? `<${prefix}si><${prefix}t></${prefix}t></${prefix}si>` : item,
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? all;
  });

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
