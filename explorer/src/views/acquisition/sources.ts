import type { NewByChannel, Source } from "../../answers.ts";
import { daysBefore, lastOfMonth } from "../../days.ts";
import type { Granularity } from "../../period.ts";

/** A channel or a campaign in the period and in the compared one. */
export interface Compared {
  readonly now: Source;
  readonly before: Source | undefined;
}

/** Identifies a channel, or a campaign: one id of two ad networks is two campaigns. */
export const keyOf = (source: Source): string =>
  source.channel ?? `${source.connector ?? ""}:${source.campaignId ?? source.campaignName ?? ""}`;

/** The row's name for `/v1/explain`; undefined if it has no name of its own. */
export function rowNameOf(source: Source, all: readonly Source[]): string | undefined {
  if (source.channel) return source.channel;
  const { campaignId, connector } = source;
  if (!campaignId) return undefined;
  const isOnly = all.filter((other) => other.campaignId === campaignId).length === 1;
  return isOnly ? campaignId : `${campaignId}:${connector}`;
}

export function compared(now: readonly Source[], before: readonly Source[] | undefined): Compared[] {
  const earlier = new Map(before?.map((source) => [keyOf(source), source]));
  return now.map((source) => ({ now: source, before: earlier.get(keyOf(source)) }));
}

/** The change in percent; null from null, 0, or a negative value, in percent of which a gain would be a fall. */
export function changeOf(now: number | null | undefined, before: number | null | undefined): number | null {
  if (now === null || now === undefined || before === null || before === undefined || before <= 0) return null;
  return ((now - before) / before) * 100;
}

const SUMMED = ["investment", "orders", "revenue", "newCustomers", "newCustomersRevenue"] as const;

/** Amounts have two decimals: as whole cents their sum is exact. */
const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100;

/** The sums over all rows; other figures have no total. A sum of which a part is not known is not known. */
export function totalOf(sources: readonly Source[]): Source {
  const of = (name: (typeof SUMMED)[number]): number | null =>
    sources.some((source) => source[name] === null) ? null : sumOf(sources.map((source) => source[name] ?? 0));
  return Object.fromEntries(SUMMED.map((name) => [name, of(name)])) as unknown as Source;
}

export const spentForNothing = ({ investment, newCustomers }: Source): boolean =>
  (investment ?? 0) > 0 && newCustomers === 0;

/** A campaign that only orders name: no ad account has it. */
export const isUnmatched = ({ channel, campaignId }: Source): boolean => channel === undefined && !campaignId;

/** A bar of the chart: the days that it sums up. */
export interface Bucket {
  readonly from: string;
  readonly to: string;
  /** Whether the period or the data end before it does. */
  readonly isOpen: boolean;
  readonly newCustomers: number;
  readonly channels: Readonly<Record<string, number>>;
}

/** The Monday of a day's week, or the first of its month. */
function startOf(day: string, by: Granularity): string {
  if (by === "day") return day;
  if (by === "month") return `${day.slice(0, 8)}01`;
  return daysBefore(day, (new Date(day).getUTCDay() + 6) % 7);
}

function endOf(start: string, by: Granularity): string {
  if (by === "day") return start;
  return by === "month" ? lastOfMonth(start) : daysBefore(start, -6);
}

/** Sums up points, which have every day or every month: customers are won once, so that their counts add up. */
export function buckets(points: readonly NewByChannel[], by: Granularity, last: string): Bucket[] {
  const all = new Map<string, Bucket>();
  for (const { date, newCustomers, channels } of points) {
    const from = startOf(date, by);
    const to = endOf(from, by);
    const known = all.get(from);
    all.set(from, {
      from,
      to,
      isOpen: to > last,
      newCustomers: (known?.newCustomers ?? 0) + newCustomers,
      channels: Object.fromEntries(
        Object.entries(channels).map(([name, count]) => [name, (known?.channels[name] ?? 0) + count]),
      ),
    });
  }
  return [...all.values()];
}

/** What the new customers alone left after the ads: the service's ROI is of them. */
export function ofNewCustomers(source: Source): number | null {
  const { roi } = source;
  const investment = source.investment ?? 0;
  if (spentForNothing(source)) return -investment;
  return roi === null ? null : Math.round(roi * investment * 100) / 100;
}
