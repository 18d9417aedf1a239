import type { Answer } from "../../answer.ts";
import type { Statement, Trend } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Card } from "../../components/Card.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { openExplanation } from "../../explain.ts";
import { isOfMargin } from "../../margin.ts";
import type { Compared, Granularity } from "../../period.ts";
import { t } from "../../text.ts";
import { knownOf, unknownFor } from "../known.ts";
import { pointOf, positionOf } from "./points.ts";

interface Props {
  readonly query: Query;
  readonly answer: Answer<Trend>;
  /** What was left at each point. */
  readonly left: Statement["data"] | undefined;
  readonly before: Trend | undefined;
  readonly compared: Compared | undefined;
  readonly granularity: Granularity;
  readonly last: string;
}

type Row = Trend["data"][number];

/** Revenue of the period over time and what was left of it, with the revenue of the period compared with. */
export function Evolution({ query, answer, left, before, compared, granularity, last }: Props) {
  const { cockpit, metric } = t();
  const leftOn = new Map(left?.map(({ date, contribution3 }) => [date, contribution3 as number | null]));
  const isKnown = [...leftOn.values()].some((amount) => amount !== null);
  const title = (isKnown ? cockpit.charts : cockpit.revenueCharts)[granularity];
  return (
    <Card
      name="evolution"
      title={title}
      query={query}
      answer={answer}
      table={({ data }) => <TrendTable caption={title} rows={data} {...{ leftOn, granularity, last }} />}
    >
      {({ data }) => {
        const points = data.map(({ date }) => pointOf(date, granularity, last));
        const then = compared && before ? inPlace(before, compared.from, data.length, granularity) : undefined;
        const series: Series[] = [
          {
            key: "revenue",
            name: metric.revenue ?? "",
            as: "line",
            color: "accent",
            values: data.map(({ revenue }) => revenue),
          },
          {
            key: "contribution3",
            name: metric.contribution3 ?? "",
            as: "line",
            color: "contrast",
            values: data.map(({ date }) => leftOn.get(date) ?? null),
          },
        ];
        if (!isKnown) series.pop();
        if (then) {
          const name = cockpit.before(metric.revenue ?? "");
          const titles = then.map((row) => (row ? `${name} (${pointOf(row.date, granularity, last).title})` : name));
          series.splice(1, 0, {
            key: "before",
            name,
            as: "line",
            color: "accent",
            values: then.map((row) => row?.revenue ?? null),
            comparison: { titles },
          });
        }
        return (
          <XYChart
            label={title}
            points={points}
            series={series}
            unit="currency"
            onPick={({ key }) =>
              openExplanation({ endpoint: query.path, params: query.params, figure: "revenue", row: key })
            }
          />
        );
      }}
    </Card>
  );
}

/** Whether the profit is unknown for want of a margin, not of the spend. */
const isUnknown = ({ contributionProfit, investment }: Row): boolean =>
  contributionProfit === null && investment !== null;

/** The rows of the period compared with, by position: both begin at their periods' first points. */
function inPlace(
  { data }: Trend,
  from: string,
  length: number,
  granularity: Granularity,
): readonly (Row | undefined)[] {
  const rows = new Map(data.map((row) => [positionOf(row.date, from, granularity), row]));
  return Array.from({ length }, (_, at) => rows.get(at));
}

const reasonOf = (row: Row, key: string): string | undefined =>
  isOfMargin(key) && isUnknown(row)
    ? "no_margin"
    : (unknownFor(row, key) ?? (key === "ltv" ? "no_customers" : undefined));

interface TableProps {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly leftOn: ReadonlyMap<string, number | null>;
  readonly granularity: Granularity;
  readonly last: string;
}

function TrendTable({ caption, rows, leftOn, granularity, last }: TableProps) {
  const { metric, cockpit, reason } = t();
  const amount = (key: keyof Row & string, unit: "currency" | "count" | "times"): Column<Row> => ({
    key,
    label: metric[key] ?? key,
    unit,
    value: (row) => knownOf(row, key),
    reason: (row) => reason[reasonOf(row, key) ?? ""],
  });
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ date }) => date}
      columns={[
        {
          key: "date",
          label: cockpit.date,
          value: ({ date }) => date,
          show: ({ date }) => pointOf(date, granularity, last).title ?? date,
        },
        amount("revenue", "currency"),
        {
          key: "contribution3",
          label: metric.contribution3 ?? "",
          unit: "currency",
          value: ({ date }) => leftOn.get(date) ?? null,
          reason: () => reason.unknown_goods,
        },
        amount("contribution", "currency"),
        amount("contributionProfit", "currency"),
        amount("investment", "currency"),
        amount("orders", "count"),
        amount("newCustomers", "count"),
        amount("cac", "currency"),
        amount("ltvCacRatio", "times"),
      ]}
    />
  );
}
