import { area, line } from "d3-shape";
import { useState } from "preact/hooks";
import { figure, type Unit } from "../format.ts";
import { linear } from "./linear.ts";
import type { Point } from "./series.ts";
import { useWidth } from "./size.ts";
import { Tip } from "./Tip.tsx";

interface Props {
  readonly label: string;
  readonly points: readonly Point[];
  readonly values: readonly (number | null)[];
  readonly unit: Unit;
}

const HEIGHT = 44;

/** A small line with its first and last point named, and the value under the pointer. Null is a gap, not zero. */
export function Sparkline({ label, points, values, unit }: Props) {
  const [place, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | undefined>();
  const known = values.filter((value) => value !== null);
  // Of scattered points there is no line; the space is kept, so that the figures around it do not move.
  if (known.length < 2 || known.length * 2 < values.length) return <div ref={place} class="sparkline" />;
  const last = values.length - 1;
  const x = (n: number): number => 3 + (n / last) * (width - 6);
  const y = linear([Math.min(0, ...known), Math.max(0, ...known) || 1], [HEIGHT - 3, 4]);
  const openFrom = points.findIndex(({ isOpen }) => isOpen);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, n) => x(n))
    .y((value) => y(value ?? 0));
  const ground = area<number | null>()
    .defined((value) => value !== null)
    .x((_, n) => x(n))
    .y0(y(0))
    .y1((value) => y(value ?? 0));
  const closed = values.map((value, n) => (openFrom >= 0 && n >= openFrom ? null : value));
  const open = values.map((value, n) => (openFrom >= 0 && n >= openFrom - 1 ? value : null));
  const point = at === undefined ? undefined : points[at];
  const value = at === undefined ? null : (values[at] ?? null);
  const follow = ({ clientX, currentTarget }: { clientX: number; currentTarget: HTMLElement }): void => {
    const left = clientX - currentTarget.getBoundingClientRect().left;
    setAt(Math.max(0, Math.min(last, Math.round(((left - 3) / (width - 6)) * last))));
  };
  return (
    <div
      ref={place}
      class="sparkline color-accent"
      onPointerDown={follow}
      onPointerMove={follow}
      onPointerLeave={() => setAt(undefined)}
    >
      {width > 0 && (
        <svg
          class="chart-svg"
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={`${label}: ${values.map((one, n) => `${points[n]?.label} ${figure(one, unit)}`).join(", ")}`}
        >
          <line class="zero" x1={0} x2={width} y1={y(0)} y2={y(0)} />
          <path class="band" d={ground(closed) ?? ""} />
          <path class="line" d={path(closed) ?? ""} />
          {openFrom >= 0 && <path class="line line-open" d={path(open) ?? ""} />}
          {at !== undefined && value !== null && <circle class="dot" cx={x(at)} cy={y(value)} r={3} />}
        </svg>
      )}
      <p class="sparkline-ends" aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
      {point && at !== undefined && (
        <Tip x={x(at)} y={-6} within={width}>
          {point.title ?? point.label}: <strong>{figure(value, unit)}</strong>
        </Tip>
      )}
    </div>
  );
}
