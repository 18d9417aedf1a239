import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "../core/files/paths.ts";

/** A request and its exact answer. `why` says what the case is for and how its figures were worked out by hand. */
export interface Case {
  readonly why: string;
  readonly request: string;
  readonly status: number;
  /** `…` matches any value. */
  readonly body?: unknown;
}

export const CASES = path.join(PROJECT, "test", "cases");

/** The cases that the tests check the service with, by name. The documents take their examples from them. */
export const readCases = (folder: string = CASES): [string, Case][] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), "utf8"))]);
