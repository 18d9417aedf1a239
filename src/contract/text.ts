/** The text, or its beginning if it is longer. */
export function brief(text: string, most: number): string {
  // A surrogate pair is not cut in two.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const SHOWN_NAMES = 12;

/** The first names of a list, and how many more there are. */
export function shortened(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return rest > 0 ? `${names.slice(0, SHOWN_NAMES).join(", ")} and ${rest} more` : names.join(", ");
}

/** `1 order`, `1,200 orders`. */
export const quantity = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
