import type { Detail } from "../../answers.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Table } from "../../components/Table.tsx";
import { day, figure } from "../../format.ts";
import { organization } from "../../session.ts";
import { lastDay } from "../../stores.ts";
import { t } from "../../text.ts";
import { BlockCard, type Part } from "./Block.tsx";
import { customersText } from "./Orders.tsx";

export function Frequency({ name, detail, query, span }: Part) {
  const words = t().product;
  return (
    <BlockCard
      {...{ name, detail, query, span }}
      question={words.purchaseFrequencyQuestion}
      table={({ purchaseFrequency: { rows } }) => (
        <Table
          caption={words.purchaseFrequency}
          rows={rows ?? []}
          keyOf={({ purchases }) => String(purchases)}
          columns={[
            { key: "purchases", label: words.purchases, value: ({ purchases }) => purchases },
            { key: "customers", label: t().metric.customers ?? "", unit: "count", value: (row) => row.customers },
            { key: "share", label: words.share, unit: "ratio", value: ({ share }) => share },
          ]}
        />
      )}
    >
      {({ purchaseFrequency: { rows, averageDaysBetween } }) => (
        <>
          <XYChart
            label={words.purchaseFrequency}
            unit="count"
            bare
            points={(rows ?? []).map(({ purchases, share }) => ({
              key: String(purchases),
              label: words.times(String(purchases)),
              title: `${words.times(String(purchases))} · ${figure(share, "ratio")}`,
            }))}
            series={[
              {
                key: "customers",
                name: t().metric.customers ?? "",
                as: "bar",
                color: "accent",
                values: (rows ?? []).map(({ customers }) => customers),
              },
            ]}
          />
          {averageDaysBetween !== null && (
            <p class="note">{words.averageDaysBetween(figure(averageDaysBetween, "days"))}</p>
          )}
        </>
      )}
    </BlockCard>
  );
}

/** The months since a first purchase that the data can show: after them nobody could have come back. */
function monthsOfData(last: string): number {
  const first = organization.value?.firstDay;
  if (!first) return Number.POSITIVE_INFINITY;
  const number = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
  return number(last) - number(first);
}

export function Retention({ name, detail, query, span }: Part) {
  const words = t().product;
  const last = lastDay();
  const most = monthsOfData(last);
  const shown = (rows: Detail["retention"]["rows"]) => (rows ?? []).filter((row) => !(row.month > most));
  return (
    <BlockCard
      {...{ name, detail, query, span }}
      question={words.retentionQuestion}
      table={({ retention: { rows } }) => (
        <Table
          caption={words.retention}
          rows={shown(rows)}
          keyOf={(row) => String(row.month)}
          columns={[
            { key: "month", label: words.month, value: (row) => row.month },
            { key: "customers", label: t().metric.customers ?? "", unit: "count", value: (row) => row.customers },
            { key: "observed", label: words.observed, unit: "count", value: (row) => row.observed },
            { key: "pct", label: words.rate, unit: "ratio", value: (row) => row.pct },
          ]}
        />
      )}
    >
      {({ retention: { rows } }) => (
        <>
          <XYChart
            label={words.retention}
            unit="ratio"
            bare
            points={shown(rows).map((row) => ({
              key: String(row.month),
              label: String(row.month),
              title: `${words.monthN(String(row.month))} · ${customersText(row.observed)}`,
            }))}
            axis={t().cohort.step.month}
            series={[
              { key: "pct", name: words.rate, as: "line", color: "accent", values: shown(rows).map(({ pct }) => pct) },
            ]}
          />
          {(rows ?? []).length > shown(rows).length && <p class="note">{words.retentionCut(day(last))}</p>}
        </>
      )}
    </BlockCard>
  );
}
