import { strToU8, zipSync } from "fflate";

export type WorkbookCell = string | number | boolean | { readonly days: number } | null;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const columnOf = (at: number): string =>
  (at < 26 ? "" : columnOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

/** A workbook with these sheets, texts shared or in the cells. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>,
  isShared = true,
): Buffer {
  const texts: string[] = [];
  const cell = (value: WorkbookCell, place: string): string => {
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${place}"><v>${value}</v></c>`;
    if (typeof value === "boolean") return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
    if (typeof value === "object") return `<c r="${place}" s="1"><v>${value.days}</v></c>`;
    if (!isShared) return `<c r="${place}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    return `<c r="${place}" t="s"><v>${texts.push(value) - 1}</v></c>`;
  };
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${names
      .map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names
      .map((_, at) => `<Relationship Id="r${at}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join("")}</Relationships>`,
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  };
  for (const [at, rows] of Object.values(sheets).entries()) {
    const content = rows.map(
      (row, n) => `<row r="${n + 1}">${row.map((value, c) => cell(value, `${columnOf(c)}${n + 1}`)).join("")}</row>`,
    );
    files[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet><sheetData>${content.join("")}</sheetData></worksheet>`;
  }
  files["xl/sharedStrings.xml"] =
    `<sst>${texts.map((text) => `<si><r><t xml:space="preserve">${escaped(text)}</t></r></si>`).join("")}</sst>`;
  return archive(files);
}

/** A ZIP archive. */
export const archive = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === "string" ? strToU8(content) : content,
        ]),
      ),
    ),
  );
