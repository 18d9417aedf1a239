import { signal } from "@preact/signals";

export const VIEWS = ["overview", "cohorts", "acquisition", "products", "data"] as const;
export type View = (typeof VIEWS)[number];

/**
 * The view, its period and its filters, which are in the hash of the address so that a link shows the same again. The
 * address has neither the credentials nor the organization.
 */
export interface Route {
  readonly view: View;
  readonly args: Readonly<Record<string, string>>;
}

/** The arguments that all views share. */
const SHARED = ["period", "from", "to", "lang"];

function read(): Route {
  const [name = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const view = VIEWS.find((known) => known === name) ?? "overview";
  return { view, args: Object.fromEntries(new URLSearchParams(query)) };
}

export const route = signal<Route>(read());
addEventListener("hashchange", () => {
  route.value = read();
});

/** The hash of a view, with the current period and language. */
export function hashOf(view: View, args: Readonly<Record<string, string>> = {}): string {
  const shared = Object.entries(route.value.args).filter(([name]) => SHARED.includes(name));
  return write({ view, args: { ...Object.fromEntries(shared), ...args } });
}

function write({ view, args }: Route): string {
  const query = new URLSearchParams(Object.entries(args).filter(([, value]) => value !== ""));
  return `#/${view}${query.size > 0 ? `?${query}` : ""}`;
}

/** Changes some arguments and removes empty ones, without an entry in the browser's history. */
export function set(changes: Readonly<Record<string, string>>): void {
  const { view, args } = route.peek();
  const next = {
    view,
    args: Object.fromEntries(Object.entries({ ...args, ...changes }).filter(([, it]) => it !== "")),
  };
  history.replaceState(null, "", write(next));
  route.value = next;
}

export const arg = (name: string): string => route.value.args[name] ?? "";

/** The argument if it is one of the words, otherwise the first word. */
export function oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
  return words.find((word) => word === arg(name)) ?? words[0];
}
