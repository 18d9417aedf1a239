import type { Detail } from "../../answers.ts";
import { BarList } from "../../charts/BarList.tsx";
import { XYChart } from "../../charts/XYChart.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { figure, month, shortMonth, type Unit } from "../../format.ts";
import { t } from "../../text.ts";
import { BlockCard, type Part } from "./Block.tsx";
import { figureOf } from "./Summary.tsx";

const COHORT_UNITS: Readonly<Record<string, Unit>> = {
  entryCustomers: "count",
  matureEntryCustomers: "count",
  ltv180: "currency",
  repurchaseRate180: "ratio",
  ltvToDate: "currency",
  repurchaseRateToDate: "ratio",
};

export function EntryCohort({ name, detail, query, span }: Part) {
  const { product: words, metric, reason } = t();
  type Row = NonNullable<Detail["entryCohort"]["rows"]>[number];
  return (
    <BlockCard
      {...{ name, detail, query, span }}
      question={words.entryCohortQuestion}
      table={({ entryCohort: { rows } }) => (
        <Table
          caption={words.entryCohort}
          rows={rows ?? []}
          keyOf={(row) => row.month}
          columns={[
            { key: "month", label: words.entryMonth, value: (row) => row.month, show: (row) => month(row.month) },
            ...Object.entries(COHORT_UNITS).map(
              ([key, unit]): Column<Row> => ({
                key,
                label: metric[key] ?? key,
                unit,
                value: (row) => figureOf(row, key),
                reason: () => (/180$/.test(key) ? reason.maturing : undefined),
              }),
            ),
          ]}
        />
      )}
    >
      {({ entryCohort: { rows } }) => (
        <XYChart
          label={words.entryCohort}
          unit="count"
          points={(rows ?? []).map((row) => ({
            key: row.month,
            label: shortMonth(row.month),
            title: month(row.month),
          }))}
          series={[
            {
              key: "entryCustomers",
              name: metric.entryCustomers ?? "",
              as: "bar",
              color: "accent",
              values: (rows ?? []).map((row) => row.entryCustomers),
            },
            {
              key: "ltvToDate",
              name: metric.ltvToDate ?? "",
              as: "line",
              color: "contrast",
              unit: "currency",
              values: (rows ?? []).map((row) => row.ltvToDate),
            },
          ]}
        />
      )}
    </BlockCard>
  );
}

export function Channels({ name, detail, query, span }: Part) {
  const { product: words, channels } = t();
  return (
    <BlockCard {...{ name, detail, query, span }}>
      {({ acquisitionChannels: { rows } }) =>
        (rows ?? []).length === 0 ? (
          <EmptySmall>{t().chart.empty}</EmptySmall>
        ) : (
          <BarList
            label={words.acquisitionChannels}
            unit="count"
            rows={(rows ?? []).map(({ channel, label, entryCustomers, share }) => ({
              key: channel,
              label: channels[channel] ?? label,
              value: entryCustomers,
              note: figure(share, "ratio"),
            }))}
          />
        )
      }
    </BlockCard>
  );
}
