import { useRef, useState } from "preact/hooks";
import { Tip as CellTip } from "../../charts/Tip.tsx";
import { t } from "../../text.ts";
import { type Scale, strengthOf } from "./averages.ts";

export interface HeatCell {
  readonly n: number;
  /** The value that the color shows; null has no color. */
  readonly value: number | null;
  readonly text: string;
  readonly isOpen: boolean;
  /** Its figures by name, for the tip. */
  readonly says: readonly (readonly [string, string])[];
  readonly explain: () => void;
}

export interface HeatRow {
  readonly key: string;
  readonly name: string;
  /** Whether the period has only some of its days. */
  readonly isCut: boolean;
  readonly size: { readonly text: string; readonly explain: () => void };
  readonly cells: readonly HeatCell[];
}

export interface HeatAverage {
  readonly n: number;
  readonly text: string;
  readonly hint: string;
  /** Whether it is of so few that it misleads. */
  readonly isOfFew: boolean;
}

interface Props {
  readonly label: string;
  readonly sizeLabel: string;
  /** The name of a step, such as "month". */
  readonly stepName: string;
  readonly rows: readonly HeatRow[];
  readonly averages: readonly HeatAverage[];
  readonly scale: Scale;
  /** The ends of the scale. */
  readonly ends: readonly [string, string];
  /** The values above the end of the scale, which have one color. */
  readonly clamped?: string | undefined;
}

interface Pointed {
  readonly row: HeatRow;
  readonly cell: HeatCell;
  readonly x: number;
  readonly y: number;
}

/**
 * A heat map as a table, so that screen readers can read it; arrow keys move between its cells, and a click explains one.
 */
export function HeatMap({ label, sizeLabel, stepName, rows, averages, scale, ends, clamped }: Props) {
  const [pointed, setPointed] = useState<Pointed | undefined>();
  const [focused, setFocused] = useState<readonly [number, number]>([0, 0]);
  const place = useRef<HTMLDivElement>(null);
  const words = t().cohort;
  const steps = [...new Set(rows.flatMap(({ cells }) => cells.map(({ n }) => n)))].sort((a, b) => a - b);
  const byStep = new Map(averages.map((average) => [average.n, average]));

  const point = (row: HeatRow, cell: HeatCell, element: HTMLElement): void => {
    const [at, box] = [element.getBoundingClientRect(), place.current?.getBoundingClientRect()];
    if (box) setPointed({ row, cell, x: at.left - box.left + at.width / 2, y: at.bottom - box.top + 4 });
  };

  /** Arrow keys move between cells; Home and End move to the ends of a row. */
  const walk = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setPointed(undefined);
    const [row, at] = focused;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowRight: [row, at + 1],
      ArrowLeft: [row, at - 1],
      ArrowDown: [row + 1, at],
      ArrowUp: [row - 1, at],
      Home: [row, 0],
      End: [row, (rows[row]?.cells.length ?? 1) - 1],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    if (!rows[move[0]]?.cells[move[1]]) return;
    setFocused(move);
    place.current?.querySelector<HTMLElement>(`[data-at="${move.join(":")}"]`)?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the table hides the tip of a cell
    <div class="heat" ref={place} onMouseLeave={() => setPointed(undefined)}>
      <section class="heat-scroll" aria-label={label} onScroll={() => setPointed(undefined)}>
        <table onKeyDown={walk}>
          <caption class="unseen">
            {label}. {words.help}
          </caption>
          <thead>
            <tr>
              <th scope="col">{words.cohort}</th>
              <th scope="col" class="size">
                {sizeLabel}
              </th>
              {steps.map((n, at) => (
                <th key={n} scope="col">
                  {at === 0 ? `${stepName} ${n}` : n}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {averages.length > 0 && (
              <tr class="average" data-row="average">
                <th scope="row" title={words.averageHint}>
                  {words.average}
                </th>
                <td />
                {steps.map((n) => (
                  <td key={n} class={`cell${byStep.get(n)?.isOfFew ? " muted" : ""}`} title={byStep.get(n)?.hint}>
                    {byStep.get(n)?.text}
                  </td>
                ))}
              </tr>
            )}
            {rows.map((row, at) => (
              <tr key={row.key} data-row={row.key}>
                <th scope="row">
                  {row.name}
                  {row.isCut && (
                    <span title={words.cutCohort}>
                      {" "}
                      †<span class="unseen"> ({words.cutCohort})</span>
                    </span>
                  )}
                </th>
                <td class="size">
                  <button type="button" class="link" onClick={row.size.explain}>
                    {row.size.text}
                  </button>
                </td>
                {row.cells.map((cell, n) => (
                  <Cell
                    key={cell.n}
                    cell={cell}
                    at={`${at}:${n}`}
                    strength={cell.value === null ? 0 : strengthOf(cell.value, scale)}
                    isFocused={focused[0] === at && focused[1] === n}
                    point={(element) => point(row, cell, element)}
                    focus={() => setFocused([at, n])}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="legend">
        <span>
          {words.scale}: {ends[0]} <span class="ramp" aria-hidden="true" /> {ends[1]}
        </span>
        {clamped && <span>{clamped}</span>}
        <span>
          <span class="open-sample" aria-hidden="true" /> {words.unfinished}
        </span>
        {rows.some(({ isCut }) => isCut) && <span>† {words.cutCohort}</span>}
      </p>
      {pointed && (
        <CellTip x={pointed.x} y={pointed.y} within={place.current?.clientWidth ?? 0}>
          <strong>
            {pointed.row.name} · {stepName} {pointed.cell.n}
          </strong>
          <dl>
            {pointed.cell.says.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {pointed.cell.isOpen && <p class="warn">{words.unfinished}</p>}
        </CellTip>
      )}
    </div>
  );
}

interface CellProps {
  readonly cell: HeatCell;
  readonly at: string;
  readonly strength: number;
  readonly isFocused: boolean;
  readonly point: (element: HTMLElement) => void;
  readonly focus: () => void;
}

function Cell({ cell: { n, text, isOpen, explain }, at, strength, isFocused, point, focus }: CellProps) {
  return (
    <td
      class={`cell${isOpen ? " open" : ""}`}
      style={{ "--strength": `${Math.round(strength * 100)}%` }}
      data-step={n}
      onMouseEnter={({ currentTarget }) => point(currentTarget)}
    >
      <button
        type="button"
        class="cell-button"
        tabIndex={isFocused ? 0 : -1}
        data-at={at}
        onClick={() => {
          focus();
          explain();
        }}
        onFocus={({ currentTarget }) => {
          focus();
          point(currentTarget);
        }}
      >
        {text}
        {isOpen && <span class="unseen"> ({t().cohort.unfinished})</span>}
      </button>
    </td>
  );
}
