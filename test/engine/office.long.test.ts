import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { LOCALES, type Locale } from "../../src/core/contract/dialect.ts";
import { AURORA, type DataFolder, exportsOf, STOREA, storeaOrder } from "../support/data.ts";
import { type Cell, EMPTY, sheetsOf } from "../support/fods.ts";
import { isInstalled, LibreOffice } from "../support/libreOffice.ts";
import { unguarded } from "../support/readers.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

type Form = "workbook" | `CSV in ${Locale}`;
type Row = Readonly<Record<string, unknown>>;

const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";
const STORE = `integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;

/** A request for each kind of table, by the name of its file. */
const TABLES: Readonly<Record<string, string>> = {
  evolution: "/v1/profitability/metrics-evolution?",
  cohort: "/v1/profitability/cohort?breakBy=campanha",
  payback: "/v1/profitability/payback?",
  orders: "/v1/profitability/orders?counted=any&all=true",
  campaigns: `/v1/acquisition/campaigns?${FEBRUARY}`,
  stores: "/v1/products/integrations?",
  products: `/v1/products?${STORE}&all=true`,
  categories: `/v1/products/categories?${STORE}`,
  series: `/v1/products/501/series?${STORE}`,
  contacts: "/v1/crm/contacts?all=true",
  rows: "/v1/storea/orders?all=true",
  forecast: "/v1/profitability/forecast?",
};

const HOSTILE = [
  "=1+1",
  "+55 11",
  "-x",
  "@sum",
  'a "quoted", one',
  "two\nlines",
  "a;=1",
  "a,=1",
  "x;y,z",
  "<&>",
  "ção 🛒",
  "_x0041_",
];

describe("LibreOffice opens", function () {
  this.timeout(600_000);
  let data: DataFolder;
  let service: Service;
  let office: LibreOffice;
  let folder: string;
  const answers = new Map<string, readonly Row[]>();

  before(async function () {
    if (!isInstalled()) this.skip();
    office = await LibreOffice.open();
    folder = await mkdtemp(path.join(tmpdir(), "lucra-sheets-"));
    data = await landedFixtures();
    const orders = HOSTILE.map((text, n) => ({ ...storeaOrder({ id: `odd-${n}`, value: 12.34 }), sequence: text }));
    await data.write(`${exportsOf(STOREA, "orders")}/odd.json`, JSON.stringify(orders));
    await data.sync();
    service = await openService(data.config, AURORA);
    for (const [name, address] of Object.entries(TABLES)) {
      const lines = String(await get(`${address}&format=ndjson`)).split("\n");
      answers.set(
        name,
        lines.filter((line) => line !== "").map((line) => JSON.parse(line)),
      );
    }
  });

  after(async () => {
    await service?.close();
    await data?.remove();
    await office?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function get(address: string): Promise<Buffer> {
    const { status, body } = await request(service.app)
      .get(`${address}&organizationId=${AURORA}`.replace("?&", "?"))
      .set({ "x-client-id": "test", "x-client-secret": "x" })
      .buffer()
      .parse((response, parsed) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => parsed(null, Buffer.concat(parts)));
      });
    expect(status, address).to.equal(200);
    return body as Buffer;
  }

  /** Every table in a format and locale, as LibreOffice reads it: its sheets by their names. */
  async function opened(format: "csv" | "xlsx", locale: Locale): Promise<Map<string, Map<string, Cell[][]>>> {
    const files: string[] = [];
    for (const [name, address] of Object.entries(TABLES)) {
      const file = path.join(folder, `${name}.${format}`);
      await writeFile(file, await get(`${address}&format=${format}&locale=${locale}`));
      files.push(file);
    }
    const language = locale === "pt-BR" ? "pt-BR" : "en";
    const separator = locale === "pt-BR" ? ";" : ",";
    const made = await office.read(files, format === "xlsx" ? "workbook" : { separator, language });
    const names = Object.keys(TABLES);
    const sheets = await Promise.all(made.map(async (file) => sheetsOf(await readFile(file, "utf8"))));
    return new Map(sheets.map((one, n) => [names[n] ?? "", one]));
  }

  for (const locale of LOCALES) {
    it(`workbooks in ${locale}: every cell is the API's, with its type`, async () => {
      const books = await opened("xlsx", locale);
      for (const [name, rows] of answers) {
        const sheets = books.get(name) ?? new Map();
        const [first = []] = sheets.values();
        compare(name, first, rows, "workbook");
        expect([...sheets.keys()].at(-1), name).to.equal(locale === "pt-BR" ? "Definições" : "Definitions");
      }
      const evolution = [...(books.get("evolution")?.values() ?? [])][0] ?? [];
      expect(evolution[1]?.[1]).to.deep.equal({ type: "currency", value: "1000", currency: "BRL" });
      const products = [...(books.get("products")?.keys() ?? [])];
      // The further tables are sheets, then the definitions.
      expect(products).to.deep.equal(
        locale === "pt-BR" ? ["Dados", "Categorias", "Definições"] : ["Data", "Categories", "Definitions"],
      );
    });

    it(`CSV in ${locale}: every number, day and flag is one, and every instant but those in ISO 8601`, async () => {
      const tables = await opened("csv", locale);
      for (const [name, rows] of answers) {
        const [sheet = []] = tables.get(name)?.values() ?? [];
        compare(name, sheet, rows, `CSV in ${locale}`);
      }
    });
  }

  it("neither as a formula", async () => {
    for (const format of ["csv", "xlsx"] as const) {
      for (const locale of LOCALES) {
        const file = path.join(folder, `formulas.${format}`);
        await writeFile(file, await get(`${TABLES.rows}&format=${format}&locale=${locale}`));
        const as = { separator: locale === "pt-BR" ? ";" : ",", language: locale };
        const [made = ""] = await office.read([file], format === "xlsx" ? "workbook" : as);
        // It reads the flags of a workbook as formulas that are constants.
        const formulas = (await readFile(made, "utf8")).match(/table:formula="(?!of:=(TRUE|FALSE)\(\)")[^"]*"/g);
        expect(formulas, `${format} ${locale}`).to.equal(null);
      }
    }
  });

  /** Compares each cell, and the sum of each column of numbers. Types of texts: only in workbooks, which keep them. */
  function compare(name: string, sheet: readonly Cell[][], rows: readonly Row[], form: Form): void {
    const [heading = [], ...cells] = sheet;
    const names = heading.map(({ value }) => value);
    if (rows[0]) expect(names, name).to.deep.equal(Object.keys(rows[0]));
    expect(cells.length, name).to.equal(rows.length);
    const sums = new Map<string, number>();
    rows.forEach((row, at) => {
      names.forEach((column, n) => {
        const cell = cells[at]?.[n] ?? EMPTY;
        const where = `${name} ${at} ${column}`;
        const value = row[column];
        if (typeof value === "number") sums.set(column, (sums.get(column) ?? 0) + Number(cell.value) - value);
        compareCell(cell, value, where, form);
      });
    });
    for (const [column, difference] of sums) expect(Math.abs(difference), `${name} Σ ${column}`).to.be.below(1e-6);
  }
});

function compareCell({ type, value }: Cell, wanted: unknown, where: string, form: Form): unknown {
  if (wanted === null || wanted === "") return expect(value, where).to.equal("");
  if (typeof wanted === "number") {
    expect(["float", "currency", "percentage"], `${where} ${type} ${value}`).to.include(type);
    return expect(Number(value), where).to.equal(wanted);
  }
  if (typeof wanted === "boolean") return expect([type, value], where).to.deep.equal(["boolean", String(wanted)]);
  if (typeof wanted !== "string") return expect(JSON.parse(unguarded(value)), where).to.deep.equal(wanted);
  if (/^\d{4}-\d\d-\d\d$/.test(wanted)) return expect([type, value], where).to.deep.equal(["date", wanted]);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(wanted)) {
    // CSV in English is that of programs: instants are in ISO 8601, which spreadsheets take for text.
    if (form === "CSV in en") return expect([type, value], where).to.deep.equal(["string", wanted]);
    expect(type, where).to.equal("date");
    return expect(secondOf(`${value}Z`), where).to.equal(secondOf(wanted));
  }
  // A text of digits is a number in a CSV file.
  if (form !== "workbook" && type !== "string") return expect(Number(value), where).to.equal(Number(wanted));
  expect(type, where).to.equal("string");
  return expect(plain(value), where).to.equal(plain(wanted));
}

/** Rounded: a workbook has fractions of days. */
const secondOf = (instant: string): number => Math.round(Date.parse(instant) / 1000);

/** Without the apostrophes that keep a text from being a formula. */
const plain = (text: string): string => text.replaceAll("'", "").replaceAll(/\r\n?/g, "\n");
