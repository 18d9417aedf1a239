/** Random shops, day by day, as sums: what alerts are tried on, with and without an event. */

/** A repeatable source of random numbers (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Campaign {
  readonly spend: number[];
  readonly orders: number[];
  /** What its orders leave after the costs of goods and the like, before spend. */
  readonly afterCosts: number[];
}

export interface World {
  /** Expected orders a day. */
  readonly size: number;
  readonly days: number;
  /** The first day, which is a Monday, has number 0. */
  readonly orders: number[];
  readonly revenue: number[];
  readonly investment: number[];
  readonly refunds: number[];
  readonly campaigns: readonly Campaign[];
  /** Days that are noted as a sale. */
  readonly sales: ReadonlySet<number>;
}

export const EVENTS = ["ordersFall", "priceHalves", "spendStops", "campaignLoses", "returnsDouble"] as const;
export type EventKind = (typeof EVENTS)[number];

/** Something that happens from a day on. */
export interface Planted {
  readonly kind: EventKind;
  readonly from: number;
}

const COSTS = 0.55;
const MOST_DELAY = 21;

/** A world of so many days. Everything random is drawn in the same order with and without an event. */
export function worldOf(seed: number, days: number, planted?: Planted): World {
  const random = randomOf(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const between = (least: number, most: number): number => least + (most - least) * random();
  const size = Math.exp(between(Math.log(5), Math.log(500)));
  const weekdays = Array.from({ length: 7 }, () => Math.exp(0.18 * normal()));
  const season = { height: between(0, 0.25), phase: between(0, 365) };
  const growth = between(-0.2, 0.4) / 365;
  const noise = between(0.03, 0.1);
  const ticket = { middle: between(80, 400), spread: between(0.5, 0.9) };
  const refundRate = between(0.02, 0.08);
  const saleFrom = Math.floor(between(60, 340));
  const sales = new Set([0, 1, 2, 3].map((no) => saleFrom + no));
  const paid = between(0.3, 0.6);
  const meanTicket = ticket.middle * Math.exp(ticket.spread ** 2 / 2);
  const campaigns = Array.from({ length: 5 }, () => ({
    weight: Math.exp(0.7 * normal()),
    // What its orders leave per spend, in the mean: most earn, some are about even, a few lose.
    earns: Math.exp(0.45 + 0.35 * normal()),
    budgetNoise: between(0.04, 0.12),
  }));
  const loser = indexOfMost(campaigns.map(({ weight }) => weight));
  const weights = campaigns.reduce((sum, { weight }) => sum + weight, 0);
  const world = {
    size,
    days,
    orders: new Array<number>(days).fill(0),
    revenue: new Array<number>(days).fill(0),
    investment: new Array<number>(days).fill(0),
    refunds: new Array<number>(days + MOST_DELAY).fill(0),
    campaigns: campaigns.map((): Campaign => ({ spend: [], orders: [], afterCosts: [] })),
    sales,
  };
  const isSince = (kind: EventKind, day: number): boolean => planted?.kind === kind && day >= planted.from;
  let mood = 0;
  for (let day = 0; day < days; day++) {
    mood = 0.4 * mood + noise * normal();
    const yearly = 1 + season.height * Math.sin((2 * Math.PI * (day + season.phase)) / 365);
    const level =
      size * (weekdays[day % 7] ?? 1) * yearly * (1 + growth * day) * Math.exp(mood) * (sales.has(day) ? 2.2 : 1);
    const fall = isSince("ordersFall", day) ? 0.7 : 1;
    const price = isSince("priceHalves", day) ? 0.5 : 1;
    const part = (mean: number): { orders: number; revenue: number } => {
      const orders = poisson(mean, random, normal);
      let revenue = 0;
      for (let no = 0; no < orders; no++) {
        revenue += Math.round(100 * price * ticket.middle * Math.exp(ticket.spread * normal())) / 100;
      }
      for (let no = 0; no < orders; no++) {
        const chance = random();
        const delay = 2 + Math.floor((MOST_DELAY - 2) * random());
        const rate = refundRate * (isSince("returnsDouble", day + delay) ? 2 : 1);
        if (chance < rate) world.refunds[day + delay] = (world.refunds[day + delay] ?? 0) + 1;
      }
      return { orders, revenue };
    };
    const organic = part(level * (1 - paid) * fall);
    let { orders, revenue } = organic;
    for (const [no, campaign] of campaigns.entries()) {
      const share = campaign.weight / weights;
      const budget = (size * paid * share * meanTicket * (1 - COSTS)) / campaign.earns;
      const spent = budget * yearly * (1 + growth * day) * Math.exp(campaign.budgetNoise * normal());
      const isStopped = isSince("spendStops", day);
      const loses = no === loser && isSince("campaignLoses", day) ? 0.3 : 1;
      const sold = part(level * paid * share * fall * loses * (isStopped ? 0.15 : 1));
      orders += sold.orders;
      revenue += sold.revenue;
      const spend = isStopped ? 0 : Math.round(spent * 100) / 100;
      world.campaigns[no]?.spend.push(spend);
      world.campaigns[no]?.orders.push(sold.orders);
      world.campaigns[no]?.afterCosts.push(sold.revenue * (1 - COSTS));
      world.investment[day] = (world.investment[day] ?? 0) + spend;
    }
    world.orders[day] = orders;
    world.revenue[day] = revenue;
  }
  world.refunds.length = days;
  return world;
}

const indexOfMost = (values: readonly number[]): number => values.indexOf(Math.max(...values));

/** The campaign that loses: that with the most orders while nothing had happened. */
export const largestOf = (campaigns: readonly Campaign[]): number =>
  indexOfMost(campaigns.map(({ orders }) => orders.slice(0, 100).reduce((sum, one) => sum + one, 0)));

function poisson(mean: number, random: () => number, normal: () => number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  const limit = Math.exp(-mean);
  let product = random();
  let count = 0;
  while (product > limit) {
    product *= random();
    count++;
  }
  return count;
}
