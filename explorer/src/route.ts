// First: it takes the token of a link out of the address, which is read here.
import "./token.ts";
import { computed, signal } from "@preact/signals";

export const VIEWS = [
  "overview",
  "acquisition",
  "customers",
  "products",
  "breakdown",
  "data",
  "sql",
  "report",
  "portfolio",
  "settings",
] as const;
export type View = (typeof VIEWS)[number];

/** The addresses of the first edition. */
const FORMER: ReadonlyMap<string, View> = new Map([["cohorts", "customers"]]);

export type Args = Readonly<Record<string, string>>;

/**
 * What the address shows: organization, view, and everything that a user can choose. A link shows the same again, and the
 * browser's back button undoes a choice.
 */
export interface Route {
  /** The organization's id or its beginning; empty if the address names none. */
  readonly organization: string;
  readonly view: View;
  /** The part of the settings; empty elsewhere, and for their list. */
  readonly section: string;
  readonly args: Args;
  /** A name in the address that is no view. */
  readonly unknownView?: string;
}

/** The arguments that all views share. */
const SHARED = [
  "period",
  "from",
  "to",
  "compare",
  "compareFrom",
  "compareTo",
  "by",
  "known",
  "lang",
  "onlyStore",
  "onlyChannel",
];

const viewOf = (name: string): View | undefined => VIEWS.find((known) => known === name) ?? FORMER.get(name);

/** A part of an address that does not decode stays as it is: it names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function readAddress(hash: string): Route {
  const [path = "", ...rest] = hash.replace(/^#\/?/, "").split("?");
  const names = path.split("/").filter(Boolean).map(decoded);
  const [first = "", second = ""] = names;
  // `settings/people` names no organization either.
  const isSection = first === "settings" && viewOf(second) === undefined;
  const hasOrganization = !isSection && (names.length > 1 || (first !== "" && viewOf(first) === undefined));
  const [name = "", section = ""] = hasOrganization ? names.slice(1) : names;
  const view = viewOf(name);
  return {
    organization: hasOrganization ? first : "",
    view: view ?? "overview",
    section: view === "settings" ? section : "",
    args: Object.fromEntries(new URLSearchParams(rest.join("?"))),
    ...(view === undefined && name !== "" ? { unknownView: name } : {}),
  };
}

export function writeAddress({ organization, view, section, args }: Omit<Route, "unknownView">): string {
  const query = new URLSearchParams(Object.entries(args).filter(([, value]) => value !== ""));
  const start = organization === "" ? "" : `/${encodeURIComponent(organization)}`;
  const end = section === "" ? "" : `/${encodeURIComponent(section)}`;
  return `#${start}/${view}${end}${query.size > 0 ? `?${query}` : ""}`;
}

export const route = signal<Route>(readAddress(location.hash));
const reread = (): void => {
  if (writeAddress(route.peek()) !== location.hash) route.value = readAddress(location.hash);
};
addEventListener("hashchange", reread);
addEventListener("popstate", reread);

function show(next: Route, how: "push" | "replace"): void {
  const address = writeAddress(next);
  if (address !== location.hash) history[how === "push" ? "pushState" : "replaceState"](null, "", address);
  route.value = next;
}

const merged = (args: Args, changes: Args): Args =>
  Object.fromEntries(Object.entries({ ...args, ...changes }).filter(([, value]) => value !== ""));

/** Changes some arguments and removes empty ones, as a step that the back button undoes. */
export function set(changes: Args): void {
  const now = route.peek();
  show({ ...now, args: merged(now.args, changes) }, "push");
}

/** The same for what is being typed: no step of its own. */
export function replace(changes: Args): void {
  const now = route.peek();
  show({ ...now, args: merged(now.args, changes) }, "replace");
}

/** The arguments that a change of the view or the organization keeps. */
const sharedArgs = (): Args =>
  Object.fromEntries(Object.entries(route.value.args).filter(([name]) => SHARED.includes(name)));

/** The address of a view, with the current organization, period, comparison and granularity. */
export const hashOf = (view: View, args: Args = {}, section = ""): string =>
  writeAddress({ organization: route.value.organization, view, section, args: merged(sharedArgs(), args) });

/** The address of a part of the settings, and of a field in it. */
export const settingsAt = (section: string, args: Args = {}): string => hashOf("settings", args, section);

export const go = (view: View, args: Args = {}, section = ""): void => {
  show({ organization: route.peek().organization, view, section, args: merged(sharedArgs(), args) }, "push");
};

/** Shows another organization in the same view. Its products, campaigns, stores and pins are others, so only shared choices stay. */
export function showOrganization(organization: string, how: "push" | "replace"): void {
  const { view, section, args } = route.peek();
  show(
    {
      organization,
      view,
      section,
      args: how === "replace" ? args : merged(sharedArgs(), { known: "", onlyStore: "" }),
    },
    how,
  );
}

export const arg = (name: string): string =>
  Object.hasOwn(route.value.args, name) ? (route.value.args[name] ?? "") : "";

/** The argument if it is one of the words, otherwise the first word. */
export function oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
  return words.find((word) => word === arg(name)) ?? words[0];
}

/** Whether an argument has a value that the page knows. */
export type Check = (value: string) => boolean;
export type Checks = Readonly<Record<string, Check>>;

export const anything: Check = () => true;
export const amongst =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value);

/** The arguments of the address that are ignored, by what the view and the frame declare. */
export const ignoredArgs = (checks: Checks) =>
  computed(() => {
    const { args, unknownView } = route.value;
    const bad = Object.entries(args).filter(([name, value]) => !(Object.hasOwn(checks, name) && checks[name]?.(value)));
    return [...(unknownView === undefined ? [] : [unknownView]), ...bad.map(([name, value]) => `${name}=${value}`)];
  });
