import { isFlat, type Unit } from "./format.ts";

/** A change of a percentage is a difference in points: of 52 % to 60 % it is 8 points, not 15 %. */
export const isInPoints = (unit: Unit): boolean => unit === "percent" || unit === "ratio";

interface Changed {
  readonly unit: Unit;
  readonly value: number | null;
  readonly before?: number | null | undefined;
  /** In percent, from the API. */
  readonly change?: number | null | undefined;
}

/** What is shown of a change: its size, in points or in percent. */
export function shownChange({ value, before, change, unit }: Changed): number | null {
  if (value === null || before === null || before === undefined) return null;
  if (isInPoints(unit)) return (value - before) * (unit === "ratio" ? 100 : 1);
  // In percent of a loss, a gain would be a fall.
  return before >= 0 ? (change ?? null) : null;
}

/** The verdict on a change: good, bad, or neither, as for a change that its text shows as 0. */
export function toneOf(
  change: number | null | undefined,
  better: "more" | "less" | undefined,
): "good" | "bad" | undefined {
  if (change === null || change === undefined || isFlat(change) || better === undefined) return undefined;
  return change > 0 === (better === "more") ? "good" : "bad";
}
