import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "./answers.ts";
import { dayIn, daysBefore, earlier, lengthOf, now, QUIET_DAYS, today } from "./days.ts";
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
import { ADS, type Organization, organization, STORES } from "./session.ts";

/** The organization's stores. Every view needs their currency and the last day with a sale. */
export const Stores = createContext<readonly Store[]>([]);

export const useStores = (): readonly Store[] => useContext(Stores);

/**
 * The last full day with sales or spend. Of the day on which the stores last landed only a part can be known, so that it is not
 * full, and after it nothing is known of sales; without a store the same holds of the ads. Nor is today full.
 */
export function lastFullDay({ lastDay, timezones, connectors }: Dated, at: number = now()): string {
  const dayBefore = (instant: number): string => daysBefore(dayIn(instant, timezones[0]), 1);
  const landed = (names: readonly string[]): string | undefined =>
    latest(
      connectors.flatMap(({ connector, lastLandedAt }) =>
        names.includes(connector) && lastLandedAt !== null ? [dayBefore(Date.parse(lastLandedAt))] : [],
      ),
    );
  const yesterday = dayBefore(at);
  const full = earlier(landed(STORES) ?? landed(ADS) ?? yesterday, yesterday);
  return earlier(lastDay ?? yesterday, full);
}

const latest = (days: readonly string[]): string | undefined => days.toSorted().at(-1);

type Dated = Pick<Organization, "lastDay" | "timezones" | "connectors">;

/** The last full day with data in any source, on which the presets of days end. */
export function lastDay(): string {
  return lastFullDay(organization.value ?? { lastDay: null, timezones: [], connectors: [] });
}

/** The day of the last order of any store, if there has been none for days before the last day with data. */
export function soldUntil({ connectors }: Pick<Organization, "connectors">, last: string): string | undefined {
  const sold = latest(
    connectors.flatMap(({ connector, newestDay }) => (STORES.includes(connector) && newestDay ? [newestDay] : [])),
  );
  return sold !== undefined && lengthOf(sold, last) - 1 > QUIET_DAYS ? sold : undefined;
}

/** Today in the shop's time zone. */
const todayThere = (): string => today(organization.value?.timezones[0]);

/** The last day that should have data. */
export const yesterday = (): string => daysBefore(todayThere(), 1);

/** The chosen period. */
export const usePeriod = (): Period => periodUntil(lastDay(), todayThere());

/** The chosen period, cut to its last year, for analyses that cover at most a year. */
export function useYear(): Days {
  const last = lastDay();
  return yearOf(periodUntil(last, todayThere()), last);
}

/** What the period is compared with; undefined without a comparison. */
export const useCompared = (period: Period = usePeriod()): Compared | undefined =>
  comparedWith(period, organization.value?.firstDay ?? null, lastDay());

/** Whether the data go back to a day: before their first one, a 0 means nothing. */
export function isCovered(day: string): boolean {
  const first = organization.value?.firstDay ?? null;
  return first === null || day >= first;
}

type CompareParam = "previous" | "weekdays" | "year" | "none";

/** The value of the service's parameter `compare`; for dates that it has no name for, the page asks for both periods. */
export const useCompareParam = (period: Period = usePeriod()): CompareParam =>
  compareParamOf(period, useCompared(period));

export function compareParamOf(period: Period, compared: Compared | undefined): CompareParam {
  const kind = comparison(period);
  return kind === "own" || compared?.kind === "own" ? "none" : kind;
}

/** The granularity of charts, among those that the view offers. */
export const useGranularity = (offered?: readonly Granularity[]): Granularity => granularityOf(usePeriod(), offered);
