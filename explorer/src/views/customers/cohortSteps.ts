import type { Cell, Cohort } from "../../answers.ts";
import { daysBefore, lastOfMonth } from "../../days.ts";

export type GroupBy = "week" | "month" | "quarter" | "year";
export type CohortView = "logo" | "revenue";

const MONTHS: Readonly<Record<Exclude<GroupBy, "week">, number>> = { month: 1, quarter: 3, year: 12 };

/** So many months are grouped by quarters, and by years: a cohort a month would be a page of rows. */
const FOR_QUARTERS = 18;
const FOR_YEARS = 60;

/** The group of cohorts that suits a period. */
export function usualGroup(from: string, to: string): GroupBy {
  const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  const months = monthOf(to) - monthOf(from) + 1;
  return months > FOR_YEARS ? "year" : months > FOR_QUARTERS ? "quarter" : "month";
}

export interface Step {
  readonly n: number;
  readonly cell: Cell;
  /** Whether the step contains the last day with data, so that its values will grow. */
  readonly isOpen: boolean;
}

/** A cohort's steps in order. The last step contains the last day with an order and is open unless it ends that day. */
export function stepsOf(
  { cohortMonth, months }: Pick<Cohort, "cohortMonth" | "months">,
  groupBy: GroupBy,
  last: string,
): Step[] {
  const steps = Object.entries(months)
    .map(([n, cell]) => ({ n: Number(n), cell }))
    .sort((a, b) => a.n - b.n);
  const end = steps.at(-1)?.n;
  return steps.map(({ n, cell }) => ({ n, cell, isOpen: n === end && last < lastDayOf(cohortMonth, n, groupBy) }));
}

/** The last day of a cohort's nth step. */
const lastDayOf = (cohortMonth: string, n: number, groupBy: GroupBy): string =>
  groupBy === "week"
    ? daysBefore(cohortMonth, -(n + 1) * 7 + 1)
    : lastOfMonth(cohortMonth, (n + 1) * MONTHS[groupBy] - 1);

/** Whether the period covers only a part of the days of the cohort's first purchases. */
export function isCut(cohortMonth: string, groupBy: GroupBy, from: string | null, to: string | null): boolean {
  return (from !== null && from > cohortMonth) || (to !== null && to < lastDayOf(cohortMonth, 0, groupBy));
}
