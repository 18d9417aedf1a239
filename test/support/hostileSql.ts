import fc from "fast-check";
import type { Database } from "../../src/core/engine/database.ts";

/** What a hostile query knows: more than its author could. */
export interface Known {
  readonly dataDir: string;
  /** The folder of the organization's own derived files, and of another's. */
  readonly own: string;
  readonly other: string;
}

/** Statements that are no query over the relations, by what they are after; each must be refused. */
export const refusedSql = ({ dataDir, own, other }: Known): Readonly<Record<string, readonly string[]>> => ({
  files: [
    "from read_text('/etc/passwd')",
    "select * from read_csv('/etc/passwd')",
    `from read_parquet('${other}/orders.parquet')`,
    `from read_parquet('${own}/crm_contacts.parquet')`,
    "from read_parquet('crm_contacts.parquet')",
    "from read_text('derived.json')",
    `from '${other}/orders.parquet'`,
    "from 'crm_contacts.parquet'",
    `from "${dataDir}/credentials.json"`,
    "from glob('*')",
    "from glob('/etc/*')",
    "from read_blob('/proc/self/environ')",
    "from parquet_metadata('orders.parquet')",
    "from sniff_csv('/etc/passwd')",
    "from read_csv('http://127.0.0.1:1/x')",
    "from read_duckdb('x.duckdb')",
    "select (select content from read_text('/etc/passwd'))",
    "select 1 where exists (from read_text('/etc/passwd'))",
    "select 1 order by (select count(*) from glob('/*'))",
    "select 1 limit (select count(*) from glob('/*'))",
    "select sum(1) over (order by (select count(*) from glob('/*')))",
    "select list_transform([1], lambda x: (select count(*) from glob('/*')))",
    "with x as (from read_text('/etc/passwd')) from x",
    "with recursive x as (select 1 union all from read_text('/etc/passwd')) from x",
    "from orders where order_id in (from glob('/*'))",
    "from (describe (from read_text('/etc/passwd')))",
    "pivot (from glob('/*')) on file in ('a') using count(*)",
    "from orders, lateral (from glob('/*'))",
  ],
  settings: [
    "set memory_limit = '10GB'",
    "set variable marts = '/tmp'",
    "reset lock_configuration",
    "pragma memory_limit = '10GB'",
    "from duckdb_settings()",
    "from duckdb_variables()",
    "from duckdb_secrets()",
    "from duckdb_views()",
    "from duckdb_views",
    "from pg_catalog.pg_settings",
    "from sqlite_master",
    "from pragma_version()",
    "from main.duckdb_columns",
    "from system.main.duckdb_views",
    "show databases",
    "show all tables",
    "select current_setting('allowed_paths')",
    "select getvariable('marts')",
    "select getvariable('mar' || 'ts')",
    "select GetVariable('p', 'marts')",
    "select \"getvariable\"('marts')",
    "select main.getvariable('marts')",
    "select current_query()",
    "with duckdb_views as (from duckdb_views) from duckdb_views",
    "with a as (from duckdb_views), duckdb_views as (select 1) from a",
  ],
  "texts that run as queries": [
    "from query('from duckdb_settings()')",
    "from query_table('duckdb_views')",
    "from query_table(['duckdb_views'])",
    "from json_execute_serialized_sql(json_serialize_sql('from duckdb_settings()'))",
    "select json_serialize_plan('from orders')",
    "from product_totals('duckdb_views', 'duckdb_views')",
    "from product_totals('duckdb' || '_views')",
    "from product_totals((select 'duckdb_views'))",
    "from product_totals(duckdb_views)",
    "from cohort_totals('x) from duckdb_settings() --')",
    "from sql_auto_complete('sel')",
    "from arrow_scan(1, 2, 3)",
    "from test_all_types()",
    "from seq_scan('x')",
  ],
  "statements that change something": [
    "copy (select 1) to 'x.csv'",
    `copy (select 1) to '${own}/orders.parquet'`,
    "copy orders from 'x.csv'",
    "attach 'x.duckdb'",
    `attach '${other}/x.duckdb' as x (read_only)`,
    "detach memory",
    "use memory",
    "install httpfs",
    "load httpfs",
    "load '/tmp/x.duckdb_extension'",
    "create table x as select 1",
    "create temp table orders as select 1",
    "create or replace view orders as select 1",
    "create macro money(x) as 1",
    "create secret (type s3)",
    "drop view orders",
    "insert into orders select * from orders",
    "update orders set revenue = 0",
    "delete from orders",
    "export database '/tmp/x'",
    "import database '/tmp/x'",
    "call pragma_version()",
    "call enable_logging()",
    "checkpoint",
    "vacuum",
    "begin",
    "prepare x as select 1",
    "execute x",
    "explain analyze select 1",
    "select 1; select 2",
    "select 1; copy (select 1) to 'x.csv'",
    "",
    ";",
    "-- nothing",
  ],
});

/** Queries that the engine answers with an internal error, after which it refuses every other one. */
export const BREAKING: readonly string[] = [
  "select reservoir_quantile(range, 0.5, 2000000000) from range(10)",
  "select reservoir_quantile(range::hugeint, 0.5, 2147483647) from range(10)",
  "select reservoir_quantile(range::hugeint, 0.5, 2147483647) from range(5000) group by range",
];

/** Queries that cost more than they may, by the kinds of failure that may end them; a fast engine may answer one. */
export const COSTLY: readonly string[] = [
  "select count(*) from range(1000000000000)",
  "with recursive t as (select 1 as n union all select n + 1 from t) select count(*) from t",
  "with recursive t as (select repeat('x', 10) as s union all select s || s from t) select max(length(s)) from t",
  "select length(repeat('x', 1000000000))",
  "select repeat('x', 100000000)",
  "select range(1000000000)",
  "select list(repeat('x' || i, 100000)) from range(100000) as t (i)",
  "select sum(length(repeat('x' || i, 1000000))) from range(100000) as t (i)",
  "select list_sort(range(100000000))",
  "select lpad('x', 2000000000, 'y')",
  "select printf('%1000000000d', 1)",
  "select count(distinct i) from range(1000000000) as t (i)",
  "select string_agg(i::varchar) from range(1000000000) as t (i)",
  "select map_from_entries(list({k: i, v: repeat('z', 1000)})) from range(10000000) as t (i)",
  "select a.i from range(10000000) as a (i) order by hash(a.i), repeat('y', 1000)",
  "select count(*) from order_lines a, order_lines b, order_lines c, order_lines d, order_lines e, order_lines f",
  "select levenshtein(repeat('a', 100000), repeat('b', 100000))",
  "select unnest(range(1000000000)) from range(100) limit 1",
];

/** The names of the engine's functions, for the generator. */
export interface Names {
  readonly scalars: readonly string[];
  readonly tables: readonly string[];
  readonly relations: readonly string[];
  readonly settings: readonly string[];
}

export async function namesOf(database: Database): Promise<Names> {
  return database.use(async (session) => {
    const functions = (types: string): Promise<string[]> =>
      session.texts(
        `select distinct function_name from duckdb_functions() where function_type in (${types}) and regexp_matches(function_name, '^[a-z]') order by 1`,
      );
    return {
      scalars: await functions("'scalar', 'aggregate', 'macro'"),
      tables: await functions("'table', 'pragma', 'table_macro'"),
      relations: await session.texts("select distinct view_name from duckdb_views() order by 1"),
      settings: await session.texts("select name from duckdb_settings() order by 1"),
    };
  });
}

/** Statements that mix all of it. */
export function hostileSql({ scalars, tables, relations, settings }: Names, known: Known): fc.Arbitrary<string> {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const files = [
    "/etc/passwd",
    "derived.json",
    "crm_contacts.parquet",
    "orders.parquet",
    "*",
    `${known.other}/orders.parquet`,
    `${known.other}/*.parquet`,
    `${known.own}/../../*/*/*.parquet`,
    `${known.dataDir}/credentials.json`,
    "http://127.0.0.1:1/x.csv",
  ];
  const text = fc.oneof(
    fc.constantFrom(...files),
    fc.constantFrom(...settings, ...relations, "marts", "p", "x", "", "{", "(*a)*b", "%1000d"),
    fc.string({ maxLength: 12 }),
  );
  const number = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -5, max: 1000 }).map(String) },
    fc.constantFrom("1e9", "1000000000", "9223372036854775807", "'nan'::double", "null", "0.1", "-1"),
  );
  const type = fc.constantFrom(
    "int",
    "varchar",
    "date",
    "timestamptz",
    "decimal(38,18)",
    "json",
    "blob",
    "int[]",
    "bit",
  );
  const column = fc.constantFrom("order_id", "revenue", "ordered_on", "customer_no", "n", "*", "columns(*)", "name");
  const { expression, table, query } = fc.letrec<{ expression: string; table: string; query: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      column,
      number,
      text.map(quoted),
      fc
        .tuple(fc.constantFrom(...scalars), fc.array(tie("expression"), { maxLength: 3 }))
        .map(([name, all]) => `${name}(${all.join(", ")})`),
      fc.tuple(tie("expression"), type).map(([one, to]) => `try_cast(${one} as ${to})`),
      fc
        .tuple(tie("expression"), fc.constantFrom("+", "||", "/", "=", "in", "->>", "~", "and"), tie("expression"))
        .map((all) => `(${all.join(" ")})`),
      tie("query").map((one) => `(${one})`),
      fc.tuple(tie("expression"), tie("expression")).map(([one, by]) => `${one} over (order by ${by})`),
      tie("expression").map((one) => `[${one} for x in range(100)]`),
      tie("expression").map((one) => `repeat(${one}, 100000)`),
    ),
    table: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom(
        "orders",
        "order_lines",
        "campaigns",
        "orders tablesample 10%",
        "t",
        "information_schema.columns",
      ),
      fc.constantFrom(...relations),
      fc
        .tuple(
          fc.constantFrom(...tables),
          fc.array(fc.oneof(text.map(quoted), number, tie("expression")), { maxLength: 3 }),
        )
        .map(([name, all]) => `${name}(${all.join(", ")})`),
      text.map(quoted),
      text.map((name) => `"${name.replaceAll('"', '""')}"`),
      fc.tuple(tie("table"), tie("table")).map((both) => both.join(" cross join ")),
      tie("query").map((one) => `(${one})`),
      fc.constantFrom("range(100)", "range(1000000)", "unnest([1, 2])"),
    ),
    query: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.tuple(tie("expression"), tie("table")).map(([one, from]) => `select ${one} from ${from}`),
      fc
        .tuple(tie("expression"), tie("table"), tie("expression"))
        .map(([one, from, where]) => `select ${one} from ${from} where ${where} limit 5`),
      fc
        .tuple(tie("expression"), tie("table"), tie("expression"))
        .map(([one, from, by]) => `select ${one} from ${from} group by all order by ${by}`),
      tie("table").map((from) => `from ${from}`),
      fc.tuple(tie("query"), tie("query")).map((both) => both.join(" union all ")),
      fc.tuple(tie("query"), tie("query")).map(([common, one]) => `with t as (${common}) ${one}`),
      fc
        .tuple(tie("query"), tie("query"))
        .map(([first, next]) => `with recursive t as (${first} union ${next}) from t`),
      tie("table").map((from) => `from (summarize ${from})`),
      tie("table").map((from) => `pivot ${from} on channel in ('a') using count(*)`),
    ),
  }));
  const statement = fc
    .tuple(
      fc.constantFrom(
        "copy ",
        "attach ",
        "set ",
        "call ",
        "pragma ",
        "create table x as ",
        "insert into orders ",
        "explain ",
      ),
      fc.oneof(query, text.map(quoted), table),
    )
    .map((parts) => parts.join(""));
  const cut = fc.tuple(query, fc.nat(200), fc.string({ maxLength: 6 })).map(([one, at, more]) => {
    const place = at % (one.length + 1);
    return one.slice(0, place) + more + one.slice(place + (at % 7));
  });
  const known1 = fc.constantFrom(...Object.values(refusedSql(known)).flat());
  return fc.oneof(
    { weight: 30, arbitrary: query },
    { weight: 10, arbitrary: fc.tuple(expression, table).map(([one, from]) => `select count(${one}) from ${from}`) },
    { weight: 6, arbitrary: statement },
    { weight: 6, arbitrary: cut },
    { weight: 3, arbitrary: fc.tuple(query, statement).map((both) => both.join("; ")) },
    { weight: 3, arbitrary: known1 },
    { weight: 1, arbitrary: fc.constantFrom(...COSTLY, ...BREAKING) },
  );
}
