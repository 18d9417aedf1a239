import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { ApiError } from "../../contract/error.ts";
import { identifier, type Session } from "../../engine/database.ts";
import { type Described, flat, isDecimal, isInstantColumn, isNested, isText } from "../../engine/formats/described.ts";

/** Capacity of a sheet, without its header, and of a cell, in UTF-16 units. */
export const MOST_ROWS = 1_048_575;
const MOST_UNITS = 32_767;

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
export const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
export const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Cell styles of the plain sheet, by their index in `styles.xml`. */
const DAY = 1;
const INSTANT = 2;

const plainStyle = (column: Described): number =>
  column.type === "DATE" ? DAY : isInstantColumn(column) ? INSTANT : 0;

/** Fixed time of all files in the package, so that the same rows always give the same bytes. */
const PACKED = new Date(2000, 0, 1);

/** The style that all others derive from: readers complain about a workbook without one. */
export const CELL_STYLES = '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>';

/** All files of the package except the sheet. */
const PARTS: Readonly<Record<string, string>> = {
  "[Content_Types].xml":
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  "_rels/.rels":
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml":
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">` +
    '<sheets><sheet name="data" sheetId="1" r:id="rId1"/></sheets></workbook>',
  "xl/_rels/workbook.xml.rels":
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml":
    `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>' +
    '<fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>' +
    `<xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs>${CELL_STYLES}</styleSheet>`,
};

/** Writes the rows of a query as a workbook of one plain sheet. */
export async function writeXlsx(
  session: Session,
  sql: string,
  columns: readonly Described[],
  file: string,
): Promise<number> {
  let rows = 0;
  async function* sheet(): AsyncGenerator<string> {
    yield `${XML}<worksheet xmlns="${MAIN}"><sheetData><row r="1">`;
    yield columns.map(({ name, heading = name }, n) => textCell(`${letters(n)}1`, heading)).join("");
    yield "</row>";
    rows = yield* cellRows(session, sql, columns, plainStyle);
    yield "</sheetData></worksheet>";
  }
  await writePackage(PARTS, { "xl/worksheets/sheet1.xml": sheet }, file);
  return rows;
}

/**
 * Writes the files of a package, the small ones first. The sheets are generated one after the other and compressed as
 * streams: memory does not grow with the rows.
 */
export async function writePackage(
  parts: Readonly<Record<string, string>>,
  sheets: Readonly<Record<string, () => AsyncGenerator<string>>>,
  file: string,
): Promise<void> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(XML + text), name, { mtime: PACKED });
  const failures = Object.entries(sheets).map(([name, sheet]) => {
    const content = Readable.from(sheet());
    zip.addReadStream(content, name, { compressionLevel: 1, mtime: PACKED });
    return new Promise<never>((_done, fail) => content.once("error", fail));
  });
  zip.end();
  // A failure of a sheet does not end the package's stream.
  await Promise.race([pipeline(zip.outputStream, createWriteStream(file)), ...failures]);
}

/** The rows of a query below the heading; the engine writes the cells. Returns their number. */
export async function* cellRows(
  session: Session,
  sql: string,
  columns: readonly Described[],
  styleOf: (column: Described) => number,
): AsyncGenerator<string, number> {
  let rows = 0;
  for await (const [cells = [], fits = []] of session.chunks(cellsSql(sql, columns, styleOf))) {
    rows += cells.length;
    if (fits.includes(false)) throw new ApiError("doesNotFit");
    yield cells.join("");
  }
  return rows;
}

/** A cell with a text of our own. */
export const textCell = (place: string, text: string, style = 0): string =>
  `<c r="${place}"${style ? ` s="${style}"` : ""} t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;

/** SQL for the XML of each row's cells, and for whether its texts fit. */
function cellsSql(sql: string, columns: readonly Described[], styleOf: (column: Described) => number): string {
  const texts = columns.filter((column) => isText(column) || isNested(column)).map((column) => units(flat(column)));
  const cells = columns.map((column, n) => `coalesce(${cell(column, letters(n), styleOf(column))}, '')`);
  return `select '<row r="' || row_no || '">' || ${cells.join(" || ")} || '</row>',
      coalesce(greatest(0, ${texts.concat("0").join(", ")}) <= ${MOST_UNITS}, true)
    from (select *, 1 + row_number() over () as row_no from (${sql}))`;
}

/** SQL for a text's length in UTF-16 units, which only long texts need exactly. */
const units = (value: string): string =>
  `case when length(${value}) <= ${Math.floor(MOST_UNITS / 2)} then 0
    else length(regexp_replace(${value}, '[\\x{10000}-\\x{10FFFF}]', 'xx', 'g')) end`;

/** SQL for a cell's XML; null for an empty cell. Types that a spreadsheet lacks become text. */
function cell(column: Described, letter: string, styleNo: number): string {
  const value = identifier(column.name);
  const as = (attributes: string, content: string): string =>
    `'<c r="${letter}' || row_no || '"${attributes}>' || ${content} || '</c>'`;
  const style = styleNo ? ` s="${styleNo}"` : "";
  const number = (content: string): string => as(style, `'<v>' || ${content} || '</v>'`);
  const text = (content: string): string =>
    as(' t="inlineStr"', `'<is><t xml:space="preserve">' || ${xmlText(content)} || '</t></is>'`);
  const { type } = column;
  if (type === "BOOLEAN") return as(`${style} t="b"`, `'<v>' || ${value}::integer || '</v>'`);
  // Spreadsheets count days from 1900, and wrongly treat 1900 as a leap year.
  if (type === "DATE") {
    return `case when ${value} >= date '1900-03-01'
      then ${number(`(${value} - date '1899-12-30')`)} else ${text(`${value}::varchar`)} end`;
  }
  if (isInstantColumn(column)) {
    return `case when ${value} >= timestamptz '1900-03-01 00:00:00+00'
      then ${number(`(epoch_us(${value}) / 86400000000 + 25569)`)} else ${text(`instant_text(${value})`)} end`;
  }
  if (/INT|^(FLOAT|DOUBLE)$/.test(type) && !isNested(column))
    return number(`case when isfinite(${value}::double) then ${value} end`);
  return isDecimal(column) ? number(value) : text(`${flat(column)}::varchar`);
}

/** Characters that XML cannot contain; they are replaced by U+FFFD. */
const UNHELD = "[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x{FFFE}\\x{FFFF}]";

/** Characters that XML text must escape; `>` because `]]>` is not allowed. */
const ENTITIES: readonly (readonly [sql: string, entity: string])[] = [
  ["'&'", "&amp;"],
  ["'<'", "&lt;"],
  ["'>'", "&gt;"],
  ["chr(13)", "&#13;"],
];

/**
 * A spreadsheet reads `_x0041_` as the character of that number, so that the underscore before `x0041` is written as one.
 * Without its last underscore the pattern also matches the second of two that overlap: `_x0041_x0042_`.
 */
const CODE = "_(x[0-9A-Fa-f]{4})";
const UNDERSCORE = "_x005F_";

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what no XML can hold.
const HELD_BY_NO_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const codesEscaped = (value: string): string =>
  `case when contains(${value}, '_x') then regexp_replace(${value}, '${CODE}', '${UNDERSCORE}\\1', 'g') else ${value} end`;

/** Text within XML, as SQL. */
const xmlText = (value: string): string =>
  ENTITIES.reduce(
    (text, [character, entity]) => `replace(${text}, ${character}, '${entity}')`,
    `regexp_replace(${codesEscaped(value)}, '${UNHELD}', chr(65533), 'g')`,
  );

const escaped = (text: string): string =>
  text
    .replaceAll(HELD_BY_NO_XML, "\ufffd")
    .replaceAll(new RegExp(CODE, "g"), `${UNDERSCORE}$1`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** A, B, … Z, AA, … */
export function letters(n: number): string {
  return n < 26 ? String.fromCharCode(65 + n) : letters(Math.floor(n / 26) - 1) + letters(n % 26);
}
