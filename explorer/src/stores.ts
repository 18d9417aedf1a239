import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "./answers.ts";
import { daysBefore, today } from "./days.ts";
import {
  type Compared,
  comparedWith,
  comparison,
  type Days,
  type Granularity,
  granularityOf,
  type Period,
  periodUntil,
  yearOf,
} from "./period.ts";
import { organization } from "./session.ts";

/** The organization's stores. Every view needs their currency and the last day with a sale. */
export const Stores = createContext<readonly Store[]>([]);

export const useStores = (): readonly Store[] => useContext(Stores);

/** The last full day with a sale in any store, or yesterday if no store has a sale: today is still in progress. */
export function lastDay(stores: readonly Store[]): string {
  const yesterday = daysBefore(today(organization.value?.timezones[0]), 1);
  const days = stores.flatMap(({ lastSaleDate }) => lastSaleDate ?? []).sort();
  const last = days.at(-1) ?? yesterday;
  return last < yesterday ? last : yesterday;
}

/** The chosen period. */
export const usePeriod = (): Period => periodUntil(lastDay(useStores()));

/** The chosen period, cut to its last year, for analyses that cover at most a year. */
export function useYear(): Days {
  const last = lastDay(useStores());
  return yearOf(periodUntil(last), last);
}

/** What the period is compared with; undefined without a comparison. */
export const useCompared = (period: Period = usePeriod()): Compared | undefined =>
  comparedWith(period, organization.value?.firstDay ?? null);

/** Whether the data go back to a day: before their first one, a 0 means nothing. */
export function isCovered(day: string): boolean {
  const first = organization.value?.firstDay ?? null;
  return first === null || day >= first;
}

/** The value of the service's parameter `compare`; for dates that it has no name for, the page asks for both periods. */
export function useCompareParam(period: Period = usePeriod()): "previous" | "weekdays" | "year" | "none" {
  const compared = useCompared(period);
  const kind = comparison(period, organization.value?.firstDay ?? null);
  return kind === "own" || compared?.kind === "own" ? "none" : kind;
}

/** The granularity of charts, among those that the view offers. */
export const useGranularity = (offered?: readonly Granularity[]): Granularity => granularityOf(usePeriod(), offered);
