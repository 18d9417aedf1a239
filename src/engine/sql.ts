import { readFile } from "node:fs/promises";
import path from "node:path";
import { SQL } from "../paths.ts";

/**
 * The text of a file of `sql/`, by its path there without the ending. `.read` lines are replaced by the files they name,
 * as a DuckDB shell would; a final semicolon is left out, so that the text can be a subquery.
 */
export async function readSql(name: string): Promise<string> {
  const parts = (await textOf(name)).split(READ);
  const texts = await Promise.all(parts.map((part, no) => (no % 2 === 0 ? part : readStatements(part))));
  return texts.join("").trimEnd().replace(/;$/, "");
}

const READ = /^\.read sql\/(\S+)\.sql$/m;

const textOf = (name: string): Promise<string> => readFile(path.join(SQL, `${name}.sql`), "utf8");

/** The files that `sql/setup.sql` reads, in its order. */
export const setupFiles = async (): Promise<string[]> =>
  (await textOf("setup")).split(READ).filter((_, no) => no % 2 === 1);

/** The statements of files, one after the other. */
const readStatements = async (...names: string[]): Promise<string> =>
  (await Promise.all(names.map(async (name) => `${await readSql(name)};\n`))).join("");

/** The macros of files, for this session only; they replace macros of the same name. */
export const readMacros = async (...names: string[]): Promise<string> =>
  (await readStatements(...names)).replaceAll("create macro", "create or replace temp macro");
