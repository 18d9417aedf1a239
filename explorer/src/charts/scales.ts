import { stack, stackOffsetDiverging } from "d3-shape";
import { type Linear, linear } from "./linear.ts";
import type { Level, Series } from "./series.ts";

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The lower and upper end of each stacked value: negative ones go down from zero. */
export function stacked(
  series: readonly Series[],
  count: number,
): ReadonlyMap<string, readonly (readonly [number, number])[]> {
  const parts = series.filter(({ as }) => as === "stack");
  const rows = Array.from({ length: count }, (_, n) =>
    Object.fromEntries(parts.map(({ key, values }) => [key, values[n] ?? 0])),
  );
  const layers = stack<Record<string, number>>()
    .keys(parts.map(({ key }) => key))
    .offset(stackOffsetDiverging)(rows);
  return new Map(layers.map((layer) => [layer.key, layer.map(([low, high]) => [low, high] as const)]));
}

/** The scale of values. Bars start at zero; lines too, unless that would flatten them. */
export function valueScale(
  series: readonly Series[],
  layers: ReturnType<typeof stacked>,
  levels: readonly Level[],
  { top, bottom }: Box,
  fromZero: boolean,
): Linear {
  const shown = series.flatMap(({ as, key, values, band }) =>
    as === "stack" ? (layers.get(key) ?? []).flat() : [...values, ...(band ?? []).flatMap((ends) => ends ?? [])],
  );
  const all = [...shown, ...levels.map(({ value }) => value)].filter((value) => value !== null);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const isFlat = least === most;
  const low = fromZero || least < 0 || least < (most - least) * 2 ? Math.min(0, least) : least;
  const high = Math.max(most, low + (isFlat && most === 0 ? 1 : 0), fromZero ? 0 : most);
  const domain = all.length === 0 ? ([0, 1] as const) : ([low, high === low ? low + 1 : high] as const);
  return linear(domain, [bottom, top], 4);
}
