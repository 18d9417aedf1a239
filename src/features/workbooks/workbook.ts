import type { Locale } from "../../core/contract/dialect.ts";
import { ApiError } from "../../core/contract/error.ts";
import type { Session } from "../../core/engine/database.ts";
import { type Described, isDecimal, isInstantColumn, isNested } from "../../core/engine/formats/described.ts";
import {
  CELL_STYLES,
  cellRows,
  letters,
  MAIN,
  MOST_ROWS,
  PACKAGE,
  RELATIONS,
  TYPE,
  textCell,
  writePackage,
  XML,
} from "../../core/engine/formats/xlsx.ts";

/** The rows of a query, with what is declared of their columns. */
interface Table {
  readonly sql: string;
  readonly columns: readonly Described[];
}

export interface Sheet extends Table {
  readonly name: string;
}

/** A row of the sheet with definitions: a heading is bold. */
export interface Line {
  readonly cells: readonly string[];
  readonly isHeading?: boolean;
}

/** A workbook for people: the answer's main table, its further tables, and what their columns mean. */
export interface Book {
  readonly locale: Locale;
  /** Currency of the amounts; undefined if they may be in several, or it is unknown. */
  readonly currency: string | undefined;
  /** Name of the sheet with the main table. */
  readonly name: string;
  readonly further: readonly Sheet[];
  readonly definitions: { readonly name: string; readonly lines: readonly Line[] };
}

/** Formats of cells, by their names; their positions are those of the styles in `styles.xml`, after the plain one. */
const STYLES = [
  "heading",
  "day",
  "instant",
  "money",
  "amount",
  "exactAmount",
  "count",
  "percent",
  "ratio",
  "decimal",
  "flag",
  "wrapped",
] as const;
type Style = (typeof STYLES)[number];

const styleNo = (style: Style | undefined): number => (style ? STYLES.indexOf(style) + 1 : 0);

/** Numbers of the formats of our own begin there. */
const FIRST_FORMAT = 164;

/** A spreadsheet shows the separators of its own country. */
function formatsOf({ locale, currency }: Book): Readonly<Record<Style, string | undefined>> {
  const day = locale === "pt-BR" ? "dd/mm/yyyy" : "yyyy\\-mm\\-dd";
  const amount = "#,##0.00";
  const sign =
    currency === "BRL" ? "[$R$-416]" : currency && /^[A-Z]{3}$/.test(currency) ? `[$${currency}]` : undefined;
  return {
    heading: undefined,
    day,
    instant: `${day}\\ hh:mm:ss`,
    money: sign ? `${sign}\\ ${amount};\\-${sign}\\ ${amount}` : amount,
    amount,
    exactAmount: "#,##0.00####",
    count: "#,##0",
    percent: '0.00"%"',
    ratio: "0.00##",
    decimal: "#,##0.00",
    // LibreOffice takes a flag without this format for a number.
    flag: '"TRUE";"TRUE";"FALSE"',
    wrapped: undefined,
  };
}

/** Numbers are those of the API: a format changes only how they look. */
function styleOf(column: Described): Style | undefined {
  if (isNested(column)) return undefined;
  if (column.type === "BOOLEAN") return "flag";
  if (column.type === "DATE") return "day";
  if (isInstantColumn(column)) return "instant";
  switch (column.field?.unit) {
    case "currency":
      return column.type === "DECIMAL(18,2)" ? "money" : "exactAmount";
    case "count or currency":
      return "amount";
    case "count":
      return "count";
    case "percent":
      return "percent";
    case "ratio":
      return "ratio";
    case "months":
    case "days":
    case "units":
      return "decimal";
    default:
      return isDecimal(column) ? "exactAmount" : undefined;
  }
}

/** Widths in characters: what the values of the format need, or the heading with the button of its filter. */
const WIDTHS: Readonly<Partial<Record<Style, number>>> = {
  day: 12,
  instant: 20,
  money: 16,
  amount: 16,
  exactAmount: 16,
};
const WIDTH_OF_TEXT = 24;
const WIDTH = 10;
const MOST_WIDTH = 48;

function widthOf(column: Described): number {
  const style = styleOf(column);
  const ofValues = style ? (WIDTHS[style] ?? WIDTH) : /^(VARCHAR|JSON)/.test(column.type) ? WIDTH_OF_TEXT : WIDTH;
  return Math.min(MOST_WIDTH, Math.max(ofValues, [...headingOf(column)].length + 4));
}

const headingOf = ({ name, heading = name }: Described): string => heading;

const colsXml = (widths: readonly number[]): string =>
  `<cols>${widths.map((width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`).join("")}</cols>`;

const FROZEN =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** Widths of the columns with definitions: sheet, label, name, unit, definition, formula, null rule. */
const DEFINITION_WIDTHS = [24, 32, 28, 16, 60, 60, 40];

/** Writes the workbook; returns the number of rows of the main table. */
export async function writeWorkbook(session: Session, main: Table, book: Book, file: string): Promise<number> {
  const sheets: readonly Sheet[] = [{ ...main, name: book.name }, ...book.further];
  const names = distinct([...sheets.map(({ name }) => name), book.definitions.name]);
  let rows = 0;
  const contents = Object.fromEntries(
    sheets.map((sheet, n) => [
      partOf(n),
      async function* () {
        const count = yield* sheetXml(session, sheet);
        if (n === 0) rows = count;
      },
    ]),
  );
  contents[partOf(sheets.length)] = async function* () {
    yield definitionsXml(book.definitions.lines);
  };
  await writePackage(partsOf(names, book), contents, file);
  return rows;
}

const partOf = (n: number): string => `xl/worksheets/sheet${n + 1}.xml`;

/** A table below a heading that stays in view and filters. */
async function* sheetXml(session: Session, { sql, columns }: Table): AsyncGenerator<string, number> {
  const expected = Number((await session.texts(`select count(*) from (${sql})`))[0]);
  if (expected > MOST_ROWS) throw new ApiError("doesNotFit");
  yield `${XML}<worksheet xmlns="${MAIN}">${FROZEN}${colsXml(columns.map(widthOf))}<sheetData><row r="1">`;
  yield columns.map((column, n) => textCell(`${letters(n)}1`, headingOf(column), styleNo("heading"))).join("");
  yield "</row>";
  const rows = yield* cellRows(session, sql, columns, (column) => styleNo(styleOf(column)));
  // A broken stream may look complete.
  if (rows !== expected) throw new Error(`${rows} of ${expected} rows were written`);
  yield `</sheetData><autoFilter ref="A1:${letters(columns.length - 1)}${rows + 1}"/></worksheet>`;
  return rows;
}

function definitionsXml(lines: readonly Line[]): string {
  const rows = lines.map(({ cells, isHeading }, at) => {
    const style = styleNo(isHeading ? "heading" : "wrapped");
    const filled = cells.map((text, n) => (text === "" ? "" : textCell(`${letters(n)}${at + 1}`, text, style)));
    return `<row r="${at + 1}">${filled.join("")}</row>`;
  });
  return `${XML}<worksheet xmlns="${MAIN}">${colsXml(DEFINITION_WIDTHS)}<sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/** Names of sheets differ in more than case, and have at most 31 characters. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = name.replaceAll(/[[\]:*?/\\]/g, " ").slice(0, 27);
    let free = base;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${base} ${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

/** All files of the package except the sheets. */
function partsOf(names: readonly string[], book: Book): Readonly<Record<string, string>> {
  const sheets = names.map((_, n) => n + 1);
  const overrides = sheets.map(
    (no) => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  );
  const relations = sheets.map(
    (no) => `<Relationship Id="rId${no}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${no}.xml"/>`,
  );
  const listed = names.map((name, n) => `<sheet name="${attribute(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`);
  return {
    "[Content_Types].xml":
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${overrides.join("")}</Types>`,
    "_rels/.rels":
      `<Relationships xmlns="${PACKAGE}/relationships">` +
      `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      `<Relationships xmlns="${PACKAGE}/relationships">${relations.join("")}` +
      `<Relationship Id="rId${names.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": stylesXml(book),
  };
}

const attribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function stylesXml(book: Book): string {
  const formats = formatsOf(book);
  const coded = STYLES.filter((style) => formats[style] !== undefined);
  const numFmts = coded.map(
    (style, n) => `<numFmt numFmtId="${FIRST_FORMAT + n}" formatCode="${attribute(formats[style] ?? "")}"/>`,
  );
  const xfs = STYLES.map((style) => {
    if (style === "heading") return '<xf fontId="1" applyFont="1"/>';
    if (style === "wrapped") return '<xf applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>';
    return `<xf numFmtId="${FIRST_FORMAT + coded.indexOf(style)}" applyNumberFormat="1"/>`;
  });
  return (
    `<styleSheet xmlns="${MAIN}"><numFmts count="${numFmts.length}">${numFmts.join("")}</numFmts>` +
    '<fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
    `<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${xfs.length + 1}"><xf/>${xfs.join("")}</cellXfs>${CELL_STYLES}</styleSheet>`
  );
}
