import type { Product } from "../../answers.ts";
import { type Column, NotAvailable } from "../../components/Table.tsx";
import { Thumb } from "../../components/Thumb.tsx";
import { figure } from "../../format.ts";
import { parametersOf } from "../../openapi.ts";
import { hashOf, route } from "../../route.ts";
import { t } from "../../text.ts";
import { metricColumn, metricsOf, nullReasonOf } from "../metrics.ts";
import type { Totals } from "./totals.ts";

export const PATH = "/v1/products";

/** Shown without a choice, in the order of the table. */
export const SHOWN = [
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
export const BARS = ["netSales", "marginTotal", "netUnits"] as const;
export type Bar = (typeof BARS)[number];
const isBar = (name: string): name is Bar => (BARS as readonly string[]).includes(name);
/** They count the days before today, whatever the period. */
const UNTIL_TODAY = ["velocity30d", "daysOfStock"];

export function nameColumn(isMixed: boolean): Column<Product> {
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
          <Thumb url={imageUrl} />
          <span>
            <a class="row-name" href={hashOf("products", { ...route.value.args, product: productId })}>
              {productName ?? productId}
            </a>
            <small>{about.join(" · ")}</small>
          </span>
        </span>
      );
    },
  };
}

/** The figures in the order of importance. What is unknown in all rows, or counts days without data, is not shown at first. */
export function columnsOf(
  rows: readonly Product[],
  sortable: readonly unknown[],
  isOld: boolean,
  total: Totals | undefined,
  most: Readonly<Partial<Record<Bar, number>>>,
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
      bar: isBar(name),
      most: isBar(name) ? most[name] : undefined,
      ...(name === "daysOfStock" ? { show: (row: Product) => <DaysLeft row={row} /> } : {}),
      isOptional: !SHOWN.includes(name) || isUnknown || (isOld && UNTIL_TODAY.includes(name)),
      ...(name.startsWith("margin") ? { tone: (row: Product) => toneOf(row, average) } : {}),
    };
  });
}

/** Stock that has ended, or is owed, has no days left. */
export function DaysLeft({ row }: { row: Product }) {
  const { daysOfStock } = row;
  if (daysOfStock === null || daysOfStock === undefined)
    return <NotAvailable reason={nullReasonOf(row, "daysOfStock")} />;
  return <>{daysOfStock <= 0 ? t().products.soldOut : figure(daysOfStock, "days")}</>;
}

/** A loss is bad; a margin above that of all products is good. */
function toneOf({ marginAverage, marginTotal }: Product, average: number | null): "good" | "bad" | undefined {
  if ((marginTotal ?? 0) < 0) return "bad";
  return marginAverage !== null && marginAverage !== undefined && average !== null && marginAverage > average
    ? "good"
    : undefined;
}
