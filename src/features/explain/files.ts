import { readBy, withoutComments } from "../../core/engine/reads.ts";
import { readSql, setupFiles, sqlFiles } from "../../core/engine/sql.ts";

/** A file of `sql/`, by its path there without the ending, and its text. */
export interface SqlFile {
  readonly name: string;
  readonly text: string;
}

/** The SQL behind an answer. */
interface SqlBehind {
  /** The file that ran first; then those of the macros, then those of the relations that these read. */
  readonly files: readonly SqlFile[];
  /** The records of those relations: `storea_orders`. */
  readonly records: ReadonlySet<string>;
}

const RELATIONS: ReadonlySet<string> = new Set(sqlFiles("core/").filter((name) => name !== "macros"));

/** The files that define macros of analyses, in order; then those of the macros that only derivations use. */
const MACRO_FILES: readonly string[] = [...setupFiles(), "core/macros", "staging/macros"];

/** Each macro with its file. The last definition is the one in force, as in a session. */
const MACROS: ReadonlyMap<string, string> = new Map(
  MACRO_FILES.flatMap((file) =>
    [...readSql(file).matchAll(/^create macro (\w+)\(/gm)].map(([, name = ""]): [string, string] => [name, file]),
  ),
);

const fileOf = (name: string): SqlFile => ({ name, text: readSql(name) });

const known = new Map<string, SqlBehind>();

/** The file with what it depends on, directly or not. The texts never change while the process runs. */
export function sqlBehind(name: string): SqlBehind {
  const found = known.get(name) ?? resolve(name);
  known.set(name, found);
  return found;
}

function resolve(ran: string): SqlBehind {
  const macros = new Set<string>();
  const relations = new Set<string>();
  const records = new Set<string>();
  const left = [ran];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const text = readSql(file);
    for (const macro of macrosIn(text)) {
      if (macro === ran || macros.has(macro)) continue;
      macros.add(macro);
      left.push(macro);
    }
    const found = readBy(text, RELATIONS);
    for (const record of found.records) records.add(record);
    for (const relation of found.reads) {
      if (relations.has(relation)) continue;
      relations.add(relation);
      left.push(`core/${relation}`);
    }
  }
  const inOrder = MACRO_FILES.filter((file) => macros.has(file));
  const names = [ran, ...inOrder, ...[...relations].sort().map((relation) => `core/${relation}`)];
  return { files: names.map(fileOf), records };
}

/** The files of the macros that a text calls, also in the texts of `query`. */
function macrosIn(text: string): string[] {
  const called = [...withoutComments(text).matchAll(/\b(\w+)\(/g)].map(([, name = ""]) => MACROS.get(name));
  return [...new Set(called.filter((file) => file !== undefined))];
}

/** The comment at the beginning of a text. */
const headerOf = (text: string): string => /^(?:--.*\n?)*/.exec(text)?.[0] ?? "";

/** The rules that texts cite, in the order of the first citation. */
export const rulesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(/\[(D\d+)\]/g)].map(([, rule = ""]) => rule))),
];

/** The rules that the heads of files cite; of a file of macros, also the comments before them. */
export const rulesOf = (files: readonly SqlFile[]): string[] =>
  rulesIn(files.map(({ name, text }) => (name.startsWith("setup/") ? commentsOf(text) : headerOf(text))));

const commentsOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.startsWith("--"))
    .join("\n");
