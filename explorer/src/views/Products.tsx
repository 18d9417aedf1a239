import type { ComponentChildren } from "preact";
import { type Answer, useAnswer } from "../answer.ts";
import type { Categories, Category, Listing, Product } from "../answers.ts";
import type { Params, Query } from "../api.ts";
import { BarList } from "../charts/BarList.tsx";
import { Banner } from "../components/Banner.tsx";
import { Card } from "../components/Card.tsx";
import { Input, Select, wordsOf } from "../components/Controls.tsx";
import { EmptySmall } from "../components/EmptySmall.tsx";
import { Figure } from "../components/Figure.tsx";
import { Popover } from "../components/Popover.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { Thumb } from "../components/Thumb.tsx";
import { daysBefore, today } from "../days.ts";
import { day, figure, range } from "../format.ts";
import { parametersOf } from "../openapi.ts";
import { arg, hashOf, oneOf, route, set } from "../route.ts";
import { lastDay, useCompared, useStores, useYear } from "../stores.ts";
import { t } from "../text.ts";
import { metricColumn, metricsOf } from "./metrics.ts";

const PATH = "/v1/products";
const PAGE = 25;
const RANGES = ["netSales", "marginTotal", "marginAverage", "availableStock"] as const;
/** Shown without a choice, in the order of the table. */
const SHOWN = [
  "netSales",
  "marginTotal",
  "marginAverage",
  "netUnits",
  "averageTicket",
  "newCustomers",
  "ltv180",
  "repurchaseRate180",
  "availableStock",
  "daysOfStock",
  "returnRate",
];
const BARS = ["netSales", "marginTotal", "netUnits"];
/** They count the days before today, whatever the period. */
const UNTIL_TODAY = ["velocity30d", "daysOfStock"];
const TOTALS = "netSales,grossSales,marginTotal,netUnits,grossUnits,cogs";
const FILTERS = ["status", "category", ...RANGES.flatMap((name) => [minOf(name), maxOf(name)])];

function minOf(name: string): string {
  return `min${name[0]?.toUpperCase()}${name.slice(1)}`;
}
function maxOf(name: string): string {
  return `max${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** The store that the product views show. */
export function useStore() {
  const stores = useStores();
  return stores.find(({ sourceIntegrationId }) => sourceIntegrationId === arg("store")) ?? stores[0];
}

/** Whether what counts until today has nothing to count: the data end more than its 30 days ago. */
export function useOldData(): string | undefined {
  const last = lastDay(useStores());
  return last < daysBefore(today(), 30) ? last : undefined;
}

const filter = (changes: Readonly<Record<string, string>>): void => set({ ...changes, page: "" });

export function Products() {
  const { from, to, isCut } = useYear();
  const compared = useCompared({ from, to });
  const stores = useStores();
  const store = useStore();
  const old = useOldData();
  const words = t().products;
  const scope = { integrationId: store?.sourceIntegrationId };
  const period: Params = { ...scope, dateFrom: from, dateTo: to };
  const selection: Params = {
    search: arg("search"),
    ...Object.fromEntries(FILTERS.filter((name) => name !== "category").map((name) => [name, arg(name)])),
    categoryIds: arg("category"),
  };
  const sorting = { by: arg("sort") || "netSales", descending: arg("order") !== "asc" };
  const order: Params = { sortBy: sorting.by, sortOrder: sorting.descending ? "desc" : "asc" };
  const query: Query = {
    path: PATH,
    params: { ...period, ...selection, ...order, page: arg("page") || 1, pageSize: PAGE, includeCategories: false },
  };
  const totalQuery: Query = { path: `${PATH}/categories`, params: { ...period, ...selection, columns: TOTALS } };
  const mapQuery: Query = { path: `${PATH}/categories`, params: { ...period, columns: TOTALS } };
  const beforeQuery: Query | undefined = compared && {
    ...totalQuery,
    params: { ...totalQuery.params, dateFrom: compared.from, dateTo: compared.to },
  };
  const list = useAnswer<Listing>(store && query);
  const totals = useAnswer<Categories>(store && totalQuery);
  const before = useAnswer<Categories>(store && compared && beforeQuery);
  const map = useAnswer<Categories>(store && mapQuery);
  if (!store) return <EmptySmall>{words.noStores}</EmptySmall>;
  const total = dataOf(totals) && totalOf(dataOf(totals)?.categories ?? []);
  const past = dataOf(before) && totalOf(dataOf(before)?.categories ?? []);
  const sortable = parametersOf(PATH).find(({ name }) => name === "sortBy")?.schema.enum ?? [];
  return (
    <div class="page">
      {isCut && <Banner tone="info">{words.cut(range(from, to))}</Banner>}
      <Card name="totals" title={words.totals} query={totalQuery} answer={totals} height="small">
        {() => (
          <div class="figures">
            {(
              [
                ["netSales", "currency"],
                ["marginTotal", "currency"],
                ["marginAverage", "ratio"],
                ["netUnits", "units"],
              ] as const
            ).map(([name, unit]) => (
              <Figure
                key={name}
                name={name}
                label={t().metric[name] ?? name}
                unit={unit}
                better="more"
                value={total?.[name] ?? null}
                reason={t().reason[name === "netSales" ? "no_value" : "incomplete_cost"]}
                note={total?.[name] === null ? name === "marginTotal" ? <WithoutCost /> : "" : undefined}
                before={compared ? (past?.[name] ?? null) : undefined}
                change={changeOf(total?.[name], past?.[name])}
                incomplete={compared && !compared.isComplete ? compared : undefined}
              />
            ))}
          </div>
        )}
      </Card>
      <Card
        name="products"
        title={words.list}
        question={words.listQuestion}
        query={query}
        whole={{
          path: PATH,
          params: { ...period, ...selection, ...order, all: true },
        }}
        answer={list}
        height="large"
        controls={<ListTools stores={stores.length > 1} map={map} />}
      >
        {({ data, pagination }) => {
          const isMixed = data.some(({ status }) => status === "active");
          const last = Math.min(pagination.total, pagination.page * pagination.pageSize);
          return (
            <>
              {old !== undefined && <p class="note">{words.oldStock(day(old))}</p>}
              <Table
                caption={words.list}
                rows={data}
                keyOf={({ productId }) => productId}
                empty={words.none}
                remember="products"
                sorting={{
                  now: sorting,
                  change: ({ by, descending }) => filter({ sort: by, order: descending ? "" : "asc" }),
                }}
                columns={[nameColumn(isMixed), ...columnsOf(data, sortable, old !== undefined, total)]}
                total={
                  total && {
                    name: pagination.total === 1 ? words.totalOne : words.total(figure(pagination.total, "count")),
                    row: total as unknown as Product,
                  }
                }
                pages={{
                  from: (pagination.page - 1) * pagination.pageSize + 1,
                  to: last,
                  of: pagination.total,
                  previous:
                    pagination.page > 1
                      ? () => set({ page: pagination.page > 2 ? String(pagination.page - 1) : "" })
                      : undefined,
                  next:
                    pagination.page < pagination.totalPages
                      ? () => set({ page: String(pagination.page + 1) })
                      : undefined,
                }}
              />
            </>
          );
        }}
      </Card>
      <CategoriesCard query={mapQuery} answer={map} />
    </div>
  );
}

/** Why there is no margin, with the way to what lacks a cost. */
const WithoutCost = () => <a href={hashOf("data")}>{t().products.withoutCost}</a>;

const dataOf = <T,>(answer: Answer<T>): T | undefined => (answer.state === "failed" ? undefined : answer.data);

function changeOf(now: number | null | undefined, before: number | null | undefined): number | null {
  if (now === null || now === undefined || before === null || before === undefined || before <= 0) return null;
  return ((now - before) / before) * 100;
}

type Totals = Readonly<Record<string, number | null>>;

/** Of all selected products: a department includes everything below it. A sum of which a part is unknown is unknown. */
export function totalOf(categories: readonly Category[]): Totals {
  const departments = categories.filter(({ depth }) => depth === 0);
  const sum = (name: string): number | null => {
    const values = departments.map((one) => (one as unknown as Totals)[name] ?? null);
    // In cents, so that the sum is exact.
    return values.includes(null)
      ? null
      : Math.round(values.reduce<number>((all, it) => all + (it ?? 0) * 100, 0)) / 100;
  };
  const [netSales, marginTotal] = [sum("netSales"), sum("marginTotal")];
  return {
    netSales,
    marginTotal,
    marginAverage: netSales !== null && marginTotal !== null && netSales > 0 ? marginTotal / netSales : null,
    ...Object.fromEntries(["grossSales", "netUnits", "grossUnits", "cogs"].map((name) => [name, sum(name)])),
  };
}

function nameColumn(isMixed: boolean): Column<Product> {
  const words = t().products;
  return {
    key: "productName",
    label: words.product,
    value: ({ productName, productId }) => productName ?? productId,
    show: ({ productId, productName, status, categoryId, categoryName, imageUrl }) => {
      const about = [
        productName === null ? undefined : productId,
        categoryId === "uncategorized" ? undefined : (categoryName ?? categoryId),
        isMixed && status === "inactive" ? words.inactive : undefined,
      ].filter((text) => text !== undefined);
      return (
        <span class="product-name">
          <Thumb name={productName ?? productId} url={imageUrl} />
          <span>
            <a href={hashOf("products", { ...route.value.args, product: productId })}>{productName ?? productId}</a>
            <small>{about.join(" · ")}</small>
          </span>
        </span>
      );
    },
  };
}

/** The figures in the order of importance. What is unknown in all rows, or counts days without data, is not shown at first. */
function columnsOf(
  rows: readonly Product[],
  sortable: readonly unknown[],
  isOld: boolean,
  total: Totals | undefined,
): Column<Product>[] {
  const all = (parametersOf(PATH).find(({ name }) => name === "columns")?.schema.items?.enum ?? []) as string[];
  const names = [...SHOWN, ...all.filter((name) => !SHOWN.includes(name))];
  const metrics = metricsOf(PATH, "data", names);
  const average = total?.marginAverage ?? null;
  return names.flatMap((name) => {
    const metric = metrics.find((one) => one.name === name);
    if (!metric) return [];
    const column = metricColumn<Product>(metric, sortable.includes(name));
    const isUnknown = rows.length > 0 && rows.every((row) => column.value(row) === null);
    return {
      ...column,
      bar: BARS.includes(name),
      isOptional: !SHOWN.includes(name) || isUnknown || (isOld && UNTIL_TODAY.includes(name)),
      ...(name.startsWith("margin") ? { tone: (row: Product) => toneOf(row, average) } : {}),
    };
  });
}

/** A loss is bad; a margin above that of all products is good. */
function toneOf({ marginAverage, marginTotal }: Product, average: number | null): "good" | "bad" | undefined {
  if ((marginTotal ?? 0) < 0) return "bad";
  return marginAverage !== null && marginAverage !== undefined && average !== null && marginAverage > average
    ? "good"
    : undefined;
}

function ListTools({ stores, map }: { stores: boolean; map: Answer<Categories> }) {
  const words = t().products;
  const used = FILTERS.filter((name) => arg(name) !== "").length;
  return (
    <div class="list-tools">
      <Input label={words.search} type="search" value={arg("search")} change={(it) => filter({ search: it })} />
      <Popover
        label={words.filters}
        class="text-button"
        button={used > 0 ? words.filtersOn(String(used)) : words.filters}
      >
        <div class="filter-box">
          <Select
            label={words.status}
            options={wordsOf(words.statuses)}
            value={oneOf("status", ["all", "active", "inactive"])}
            change={(it) => filter({ status: it === "all" ? "" : it })}
          />
          <Select
            label={words.category}
            options={[["", words.every] as const, ...optionsOf(map)]}
            value={arg("category")}
            change={(it) => filter({ category: it })}
          />
          {RANGES.map((name) => (
            <fieldset key={name} class="filter-range">
              <legend>{t().metric[name]}</legend>
              {([minOf(name), maxOf(name)] as const).map((bound, n) => (
                <Input
                  key={bound}
                  label={n === 0 ? words.atLeast : words.atMost}
                  type="number"
                  value={arg(bound)}
                  change={(it) => filter({ [bound]: it })}
                />
              ))}
            </fieldset>
          ))}
        </div>
      </Popover>
      {stores && <StoreChoice />}
      {(used > 0 || arg("search") !== "") && (
        <button
          type="button"
          class="quiet"
          onClick={() => filter(Object.fromEntries([...FILTERS, "search"].map((name) => [name, ""])))}
        >
          {words.clear}
        </button>
      )}
    </div>
  );
}

/** Its categories and products are others, so only the period stays. */
export function StoreChoice() {
  const stores = useStores();
  return (
    <Select
      label={t().products.store}
      options={stores.map((it) => [it.sourceIntegrationId, it.integrationName ?? it.connector] as const)}
      value={useStore()?.sourceIntegrationId ?? ""}
      change={(id) => filter({ store: id, category: "" })}
    />
  );
}

const titleOf = ({ categoryName, categoryId }: Category): string =>
  categoryName ?? (categoryId === "uncategorized" ? t().products.uncategorized : categoryId);

/** The categories in the order of the tree, each after its parent. */
function optionsOf(map: Answer<Categories>): (readonly [string, string])[] {
  const all = dataOf(map)?.categories ?? [];
  const below = (parent: string | null): Category[] =>
    all
      .filter(({ parentCategoryId }) => parentCategoryId === parent)
      .flatMap((category) => [category, ...below(category.categoryId)]);
  return below(null).map(
    (category) => [category.categoryId, `${"– ".repeat(category.depth)}${titleOf(category)}`] as const,
  );
}

/** The departments, or what is directly below the chosen category. */
function CategoriesCard({ query, answer }: { query: Query; answer: Answer<Categories> }) {
  const words = t().products;
  const all = dataOf(answer)?.categories ?? [];
  const chosen = all.find(({ categoryId }) => categoryId === arg("category"));
  const hasBelow = all.some(({ parentCategoryId }) => parentCategoryId === chosen?.categoryId);
  const parent = chosen && (hasBelow ? chosen.categoryId : chosen.parentCategoryId);
  const holder = all.find(({ categoryId }) => categoryId === parent);
  const shown = all.filter(({ parentCategoryId }) => parentCategoryId === (parent ?? null));
  const sum = shown.reduce((whole, { netSales }) => whole + Math.max(0, netSales ?? 0), 0);
  const note = ({ netSales, marginAverage, marginTotal }: Category): ComponentChildren => {
    const margin =
      netSales && marginTotal !== null && marginTotal !== undefined ? marginTotal / netSales : marginAverage;
    const part = sum > 0 && netSales ? `${words.share(figure(netSales / sum, "ratio"))} · ` : "";
    return (
      <small class={(marginTotal ?? 0) < 0 ? "bad" : ""}>
        {part}
        {margin === null || margin === undefined ? words.noMargin : words.margin(figure(margin, "ratio"))}
      </small>
    );
  };
  return (
    <Card
      name="categories"
      title={holder ? words.within(titleOf(holder)) : words.categories}
      question={words.categoriesQuestion}
      query={query}
      answer={answer}
      controls={
        chosen && (
          <button type="button" class="quiet" onClick={() => filter({ category: "" })}>
            {words.upwards}
          </button>
        )
      }
      table={({ categories }) => <CategoryTable categories={categories} />}
    >
      {({ categories }) =>
        categories.some(({ categoryId }) => categoryId !== "uncategorized") ? (
          <BarList
            label={words.categories}
            unit="currency"
            onPick={({ key }) => filter({ category: key })}
            rows={shown
              .toSorted((a, b) => (b.netSales ?? 0) - (a.netSales ?? 0))
              .map((category) => ({
                key: category.categoryId,
                label: titleOf(category),
                value: category.netSales ?? null,
                note: note(category),
              }))}
          />
        ) : (
          <EmptySmall>{words.noCategories}</EmptySmall>
        )
      }
    </Card>
  );
}

function CategoryTable({ categories }: { categories: readonly Category[] }) {
  const words = t().products;
  const metrics = metricsOf(`${PATH}/categories`, "categories", TOTALS.split(","));
  return (
    <Table
      caption={words.categories}
      rows={categories}
      keyOf={({ categoryId }) => categoryId}
      initially={{ by: "netSales", descending: true }}
      onPick={({ categoryId }) => filter({ category: categoryId })}
      columns={[
        { key: "category", label: words.category, value: titleOf },
        ...metrics.map((metric) => metricColumn<Category>(metric, true)),
      ]}
    />
  );
}
