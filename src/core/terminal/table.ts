/** Columns side by side, numbers and amounts to the right. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const isNumber = headings.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^([A-Z]{3} )?[\d.,−-]*$/.test(String(row[column]))),
  );
  return cells
    .map((row) =>
      row
        .map((cell, n) => (isNumber[n] ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The lines of a text of at most so many characters each, broken at blanks; a longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** No column is made narrower than this. */
const NARROWEST = 24;
const GAP = 2;

/** A table of at most so many columns of the terminal: long texts continue below themselves, the longest first. */
export function wrappedTable(headings: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const widths = headings.map((heading, n) => Math.max(heading.length, ...rows.map((row) => (row[n] ?? "").length)));
  const total = (): number => widths.reduce((sum, one) => sum + one + GAP, -GAP);
  while (total() > width) {
    const widest = widths.indexOf(Math.max(...widths));
    const most = widths[widest] ?? 0;
    const second = Math.max(NARROWEST, ...widths.filter((_, n) => n !== widest));
    const narrower = Math.max(NARROWEST, Math.min(most - 1, Math.max(most - (total() - width), second)));
    if (narrower >= most) break;
    widths[widest] = narrower;
  }
  const lines = rows.flatMap((row) => {
    const cells = row.map((cell, n) => wrapped(cell, widths[n] ?? 0));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) => cells.map((cell) => cell[line] ?? ""));
  });
  return table(headings, lines);
}

/** Replaces control characters, so that a vendor's text or a file name can neither move the cursor nor fake a line. */
export const printable = (text: string): string => text.replaceAll(/\p{C}+/gu, "\ufffd");
