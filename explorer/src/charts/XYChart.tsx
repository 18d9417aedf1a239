import { area, line } from "d3-shape";
import { useEffect, useRef, useState } from "preact/hooks";
import { figure, short, type Unit } from "../format.ts";
import { type Noted, notedIn } from "../notes.ts";
import { t } from "../text.ts";
import { Legend } from "./Legend.tsx";
import { type Box, stacked, valueScale } from "./scales.ts";
import { colorClass, type Level, type Mark, type Point, type Series } from "./series.ts";
import { textWidth, useSize } from "./size.ts";
import { Tip } from "./Tip.tsx";

interface Props {
  /** What it shows, for screen readers and as the title of its picture. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly unit: Unit;
  /** What the points are, if their labels do not say it: such as the months that the numbers 1, 2, 3 count. */
  readonly axis?: string;
  readonly height?: "small" | "medium" | "large";
  readonly levels?: readonly Level[];
  readonly marks?: readonly Mark[];
  /** False for lines whose scale may start above zero. */
  readonly fromZero?: boolean;
  /** No legend, such as for a single series that the title names. */
  readonly bare?: boolean;
  /** A click on a point, or the enter key. */
  readonly onPick?: (point: Point, position: number) => void;
}

const HEIGHTS = { small: 160, medium: 240, large: 320 } as const;
/** Higher than this a chart says no more. */
const MOST_GROWTH = 1.6;
/** Series that a tip names; further ones only if they are pointed at. */
const MOST_NAMED = 10;
/** With more lines than this, the one under the pointer is highlighted. */
const MOST_LINES = 4;

/** A chart of lines, bars and stacked bars over common points. Arrow keys walk through them; a table says the same. */
export function XYChart(props: Props) {
  const { label, points, series, unit, height = "medium", levels = [], marks = [], bare } = props;
  const [place, width, free] = useSize<HTMLDivElement>();
  const [at, setAt] = useState<number | undefined>();
  const [pointed, setPointed] = useState<string | undefined>();
  const [picked, setPicked] = useState<string | undefined>();
  const strong = pointed ?? picked;
  const noted = notedIn(points);
  // Next to a higher card a chart takes the height that would stay empty.
  const high = Math.max(HEIGHTS[height], Math.min(free, HEIGHTS[height] * MOST_GROWTH));
  const drawing = width === 0 ? undefined : drawingOf(props, width, high);

  const walk = (event: KeyboardEvent): void => {
    const last = points.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(last, (at ?? -1) + 1),
      ArrowLeft: Math.max(0, (at ?? last + 1) - 1),
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (event.key === "Escape") setAt(undefined);
    if (event.key === "Enter" && at !== undefined && points[at]) props.onPick?.(points[at], at);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
  const follow = (event: PointerEvent): number | undefined => {
    if (!drawing || !(event.currentTarget instanceof Element)) return undefined;
    const box = event.currentTarget.getBoundingClientRect();
    const next = drawing.nearest(event.clientX - box.left);
    setAt(next);
    if (series.length > MOST_LINES) setPointed(drawing.nearestLine(next, event.clientY - box.top));
    return next;
  };
  // A tap shows a point until the next one elsewhere; only a tap on the shown point opens what a click opens.
  const tapped = useRef(false);
  useEffect(() => {
    if (at === undefined) return;
    const end = (event: PointerEvent): void => {
      if (!(event.target instanceof Node) || !place.current?.contains(event.target)) leave();
    };
    addEventListener("pointerdown", end);
    return () => removeEventListener("pointerdown", end);
  }, [at === undefined]);
  const leave = (): void => {
    setAt(undefined);
    setPointed(undefined);
  };
  const press = (event: PointerEvent): void => {
    const before = at;
    const now = follow(event);
    tapped.current = event.pointerType === "touch" && now !== before;
  };
  const isEmpty = points.length === 0 || series.every(({ values }) => values.every((value) => value === null));
  if (isEmpty) return <p class="empty-small">{t().chart.empty}</p>;
  const [only] = points;
  if (only && points.length === 1) return <Single point={only} series={series} unit={unit} label={label} />;
  const point = at === undefined ? undefined : points[at];
  const says = point && at !== undefined ? spoken(point, at, series, unit) : "";
  return (
    <div class="chart-figure" data-chart={label}>
      {!bare && (series.length > 1 || levels.length > 0) && (
        <Legend
          entries={series.filter(({ isBehind }) => !isBehind).map(entryOf)}
          picked={picked}
          point={setPointed}
          pick={setPicked}
        />
      )}
      {/* The value text is what a screen reader says at each step. */}
      <div
        ref={place}
        class={`chart-plot chart-${height}${props.onPick ? " is-pickable" : ""}`}
        role="slider"
        tabIndex={0}
        aria-label={[`${label}.`, t().chart.help, ...saidOf(noted, points)].join(" ")}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={at ?? 0}
        aria-valuetext={says || label}
        onKeyDown={walk}
        onBlur={() => setAt(undefined)}
        onPointerDown={press}
        onPointerMove={follow}
        onPointerLeave={({ pointerType }) => pointerType !== "touch" && leave()}
        onClick={() => !tapped.current && at !== undefined && points[at] && props.onPick?.(points[at], at)}
      >
        {drawing && (
          <svg class="chart-svg" width={width} height={high} viewBox={`0 0 ${width} ${high}`} aria-hidden="true">
            {drawing.axes()}
            {noted.map(drawing.note)}
            {at !== undefined && drawing.cursor(at)}
            {series.map((one) => (
              <g
                key={one.key}
                class={`series ${colorClass(one.color)}${strong !== undefined && strong !== one.key ? " is-faded" : ""}${
                  strong === one.key || one.isBold ? " is-strong" : ""
                }`}
                opacity={one.strength !== undefined && strong === undefined ? 0.25 + 0.75 * one.strength : undefined}
              >
                {one.as === "line" ? drawing.lineOf(one) : drawing.bars(one)}
              </g>
            ))}
            {levels.map(drawing.level)}
            {marks.map(drawing.mark)}
            {at !== undefined && drawing.dots(at, strong)}
          </svg>
        )}
        {drawing && point && at !== undefined && (
          <Tip x={drawing.x(at)} y={8} within={width}>
            <TipTable point={point} at={at} series={series} unit={unit} strong={strong} />
          </Tip>
        )}
      </div>
    </div>
  );
}

interface SingleProps {
  readonly label: string;
  readonly point: Point;
  readonly series: readonly Series[];
  readonly unit: Unit;
}

/** A point alone is no course: its values, without axes. */
function Single({ label, point, series, unit }: SingleProps) {
  return (
    <div class="chart-single" data-chart={label}>
      <h3>{titleOf(point)}</h3>
      <dl>
        {series.map(({ key, name, values, unit: own }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{figure(values[0], own ?? unit)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const entryOf = ({ key, name, color, as, comparison, strength }: Series) => ({
  key,
  name,
  color,
  strength,
  shape: comparison ? ("dashed" as const) : as === "line" ? ("line" as const) : ("bar" as const),
});

const titleOf = ({ title, label }: Point): string => title ?? label;

function spoken(point: Point, at: number, series: readonly Series[], unit: Unit): string {
  const values = series.map((one) => `${one.name} ${figure(one.values[at], one.unit ?? unit)}`);
  const { title, label, isOpen, note } = point;
  const about = [title ?? label, ...(isOpen ? [t().chart.unfinished] : []), ...(note ? [note] : [])];
  return `${about.join(", ")}: ${values.join(", ")}`;
}

/** The notes, for whoever does not see their marks. */
function saidOf(noted: readonly Noted[], points: readonly Point[]): readonly string[] {
  const all = noted.map(({ text, first, last }) => {
    const ends = [...new Set([first, last])].map((at) => points[at]?.label ?? "");
    return `${text} (${ends.join(" – ")})`;
  });
  return all.length > 0 ? [t().chart.notes(all.join("; "))] : [];
}

interface TipProps {
  readonly point: Point;
  readonly at: number;
  readonly series: readonly Series[];
  readonly unit: Unit;
  readonly strong: string | undefined;
}

function TipTable({ point, at, series, unit, strong }: TipProps) {
  const known = series.filter(
    ({ key, values, comparison, isBehind }) =>
      comparison || ((values[at] ?? null) !== null && (!isBehind || key === strong)),
  );
  const named =
    known.length <= MOST_NAMED
      ? known
      : strong !== undefined
        ? known.filter(({ key }) => key === strong)
        : known.toSorted((a, b) => (b.values[at] ?? 0) - (a.values[at] ?? 0)).slice(0, MOST_NAMED);
  const parts = series.filter(({ as }) => as === "stack");
  const total = parts.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
  return (
    <>
      <strong>
        {titleOf(point)}
        {point.isOpen && <span class="muted"> · {t().chart.unfinished}</span>}
      </strong>
      {point.note && <p class="tip-note">{point.note}</p>}
      <dl>
        {parts.length > 1 && (
          <div class="tip-total">
            <dt>{t().chart.total}</dt>
            <dd>{figure(total, unit)}</dd>
          </div>
        )}
        {named.map(({ key, name, color, as, values, comparison, unit: own, band }) => (
          <div key={key} class={colorClass(color)}>
            <dt>
              <span
                class={`swatch swatch-${comparison ? "dashed" : as === "line" ? "line" : "bar"}`}
                aria-hidden="true"
              />
              {comparison?.titles?.[at] ?? name}
            </dt>
            <dd>
              {figure(values[at], own ?? unit)}
              {band?.[at] && (
                <small>
                  {" "}
                  ({figure(band[at][0], own ?? unit)} – {figure(band[at][1], own ?? unit)})
                </small>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Everything that depends on the size: positions, and the shapes that are drawn with them. */
function drawingOf(
  { points, series, unit, axis = "", levels = [], fromZero = true }: Props,
  width: number,
  height: number,
) {
  const [own, other] = [series.filter((one) => !isRight(one)), series.filter(isRight)];
  const layers = stacked(series, points.length);
  const frame = { top: 10, bottom: height - 24 };
  const plain: Box = { ...frame, left: 0, right: width };
  const hasBars = series.some(({ as }) => as !== "line");
  const scale = valueScale(own, layers, levels, plain, fromZero || hasBars);
  const second = other.length > 0 ? valueScale(other, layers, [], plain, fromZero) : undefined;
  // Between whole counts there is nothing to read.
  const ticks = scale.ticks(4).filter((value) => unit !== "count" || Number.isInteger(value));
  const secondTicks = second?.ticks(4) ?? [];
  const secondUnit = other[0]?.unit ?? unit;
  const widest = (values: readonly number[], of: Unit): number =>
    Math.max(...values.map((it) => textWidth(short(it, of))), 0);
  const box: Box = {
    ...frame,
    left: Math.ceil(Math.max(widest(ticks, unit), axis ? textWidth(axis) + 6 : 0)) + 6,
    right: width - (second ? Math.ceil(widest(secondTicks, secondUnit)) + 8 : 10),
  };
  const inner = box.right - box.left;
  const step = hasBars ? inner / points.length : inner / Math.max(1, points.length - 1);
  const x = (at: number): number =>
    hasBars ? box.left + (at + 0.5) * step : points.length === 1 ? box.left + inner / 2 : box.left + at * step;
  const nearest = (left: number): number => {
    const at = hasBars ? Math.floor((left - box.left) / step) : Math.round((left - box.left) / step);
    return Math.max(0, Math.min(points.length - 1, at));
  };
  const y = (one: Series) => (isRight(one) && second ? second : scale);

  // Bars side by side: one place for each series, one for the stack.
  const groups = [...new Set(series.filter(({ as }) => as !== "line").map(groupOf))];
  const barWidth = Math.max(1, Math.min(36, (step * 0.72) / Math.max(1, groups.length)));
  const barLeft = (one: Series, at: number): number =>
    x(at) - (barWidth * groups.length) / 2 + groups.indexOf(groupOf(one)) * barWidth;

  function axes() {
    const longest = Math.max(...points.map(({ label }) => textWidth(label)));
    const every = Math.max(1, Math.ceil((longest * 1.15 + 14) / step));
    // Counted from the end: the latest point is the one people look for.
    const isNamed = (at: number): boolean => (points.length - 1 - at) % every === 0;
    return (
      <g class="axis">
        {ticks.map((value) => (
          <g key={value}>
            <line
              class={value === 0 ? "zero" : "grid"}
              x1={box.left}
              x2={box.right}
              y1={scale(value)}
              y2={scale(value)}
            />
            <text x={box.left - 6} y={scale(value)} dy="0.32em" text-anchor="end">
              {short(value, unit)}
            </text>
          </g>
        ))}
        {second &&
          secondTicks.map((value) => (
            <text key={value} x={box.right + 6} y={second(value)} dy="0.32em">
              {short(value, secondUnit)}
            </text>
          ))}
        {axis && (
          <text x={box.left - 12} y={height - 6} text-anchor="end">
            {axis}
          </text>
        )}
        {points.map(({ key, label }, at) => {
          if (!isNamed(at)) return null;
          const half = textWidth(label) / 2;
          return (
            <text key={key} x={Math.max(half, Math.min(x(at), width - half))} y={height - 6} text-anchor="middle">
              {label}
            </text>
          );
        })}
      </g>
    );
  }

  function cursor(at: number) {
    return hasBars ? (
      <rect class="cursor" x={x(at) - step / 2} y={box.top} width={step} height={box.bottom - box.top} />
    ) : (
      <line class="cursor-line" x1={x(at)} x2={x(at)} y1={box.top} y2={box.bottom} />
    );
  }

  function bars(one: Series) {
    const ends = one.as === "stack" ? (layers.get(one.key) ?? []) : one.values.map((value) => [0, value ?? 0] as const);
    const value = y(one);
    return (
      <>
        {ends.map(([low, high], at) => {
          const [top, bottom] = [value(Math.max(low, high)), value(Math.min(low, high))];
          if (bottom - top < 0.01) return null;
          const isOpen = points[at]?.isOpen ? " is-open" : "";
          const kind = one.comparison ? "bar bar-comparison" : "bar";
          return (
            <rect
              key={points[at]?.key}
              class={`${kind}${isOpen}`}
              x={barLeft(one, at)}
              y={top}
              width={Math.max(0.5, barWidth - (groups.length > 1 ? 1 : 0))}
              height={Math.max(0.5, bottom - top)}
              rx={barWidth > 6 && one.as === "bar" ? 2 : 0}
            />
          );
        })}
      </>
    );
  }

  function lineOf(one: Series) {
    const value = y(one);
    const openFrom = one.openFrom ?? points.findIndex(({ isOpen }) => isOpen);
    const path = line<number | null>()
      .defined((it) => it !== null)
      .x((_, at) => x(at))
      .y((it) => value(it ?? 0));
    const closed = one.values.map((it, at) => (openFrom >= 0 && at >= openFrom ? null : it));
    // From the last finished point, so that the dotted part is connected.
    const open = one.values.map((it, at) => (openFrom >= 0 && at >= openFrom - 1 ? it : null));
    const lonely = one.values.flatMap((it, at) =>
      it !== null && (one.values[at - 1] ?? null) === null && (one.values[at + 1] ?? null) === null ? [at] : [],
    );
    const kind = one.comparison ? "line line-comparison" : "line";
    return (
      <>
        {one.band && (
          <path
            class="band"
            d={
              area<readonly [number, number] | null>()
                .defined((ends) => ends !== null)
                .x((_, at) => x(at))
                .y0((ends) => value(ends?.[0] ?? 0))
                .y1((ends) => value(ends?.[1] ?? 0))([...one.band]) ?? ""
            }
          />
        )}
        <path class={kind} d={path(closed) ?? ""} />
        {openFrom >= 0 && <path class={`${kind} line-open`} d={path(open) ?? ""} />}
        {lonely.map((at) => (
          <circle key={at} class="dot" cx={x(at)} cy={value(one.values[at] ?? 0)} r={2.5} />
        ))}
      </>
    );
  }

  function level({ value, label }: Level) {
    return (
      <g class="level" key={label}>
        <line x1={box.left} x2={box.right} y1={scale(value)} y2={scale(value)} />
        <text x={box.right} y={scale(value) - 4} text-anchor="end">
          {label}
        </text>
      </g>
    );
  }

  /** A pale ground behind the points of a note, with a mark above. */
  function note({ text, first, last }: Noted) {
    const half = hasBars ? step / 2 : Math.min(step / 2, 8);
    const [left, right] = [Math.max(box.left, x(first) - half), Math.min(box.right, x(last) + half)];
    const middle = (left + right) / 2;
    return (
      <g class="note-place" key={`${first} ${text}`} data-note={text}>
        <title>{text}</title>
        <rect
          class="note-ground"
          x={left}
          y={box.top}
          width={Math.max(1, right - left)}
          height={box.bottom - box.top}
        />
        <path class="note-mark" d={`M${middle - 5} ${box.top - 9}h10l-5 8z`} />
      </g>
    );
  }

  function mark({ at, value, label }: Mark) {
    return (
      <circle key={`${at} ${label}`} class="mark-point" cx={x(at)} cy={scale(value)} r={5}>
        <title>{label}</title>
      </circle>
    );
  }

  /** The values at the pointed position; of many lines only the one that is pointed at. */
  function dots(at: number, strong: string | undefined) {
    const lines = series.filter(({ as, key }) => as === "line" && (strong === undefined || strong === key));
    return (
      <>
        {lines.map((one) => {
          const value = one.values[at] ?? null;
          if (value === null) return null;
          return (
            <g key={one.key} class={colorClass(one.color)}>
              <circle class="dot dot-pointed" cx={x(at)} cy={y(one)(value)} r={4} />
            </g>
          );
        })}
      </>
    );
  }

  /** The line that passes close to a height, where many lines are. */
  function nearestLine(at: number, top: number): string | undefined {
    const [nearest] = series
      .flatMap((one) => {
        const value = one.values[at] ?? null;
        return one.as === "line" && value !== null ? [{ key: one.key, away: Math.abs(y(one)(value) - top) }] : [];
      })
      .sort((a, b) => a.away - b.away);
    return nearest && nearest.away < 16 ? nearest.key : undefined;
  }

  return { x, nearest, nearestLine, axes, cursor, lineOf, bars, level, note, mark, dots };
}

const isRight = ({ unit }: Series): boolean => unit !== undefined;
const groupOf = ({ as, key }: Series): string => (as === "stack" ? "stack" : key);
