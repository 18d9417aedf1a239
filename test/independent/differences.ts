/** Where two answers differ, by path; cells that only one has are `undefined` in the other. */
export function differences(actual: unknown, expected: unknown, at = ""): string[] {
  if (isObject(actual) && isObject(expected)) {
    const keys = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
    return keys.flatMap((key) => differences(actual[key], expected[key], `${at}.${key}`));
  }
  return Object.is(actual, expected) ? [] : [`${at}: answered ${show(actual)}, computed ${show(expected)}`];
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
export const show = (value: unknown): string => JSON.stringify(value) ?? "nothing";
