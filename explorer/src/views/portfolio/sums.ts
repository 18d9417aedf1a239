import type { Advice } from "../../../../src/features/actions/advice.ts";

/** What the portfolio says of an organization. */
export interface Line {
  readonly currency: string | undefined;
  readonly revenue: number;
  readonly revenuePct: number | null;
  readonly contribution3: number | null;
  readonly contribution3Pct: number | null;
  readonly orders: number;
  readonly first: Advice | undefined;
}

/** Sums of one currency; null if one of its organizations does not know its part. */
export interface Sum {
  readonly currency: string | undefined;
  readonly count: number;
  readonly revenue: number;
  readonly contribution3: number | null;
  readonly orders: number;
}

export function sumsOf(lines: readonly Line[]): readonly Sum[] {
  const codes = [...new Set(lines.map(({ currency }) => currency))].sort();
  return codes.map((currency) => {
    const own = lines.filter((line) => line.currency === currency);
    const sum = (value: (line: Line) => number): number =>
      Math.round(own.reduce((all, line) => all + value(line), 0) * 100) / 100;
    return {
      currency,
      count: own.length,
      revenue: sum(({ revenue }) => revenue),
      contribution3: own.some((line) => line.contribution3 === null) ? null : sum((line) => line.contribution3 ?? 0),
      orders: sum(({ orders }) => orders),
    };
  });
}
