import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { figure, type Unit } from "../format.ts";
import { rememberedList } from "../preferences.ts";
import { t } from "../text.ts";
import { Icon } from "./Icon.tsx";
import { NotAvailable } from "./NotAvailable.tsx";
import { Popover } from "./Popover.tsx";

export { NotAvailable } from "./NotAvailable.tsx";

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
  /** A bar in the cell, as long as the value's share of the largest one. */
  readonly bar?: boolean;
  /** The largest value of the whole list, if only the service has it: bars of two pages have one scale. */
  readonly most?: number | undefined;
  /** A verdict on the value, which colors it. */
  readonly tone?: (row: Row) => "good" | "bad" | undefined;
  /** In a table with chosen columns: not shown unless chosen. */
  readonly isOptional?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The whole list, if `rows` are a page of it: the bars of all pages have one scale. */
  readonly all?: readonly Row[];
  readonly keyOf: (row: Row, n: number) => string;
  /** The order of a table that the service sorts. Without it the component sorts the rows itself. */
  readonly sorting?: { readonly now: Sorting | undefined; readonly change: (next: Sorting) => void };
  readonly initially?: Sorting;
  readonly isCurrent?: (row: Row) => boolean;
  readonly empty?: string;
  /** The row of totals; its first cell is `name`, and a column without a value stays empty. */
  readonly total?: { readonly name?: string; readonly row: Row } | undefined;
  /** Lets the user choose the columns, and remembers them under this name. */
  readonly remember?: string;
  readonly pages?: Pages | undefined;
  /** A click on a row's name, or the enter key on it. */
  readonly onPick?: ((row: Row) => void) | undefined;
  /** Whether a row can be clicked; without it all can. */
  readonly canPick?: (row: Row) => boolean;
}

/** The position in a longer list. */
export interface Pages {
  readonly from: number;
  readonly to: number;
  readonly of?: number | undefined;
  readonly previous?: (() => void) | undefined;
  readonly next?: (() => void) | undefined;
}

/** The chosen columns of each remembered table: one signal, however often it is shown. */
const chosenColumns = new Map<string, Signal<readonly string[] | undefined>>();

function chosenOf(name: string | undefined): Signal<readonly string[] | undefined> | undefined {
  if (name === undefined) return undefined;
  const choice = chosenColumns.get(name) ?? rememberedList(`columns.${name}`);
  chosenColumns.set(name, choice);
  return choice;
}

/** The columns that a user has chosen for a remembered table; undefined without a choice. */
export const chosenNames = (name: string): readonly string[] | undefined => chosenOf(name)?.value;

/** Whether a table is wider than its place. One that fits has no scroll box, so that its heading stays under the toolbar. */
function useFit() {
  const place = useRef<HTMLElement>(null);
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const box = place.current;
    const table = box?.querySelector("table");
    if (!box || !table) return;
    const look = (): void => setFits(table.scrollWidth <= box.clientWidth + 1);
    const observer = new ResizeObserver(look);
    observer.observe(box);
    observer.observe(table);
    look();
    return () => observer.disconnect();
  }, []);
  return [place, fits] as const;
}

/** A table whose first column names the row and stays visible while the table scrolls, as does its heading. */
export function Table<Row>(props: Props<Row>) {
  const { caption, rows, keyOf, sorting, initially, isCurrent, empty, total, pages, onPick, canPick, remember } = props;
  const [own, setOwn] = useState<Sorting | undefined>(initially);
  const [place, fits] = useFit();
  const choice = chosenOf(remember);
  const columns = choice
    ? props.columns.filter((column, n) => n === 0 || isShown(column, choice.value))
    : props.columns;
  const now = sorting ? sorting.now : own;
  const change = sorting ? sorting.change : setOwn;
  const shown = sorting ? rows : sorted(rows, columns, own);
  const most = new Map(
    columns.filter(({ bar }) => bar).map((column) => [column.key, column.most ?? mostOf(props.all ?? rows, column)]),
  );
  return (
    <>
      {choice && <ColumnChoice columns={props.columns.slice(1)} choice={choice} />}
      <section
        ref={place}
        class={`table ${fits ? "table-fits" : "table-scrolls"} ${rows.length > LONG ? "table-long" : ""}`}
        // Keyboard users must be able to scroll it.
        tabIndex={fits ? undefined : 0}
        aria-label={caption}
      >
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, n) => (
                <Head key={column.key} column={column} now={now} change={change} isName={n === 0} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, n) => (
              <tr key={keyOf(row, n)} class={isCurrent?.(row) ? "current" : ""}>
                {columns.map((column, at) => (
                  <Entry
                    key={column.key}
                    row={row}
                    column={column}
                    isName={at === 0}
                    most={most.get(column.key)}
                    onPick={at === 0 && canPick?.(row) !== false ? onPick : undefined}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          {total && rows.length > 0 && (
            <tfoot>
              <tr>
                {columns.map((column, at) => (
                  <TotalEntry key={column.key} total={total} column={column} isName={at === 0} />
                ))}
              </tr>
            </tfoot>
          )}
        </table>
        {rows.length === 0 && <p class="empty">{empty ?? t().empty.points}</p>}
      </section>
      {pages && rows.length > 0 && <PageBar pages={pages} />}
    </>
  );
}

/** With more rows, a table that scrolls sideways scrolls in its own box, so that its heading stays in sight. */
const LONG = 30;

const isShown = ({ key, isOptional }: { key: string; isOptional?: boolean }, chosen: readonly string[] | undefined) =>
  chosen === undefined ? !isOptional : chosen.includes(key);

/** The largest size of a column's values. */
function mostOf<Row>(rows: readonly Row[], column: Column<Row>): number {
  const values = rows.map((row) => column.value(row)).filter((value) => typeof value === "number");
  return Math.max(...values.map(Math.abs), 0);
}

function ColumnChoice<Row>(props: { columns: readonly Column<Row>[]; choice: Signal<readonly string[] | undefined> }) {
  const { columns, choice } = props;
  const words = t().table;
  const shown = columns.filter((column) => isShown(column, choice.value)).map(({ key }) => key);
  const toggle = (key: string): void => {
    const next = shown.includes(key) ? shown.filter((other) => other !== key) : [...shown, key];
    choice.value = columns.map((column) => column.key).filter((name) => next.includes(name));
  };
  return (
    <div class="table-tools">
      <Popover
        hasText
        label={words.columns}
        button={
          <>
            <Icon name="table" />
            {words.columns}
          </>
        }
        align="end"
        class="text-button quiet"
      >
        <div class="column-choice">
          {columns.map(({ key, label }) => (
            <label key={key}>
              <input type="checkbox" checked={shown.includes(key)} onChange={() => toggle(key)} />
              {label}
            </label>
          ))}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              choice.value = undefined;
            }}
          >
            {words.reset}
          </button>
        </div>
      </Popover>
    </div>
  );
}

/** "1–25 of 3,771" with the buttons to the neighbours. */
export function PageBar({ pages: { from, to, of, previous, next } }: { pages: Pages }) {
  const words = t().table;
  const count = (value: number): string => figure(value, "count");
  return (
    <nav class="page-bar" aria-label={words.pages}>
      <span>{of === undefined ? `${count(from)}–${count(to)}` : words.shown(count(from), count(to), count(of))}</span>
      <button type="button" class="icon-button" aria-label={words.previous} disabled={!previous} onClick={previous}>
        <span class="turned-left">
          <Icon name="down" />
        </span>
      </button>
      <button type="button" class="icon-button" aria-label={words.next} disabled={!next} onClick={next}>
        <span class="turned-right">
          <Icon name="down" />
        </span>
      </button>
    </nav>
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

interface EntryProps<Row> {
  readonly row: Row;
  readonly column: Column<Row>;
  readonly isName: boolean;
  /** The largest value of a column with bars. */
  readonly most: number | undefined;
  readonly onPick: ((row: Row) => void) | undefined;
}

function Entry<Row>({ row, column, isName, most, onPick }: EntryProps<Row>) {
  const content = column.show ? column.show(row) : <Value of={column.value(row)} column={column} row={row} />;
  if (isName) {
    const name = column.value(row);
    const named = typeof content === "string" || !column.show ? <span class="row-name">{content}</span> : content;
    return (
      <th scope="row" title={typeof name === "string" ? name : undefined}>
        {onPick ? (
          <button type="button" class="link" onClick={() => onPick(row)}>
            {named}
          </button>
        ) : (
          named
        )}
      </th>
    );
  }
  const value = column.value(row);
  const share = most && typeof value === "number" ? Math.min(1, Math.abs(value) / most) : undefined;
  const kinds = [column.unit ? "number" : "", column.tone?.(row) ?? "", share === undefined ? "" : "has-bar"];
  return (
    <td class={kinds.filter(Boolean).join(" ")} data-column={column.key}>
      {content}
      {share !== undefined && (
        <span class="cell-bar" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </td>
  );
}

function TotalEntry<Row>(props: {
  total: { readonly name?: string; readonly row: Row };
  column: Column<Row>;
  isName: boolean;
}) {
  const { total, column, isName } = props;
  if (isName) return <th scope="row">{total.name ?? t().table.total}</th>;
  const value = column.value(total.row);
  return (
    <td class={classOfTotal(column.unit, value)} data-column={column.key}>
      {value !== undefined && <Value of={value} column={column} row={total.row} />}
    </td>
  );
}

/** A total below 0 is a loss. */
const classOfTotal = (unit: Unit | undefined, value: string | number | null | undefined): string =>
  [unit ? "number" : "", typeof value === "number" && value < 0 ? "bad" : ""].filter(Boolean).join(" ");

function Value<Row>(props: { of: string | number | null | undefined; column: Column<Row>; row: Row }) {
  const { of: value, column, row } = props;
  if (value === null || value === undefined) return <NotAvailable reason={column.reason?.(row)} />;
  return <>{typeof value === "number" ? figure(value, column.unit ?? "number") : value}</>;
}

/** Rows without a value come last in both directions. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  by: Sorting | undefined,
): readonly Row[] {
  const column = columns.find(({ key }) => key === by?.by);
  if (!column || !by) return rows;
  return rows.toSorted((a, b) => {
    const [x, y] = [column.value(a) ?? null, column.value(b) ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return by.descending ? -order : order;
  });
}
