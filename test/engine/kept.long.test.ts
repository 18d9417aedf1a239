import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import { filesOf, type KeptTables } from "../../src/core/contract/endpoint.ts";
import { COMPARISONS } from "../../src/core/contract/param.ts";
import { FILTERS } from "../../src/core/endpoints/common.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import type { Database, Session } from "../../src/core/engine/database.ts";
import { KeptPlans, keptTables } from "../../src/core/engine/kept.ts";
import { KINDS, keptRelations } from "../../src/core/engine/keptTables.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { validate } from "../../src/core/params/validate.ts";
import { lineage } from "../../src/documents/lineage/lineage.ts";
import { AURORA, type DataFolder, KNOTS, NOW, STOREA, STOREB } from "../support/data.ts";
import { landedFixtures, landedKnots } from "../support/shared.ts";
import { asText, contextOf } from "../support/texts.ts";

const withPlans = endpoints.filter((endpoint) => keptTables(endpoint));
const kept = withPlans.filter(({ params }) => params.startDate);
const endpointOf = (path: string): (typeof endpoints)[number] =>
  endpoints.find((one) => one.path === path) as (typeof endpoints)[number];

const DETAIL = "/v1/products/:productId";

/** The names of a relation's columns; none if there is no such relation. */
const namesOf = async (session: Session, relation: string): Promise<string[]> =>
  (await session.columns(`from ${relation}`).catch(() => [])).map(({ name }) => name);

/** The tables of the session that a plan reads, and their columns. */
async function scansOf(session: Session, sql: string): Promise<{ table: string; columns: string[] }[]> {
  const [row = {}] = sql.startsWith("update") ? [] : await session.rows(`explain (format json) ${sql}`);
  const scans: { table: string; columns: string[] }[] = [];
  const visit = ({
    extra_info: { Table = "", Projections = [], Filters = [] } = {},
    children = [],
  }: PlanOperator): void => {
    const texts = [Projections, Filters].flat();
    if (Table)
      scans.push({ table: Table.split(".").at(-1) ?? "", columns: texts.flatMap((text) => /^\w+/.exec(text) ?? []) });
    for (const child of children) visit(child);
  };
  for (const operator of JSON.parse(String(row.explain_value ?? "[]"))) visit(operator);
  return scans;
}

/** An operator of a plan as JSON; its form is the engine's own. */
interface PlanOperator {
  readonly extra_info?: { Table?: string; Projections?: string | string[]; Filters?: string | string[] };
  readonly children?: readonly PlanOperator[];
}

describe("Kept plans", () => {
  let folders: DataFolder[];
  let database: Database;
  /** By organization. */
  let generations: Map<string, string>;

  before(async () => {
    const [fixtures, knots] = await Promise.all([landedFixtures(), landedKnots()]);
    folders = [fixtures, knots];
    database = await openServing(fixtures.config, AURORA);
    generations = new Map();
    for (const [folder, id] of [
      [fixtures, AURORA],
      [knots, KNOTS],
    ] as const)
      generations.set(id, (await currentGeneration(foldersOf(folder.path, id)))?.folder ?? "");
  });

  after(async () => {
    database?.close();
    for (const folder of folders ?? []) await folder.remove();
  });

  const answersWith = (plans?: KeptPlans): EngineAnswers =>
    new EngineAnswers(
      {
        database,
        generations: {
          current: async (id) => ({ folder: generations.get(id) ?? "", state: "" }),
          recheck: async () => false,
        },
      },
      { plans },
    );

  const ask = (
    answers: EngineAnswers,
    endpoint: (typeof kept)[number],
    organizationId: string,
    period: readonly [string, string] | undefined,
    signal = new AbortController().signal,
    compare = "previous",
  ): Promise<string> => {
    const sent = {
      ...(endpoint.params.compare ? { compare } : {}),
      ...(endpoint.params.view ? { view: "revenue" } : {}),
      ...(period ? { startDate: period[0], endDate: period[1] } : {}),
      // A bridge compares with dates of its own or with a chosen period.
      ...(endpoint.params.compareStartDate && compare === "none"
        ? { compareStartDate: "2024-12-01", compareEndDate: "2025-01-15" }
        : {}),
    };
    const accepted = validate(endpoint, { ...sent, organizationId }, new Date(NOW));
    return asText(answers.answer(contextOf(endpoint, organizationId, accepted, signal)));
  };

  const PERIOD = ["2025-02-01", "2025-02-28"] as const;

  /** The rows of a query of no endpoint, from kept tables; undefined if they are not kept. */
  const rowsOf = (
    plans: KeptPlans,
    folder: string,
    sql = "select 'a' as text",
    tables: KeptTables = "days",
  ): Promise<string[][] | undefined> =>
    plans.rows(
      { folder, tables, params: {}, accepted: {} },
      [{ name: "x", sql }],
      new AbortController().signal,
      (query) => query(),
    );

  /** Asks until the tables are kept. No plan of an endpoint is made. */
  async function warm(plans: KeptPlans, id: string, tables: KeptTables = "days"): Promise<void> {
    const folder = generations.get(id) ?? "";
    for (let times = 0; times < 1000 && !(await rowsOf(plans, folder, undefined, tables)); times++) await sleep(20);
    expect(await rowsOf(plans, folder, undefined, tables)).to.deep.equal([["a"]]);
  }

  it("read the relations that are kept, and no others", async () => {
    const { answers } = await lineage(endpoints);
    // The lineage of one that is kept without a breakdown is that of all its breakdowns; that of the statement is of all stores.
    const further = {
      days: ["daily_cohorts"],
      products: ["daily_totals", "margin", "orders"],
      profit: ["media_spend"],
    };
    for (const over of KINDS) {
      const of = withPlans.filter(
        ({ keepsPlan }) =>
          keepsPlan?.over === over && (keepsPlan.without ?? []).every((name) => FILTERS.includes(name)),
      );
      const files = new Set([...of.flatMap(filesOf), ...(over === "days" ? ["profitability/cards"] : [])]);
      const reads = answers.filter(({ file }) => files.has(file)).flatMap((one) => one.reads);
      const ofEnvelope = ["integrations", "landed_records", "margin", "organization"];
      const all = [...new Set([...reads, ...ofEnvelope, ...further[over]])].sort();
      expect(all, over).to.have.members(keptRelations(over));
    }
  });

  it("have the columns that are read, and no others, of relations of which they have a part", async () => {
    const sessions: Session[] = [];
    const read = new Map<string, Set<string>>();
    const watched = async (): Promise<Session> => {
      const session = await database.session();
      const prepare = session.prepare.bind(session);
      sessions.push(session);
      // Explained with the constants of its request.
      session.prepare = async (sql) => {
        for (const { table, columns } of await scansOf(session, sql))
          read.set(table, new Set([...(read.get(table) ?? []), ...columns]));
        return prepare(sql);
      };
      return session;
    };
    const plans = new KeptPlans({ database: { session: watched } as unknown as Database }, endpoints, {
      most: 1,
      mostBytes: 1e9,
    });
    for (const tables of KINDS) await warm(plans, AURORA, tables);
    for (const endpoint of kept) await ask(answersWith(plans), endpoint, AURORA, PERIOD);
    const product = { organizationId: AURORA, integrationId: STOREA, dateFrom: "2025-01-01", dateTo: "2025-03-20" };
    for (const [path, productId] of [["/v1/products"], [DETAIL, "501"], [`${DETAIL}/series`, "501"]] as const) {
      const accepted = validate(endpointOf(path), { ...product, ...(productId ? { productId } : {}) }, new Date(NOW));
      await asText(answersWith(plans).answer(contextOf(endpointOf(path), AURORA, accepted)));
    }
    const parts: string[] = [];
    for (const session of sessions) {
      await session.set("marts", generations.get(AURORA) ?? "");
      for (const [table, columns] of read) {
        const [all, some] = [await namesOf(session, `memory.main.${table}`), await namesOf(session, `temp.${table}`)];
        if (some.length === 0 || some.length >= all.length) continue;
        // A filter that lets all rows of the fixtures pass is not in the plan.
        const others = table === "sales" ? ["sold_on"] : [];
        expect([...columns, ...others].sort(), table).to.deep.equal(some.sort());
        parts.push(table);
      }
    }
    expect(parts.sort()).to.deep.equal(["orders", "product_sales", "sales"]);
    plans.close();
  });

  it("answer as the files do, for any periods of several organizations in turn", async () => {
    const plans = new KeptPlans({ database }, endpoints, { most: 4, mostBytes: 1e9 });
    const warmed = answersWith(plans);
    const cold = answersWith();
    for (const id of [AURORA, KNOTS])
      for (let times = 0; times < 4; times++) await ask(warmed, kept[0] as never, id, PERIOD);
    await sleep(300);
    const day = fc
      .integer({ min: 0, max: 150 })
      .map((n) => new Date(Date.parse("2024-11-01") + n * 864e5).toISOString().slice(0, 10));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kept.map(({ path }) => path)),
        fc.constantFrom(AURORA, KNOTS),
        fc.tuple(day, day).map((days) => days.sort() as [string, string]),
        fc.boolean(),
        fc.constantFrom(...COMPARISONS),
        async (path, id, days, isWhole, compare) => {
          const endpoint = kept.find((one) => one.path === path) as (typeof kept)[number];
          const mayBeWhole = !endpoint.params.startDate?.required;
          const period = isWhole && mayBeWhole ? undefined : days;
          // A bridge is between two periods.
          const chosen = path.endsWith("/bridge") && compare === "none" ? undefined : compare;
          const of = (answers: EngineAnswers) => ask(answers, endpoint, id, period, undefined, chosen);
          expect(await of(warmed)).to.equal(await of(cold));
        },
      ),
      { numRuns: 60 },
    );
    expect(plans.hits).to.be.greaterThan(30);
    plans.close();
  });

  /** A plan is simplified by what the engine knows when it is made. */
  for (const [first, hostile] of Object.entries({
    "no period": undefined,
    "a period before all data": ["2001-01-01", "2001-01-31"],
    "a period after all data": ["2025-03-01", "2025-03-05"],
    "one day": ["2025-02-10", "2025-02-10"],
  } as const)) {
    it(`answer all periods right, also when ${first} was asked first`, async () => {
      const plans = new KeptPlans({ database }, endpoints, { most: 1, mostBytes: 1e9 });
      for (const tables of KINDS) await warm(plans, AURORA, tables);
      const [warmed, cold] = [answersWith(plans), answersWith()];
      for (const endpoint of kept) {
        const isRequired = endpoint.params.startDate?.required ?? false;
        const before = plans.hits;
        for (const period of [isRequired && !hostile ? PERIOD : hostile, PERIOD, ["2024-11-01", "2025-02-27"], hostile])
          if (period || !isRequired)
            expect(await ask(warmed, endpoint, AURORA, period as typeof PERIOD), endpoint.path).to.equal(
              await ask(cold, endpoint, AURORA, period as typeof PERIOD),
            );
        expect(plans.hits, endpoint.path).to.be.greaterThan(before + 1);
      }
      plans.close();
    });
  }

  /** The answers of both, of requests for a store; each has another period. */
  async function expectSame(path: string, requests: readonly object[]): Promise<number> {
    const plans = new KeptPlans({ database }, endpoints, { most: 4, mostBytes: 1e9 });
    const warmed = answersWith(plans);
    const cold = answersWith();
    const endpoint = endpointOf(path);
    await warm(plans, AURORA, "products");
    const before = plans.hits;
    for (const [no, request] of requests.entries()) {
      const dateFrom = ["2025-01-01", "2025-02-11", "2025-03-20"][no % 3];
      const sent = { organizationId: AURORA, dateFrom, dateTo: "2025-03-20", integrationId: STOREA, ...request };
      const accepted = validate(endpoint, sent, new Date(NOW));
      const [hot, right] = await Promise.all(
        [warmed, cold].map((answers) =>
          asText(answers.answer(contextOf(endpoint, AURORA, accepted))).catch((error: Error) => String(error)),
        ),
      );
      expect(hot, JSON.stringify(sent)).to.equal(right);
    }
    const hits = plans.hits - before;
    expect(plans.size).to.equal(1);
    plans.close();
    return hits;
  }

  const PRODUCTS = ["501", "502", "none", "503"].flatMap((productId) => [
    { productId },
    { productId, granularity: "week" },
    { productId, integrationId: STOREB },
  ]);

  it("answer a product's series and detail as the files do", async () => {
    expect(await expectSame("/v1/products/:productId/series", PRODUCTS)).to.equal(PRODUCTS.length);
    const requests = PRODUCTS.map(({ granularity: _, ...request }: { granularity?: string }) => request);
    expect(await expectSame("/v1/products/:productId", requests)).to.equal(requests.length);
  });

  it("answer the listing as the files do, those with filters from the files", async () => {
    const requests = [
      {},
      { pageSize: "2" },
      { pageSize: "2", page: "2", sortBy: "productName", sortOrder: "asc" },
      { sortBy: "daysOfStock", includeCategories: "false" },
      { status: "inactive", integrationId: STOREB },
      { status: "active", sortBy: "updatedAt" },
      { integrationId: AURORA },
    ];
    expect(await expectSame("/v1/products", requests)).to.equal(requests.length);
    const filtered = [{ search: "a" }, { minNetSales: "10" }, { categoryIds: "x" }, { columns: "netSales" }];
    expect(await expectSame("/v1/products", filtered)).to.equal(0);
  });

  it("answer cohorts without a breakdown only", async () => {
    const cohort = endpointOf("/v1/profitability/cohort");
    expect([keptTables(cohort), keptTables(cohort, { breakBy: null }), keptTables(cohort, { breakBy: "cupom" })])
      .to.deep //
      .equal(["days", "days", undefined]);
  });

  it("answer a few requests that wait for each other, and the next one after one was stopped", async () => {
    const plans = new KeptPlans({ database }, endpoints, { most: 4, mostBytes: 1e9 });
    const warmed = answersWith(plans);
    const cards = kept[0] as (typeof kept)[number];
    const right = await ask(answersWith(), cards, AURORA, PERIOD);
    await warm(plans, AURORA);
    const before = plans.hits;
    const all = await Promise.all(Array.from({ length: 12 }, () => ask(warmed, cards, AURORA, PERIOD)));
    expect(new Set(all)).to.deep.equal(new Set([right]));
    expect(plans.hits - before).to.be.within(5, 11);
    const gone = AbortSignal.abort();
    await ask(warmed, cards, AURORA, PERIOD, gone).catch(() => {});
    expect(plans.size, "a request that was stopped before its turn takes nothing away").to.equal(1);
    const stopped = new AbortController();
    const asking = ask(warmed, cards, AURORA, PERIOD, stopped.signal).catch((error: Error) => error);
    setTimeout(() => stopped.abort(), 2);
    await asking;
    expect(await ask(warmed, cards, AURORA, PERIOD)).to.equal(right);
    plans.close();
  });

  it("leave a place that they cannot use, and the answer to the files when they fail", async () => {
    const failed: string[] = [];
    const onFailure = (folder: string) => failed.push(folder);
    const plans = new KeptPlans({ database }, endpoints, { most: 1, mostBytes: 1e9, onFailure });
    for (let times = 0; times < 4; times++) await rowsOf(plans, "/nowhere/gen=1");
    await sleep(50);
    expect([plans.size, failed]).to.deep.equal([0, ["/nowhere/gen=1"]]);
    await warm(plans, AURORA);
    expect(plans.size).to.equal(1);
    expect(await rowsOf(plans, generations.get(AURORA) ?? "", "select nothing")).to.equal(undefined);
    expect(plans.size).to.equal(0);
    plans.close();
  });

  it("are kept for as many organizations as configured", async () => {
    const none = new KeptPlans({ database }, endpoints, { most: 0, mostBytes: 1e9 });
    const one = new KeptPlans({ database }, endpoints, { most: 1, mostBytes: 1e9 });
    for (const plans of [none, one]) {
      const answers = answersWith(plans);
      for (const id of [AURORA, KNOTS])
        for (let times = 0; times < 8; times++) {
          await ask(answers, kept[0] as never, id, PERIOD);
          for (const tables of KINDS) await rowsOf(plans, generations.get(id) ?? "", undefined, tables);
          await sleep(20);
        }
    }
    // Of each kind.
    expect([none.size, one.size]).to.deep.equal([0, KINDS.length]);
    one.close();
  });

  it("are kept as far as their bytes fit", async () => {
    const few = new KeptPlans({ database }, endpoints, { most: 4, mostBytes: 1_000 });
    const answers = answersWith(few);
    for (let times = 0; times < 8; times++) {
      await ask(answers, kept[0] as never, AURORA, PERIOD);
      await sleep(20);
    }
    expect([few.size, few.hits]).to.deep.equal([0, 0]);
    few.close();
  });
});
