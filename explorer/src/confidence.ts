export type Confidence = "high" | "medium" | "low";

/** The rule of the API for the purchases of the forecast's test, for any figure of it: by the error in percent. */
export function confidenceOf(errorPct: number | null): Confidence {
  const size = errorPct === null ? Number.POSITIVE_INFINITY : Math.abs(errorPct);
  return size <= 10 ? "high" : size <= 25 ? "medium" : "low";
}

/** The lower of two. */
export const lower = (one: Confidence, other: Confidence): Confidence =>
  (["low", "medium", "high"] as const).find((level) => level === one || level === other) ?? "low";
