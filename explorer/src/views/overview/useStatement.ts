import type { Query } from "../../api.ts";
import { useCompared, useCompareParam, useGranularity, usePeriod } from "../../stores.ts";

/** The statement of the period: one request for all that reads it. */
export function useStatementQuery(): Query {
  const { from, to } = usePeriod();
  const compared = useCompared();
  const own = compared?.kind === "own" ? { compareStartDate: compared.from, compareEndDate: compared.to } : {};
  const compare = useCompareParam();
  const granularity = useGranularity();
  return { path: "/v1/profit/statement", params: { startDate: from, endDate: to, granularity, compare, ...own } };
}
