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
