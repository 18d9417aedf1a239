import { QueryError } from "../../../core/contract/error.ts";
import type { Session } from "../../../core/engine/database.ts";
import { placeOf } from "./place.ts";

/** Relations that a query may read by name. */
export interface Catalog {
  /** The views. */
  readonly views: ReadonlySet<string>;
  /** The table macros. */
  readonly tables: ReadonlySet<string>;
  /** The engine's own views. */
  readonly internal: ReadonlySet<string>;
}

/** The catalog of a prepared engine. */
export async function catalogOf(session: Session): Promise<Catalog> {
  const names = async (sql: string): Promise<ReadonlySet<string>> => new Set(await session.texts(sql));
  return {
    views: await names("select view_name from duckdb_views() where not internal"),
    internal: await names("select view_name from duckdb_views() where internal"),
    tables: await names(
      "select function_name from duckdb_functions() where function_type = 'table_macro' and not internal",
    ),
  };
}

/** The message to who sends anything else. */
export const ONE_QUERY = "one query that reads is expected, such as select … from orders";
/** A query of a person or a program is shorter. */
const LONGEST = 50_000;
/** The engine's tables that read nothing but their arguments. */
const TABLES: ReadonlySet<string> = new Set(["unnest", "range", "generate_series", "json_each", "json_tree"]);
/** Those of its views that describe the organization's relations. */
const DESCRIBED: ReadonlySet<string> = new Set(["tables", "columns"]);
/** Functions that read settings, variables, plans or the engine itself, run a text as a query, or wait. */
const CLOSED: ReadonlySet<string> = new Set([
  "current_connection_id",
  "current_query",
  "current_query_id",
  "current_setting",
  "current_transaction_id",
  "currval",
  "getenv",
  "json_deserialize_sql",
  "json_execute_serialized_sql",
  "json_serialize_plan",
  "json_serialize_sql",
  "nextval",
  "pg_get_viewdef",
  "pg_sleep",
  "setseed",
  "sleep_ms",
  "stats",
  "txid_current",
  "pg_conf_load_time",
  "pg_postmaster_start_time",
  "version",
  "write_log",
]);
/** Permitted arguments of table macros: some of them read a relation whose name is an argument. */
const HARMLESS_TEXT = /^(\w*|\d{4}-\d\d-\d\d)$/;

type Node = Readonly<Record<string, unknown>>;

/**
 * The statement to run, which returns at most `rows` rows: fails with a `QueryError` unless the text is one query whose
 * every relation and function is open to it. The engine itself is locked, too; this keeps a query from the engine's
 * settings and from files that are not views, and its messages name what is possible.
 */
export async function checkedQuery(session: Session, sql: string, catalog: Catalog, rows: number): Promise<string> {
  if (sql.length > LONGEST) throw refused(`the query is longer than ${LONGEST} characters`);
  const alone = await parsed(session, sql);
  if ("message" in alone) throw new QueryError(alone.isSyntax ? "failed" : "refused", alone.message);
  assertOpen(alone.statements, catalog);
  // The text is checked as it is run. A comment after the last semicolon ends the other statement too early.
  const limited = `from (\n${asPart(sql)}) limit ${rows}`;
  const whole = await parsed(session, limited);
  if ("message" in whole) return sql;
  assertOpen(whole.statements, catalog);
  return limited;
}

/** A query as part of another one: without its last semicolon, and ended like a last line, which may be a comment. */
export const asPart = (text: string): string => `${text.trim().replace(/;$/, "")}\n`;

interface Parsed {
  readonly statements: readonly Node[];
}

interface NotParsed {
  readonly message: string;
  readonly isSyntax: boolean;
}

/** The engine's error instead of a tree. */
interface NotATree {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly position?: string;
}

function faultOf(sql: string, { error_message, position }: NotATree): string {
  const message = `Parser Error: ${error_message}`;
  return position === undefined ? message : `${message}\n\n${placeOf(sql, Number(position))}`;
}

/** The engine's own syntax tree; only statements that read have one. */
async function parsed(session: Session, sql: string): Promise<Parsed | NotParsed> {
  const [text = ""] = await session.texts(
    "select json_serialize_sql($1::varchar, skip_default := true, skip_empty := true, skip_null := true)::varchar",
    [sql],
  );
  const tree = JSON.parse(text) as NotATree & Partial<Parsed>;
  if (tree.error) {
    const isSyntax = tree.error_type === "parser";
    return { message: isSyntax ? faultOf(sql, tree) : ONE_QUERY, isSyntax };
  }
  const { statements = [] } = tree;
  return statements.length === 1 ? { statements } : { message: ONE_QUERY, isSyntax: false };
}

/** Fails unless every relation and function of a syntax tree is open. */
function assertOpen(statements: readonly Node[], catalog: Catalog): void {
  const nodes = nodesOf(statements);
  const named = new Set(nodes.flatMap((node) => Object.keys(node.cte_map ? commonTables(node) : {})));
  for (const node of nodes) {
    if (node.type === "BASE_TABLE") assertRelation(node, named, catalog);
    else if (node.type === "TABLE_FUNCTION") assertTable(node.function as Node, catalog);
    else if (node.type === "SHOW_REF") assertShown(node);
    if (typeof node.function_name === "string") assertFunction(node, node.function_name);
  }
}

/** All objects of a tree, without recursion: a tree may be deep. */
function nodesOf(tree: unknown): Node[] {
  const nodes: Node[] = [];
  const left = [tree];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== "object" || one === null) continue;
    if (!Array.isArray(one)) nodes.push(one as Node);
    for (const value of Object.values(one)) left.push(value);
  }
  return nodes;
}

const commonTables = ({ cte_map }: Node): Record<string, true> => {
  const { map = [] } = cte_map as { map?: readonly { key: string }[] };
  return Object.fromEntries(map.map(({ key }) => [key.toLowerCase(), true]));
};

function assertRelation(node: Node, named: ReadonlySet<string>, { views, internal }: Catalog): void {
  const [table, schema] = [lower(node.table_name), lower(node.schema_name)];
  const isOwn = !node.catalog_name && !node.at_clause;
  const isNamed = named.has(table) && !internal.has(table);
  const isOpen =
    schema === "information_schema"
      ? DESCRIBED.has(table)
      : schema === "recurring"
        ? isNamed
        : (schema === "" || schema === "main") && (views.has(table) || (schema === "" && isNamed));
  if (isOwn && isOpen) return;
  const name = [node.catalog_name, node.schema_name, node.table_name].filter(Boolean).join(".");
  throw refused(`there is no relation ${shown(name)}; the relations are ${[...views].sort().join(", ")}`);
}

function assertTable(called: Node, { tables, internal }: Catalog): void {
  const name = lower(called.function_name);
  if (TABLES.has(name) && isMain(called)) return;
  if (!tables.has(name) || !isMain(called))
    throw refused(`the table function ${shown(name)} is not open to a query; it reads relations such as orders`);
  for (const argument of (called.children as readonly Node[] | undefined) ?? [])
    assertArgument(argument, name, internal);
}

/** A constant, the name of a column or relation, or a call without arguments. */
function assertArgument(argument: Node, name: string, internal: ReadonlySet<string>): void {
  const texts = nodesOf(argument).flatMap((node) => [
    ...(node.type === "VALUE_CONSTANT" ? [(node.value as Node | undefined)?.value] : []),
    ...(node.type === "COLUMN_REF" ? (node.column_names as readonly unknown[]) : []),
  ]);
  const isHarmless = texts.every(
    (text) => typeof text !== "string" || (HARMLESS_TEXT.test(text) && !internal.has(text.toLowerCase())),
  );
  const isComputed = nodesOf(argument).some(
    (node) =>
      node.class === "SUBQUERY" ||
      (typeof node.function_name === "string" &&
        lower(node.function_name) !== "list_value" &&
        ((node.children as readonly unknown[] | undefined) ?? []).length > 0),
  );
  if (!isHarmless || isComputed) throw refused(`an argument of ${name} is a constant, or the name of a relation`);
}

function assertFunction(node: Node, written: string): void {
  const name = lower(written);
  if (name === "getvariable" && isParameters(node)) return;
  if (name === "getvariable") throw refused("the only variable is p: getvariable('p')");
  if (CLOSED.has(name)) throw refused(`the function ${name} is not open to a query`);
}

const isParameters = ({ children }: Node): boolean => {
  const [only, ...more] = (children ?? []) as readonly Node[];
  return more.length === 0 && only?.type === "VALUE_CONSTANT" && (only.value as Node).value === "p";
};

/** `show databases` and the like read the engine; a description has a query. */
function assertShown(node: Node): void {
  if (node.query || node.table_name === '"tables"') return;
  throw refused("of these, show tables and describe or summarize of a relation are open to a query");
}

const isMain = ({ schema = "", catalog = "" }: Node): boolean => (schema === "" || schema === "main") && catalog === "";

const lower = (name: unknown): string => (typeof name === "string" ? name.toLowerCase() : "");

/** A name of the query in a message. */
const shown = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

const refused = (message: string): QueryError => new QueryError("refused", message);
