import type { Locale } from "../../core/contract/dialect.ts";
import { type Endpoint, isOfRecord, tableOf } from "../../core/contract/endpoint.ts";
import { type Accepted, isSent } from "../../core/contract/param.ts";
import { type Column, columnName, columnsOf } from "../../core/contract/table.ts";
import { type AnswerTable, furtherTables } from "../../core/engine/answerTables.ts";
import type { Session } from "../../core/engine/database.ts";
import type { Described } from "../../core/engine/formats/described.ts";
import type { BookRequest, Workbooks } from "../../core/engine/ports.ts";
import BOOK from "./words/book.json" with { type: "json" };
import { headingOf, unitOf } from "./words/columns.ts";
import { translated } from "./words/definitions.ts";
import { labelOf } from "./words/labels.ts";
import { type Book, type Line, type Sheet, writeWorkbook } from "./workbook.ts";

/** Spreadsheets in the languages of `words`. */
export const workbooks: Workbooks = {
  declaredOf,
  bookOf: async (session, asked) => {
    const book = await bookOf(session, asked);
    return (used, rows, file) => writeWorkbook(used, rows, book, file);
  },
};

function declaredOf(
  columns: readonly Column[],
  { locale, hasLabels }: Pick<BookRequest, "locale" | "hasLabels">,
): Map<string, Pick<Described, "heading" | "field">> {
  const declared = columns.map((column): [string, Pick<Described, "heading" | "field">] => {
    const heading = hasLabels ? headingOf(column, locale) : undefined;
    return [columnName(column), { field: column.field, ...(heading === undefined ? {} : { heading }) }];
  });
  return new Map(declared);
}

/** The workbook around the rows of an answer. */
async function bookOf(session: Session, asked: BookRequest): Promise<Book> {
  const { endpoint, accepted, locale } = asked;
  const [facts = {}] = await session.rows("select name, currency, instant_text(as_of) as as_of from organization");
  const text = (fact: string): string => (facts[fact] === null ? "" : String(facts[fact] ?? ""));
  const tables = furtherTables(endpoint, accepted);
  const further: Sheet[] = [];
  for (const table of tables) further.push(await sheetOf(session, asked, table));
  const name = nameOf(tableOf(endpoint, accepted), locale);
  // An answer with an envelope is about the organization; a store may have its own currency.
  const currency = endpoint.envelope ? text("currency") : "";
  const words = BOOK[locale];
  const head: Line[] = [
    [words.organization, [text("name"), asked.organizationId].filter(Boolean).join(" · ")],
    [words.currency, currency],
    [words.period, await periodOf(session, asked)],
    [words.asOf, instantIn(text("as_of"), locale)],
    [words.lacking, await lacksOf(session, asked)],
    [words.address, endpoint.path],
    [words.filters, filtersOf(endpoint, accepted)],
  ].map(([what = "", value = ""]) => ({ cells: [what, value] }));
  const lines: Line[] = [
    ...head.filter(({ cells }) => cells[1] !== ""),
    { cells: [words.instants] },
    { cells: [] },
    { cells: words.columns, isHeading: true },
    ...definitionsOf(name, asked.columns, locale),
    ...tables.flatMap((table) => definitionsOf(nameOf(table.name, locale), columnsOf(table.fields), locale)),
  ];
  return { locale, currency: currency || undefined, name, further, definitions: { name: words.definitions, lines } };
}

const nameOf = (name: string, locale: Locale): string => labelOf(name)?.[locale] ?? name;

async function sheetOf(session: Session, asked: BookRequest, { name, sql, fields }: AnswerTable): Promise<Sheet> {
  const declared = declaredOf(columnsOf(fields), asked);
  const columns = (await session.columns(sql)).map((column) => ({ ...column, ...declared.get(column.name) }));
  return { name: nameOf(name, asked.locale), sql, columns };
}

/** The days of the answer, as its envelope or the parameters have them. */
async function periodOf(session: Session, { endpoint, accepted, locale }: BookRequest): Promise<string> {
  const words = BOOK[locale];
  const [rule] = endpoint.periods ?? [];
  if (!rule) return "";
  const [days] = endpoint.envelope?.includes("period")
    ? await session.rows("select period_start()::varchar as first, period_end()::varchar as last")
    : [];
  const first = days ? days.first : accepted[rule.start];
  const last = days ? days.last : accepted[rule.end];
  if (first === null || last === null) return isOfRecord(endpoint) ? "" : words.wholeHistory;
  return `${dayIn(String(first), locale)} ${words.to} ${dayIn(String(last), locale)}`;
}

/** The stores and ad accounts whose data end before the period does [D23]. */
async function lacksOf(session: Session, { endpoint, locale }: BookRequest): Promise<string> {
  if (!endpoint.envelope?.includes("coverage")) return "";
  const lists = endpoint.withoutSpend ? "coverage.stores" : "coverage.stores || coverage.accounts";
  const rows = await session.rows(
    `select one.integrationId as id, one.lastDay::varchar as day from (select unnest(${lists}) as one from (select coverage() as coverage))`,
  );
  return rows.map(({ id, day }) => `${id}: ${day === null ? "–" : dayIn(String(day), locale)}`).join("\n");
}

const dayIn = (day: string, locale: Locale): string =>
  locale === "pt-BR" ? day.replace(/^(\d{4,})-(\d\d)-(\d\d)$/, "$3/$2/$1") : day;

/** To the second, like those of the tables. */
const instantIn = (instant: string, locale: Locale): string => {
  const [, day = "", time = ""] = /^(.+)T(\d\d:\d\d:\d\d)/.exec(instant) ?? [];
  return day && `${dayIn(day, locale)} ${time}`;
};

/** Parameters that decide how the table is written, not what it has. */
const OF_FORM = ["organizationId", "format", "locale", "headings"];

/** The parameters as they were accepted, like in an address. */
const filtersOf = ({ params }: Endpoint, accepted: Accepted): string =>
  Object.entries(params)
    .filter(([name, param]) => isSent(param) && !OF_FORM.includes(name) && (accepted[name] ?? null) !== null)
    .map(([name]) => `${name}=${accepted[name]}`)
    .join("\n");

const definitionsOf = (sheet: string, columns: readonly Column[], locale: Locale): Line[] =>
  columns.map((column) => {
    const { description, formula = "", nullWhen = "" } = column.field;
    return {
      cells: [
        sheet,
        headingOf(column, locale) ?? columnName(column),
        columnName(column),
        unitOf(column, locale),
        ...[description, formula, nullWhen].map((text) => translated(text, locale)),
      ],
    };
  });
