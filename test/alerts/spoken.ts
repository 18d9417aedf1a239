import { causesOf, type Judged, judgedCampaign, judgedReturns, judgedSpend, judgedThree } from "./detect.ts";
import { type EventKind, type World, worldOf } from "./worlds.ts";

/** What the built-in alerts that are judged by days say of a world, by alert; of campaigns, one each. */
export function spokenIn(world: World): Record<string, Judged[]> {
  const isSale = (day: number): boolean => world.sales.has(day);
  const { orders, revenue, investment, refunds, campaigns } = world;
  return {
    spendWithoutSales: [judgedSpend(orders, investment, isSale)],
    investment: [judgedThree(investment, isSale)],
    orders: [judgedThree(orders, isSale)],
    revenue: [judgedThree(revenue, isSale)],
    campaignLoses: campaigns.map((campaign) => judgedCampaign(campaign, investment, isSale)),
    returnRate: [judgedReturns(refunds, orders)],
  };
}

/** Days before anything can be judged. */
export const WARM_UP = 56;
const YEAR = 365;
const MONTHS = 12;

/** How often each alert speaks in a month of a world without an event. */
export function falseIn(seed: number): Record<string, number> {
  const spoken = spokenIn(worldOf(seed, WARM_UP + YEAR));
  return Object.fromEntries(
    Object.entries(spoken).map(([name, all]) => [
      name,
      all.reduce((times, judged) => times + causesOf(judged).length, 0) / MONTHS,
    ]),
  );
}

export interface FoundEvent {
  readonly size: number;
  /** Which whole day of the event a built-in alert spoke on first, from 1; undefined if none did within 14. */
  readonly day: number | undefined;
  readonly by: string | undefined;
  /** Causes of these two weeks that have nothing to do with the event: another alert's than those that see it. */
  readonly beside: number;
}

/** The alerts that see an event. */
const SEEN_BY: Readonly<Record<EventKind, readonly string[]>> = {
  ordersFall: ["orders", "revenue", "spendWithoutSales", "campaignLoses"],
  priceHalves: ["revenue", "campaignLoses"],
  spendStops: ["investment", "orders", "revenue"],
  campaignLoses: ["campaignLoses", "revenue", "orders"],
  returnsDouble: ["returnRate"],
};

const WATCHED = 14;

/** When the built-in alerts find an event that begins somewhere in a year. */
export function foundIn(seed: number, kind: EventKind): FoundEvent {
  const from = WARM_UP + 60 + ((seed * 37) % 280);
  const world = worldOf(seed, from + WATCHED, { kind, from });
  const begun = Object.entries(spokenIn(world)).flatMap(([name, all]) =>
    all.flatMap((judged) =>
      causesOf(judged).flatMap((cause) => (cause.from >= from ? [{ name, day: cause.from }] : [])),
    ),
  );
  const seen = begun.filter(({ name }) => SEEN_BY[kind].includes(name)).toSorted((a, b) => a.day - b.day);
  return {
    size: world.size,
    day: seen[0] && seen[0].day - from + 1,
    by: seen[0]?.name,
    beside: begun.filter(({ name }) => !SEEN_BY[kind].includes(name)).length,
  };
}
