import { createRequire } from "node:module";

/** A strict parser of XML, whose own types this compiler refuses. */
const { SaxesParser } = createRequire(import.meta.url)("saxes") as {
  SaxesParser: new () => {
    on(event: "text", handle: (text: string) => void): void;
    on(
      event: "opentag" | "closetag",
      handle: (tag: { name: string; attributes: Readonly<Record<string, string>> }) => void,
    ): void;
    write(text: string): { close(): void };
  };
};

/** A cell as LibreOffice understood it: its type in OpenDocument's words, and its value. */
export interface Cell {
  readonly type: string;
  readonly value: string;
  readonly currency?: string;
}

export const EMPTY: Cell = { type: "", value: "" };

/** The rows of each sheet of a flat OpenDocument file, without empty cells at their ends. */
export function sheetsOf(fods: string): Map<string, Cell[][]> {
  const sheets = new Map<string, Cell[][]>();
  let rows: Cell[][] = [];
  let row: Cell[] | undefined;
  let cell: { attributes: Readonly<Record<string, string>>; lines: string[] } | undefined;
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "table:table") {
      rows = [];
      sheets.set(attributes["table:name"] ?? "", rows);
    }
    if (name === "table:table-row") row = [];
    if (name === "table:table-cell") cell = { attributes, lines: [] };
    if (name === "text:p") {
      isInLine = true;
      cell?.lines.push("");
    }
    if (name === "text:s") append(" ".repeat(Number(attributes["text:c"] ?? 1)));
    if (name === "text:tab") append("\t");
    if (name === "text:line-break") append("\n");
  });
  // Between the elements is white space that lays the file out.
  let isInLine = false;
  const append = (text: string): void => {
    const last = (cell?.lines.length ?? 0) - 1;
    if (cell && isInLine) cell.lines[last] += text;
  };
  parser.on("text", append);
  parser.on("closetag", ({ name, attributes }) => {
    if (name === "text:p") isInLine = false;
    if (name === "table:table-cell" && cell) {
      const times = Number(attributes["table:number-columns-repeated"] ?? 1);
      const made = cellOf(cell.attributes, cell.lines.join("\n"));
      // Thousands of empty cells fill a row to the width of a sheet.
      if (made.type !== "" || times < 500) for (let n = 0; n < times; n++) row?.push(made);
      cell = undefined;
    }
    if (name !== "table:table-row" || !row) return;
    while (row.at(-1)?.type === "") row.pop();
    const times = Number(attributes["table:number-rows-repeated"] ?? 1);
    if (row.length > 0) for (let n = 0; n < times; n++) rows.push(row);
    row = undefined;
  });
  parser.write(fods).close();
  return sheets;
}

function cellOf(attributes: Readonly<Record<string, string>>, text: string): Cell {
  const type = attributes["office:value-type"] ?? "";
  const value =
    type === "string"
      ? text
      : (attributes["office:value"] ?? attributes["office:date-value"] ?? attributes["office:boolean-value"] ?? "");
  const currency = attributes["office:currency"];
  return { type, value, ...(currency === undefined ? {} : { currency }) };
}
