/** The line that an error of the engine names. */
export function lineIn(message: string): number | undefined {
  const line = /^LINE (\d+):/m.exec(message)?.[1];
  return line === undefined ? undefined : Number(line);
}

/** Where a line begins and ends in a text. */
export function rangeOf(text: string, line: number): readonly [number, number] {
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return [start, start + (lines[line - 1] ?? "").length];
}
