import { csvOf } from "../../../../src/engine/own/csv.ts";
import { SCARCE_DAYS } from "../../advice.ts";
import { useAnswer } from "../../answer.ts";
import type { Listing, Product } from "../../answers.ts";
import { fetchAnswer, type Params, type Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { Select } from "../../components/Controls.tsx";
import { type Column, NotAvailable, Table } from "../../components/Table.tsx";
import { day, figure } from "../../format.ts";
import { parametersOf } from "../../openapi.ts";
import { arg, oneOf, set } from "../../route.ts";
import { save } from "../../save.ts";
import { lang, t } from "../../text.ts";
import { metricColumn, metricsOf, nullReasonOf } from "../metrics.ts";
import { nameColumn, PATH } from "./columns.tsx";
import { ListChoice, type ListProps, PAGE, pagesOf } from "./lists.tsx";
import { COVERS, DEFAULT_COVER, suggestedOrder } from "./restock.ts";
import { filter, useOldData } from "./store.ts";

const METRICS = ["availableStock", "velocity30d", "daysOfStock", "netUnits", "netSales", "marginAverage"];

/** What to reorder, and how much of it: the products whose stock ends first. */
export function Restock({ period, selection, controls }: ListProps) {
  const words = t().products;
  const old = useOldData();
  const cover = oneOf("cover", [DEFAULT_COVER, ...COVERS]);
  const sorting = arg("sort")
    ? { by: arg("sort"), descending: arg("order") !== "asc" }
    : { by: "daysOfStock", descending: false };
  const order: Params = { sortBy: sorting.by, sortOrder: sorting.descending ? "desc" : "asc" };
  const asked: Params = { ...period, ...selection, ...order, columns: METRICS.join(",") };
  const query: Query = {
    path: PATH,
    params: { ...asked, page: arg("page") || 1, pageSize: PAGE, includeCategories: false },
  };
  const answer = useAnswer<Listing>(query);
  const sortable = parametersOf(PATH).find(({ name }) => name === "sortBy")?.schema.enum ?? [];
  const metrics = metricsOf(PATH, "data", METRICS);
  const column = (name: string): Column<Product>[] => {
    const metric = metrics.find((one) => one.name === name);
    if (!metric) return [];
    const made = metricColumn<Product>(metric, sortable.includes(name));
    if (name === "daysOfStock") return [{ ...made, tone: toneOf, show: (row) => <DaysLeft row={row} /> }];
    return name === "velocity30d" ? [{ ...made, show: (row) => <Rate row={row} /> }] : [made];
  };
  const suggestion: Column<Product> = {
    key: "suggestedOrder",
    label: words.suggestedOrder,
    unit: "units",
    bar: true,
    sortable: false,
    value: (row) => suggestedOrder(row, Number(cover)),
    reason: (row) => nullReasonOf(row, "daysOfStock") ?? nullReasonOf(row, "availableStock"),
  };
  return (
    <Card
      name="products"
      title={words.list}
      question={words.restockQuestion}
      query={query}
      saveCsv={() => saveList(asked, Number(cover))}
      answer={answer}
      height="large"
      controls={controls}
    >
      {({ data, pagination }) => (
        <>
          <div class="list-choice">
            <ListChoice />
            <Select
              label={words.cover}
              options={COVERS.map((days) => [days, figure(Number(days), "days")] as const)}
              value={cover}
              change={(days) => set({ cover: days === DEFAULT_COVER ? "" : days })}
            />
          </div>
          {old === undefined && data.length > 0 && data.every((row) => suggestedOrder(row, 1) === null) && (
            <Banner tone="info">{words.restockUnknown}</Banner>
          )}
          {old === undefined ? (
            <p class="note">{words.restockNote(figure(Number(cover), "days"))}</p>
          ) : (
            <Banner tone="info">{words.restockOld(day(old))}</Banner>
          )}
          <Table
            caption={words.listNames.restock}
            rows={data}
            keyOf={({ productId }) => productId}
            empty={words.none}
            remember="restock"
            sorting={{
              now: sorting,
              change: ({ by, descending }) => filter({ sort: by, order: descending ? "" : "asc" }),
            }}
            columns={[
              nameColumn(data.some(({ status }) => status === "active")),
              ...column("daysOfStock"),
              suggestion,
              ...METRICS.filter((name) => name !== "daysOfStock").flatMap(column),
            ]}
            pages={pagesOf(pagination)}
          />
        </>
      )}
    </Card>
  );
}

const TEXTS = ["productId", "productName", "categoryName", "status"] as const;

/** The whole list as a file: the answer's own files have no suggested order. */
async function saveList(asked: Params, cover: number): Promise<void> {
  const { data } = await fetchAnswer<Listing>({
    path: PATH,
    params: { ...asked, includeCategories: false, all: true },
  });
  const words = t().products;
  const numbers = ["daysOfStock", "suggestedOrder", ...METRICS.filter((name) => name !== "daysOfStock")];
  const label = (name: string): string =>
    name === "suggestedOrder" ? words.suggestedOrder : (t().metric[name] ?? name);
  const csv = csvOf(
    [
      ...TEXTS.map((name) => ({ name: words.fileColumns[name], type: "VARCHAR" })),
      ...numbers.map((name) => ({ name: label(name), type: "DOUBLE" })),
    ],
    lang.peek() === "pt",
  );
  const rows = data.map((row) => [
    ...TEXTS.map((name) => (name === "status" ? words.fileStatuses[row.status] : row[name])),
    ...numbers.map((name) => (name === "suggestedOrder" ? suggestedOrder(row, cover) : row[name as keyof Product])),
  ]);
  const text = csv.heading + rows.map(csv.row).join("");
  save(new Blob([text], { type: "text/csv" }), `${words.restockFile}.csv`);
}

/** Stock that has ended, or is owed, has no days left. */
function DaysLeft({ row }: { row: Product }) {
  const { daysOfStock } = row;
  if (daysOfStock === null || daysOfStock === undefined)
    return <NotAvailable reason={nullReasonOf(row, "daysOfStock")} />;
  return <>{daysOfStock <= 0 ? t().products.soldOut : figure(daysOfStock, "days")}</>;
}

/** A part of a unit a day in two decimals; the exact rate on hover. */
function Rate({ row: { velocity30d } }: { row: Product }) {
  if (velocity30d === null || velocity30d === undefined) return <NotAvailable />;
  return <span title={figure(velocity30d, "units")}>{figure(Math.round(velocity30d * 100) / 100, "units")}</span>;
}

const toneOf = ({ daysOfStock }: Product): "bad" | undefined =>
  daysOfStock !== null && daysOfStock !== undefined && daysOfStock <= SCARCE_DAYS ? "bad" : undefined;
