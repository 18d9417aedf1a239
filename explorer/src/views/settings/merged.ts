// What two people change at once.

/** Whether two values of JSON are the same, in whatever order their keys are. */
export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** A list with what somebody added to it and without what they took away, and with what the others did to it. */
export function mergedList<T>(base: readonly T[], own: readonly T[], theirs: readonly T[]): readonly T[] {
  const has = (list: readonly T[], one: T): boolean => list.some((other) => isSame(one, other));
  const kept = theirs.filter((one) => has(own, one) || !has(base, one));
  return [...kept, ...own.filter((one) => !has(base, one) && !has(theirs, one))];
}

/** The same of an object: the own value where it was changed, else theirs. */
export function mergedFields<T extends object>(base: T, own: T, theirs: T): T {
  const names = new Set([...Object.keys(base), ...Object.keys(own), ...Object.keys(theirs)]) as Set<keyof T>;
  const entries = [...names].map((name) => [name, isSame(base[name], own[name]) ? theirs[name] : own[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
}
