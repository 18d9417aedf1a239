import { useRef, useState } from "preact/hooks";
import type { Cohort } from "../answers.ts";
import { cohort as cohortName, figure, share, short } from "../format.ts";
import { t } from "../text.ts";
import { type CohortView, type GroupBy, isCut, type Step, stepsOf } from "./cohortSteps.ts";

interface Props {
  readonly cohorts: readonly Cohort[];
  readonly view: CohortView;
  readonly groupBy: GroupBy;
  readonly show: "pct" | "absolute";
  /** The last day with a sale. */
  readonly last: string;
  readonly period: { readonly startDate: string | null; readonly endDate: string | null };
}

interface Pointed {
  readonly row: number;
  readonly step: Step;
  readonly x: number;
  readonly y: number;
  readonly isBelow: boolean;
}

/**
 * A heat map as a table, so that screen readers can read it; arrow keys move between its cells. The colors show the
 * retained share, on a scale from 0 to the largest share after step 0.
 */
export function HeatMap({ cohorts, view, groupBy, show, last, period }: Props) {
  const [pointed, setPointed] = useState<Pointed | undefined>();
  const [focused, setFocused] = useState<readonly [number, number]>([0, 0]);
  const place = useRef<HTMLDivElement>(null);
  const words = t().cohort;
  const rows = cohorts.map((row) => ({ row, steps: stepsOf(row, groupBy, last) }));
  const most = Math.max(...rows.map(({ steps }) => steps.length), 0);
  const top = Math.max(...rows.flatMap(({ steps }) => steps.slice(1).map(({ cell }) => cell.pct ?? 0)), 0.01);
  const unit = view === "logo" ? "count" : "currency";

  const point = (row: number, step: Step, element: HTMLElement): void => {
    const [cell, box] = [element.getBoundingClientRect(), place.current?.getBoundingClientRect()];
    if (!box) return;
    const isBelow = cell.top - box.top < 150;
    const x = Math.min(Math.max(cell.left - box.left + cell.width / 2, 120), Math.max(box.width - 120, 120));
    setPointed({ row, step, x, y: isBelow ? cell.bottom - box.top : cell.top - box.top, isBelow });
  };

  /** Arrow keys move between cells; Home and End move to the ends of a row. */
  const walk = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setPointed(undefined);
    const [row, n] = focused;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowRight: [row, n + 1],
      ArrowLeft: [row, n - 1],
      ArrowDown: [row + 1, n],
      ArrowUp: [row - 1, n],
      Home: [row, 0],
      End: [row, (rows[row]?.steps.length ?? 1) - 1],
    };
    const [nextRow, next] = moves[event.key] ?? [-1, -1];
    if (!moves[event.key]) return;
    event.preventDefault();
    if (!rows[nextRow]?.steps[next]) return;
    setFocused([nextRow, next]);
    place.current?.querySelector<HTMLElement>(`[data-cell="${nextRow}:${next}"]`)?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the table hides the tip of a cell
    <div class="heat" ref={place} onMouseLeave={() => setPointed(undefined)}>
      <div class="heat-scroll">
        <table onKeyDown={walk}>
          <caption class="unseen">
            {words.map}. {words.help}
          </caption>
          <thead>
            <tr>
              <th scope="col">{words.cohort}</th>
              <th scope="col" class="number">
                {words.size}
              </th>
              {Array.from({ length: most }, (_, n) => (
                <th scope="col" key={n}>
                  <span class="unseen">{words.step[groupBy]} </span>
                  {n}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, steps }, n) => (
              <tr key={`${row.cohortMonth} ${row.breakKey ?? ""} ${n}`}>
                <th scope="row">
                  {cohortName(row.cohortMonth, groupBy)}
                  {isCut(row.cohortMonth, groupBy, period.startDate, period.endDate) && (
                    <abbr title={words.cutCohort}>†</abbr>
                  )}
                </th>
                <td class="number size">
                  {view === "logo" ? figure(row.initialValue, unit) : short(row.initialValue, unit)}
                </td>
                {steps.map((step) => (
                  <HeatCell
                    key={step.n}
                    step={step}
                    top={top}
                    text={textOf(step, show, view)}
                    id={`${n}:${step.n}`}
                    isFocused={focused[0] === n && focused[1] === step.n}
                    point={(element) => point(n, step, element)}
                    focus={() => setFocused([n, step.n])}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Legend top={top} />
      {pointed && <Tip pointed={pointed} cohort={rows[pointed.row]?.row} view={view} groupBy={groupBy} />}
    </div>
  );
}

function textOf({ cell }: Step, show: Props["show"], view: CohortView): string {
  if (show === "pct") return cell.pct === null ? t().notAvailable : share(cell.pct);
  return view === "logo" ? figure(cell.absolute, "count") : short(cell.absolute, "currency");
}

interface CellProps {
  readonly step: Step;
  readonly top: number;
  readonly text: string;
  readonly id: string;
  readonly isFocused: boolean;
  readonly point: (element: HTMLElement) => void;
  readonly focus: () => void;
}

function HeatCell({ step, top, text, id, isFocused, point, focus }: CellProps) {
  const { n, cell, isOpen } = step;
  const strength = n === 0 ? 0 : Math.min(1, (cell.pct ?? 0) / top);
  const kind = [n === 0 ? "first" : "", isOpen ? "open" : ""].join(" ");
  return (
    <td
      class={`cell ${kind}`}
      style={{ "--strength": `${Math.round(strength * 100)}%` }}
      tabIndex={isFocused ? 0 : -1}
      data-cell={id}
      onMouseEnter={({ currentTarget }) => point(currentTarget)}
      onFocus={({ currentTarget }) => {
        focus();
        point(currentTarget);
      }}
    >
      {text}
      {isOpen && <span class="unseen"> ({t().cohort.incomplete})</span>}
    </td>
  );
}

function Legend({ top }: { top: number }) {
  const words = t().cohort;
  return (
    <p class="legend">
      <span>
        {words.retained}: {share(0)} <span class="ramp" aria-hidden="true" /> {share(top)}
      </span>
      <span>
        <span class="open-sample" aria-hidden="true" /> {words.incompleteLegend}
      </span>
      <span>† {words.cutCohort}</span>
    </p>
  );
}

interface TipProps {
  readonly pointed: Pointed;
  readonly cohort: Cohort | undefined;
  readonly view: CohortView;
  readonly groupBy: GroupBy;
}

function Tip({ pointed: { step, x, y, isBelow }, cohort, view, groupBy }: TipProps) {
  const words = t().cohort;
  const { cell, n, isOpen } = step;
  if (!cohort) return null;
  const [customers, contribution] =
    view === "logo" ? [cell.absolute, cell.complementary] : [cell.complementary, cell.absolute];
  return (
    <div class={`tip${isBelow ? " below" : ""}`} role="tooltip" style={{ left: `${x}px`, top: `${y}px` }}>
      <strong>
        {cohortName(cohort.cohortMonth, groupBy)} · {words.step[groupBy]} {n}
      </strong>
      <dl>
        <dt>{words.retained}</dt>
        <dd>{figure(cell.pct, "ratio")}</dd>
        <dt>{words.customers}</dt>
        <dd>{figure(customers, "count")}</dd>
        <dt>{words.contribution}</dt>
        <dd>{figure(contribution, "currency")}</dd>
        {n > 0 && (
          <>
            <dt>{words.repurchase}</dt>
            <dd>{figure(cell.repurchaseRevenue, "currency")}</dd>
          </>
        )}
      </dl>
      {isOpen && <p>{words.incomplete}</p>}
    </div>
  );
}
