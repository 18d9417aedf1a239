import { useState } from "preact/hooks";
import { useAnswer } from "../../answer.ts";
import type { Rows as RowsAnswer } from "../../answers.ts";
import type { Answers } from "../../answerTypes.ts";
import type { Params, Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { Select, typed } from "../../components/Controls.tsx";
import { NotAvailable } from "../../components/NotAvailable.tsx";
import { Popover } from "../../components/Popover.tsx";
import { type Column, type Sorting, Table } from "../../components/Table.tsx";
import { defined } from "../../definitions.ts";
import { day, figure, instant, type Unit } from "../../format.ts";
import { known } from "../../moment.ts";
import { api, type Field, fieldsOf, type Parameter, parametersOf, rowEndpoints } from "../../openapi.ts";
import { arg, set } from "../../route.ts";
import { isAdmin } from "../../session.ts";
import { t } from "../../text.ts";

type Row = RowsAnswer["data"][number];

const OWN = ["organizationId", "page", "limit", "format", "all", "orderBy", "orderDirection", "locale", "headings"];
const LIMITS = ["25", "50", "100", "500"];
/** What people look for first. */
const FIRST = "/orders";

const recordOf = (path: string): string =>
  path
    .split("/")
    .slice(3)
    .join("/")
    .replace(/^ads\//, "");

/** The landed rows of every record that has some; tables, filters and columns come from the API document. */
export function Rows() {
  const quality = useAnswer<Answers["DataQuality"]>({ path: "/v1/data-quality", params: {} });
  const report = quality.state === "failed" ? undefined : quality.data;
  if (!api.value || (quality.state !== "failed" && !report)) return <p class="skeleton skeleton-large" />;
  const words = t().data;
  const endpoints = rowEndpoints();
  const rowsOf = (path: string): number | undefined => {
    const [connector, record] = [path.split("/")[2], recordOf(path)];
    const found = (report?.integrations ?? [])
      .filter((one) => one.connector === connector)
      .flatMap(({ records }) => records.filter((one) => one.record === record));
    return found.length === 0 ? undefined : found.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
  };
  const has = (path: string): boolean => (rowsOf(path) ?? 0) > 0;
  const connected = new Set(report?.integrations.map(({ connector }) => connector));
  const offered = report ? endpoints.filter(({ path }) => connected.has(path.split("/")[2] as never)) : endpoints;
  const sorted = offered.toSorted((a, b) => Number(has(b.path)) - Number(has(a.path)));
  const current =
    endpoints.find(({ path }) => path === arg("table")) ??
    sorted.find(({ path }) => path.endsWith(FIRST) && has(path)) ??
    sorted[0];
  if (!current) return null;
  const options = sorted.map(({ path, family }) => {
    // They are counted as of now.
    const rows = known.value ? undefined : rowsOf(path);
    const name = `${words.families[family] ?? family} · ${words.records[recordOf(path)] ?? recordOf(path)}`;
    return [path, rows === undefined ? name : `${name} (${figure(rows, "count")})`] as const;
  });
  return (
    <Browser
      key={current.path}
      path={current.path}
      total={known.value ? undefined : rowsOf(current.path)}
      title={options.find(([path]) => path === current.path)?.[1].replace(/ \([^)]*\)$/, "") ?? current.path}
      choice={
        <Select
          label={words.table}
          options={options}
          value={current.path}
          change={(table) => set({ tab: "rows", table, sort: "", order: "", page: "" })}
        />
      }
    />
  );
}

interface BrowserProps {
  readonly path: string;
  readonly title: string;
  /** The rows in force, without filters. */
  readonly total: number | undefined;
  readonly choice: preact.ComponentChildren;
}

/** Filters are not in the address, because they may contain personal data such as an e-mail. */
function Browser({ path, title, total, choice }: BrowserProps) {
  const [filters, setFilters] = useState<Params>({});
  const words = t().data;
  const parameters = parametersOf(path);
  const isSortable = parameters.some(({ name }) => name === "orderBy");
  const sorting: Sorting | undefined = arg("sort")
    ? { by: arg("sort"), descending: arg("order") === "desc" }
    : undefined;
  const order: Params = sorting ? { orderBy: sorting.by, orderDirection: sorting.descending ? "DESC" : "ASC" } : {};
  const limit = LIMITS.includes(arg("limit")) ? Number(arg("limit")) : 50;
  const query: Query = { path, params: { ...filters, ...order, page: arg("page") || 1, limit } };
  const answer = useAnswer<RowsAnswer>(query);
  const fields = fieldsOf(path, "data");
  const used = Object.values(filters).filter((value) => value !== "").length;
  return (
    <Card
      name="rows"
      title={title}
      query={query}
      whole={{ path, params: { ...filters, ...order, all: true } }}
      answer={answer}
      height="large"
      controls={
        <div class="list-tools">
          {choice}
          <Popover
            label={words.filters}
            class="text-button"
            button={used > 0 ? words.filtersOn(String(used)) : words.filters}
          >
            {(close) => (
              <FilterForm
                parameters={parameters.filter(
                  ({ name }) => !OWN.includes(name) && (isAdmin.value || !isPersonal(name, fields)),
                )}
                filters={filters}
                change={(next) => {
                  setFilters(next);
                  set({ page: "" });
                  close();
                }}
              />
            )}
          </Popover>
          {used > 0 && (
            <button type="button" class="quiet" onClick={() => setFilters({})}>
              {words.clear}
            </button>
          )}
          <Select
            label={words.perPage}
            options={LIMITS.map((count) => [count, count] as const)}
            value={String(limit)}
            change={(next) => set({ limit: next, page: "" })}
          />
        </div>
      }
    >
      {({ data, meta }) => {
        const columns = ordered(fields, data);
        const empty = columns.filter(({ isEmpty }) => isEmpty).length;
        const from = (meta.page - 1) * meta.limit + 1;
        return (
          <>
            <Table
              caption={title}
              rows={data}
              keyOf={(row, n) => String(row.document_id ?? n)}
              columns={columns.map((one) => columnOf(one.field, isSortable, one.isEmpty))}
              empty={words.noRows}
              remember={`rows.${path}`}
              sorting={{
                now: sorting,
                change: ({ by, descending }) => set({ sort: by, order: descending ? "desc" : "", page: "" }),
              }}
              pages={{
                from,
                to: from + data.length - 1,
                of: used === 0 ? total : undefined,
                previous: meta.hasPreviousPage
                  ? () => set({ page: meta.page > 2 ? String(meta.page - 1) : "" })
                  : undefined,
                next: meta.hasNextPage ? () => set({ page: String(meta.page + 1) }) : undefined,
              }}
            />
            {empty > 0 && data.length > 0 && <p class="note">{words.emptyColumns(figure(empty, "count"))}</p>}
          </>
        );
      }}
    </Card>
  );
}

/** The columns that have values first; the ids that every row shares say nothing, and come last of them. */
function ordered(fields: readonly Field[], rows: readonly Row[]) {
  const marked = fields.map((field) => ({
    field,
    isEmpty: rows.length > 0 && rows.every((row) => (row[field.name] ?? null) === null),
    isInternal: /^(user_id|connection_id|integration_name|ingested_at|document_id|id)$/i.test(snake(field.name)),
  }));
  const rank = ({ isEmpty, isInternal }: (typeof marked)[number]): number => (isEmpty ? 2 : isInternal ? 1 : 0);
  return marked.toSorted((a, b) => rank(a) - rank(b));
}

const snake = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1_$2");

/** Personal data are null for those who only read, and a filter of them is refused. */
const isPersonal = (filter: string, fields: readonly Field[]): boolean =>
  fields.some(({ name, description }) => name === snake(filter) && description.includes("personal data"));

interface FormProps {
  readonly parameters: readonly Parameter[];
  readonly filters: Params;
  readonly change: (next: Params) => void;
}

function FilterForm({ parameters, filters, change }: FormProps) {
  const words = t().data;
  return (
    <form
      class="filter-box"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget);
        change(Object.fromEntries([...sent].map(([name, value]) => [name, String(value).trim()])));
      }}
    >
      {parameters.map(({ name, description, schema }) => (
        <label key={name} class="field" title={defined(description)}>
          <span>{label(name)}</span>
          <input
            name={name}
            {...typed(schema.anyOf?.some(({ format }) => format === "date") ? "date" : "text")}
            value={String(filters[name] ?? "")}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        {words.apply}
      </button>
    </form>
  );
}

/** A vendor's name as words: `campaign_name` → `Campaign name`. */
function label(name: string): string {
  const words = snake(name).replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function columnOf({ name, unit, description }: Field, isSortable: boolean, isEmpty: boolean): Column<Row> {
  const hint = defined(description);
  const isNumber = !["day", "instant", "flag", "text"].includes(unit);
  return {
    key: name,
    label: name,
    ...(hint ? { hint } : {}),
    sortable: isSortable,
    isOptional: isEmpty,
    ...(isNumber ? { unit: unit as Unit } : {}),
    value: (row) => row[name] as string | number | null,
    show: (row) => {
      const value = row[name];
      return value === null || value === undefined ? (
        <NotAvailable reason={t().reason.not_reported} />
      ) : (
        <span class="clip" title={String(value)}>
          {shown(value, unit)}
        </span>
      );
    },
  };
}

/** Shows a landed value; only numbers, days, instants and flags are formatted in the chosen language. */
function shown(value: unknown, unit: Field["unit"]): string {
  if (unit === "flag") return value ? t().yes : t().no;
  if (unit === "day") return day(String(value));
  if (unit === "instant") return instant(String(value));
  // An amount is in the currency of its row, which is in another column.
  if (typeof value === "number")
    return figure(value, unit === "text" || unit === "currency" ? "number" : (unit as Unit));
  return String(value);
}
