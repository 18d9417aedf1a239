/** The text, or its beginning if it is longer. */
export function brief(text: string, most: number): string {
  // A surrogate pair is not cut in two.
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
