import type { ProductSeries } from "../../answers.ts";
import type { Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { day, figure, range, shortDay, type Unit } from "../../format.ts";
import { noteOn } from "../../notes.ts";
import { t } from "../../text.ts";

export const MEASURES = ["netSales", "netUnits", "marginTotal", "orders"] as const;
type Measure = (typeof MEASURES)[number];
export const UNITS: Readonly<Record<Measure, Unit>> = {
  netSales: "currency",
  netUnits: "units",
  marginTotal: "currency",
  orders: "count",
};

/** Undefined: before the first day of the data. */
export type Points = readonly (ProductSeries["data"][number] | undefined)[] | undefined;

/** The period and the days compared with, point by point. */
export function SeriesChart({ series, before, measure }: { series: ProductSeries; before: Points; measure: Measure }) {
  const words = t().product;
  const missing = series.data.filter((point) => point[measure] === null).length;
  const name = words.measures[measure];
  const comparison: Series[] = before
    ? [
        {
          key: "before",
          name: words.before,
          as: "line",
          color: "muted",
          values: series.data.map((_, n) => before[n]?.[measure] ?? null),
          comparison: { titles: series.data.map((_, n) => titleOf(before[n])) },
        },
      ]
    : [];
  return (
    <>
      <XYChart
        label={words.series}
        unit={UNITS[measure]}
        points={series.data.map((point) => ({
          key: point.from,
          label: shortDay(point.from),
          title: titleOf(point),
          note: noteOn(point.from, point.to),
        }))}
        series={[
          { key: "now", name, as: "line", color: "accent", values: series.data.map((point) => point[measure]) },
          ...comparison,
        ]}
      />
      {missing > 0 && <p class="note">{words.missingPoints(figure(missing, "count"))}</p>}
    </>
  );
}

const titleOf = (point: { readonly from: string; readonly to: string } | undefined): string =>
  point === undefined ? "" : point.from === point.to ? day(point.from) : range(point.from, point.to);

export function PointTable({ series, before, measure }: { series: ProductSeries; before: Points; measure: Measure }) {
  const { product: words, reason } = t();
  const unit = UNITS[measure];
  const why = (point: ProductSeries["data"][number] | undefined): string | undefined =>
    reason[point === undefined ? "before_data" : (point.marginNdReason ?? "no_value")];
  const columns: Column<ProductSeries["data"][number]>[] = [
    { key: "from", label: words.from, value: ({ from }) => from, show: ({ from }) => day(from) },
    { key: "current", label: words.current, unit, value: (point) => point[measure], reason: why },
    {
      key: "before",
      label: words.before,
      unit,
      value: ({ index }) => before?.[index]?.[measure] ?? null,
      reason: ({ index }) => why(before?.[index]),
    },
  ];
  return (
    <Table
      caption={words.series}
      rows={series.data}
      keyOf={({ from }) => from}
      columns={before ? columns : columns.slice(0, 2)}
    />
  );
}
