const MARKS = [",", ";", "\t", "|"] as const;
const TAB = MARKS.indexOf("\t");

/** How many lines decide. */
const LINES = 20;

/** Excel's own line above the headings: `sep=;`. */
const NAMED = /^"?sep=(\\t|[^"\r\n])"?[,;\t|]*(?:\r\n|\r|\n)/i;

/** How the parser reads a table: the mark between its cells, and the line that it begins with. */
export function marksOf(text: string, isUtf16 = false): { readonly delimiter: string; readonly from_line: number } {
  const [, named] = NAMED.exec(text.slice(0, 100)) ?? [];
  if (named === undefined) return { delimiter: delimiterOf(text, isUtf16), from_line: 1 };
  return { delimiter: named === "\\t" ? "\t" : named, from_line: 2 };
}

/**
 * The mark between the cells of a table: the one that most of the first lines have equally often. Lines above the heading
 * have others, and so do amounts with decimal commas.
 */
function delimiterOf(text: string, isUtf16 = false): string {
  const lines = marksByLine(text);
  // Spreadsheets and Google Ads write UTF-16 with tabs; a tab is no part of a sentence or of an amount.
  if (isUtf16 && lines.some((marks) => marks[TAB])) return "\t";
  const scored = MARKS.map((mark, at) => {
    const counts = lines.map((marks) => marks[at] ?? 0);
    const most = modeOf(counts.filter((count) => count > 0));
    return { mark, lines: counts.filter((count) => count === most && count > 0).length, most };
  });
  scored.sort((a, b) => b.lines - a.lines || b.most - a.most);
  return scored[0]?.lines ? scored[0].mark : ",";
}

/** How often each mark is in each line, outside quotes. */
function marksByLine(text: string): number[][] {
  const lines: number[][] = [];
  let counts = [0, 0, 0, 0];
  let isQuoted = false;
  let isEmpty = true;
  for (let at = 0; at < text.length && lines.length < LINES; at++) {
    const character = text[at] as string;
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "\n" || character === "\r")) {
      if (!isEmpty) lines.push(counts);
      counts = [0, 0, 0, 0];
      isEmpty = true;
      continue;
    }
    isEmpty = false;
    const mark = isQuoted ? -1 : MARKS.indexOf(character as (typeof MARKS)[number]);
    if (mark >= 0) counts[mark] = (counts[mark] ?? 0) + 1;
  }
  // The last line may be cut.
  if (!isEmpty && lines.length === 0) lines.push(counts);
  return lines;
}

/** The value that occurs most; the largest of several. */
function modeOf(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([a, inA], [b, inB]) => inB - inA || b - a)[0]?.[0] ?? 0;
}
