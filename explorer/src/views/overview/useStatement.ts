import type { Query } from "../../api.ts";
import { type Compared, granularityOf, type Period } from "../../period.ts";
import { compareParamOf, useCompared, usePeriod } from "../../stores.ts";

/** The statement of the period: one request for all that reads it. */
export const useStatementQuery = (): Query => statementOf(usePeriod(), useCompared());

export function statementOf(period: Period, compared: Compared | undefined): Query {
  const own = compared?.kind === "own" ? { compareStartDate: compared.from, compareEndDate: compared.to } : {};
  const compare = compareParamOf(period, compared);
  const granularity = granularityOf(period);
  const { from, to } = period;
  return { path: "/v1/profit/statement", params: { startDate: from, endDate: to, granularity, compare, ...own } };
}
