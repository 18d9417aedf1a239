import { coverageOf } from "./coverage.ts";
import { daysFrom, firstOfMonth, lastOfMonth, monthNo, plusDays } from "./days.ts";
import type { Figure } from "./figures.ts";
import { Fraction } from "./fraction.ts";
import { linesOn } from "./profit.ts";
import { type Answer, money, percent } from "./profitability.ts";
import type { ProfitFacts } from "./profitFacts.ts";

/** `/v1/profit/pace`, only from the sentences of [D95]. */

const NAMES = ["revenue", "contribution3", "profit"] as const;
type Name = (typeof NAMES)[number];

const HUNDRED = new Fraction(100);

const daysFromTo = (first: string, last: string): string[] =>
  first > last ? [] : Array.from({ length: daysFrom(first, last) }, (_, no) => plusDays(first, no));

/** Null with one of them. */
const sumOf = (figures: readonly Figure[]): Figure =>
  figures.some((one) => one === null) ? null : Fraction.sum(figures as readonly Fraction[]);

const size = (figure: Fraction): Fraction => (figure.compare(Fraction.zero) < 0 ? Fraction.zero.minus(figure) : figure);

function medianOf(figures: readonly Fraction[]): Fraction {
  const sorted = figures.toSorted((a, b) => a.compare(b));
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [Fraction, Fraction];
  return low.plus(high).times(new Fraction(1, 2));
}

/** The first day with a counted order or spend. */
function firstDayOf({ facts }: ProfitFacts): string | undefined {
  const spent = facts.spend.filter(({ spend }) => !spend.isZero);
  return [...facts.orders.map(({ day }) => day), ...spent.map(({ day }) => day)].sort()[0];
}

export function pace(facts: ProfitFacts, today: string, targets: Readonly<Record<Name, string>>): Answer {
  const on = linesOn(facts);
  const first = firstDayOf(facts);
  const kept = new Map<string, ReturnType<typeof on>["exact"]>();
  const dayOf = (name: Name, day: string): Figure => {
    const figures = kept.get(day) ?? on({ start: day, end: day }).exact;
    kept.set(day, figures);
    return figures[name];
  };
  const weekday = (day: string): number => new Date(day).getUTCDay();

  /** What a month comes to, seen on one of its days. */
  const expectedOf = (name: Name, toDate: Figure, seen: string): Figure => {
    const before = daysFromTo(plusDays(seen, -56), plusDays(seen, -1));
    if (first === undefined || first > (before[0] as string)) return null;
    const left = daysFromTo(seen, lastOfMonth(monthNo(seen)));
    const means = left.map((day) => {
      const like = before.filter((one) => weekday(one) === weekday(day));
      return sumOf(like.map((one) => dayOf(name, one)))?.per(new Fraction(8)) ?? null;
    });
    return sumOf([toDate, ...means]);
  };

  /** By how much that was wrong in an earlier month. */
  const errorOf = (name: Name, month: number): Figure => {
    const [start, end] = [firstOfMonth(month), lastOfMonth(month)];
    const same = plusDays(start, Number(today.slice(8)) - 1);
    const seen = same < end ? same : end;
    const actual = sumOf(daysFromTo(start, end).map((day) => dayOf(name, day)));
    const toDate = sumOf(daysFromTo(start, plusDays(seen, -1)).map((day) => dayOf(name, day)));
    const expected = expectedOf(name, toDate, seen);
    if (actual === null || actual.isZero || expected === null) return null;
    return size(expected.minus(actual)).per(size(actual))?.times(HUNDRED) ?? null;
  };

  const month = monthNo(today);
  const until = plusDays(today, -1);
  const toDate = on({ start: firstOfMonth(month), end: until });
  return {
    period: { startDate: firstOfMonth(month), endDate: until },
    asOf: facts.facts.asOf,
    coverage: coverageOf(facts.facts, { end: until }),
    data: NAMES.map((figure) => {
      const expected = expectedOf(figure, toDate.exact[figure], today);
      const errors = Array.from({ length: 12 }, (_, no) => errorOf(figure, month - 1 - no)).filter(
        (one): one is Fraction => one !== null,
      );
      return {
        figure,
        target: money(Fraction.of(targets[figure])),
        toDate: money(toDate.cents[figure]),
        expected: money(expected),
        errorPct: expected === null || errors.length < 3 ? null : percent(medianOf(errors)),
      };
    }),
  };
}
