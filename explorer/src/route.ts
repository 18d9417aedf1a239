import { signal } from "@preact/signals";

export const VIEWS = ["overview", "cohorts", "acquisition", "products", "data"] as const;
export type View = (typeof VIEWS)[number];

/**
 * Where the page is: view, period and filters, in the address's hash, so that a link shows the same again. Credentials
 * and the organization are no part of it.
 */
export interface Route {
  readonly view: View;
  readonly args: Readonly<Record<string, string>>;
}

/** What goes along from view to view. */
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

/** The address of a view, with the period as it is. */
export function hashOf(view: View, args: Readonly<Record<string, string>> = {}): string {
  const shared = Object.entries(route.value.args).filter(([name]) => SHARED.includes(name));
  return write({ view, args: { ...Object.fromEntries(shared), ...args } });
}

function write({ view, args }: Route): string {
  const query = new URLSearchParams(Object.entries(args).filter(([, value]) => value !== ""));
  return `#/${view}${query.size > 0 ? `?${query}` : ""}`;
}

/** Changes some of the arguments; an empty one goes. The browser's "back" skips these. */
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

/** An argument that is one of some words; else the first of them. */
export function oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
  return words.find((word) => word === arg(name)) ?? words[0];
}
