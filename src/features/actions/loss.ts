/** What a campaign or channel earned or lost with all of its orders: a row of `/v1/acquisition/contribution`. */
export interface Result {
  readonly breakKey: string | null;
  readonly breakLabel: string | null;
  readonly connector: string | null;
  readonly investment: number | null;
  readonly orders: number;
  readonly revenue: number;
  readonly contributionAfterAds: number | null;
}

/** A loss of less than this part of all spend is not worth a verdict. */
const LEAST_LOSS = 0.01;

/** With fewer customers or orders one more can turn the result. */
export const FEW = 10;

/** The result after ads. While the cost of goods is unknown, only spend that sold nothing is known to be lost. */
export const resultOf = ({
  revenue,
  investment,
  contributionAfterAds,
}: Omit<Result, "breakKey" | "breakLabel" | "connector" | "orders">): number | null =>
  contributionAfterAds ?? (revenue === 0 && investment !== null ? -investment : null);

/** The lost money; 0 if nothing is, or nothing is known. */
export const lossOf = (row: Parameters<typeof resultOf>[0]): number => Math.max(0, -(resultOf(row) ?? 0));

/** The one rule for a campaign or channel that lost money: `spend` is that of all of them. */
export const isLoss = (row: Parameters<typeof resultOf>[0], spend: number | null): boolean =>
  row.investment !== null && row.investment > 0 && lossOf(row) > 0 && lossOf(row) >= (spend ?? 0) * LEAST_LOSS;
