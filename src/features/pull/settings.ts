import { isIP } from "node:net";
import { nearest } from "../../core/contract/nearest.ts";
import { connectorNamed } from "../../core/contract/vendor.ts";
import { canBePulled, pullOf } from "./connectors/index.ts";
import type { PullDeclaration } from "./declaration.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The faults of an integration's `pull` that depend on its connector [D60]. */
export function pullFaults({ connector, pull }: Fields, place: string): string[] {
  const of = typeof connector === "string" ? connectorNamed(connector) : undefined;
  if (!of || !isObject(pull)) return [];
  if (!canBePulled(of)) return [`${place}: ${of} cannot be pulled, its tables are your own`];
  const declaration = pullOf(of);
  return [
    ...sinceFaults(pull.since, `${place}.since`),
    ...accountFaults(declaration, pull.account, `${place}.account`),
    ...recordFaults(declaration, pull.records, `${place}.records`),
    ...addressFaults(pull.baseUrl, `${place}.baseUrl`),
    ...tokenFaults(declaration, pull.tokenUrl, `${place}.tokenUrl`),
  ];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

const sinceFaults = (since: unknown, place: string): string[] =>
  typeof since === "string" && !isDay(since) ? [`${place}: a day such as 2023-06-01 is expected`] : [];

function accountFaults(declaration: PullDeclaration, account: unknown, place: string): string[] {
  if (account !== undefined && !isObject(account)) return [];
  const given = account ?? {};
  const known = Object.keys(declaration.account);
  return [
    ...Object.keys(given)
      .filter((key) => !known.includes(key))
      .map((key) => unknownWord(`${place}.${key}`, key, known, "unknown")),
    ...Object.entries(declaration.account).flatMap(([key, { required, pattern, expected }]) => {
      const value = given[key];
      if (value === undefined) return required ? [`${place}.${key}: missing`] : [];
      return typeof value === "string" && value !== "" && !pattern.test(value)
        ? [`${place}.${key}: ${expected} is expected`]
        : [];
    }),
  ];
}

const recordFaults = ({ records }: PullDeclaration, wanted: unknown, place: string): string[] =>
  (Array.isArray(wanted) ? wanted : []).flatMap((name, n) =>
    typeof name !== "string" || name === "" || Object.hasOwn(records, name)
      ? []
      : [unknownWord(`${place}[${n}]`, name, Object.keys(records), "no record that can be pulled")],
  );

function tokenFaults(declaration: PullDeclaration, url: unknown, place: string): string[] {
  if (url !== undefined && !declaration.tokenUrl) return [`${place}: the connector has no short tokens`];
  return addressFaults(url, place);
}

/** A fault does not repeat the address: somebody may have put a token into it. */
function addressFaults(address: unknown, place: string): string[] {
  if (typeof address !== "string" || address === "") return [];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!url || !isSafe) return [`${place}: an https address is expected`];
  return url.username || url.password || url.search || url.hash
    ? [`${place}: an address without user, password, query and fragment is expected`]
    : [];
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}

function unknownWord(place: string, word: string, known: readonly string[], what: string): string {
  if (known.length === 0) return `${place}: ${what}: the connector has none`;
  const guess = nearest(word, known);
  return `${place}: ${what}, ${guess ? `did you mean ${guess}?` : `known are ${known.join(", ")}`}`;
}
