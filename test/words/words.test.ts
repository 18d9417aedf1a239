import { expect } from "chai";
import { answerFields } from "../../src/core/contract/answer.ts";
import { LOCALES } from "../../src/core/contract/dialect.ts";
import { comparesStates, isAnalysis, isOfRecord, isTabular } from "../../src/core/contract/endpoint.ts";
import { type Fields, membersOf } from "../../src/core/contract/field.ts";
import type { Accepted } from "../../src/core/contract/param.ts";
import { type Column, columnName, columnsOf } from "../../src/core/contract/table.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { furtherTables, mainTable } from "../../src/core/engine/answerTables.ts";
import BOOK from "../../src/features/workbooks/words/book.json" with { type: "json" };
import { headingOf, unitOf } from "../../src/features/workbooks/words/columns.ts";
import { inPortuguese, translated } from "../../src/features/workbooks/words/definitions.ts";
import FIGURES from "../../src/features/workbooks/words/figures.json" with { type: "json" };
import LABELS from "../../src/features/workbooks/words/labels.json" with { type: "json" };
import { labelOf } from "../../src/features/workbooks/words/labels.ts";
import PORTUGUESE from "../../src/features/workbooks/words/portuguese.json" with { type: "json" };

/** A request with all further tables. */
const EVERYTHING: Accepted = { includeCategories: "true", breakBy: null };

/** The tables of all answers but those of records, whose rows keep the vendors' names. */
const tables: readonly { readonly name: string; readonly columns: readonly Column[] }[] = endpoints
  .filter((endpoint) => isTabular(endpoint) && !isOfRecord(endpoint))
  .flatMap((endpoint) => {
    const main = mainTable(endpoint, EVERYTHING);
    // Also the fields that only some requests have.
    const all = [{ ...main, fields: main.part?.part.fields ?? main.fields }, ...furtherTables(endpoint, EVERYTHING)];
    return all.map(({ name, fields }) => ({ name: `${endpoint.path} ${name}`, columns: columnsOf(fields) }));
  });

const columns = tables.flatMap(({ name, columns }) => columns.map((column) => ({ table: name, column })));

/** Names, numbers and signs only: the same in every language. */
const isOfSigns = (text: string): boolean => /^[\d\s()×/+−.,a-zA-Z]+$/.test(text) && namesOf(text).every(isName);
const namesOf = (text: string): string[] => text.match(/[a-zA-Z]\w*/g) ?? [];
const isName = (word: string): boolean => labelOf(word) !== undefined;

/** No two words in a row: names of figures and signs. */
const isOfNames = (text: string): boolean => !/\p{L}{2,}[,.:;]? +\p{L}/u.test(text);

/** The texts of the numbers of all analyses, except positions of pages, and the figures of a period compared with. */
function figureTexts(): string[] {
  const isLeftOut = (name: string): boolean =>
    ["previousPeriod", "changes", "meta", "pagination", "changePct"].includes(name);
  const of = (fields: Fields): string[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      if (isLeftOut(name)) return [];
      const { description, formula, nullWhen, unit } = field;
      const own = (NUMBERS as readonly unknown[]).includes(unit) ? [description, formula ?? "", nullWhen ?? ""] : [];
      return [...own.filter((text) => text !== ""), ...of(membersOf(unit) ?? {})];
    });
  return endpoints.filter(isAnalysis).flatMap((endpoint) => of(answerFields(endpoint)));
}

const NUMBERS = ["currency", "ratio", "percent", "months", "days", "units", "count", "count or currency", "number"];

describe("The words of tables", () => {
  it("have a heading for each column in both languages, distinct within a table", () => {
    expect(tables.length).to.be.above(20);
    for (const { name, columns } of tables) {
      for (const locale of LOCALES) {
        const headings = columns.map((column) => headingOf(column, locale));
        const missing = columns.map(columnName).filter((_, n) => headings[n] === undefined);
        expect(missing, `${name} ${locale}`).to.deep.equal([]);
        const repeated = headings.filter((heading, n) => headings.indexOf(heading) !== n);
        expect(repeated, `${name} ${locale}`).to.deep.equal([]);
      }
    }
  });

  it("name the sheet of each table", () => {
    for (const { name } of tables) expect(labelOf(name.split(" ")[1] ?? ""), name).to.not.equal(undefined);
  });

  it("have a unit for each column", () => {
    for (const { table, column } of columns) {
      for (const locale of LOCALES) expect(unitOf(column, locale), `${table} ${columnName(column)}`).to.not.equal("");
    }
  });

  it("translate each definition, formula and null rule, and nothing else", () => {
    const texts = new Set(
      columns.flatMap(({ column: { field } }) =>
        [field.description, field.formula, field.nullWhen].filter((text) => text !== undefined),
      ),
    );
    const english = [...texts].filter((text) => text !== "" && !Object.hasOwn(PORTUGUESE, text) && !isOfSigns(text));
    expect(english).to.deep.equal([]);
    expect(Object.keys(PORTUGUESE).filter((text) => !texts.has(text))).to.deep.equal([]);
    expect(translated("Customers.", "en")).to.equal("Customers.");
    expect(translated("Customers.", "pt-BR")).to.equal("Clientes.");
    expect(translated("constructor", "pt-BR")).to.equal("constructor");
  });

  it("translate each definition, formula and null rule of a figure that can be explained", () => {
    const texts = new Set(figureTexts());
    expect(texts.size).to.be.above(300);
    const english = [...texts].filter((text) => inPortuguese(text) === undefined && !isOfNames(text));
    expect(english).to.deep.equal([]);
    expect(Object.keys(FIGURES).filter((text) => !texts.has(text) || Object.hasOwn(PORTUGUESE, text))).to.deep.equal(
      [],
    );
    expect(translated("Spend on brand campaigns.", "pt-BR")).to.equal("Investimento em campanhas de marca.");
  });

  it("have a label for each field of their answers, and for no other", () => {
    const namesIn = (fields: Fields): string[] =>
      Object.entries(fields).flatMap(([name, { unit }]) => [
        name,
        ...namesIn(membersOf(unit) ?? {}),
        ...(typeof unit === "object" && "keyed" in unit ? namesIn(unit.key) : []),
      ]);
    const all = endpoints.filter((one) => isAnalysis(one) || comparesStates(one));
    const ofTables = all.filter(isTabular).flatMap((endpoint) => namesIn(answerFields(endpoint)));
    expect([...new Set(ofTables)].filter((name) => labelOf(name) === undefined)).to.deep.equal([]);
    const known = new Set([
      ...all.flatMap((endpoint) => namesIn(answerFields(endpoint))),
      ...columns.map(({ column }) => columnName(column)),
    ]);
    expect(Object.keys(LABELS).filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it("have the same words for a workbook in both languages", () => {
    expect(Object.keys(BOOK["pt-BR"])).to.deep.equal(Object.keys(BOOK.en));
    expect(BOOK["pt-BR"].columns).to.have.lengthOf(BOOK.en.columns.length);
  });
});
