/** Set by `npm run cases`, which writes the answers into the cases. Not in CI, where nobody reviews them. */
export const UPDATES_CASES = process.env.UPDATE === "1" && !process.env.CI;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The answer with `…` where the case has it, which accepts any non-empty value there. */
export function filled(actual: unknown, expected: unknown): unknown {
  if (expected === "…") return actual === null || actual === undefined || actual === "" ? actual : "…";
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((value, at) => filled(value, expected[at]));
  if (!isObject(actual) || !isObject(expected)) return actual;
  return Object.fromEntries(Object.entries(actual).map(([key, value]) => [key, filled(value, expected[key])]));
}

/** Faults of several parameters may be in any order. */
export function byParameter(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body.details)) return body;
  const details = [...(body.details as { parameter: string }[])];
  return { ...body, details: details.sort((a, b) => (a.parameter < b.parameter ? -1 : 1)) };
}

/** What a case leaves open: hashes, and a customer's id, which is another in every data folder. */
const OPEN = ["document_id", "customerId", "knownState", "comparedState"];
/** Of the SQL files of an explanation also their texts. */
const OPEN_OF_SQL = [...OPEN, "text"];

/** The answer with `…` for these. */
export function withoutHashes(body: unknown, open: readonly string[] = OPEN): unknown {
  if (Array.isArray(body)) return body.map((one) => withoutHashes(one, open));
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      open.includes(key) && value !== null ? "…" : withoutHashes(value, key === "sql" ? OPEN_OF_SQL : OPEN),
    ]),
  );
}
