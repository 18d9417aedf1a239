/** A product bought together with another one, or after it. */
export interface Neighbour {
  readonly productId: string;
  readonly productName: string | null;
  readonly orders?: number;
  readonly customers?: number;
  readonly share: number;
  /** How many times as often as if both were bought independently. */
  readonly lift: number | null;
}

/** Less is as often as by chance, rounded as it is shown. */
const LEAST_LIFT = 1.05;

/** Of fewer orders or customers a coincidence is as likely as a habit. */
export const LEAST = 5;

export const casesOf = ({ orders, customers }: Neighbour): number => orders ?? customers ?? 0;

/** Those that are bought more often than by chance, and often enough to say so: the strongest first. */
export function neighboursOf(rows: readonly Neighbour[] | null): readonly (Neighbour & { readonly lift: number })[] {
  return (rows ?? [])
    .flatMap((row) =>
      row.lift !== null && row.lift >= LEAST_LIFT && casesOf(row) >= LEAST ? [{ ...row, lift: row.lift }] : [],
    )
    .toSorted((a, b) => b.lift - a.lift || casesOf(b) - casesOf(a) || a.productId.localeCompare(b.productId));
}
