import { marksOf } from "../../core/landing/bytes/delimiter.ts";
import { wordsOf } from "./fields.ts";
import { editedText } from "./objects.ts";
import { kindOf, type Leaf, type Reading, verdictOf } from "./verdict.ts";

/** Rows above the headings that a table may have. */
const MOST_ABOVE = 20;

/** Where the headings of a table are: the first row that is about as wide as the others. */
export function headingsAt(rows: readonly (readonly string[])[]): number {
  const filled = rows.slice(0, MOST_ABOVE).map((row) => row.filter((cell) => cell.trim() !== "").length);
  const widest = Math.max(0, ...filled);
  return Math.max(
    0,
    filled.findIndex((count) => count >= Math.max(1, widest / 2)),
  );
}

/** The cells of a row that change, by their place. */
export function editedCells(
  headings: readonly string[],
  cells: readonly string[],
  reading: Reading,
): ReadonlyMap<number, string> {
  const changed = new Map<number, string>();
  let isTaken = false;
  const leaves = cells.map((value, at): Leaf => ({ path: wordsOf(headings[at] ?? ""), value, depth: 1 }));
  const verdict = verdictOf(leaves, reading);
  for (const [at, leaf] of leaves.entries()) {
    if (leaf.value === "") {
      const isOfCustomer = kindOf(leaf.path, reading.connector) === "customer";
      if (
        isOfCustomer &&
        (verdict.isOwn || verdict.isAccount) &&
        verdict.order !== undefined &&
        verdict.number !== undefined
      )
        changed.set(at, verdict.number);
      continue;
    }
    const value = editedText(leaf, verdict, reading) ?? "";
    if (value === leaf.value) continue;
    changed.set(at, value);
    isTaken = true;
  }
  if (reading.onRow && isTaken) {
    const row = Object.fromEntries(cells.map((cell, at) => [headings[at] ?? `column ${at + 1}`, cell]));
    reading.onRow({ row: JSON.stringify(row), isOwn: verdict.isOwn, order: verdict.order });
  }
  return changed;
}

/** Cells are bytes, read as Latin-1; most files are UTF-8. */
function textOf(cell: string): { readonly text: string; readonly encoding: BufferEncoding } {
  const bytes = Buffer.from(cell, "latin1");
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") ? { text: cell, encoding: "latin1" } : { text, encoding: "utf8" };
}

/**
 * Writes a table of text again, its unchanged rows byte for byte. Returns whether any changed. `isText`: the chunks are text
 * already, otherwise bytes as Latin-1.
 */
export async function editTable(
  source: AsyncIterable<string>,
  head: string,
  isText: boolean,
  reading: Reading,
  out: (text: string) => Promise<void>,
): Promise<boolean> {
  const marks = marksOf(head, isText);
  let isChanged = false;
  let headings: readonly string[] | undefined;
  let first: Line[] = [];
  const put = async (one: Line): Promise<void> => {
    if (reading.mayMatch?.(one.raw) === false) return out(one.raw);
    const cells = one.record.map((cell) => (isText ? { text: cell, encoding: "utf8" as const } : textOf(cell)));
    const changed = editedCells(
      headings ?? [],
      cells.map(({ text }) => text),
      reading,
    );
    if (changed.size === 0) return out(one.raw);
    isChanged = true;
    const texts = one.record.map((cell, at) => {
      const value = changed.get(at);
      if (value === undefined) return cell;
      const { encoding } = cells[at] as { encoding: BufferEncoding };
      return isText ? value : Buffer.from(value, encoding).toString("latin1");
    });
    return out(texts.map((cell) => quoted(cell, marks.delimiter)).join(marks.delimiter) + one.ending);
  };
  const begin = async (): Promise<void> => {
    const records = first.map(({ record }) => record);
    const at = headingsAt(records);
    headings = (records[at] ?? []).map((cell) => (isText ? cell : textOf(cell).text).replace(/^\uFEFF/, ""));
    for (const [n, one] of first.entries()) await (n <= at ? out(one.raw) : put(one));
    first = [];
  };
  let left = marks.from_line - 1;
  for await (const one of linesOf(source, marks.delimiter)) {
    if (left-- > 0 || (one.record.length === 1 && one.record[0] === "")) await out(one.raw);
    else if (headings) await put(one);
    else if (first.push(one) > MOST_ABOVE) await begin();
  }
  if (!headings) await begin();
  return isChanged;
}

/** A row of a table as it stands in the file, with the end of its line, and its cells. */
interface Line {
  readonly raw: string;
  readonly record: readonly string[];
  readonly ending: string;
}

/** The rows of a table. A quote that is never closed takes the rest of the file, as for the reader, which refuses it. */
async function* linesOf(source: AsyncIterable<string>, delimiter: string): AsyncGenerator<Line> {
  let rest = "";
  for await (const chunk of source) {
    rest += chunk;
    let from = 0;
    for (;;) {
      const line = lineIn(rest, from, delimiter, false);
      if (!line) break;
      yield line;
      from += line.raw.length;
    }
    rest = rest.slice(from);
  }
  for (let from = 0; from < rest.length; ) {
    const line = lineIn(rest, from, delimiter, true) as Line;
    yield line;
    from += line.raw.length;
  }
}

function lineIn(text: string, from: number, delimiter: string, isEnd: boolean): Line | undefined {
  const record: string[] = [];
  let cell = "";
  let isQuoted = false;
  let isStart = true;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else if (at + 1 === text.length && !isEnd) return undefined;
      else isQuoted = false;
    } else if (sign === '"' && isStart) {
      isQuoted = true;
      isStart = false;
    } else if (sign === delimiter) {
      record.push(cell);
      cell = "";
      isStart = true;
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && at + 1 === text.length && !isEnd) return undefined;
      const ending = sign === "\r" && text[at + 1] === "\n" ? "\r\n" : sign;
      return { raw: text.slice(from, at + ending.length), record: [...record, cell], ending };
    } else {
      cell += sign;
      isStart = false;
    }
  }
  return isEnd ? { raw: text.slice(from), record: [...record, cell], ending: "" } : undefined;
}

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
