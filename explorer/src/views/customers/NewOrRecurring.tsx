import { dataOf, useAnswer } from "../../answer.ts";
import type { NewOrRecurring as Row, Series as Rows } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Card } from "../../components/Card.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { lastOfMonth } from "../../days.ts";
import { openExplanation } from "../../explain.ts";
import { day, month, shortDay, shortMonth } from "../../format.ts";
import { noteOn } from "../../notes.ts";
import { isCovered, lastDay, useCompared, usePeriod } from "../../stores.ts";
import { t } from "../../text.ts";

const PATH = "/v1/profitability/new-vs-recurring";

/** Who bought in each day or month: customers won then, and those who had bought before. */
export function NewOrRecurring() {
  const { from, to } = usePeriod();
  const last = lastDay();
  const compared = useCompared();
  const query: Query = { path: PATH, params: { startDate: from, endDate: to } };
  const answer = useAnswer<Rows<Row>>(query);
  const earlier = useAnswer<Rows<Row>>(
    compared && { path: PATH, params: { startDate: compared.from, endDate: compared.to } },
  );
  const before = compared ? dataOf(earlier) : undefined;
  const words = t().newOrRecurring;
  return (
    <Card
      name="newOrRecurring"
      title={words.title}
      question={words.question}
      query={query}
      answer={answer}
      table={({ data, granularity }) => <RowTable rows={data} isMonthly={granularity === "month"} />}
    >
      {({ data, granularity }) => {
        const isMonthly = granularity === "month";
        const name = isMonthly ? month : day;
        const end = to ?? last;
        const then = (before?.data ?? []).map((row) =>
          isCovered(isMonthly ? lastOfMonth(row.date) : row.date) ? row : undefined,
        );
        const values = data.map((_, n) => then[n]?.customers ?? null);
        // A single point is no line.
        const isLine = values.filter((value) => value !== null).length > 1;
        const line: Series[] =
          before && before.granularity === granularity && isLine
            ? [
                {
                  key: "before",
                  name: words.before,
                  as: "line",
                  color: "muted",
                  values,
                  comparison: { titles: data.map((_, n) => (then[n] ? name(then[n].date) : "")) },
                },
              ]
            : [];
        return (
          <XYChart
            label={words.title}
            unit="count"
            points={data.map(({ date }) => ({
              key: date,
              label: isMonthly ? shortMonth(date) : shortDay(date),
              title: name(date),
              isOpen: isMonthly && lastOfMonth(date) > end,
              note: noteOn(date, isMonthly ? lastOfMonth(date) : date),
            }))}
            series={[
              {
                key: "newCustomers",
                name: words.newCustomers,
                as: "stack",
                color: "accent",
                values: data.map(({ newCustomers }) => newCustomers),
              },
              {
                key: "recurringCustomers",
                name: words.recurringCustomers,
                as: "stack",
                color: "contrast",
                values: data.map(({ recurringCustomers }) => recurringCustomers),
              },
              ...line,
            ]}
            onPick={({ key }) =>
              openExplanation({
                endpoint: PATH,
                params: query.params,
                figure: "customers",
                row: isMonthly ? key.slice(0, 7) : key,
              })
            }
          />
        );
      }}
    </Card>
  );
}

function RowTable({ rows, isMonthly }: { rows: readonly Row[]; isMonthly: boolean }) {
  const words = t().newOrRecurring;
  const columns: Column<Row>[] = [
    {
      key: "date",
      label: words.date,
      value: ({ date }) => date,
      show: ({ date }) => (isMonthly ? month(date) : day(date)),
    },
    { key: "newCustomers", label: words.newCustomers, unit: "count", bar: true, value: (row) => row.newCustomers },
    {
      key: "recurringCustomers",
      label: words.recurringCustomers,
      unit: "count",
      bar: true,
      value: (row) => row.recurringCustomers,
    },
    { key: "customers", label: words.customers, unit: "count", value: (row) => row.customers },
  ];
  return <Table caption={words.title} rows={rows} keyOf={({ date }) => date} columns={columns} />;
}
