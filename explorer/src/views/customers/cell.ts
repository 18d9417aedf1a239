import type { Cohort, Cohorts } from "../../answers.ts";
import type { Explained } from "../../explain.ts";
import { figure } from "../../format.ts";
import { t } from "../../text.ts";
import { valueName } from "./breaks.ts";
import { GROUPS, nameOf } from "./choices.ts";
import type { GroupBy } from "./cohortSteps.ts";

const COHORT = "/v1/profitability/cohort";
const ENDPOINTS: readonly string[] = [COHORT, "/v1/profitability/payback"];

/** A figure of a cohort: which one, and of which step after its first purchases. */
export interface OfCohort {
  readonly cohortMonth: string;
  readonly groupBy: GroupBy;
  /** The key of the breakdown's value; undefined without a breakdown. */
  readonly breakKey: string | undefined;
  readonly step: number | undefined;
}

/** The cohort that an explained figure is of; undefined if it is of none. */
export function cohortOf({ endpoint, params, figure: path, row }: Explained): OfCohort | undefined {
  const [, month, monday = "-01", key] = /^(\d{4}-\d\d)(-\d\d)?(?::(.*))?$/s.exec(row ?? "") ?? [];
  if (!ENDPOINTS.includes(endpoint) || month === undefined) return undefined;
  const groupBy = GROUPS.find((name) => name === params.groupBy) ?? "month";
  const step = /^(?:months|points)\.(\d+)\./.exec(path)?.[1];
  return {
    cohortMonth: `${month}${monday}`,
    groupBy,
    breakKey: key,
    step: step === undefined ? undefined : Number(step),
  };
}

/** "Apr 24 · month 4": what the explanation of a cohort's figure is called. */
export function titleOf({ cohortMonth, groupBy, step }: OfCohort): string {
  const name = nameOf(cohortMonth, groupBy);
  return step === undefined ? name : t().cohort.at(name, t().cohort.step[groupBy].toLocaleLowerCase(), String(step));
}

export const isOfCells = ({ endpoint }: Explained): boolean => endpoint === COHORT;

/** What a cell of the heat map says, as a sentence with its base: "6 of 261 customers bought again (2.3%)". */
export function sentenceOf({ data, view }: Cohorts, { cohortMonth, breakKey, step }: OfCohort): string {
  const words = t().cohort;
  const isOf = (row: Cohort): boolean =>
    row.cohortMonth === cohortMonth && (breakKey === undefined || valueName(row) === breakKey);
  const row = data.find(isOf);
  const cell = step === undefined ? undefined : row?.months[step];
  if (!row || !cell || (step ?? 0) === 0) return "";
  const share = cell.pct === null ? t().notAvailable : figure(cell.pct, "ratio");
  if (view === "logo")
    return words.cellLogo(cell.absolute, figure(cell.absolute, "count"), figure(row.initialValue, "count"), share);
  return words.cellRevenue(figure(cell.absolute, "currency"), figure(row.initialValue, "currency"), share);
}
