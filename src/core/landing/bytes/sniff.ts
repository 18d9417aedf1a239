import { FileError } from "./scan.ts";

/** Formats that are not read, by their first bytes, and what to do. */
const NOT_READ: readonly (readonly [beginning: string, what: string])[] = [
  [
    "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "an Excel workbook of the old format (.xls), or one with a password: save it as .xlsx or CSV",
  ],
  ["%PDF-", "a PDF document: export the data as CSV"],
  ["Rar!\x1a\x07", "a RAR archive: unpack it"],
  ["7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"],
  ["BZh", "bzip2 data: unpack it"],
  ["\xfd7zXZ\x00", "xz data: unpack it"],
  ["\x28\xb5\x2f\xfd", "zstd data: unpack it"],
  ["SQLite format 3\x00", "an SQLite database: export its tables as CSV"],
  ["ARROW1", "an Arrow file: write it as Parquet"],
  ["Obj\x01", "an Avro file: write it as Parquet or JSON lines"],
  ["ORC", "an ORC file: write it as Parquet"],
];

export const isZip = (head: Buffer): boolean => ["PK\x03\x04", "PK\x05\x06"].includes(head.toString("latin1", 0, 4));

/** Refuses a file that is no data, or not in a format that is read. */
export function refuseByKind(head: Buffer): void {
  const start = head.toString("latin1", 0, 4096);
  const found = NOT_READ.find(([beginning]) => start.startsWith(beginning));
  if (found) throw new FileError(`is ${found[1]}`);
  // A text does not begin with such bytes. Those within JSON reject only their row.
  if (/^[^{[]*\0/.test(start.slice(0, 16)))
    throw new FileError(
      "is binary data in a format that is not read: export it as CSV, JSON, Parquet or an Excel workbook",
    );
  if (isAnalyticsReport(start)) {
    throw new FileError(
      "is a report that was downloaded from the pages of Google Analytics, whose rows lack their keys: export the answers of the " +
        "Data API (runReport) instead, or let `lucra pull` ask for them",
    );
  }
  const text = start.trimStart().toLowerCase();
  if (/^(<!--|<!doctype html|<(html|head|meta|style|body|script|table|div)\b)/.test(text)) {
    throw new FileError(
      "is neither JSON nor Parquet but an HTML page, perhaps of a login or an error, and has no column that is a field of the " +
        "record: download the file again",
    );
  }
  if (text.startsWith("<?xml")) throw new FileError("is XML: export the data as CSV or JSON");
}

/** Its title is in lines with a `#`, between two of dashes, and has the days without marks: 20250501. */
function isAnalyticsReport(start: string): boolean {
  const title = start.split(/\r?\n/, 20).filter((line) => line.startsWith("#"));
  const isRule = (line: string): boolean => /^# ?-{8,}$/.test(line);
  return isRule(title[0] ?? "") && title.filter(isRule).length > 1 && title.some((line) => /\b20\d{6}\b/.test(line));
}

/** The encoding that a byte order mark names, or that every other byte of ASCII characters being 0 shows; undefined for UTF-8. */
export function utf16Of(head: Buffer): "utf-16le" | "utf-16be" | undefined {
  const mark = head.toString("latin1", 0, 4);
  if (mark === "\xff\xfe\x00\x00" || mark === "\x00\x00\xfe\xff")
    throw new FileError("is UTF-32 text: save it as UTF-8");
  if (mark.startsWith("\xff\xfe")) return "utf-16le";
  if (mark.startsWith("\xfe\xff")) return "utf-16be";
  return /^[\t\n\r -~]\0[\t\n\r -~]\0$/.test(mark) ? "utf-16le" : undefined;
}

/** Text of UTF-16 as UTF-8, without its mark. */
export async function* asUtf8(
  source: AsyncIterable<Buffer>,
  encoding: "utf-16le" | "utf-16be",
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of source) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield Buffer.from(text);
    }
    const rest = decoder.decode();
    if (rest !== "") yield Buffer.from(rest);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileError("is UTF-16 text that is damaged or cut short");
  }
}
