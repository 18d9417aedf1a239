import { SCARCE_DAYS } from "../../../../src/features/actions/advice.ts";
import { csvOf } from "../../../../src/features/adhoc/own/csv.ts";
import { dataOf, useAnswer } from "../../answer.ts";
import type { Listing, Product } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { Select } from "../../components/Controls.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, NotAvailable, type Sorting, sorted, Table } from "../../components/Table.tsx";
import { fileName } from "../../fileName.ts";
import { day, figure } from "../../format.ts";
import { arg, oneOf } from "../../route.ts";
import { save } from "../../save.ts";
import { organization } from "../../session.ts";
import { lang, t } from "../../text.ts";
import { metricColumn, metricsOf, nullReasonOf } from "../metrics.ts";
import { DaysLeft, nameColumn, PATH } from "./columns.tsx";
import { ListChoice, type ListProps, PAGE, pagesOf } from "./lists.tsx";
import { COVERS, DEFAULT_COVER, LEADS, type Order, orderOf, orderTotals } from "./restock.ts";
import { filter, useOldData } from "./store.ts";

const METRICS = ["availableStock", "velocity30d", "daysOfStock", "netUnits", "netSales", "marginAverage"];

/** What to reorder, how much of it and what that costs: the products whose stock ends first. */
export function Restock({ period, selection, controls }: ListProps) {
  const words = t().products;
  const old = useOldData();
  const cover = oneOf("cover", [DEFAULT_COVER, ...COVERS]);
  const lead = oneOf("lead", LEADS);
  const days = Number(cover) + Number(lead);
  const sorting: Sorting = arg("sort")
    ? { by: arg("sort"), descending: arg("order") !== "asc" }
    : { by: "daysOfStock", descending: false };
  // What to order is computed here, so that only the whole list can be sorted and selected by it.
  const query: Query = {
    path: PATH,
    params: { ...period, ...selection, columns: [...METRICS, "cogs"].join(","), includeCategories: false, all: true },
  };
  const answer = useAnswer<Listing>(query);
  const chosen = (data: readonly Product[]): readonly Order[] => {
    const all = data.map((product) => orderOf(product, days));
    const isKnown = all.some(({ suggestedOrder }) => suggestedOrder !== null);
    const wanted = all.filter(({ suggestedOrder }) => (suggestedOrder ?? 0) > 0);
    return sorted(arg("buy") === "all" || !isKnown ? all : wanted, columnsOf(all), sorting);
  };
  return (
    <Card
      name="products"
      title={words.list}
      question={words.restockQuestion}
      query={query}
      saveCsv={async () => saveList(chosen(dataOf(answer)?.data ?? []), query)}
      answer={answer}
      height="large"
      controls={controls}
    >
      {({ data }) => {
        const rows = chosen(data);
        const totalPages = Math.max(1, Math.ceil(rows.length / PAGE));
        const page = Math.min(totalPages, Math.max(1, Math.trunc(Number(arg("page"))) || 1));
        const { products, cost, withoutCost, atRisk } = orderTotals(rows);
        return (
          <>
            <div class="list-choice">
              <ListChoice />
              <Segmented
                label={words.show}
                options={[
                  ["", words.toBuy],
                  ["all", words.everything],
                ]}
                value={arg("buy") === "all" ? "all" : ""}
                change={(buy) => filter({ buy })}
              />
              <Select
                label={words.cover}
                options={COVERS.map((it) => [it, figure(Number(it), "days")] as const)}
                value={cover}
                change={(it) => filter({ cover: it === DEFAULT_COVER ? "" : it })}
              />
              <Select
                label={words.lead}
                options={LEADS.map((it) => [it, it === "0" ? words.noLead : figure(Number(it), "days")] as const)}
                value={lead}
                change={(it) => filter({ lead: it === "0" ? "" : it })}
              />
            </div>
            {old === undefined && data.length > 0 && rows.every(({ suggestedOrder }) => suggestedOrder === null) && (
              <Banner tone="info">{words.restockUnknown}</Banner>
            )}
            {products > 0 && (
              <p class="sentence" data-part="orderTotals">
                {words.orderTotals(
                  figure(products, "count"),
                  figure(cost, "currency"),
                  withoutCost === 0 ? "" : figure(withoutCost, "count"),
                  figure(atRisk, "currency"),
                )}
              </p>
            )}
            {old === undefined ? (
              <p class="note">{words.restockNote(figure(days, "days"))}</p>
            ) : (
              <Banner tone="info">{words.restockOld(day(old))}</Banner>
            )}
            <Table
              caption={words.listNames.restock}
              rows={rows.slice((page - 1) * PAGE, page * PAGE)}
              all={rows}
              keyOf={({ productId }) => productId}
              empty={data.length === 0 ? words.none : words.nothingToBuy}
              remember="restock"
              sorting={{
                now: sorting,
                change: ({ by, descending }) => filter({ sort: by, order: descending ? "" : "asc" }),
              }}
              columns={columnsOf(rows)}
              pages={pagesOf({ page, pageSize: PAGE, total: rows.length, totalPages })}
            />
          </>
        );
      }}
    </Card>
  );
}

function columnsOf(rows: readonly Order[]): Column<Order>[] {
  const words = t().products;
  const metrics = metricsOf(PATH, "data", METRICS);
  const column = (name: string): Column<Order>[] => {
    const metric = metrics.find((one) => one.name === name);
    if (!metric) return [];
    const made = metricColumn<Order>(metric, true);
    if (name === "daysOfStock") return [{ ...made, tone: toneOf, show: (row) => <DaysLeft row={row} /> }];
    return name === "velocity30d" ? [{ ...made, show: (row) => <Rate row={row} /> }] : [made];
  };
  const unknown = (row: Order): string | undefined =>
    nullReasonOf(row, "daysOfStock") ?? nullReasonOf(row, "availableStock");
  const computed = (
    [
      ["suggestedOrder", "units", () => undefined],
      ["orderCost", "currency", (row) => nullReasonOf(row, "cogs") ?? t().reason.no_cost],
      ["salesAtRisk", "currency", () => t().reason.no_sales_base],
    ] as const satisfies readonly (readonly [string, Column<Order>["unit"], (row: Order) => string | undefined])[]
  ).map(([name, unit, reason]): Column<Order> => {
    return {
      key: name,
      label: words[name],
      unit,
      bar: name === "suggestedOrder",
      value: (row) => row[name],
      reason: (row) => unknown(row) ?? reason(row),
    };
  });
  return [
    nameColumn(rows.some(({ status }) => status === "active")) as Column<Order>,
    ...column("daysOfStock"),
    ...computed,
    ...METRICS.filter((name) => name !== "daysOfStock").flatMap(column),
  ];
}

const TEXTS = ["productId", "productName", "categoryName", "status"] as const;

/** The list as a file: the answer's own files do not say what to order. */
function saveList(rows: readonly Order[], { params }: Query): void {
  const words = t().products;
  const numbers = columnsOf(rows).slice(1);
  const csv = csvOf(
    [
      ...TEXTS.map((name) => ({ name: words.fileColumns[name], type: "VARCHAR" })),
      ...numbers.map(({ label }) => ({ name: label, type: "DOUBLE" })),
    ],
    lang.peek() === "pt",
  );
  const lines = rows.map((row) =>
    csv.row([
      ...TEXTS.map((name) => (name === "status" ? words.fileStatuses[row.status] : row[name])),
      ...numbers.map(({ value }) => value(row)),
    ]),
  );
  const name = fileName(organization.peek()?.name, words.restockFile, params);
  save(new Blob([csv.heading + lines.join("")], { type: "text/csv" }), `${name}.csv`);
}

/** A part of a unit a day in two decimals; the exact rate on hover. */
function Rate({ row: { velocity30d } }: { row: Product }) {
  if (velocity30d === null || velocity30d === undefined) return <NotAvailable />;
  return <span title={figure(velocity30d, "units")}>{figure(Math.round(velocity30d * 100) / 100, "units")}</span>;
}

const toneOf = ({ daysOfStock }: Product): "bad" | undefined =>
  daysOfStock !== null && daysOfStock !== undefined && daysOfStock <= SCARCE_DAYS ? "bad" : undefined;
