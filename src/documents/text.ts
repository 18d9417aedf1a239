/** Names as code, with commas. */
export const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** A Markdown table. */
export function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...lines.map(line)].join("\n");
}
