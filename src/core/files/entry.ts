import path from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT } from "./paths.ts";

/** A file that a thread or process runs, and the options of Node that it needs. */
export interface Entry {
  readonly file: string;
  readonly execArgv: readonly string[];
}

const TYPESCRIPT = ["--import", pathToFileURL(path.join(PROJECT, "bin", "typescript.mjs")).href];

/** The module of that name next to the module `from`: compiled like it, or not. */
export function entryBeside(from: string, name: string): Entry {
  const extension = path.extname(from);
  return {
    file: path.join(path.dirname(from), `${name}${extension}`),
    execArgv: extension === ".ts" ? TYPESCRIPT : [],
  };
}
