import { identifier, literal, type Session } from "../../core/engine/database.ts";
import { editedJson } from "./objects.ts";
import type { Reading } from "./verdict.ts";

/** How many changed rows are told to the engine at once. */
const AT_ONCE = 500;

interface Editing {
  /** Where the edited file is written, if any row changes. */
  readonly target?: string | undefined;
  /** The column that has the rows' objects as JSON, and that with the order that a row belongs to: of files of parts. */
  readonly parts?: boolean;
  /** The texts that the copy keeps besides its rows. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Written even if no row changes: its metadata do. */
  readonly always?: boolean;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

const NUMBER = "file_row_number";

const tableOf = (file: string): string => `read_parquet(${literal(file)}, hive_partitioning = false, ${NUMBER} = true)`;

/** Edits the rows of a Parquet file. Returns whether any changed. */
export async function editParquet(
  session: Session,
  file: string,
  reading: Reading,
  { target, parts = false, metadata, always = false }: Editing = {},
): Promise<boolean> {
  const columns = (await session.columns(`from ${tableOf(file)}`)).filter(({ name }) => name !== NUMBER);
  const edits = new Map<string, string>();
  const query = parts
    ? `select ${NUMBER}::varchar, object, parent from ${tableOf(file)}`
    : `select ${NUMBER}::varchar, to_json(rows)::varchar, null from ${tableOf(file)} as rows`;
  let rows = 0;
  for await (const [numbers = [], texts = [], parents = []] of session.chunks(query)) {
    rows += numbers.length;
    for (const [at, number] of numbers.entries()) {
      const text = texts[at];
      if (text === null || text === undefined) continue;
      const row = String(text);
      const parent = parents[at] === null ? undefined : String(parents[at]);
      if (reading.mayMatch && !reading.mayMatch(row) && !reading.mayMatch(parent ?? "")) continue;
      const edited = editedJson(row, reading, parent);
      if (edited === undefined || edited === row) continue;
      const changes = parts
        ? { [`c${columns.findIndex(({ name }) => name === "object")}`]: edited }
        : changesOf(columns, row, edited);
      if (Object.keys(changes).length > 0) edits.set(String(number), JSON.stringify(changes));
    }
  }
  const [count] = await session.texts(
    `select count(*)::varchar from read_parquet(${literal(file)}, hive_partitioning = false)`,
  );
  if (Number(count) !== rows) throw new Error(`${file} was not read to its end`);
  if (target !== undefined && (edits.size > 0 || always))
    await write(session, file, { columns, edits, target, metadata });
  return edits.size > 0;
}

/** The columns whose values differ, by their place. Texts are texts, all others are JSON in a text. */
function changesOf(columns: readonly Column[], before: string, after: string): Record<string, string | null> {
  const [old, edited] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
  const changes: Record<string, string | null> = {};
  for (const [at, { name }] of columns.entries()) {
    const [was, is] = [old?.[name], edited?.[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    changes[`c${at}`] = is === null || is === undefined ? null : typeof is === "string" ? is : JSON.stringify(is);
  }
  return changes;
}

interface Writing {
  readonly columns: readonly Column[];
  readonly edits: ReadonlyMap<string, string>;
  readonly target: string;
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

async function write(
  session: Session,
  file: string,
  { columns, edits, target, metadata = {} }: Writing,
): Promise<void> {
  await session.run("create or replace temp table erased_cells (row_no bigint, edit json)");
  const values = [...edits].map(([number, edit]) => `(${number}, ${literal(edit)})`);
  for (let at = 0; at < values.length; at += AT_ONCE) {
    await session.run(`insert into erased_cells values ${values.slice(at, at + AT_ONCE).join(", ")}`);
  }
  const changed = new Set([...edits.values()].flatMap((edit) => Object.keys(JSON.parse(edit))));
  const selected = columns.map(({ name, type }, at) => {
    const column = `rows.${identifier(name)}`;
    if (!changed.has(`c${at}`)) return column;
    const text = `(erased_cells.edit ->> '$.c${at}')`;
    const isNested = /[([]/.test(type) && !/^(DECIMAL|VARCHAR)/.test(type);
    const value = isNested ? `try_cast(${text}::json as ${type})` : `try_cast(${text} as ${type})`;
    return `case when json_exists(erased_cells.edit, '$.c${at}') then ${value} else ${column} end as ${identifier(name)}`;
  });
  const kept = Object.entries(metadata).map(([name, text]) => `${identifier(name)}: ${literal(text)}`);
  await session.run(
    `copy (
      select ${selected.join(", ")}
      from ${tableOf(file)} as rows
      left join erased_cells on erased_cells.row_no = rows.${NUMBER}
      order by rows.${NUMBER}
    ) to ${literal(target)} (format parquet, compression zstd${kept.length > 0 ? `, kv_metadata {${kept.join(", ")}}` : ""})`,
  );
  await session.run("drop table erased_cells");
}
