import type { AnyEndpoint } from "../contract/endpoint.ts";
import type { Sent } from "./validate.ts";

/** The most names that are reported. */
const MOST_NAMES = 20;
/** What a name of a parameter may look like. A longer text may be a secret that was sent in its place: it is not repeated. */
const NAME = /^[A-Za-z_][\w.-]{0,31}$/;
const OTHER = "*";

/**
 * The names of sent parameters that leave the answer as it is: unknown ones where they are ignored [D20], and a lone date where
 * both are needed [D23], and without a period what it would be compared with. As the text of a header, with `*` for what is
 * not like a name; undefined if there are none.
 */
export function ignoredIn(endpoint: AnyEndpoint, sent: Sent): string | undefined {
  const isSent = (name: string): boolean => sent[name] !== undefined && sent[name] !== "";
  const unknown =
    endpoint.unknown === "ignored" ? Object.keys(sent).filter((name) => !Object.hasOwn(endpoint.params, name)) : [];
  const lone = (endpoint.periods ?? [])
    .filter(({ bothOrNone, preset }) => bothOrNone === "ignored" && preset === undefined)
    .map(({ start, end }) => [start, end].filter(isSent))
    .filter((bounds) => bounds.length === 1);
  const uncompared = (endpoint.periods ?? [])
    .filter(({ start, end, bothOrNone }) => bothOrNone === "ignored" && !(isSent(start) && isSent(end)))
    .flatMap(({ compared }) =>
      typeof compared === "object" ? [compared.by, ...Object.values(compared.unless ?? {})] : [],
    );
  const names = [...unknown.filter(isSent), ...lone.flat(), ...uncompared.filter(isSent)].slice(0, MOST_NAMES);
  return names.length > 0 ? [...new Set(names.map((name) => (NAME.test(name) ? name : OTHER)))].join(", ") : undefined;
}
