import { useMemo } from "preact/hooks";
import { type Answer, useAnswer } from "../answer.ts";
import type { Categories, Category, Listing, Product } from "../answers.ts";
import type { Query } from "../api.ts";
import { Chart, tooltip } from "../charts/Chart.tsx";
import { Definitions } from "../components/Actions.tsx";
import { Bar, Input, Select, wordsOf } from "../components/Controls.tsx";
import { Picture } from "../components/Picture.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { figure, range } from "../format.ts";
import { parametersOf } from "../openapi.ts";
import { arg, hashOf, oneOf, route, set } from "../route.ts";
import { useStores, useYear } from "../stores.ts";
import { t } from "../text.ts";
import type { Colors } from "../theme.ts";
import { metricColumn, metricsOf } from "./metrics.ts";

const PATH = "/v1/products";
const RANGES = ["netSales", "marginTotal", "marginAverage", "availableStock"] as const;
const DEFAULT_COLUMNS =
  "netSales,netUnits,averageTicket,marginTotal,marginAverage,newCustomers,ltv180,availableStock,daysOfStock,returnRate";
const FILTERS = ["search", "status", "category", ...RANGES.flatMap((name) => [minOf(name), maxOf(name)])];

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

export function Products() {
  const { from, to, isCut } = useYear();
  const stores = useStores();
  const store = useStore();
  const words = t().products;
  const period = { integrationId: store?.sourceIntegrationId, dateFrom: from, dateTo: to };
  const columns = arg("columns") || DEFAULT_COLUMNS;
  const sortable = parametersOf(PATH).find(({ name }) => name === "sortBy")?.schema.enum ?? [];
  const sorting = { by: arg("sort") || "netSales", descending: arg("order") !== "asc" };
  const selection = Object.fromEntries(FILTERS.filter((name) => name !== "category").map((name) => [name, arg(name)]));
  const listQuery: Query = {
    path: PATH,
    params: {
      ...period,
      ...selection,
      categoryIds: arg("category"),
      columns,
      sortBy: sorting.by,
      sortOrder: sorting.descending ? "desc" : "asc",
      page: arg("page") || 1,
      pageSize: 25,
      includeCategories: false,
    },
  };
  const mapQuery: Query = {
    path: `${PATH}/categories`,
    params: { ...period, columns: "netSales,marginTotal,netUnits" },
  };
  const list = useAnswer<Listing>(store && listQuery);
  const map = useAnswer<Categories>(store && mapQuery);
  if (!store) return <p class="empty">{words.noStores}</p>;
  const names = columns.split(",");
  const metrics = metricsOf(PATH, "data", names);
  const filter = (changes: Readonly<Record<string, string>>): void => set({ ...changes, page: "" });
  return (
    <div class="view">
      {isCut && <p class="cut wide">{t().period.cut(range(from, to))}</p>}
      <Bar label={words.list}>
        {stores.length > 1 && (
          <Select
            label={words.store}
            options={stores.map((it) => [it.sourceIntegrationId, it.integrationName ?? it.connector] as const)}
            value={store.sourceIntegrationId}
            change={(id) => filter({ store: id, category: "" })}
          />
        )}
        <Input label={words.search} type="search" value={arg("search")} change={(it) => filter({ search: it })} />
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
        <details class="more">
          <summary>{words.ranges}</summary>
          <div class="ranges">
            {RANGES.map((name) => (
              <fieldset key={name}>
                <legend>{t().metric[name]}</legend>
                <Input
                  label={words.least}
                  type="number"
                  value={arg(minOf(name))}
                  change={(it) => filter({ [minOf(name)]: it })}
                />
                <Input
                  label={words.most}
                  type="number"
                  value={arg(maxOf(name))}
                  change={(it) => filter({ [maxOf(name)]: it })}
                />
              </fieldset>
            ))}
          </div>
        </details>
        <ColumnPicker chosen={names} />
        {FILTERS.some((name) => arg(name) !== "") && (
          <button
            type="button"
            class="quiet"
            onClick={() => filter(Object.fromEntries(FILTERS.map((name) => [name, ""])))}
          >
            {words.clear}
          </button>
        )}
      </Bar>
      <Picture name="products" title={words.list} wide query={listQuery} answer={list}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={words.list}
              rows={data}
              keyOf={({ productId }) => productId}
              empty={t().empty.rows}
              sorting={{
                now: sorting,
                change: ({ by, descending }) => filter({ sort: by, order: descending ? "" : "asc" }),
              }}
              columns={[
                nameColumn(),
                ...metrics.map((metric) => metricColumn<Product>(metric, sortable.includes(metric.name))),
              ]}
            />
            <Pages
              text={words.page(pagination.page, Math.max(1, pagination.totalPages), figure(pagination.total, "count"))}
              page={pagination.page}
              hasNext={pagination.page < pagination.totalPages}
            />
            <Definitions path={PATH} list="data" names={names} />
          </>
        )}
      </Picture>
      <Picture
        name="categories"
        title={words.map}
        wide
        query={mapQuery}
        answer={map}
        note={words.mapNote}
        table={({ categories }) => <CategoryTable categories={categories} />}
      >
        {({ categories }) => <CategoryMap categories={categories} />}
      </Picture>
    </div>
  );
}

export function Pages({ text, page, hasNext }: { text: string; page: number; hasNext: boolean }) {
  const words = t().products;
  return (
    <nav class="pages" aria-label={text}>
      <button type="button" disabled={page <= 1} onClick={() => set({ page: page > 2 ? String(page - 1) : "" })}>
        {words.previousPage}
      </button>
      <span role="status">{text}</span>
      <button type="button" disabled={!hasNext} onClick={() => set({ page: String(page + 1) })}>
        {words.nextPage}
      </button>
    </nav>
  );
}

function nameColumn(): Column<Product> {
  const words = t().products;
  return {
    key: "productName",
    label: words.product,
    value: ({ productName, productId }) => productName ?? productId,
    show: ({ productId, productName, status, categoryId, categoryName }) => (
      <>
        <a href={hashOf("products", { ...route.value.args, product: productId })}>{productName ?? productId}</a>
        <small>
          {productId} · {categoryName ?? (categoryId === "uncategorized" ? words.uncategorized : categoryId)}
          {status === "inactive" && ` · ${words.inactive}`}
        </small>
      </>
    ),
  };
}

function ColumnPicker({ chosen }: { chosen: readonly string[] }) {
  const all = (parametersOf(PATH).find(({ name }) => name === "columns")?.schema.items?.enum ?? []) as string[];
  const toggle = (name: string): void => {
    const next = all.filter((it) => (it === name ? !chosen.includes(it) : chosen.includes(it)));
    if (next.length > 0) set({ columns: next.join(",") });
  };
  return (
    <details class="more">
      <summary>{t().products.columns}</summary>
      <div class="checks">
        {all.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            {t().metric[name] ?? name}
          </label>
        ))}
      </div>
    </details>
  );
}

const titleOf = ({ categoryName, categoryId }: Category): string =>
  categoryName ?? (categoryId === "uncategorized" ? t().products.uncategorized : categoryId);

/** The categories in the order of the tree, each after its parent. */
function optionsOf(map: Answer<Categories>): (readonly [string, string])[] {
  const all = map.state === "failed" ? [] : (map.data?.categories ?? []);
  const below = (parent: string | null): Category[] =>
    all
      .filter(({ parentCategoryId }) => parentCategoryId === parent)
      .flatMap((category) => [category, ...below(category.categoryId)]);
  return below(null).map(
    (category) => [category.categoryId, `${"– ".repeat(category.depth)}${titleOf(category)}`] as const,
  );
}

interface Node {
  readonly name: string;
  readonly value: number;
  readonly id?: string;
  readonly children?: readonly Node[];
}

/** Areas by net sales. A category includes its subcategories; the rest is its own. Areas must be positive. */
function nodesOf(all: readonly Category[], parent: string | null): Node[] {
  return all
    .filter(({ parentCategoryId, netSales }) => parentCategoryId === parent && Number(netSales ?? 0) > 0)
    .map((category) => {
      const value = Number(category.netSales);
      const children = nodesOf(all, category.categoryId);
      const own = value - children.reduce((sum, child) => sum + child.value, 0);
      const name = titleOf(category);
      if (children.length === 0) return { name, value, id: category.categoryId };
      const rest = own > 0.005 ? [{ name: t().products.direct, value: own, id: category.categoryId }] : [];
      return { name, value, id: category.categoryId, children: [...children, ...rest] };
    });
}

function CategoryMap({ categories }: { categories: readonly Category[] }) {
  const words = t();
  const nodes = useMemo(() => nodesOf(categories, null), [categories]);
  const option = useMemo(
    () => (colors: Colors) => ({
      tooltip: tooltip(colors, {
        formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${figure(value, "currency")}`,
      }),
      series: [
        {
          type: "treemap",
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          top: 0,
          left: 0,
          right: 0,
          bottom: 0,
          label: {
            color: colors.ink,
            lineHeight: 16,
            overflow: "truncate",
            formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${figure(value, "currency")}`,
          },
          upperLabel: {
            show: true,
            height: 24,
            color: colors.ink,
            formatter: ({ name, value }: { name: string; value: number }) => `${name}  ${figure(value, "currency")}`,
          },
          itemStyle: { borderColor: colors.surface, borderWidth: 1, gapWidth: 1 },
          levels: [
            { itemStyle: { gapWidth: 3, borderWidth: 0 }, upperLabel: { show: false } },
            { itemStyle: { borderColor: colors.line, borderWidth: 2, gapWidth: 1 }, colorAlpha: [0.45, 0.45] },
            { itemStyle: { gapWidth: 1 }, colorAlpha: [0.3, 0.55] },
          ],
          data: nodes,
        },
      ],
    }),
    [nodes],
  );
  if (nodes.length === 0) return <p class="empty">{words.empty.points}</p>;
  return (
    <Chart
      label={words.products.map}
      height="large"
      option={option}
      onClick={(_, data) => set({ category: (data as Node).id ?? "", page: "" })}
    />
  );
}

function CategoryTable({ categories }: { categories: readonly Category[] }) {
  const words = t().products;
  const metrics = metricsOf(`${PATH}/categories`, "categories", ["netSales", "marginTotal", "netUnits"]);
  return (
    <Table
      caption={words.map}
      rows={categories}
      keyOf={({ categoryId }) => categoryId}
      initially={{ by: "netSales", descending: true }}
      columns={[
        {
          key: "category",
          label: words.category,
          value: titleOf,
          show: (category) => (
            <button type="button" class="link" onClick={() => set({ category: category.categoryId, page: "" })}>
              {titleOf(category)}
            </button>
          ),
        },
        ...metrics.map((metric) => metricColumn<Category>(metric, true)),
      ]}
    />
  );
}
