import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, useAnswer } from "../answer.ts";
import type { Answers } from "../answerTypes.ts";
import type { Query } from "../api.ts";
import { XYChart } from "../charts/XYChart.tsx";
import { Banner } from "../components/Banner.tsx";
import { Card } from "../components/Card.tsx";
import { Select, wordsOf } from "../components/Controls.tsx";
import { EmptySmall } from "../components/EmptySmall.tsx";
import { Popover } from "../components/Popover.tsx";
import { Segmented } from "../components/Segmented.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { figure } from "../format.ts";
import { arg, oneOf, set } from "../route.ts";
import { organization } from "../session.ts";
import { usePeriod } from "../stores.ts";
import { lang, said } from "../text.ts";
import { sql as WORDS } from "../words/later/sql.ts";
import { lineIn, rangeOf } from "./sqlPlace.ts";

type Result = Answers["Sql"];
type Cells = readonly unknown[];

const PATH = "/v1/sql";
const LONGEST = 8_192;
const MOST_POINTS = 400;
const MOST_KEPT = 20;
/** The result's rows that the table shows at once. */
const PAGE = 100;

/** The queries that this tab has run, the last one first: nothing is stored. */
const history = signal<readonly string[]>([]);

/** The queries that the user has run, each with its organization: the text of a link waits for a click. */
const confirmed = signal<ReadonlySet<string>>(new Set());
const confirmationOf = (query: string): string => `${organization.value?.id} ${query}`;

const EXAMPLES: Readonly<Record<string, string>> = {
  months: `select date_trunc('month', ordered_on)::date as month,
       count(*) as orders,
       sum(revenue)::double as revenue
from orders
group by all
order by month`,
  channels: `select channel,
       sum(revenue)::double as revenue,
       count(*) as orders,
       count(*) filter (where order_no = 1) as first_orders
from orders
group by all
order by revenue desc, channel`,
  weekdays: `select isodow(ordered_on) as weekday,
       count(*) as orders,
       sum(revenue)::double as revenue
from orders
group by all
order by weekday`,
  products: `select product_id,
       any_value(name) as name,
       sum(sold_units)::double as units,
       sum(value)::double as sales
from order_lines
group by product_id
order by sales desc nulls last, product_id
limit 50`,
  repeat: `with purchases as (
    select customer_no, order_no, min(ordered_on) as bought_on
    from orders
    where customer_no is not null and order_no <= 2
    group by all
)
select 30 * ((second.bought_on - first.bought_on) // 30) as days,
       count(*) as customers
from purchases as first
join purchases as second using (customer_no)
where first.order_no = 1 and second.order_no = 2
group by all
order by days`,
  period: `select ordered_on, count(*) as orders, sum(revenue)::double as revenue
from selected_orders()
group by all
order by ordered_on`,
};

const SCHEMA = `select table_name, column_name, data_type
from information_schema.columns
order by table_name, ordinal_position`;

/** Runs the user's own query over the views of the organization. */
export function Sql() {
  const { from, to } = usePeriod();
  const words = said(WORDS);
  const asked = arg("query");
  const [text, setText] = useState(asked);
  const editor = useRef<HTMLTextAreaElement>(null);
  const isConfirmed = asked !== "" && confirmed.value.has(confirmationOf(asked));
  // The back button shows the query of that step again.
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (isConfirmed) history.value = [asked, ...history.peek().filter((it) => it !== asked)].slice(0, MOST_KEPT);
  }, [asked, isConfirmed]);
  const period = { startDate: from, endDate: to };
  const query: Query = { path: PATH, params: { query: asked, ...period } };
  const answer = useAnswer<Result>(isConfirmed ? query : undefined);
  const schema = useAnswer<Result>({ path: PATH, params: { query: SCHEMA, limit: 5_000 } });
  const isTooLong = text.length > LONGEST;
  const run = (next: string): void => {
    setText(next);
    if (next.trim() === "" || next.length > LONGEST) return;
    confirmed.value = new Set([...confirmed.peek(), confirmationOf(next)]);
    if (next !== asked) set({ query: next, x: "", y: "", show: "" });
  };
  const insert = (name: string): void => {
    const area = editor.current;
    if (!area) return;
    area.focus();
    area.setRangeText(name, area.selectionStart, area.selectionEnd, "end");
    setText(area.value);
  };
  const select = (line: number): void => {
    const area = editor.current;
    if (!area) return;
    const [start, end] = rangeOf(area.value, line);
    area.focus();
    area.setSelectionRange(start, end);
  };
  const isRunning = isConfirmed && answer.state === "waiting";
  return (
    <div class="page">
      <section class="card-box span-9 sql-card" aria-labelledby="query-title" data-picture="query">
        <header class="card-head">
          <div class="card-titles">
            <h2 id="query-title">{words.query}</h2>
            <p class="card-question">{words.queryQuestion}</p>
          </div>
          <div class="card-tools">
            <Popover label={words.examples} button={words.examples} class="text-button" align="end">
              {(close) => (
                <div class="menu">
                  {Object.entries(EXAMPLES).map(([name, example]) => (
                    <button
                      key={name}
                      type="button"
                      class="menu-entry"
                      onClick={() => {
                        close();
                        run(example);
                      }}
                    >
                      {words.exampleNames[name] ?? name}
                    </button>
                  ))}
                </div>
              )}
            </Popover>
            <Popover label={words.history} button={words.history} class="text-button" align="end">
              {(close) => (
                <div class="menu sql-history">
                  {history.value.length === 0 && <p class="menu-note">{words.noHistory}</p>}
                  {history.value.map((former) => (
                    <button
                      key={former}
                      type="button"
                      class="menu-entry"
                      onClick={() => {
                        close();
                        run(former);
                      }}
                    >
                      <code>{former.replaceAll(/\s+/g, " ").slice(0, 120)}</code>
                    </button>
                  ))}
                </div>
              )}
            </Popover>
          </div>
        </header>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            run(text);
          }}
        >
          <textarea
            ref={editor}
            class="sql-editor"
            aria-label={words.editor}
            aria-describedby="sql-help"
            rows={9}
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            wrap="off"
            value={text}
            placeholder="select …"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => keyed(event, run, setText)}
          />
          <div class="sql-actions">
            <button type="submit" class="primary" disabled={isTooLong || text.trim() === ""}>
              {isRunning ? words.running : words.run}
            </button>
            <p id="sql-help" class="note">
              {words.help} {words.period}
            </p>
          </div>
          {isTooLong && <Banner tone="warn">{words.tooLong(figure(text.length, "count"))}</Banner>}
          {answer.state === "failed" && answer.failure.kind === "invalid" && (
            <div class="sql-failure" role="alert">
              <strong>{words.failed}</strong>
              <pre>{answer.failure.message}</pre>
              {lineIn(answer.failure.message) !== undefined && (
                <button type="button" class="quiet" onClick={() => select(lineIn(answer.failure.message) ?? 1)}>
                  {words.goToLine(String(lineIn(answer.failure.message)))}
                </button>
              )}
            </div>
          )}
        </form>
      </section>
      <SchemaCard answer={schema} insert={insert} />
      {!isConfirmed ? (
        <EmptySmall>{asked === "" ? words.start : words.unconfirmed}</EmptySmall>
      ) : (
        !(answer.state === "failed" && answer.failure.kind === "invalid") && (
          <ResultCard query={query} answer={answer} />
        )
      )}
    </div>
  );
}

/** Escape lets the next Tab leave the editor, so that nobody is caught in it. */
let tabLeaves = false;

function keyed(
  event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement },
  run: (text: string) => void,
  change: (text: string) => void,
): void {
  const area = event.currentTarget;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run(area.value);
  } else if (event.key === "Escape") {
    tabLeaves = true;
  } else if (event.key === "Tab" && !tabLeaves && !event.shiftKey && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    area.setRangeText("  ", area.selectionStart, area.selectionEnd, "end");
    change(area.value);
  } else if (event.key !== "Shift") {
    tabLeaves = false;
  }
}

/** The tables and their columns; a click inserts a name at the cursor. */
function SchemaCard({ answer, insert }: { answer: Answer<Result>; insert: (name: string) => void }) {
  const words = said(WORDS);
  const [search, setSearch] = useState("");
  return (
    <Card
      name="schema"
      title={words.schema}
      query={{ path: PATH, params: { query: SCHEMA, limit: 5_000 } }}
      answer={answer}
      span={3}
      height="large"
    >
      {({ rows }) => {
        const tables = byTable(rows as readonly (readonly string[])[]);
        const wanted = search.trim().toLowerCase();
        const found = [...tables].filter(
          ([table, columns]) =>
            wanted === "" ||
            table.includes(wanted) ||
            (words.tables[table] ?? "").toLowerCase().includes(wanted) ||
            columns.some(([, column = ""]) => column.includes(wanted)),
        );
        return (
          <>
            <label class="field sql-search">
              <span class="unseen">{words.schemaSearch}</span>
              <input
                type="search"
                placeholder={words.schemaSearch}
                value={search}
                onInput={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            </label>
            <div class="sql-schema">
              {found.map(([table, columns]) => (
                <details key={table} data-table={table}>
                  <summary>
                    <code>{table}</code>
                    <small>{words.tables[table]}</small>
                  </summary>
                  <ul aria-label={words.columnsOf(table, String(columns.length))}>
                    {[["", table, ""], ...columns].slice(1).map(([, column = "", type = ""]) => (
                      <li key={column}>
                        <button
                          type="button"
                          class="link"
                          aria-label={words.insert(column)}
                          onClick={() => insert(column)}
                        >
                          <code>{column}</code>
                        </button>
                        <small>{[type.toLowerCase(), words.columns[column]].filter(Boolean).join(" · ")}</small>
                      </li>
                    ))}
                  </ul>
                </details>
              ))}
            </div>
          </>
        );
      }}
    </Card>
  );
}

function byTable(rows: readonly (readonly string[])[]): ReadonlyMap<string, readonly (readonly string[])[]> {
  const tables = new Map<string, (readonly string[])[]>();
  for (const row of rows) {
    const [table = ""] = row;
    tables.set(table, [...(tables.get(table) ?? []), row]);
  }
  return tables;
}

const isNumeric = (result: Result, n: number): boolean =>
  result.rows.some((row) => typeof row[n] === "number") &&
  result.rows.every((row) => row[n] === null || typeof row[n] === "number");

function ResultCard({ query, answer }: { query: Query; answer: Answer<Result> }) {
  const words = said(WORDS);
  const shown = oneOf("show", ["table", "chart"]);
  return (
    <Card
      name="result"
      title={words.result}
      query={query}
      whole={{ path: PATH, params: { ...query.params, limit: 10_000 } }}
      answer={answer}
      height="large"
      controls={
        <Segmented
          label={words.show}
          options={[
            ["table", words.resultTable],
            ["chart", words.resultChart],
          ]}
          value={shown}
          change={(next) => set({ show: next === "table" ? "" : next })}
        />
      }
    >
      {(result) => (
        <>
          <p class="note" role="status">
            {words.rows(figure(result.rowCount, "count"))}
          </p>
          {result.truncated && <Banner tone="info">{words.truncated(figure(result.rowCount, "count"))}</Banner>}
          {result.rowCount === 0 ? (
            <EmptySmall>{words.empty}</EmptySmall>
          ) : shown === "chart" ? (
            <ResultChart result={result} />
          ) : (
            <ResultTable key={`${organization.value?.id} ${String(query.params.query)}`} result={result} />
          )}
        </>
      )}
    </Card>
  );
}

function ResultTable({ result: { columns, rows } }: { result: Result }) {
  const [page, setPage] = useState(0);
  const first = page * PAGE;
  const isNumber = columns.map((_, n) => isNumeric({ columns, rows } as Result, n));
  const writers = columns.map(({ name }, n) =>
    numbersOf(
      name,
      rows.map((row) => row[n]),
    ),
  );
  return (
    <Table
      caption={said(WORDS).result}
      rows={rows.slice(first, first + PAGE) as readonly Cells[]}
      keyOf={(_, n) => String(first + n)}
      columns={columns.map(
        ({ name, type }, n): Column<Cells> => ({
          key: `${n}`,
          label: name,
          hint: type,
          ...(isNumber[n] ? { unit: "number" } : {}),
          value: (row) => cellOf(row[n]),
          show: (row) => shownCell(row[n], writers[n] ?? String),
        }),
      )}
      pages={
        rows.length > PAGE
          ? {
              from: first + 1,
              to: Math.min(first + PAGE, rows.length),
              of: rows.length,
              previous: page > 0 ? () => setPage(page - 1) : undefined,
              next: first + PAGE < rows.length ? () => setPage(page + 1) : undefined,
            }
          : undefined
      }
    />
  );
}

const cellOf = (value: unknown): string | number | null =>
  value === null || value === undefined || typeof value === "number" ? (value ?? null) : textOf(value);

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** As SQL writes it, in both languages. */
const NULL = "null";

/** The engine's own values, null as SQL names it. */
function shownCell(value: unknown, write: (value: number) => string) {
  if (value === null || value === undefined) return <span class="nd">{NULL}</span>;
  if (typeof value === "number") return <span title={String(value)}>{write(value)}</span>;
  const text = textOf(value);
  return (
    <span class="clip" title={text.length > 40 ? text : undefined}>
      {text}
    </span>
  );
}

/** Ids and years have no separators of thousands. */
const NAMES_ONLY = /(^|_)(id|no|number|key|year|ano)$/i;
const MOST_DECIMALS = 6;

/** The numbers of a column with as many decimals as the one with most of them, so that they can be compared. */
function numbersOf(name: string, values: readonly unknown[]): (value: number) => string {
  const decimals = values.map((value) =>
    typeof value === "number" ? (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) : 0,
  );
  const digits = Math.min(
    MOST_DECIMALS,
    decimals.reduce((most, it) => Math.max(most, it), 0),
  );
  const format = new Intl.NumberFormat(lang.value === "pt" ? "pt-BR" : "en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: !NAMES_ONLY.test(name),
  });
  return (value) => format.format(value).replace("-", "−");
}

/** A column against another one, which the user chooses. */
function ResultChart({ result }: { result: Result }) {
  const words = said(WORDS);
  const { columns, rows } = result;
  const numeric = columns.flatMap((_, n) => (isNumeric(result, n) ? [n] : []));
  if (numeric.length === 0) return <EmptySmall>{words.noChart}</EmptySmall>;
  const place = (name: string, among: readonly number[], usual: number): number => {
    const found = columns.findIndex((column) => column.name === arg(name));
    return among.includes(found) ? found : usual;
  };
  const all = columns.map((_, n) => n);
  const x = place("x", all, all.find((n) => !numeric.includes(n)) ?? 0);
  const y = place("y", numeric, numeric.findLast((n) => n !== x) ?? numeric[0] ?? 0);
  const isDated = /^(DATE|TIMESTAMP)/.test(columns[x]?.type ?? "");
  const kind = arg("kind") === "line" || (arg("kind") === "" && isDated) ? "line" : "bar";
  const shown = rows.slice(0, MOST_POINTS);
  const option = (n: number): readonly [string, string] => [columns[n]?.name ?? "", columns[n]?.name ?? ""];
  const label = `${columns[y]?.name ?? ""} · ${columns[x]?.name ?? ""}`;
  return (
    <>
      <div class="list-tools">
        <Select
          label={words.x}
          options={all.map(option)}
          value={columns[x]?.name ?? ""}
          change={(it) => set({ x: it })}
        />
        <Select
          label={words.y}
          options={numeric.map(option)}
          value={columns[y]?.name ?? ""}
          change={(it) => set({ y: it })}
        />
        <Segmented label={words.kind} options={wordsOf(words.kinds)} value={kind} change={(it) => set({ kind: it })} />
      </div>
      <XYChart
        label={label}
        unit="number"
        height="large"
        bare
        points={shown.map((row, n) => ({
          key: String(n),
          label: textOf(row[x] ?? "null").slice(0, 16),
          title: textOf(row[x] ?? "null"),
        }))}
        series={[
          {
            key: "y",
            name: columns[y]?.name ?? "",
            as: kind,
            color: "accent",
            values: shown.map((row) => row[y] as number | null),
          },
        ]}
      />
      {rows.length > shown.length && <p class="note">{words.chartCut(figure(shown.length, "count"))}</p>}
    </>
  );
}
