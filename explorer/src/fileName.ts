import type { Params } from "./api.ts";
import { filterParams, storeName } from "./filter.ts";
import { knownName } from "./moment.ts";

/** A name in a file's name: letters and digits of ASCII, with hyphens. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40);

/** The days of a request, which its endpoints call by two names. */
export function daysOf(params: Params): readonly [string, string] | undefined {
  const [from, to] = [params.startDate ?? params.dateFrom, params.endDate ?? params.dateTo];
  return from && to ? [String(from), String(to)] : undefined;
}

/**
 * The name of a file: whose it is, of which store and channel, what it has, of which days, and when that was known; the service
 * names its own files by that, too. `path` is that of the answer in it.
 */
export function fileName(organization: string | undefined, what: string, params: Params, path = ""): string {
  const { integrationId = "", channel = "" } = filterParams(path, params);
  return [
    plain(organization ?? ""),
    plain(integrationId && storeName(integrationId)),
    plain(channel),
    what,
    ...(daysOf(params) ?? []),
    what.includes("-known-") ? "" : knownName(),
  ]
    .filter(Boolean)
    .join("_");
}
