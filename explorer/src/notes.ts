import { day, range } from "./format.ts";
import { type Note, organization } from "./session.ts";

/** The notes on days from one to another, such as Black Friday. Of more than a day each says which of them it means. */
export function noteOn(
  from: string,
  to: string,
  notes: readonly Note[] = organization.value?.notes ?? [],
): string | undefined {
  const texts = notes
    .filter((note) => note.from <= to && (note.until ?? note.from) >= from)
    .map((note) => (from === to ? note.text : `${note.text} (${daysOf(note)})`));
  return texts.length > 0 ? texts.join("; ") : undefined;
}

const daysOf = ({ from, until }: Note): string => (until === null || until === from ? day(from) : range(from, until));

/** The points that one note is about, one after the other. */
export interface Noted {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

/** Points in a row with the same note are one place. */
export function notedIn(points: readonly { readonly note?: string | undefined }[]): readonly Noted[] {
  const all: Noted[] = [];
  for (const [at, { note }] of points.entries()) {
    const before = all.at(-1);
    if (note === undefined) continue;
    if (before?.text === note && before.last === at - 1) all[all.length - 1] = { ...before, last: at };
    else all.push({ text: note, first: at, last: at });
  }
  return all;
}
