import { readdir } from "node:fs/promises";
import path from "node:path";
import { identifier, literal, type Session } from "../../core/engine/database.ts";
import type { RelationCheck } from "../../core/marts/pinFiles.ts";
import { CORE } from "../../core/marts/relations.ts";

/** Each derivation gives these numbers in its own order, so that they are not compared. */
const SURROGATES = CORE.flatMap(({ surrogate }) => surrogate?.column ?? []);

/** The names of the relations of derived files. */
async function relationsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".parquet"));
  return [...new Set(files.map((name) => name.split(".")[0] ?? ""))].sort();
}

/** A relation is one file, or several that are numbered. */
const filesOf = (folder: string, relation: string): string =>
  `read_parquet(${literal(path.join(folder, `${relation}.*parquet`))}, hive_partitioning = false)`;

/** The rows of a relation that have a meaning, without surrogate numbers. An increment keeps sources that no order has any more. */
function rowsOf(folder: string, relation: string, columns: readonly string[]): string {
  const rows = `select ${columns.map(identifier).join(", ")} from ${filesOf(folder, relation)} as rows`;
  if (relation !== "order_sources") return rows;
  const same = ["utm_source", "utm_medium", "utm_campaign"].map(
    (column) => `orders.${column} is not distinct from rows.${column}`,
  );
  return `${rows} semi join ${filesOf(folder, "identified_orders")} as orders on ${same.join(" and ")}`;
}

async function columnsOf(session: Session, folder: string, relation: string): Promise<string[]> {
  const columns = await session.columns(`from ${filesOf(folder, relation)}`);
  return columns.map(({ name }) => name).filter((name) => !SURROGATES.includes(name));
}

/** A checksum of each relation: the sum of the hashes of its rows does not depend on their order. */
export async function relationChecks(session: Session, folder: string): Promise<Record<string, RelationCheck>> {
  const checks: Record<string, RelationCheck> = {};
  for (const relation of await relationsIn(folder)) {
    const columns = await columnsOf(session, folder, relation);
    const [row = {}] = await session.rows(
      `select
        count(*)::bigint as rows,
        md5(concat_ws(' ', count(*), sum(md5_number_upper(row_text)), sum(md5_number_lower(row_text)), ${literal(columns.join(" "))})) as checksum
      from (select "row"::varchar as row_text from (${rowsOf(folder, relation, columns)}) as "row")`,
    );
    checks[relation] = { rows: Number(row.rows), checksum: String(row.checksum) };
  }
  return checks;
}

/** How the rows of a relation differ between two folders. */
export interface RowsDiffer {
  /** Rows that only the first has, and that only the second has. */
  readonly gone: number;
  readonly come: number;
  /** The first of them, as JSON. */
  readonly goneRows: readonly string[];
  readonly comeRows: readonly string[];
  /** Columns that only one of them has. */
  readonly columns: readonly string[];
}

const MOST_SHOWN = 3;

/** Compares the rows of a relation, by the columns that both have. */
export async function differingRows(
  session: Session,
  relation: string,
  before: string,
  after: string,
): Promise<RowsDiffer | undefined> {
  const [were, are] = [await relationsIn(before), await relationsIn(after)];
  if (!were.includes(relation) || !are.includes(relation)) return undefined;
  const [old, present] = [await columnsOf(session, before, relation), await columnsOf(session, after, relation)];
  const common = old.filter((name) => present.includes(name));
  const columns = [...old, ...present].filter((name) => !common.includes(name));
  const [first, second] = [rowsOf(before, relation, common), rowsOf(after, relation, common)];
  const only = async (one: string, other: string): Promise<{ rows: number; shown: string[] }> => {
    const rows = `(${one}) except all (${other})`;
    const [count] = await session.texts(`select count(*)::varchar from (${rows})`);
    const shown = await session.texts(
      `select text from (select to_json("row")::varchar as text from (${rows}) as "row") order by text limit ${MOST_SHOWN}`,
    );
    return { rows: Number(count), shown };
  };
  const [gone, come] = [await only(first, second), await only(second, first)];
  return { gone: gone.rows, come: come.rows, goneRows: gone.shown, comeRows: come.shown, columns };
}
