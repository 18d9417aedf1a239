import { CHANNELS } from "../contract/channel.ts";
import { type Endpoint, filesOf, isPaged } from "../contract/endpoint.ts";
import { type Accepted, crossedIn, type Params } from "../contract/param.ts";
import { identifier, literal, type Row, type Session } from "./database.ts";
import { setParameters } from "./parameters.ts";
import { readSql, sqlFiles } from "./sql.ts";

/** Rows that violate an integrity query. */
interface Violation {
  readonly query: string;
  readonly rows: readonly Row[];
}

/** The queries of `sql/integrity`: each states an invariant and returns the rows that violate it. */
export const integrityQueries = (): string[] => [...organizationQueries(), ...storeQueries()];

const storeQueries = (): string[] => sqlFiles("integrity/products/").map((name) => `products/${name}`);

/** Those about two states of the data are for tests: a generation is one. */
const organizationQueries = (): string[] =>
  sqlFiles("integrity/").filter((name) => !name.startsWith("products/") && !name.startsWith("restatements/"));

/** Whether queries compare its answer: an analysis that SQL computes alone. */
const isCompared = (endpoint: Endpoint): boolean =>
  endpoint.by === undefined && /^\/v1\/(profitability|acquisition)\//.test(endpoint.path);

/** Whether a query compares answers over a period: without dates it has nothing to compare. */
export const isOfPeriod = (query: string): boolean => readSql(`integrity/${query}`).includes("period_start()");

interface Running {
  /** Which queries run; the default is all. */
  readonly only?: (query: string) => boolean;
  /** A query fails; the default is that all of them do. */
  readonly onFailure?: (query: string, error: unknown) => void;
}

/**
 * Runs the integrity queries over the derived files that the session's `marts` names. The answers that they compare are
 * tables named after the analyses' files: `profitability_cards`.
 */
export async function violations(
  session: Session,
  endpoints: readonly Endpoint[],
  accepted: Accepted,
  { only = () => true, onFailure }: Running = {},
): Promise<Violation[]> {
  const found: Violation[] = [];
  const run = async (
    queries: readonly string[],
    prepared: (due: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    const due = queries.filter(only);
    if (due.length === 0) return;
    try {
      await prepared(due);
    } catch (error) {
      if (!onFailure) throw error;
      for (const query of due) onFailure(query, error);
      return;
    }
    found.push(...(await offending(session, due, onFailure)));
  };
  await run(organizationQueries(), (due) => answerAnalyses(session, endpoints, accepted, due));
  if (!storeQueries().some(only)) return found;
  for (const store of await storesWithSales(session)) {
    await run(storeQueries(), () => answerProducts(session, endpoints, store));
  }
  return found;
}

/** Creates the tables that an integrity query reads: the answers of the analyses, or those about a store's products. */
export async function prepare(
  session: Session,
  endpoints: readonly Endpoint[],
  query: string,
  accepted: Accepted,
): Promise<void> {
  if (!query.startsWith("integrity/products/"))
    return answerAnalyses(session, endpoints, accepted, [query.replace(/^integrity\//, "")]);
  const stores = await storesWithSales(session);
  const chosen = accepted.integrationId ?? null;
  const store = stores.find(({ integrationId }) => chosen === null || integrationId === chosen);
  const sent = Object.entries(accepted).filter(([, value]) => value !== null);
  await answerProducts(session, endpoints, { ...store, ...Object.fromEntries(sent) });
}

/** Writes the answers that the queries compare to tables, or creates views of them. */
async function answerAnalyses(
  session: Session,
  endpoints: readonly Endpoint[],
  accepted: Accepted,
  queries: readonly string[],
): Promise<void> {
  const read = queries.map((query) => readSql(`integrity/${query}`)).join();
  const analyses = endpoints.filter(isCompared);
  const params: Params = Object.assign({}, ...analyses.map((endpoint) => endpoint.params));
  for (const endpoint of analyses) {
    await setParameters(session, params, takenBy(endpoint, accepted));
    // The rows of a paged one may be many: only the columns that a query names are read.
    const kind = isPaged(endpoint) ? "view" : "table";
    for (const sql of filesOf(endpoint)) {
      const name = sql.replaceAll(/[/-]/g, "_");
      if (!read.includes(name)) continue;
      await session.run(`create or replace temp ${kind} ${identifier(name)} as ${readSql(sql)}`);
      for (const filter of FILTERED.filter(({ of }) => read.includes(`${name}_of_${of}`))) {
        const each = { name: `${name}_of_${filter.of}`, sql, ...filter };
        await answerFiltered(session, each, (value) =>
          setParameters(session, params, { ...takenBy(endpoint, accepted), [filter.parameter]: value }),
        );
      }
    }
  }
  await setParameters(session, params, accepted);
}

/** What answers with each value of a filter are read as: `profitability_cards_of_stores` has the cards of every store. */
const FILTERED = [
  {
    of: "stores",
    parameter: "integrationId",
    values: "select integration_id from integrations where kind = 'store' order by position",
  },
  { of: "channels", parameter: "channel", values: `select unnest([${CHANNELS.map((one) => `'${one}'`).join(", ")}])` },
] as const;

interface EachValue {
  readonly name: string;
  readonly sql: string;
  readonly values: string;
}

/** A table of the rows of each value, which is in the column `filter`. The parameters of the last one stay set. */
async function answerFiltered(
  session: Session,
  { name, sql, values }: EachValue,
  setFilter: (value: string | null) => Promise<void>,
): Promise<void> {
  const table = identifier(name);
  await session.run(
    `create or replace temp table ${table} as select ''::varchar as filter, * from (${readSql(sql)}) limit 0`,
  );
  const [all = []] = await session.textColumns(values);
  for (const value of all) {
    await setFilter(value);
    await session.run(`insert into ${table} select ${literal(value ?? "")}, * from (${readSql(sql)})`);
  }
  await setFilter(null);
}

/** The parameters, without the choices that the endpoint does not have. */
const takenBy = ({ params }: Endpoint, accepted: Accepted): Accepted =>
  Object.fromEntries(
    Object.entries(accepted).map(([name, value]) => {
      const param = params[name];
      const known = param?.kind === "choice" || param?.kind === "crossing" ? param.of : undefined;
      const isUnknown = known !== undefined && crossedIn(value).some((one) => !known.includes(one));
      return [name, isUnknown ? null : value];
    }),
  );

async function offending(
  session: Session,
  queries: readonly string[],
  onFailure: Running["onFailure"],
): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const query of queries) {
    try {
      const rows = await session.rows(readSql(`integrity/${query}`));
      if (rows.length > 0) found.push({ query, rows });
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(query, error);
    }
  }
  return found;
}

/** Per store, the parameters of its whole history and of its best-selling product. */
function storesWithSales(session: Session): Promise<Row[]> {
  return session.rows(`select
      stores.integration_id as "integrationId",
      stores.first_sold_on::varchar as "dateFrom",
      stores.last_sold_on::varchar as "dateTo",
      stores.last_sold_on::varchar as today,
      stores.last_landed_at::varchar as now,
      max_by(product_sales.product_id, {units: product_sales.units, id: product_sales.product_id}) as "productId"
    from product_stores as stores
    join product_sales on product_sales.integration_id = stores.integration_id
    group by all
    order by stores.integration_id`);
}

/** Writes the products family's answers for one store to tables: `products_listing` has every product on one page. */
async function answerProducts(session: Session, endpoints: readonly Endpoint[], store: Row): Promise<void> {
  const family = endpoints.filter(({ path }) => path.startsWith("/v1/products"));
  const params: Params = Object.assign({}, ...family.map((endpoint) => endpoint.params));
  const usual = Object.entries(params).map(([name, param]) => [
    name,
    "fallback" in param ? (param.fallback ?? null) : null,
  ]);
  await setParameters(session, params, { ...Object.fromEntries(usual), pageSize: ALL, ...store } as Accepted);
  for (const name of ["listing", "categories", "series"]) {
    await session.run(`create or replace temp table products_${name} as ${readSql(`products/${name}`)}`);
  }
}

/** More products than any store has. */
const ALL = 1_000_000_000;
