import path from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT, SOURCES } from "./paths.ts";

/** A file that a thread or process runs, and the options of Node that it needs. */
export interface Entry {
  readonly file: string;
  readonly execArgv: readonly string[];
}

const isCompiled = path.extname(import.meta.filename) === ".js";
const TYPESCRIPT = ["--import", pathToFileURL(path.join(PROJECT, "bin", "typescript.mjs")).href];

/** The module of this name, such as `features/mcp/reducer`: compiled like this one, or its source. */
export const entryOf = (name: string): Entry =>
  isCompiled
    ? { file: path.join(PROJECT, "dist", `${name}.js`), execArgv: [] }
    : { file: path.join(SOURCES, `${name}.ts`), execArgv: TYPESCRIPT };
