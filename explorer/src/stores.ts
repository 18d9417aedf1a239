import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "./answers.ts";
import { dayIn, daysBefore, earlier, lengthOf, QUIET_DAYS, today } from "./days.ts";
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
import { ADS, type Organization, organization } from "./session.ts";

/** The organization's stores. Every view needs their currency and the last day with a sale. */
export const Stores = createContext<readonly Store[]>([]);

export const useStores = (): readonly Store[] => useContext(Stores);

const STORES = ["storea", "storeb"];

/**
 * The last full day with data. Of the day on which a source last landed only a part can be known, so that it is not full; nor is
 * today. That is the day of the last sale; only after days without one it is that of the newest ads, as far as a store has
 * landed too: without it, nothing is known of those days' sales.
 */
export function lastFullDay({ lastDay, timezones, connectors }: Dated, now: number = Date.now()): string {
  const [zone] = timezones;
  const dayBefore = (instant: number): string => daysBefore(dayIn(instant, zone), 1);
  const yesterday = dayBefore(now);
  const landed = connectors.flatMap((one) =>
    one.lastLandedAt === null ? [] : [{ ...one, full: dayBefore(Date.parse(one.lastLandedAt)) }],
  );
  const latest = (days: readonly string[]): string | undefined => days.toSorted().at(-1);
  const of = (names: readonly string[]) => landed.filter(({ connector }) => names.includes(connector));
  const known = earlier(latest(of(STORES).map(({ full }) => full)) ?? yesterday, yesterday);
  const spent = latest(of(ADS).flatMap(({ newestDay, full }) => (newestDay ? [earlier(newestDay, full)] : [])));
  if (lastDay === null) return earlier(spent ?? yesterday, known);
  const sold = earlier(lastDay, known);
  const ads = earlier(spent ?? sold, known);
  return lengthOf(sold, ads) - 1 > QUIET_DAYS ? ads : sold;
}

type Dated = Pick<Organization, "lastDay" | "timezones" | "connectors">;

/** The last full day with data in any source, on which the presets of days end. */
export function lastDay(): string {
  return lastFullDay(organization.value ?? { lastDay: null, timezones: [], connectors: [] });
}

/** The day of the last sale, if there has been none for days before the last day with data. */
export function soldUntil(last: string): string | undefined {
  const sold = organization.value?.lastDay ?? null;
  return sold !== null && lengthOf(sold, last) - 1 > QUIET_DAYS ? sold : undefined;
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

/** The value of the service's parameter `compare`; for dates that it has no name for, the page asks for both periods. */
export function useCompareParam(period: Period = usePeriod()): "previous" | "weekdays" | "year" | "none" {
  const compared = useCompared(period);
  const kind = comparison(period, organization.value?.firstDay ?? null);
  return kind === "own" || compared?.kind === "own" ? "none" : kind;
}

/** The granularity of charts, among those that the view offers. */
export const useGranularity = (offered?: readonly Granularity[]): Granularity => granularityOf(usePeriod(), offered);
