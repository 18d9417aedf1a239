/** Longer lines are cut around the place. */
const WIDEST = 120;

/**
 * Where a statement does not parse, in the form of the engine's other errors: the line, and a sign below the place. The
 * offset counts code points.
 */
export function placeOf(sql: string, offset: number): string {
  const before = [...sql].slice(0, offset).join("");
  const lines = before.split("\n");
  const column = (lines.at(-1) ?? "").length;
  const from = Math.max(0, column - WIDEST / 2);
  const text = (sql.split("\n")[lines.length - 1] ?? "").slice(from, from + WIDEST);
  const head = `LINE ${lines.length}: ${from > 0 ? "…" : ""}`;
  return `${head}${text}\n${" ".repeat(head.length + column - from)}^`;
}
