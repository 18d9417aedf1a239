import { type Answer, useAnswer } from "../../answer.ts";
import type { Categories, Listing, Product } from "../../answers.ts";
import type { Params, Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { Table } from "../../components/Table.tsx";
import { day, figure, range } from "../../format.ts";
import { parametersOf } from "../../openapi.ts";
import { arg, hashOf, set } from "../../route.ts";
import { useCompared, useStores, useYear } from "../../stores.ts";
import { t } from "../../text.ts";
import { CategoriesCard } from "./CategoriesCard.tsx";
import { columnsOf, nameColumn, PATH } from "./columns.tsx";
import { filter, useOldData, useStore } from "./store.ts";
import { FILTERS, ListTools } from "./Tools.tsx";
import { changeOf, TOTALS, totalOf } from "./totals.ts";

const PAGE = 25;

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
