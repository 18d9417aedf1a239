/**
 * Which columns the columns of a query are made of, read off the engine's plan of it: there every name, star, macro and
 * subquery is resolved. What only decides which rows there are, as joins and filters do, is not counted.
 */

/** Sources of a value: columns of tables, as `table.column`, with the path into a nested one: `orders.items.price`. */
export interface Sources {
  readonly all: ReadonlySet<string>;
  /** For a struct that the query makes: the sources of each member. */
  readonly members?: ReadonlyMap<string, Sources>;
}

/** A table's columns; `rows`: the columns that identify its rows, which a count counts. */
interface Output {
  readonly columns: readonly Sources[];
  readonly rows: Sources;
}

// biome-ignore lint/suspicious/noExplicitAny: the engine's plan as JSON; its form is the engine's own.
type Json = any;

/** References of a subquery's plan to the outside. */
interface Scope {
  readonly ctes: ReadonlyMap<number, Output>;
  /** The columns that the subqueries of a join are run for. */
  readonly correlated: readonly Sources[];
  readonly keys: (table: string) => readonly string[];
}

const NONE: Sources = { all: new Set() };
const NO_ROWS: Output = { columns: [], rows: NONE };

/** The sources of a query's columns, in their order. `keys`: the columns that are a table's key. */
export const columnSources = (plan: unknown, keys: (table: string) => readonly string[]): readonly Sources[] =>
  outputOf(plan, { ctes: new Map(), correlated: [], keys }).columns;

/** The tables that a plan reads. */
export function tablesOf(plan: unknown): string[] {
  const tables = new Set<string>();
  const visit = (part: Json): void => {
    if (part === null || typeof part !== "object") return;
    if (part.type === "LOGICAL_GET") tables.add(tableName(part));
    for (const value of Object.values(part)) visit(value);
  };
  visit(plan);
  return [...tables].sort();
}

const tableName = ({ function_data: { schema, table } }: Json): string =>
  schema === "main" ? table : `${schema}.${table}`;

function union(some: readonly Sources[]): Sources {
  const [first, ...others] = some.filter(({ all }) => all.size > 0);
  if (!first) return NONE;
  if (others.length === 0) return first;
  const all = new Set(some.flatMap((one) => [...one.all]));
  if (![first, ...others].every(({ members }) => members)) return { all };
  const names = new Set([first, ...others].flatMap(({ members }) => [...(members?.keys() ?? [])]));
  const member = (name: string): Sources => union([first, ...others].map(({ members }) => members?.get(name) ?? NONE));
  return { all, members: new Map([...names].map((name) => [name, member(name)])) };
}

function outputOf(plan: Json, scope: Scope): Output {
  const [left, right] = plan.children;
  const first = (): Output => (left ? outputOf(left, scope) : NO_ROWS);
  switch (plan.type) {
    case "LOGICAL_GET":
      return tableOf(plan, scope);
    case "LOGICAL_PROJECTION": {
      const input = first();
      return { columns: sourcesOf(plan.expressions, input), rows: input.rows };
    }
    case "LOGICAL_AGGREGATE_AND_GROUP_BY": {
      const input = first();
      const groups = sourcesOf(plan.groups, input);
      return {
        columns: [...groups, ...sourcesOf(plan.expressions, input), ...plan.grouping_functions.map(() => NONE)],
        rows: groups.length > 0 ? union(groups) : input.rows,
      };
    }
    case "LOGICAL_WINDOW":
    case "LOGICAL_UNNEST": {
      const input = first();
      return { columns: [...input.columns, ...sourcesOf(plan.expressions, input)], rows: input.rows };
    }
    case "LOGICAL_EXPRESSION_GET": {
      const rows: Sources[][] = plan.expressions.map((row: Json) => sourcesOf(row, first()));
      return { columns: (rows[0] ?? []).map((_, no) => union(rows.map((row) => row[no] ?? NONE))), rows: NONE };
    }
    case "LOGICAL_DUMMY_SCAN":
      return { columns: [NONE], rows: NONE };
    case "LOGICAL_DELIM_GET":
      return { columns: scope.correlated, rows: union(scope.correlated) };
    case "LOGICAL_CTE_REF":
      return scope.ctes.get(plan.cte_index) ?? NO_ROWS;
    case "LOGICAL_MATERIALIZED_CTE":
      return outputOf(right, withCte(scope, plan.table_index, first()));
    case "LOGICAL_RECURSIVE_CTE": {
      const start = first();
      return either([start, outputOf(right, withCte(scope, plan.table_index, start))]);
    }
    case "LOGICAL_UNION":
    case "LOGICAL_EXCEPT":
    case "LOGICAL_INTERSECT":
      return either(plan.children.map((child: Json) => outputOf(child, scope)));
    case "LOGICAL_FILTER":
    case "LOGICAL_ORDER_BY":
    case "LOGICAL_DISTINCT":
    case "LOGICAL_LIMIT":
      return first();
    case "LOGICAL_CROSS_PRODUCT":
    case "LOGICAL_ANY_JOIN":
    case "LOGICAL_COMPARISON_JOIN":
    case "LOGICAL_DELIM_JOIN":
      return joined(plan, first(), right, scope);
    default:
      throw new Error(`the plan has an unknown operator ${plan.type}`);
  }
}

const withCte = (scope: Scope, index: number, output: Output): Scope => ({
  ...scope,
  ctes: new Map([...scope.ctes, [index, output]]),
});

function tableOf(plan: Json, scope: Scope): Output {
  const name = tableName(plan);
  const column = (of: string): Sources => ({ all: new Set([`${name}.${of}`]) });
  return {
    columns: plan.column_indexes.map(({ index }: Json) => column(plan.names[index] ?? "rowid")),
    rows: union(scope.keys(name).map(column)),
  };
}

function joined(plan: Json, left: Output, right: Json, scope: Scope): Output {
  const correlated = sourcesOf(plan.duplicate_eliminated_columns ?? [], left);
  const other = outputOf(right, plan.type === "LOGICAL_DELIM_JOIN" ? { ...scope, correlated } : scope);
  switch (plan.join_type) {
    case "SEMI":
    case "ANTI":
      return left;
    case "MARK":
      return { columns: [...left.columns, other.rows], rows: left.rows };
    default:
      return { columns: [...left.columns, ...other.columns], rows: left.rows.all.size > 0 ? left.rows : other.rows };
  }
}

const either = (outputs: readonly Output[]): Output => ({
  columns: (outputs[0]?.columns ?? []).map((_, no) => union(outputs.map(({ columns }) => columns[no] ?? NONE))),
  rows: union(outputs.map(({ rows }) => rows)),
});

const sourcesOf = (expressions: readonly Json[], input: Output): Sources[] =>
  expressions.map((expression) => sourceOf(expression, input));

function sourceOf(expression: Json, input: Output): Sources {
  const { name, children = [] } = expression;
  switch (expression.expression_class) {
    case "BOUND_REF":
      return input.columns[expression.index] ?? NONE;
    case "BOUND_FUNCTION":
      return functionOf(expression, input);
    case "BOUND_AGGREGATE": {
      if (children.length === 0) return union([input.rows, ...inside(expression.filter, input)]);
      // The second argument only says which row's value it is.
      const values = /^arg_(min|max)/.test(name) ? children.slice(0, 1) : children;
      return union([...sourcesOf(values, input), ...inside(expression.filter, input)]);
    }
    case "BOUND_WINDOW":
      return union(children.length > 0 ? sourcesOf(children, input) : within(expression, input));
    default:
      return union(within(expression, input));
  }
}

/** The sources of the expressions in a part of the plan, however deep. */
function inside(part: Json, input: Output): Sources[] {
  if (part === null || typeof part !== "object") return [];
  return part.expression_class ? [sourceOf(part, input)] : within(part, input);
}

const within = (part: Json, input: Output): Sources[] => Object.values(part).flatMap((value) => inside(value, input));

const PATHS = ["struct_extract", "array_extract", "json_extract", "json_extract_string", "->", "->>"];

function functionOf({ name, children, return_type }: Json, input: Output): Sources {
  const values = sourcesOf(children, input);
  if (name === "struct_pack" || name === "row") {
    const names: string[] = return_type.type_info.child_types.map(({ first }: Json) => first);
    return { ...union(values), members: new Map(names.map((member, no) => [member, values[no] ?? NONE])) };
  }
  // As an index its keys only say which value it is.
  if (name === "map") return union(values.slice(1));
  const path = children[1]?.value?.value;
  if (!PATHS.includes(name) || typeof path !== "string") return union(values);
  const key = path.replace(/^\$\./, "").replaceAll(/\[\*\]|"/g, "");
  const [value = NONE] = values;
  if (value.members) return value.members.get(key) ?? NONE;
  return { all: new Set([...value.all].map((source) => `${source}.${key}`)) };
}
