import type { RecordDeclaration } from "../../core/contract/record.ts";

/** How many headings are proposed for a column. */
const MOST = 5;
/** The least share of the pairs of letters that two names have in common. */
const ALIKE = 0.3;

/** The headings that may mean a column, the likeliest first: those that share most with its name, or with a label of it. */
export function fittingHeadings(record: RecordDeclaration, column: string, headings: readonly string[]): string[] {
  const names = [column, ...(record.guide?.labels?.[column] ?? [])].map(pairsOf);
  return headings
    .map((heading, at) => ({ heading, at, alike: Math.max(...names.map((pairs) => common(pairs, pairsOf(heading)))) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike || a.at - b.at)
    .slice(0, MOST)
    .map(({ heading }) => heading);
}

/** The pairs of letters of a name, without case, accents and punctuation. */
function pairsOf(name: string): ReadonlySet<string> {
  const letters = name
    .slice(0, 200)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return new Set(letters.flatMap((word) => [...` ${word} `].slice(1).map((_, at) => ` ${word} `.slice(at, at + 2))));
}

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((pair) => other.has(pair)).length;
  return (2 * both) / Math.max(1, one.size + other.size);
}
