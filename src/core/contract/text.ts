/** The text, or its beginning if it is longer. */
export function brief(text: string, most: number): string {
  // A surrogate pair is not cut in two.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const SHOWN_NAMES = 12;
/** A name of a column or a file may have any number of characters. */
const LONGEST_NAME = 100;

/** The first names of a list, and how many more there are. */
export function shortened(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  const shown = names.slice(0, SHOWN_NAMES).map((name) => brief(name, LONGEST_NAME));
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

/** `1 order`, `1,200 orders`. */
export const quantity = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
