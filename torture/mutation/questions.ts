import fc from "fast-check";
import { COHORT_BREAKS, type CohortBreak } from "../../src/core/contract/attributes.ts";
import { type AnyEndpoint, comparesStates } from "../../src/core/contract/endpoint.ts";
import { endpointAt } from "../../src/core/endpoints/index.ts";
import { readCases } from "../../src/documents/cases.ts";
import { differences } from "../../test/independent/differences.ts";
import { factsOf } from "../../test/independent/facts.ts";
import { detail, productsOf, series } from "../../test/independent/productDetail.ts";
import { categoryTotals, listing, type Page, type Selection, viewOf } from "../../test/independent/products.ts";
import { type Answer, type CohortQuestion, cohort } from "../../test/independent/profitability.ts";
import { profitFactsOfWorld } from "../../test/independent/profitWorlds.ts";
import { contributionQuestions, productsQuestions } from "../../test/independent/questions/contribution.ts";
import { statementQuestions } from "../../test/independent/questions/profit.ts";
import { OF_AN_ENDED_PERIOD, OF_ANY_PERIOD, WITHOUT_DATES } from "../../test/independent/worldFigures.ts";
import { byParameter, filled } from "../../test/support/cases.ts";
import { AURORA } from "../../test/support/data.ts";
import { type Market, type Store, storePeriod } from "../../test/support/market.ts";
import { NOW, type Period, period, type World } from "../../test/support/world.ts";
import type { Organizations } from "./organizations.ts";

/** A question, and the answer that the tests of `npm test` expect. */
export interface Question {
  readonly organization: string;
  readonly address: string;
  readonly status: number;
  readonly body: unknown;
}

/** Whether the engine answers it from the SQL files alone, and from one state of the data. */
const isAnalysis = (endpoint: AnyEndpoint | undefined): boolean =>
  endpoint !== undefined &&
  !comparesStates(endpoint) &&
  !["organizations", "adhoc", "quality", "pins"].includes(endpoint.by ?? "");

/** The cases of an endpoint, as in test/analyses/cases.test.ts. */
const cases = (): Question[] =>
  readCases()
    .filter(([, { request }]) => isAnalysis(endpointAt(request)))
    .map(([, { request, status, body }]) => ({ organization: AURORA, address: request, status, body }));

const EVER = { start: null, end: null };
/** A question for every breakdown. */
const COHORTS: Readonly<Record<CohortBreak | "whole", Omit<CohortQuestion, "breakBy">>> = {
  whole: { view: "logo", groupBy: "month" },
  origem: { view: "revenue", groupBy: "quarter" },
  campanha: { view: "revenue", groupBy: "year" },
  cupom: { view: "logo", groupBy: "month" },
  produto: { view: "revenue", groupBy: "month" },
  categoria: { view: "revenue", groupBy: "quarter" },
  estado: { view: "logo", groupBy: "week" },
  cidade: { view: "revenue", groupBy: "month" },
  pagamento: { view: "revenue", groupBy: "week" },
  loja: { view: "logo", groupBy: "quarter" },
  marca: { view: "revenue", groupBy: "month" },
};

/** Of all stores, over the whole history and each period. */
const STATEMENTS = (["month", "week"] as const).map((granularity) => ({
  granularity,
  compare: "previous" as const,
  store: null,
  channel: null,
  refundsOn: "refund" as const,
}));

/** As many questions as test/independent/independent.long.test.ts asks about one organization, of the same kinds. */
function ofWorld(world: World, periods: readonly Period[]): Question[] {
  const facts = factsOf(world);
  const all: Question[] = [];
  const add = (path: string, sent: Readonly<Record<string, string>>, body: Answer): void => {
    const address = `${path}?${new URLSearchParams(sent)}`;
    all.push({ organization: world.settings.organizationId, address, status: 200, body });
  };
  for (const span of [null, ...periods]) {
    const sent = span ? { startDate: span.start, endDate: span.end } : {};
    const of = span ?? EVER;
    for (const [path, computed] of Object.entries(OF_ANY_PERIOD)) add(path, sent, computed(facts, of));
  }
  const profit = profitFactsOfWorld(world, facts);
  for (const { path, sent, expected } of [
    ...contributionQuestions(periods),
    ...productsQuestions(world, periods, []),
    ...periods.flatMap((span) => statementQuestions(world, [span, span], STATEMENTS)),
  ]) {
    add(path, sent, expected(profit));
  }
  for (const span of [
    { start: "2025-01-01", end: "2025-03-31" },
    { start: "2024-06-15", end: "2025-03-31" },
  ]) {
    const sent = { startDate: span.start, endDate: span.end };
    for (const [path, computed] of Object.entries(OF_AN_ENDED_PERIOD)) add(path, sent, computed(facts, span));
  }
  for (const [path, computed] of Object.entries(WITHOUT_DATES)) add(path, {}, computed(facts));
  for (const [no, breakBy] of [null, ...COHORT_BREAKS].entries()) {
    const span = no % 2 === 0 ? undefined : periods[0];
    const question = { ...COHORTS[breakBy ?? "whole"], breakBy };
    const { view, groupBy } = question;
    const sent = {
      view,
      groupBy,
      ...(breakBy && { breakBy }),
      ...(span && { startDate: span.start, endDate: span.end }),
    };
    add("/v1/profitability/cohort", sent, cohort(facts, span ?? EVER, question));
  }
  return all;
}

/** One in so many products is asked for separately, as in test/independent/independentProducts.test.ts. */
const ONE_IN = 3;
const IMPLIED = { from: "2025-03-03", to: NOW.slice(0, 10) };
const WHOLE = { from: "2024-06-01", to: "2025-03-31" };
const ALL: Page = { sortBy: "netSales", sortOrder: "desc", page: 1, pageSize: 100 };

type Span = typeof WHOLE;
const sentFor = ({ from, to }: Span): Record<string, string> => ({ dateFrom: from, dateTo: to });

/** As many questions as test/independent/independentProducts.test.ts asks about a store, of the same kinds. */
function ofStore(market: Market, store: Store, [some, other]: readonly [Span, Span]): Question[] {
  const view = viewOf(market, store);
  const all: Question[] = [];
  const add = (path: string, sent: Readonly<Record<string, string>>, body: unknown): void => {
    const address = `/v1/products${path}?${new URLSearchParams({ ...sent, integrationId: store.account.id })}`;
    all.push({ organization: market.settings.organizationId, address, status: 200, body });
  };
  const list = (sent: Record<string, string>, it: Selection, page: Partial<Page> = {}, categories = true): void =>
    add("", sent, listing(view, it, { ...ALL, ...page }, categories));
  list({ pageSize: "100" }, IMPLIED);
  for (const span of [WHOLE, some, other]) list({ ...sentFor(span), pageSize: "100" }, span);
  const sent = sentFor(WHOLE);
  const sorted = { sortBy: "marginAverage", sortOrder: "asc" as const };
  list({ ...sent, ...sorted, pageSize: "2", page: "2" }, WHOLE, { ...sorted, pageSize: 2, page: 2 });
  const page = { pageSize: 100 };
  list({ ...sent, pageSize: "100", status: "active", search: "a" }, { ...WHOLE, status: "active", search: "a" }, page);
  list(
    { ...sent, pageSize: "100", categoryIds: "1,aa", includeCategories: "false" },
    { ...WHOLE, categoryIds: ["1", "aa"] },
    page,
    false,
  );
  const ranges = { netSales: { min: "50" }, availableStock: { max: "20" } };
  list({ ...sent, pageSize: "100", minNetSales: "50", maxAvailableStock: "20" }, { ...WHOLE, ranges }, page);
  add("/categories", sent, categoryTotals(view, WHOLE));
  const spans = [WHOLE, some, other];
  for (const [no, product] of productsOf(view).entries()) {
    if (no % ONE_IN !== 0) continue;
    const [first = WHOLE, second = WHOLE] = [spans[(no / ONE_IN) % 3], spans[(no / ONE_IN + 1) % 3]];
    const of = (span: Span) => ({ market, view, product, period: span, today: NOW.slice(0, 10) });
    const granularity = (no / ONE_IN) % 2 === 0 ? "week" : "day";
    const path = `/${encodeURIComponent(product.id)}`;
    add(path, sentFor(first), detail(of(first)));
    add(`${path}/series`, { ...sentFor(second), granularity }, series(of(second), granularity));
  }
  return all;
}

/** All questions, each with the answer of a case or of the independent computation. */
export function questions({ worlds, markets }: Organizations): Question[] {
  const periods = fc.sample(period, { numRuns: 2, seed: 20_250_401 });
  const [some = IMPLIED, other = IMPLIED] = fc.sample(storePeriod, { numRuns: 2, seed: 20_250_405 });
  return [
    ...cases(),
    ...markets.flatMap((market) => market.stores.flatMap((store) => ofStore(market, store, [some, other]))),
    ...worlds.flatMap((world) => ofWorld(world, periods)),
  ];
}

/** Whether an answer is the expected one, compared as the tests do. */
export const isExpected = (status: number, body: unknown, expected: Pick<Question, "status" | "body">): boolean =>
  status === expected.status &&
  differences(byParameter(filled(body, expected.body)), byParameter(expected.body)).length === 0;
