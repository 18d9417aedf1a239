import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { figure, type Unit } from "../format.ts";
import { t } from "../text.ts";

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly unit?: Unit;
  /** The value for sorting and, without `show`, for display. */
  readonly value: (row: Row) => string | number | null | undefined;
  /** The reason for a missing value. */
  readonly reason?: (row: Row) => string | undefined;
  readonly show?: (row: Row) => ComponentChildren;
  readonly sortable?: boolean;
  readonly hint?: string;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, n: number) => string;
  /** The order of a table that the service sorts. Without it the component sorts the rows itself. */
  readonly sorting?: { readonly now: Sorting | undefined; readonly change: (next: Sorting) => void };
  readonly initially?: Sorting;
  readonly isCurrent?: (row: Row) => boolean;
  readonly empty?: string;
}

/** A table whose first column names the row and stays visible while the table scrolls. */
export function Table<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, sorting, initially, isCurrent, empty } = props;
  const [own, setOwn] = useState<Sorting | undefined>(initially);
  const now = sorting ? sorting.now : own;
  const change = sorting ? sorting.change : setOwn;
  const shown = sorting ? rows : sorted(rows, columns, own);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the table
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <Head key={column.key} column={column} now={now} change={change} isName={place === 0} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, n) => (
            <tr key={keyOf(row, n)} class={isCurrent?.(row) ? "current" : ""}>
              {columns.map((column, place) => (
                <Entry key={column.key} row={row} column={column} isName={place === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="empty">{empty ?? t().empty.points}</p>}
    </section>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly now: Sorting | undefined;
  readonly change: (next: Sorting) => void;
  readonly isName: boolean;
}

function Head<Row>({ column, now, change, isName }: HeadProps<Row>) {
  const isSorted = now?.by === column.key;
  const side = column.unit && !isName ? "number" : "";
  if (column.sortable === false) {
    return (
      <th scope="col" class={side} title={column.hint}>
        {column.label}
      </th>
    );
  }
  const next = { by: column.key, descending: isSorted ? !now.descending : column.unit !== undefined };
  const order = now?.descending ? "descending" : "ascending";
  return (
    <th scope="col" class={side} aria-sort={isSorted ? order : "none"} title={column.hint}>
      <button type="button" onClick={() => change(next)}>
        {column.label}
        <span aria-hidden="true" class="sort-mark">
          {isSorted ? (now.descending ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}

function Entry<Row>({ row, column, isName }: { row: Row; column: Column<Row>; isName: boolean }) {
  const content = column.show ? column.show(row) : <Value of={column.value(row)} column={column} row={row} />;
  const side = column.unit ? "number" : "";
  return isName ? (
    <th scope="row">{content}</th>
  ) : (
    <td class={side} data-column={column.key}>
      {content}
    </td>
  );
}

function Value<Row>(props: { of: string | number | null | undefined; column: Column<Row>; row: Row }) {
  const { of: value, column, row } = props;
  if (value === null || value === undefined) return <NotAvailable reason={column.reason?.(row)} />;
  return <>{typeof value === "number" ? figure(value, column.unit ?? "number") : value}</>;
}

/** A missing figure. Hover and focus show the reason, and screen readers announce it. */
export function NotAvailable({ reason }: { reason: string | undefined }) {
  if (!reason) return <span class="nd">{t().notAvailable}</span>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focus shows the reason
    <span class="nd has-reason" tabIndex={0} data-reason={reason}>
      {t().notAvailable}
      <span class="unseen">: {reason}</span>
    </span>
  );
}

/** Rows without a value come last in both directions. */
function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], by: Sorting | undefined): readonly Row[] {
  const column = columns.find(({ key }) => key === by?.by);
  if (!column || !by) return rows;
  return rows.toSorted((a, b) => {
    const [x, y] = [column.value(a) ?? null, column.value(b) ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return by.descending ? -order : order;
  });
}
