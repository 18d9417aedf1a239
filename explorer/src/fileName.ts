import type { Params } from "./api.ts";
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

/** The name of a file: whose it is, what it has, of which days, and when that was known; the service names its own files by that, too. */
export const fileName = (organization: string | undefined, what: string, params: Params): string =>
  [plain(organization ?? ""), what, ...(daysOf(params) ?? []), what.includes("-known-") ? "" : knownName()]
    .filter(Boolean)
    .join("_");
