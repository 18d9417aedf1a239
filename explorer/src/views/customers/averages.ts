import type { Cohort } from "../../answers.ts";
import type { CohortView, Step } from "./cohortSteps.ts";

/** A cohort with its steps. */
export interface Stepped {
  readonly row: Pick<Cohort, "initialValue">;
  readonly steps: readonly Step[];
}

/** The weighted average of a step: the sums of the answer's parts and wholes over the cohorts that completed it. */
export interface Average {
  readonly n: number;
  readonly cohorts: number;
  readonly part: number;
  readonly whole: number;
  /** Null if the cohorts had nothing in step 0. */
  readonly pct: number | null;
}

/** Counts are whole, and amounts are whole cents: their sums are exact. */
const scaleOf = (view: CohortView): number => (view === "logo" ? 1 : 100);

/** The weighted average of each step that any cohort has completed. */
export function averagesOf(all: readonly Stepped[], view: CohortView): Average[] {
  const scale = scaleOf(view);
  const most = Math.max(...all.map(({ steps }) => steps.length), 0);
  return Array.from({ length: most }, (_, n) => {
    const complete = all.flatMap(({ row, steps }) => {
      const step = steps[n];
      return step && !step.isOpen ? [{ part: step.cell.absolute, whole: row.initialValue }] : [];
    });
    const sum = (of: "part" | "whole"): number => complete.reduce((so, it) => so + Math.round(it[of] * scale), 0);
    const [part, whole] = [sum("part"), sum("whole")];
    return {
      n,
      cohorts: complete.length,
      part: part / scale,
      whole: whole / scale,
      pct: whole === 0 ? null : part / whole,
    };
  }).filter(({ cohorts }) => cohorts > 0);
}

/** The first position from which on less than half of the largest group is left: averages of so few mislead. */
export function fewFrom(sizes: readonly number[]): number | undefined {
  const half = Math.max(...sizes, 0) / 2;
  const at = sizes.findIndex((size) => size < half);
  return at < 0 ? undefined : at;
}

/** The ends of a color scale: values above the 95th percentile have the strongest color, so that one does not bleach all. */
export interface Scale {
  readonly low: number;
  readonly top: number;
  /** The largest value, if it is above the top. */
  readonly most: number | undefined;
}

export function scaleOver(values: readonly number[], fromZero: boolean): Scale {
  const sorted = values.toSorted((a, b) => a - b);
  const most = sorted.at(-1) ?? 0;
  const top = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
  const low = fromZero ? Math.min(0, sorted[0] ?? 0) : (sorted[0] ?? 0);
  return { low, top: top > low ? top : low + 1, most: most > top ? most : undefined };
}

/** The place of a value on the scale, from 0 to 1. */
export const strengthOf = (value: number, { low, top }: Scale): number =>
  Math.max(0, Math.min(1, (value - low) / (top - low)));
