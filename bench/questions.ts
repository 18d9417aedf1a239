import { accountsOf, FIRST_DAY, LAST_DAY, type Shop } from "./shop/shop.ts";

/** A question for the service; the path and the parameters of its request. */
export interface OwnQuestion {
  readonly name: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * A question for the service and for every other engine. `rows` turns an answer into rows of plain figures, so that
 * another engine's result can be compared with it figure by figure.
 */
export interface Question extends OwnQuestion {
  readonly rows: (body: Body) => readonly Figures[];
}

export type Figures = Readonly<Record<string, string | number | boolean | null>>;
// biome-ignore lint/suspicious/noExplicitAny: a parsed answer of any of the endpoints.
export type Body = any;

/** A product with many sales. */
const PRODUCT = "2";

/** All members of an object except lists; those of nested objects are named `outer.inner`. */
function flat(value: Body, prefix = ""): Figures {
  const figures: Record<string, string | number | boolean | null> = {};
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member === null || typeof member !== "object") figures[prefix + name] = member as string;
    else if (!Array.isArray(member)) Object.assign(figures, flat(member, `${prefix}${name}.`));
  }
  return figures;
}

/** One row per cell of the cohort table, together with its row's own figures. */
const cohortCells = (body: Body): Figures[] =>
  body.data.flatMap(({ months, ...row }: Body) => {
    const figures = flat(row);
    return Object.entries(months).map(([step, cell]) => ({ ...figures, step: Number(step), ...flat(cell, "cell.") }));
  });

const dataRows = (body: Body): Figures[] => body.data.map((row: Body) => flat(row));

/** The page's products, each with the number of all products and pages, and the categories. */
function listingRows(body: Body): Figures[] {
  const { total, totalPages } = body.pagination;
  const products = dataRows(body).map((row) => ({ ...row, ...flat({ total, totalPages }, "pagination.") }));
  return [...products, ...body.categories.map((row: Body) => flat(row))];
}

/** The points of both periods, each with its period's state. */
const seriesRows = (body: Body): Figures[] =>
  [body, body.previous].flatMap(({ state, reason, data }) =>
    data.map((row: Body) => ({ state, reason, ...flat(row) })),
  );

/** A product's blocks one after the other, each row of a block together with what the block states. */
function detailRows({ productId, integrationId, asOf, period, summary, ...blocks }: Body): Figures[] {
  return [
    flat({ productId, integrationId, asOf, period, summary }),
    ...Object.entries<Body>(blocks).flatMap(([block, { rows = [{}], ...stated }]) =>
      rows.map((row: Body) => ({ block, ...flat(stated), ...flat(row) })),
    ),
  ];
}

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

/** Some days earlier the periods are others, with as much data. */
const periodsOf = (earlier: number) => ({
  year: { startDate: daysBefore("2024-01-01", earlier), endDate: daysBefore(LAST_DAY, earlier) },
  quarter: { startDate: daysBefore("2024-01-01", earlier), endDate: daysBefore("2024-03-31", earlier) },
  all: { startDate: FIRST_DAY, endDate: daysBefore(LAST_DAY, earlier) },
});

/**
 * The measured questions about a shop. Asked for some days earlier they are other requests over as much data: their
 * answers are in no cache.
 */
export function questionsOf(shop: Shop, earlier = 0): readonly Question[] {
  const { year, quarter, all } = periodsOf(earlier);
  const store = { integrationId: accountsOf(shop)[0]?.id ?? "", dateFrom: year.startDate, dateTo: year.endDate };
  const cohort = (name: string, parameters: Readonly<Record<string, string>>): Question => ({
    name: `cohort by ${name}`,
    path: "/v1/profitability/cohort",
    parameters: { view: "logo", ...parameters },
    rows: cohortCells,
  });
  return [
    {
      name: "cards, a year",
      path: "/v1/profitability/cards",
      parameters: year,
      rows: (body) => [flat(body)],
    },
    {
      name: "acquisition summary, a year",
      path: "/v1/acquisition/summary",
      parameters: year,
      rows: (body) => [flat(body)],
    },
    {
      name: "series by month, a year",
      path: "/v1/profitability/metrics-evolution",
      parameters: year,
      rows: dataRows,
    },
    {
      name: "a product's detail, a year",
      path: `/v1/products/${PRODUCT}`,
      parameters: store,
      rows: detailRows,
    },
    {
      name: "a product's series by day, a year",
      path: `/v1/products/${PRODUCT}/series`,
      parameters: store,
      rows: seriesRows,
    },
    cohort("month, three years", all),
    cohort("month and category, three years", { ...all, breakBy: "categoria" }),
    cohort("month and product, a quarter", { ...quarter, breakBy: "produto" }),
    cohort("year and product, three years", { ...all, groupBy: "year", breakBy: "produto" }),
    {
      name: "products and categories, a year",
      path: "/v1/products",
      parameters: { ...store, pageSize: "100" },
      rows: listingRows,
    },
  ];
}

/** Those that only the service answers, after the year's cards to compare them with. */
export function ownQuestionsOf(earlier = 0): readonly OwnQuestion[] {
  const { year, all } = periodsOf(earlier);
  const own = (name: string, path: string, parameters: OwnQuestion["parameters"]): OwnQuestion => ({
    name,
    path: `/v1/${path}`,
    parameters,
  });
  return [
    own("cards, a year", "profitability/cards", year),
    own("payback curves, three years", "profitability/payback", all),
    own("payback curves by channel, three years", "profitability/payback", { ...all, breakBy: "origem" }),
    own("payback curves by campaign, three years", "profitability/payback", { ...all, breakBy: "campanha" }),
    own("bridge, a year", "profitability/bridge", year),
    own("bridge by product, a year", "profitability/bridge", { ...year, breakBy: "produto" }),
    own("orders behind the cards, the first page of a year", "profitability/orders", { ...year, limit: "100" }),
    own("forecast", "profitability/forecast", {}),
    own("statement of profit, a year", "profit/statement", year),
    own("statement of profit by month, a year", "profit/statement", { ...year, granularity: "month" }),
    own("what orders leave, the first page of a year", "profit/orders", { ...year, limit: "100" }),
    own("what campaigns leave, a year", "acquisition/contribution", year),
  ];
}

/** As sent over the wire. */
export const addressOf = (question: OwnQuestion): string =>
  `${question.path}?${new URLSearchParams(question.parameters).toString()}`;
