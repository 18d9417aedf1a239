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

/** Replaces control characters, so that a vendor's text or a file name can neither move the cursor nor fake a line. */
export const printable = (text: string): string => text.replaceAll(/\p{C}+/gu, "\ufffd");
