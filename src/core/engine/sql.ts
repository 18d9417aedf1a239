import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { SQL } from "../files/paths.ts";

/** All files of `sql/`, read when the process starts: after an upgrade in place it must not run new SQL with old code. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  readdirSync(SQL, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sql"))
    .map((file) => [file.replace(/\.sql$/, "").replaceAll(path.sep, "/"), readFileSync(path.join(SQL, file), "utf8")]),
);

/** The names of the files below a folder of `sql/`, in order: the paths there, without the ending. */
export const sqlFiles = (folder = ""): string[] =>
  [...TEXTS.keys()]
    .filter((name) => name.startsWith(folder))
    .map((name) => name.slice(folder.length))
    .sort();

/**
 * The text of a file of `sql/`, by its path there without the ending. `.read` lines are replaced by the files they name,
 * as a DuckDB shell would; a final semicolon is left out, so that the text can be a subquery.
 */
export function readSql(name: string): string {
  const texts = textOf(name)
    .split(READ)
    .map((part, no) => (no % 2 === 0 ? part : readStatements(part)));
  return texts.join("").trimEnd().replace(/;$/, "");
}

const READ = /^\.read sql\/(\S+)\.sql$/m;

function textOf(name: string): string {
  const text = TEXTS.get(name);
  if (text === undefined) throw new Error(`no file ${name}.sql in ${SQL}`);
  return text;
}

/** The files that `sql/setup.sql` reads, in its order. */
export const setupFiles = (): string[] =>
  textOf("setup")
    .split(READ)
    .filter((_, no) => no % 2 === 1);

/** The statements of files, one after the other. */
const readStatements = (...names: string[]): string => names.map((name) => `${readSql(name)};\n`).join("");

/** The macros that read a connector's exports: those of all connectors, and its own if it has any. */
export const stagingMacros = (connector: string): string =>
  readMacros(
    "setup/text",
    "staging/names",
    "staging/macros",
    ...sqlFiles().filter((name) => name === `staging/${connector}/macros`),
  );

/** The macros of files, for this session only; they replace macros of the same name. */
export const readMacros = (...names: string[]): string =>
  readStatements(...names).replaceAll("create macro", "create or replace temp macro");
