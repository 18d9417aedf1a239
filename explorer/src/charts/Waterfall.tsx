import { useState } from "preact/hooks";
import { figure, hero, type Unit } from "../format.ts";
import { linear } from "./linear.ts";
import { colorClass } from "./series.ts";
import { textWidth, useWidth } from "./size.ts";

export interface Step {
  readonly key: string;
  readonly label: string;
  /** Of a total its amount, of any other step what it adds or takes. Null: not known. */
  readonly value: number | null;
  readonly isTotal?: boolean;
  /** The reason for an unknown value, or more about a known one. */
  readonly note?: string;
}

interface Props {
  readonly label: string;
  readonly steps: readonly Step[];
  readonly unit: Unit;
  /** Whether what adds is good and what takes is bad: not while the figures lack days. */
  readonly isJudged?: boolean;
  readonly onPick?: (step: Step) => void;
}

/** As the style sheet has it: under a thumb a row is higher. */
const rowHeight = (): number => (matchMedia("(pointer: coarse)").matches ? 44 : 34);

/** The way from one total to another as rows, which leave room for names on a phone. */
export function Waterfall({ label, steps, unit, isJudged = true, onPick }: Props) {
  const [place, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | undefined>();
  const rows = positions(steps);
  const values = rows.flatMap(({ from, to }) => [from, to]);
  const isNarrow = width < 520;
  const shown = (value: number | null): string =>
    value === null ? figure(value, unit) : isNarrow ? hero(value, unit) : figure(value, unit);
  const left = Math.min(width * 0.5, Math.max(...steps.map((step) => textWidth(step.label) * 1.25), 0) + 10);
  const right = width - Math.max(...steps.map(({ value }) => textWidth(shown(value)) * 1.25), 0) - 14;
  const x = linear([Math.min(0, ...values), Math.max(0, ...values) || 1], [left, Math.max(left + 20, right)]);
  const row = rowHeight();
  const height = row * steps.length;
  return (
    <div class="chart-figure" data-chart={label}>
      <div ref={place} class="waterfall">
        {width > 0 && (
          <svg
            class="chart-svg"
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={label}
          >
            <title>{label}</title>
            <line class="zero" x1={x(0)} x2={x(0)} y1={0} y2={height} />
            {rows.map(({ step, from, to }, n) => {
              const top = n * row;
              // A total below 0 is a loss, and not a small profit.
              const sign = to < (step.isTotal ? 0 : from) ? "bad" : "good";
              const tone =
                step.isTotal && sign === "good" ? "accent" : isJudged ? sign : step.isTotal ? "accent" : "muted";
              const [start, end] = [x(Math.min(from, to)), x(Math.max(from, to))];
              return (
                <g key={step.key} class={`waterfall-step ${colorClass(tone)}${at === n ? " is-pointed" : ""}`}>
                  <text class={step.isTotal ? "total" : ""} x={0} y={top + row / 2} dy="0.32em">
                    {linesOf(step.label, left - 6).map((line, place, { length }) => (
                      <tspan key={line} x={0} dy={place > 0 ? "1.1em" : length > 1 ? "-0.23em" : undefined}>
                        {line}
                      </tspan>
                    ))}
                  </text>
                  {step.value !== null && (
                    <rect
                      class="bar"
                      x={start}
                      y={top + row / 2 - 10}
                      width={Math.max(1, end - start)}
                      height={20}
                      rx={2}
                    />
                  )}
                  {n < rows.length - 1 && (
                    <line class="connector" x1={x(to)} x2={x(to)} y1={top + row / 2 + 10} y2={top + row * 1.5 - 10} />
                  )}
                  <text
                    class={`amount${step.isTotal ? " total" : ""}`}
                    x={width}
                    y={top + row / 2}
                    dy="0.32em"
                    text-anchor="end"
                  >
                    {!step.isTotal && (step.value ?? 0) > 0 ? "+" : ""}
                    {shown(step.value)}
                  </text>
                </g>
              );
            })}
          </svg>
        )}
        {/* Buttons over the rows: for the keyboard, for clicks, and with the exact amounts for screen readers. */}
        <ul class="waterfall-rows">
          {rows.map(({ step }, n) => (
            <li key={step.key}>
              {onPick ? (
                <button
                  type="button"
                  title={step.note}
                  onClick={() => onPick(step)}
                  onPointerEnter={() => setAt(n)}
                  onPointerLeave={() => setAt(undefined)}
                >
                  <span class="unseen">
                    {step.label}: {figure(step.value, unit)} {step.note}
                  </span>
                </button>
              ) : (
                <span class="waterfall-row" title={step.note}>
                  <span class="unseen">
                    {step.label}: {figure(step.value, unit)} {step.note}
                  </span>
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Where each bar begins and ends: a total at zero, the others where the one before ended. */
function positions(steps: readonly Step[]): { readonly step: Step; readonly from: number; readonly to: number }[] {
  let sum = 0;
  return steps.map((step) => {
    const from = step.isTotal ? 0 : sum;
    sum = step.isTotal ? (step.value ?? sum) : sum + (step.value ?? 0);
    return { step, from, to: sum };
  });
}

/** A label that is too wide is broken near its middle. */
function linesOf(text: string, width: number): string[] {
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index);
  if (textWidth(text) * 1.2 <= width || spaces.length === 0) return [cut(text, width)];
  const middle = text.length / 2;
  const at = spaces.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? 0;
  return [cut(text.slice(0, at), width), cut(text.slice(at + 1), width)];
}

function cut(text: string, width: number): string {
  if (textWidth(text) * 1.2 <= width) return text;
  return `${text.slice(0, Math.max(1, Math.floor(width / 7.6) - 1))}…`;
}
