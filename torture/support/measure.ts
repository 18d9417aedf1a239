const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const quantile = (values: readonly number[], share: number): number =>
  at(
    [...values].sort((a, b) => a - b),
    share,
  );

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * How often a value of one sample is above one of the other: 0.5 if they cannot be distinguished. Only ranks count, so
 * a pause of the machine weighs no more than any other value.
 */
export function superiority(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, of: 0 })), ...b.map((value) => ({ value, of: 1 }))];
  all.sort((x, y) => x.value - y.value);
  let ranks = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to++;
    const rank = (from + 1 + to) / 2;
    for (let n = from; n < to; n++) if (all[n]?.of === 0) ranks += rank;
    from = to;
  }
  return (ranks - (a.length * (a.length + 1)) / 2) / (a.length * b.length);
}
