import { type Signal, signal } from "@preact/signals";

// What the browser remembers: preferences only, never credentials or data.

const PREFIX = "lucra.";

/** A browser may refuse storage altogether; the preference then lasts as long as the page. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // See above.
  }
}

/** A remembered choice among words; the first one without a choice. */
export function remembered<T extends string>(name: string, words: readonly [T, ...T[]], fallback?: T): Signal<T> {
  const kept = read(name);
  const choice = signal<T>(words.find((word) => word === kept) ?? fallback ?? words[0]);
  let isFirst = true;
  choice.subscribe((value) => {
    // What the browser suggests is not a choice of the user.
    if (!isFirst) write(name, value);
    isFirst = false;
  });
  return choice;
}

/** A remembered list of names, such as a table's columns; undefined without a choice. */
export function rememberedList(name: string): Signal<readonly string[] | undefined> {
  const kept = read(name);
  const choice = signal<readonly string[] | undefined>(kept === null ? undefined : kept.split(" ").filter(Boolean));
  let isFirst = true;
  choice.subscribe((value) => {
    if (!isFirst) write(name, (value ?? []).join(" "));
    isFirst = false;
  });
  return choice;
}

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const theme = remembered<Theme>("theme", THEMES);

/** Portuguese unless the browser speaks another language. */
const isPortuguese = navigator.languages.length === 0 || navigator.languages.some((name) => /^pt\b/i.test(name));
export const LANGUAGES = ["pt", "en"] as const;
export const language = remembered("language", LANGUAGES, isPortuguese ? "pt" : "en");

/** The names by which browsers and the service know them. */
export const LANGUAGE_CODES = { pt: "pt-BR", en: "en" } as const;
