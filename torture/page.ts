import path from "node:path";
import type { Figure, Part } from "./part.ts";

export const PAGE = path.resolve(import.meta.dirname, "..", "docs", "reliability.md");

const PROMISES = "promises";
const FIGURES = "figures";

const markers = (block: string): [string, string] => [
  `<!-- ${block}: made by torture/page.ts -->`,
  `<!-- /${block} -->`,
];

/** The text between a block's markers. */
export function blockOf(page: string, block: string): string {
  const [start, end] = markers(block);
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md lacks the markers of the block "${block}"`);
  return page.slice(from + start.length, to).trim();
}

function withBlock(page: string, block: string, text: string): string {
  const [start, end] = markers(block);
  blockOf(page, block);
  return `${page.slice(0, page.indexOf(start) + start.length)}\n\n${text}\n\n${page.slice(page.indexOf(end))}`;
}

/** One line of the table of figures. */
export interface Line {
  readonly name: string;
  /** A part that failed has no figures. */
  readonly figures: readonly Figure[] | "failed";
  /** When, how long, from which seed. */
  readonly run: string;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function rowOf({ name, figures, run }: Line): string {
  const shown = figures === "failed" ? "**failed**" : figures.map(({ what, value }) => `${what}: ${value}`).join(" · ");
  return `| ${cell(name)} | ${cell(shown)} | ${cell(run)} |`;
}

const NEVER = "not measured yet";

/** The table: a line per part, with its new figures if it was run, else with its old ones. */
export function figuresOf(parts: readonly Part[], lines: readonly Line[], before: string): string {
  const rows = parts.map(({ name }) => {
    const line = lines.find((one) => one.name === name);
    const old = before.split("\n").find((row) => row.startsWith(`| ${cell(name)} |`));
    return line ? rowOf(line) : (old ?? rowOf({ name, figures: [], run: NEVER }));
  });
  return ["| Part | Figures | Run |", "|---|---|---|", ...rows].join("\n");
}

/** The promises and methods, in the parts' own words. */
export const promisesOf = (parts: readonly Part[]): string =>
  parts
    .map(({ name, promise, method }) => `### ${name[0]?.toUpperCase()}${name.slice(1)}\n\n**${promise}**\n\n${method}`)
    .join("\n\n");

/** The page with all parts' promises, and the figures of this run. */
export const pageOf = (page: string, parts: readonly Part[], lines: readonly Line[] = []): string =>
  withBlock(withBlock(page, PROMISES, promisesOf(parts)), FIGURES, figuresOf(parts, lines, blockOf(page, FIGURES)));
