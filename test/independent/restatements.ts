import { dayIn } from "../../src/core/time/days.ts";
import { exportOf, type MadeLanding, type MadeOrder, type MadeState } from "../support/madeHistories.ts";

/** What differs between two states of the data [D84], computed from what landed, in whole cents. */

/** Landings, read under settings. */
export type Read = Pick<MadeState, "landings" | "settings">;

interface Version extends MadeOrder {
  readonly landing: MadeLanding;
  readonly day: string;
  readonly counts: boolean;
}

/** The days that are compared, inclusive. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

export const CAUSES = ["arrived", "counted", "uncounted", "gone", "moved", "value"] as const;
type Cause = (typeof CAUSES)[number];

/** The winning version of each order of the stores that the settings have. */
function versionsIn({ landings, settings }: Read): Map<string, Version> {
  const zones = new Map((settings.integrations ?? []).map(({ id, timezone = "UTC" }) => [id, timezone]));
  const found = new Map<string, Version>();
  for (const landing of landings) {
    for (const order of landing.orders) {
      const zone = zones.get(order.store);
      const key = `${order.store} ${order.id}`;
      const known = found.get(key);
      if (zone === undefined || (known && known.changed > order.changed)) continue;
      const counts = order.paid && order.status !== "canceled" && order.status !== "replaced";
      found.set(key, { ...order, landing, day: dayIn(zone, new Date(order.at)), counts });
    }
  }
  return found;
}

/** The spend by campaign and day, in millionths. */
function spendsIn({ landings }: Read): Map<string, { readonly spend: number; readonly landing: MadeLanding }> {
  return new Map(
    landings.flatMap((landing) =>
      landing.spends.map(({ campaign, day, spend }) => [`${day} ${campaign}`, { spend, landing }] as const),
    ),
  );
}

const isIn = (day: string, { from, to }: Span): boolean => day >= from && day <= to;

const lastOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);

/** The months from the first to the last with a counted order or spend in either state; undefined without any. */
export function wholeSpan(before: Read, after: Read): Span | undefined {
  const days = [before, after].flatMap((state) => [
    ...[...versionsIn(state).values()].filter(({ counts }) => counts).map(({ day }) => day),
    ...[...spendsIn(state)].filter(([, { spend }]) => spend !== 0).map(([key]) => key.slice(0, 10)),
  ]);
  const [first, last] = [days.sort()[0], days.sort().at(-1)];
  return first && last ? { from: `${first.slice(0, 7)}-01`, to: lastOf(last) } : undefined;
}

/** The months of a span, cut to it. */
export function monthsOf({ from, to }: Span): Span[] {
  const months: Span[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); ) {
    const last = lastOf(month);
    months.push({ from: from > `${month}-01` ? from : `${month}-01`, to: to < last ? to : last });
    month = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 7);
  }
  return months;
}

function causeOf(before: Version | undefined, after: Version | undefined): Cause | undefined {
  if (!before?.counts) return after?.counts ? (before ? "counted" : "arrived") : undefined;
  if (!after) return "gone";
  if (!after.counts) return "uncounted";
  if (before.day !== after.day) return "moved";
  return before.value === after.value ? undefined : "value";
}

const shown = (version: Version | undefined) =>
  version
    ? { orderedOn: version.day, revenue: version.value / 100, counted: version.counts, status: version.status }
    : null;

/** What an order is worth in a span, in cents. */
const worth = (version: Version | undefined, span: Span): number =>
  version?.counts && isIn(version.day, span) ? version.value : 0;

interface Pair {
  readonly before: Version | undefined;
  readonly after: Version | undefined;
  readonly cause: Cause;
}

function pairsOf(before: Read, between: Read): Pair[] {
  const [earlier, later] = [versionsIn(before), versionsIn(between)];
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((key) => {
    const pair = { before: earlier.get(key), after: later.get(key) };
    const cause = causeOf(pair.before, pair.after);
    return cause ? [{ ...pair, cause }] : [];
  });
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The rows of `/v1/restatements/orders`. */
export function restatedOrders(before: Read, between: Read, span: Span) {
  const isCounted = (version: Version | undefined): boolean => version?.counts === true && isIn(version.day, span);
  return pairsOf(before, between)
    .filter((pair) => isCounted(pair.before) || isCounted(pair.after))
    .map((pair) => {
      const order = (pair.after ?? pair.before) as Version;
      return {
        orderId: order.id,
        integrationId: order.store,
        connector: "storea",
        orderedAt: new Date(order.at).toISOString(),
        cause: pair.cause,
        before: shown(pair.before),
        after: shown(pair.after),
        change: (worth(pair.after, span) - worth(pair.before, span)) / 100,
        landedAt: pair.after?.landing.at ?? null,
        file: pair.after ? exportOf(pair.after.landing.no) : null,
      };
    })
    .sort(
      (a, b) =>
        Math.abs(b.change) - Math.abs(a.change) ||
        byText(a.orderedAt, b.orderedAt) ||
        byText(a.orderId, b.orderId) ||
        byText(a.integrationId, b.integrationId),
    );
}

/** Half away from zero. */
const cents = (millionths: number): number =>
  Math.sign(millionths) * Math.floor((Math.abs(millionths) + 5_000) / 10_000);

/** The rows of `/v1/restatements/spend`. */
export function restatedSpend(before: Read, between: Read, span: Span) {
  const [earlier, later] = [spendsIn(before), spendsIn(between)];
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .filter((key) => isIn(key.slice(0, 10), span))
    .map((key) => {
      const [was, is] = [earlier.get(key), later.get(key)];
      return {
        connector: "searchads",
        campaignId: key.slice(11),
        spentOn: key.slice(0, 10),
        campaignName: `Campanha ${key.slice(11)}`,
        before: was ? cents(was.spend) / 100 : null,
        after: is ? cents(is.spend) / 100 : null,
        change: (cents(is?.spend ?? 0) - cents(was?.spend ?? 0)) / 100,
        landedAt: is?.landing.at ?? null,
        file: is ? exportOf(is.landing.no) : null,
      };
    })
    .filter(({ change }) => change !== 0)
    .sort(
      (a, b) =>
        Math.abs(b.change) - Math.abs(a.change) || byText(a.spentOn, b.spentOn) || byText(a.campaignId, b.campaignId),
    );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const revenueIn = (state: Read, span: Span): number =>
  sum([...versionsIn(state).values()].map((version) => worth(version, span)));

const ordersIn = (state: Read, span: Span): number =>
  [...versionsIn(state).values()].filter(({ counts, day }) => counts && isIn(day, span)).length;

/** The causes of a span's revenue and orders, in money and numbers. */
export function causesOf(before: Read, between: Read, after: Read, span: Span) {
  const by = (cause: Cause, figure: (version: Version | undefined) => number): number =>
    sum(
      pairsOf(before, between)
        .filter((pair) => pair.cause === cause)
        .map((pair) => figure(pair.after) - figure(pair.before)),
    );
  const all = (figure: (version: Version | undefined) => number): Record<string, number> =>
    Object.fromEntries(CAUSES.map((cause) => [cause, by(cause, figure)]));
  const revenue = {
    ...all((version) => worth(version, span)),
    settings: revenueIn(after, span) - revenueIn(between, span),
  };
  return {
    revenue: Object.fromEntries(Object.entries(revenue).map(([cause, amount]) => [cause, amount / 100])),
    orders: {
      ...all((version) => (version?.counts && isIn(version.day, span) ? 1 : 0)),
      settings: ordersIn(after, span) - ordersIn(between, span),
    },
  };
}
