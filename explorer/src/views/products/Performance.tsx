import { dataOf, useAnswer } from "../../answer.ts";
import type { Listing, Product } from "../../answers.ts";
import type { Params, Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { chosenNames, Table } from "../../components/Table.tsx";
import { day, figure } from "../../format.ts";
import { parametersOf } from "../../openapi.ts";
import { arg } from "../../route.ts";
import { t } from "../../text.ts";
import { BARS, type Bar, columnsOf, nameColumn, PATH, SHOWN } from "./columns.tsx";
import { ListChoice, type ListProps, PAGE, pagesOf } from "./lists.tsx";
import { filter, useOldData } from "./store.ts";
import type { Totals } from "./totals.ts";

/** How the products do: sales, margin, customers, stock and returns. The service sorts them. */
export function Performance({ period, selection, controls, total }: ListProps & { total: Totals | undefined }) {
  const words = t().products;
  const old = useOldData();
  const sorting = { by: arg("sort") || "netSales", descending: arg("order") !== "asc" };
  const order: Params = { sortBy: sorting.by, sortOrder: sorting.descending ? "desc" : "asc" };
  const query: Query = {
    path: PATH,
    params: { ...period, ...selection, ...order, page: arg("page") || 1, pageSize: PAGE, includeCategories: false },
  };
  const answer = useAnswer<Listing>(query);
  // A file has the columns of the table.
  const chosen = (chosenNames("products") ?? SHOWN).filter((name) => name !== "productName");
  const most = useMost({ ...period, ...selection }, (dataOf(answer)?.pagination.totalPages ?? 1) > 1);
  const sortable = parametersOf(PATH).find(({ name }) => name === "sortBy")?.schema.enum ?? [];
  return (
    <Card
      name="products"
      title={words.list}
      question={words.listQuestion}
      query={query}
      whole={{ path: PATH, params: { ...period, ...selection, ...order, columns: chosen.join(","), all: true } }}
      answer={answer}
      height="large"
      controls={controls}
    >
      {({ data, pagination }) => (
        <>
          <ListChoice />
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
            columns={[
              nameColumn(data.some(({ status }) => status === "active")),
              ...columnsOf(data, sortable, old !== undefined, total, most),
            ]}
            total={
              total && {
                name: pagination.total === 1 ? words.totalOne : words.total(figure(pagination.total, "count")),
                row: total as unknown as Product,
              }
            }
            pages={pagesOf(pagination)}
          />
        </>
      )}
    </Card>
  );
}

/** The largest values of the whole list, which the bars of all its pages are drawn against. */
function useMost(asked: Params, hasPages: boolean): Readonly<Partial<Record<Bar, number>>> {
  const largest = (name: Bar): Query => ({
    path: PATH,
    params: { ...asked, columns: name, sortBy: name, sortOrder: "desc", pageSize: 1, includeCategories: false },
  });
  const answers = BARS.map((name) => [name, useAnswer<Listing>(hasPages ? largest(name) : undefined)] as const);
  return Object.fromEntries(answers.map(([name, answer]) => [name, dataOf(answer)?.data[0]?.[name] ?? undefined]));
}
