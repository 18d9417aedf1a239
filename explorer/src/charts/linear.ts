import { nice, ticks } from "d3-array";

/** A linear scale: of d3's own, most of the size is interpolation of colors and formats, which nothing here uses. */
export interface Linear {
  (value: number): number;
  ticks(count: number): readonly number[];
}

export function linear(
  domain: readonly [number, number],
  range: readonly [number, number],
  niceTicks?: number,
): Linear {
  const [low, high] = niceTicks === undefined ? domain : nice(domain[0], domain[1], niceTicks);
  const [start, end] = range;
  const scale = (value: number): number =>
    high === low ? start : start + ((value - low) / (high - low)) * (end - start);
  return Object.assign(scale, { ticks: (count: number) => ticks(low, high, count) });
}
