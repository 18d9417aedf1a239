import type { Note } from "../../core/contract/settings.ts";
import { addDays } from "../../core/time/days.ts";
import { CAMPAIGNS, CITIES, MONTHS, OFFSET, PRODUCTS, type Product, SOURCES, type Source, WEEKDAYS } from "./shop.ts";

/** How many days the demo has: a year, and the month before it to compare with. */
export const DAYS = 396;
const SEED = 7;
/** New customers of an average day. */
const NEW_A_DAY = 8.5;

export interface Line {
  readonly product: Product;
  readonly quantity: number;
}

/** An order; amounts in cents. */
export interface Order {
  readonly no: number;
  readonly day: string;
  /** Minutes since midnight. */
  readonly minute: number;
  readonly customer: number;
  readonly source: Source;
  readonly city: (typeof CITIES)[number];
  readonly lines: readonly Line[];
  readonly items: number;
  readonly discount: number;
  readonly shipping: number;
  readonly coupon?: string;
  readonly state: "paid" | "canceled" | "unpaid" | "returned";
}

/** Results of a campaign on a day; amounts in cents. */
export interface Delivery {
  readonly day: string;
  readonly campaign: (typeof CAMPAIGNS)[number];
  readonly spend: number;
  readonly impressions: number;
  readonly clicks: number;
  /** Orders that it brought, and what these paid. */
  readonly orders: number;
  readonly value: number;
}

export interface Year {
  readonly days: readonly string[];
  readonly orders: readonly Order[];
  readonly deliveries: readonly Delivery[];
}

export const instantAt = (day: string, minute: number): string => {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((one) => String(one).padStart(2, "0"));
  return `${day}T${hours}:${minutes}:00${OFFSET}`;
};

/** The same numbers for the same seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The year of the shop that ends on a day, in the order of its days; `share`: of its orders and spend. */
export function yearUntil(lastDay: string, share = 1): Year {
  const random = randomOf(SEED);
  const days = Array.from({ length: DAYS }, (_, n) => addDays(lastDay, n + 1 - DAYS));
  const orders: Order[] = [];
  const returning = new Map<number, number[]>();
  let customers = 0;
  for (const [n, day] of days.entries()) {
    const pace = share * seasonOf(day) * (0.8 + (0.4 * n) / DAYS);
    const fresh = Array.from({ length: countOf(random, NEW_A_DAY * pace) }, () => ++customers);
    const buyers = [
      ...fresh.map((one) => [one, true] as const),
      ...(returning.get(n) ?? []).map((one) => [one, false] as const),
    ];
    for (const [customer, isNew] of buyers) {
      const order = orderOf(random, { no: orders.length + 1, day, customer, isNew, isLast: n >= DAYS - 10 });
      orders.push(order);
      // Every third customer comes back, some weeks later, and then rather again.
      if (order.state !== "paid" || random() > (isNew ? 0.34 : 0.5)) continue;
      const next = n + 14 + Math.floor(-Math.log(1 - random()) * 55);
      returning.set(next, [...(returning.get(next) ?? []), customer]);
    }
  }
  return { days, orders, deliveries: deliveriesOf(random, days, orders, share) };
}

function seasonOf(day: string): number {
  const date = new Date(day);
  const season = (MONTHS[date.getUTCMonth()] ?? 1) * (WEEKDAYS[date.getUTCDay()] ?? 1);
  return isBlackFriday(day) ? season * 2.6 : season;
}

/** The notes on the days that sold at other prices. */
export function salesOf(days: readonly string[]): readonly Note[] {
  const byYear = grouped(days.filter(isBlackFriday), (day) => day.slice(0, 4));
  return [...byYear.values()].map((sales) => {
    const [from = "", until = from] = [sales[0], sales.at(-1)];
    return { from, until, text: "Black Friday", sale: true };
  });
}

/** From the Thursday before the fourth Friday of November to the Monday after it. */
function isBlackFriday(day: string): boolean {
  const year = Number(day.slice(0, 4));
  const weekday = new Date(Date.UTC(year, 10, 1)).getUTCDay();
  const friday = `${year}-11-${22 + ((5 - weekday + 7) % 7)}`;
  return day >= addDays(friday, -1) && day <= addDays(friday, 3);
}

/** A whole number near the expected one: the fraction is the probability of one more, and some days are better. */
function countOf(random: () => number, expected: number): number {
  const varied = expected * (0.75 + random() * 0.5);
  return Math.floor(varied) + (random() < varied % 1 ? 1 : 0);
}

function chosen<T>(random: () => number, among: readonly T[], weight: (one: T) => number): T {
  let left = random() * among.reduce((sum, one) => sum + weight(one), 0);
  for (const one of among) {
    left -= weight(one);
    if (left < 0) return one;
  }
  return among[0] as T;
}

interface Occasion {
  readonly no: number;
  readonly day: string;
  readonly customer: number;
  readonly isNew: boolean;
  /** Whether it is one of the last days, in which a product is sold out. */
  readonly isLast: boolean;
}

function orderOf(random: () => number, { no, day, customer, isNew, isLast }: Occasion): Order {
  const month = Number(day.slice(5, 7));
  const sold = ({ weight, season = [], isGone }: Product): number =>
    isGone && isLast ? 0 : weight * (season.includes(month) ? 3 : 1);
  const lines = new Map<Product, number>();
  for (let n = 1 + Math.floor(random() * 2.4); n > 0; n--)
    lines.set(chosen(random, PRODUCTS, sold), random() < 0.12 ? 2 : 1);
  const items = [...lines].reduce((sum, [{ price }, quantity]) => sum + price * quantity, 0);
  const isFriday = isBlackFriday(day);
  const coupon = isFriday ? "BLACK15" : isNew && random() < 0.2 ? "BEMVINDO10" : undefined;
  const percent = coupon === "BLACK15" ? 15 : coupon ? 10 : 0;
  const fate = random();
  return {
    no,
    day,
    minute: 7 * 60 + Math.floor(random() * 960),
    customer,
    source: chosen(random, SOURCES, ({ ofNew, ofReturning }) => (isNew ? ofNew : ofReturning)),
    city: chosen(random, CITIES, ({ weight }) => weight),
    lines: [...lines].map(([product, quantity]) => ({ product, quantity })),
    items,
    discount: Math.round((items * percent) / 100),
    shipping: items >= 25_000 ? 0 : 1_990,
    ...(coupon ? { coupon } : {}),
    state: fate < 0.03 ? "canceled" : fate < 0.055 ? "unpaid" : fate < 0.08 ? "returned" : "paid",
  };
}

export function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

export const paidBy = ({ items, discount, shipping }: Order): number => items - discount + shipping;

const isPaid = ({ state }: Order): boolean => state === "paid" || state === "returned";

function deliveriesOf(
  random: () => number,
  days: readonly string[],
  orders: readonly Order[],
  share: number,
): Delivery[] {
  const brought = grouped(orders.filter(isPaid), ({ source, day }) => `${source.campaign?.id} ${day}`);
  return days.flatMap((day) =>
    CAMPAIGNS.map((campaign): Delivery => {
      const own = brought.get(`${campaign.id} ${day}`) ?? [];
      // Spend follows what is expected of a day, not what it brought.
      const expected =
        seasonOf(day) * NEW_A_DAY * (SOURCES.find((one) => one.campaign === campaign)?.ofNew ?? 0) * 0.01;
      const spend = Math.round((campaign.daily + campaign.perOrder * expected) * share * (0.85 + random() * 0.3));
      const impressions = Math.round((spend * 1000) / campaign.perThousand);
      const clicks = Math.round(impressions * campaign.clicked * (0.9 + random() * 0.2));
      const value = own.reduce((sum, order) => sum + paidBy(order), 0);
      return { day, campaign, spend, impressions, clicks, orders: own.length, value };
    }),
  );
}
