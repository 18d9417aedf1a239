import type { ComponentChildren } from "preact";
import { NotAvailable } from "../components/NotAvailable.tsx";
import { figure, type Unit } from "../format.ts";

export interface BarRow {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly value: number | null;
  readonly reason?: string;
  /** Instead of the value as a figure. */
  readonly text?: string;
  /** Next to the value: a share, a change. */
  readonly note?: ComponentChildren;
  readonly tone?: "good" | "bad";
}

interface Props {
  readonly label: string;
  readonly rows: readonly BarRow[];
  readonly unit: Unit;
  readonly onPick?: (row: BarRow) => void;
}

/** Names with bars, the values in one column: what a treemap or a pie would show, and can be read. */
export function BarList({ label, rows, unit, onPick }: Props) {
  const most = Math.max(...rows.map(({ value }) => Math.abs(value ?? 0)), 0) || 1;
  return (
    <ul class="bar-list" aria-label={label}>
      {rows.map((row) => {
        const content = (
          <>
            <span class="bar-list-name">{row.label}</span>
            <span class="bar-list-value">
              {row.value === null ? <NotAvailable reason={row.reason} /> : (row.text ?? figure(row.value, unit))}
              {row.note !== undefined && <span class="bar-list-note">{row.note}</span>}
            </span>
            <span class="bar-list-track" aria-hidden="true">
              <span
                class={row.tone ?? ((row.value ?? 0) < 0 ? "bad" : "")}
                style={{ width: `${(Math.abs(row.value ?? 0) / most) * 100}%` }}
              />
            </span>
          </>
        );
        return (
          <li key={row.key} data-row={row.key}>
            {onPick ? (
              <button type="button" class="bar-list-row" onClick={() => onPick(row)}>
                {content}
              </button>
            ) : (
              <span class="bar-list-row">{content}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
