/** The detection of alerts [D96] once more, over plain numbers: what the SQL is compared with, and what random worlds are judged by. */

export interface Expected {
  /** Null where there are too few days to compare with. */
  readonly expected: number | null;
  readonly spread: number | null;
}

/** Numbers of days, in their order. Null: not known. */
export type Series = readonly (number | null)[];

/** Whether a day is noted as a sale. */
type IsSale = (day: number) => boolean;

/** Days in their order: true is beyond the limit, false within it, null was not judged. */
export type Judged = (boolean | null)[];

/** The fewest days, or weeks, that an expectation is made of. */
const LEAST_COMPARED = 4;
/** The fewest earlier differences that a spread is made of. */
const LEAST_EARLIER = 21;
const WEEKS = 56;
const DEVIATIONS = 1.4826;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined;

/** The known values of days, from the first to the last. */
const between = (values: Series, from: number, to: number): number[] =>
  values.slice(Math.max(0, from), Math.max(0, to + 1)).filter(isKnown);

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** What a day is expected to be: the median of its like in the 8 weeks before, and how far these are from it. */
export function expectedAt(values: Series, day: number, isSale: IsSale, over: "day" | "week" = "day"): Expected {
  const like: number[] = [];
  for (let before = day - WEEKS; before < day; before++) {
    const value = values[before];
    if (!isKnown(value) || isSale(before) !== isSale(day)) continue;
    if ((day - before) % 7 === 0 || (over === "day" && isSale(day))) like.push(value);
  }
  if (like.length < LEAST_COMPARED) return { expected: null, spread: null };
  const expected = median(like);
  return { expected, spread: DEVIATIONS * median(like.map((value) => Math.abs(value - expected))) };
}

/** As DuckDB's quantile_cont. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const [lower = Number.NaN, upper = lower] = sorted.slice(Math.floor(place));
  return lower + (place - Math.floor(place)) * (upper - lower);
}

/** Where a normal distribution has 80 of 100 absolute values below, and 10 of 100 below its negative. */
const NORMAL = 1.2816;

/** Days, and whether an event could be told from chance on them. */
export interface Able {
  readonly judged: Judged;
  readonly canTell: readonly boolean[];
}

/** The fewest days that a level is the median of. */
const LEAST_OF_LEVEL = 14;

/**
 * A figure of the organization, three days together, at the level of the 4 weeks before: a fall of 15 % and 2.1 spreads, or a rise of
 * 15 % and 4. Nothing is said where a fall by `least` could not be told from chance.
 */
export function judgedThree(values: Series, isSale: IsSale, least: number): Able {
  const expected = values.map((_, day) => expectedAt(values, day, isSale).expected);
  const deviations = values.map((_, day) => {
    if (day < 2 || [0, 1, 2].some((back) => isSale(day - back))) return null;
    const actuals = between(values, day - 2, day);
    const expectations = between(expected, day - 2, day);
    const whole = sum(expectations);
    return actuals.length < 3 || expectations.length < 3 || whole <= 0 ? null : sum(actuals) / whole - 1;
  });
  const moved = deviations.map((deviation, day) => {
    const before = between(deviations, day - 30, day - 3);
    if (deviation === null || before.length < LEAST_OF_LEVEL) return null;
    const level = 1 + median(before);
    return level > 0 ? (1 + deviation) / level - 1 : null;
  });
  const spreads = moved.map((_, day) => {
    const earlier = between(moved, day - WEEKS, day - 3);
    return earlier.length < LEAST_EARLIER ? null : quantile(earlier.map(Math.abs), 0.8) / NORMAL;
  });
  const canTell = spreads.map((spread) => spread !== null && 2.6 * spread <= least);
  const judged = moved.map((move, day) => {
    const spread = spreads[day];
    if (move === null || !isKnown(spread)) return null;
    return canTell[day] === true && Math.abs(move) >= 0.15 && (-move > 2.1 * spread || move > 4 * spread);
  });
  return { judged, canTell };
}

/** Spend without an order, where 10 or more were expected of the day, or of its week. */
export function judgedSpend(orders: Series, investment: readonly number[], isSale: IsSale): Judged {
  const expected = orders.map((_, day) => expectedAt(orders, day, isSale).expected);
  return orders.map((value, day) => {
    const ofDay = expected[day];
    if (isKnown(ofDay) && ofDay >= 10) return isKnown(value) ? value === 0 && (investment[day] ?? 0) > 0 : null;
    const ofWeek = between(expected, day - 6, day);
    const week = between(orders, day - 6, day);
    if (ofWeek.length < 7 || week.length < 7) return null;
    return sum(ofWeek) >= 10 && sum(week) === 0 && sum(investment.slice(day - 6, day + 1)) > 0;
  });
}

/** A campaign by day: what it spent, its orders, and what these leave before spend. */
export interface CampaignDays {
  readonly spend: readonly number[];
  readonly orders: readonly number[];
  readonly afterCosts: readonly number[];
}

const three = (values: readonly number[], day: number): number => sum(values.slice(day - 2, day + 1));

/** Whether a campaign begins to lose. */
export function judgedCampaign(campaign: CampaignDays, investment: readonly number[], isSale: IsSale): Able {
  const days = campaign.spend.map((_, day) => day);
  const earned = days.map((day) => {
    if (day < 2 || [0, 1, 2].some((back) => isSale(day - back))) return null;
    const spent = three(campaign.spend, day);
    return spent > 0 ? three(campaign.afterCosts, day) / spent : null;
  });
  const expected = days.map((day) => {
    const active = days.slice(Math.max(0, day - 58), Math.max(0, day - 2)).filter((one) => {
      return (campaign.spend[one] ?? 0) > 0 && !isSale(one);
    });
    if (active.length < 28) return null;
    const of = (values: readonly number[]): number => sum(active.map((one) => values[one] ?? 0));
    return { earned: of(campaign.afterCosts) / of(campaign.spend), orders: (3 * of(campaign.orders)) / active.length };
  });
  const differences = days.map((day) => {
    const [now, before] = [earned[day], expected[day]];
    return isKnown(now) && before && before.earned > 0 ? now / before.earned - 1 : null;
  });
  const spreads = days.map((day) => {
    const earlier = between(differences, day - WEEKS, day - 3);
    return earlier.length < LEAST_EARLIER ? null : Math.max(0, -quantile(earlier, 0.1) / NORMAL);
  });
  const canTell = days.map((day) => {
    const [before, spread] = [expected[day], spreads[day]];
    return !!before && isKnown(spread) && before.earned >= 1 && before.orders >= 10 && 3 * spread <= 0.7;
  });
  const judged = days.map((day) => {
    const [now, difference, spread] = [earned[day], differences[day], spreads[day]];
    if (!isKnown(now) || !isKnown(difference) || !isKnown(spread)) return null;
    const lost = three(campaign.spend, day) - three(campaign.afterCosts, day);
    return (
      canTell[day] === true &&
      now < 1 &&
      -difference >= 0.15 &&
      -difference > 2.7 * spread &&
      lost >= 0.01 * three(investment, day)
    );
  });
  return { judged, canTell };
}

/** Whether more came back than orders say. */
export function judgedReturns(returns: readonly number[], orders: readonly number[]): Able {
  const days = returns.map((_, day) => day);
  const back = days.map((day) => three(returns, day));
  const sold = days.map((day) => (day < 30 ? 0 : sum(orders.slice(day - 30, day - 2))));
  const expected = days.map((day) => {
    const alike = [1, 2, 3, 4, 5, 6, 7, 8].map((weeks) => day - 7 * weeks).filter((one) => (sold[one] ?? 0) > 0);
    if (alike.length < 8 || (sold[day] ?? 0) === 0) return null;
    const of = (value: (one: number) => number): number => sum(alike.map(value));
    const came = of((one) => back[one] ?? 0);
    const rate = came / of((one) => sold[one] ?? 0);
    const squares = of((one) => (back[one] ?? 0) ** 2 / (sold[one] ?? 1));
    const times = rate * (sold[day] ?? 0);
    return { times, dispersion: rate === 0 ? 1 : Math.max(1, (squares / rate - came) / 7) };
  });
  const canTell = expected.map((one) => !!one && one.times > 0 && 4 * Math.sqrt(one.dispersion / one.times) <= 1);
  const judged = days.map((day) => {
    const [one, more] = [expected[day], back[day] ?? 0];
    if (!one) return null;
    return (
      canTell[day] === true && more > 1.5 * one.times && more - one.times > 2.6 * Math.sqrt(one.dispersion * one.times)
    );
  });
  return { judged, canTell };
}

export interface Cause {
  /** The first day beyond the limit. */
  readonly from: number;
  /** The third judged day in a row within it; null while it holds. */
  readonly until: number | null;
}

/** The causes of judged days. */
export function causesOf(judged: readonly (boolean | null)[]): Cause[] {
  const causes: Cause[] = [];
  let from: number | undefined;
  let within = 0;
  for (const [day, isBeyond] of judged.entries()) {
    if (isBeyond === null) continue;
    within = isBeyond ? 0 : within + 1;
    if (isBeyond) from ??= day;
    if (from !== undefined && within === 3) {
      causes.push({ from, until: day });
      from = undefined;
    }
  }
  return from === undefined ? causes : [...causes, { from, until: null }];
}
