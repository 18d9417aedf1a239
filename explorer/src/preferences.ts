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
export function remembered<T extends string>(name: string, words: readonly [T, ...T[]]): Signal<T> {
  const choice = rememberedOrNone(name, words);
  return signalOf(name, choice ?? words[0]);
}

function rememberedOrNone<T extends string>(name: string, words: readonly T[]): T | undefined {
  const kept = read(name);
  return words.find((word) => word === kept);
}

/** Writes what is chosen from now on. */
function signalOf<T extends string | undefined>(name: string, first: T): Signal<T> {
  const choice = signal<T>(first);
  let isFirst = true;
  choice.subscribe((value) => {
    if (!isFirst && value !== undefined) write(name, value);
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

export const LANGUAGES = ["pt", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The chosen language. */
export const language = signalOf<Language | undefined>("language", rememberedOrNone("language", LANGUAGES));

/** Of who has chosen none, before an organization is known: Portuguese unless the browser speaks another language. */
export const browserLanguage: Language =
  navigator.languages.length === 0 || navigator.languages.some((name) => /^pt\b/i.test(name)) ? "pt" : "en";

/** The names by which browsers and the service know them. */
export const LANGUAGE_CODES = { pt: "pt-BR", en: "en" } as const;
