import { accountsOf, type Shop } from "./shop/shop.ts";

/**
 * The questions for the service and for every reference engine. `rows` turns an answer into rows of plain figures, so
 * that another engine's result, whose columns are some of those figures, can be compared with it.
 */
export interface Question {
  readonly name: string;
  /** The endpoint's declared path, and the request. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly rows: (body: Body) => readonly Figures[];
}

export type Figures = Readonly<Record<string, string | number | boolean | null>>;
// biome-ignore lint/suspicious/noExplicitAny: a parsed answer of any of the endpoints.
export type Body = any;

const YEAR = { startDate: "2024-01-01", endDate: "2024-12-30" };

/** A product with many sales. */
const PRODUCT = "2";

/** The plain members of an object, named with the prefix. */
function plain(value: Body, prefix = ""): Figures {
  const figures: Record<string, string | number | boolean | null> = {};
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member === null || typeof member !== "object") figures[prefix + name] = member as string;
  }
  return figures;
}

/** All members of an object except lists; those of nested objects are named `outer.inner`. */
function flat(value: Body, prefix = ""): Figures {
  const nested = Object.entries(value).filter(([, member]) => member !== null && typeof member === "object");
  const objects = nested.filter(([, member]) => !Array.isArray(member));
  return Object.assign(plain(value, prefix), ...objects.map(([name, member]) => flat(member, `${prefix}${name}.`)));
}

/** One row per cell of the cohort table, together with its row's own figures. */
const cohortCells = (body: Body): Figures[] =>
  body.data.flatMap((row: Body) =>
    Object.entries(row.months).map(([step, cell]) => ({ ...plain(row), step: Number(step), ...plain(cell, "cell.") })),
  );

const dataRows = (body: Body): Figures[] => body.data.map((row: Body) => plain(row));

/** The rows of a product's blocks, one block after the other. */
const blockRows = (body: Body): Figures[] =>
  Object.entries(body as Readonly<Record<string, Body>>).flatMap(([block, value]) =>
    (value?.rows ?? []).map((row: Body) => ({ block, ...plain(row) })),
  );

/** The retention table, by month of acquisition, and by category as well. */
const cohorts: Question[] = [
  { name: "cohort by month", breakdown: {} },
  { name: "cohort by category", breakdown: { breakBy: "categoria" } },
].map(({ name, breakdown }) => ({
  name,
  path: "/v1/profitability/cohort",
  parameters: { view: "logo", ...breakdown },
  rows: cohortCells,
}));

/** The measured analyses of a synthetic shop. */
export function questionsOf(shop: Shop): readonly Question[] {
  const store = { integrationId: accountsOf(shop)[0]?.id ?? "", dateFrom: YEAR.startDate, dateTo: YEAR.endDate };
  return [
    {
      name: "cards, a year",
      path: "/v1/profitability/cards",
      parameters: YEAR,
      rows: (body) => [
        { ...plain(body), ...plain(body.previousPeriod, "previous."), ...plain(body.changes, "change.") },
      ],
    },
    ...cohorts,
    {
      name: "acquisition summary, a year",
      path: "/v1/acquisition/summary",
      parameters: YEAR,
      rows: (body) => [flat(body)],
    },
    {
      name: "products with categories, a year",
      path: "/v1/products",
      parameters: { ...store, pageSize: "100" },
      rows: (body) => [...dataRows(body), ...body.categories.map((row: Body) => plain(row))],
    },
    {
      name: "series of a year, by month",
      path: "/v1/profitability/metrics-evolution",
      parameters: YEAR,
      rows: dataRows,
    },
    {
      name: "a product's series, a year",
      path: `/v1/products/${PRODUCT}/series`,
      parameters: store,
      rows: (body) => [...dataRows(body), ...dataRows(body.previous)],
    },
    {
      name: "a product's detail, a year",
      path: `/v1/products/${PRODUCT}`,
      parameters: store,
      rows: (body) => [flat(body), ...blockRows(body)],
    },
  ];
}

/** As sent over the wire. */
export const addressOf = (question: Question): string =>
  `${question.path}?${new URLSearchParams(question.parameters).toString()}`;
