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

/** How far days were from what was expected, in the 8 weeks before: the spread of differences. */
function spreadAt(differences: Series, day: number): number | null {
  const earlier = between(differences, day - WEEKS, day - 3);
  return earlier.length < LEAST_EARLIER ? null : DEVIATIONS * median(earlier.map(Math.abs));
}

/** A figure of the organization, three days together: a fall of 15 % and 2 spreads, or a rise of 15 % and 4. */
export function judgedThree(values: Series, isSale: IsSale): Judged {
  const expected = values.map((_, day) => expectedAt(values, day, isSale).expected);
  const deviations = values.map((_, day) => {
    if (day < 2 || [0, 1, 2].some((back) => isSale(day - back))) return null;
    const actuals = between(values, day - 2, day);
    const expectations = between(expected, day - 2, day);
    const whole = sum(expectations);
    return actuals.length < 3 || expectations.length < 3 || whole <= 0 ? null : sum(actuals) / whole - 1;
  });
  return deviations.map((deviation, day) => {
    const spread = spreadAt(deviations, day);
    if (deviation === null) return null;
    if (Math.abs(deviation) < 0.15) return false;
    return spread === null ? null : -deviation > 2 * spread || deviation > 4 * spread;
  });
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
export function judgedCampaign(campaign: CampaignDays, investment: readonly number[], isSale: IsSale): Judged {
  const days = campaign.spend.map((_, day) => day);
  const earned = days.map((day) => {
    if (day < 2 || [0, 1, 2].some((back) => isSale(day - back))) return null;
    const spent = three(campaign.spend, day);
    return spent > 0 ? three(campaign.afterCosts, day) / spent : null;
  });
  const like = (values: Series, day: number): number | null => {
    const known = [1, 2, 3, 4, 5, 6, 7, 8].map((weeks) => values[day - 7 * weeks]).filter(isKnown);
    return known.length < LEAST_COMPARED ? null : median(known);
  };
  const orders = days.map((day) => (earned[day] === null ? null : three(campaign.orders, day)));
  const expected = days.map((day) => like(earned, day));
  const differences = days.map((day) => {
    const [now, before] = [earned[day], expected[day]];
    return isKnown(now) && isKnown(before) ? now - before : null;
  });
  return days.map((day) => {
    const [now, before, difference] = [earned[day], expected[day], differences[day]];
    const spread = spreadAt(differences, day);
    if (!isKnown(now) || spread === null) return null;
    if (!isKnown(before) || !isKnown(difference)) return null;
    const lost = three(campaign.spend, day) - three(campaign.afterCosts, day);
    return (
      now < 1 &&
      before >= 1 &&
      (like(orders, day) ?? 0) >= 10 &&
      -difference > 2.5 * spread &&
      lost >= 0.01 * three(investment, day)
    );
  });
}

/** Whether more came back than orders say. */
export const judgedReturns = (returns: readonly number[], orders: readonly number[]): Judged =>
  returns.map((_, day) => {
    const sold = three(orders, day);
    const earlier = sum(orders.slice(Math.max(0, day - 58), Math.max(0, day - 2)));
    if (day < 58 || sold === 0 || earlier === 0) return null;
    const expected = (sum(returns.slice(day - 58, day - 2)) / earlier) * sold;
    const back = three(returns, day);
    return back > 1.5 * expected && back - expected > 3.5 * Math.sqrt(Math.max(expected, 1));
  });

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
