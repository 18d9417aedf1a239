import { useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Rows } from "../answers.ts";
import type { Params, Query } from "../api.ts";
import { Definitions, Save } from "../components/Actions.tsx";
import { Bar, Select, typed } from "../components/Controls.tsx";
import { Picture } from "../components/Picture.tsx";
import { type Column, NotAvailable, type Sorting, Table } from "../components/Table.tsx";
import { day, figure, instant, type Unit } from "../format.ts";
import { api, type Field, fieldsOf, formatsOf, type Parameter, parametersOf, rowEndpoints } from "../openapi.ts";
import { arg, set } from "../route.ts";
import { t } from "../text.ts";
import { Pages } from "./Products.tsx";

const OWN = ["organizationId", "page", "limit", "format", "all", "orderBy", "orderDirection"];

/** The landed rows of every record; tables, filters and columns come from the API document. */
export function Data() {
  const endpoints = rowEndpoints();
  const current = endpoints.find(({ path }) => path === arg("table")) ?? endpoints[0];
  if (!api.value || !current) return <p class="skeleton">{t().loading}</p>;
  const families = t().data.families;
  const options = endpoints.map(
    ({ path, family }) => [path, `${families[family] ?? family} · ${path.split("/").slice(3).join("/")}`] as const,
  );
  return (
    <div class="view">
      <Bar label={t().data.endpoint}>
        <Select
          label={t().data.endpoint}
          options={options}
          value={current.path}
          change={(table) => set({ table, sort: "", order: "", page: "" })}
        />
      </Bar>
      <Browser key={current.path} path={current.path} />
    </div>
  );
}

/** Filters are not in the address, because they may contain personal data such as an e-mail. */
function Browser({ path }: { path: string }) {
  const [filters, setFilters] = useState<Params>({});
  const words = t().data;
  const parameters = parametersOf(path);
  const isSortable = parameters.some(({ name }) => name === "orderBy");
  const sorting: Sorting | undefined = arg("sort")
    ? { by: arg("sort"), descending: arg("order") === "desc" }
    : undefined;
  const order: Params = sorting ? { orderBy: sorting.by, orderDirection: sorting.descending ? "DESC" : "ASC" } : {};
  const selection = { ...filters, ...order };
  const query: Query = { path, params: { ...selection, page: arg("page") || 1, limit: arg("limit") || 50 } };
  const answer = useAnswer<Rows>(query);
  const fields = fieldsOf(path, "data");
  return (
    <>
      <form
        class="filters wide"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          const sent = new FormData(event.currentTarget);
          setFilters(Object.fromEntries([...sent].map(([name, value]) => [name, String(value).trim()])));
          set({ page: "" });
        }}
        onReset={() => {
          setFilters({});
          set({ page: "" });
        }}
      >
        <fieldset>
          <legend>{words.filters}</legend>
          {parameters
            .filter(({ name }) => !OWN.includes(name))
            .map((parameter) => (
              <Filter key={parameter.name} parameter={parameter} />
            ))}
          <div class="filter-actions">
            <button type="submit" class="primary">
              {words.apply}
            </button>
            <button type="reset" class="quiet">
              {words.clear}
            </button>
          </div>
        </fieldset>
      </form>
      <Picture
        name="rows"
        title={path.replace("/v1/", "")}
        wide
        query={query}
        answer={answer}
        controls={
          <Select
            label={words.perPage}
            options={["25", "50", "100", "500"].map((count) => [count, count] as const)}
            value={arg("limit") || "50"}
            change={(limit) => set({ limit, page: "" })}
          />
        }
      >
        {({ data, meta }) => (
          <>
            <Table
              caption={path}
              rows={data}
              keyOf={(row, n) => String(row.document_id ?? n)}
              columns={fields.map((field) => columnOf(field, isSortable))}
              empty={t().empty.rows}
              sorting={{
                now: sorting,
                change: ({ by, descending }) => set({ sort: by, order: descending ? "desc" : "", page: "" }),
              }}
            />
            <Pages text={words.page(meta.page)} page={meta.page} hasNext={meta.hasNextPage} />
            <section class="export" aria-label={words.exportAll}>
              <span>{words.exportNote}</span>
              {formatsOf(path).map((format) => (
                <Save key={format} query={{ path, params: { ...selection, all: true } }} format={format} />
              ))}
            </section>
            <Definitions path={path} list="data" names={fields.map(({ name }) => name)} />
          </>
        )}
      </Picture>
    </>
  );
}

function Filter({ parameter: { name, description, schema } }: { parameter: Parameter }) {
  const type = schema.anyOf?.some(({ format }) => format === "date") ? "date" : "text";
  return (
    <label class="field" title={description}>
      <span>{name}</span>
      <input name={name} {...typed(type)} autocomplete="off" spellcheck={false} />
    </label>
  );
}

function columnOf({ name, unit, description }: Field, isSortable: boolean): Column<Rows["data"][number]> {
  const isNumber = !["day", "instant", "flag", "text"].includes(unit);
  return {
    key: name,
    label: name,
    hint: description,
    sortable: isSortable,
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
