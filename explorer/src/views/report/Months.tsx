import type { Statement } from "../../answers.ts";
import { linear } from "../../charts/linear.ts";
import { lastOfMonth } from "../../days.ts";
import { figure, month, short, shortMonth } from "../../format.ts";
import { noteOn } from "../../notes.ts";
import { resultOf } from "../../statement.ts";
import { isCovered } from "../../stores.ts";
import { t } from "../../text.ts";
import { report } from "./reportText.ts";

interface Props {
  readonly statement: Statement;
  /** The first day of the report's period. */
  readonly from: string;
  readonly last: string;
}

/** Fewer months have bars as wide as so many. */
const LEAST = 6;
const HEIGHT = 132;
const TOP = 16;
const FOOT = 18;

/** Net revenue and what was left of it in the months up to the end of the period. Its width is that of the paper. */
export function Months({ statement, from, last }: Props) {
  const line = resultOf(statement) === "profit" ? "profit" : "contribution3";
  const rows = (statement.data ?? []).filter(({ date }) => isCovered(lastOfMonth(date)));
  if (rows.length < 2) return null;
  const { metric } = t();
  const values = rows.flatMap((row) => [row.netRevenue, row[line] ?? 0]);
  const y = linear([Math.min(0, ...values), Math.max(0, ...values) || 1], [HEIGHT - FOOT, TOP]);
  const step = 100 / Math.max(LEAST, rows.length);
  const [first, end] = [rows[0]?.date ?? "", rows.at(-1)?.date ?? ""];
  const note = noteOn(first, lastOfMonth(end));
  const isOpen = (date: string): boolean => lastOfMonth(date) > last;
  const said = rows.map(
    (row) =>
      `${month(row.date)}${isOpen(row.date) ? ` (${report().months.open})` : ""}: ${metric.netRevenue} ${figure(row.netRevenue, "currency")}, ${metric[line]} ${figure(row[line], "currency")}`,
  );
  return (
    <section class="report-part" data-part="months">
      <h3>
        {report().months.title}
        <small>
          <span class="report-key is-revenue" aria-hidden="true" /> {metric.netRevenue}{" "}
          <span class="report-key is-left" aria-hidden="true" /> {metric[line]}
        </small>
      </h3>
      <svg
        class="report-months"
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={`${report().months.title}. ${said.join("; ")}`}
      >
        <line class="zero" x1="0" x2="100%" y1={y(0)} y2={y(0)} />
        {rows.map((row, n) => {
          const left = row[line];
          const isOwn = lastOfMonth(row.date) >= from;
          const middle = `${(n + 0.5) * step}%`;
          return (
            <g key={row.date} class={`${isOwn ? "is-own" : ""}${isOpen(row.date) ? " is-open" : ""}`}>
              <Bar kind="is-revenue" from={(n + 0.16) * step} width={0.68 * step} ends={[y(0), y(row.netRevenue)]} />
              {left !== null && (
                <Bar kind="is-left" from={(n + 0.16) * step} width={0.68 * step} ends={[y(0), y(left)]} />
              )}
              <text class="report-months-value" x={middle} y={y(Math.max(0, row.netRevenue)) - 4}>
                {short(row.netRevenue, "number")}
              </text>
              {left !== null && left > 0 && (
                <text class="report-months-left" x={middle} y={y(left) - 3}>
                  {short(left, "number")}
                </text>
              )}
              <text class="report-months-name" x={middle} y={HEIGHT - 4}>
                {shortMonth(row.date)}
              </text>
            </g>
          );
        })}
      </svg>
      {note && <p class="report-note">{t().chart.notes(note)}</p>}
    </section>
  );
}

interface BarProps {
  readonly kind: string;
  readonly from: number;
  readonly width: number;
  readonly ends: readonly [number, number];
}

const Bar = ({ kind, from, width, ends: [one, other] }: BarProps) => (
  <rect
    class={kind}
    x={`${from}%`}
    width={`${width}%`}
    y={Math.min(one, other)}
    height={Math.max(0.5, Math.abs(one - other))}
  />
);
