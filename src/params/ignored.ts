import type { AnyEndpoint } from "../contract/endpoint.ts";
import { brief } from "../contract/text.ts";
import type { Sent } from "./validate.ts";

/** The most names, and characters of one, that are reported. */
const MOST_NAMES = 20;
const MOST_CHARACTERS = 100;

/**
 * The names of sent parameters that leave the answer as it is: unknown ones where they are ignored [D20], and a lone date where
 * both are needed [D23]. As the text of a header, with percent-encoded names; undefined if there are none.
 */
export function ignoredIn(endpoint: AnyEndpoint, sent: Sent): string | undefined {
  const isSent = (name: string): boolean => sent[name] !== undefined && sent[name] !== "";
  const unknown =
    endpoint.unknown === "ignored" ? Object.keys(sent).filter((name) => !Object.hasOwn(endpoint.params, name)) : [];
  const lone = (endpoint.periods ?? [])
    .filter(({ bothOrNone, preset }) => bothOrNone === "ignored" && preset === undefined)
    .map(({ start, end }) => [start, end].filter(isSent))
    .filter((bounds) => bounds.length === 1);
  const names = [...unknown.filter(isSent), ...lone.flat()].slice(0, MOST_NAMES);
  return names.length > 0 ? names.map((name) => encoded(brief(name, MOST_CHARACTERS))).join(", ") : undefined;
}

/** A name is any text: half of a surrogate pair cannot be encoded. */
const encoded = (name: string): string => encodeURIComponent(name.replaceAll(/\p{Cs}/gu, "\uFFFD"));
