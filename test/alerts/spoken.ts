import { type Able, causesOf, judgedCampaign, judgedReturns, judgedSpend, judgedThree } from "./detect.ts";
import { type EventKind, largestOf, type World, worldOf } from "./worlds.ts";

const NAMES = ["spendWithoutSales", "investment", "orders", "revenue", "campaignLoses", "returnRate"] as const;
type Name = (typeof NAMES)[number];

/** What the built-in alerts that are judged by days say of a world, by alert; of campaigns, one each. */
export function spokenIn(world: World): Record<Name, Able[]> {
  const isSale = (day: number): boolean => world.sales.has(day);
  const { orders, revenue, investment, refunds, campaigns } = world;
  return {
    spendWithoutSales: [{ judged: judgedSpend(orders, investment, isSale), canTell: orders.map(() => true) }],
    investment: [judgedThree(investment, isSale, 0.3)],
    orders: [judgedThree(orders, isSale, 0.3)],
    revenue: [judgedThree(revenue, isSale, 0.5)],
    campaignLoses: campaigns.map((campaign) => judgedCampaign(campaign, investment, isSale)),
    returnRate: [judgedReturns(refunds, orders)],
  };
}

/** Days before anything can be judged. */
export const WARM_UP = 56;
const YEAR = 365;
const MONTHS = 12;

/** How often each alert speaks in a month of a world without an event. */
export function falseIn(seed: number): { readonly size: number; readonly times: Record<string, number> } {
  const world = worldOf(seed, WARM_UP + YEAR);
  const times = Object.entries(spokenIn(world)).map(([name, all]) => [
    name,
    all.reduce((sum, { judged }) => sum + causesOf(judged).length, 0) / MONTHS,
  ]);
  return { size: world.size, times: Object.fromEntries(times) };
}

export interface FoundEvent {
  readonly size: number;
  /** Whether the alert that is for it could tell it from chance on the day before: it is on in this shop. */
  readonly isOn: boolean;
  /** Which whole day of the event a built-in alert spoke on first, from 1; undefined if none did within 14. */
  readonly day: number | undefined;
  readonly by: string | undefined;
  /** Causes of these two weeks that have nothing to do with the event: another alert's than those that see it. */
  readonly beside: number;
}

/** The alerts that see an event, first the one that is for it. */
const SEEN_BY: Readonly<Record<EventKind, readonly [Name, ...Name[]]>> = {
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
  const spoken = spokenIn(world);
  const begun = NAMES.flatMap((name) =>
    spoken[name].flatMap(({ judged }) =>
      causesOf(judged).flatMap((cause) => (cause.from >= from ? [{ name, day: cause.from }] : [])),
    ),
  );
  const isSeen = ({ name }: { readonly name: Name }): boolean => SEEN_BY[kind].includes(name);
  const [first] = begun.filter(isSeen).toSorted((a, b) => a.day - b.day);
  const about = spoken[SEEN_BY[kind][0]];
  const meant = kind === "campaignLoses" ? about[largestOf(world.campaigns)] : about[0];
  return {
    size: world.size,
    isOn: meant?.canTell[from - 1] === true,
    day: first && first.day - from + 1,
    by: first?.name,
    beside: begun.filter((one) => !isSeen(one)).length,
  };
}
