import type { Answer } from "../../answer.ts";
import type { PaybackRow, Paybacks } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Mark, Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Card } from "../../components/Card.tsx";
import { Select } from "../../components/Controls.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { explainer } from "../../explain.ts";
import { figure } from "../../format.ts";
import { arg, set } from "../../route.ts";
import { t } from "../../text.ts";
import { fewFrom } from "./averages.ts";
import { rowName } from "./breaks.ts";
import { nameOf, spotlit, stepPoints } from "./choices.ts";
import { averageOf, crossingOf, hasSpend, type Pooled, pooledCac } from "./curves.ts";

interface Props {
  readonly query: Query;
  readonly answer: Answer<Paybacks>;
  readonly about: string;
  readonly rows: readonly PaybackRow[];
  readonly span: 6 | 12;
  readonly isBroken: boolean;
  readonly note?: string | undefined;
}

const count = (value: number): string => figure(value, "count");
const months = (value: number): string => figure(value, "months");

/** What customers brought in per head, against what they cost: all cohorts with their average, or one with its interval. */
export function Payback({ query, answer, about, rows, span, isBroken, note }: Props) {
  const words = t().payback;
  const hasCost = rows.some(hasSpend);
  // Only channels, campaigns and stores have a spend, and that of a store may be unknown.
  const noCost = rows.some(({ state }) => state === null) ? words.unknownCost : words.noCost;
  const picked = rows.find(({ cohortMonth }) => cohortMonth === arg("cohort"));
  const months = rows.map(({ cohortMonth }) => [cohortMonth, nameOf(cohortMonth, "month")] as const);
  return (
    <Card
      name="payback"
      title={`${words.title}${about}`}
      question={words.question}
      query={query}
      answer={answer}
      needsMargin
      span={span}
      {...(hasCost ? { note: [words.band, t().cohort.bold, note].filter(Boolean).join(" ") } : {})}
      controls={
        hasCost &&
        rows.length > 1 && (
          <Select
            label={words.cohort}
            options={[["", words.everyCohort] as const, ...months]}
            value={picked?.cohortMonth ?? ""}
            change={(cohort) => set({ cohort })}
          />
        )
      }
      {...(hasCost ? { table: () => <PaybackTable rows={rows} query={query} isBroken={isBroken} /> } : {})}
    >
      {({ average }) => {
        if (!hasCost) return <EmptySmall>{noCost}</EmptySmall>;
        return picked ? <One row={picked} /> : <All rows={rows} average={averageOf(rows, average)} />;
      }}
    </Card>
  );
}

function sentenceOf(row: PaybackRow): string {
  const { sentence } = t().payback;
  const name = nameOf(row.cohortMonth, "month");
  if (!hasSpend(row)) return sentence.noSpend(name);
  if (row.state === "paid_back") return sentence.paid(name, row.paybackMonths ?? 0, months(row.paybackMonths ?? 0));
  return sentence.unpaid(name, figure(row.points.at(-1)?.paidBackPct, "percent"));
}

function marksOf(values: readonly number[], cost: number | null): Mark[] {
  const words = t().payback;
  const crossing = cost === null ? undefined : crossingOf(values, cost);
  if (!crossing || cost === null) return [];
  const value = crossing.at === 0 ? (values[0] ?? cost) : cost;
  return [{ at: crossing.at, value, label: words.crossing(crossing.month, months(crossing.month)) }];
}

function One({ row }: { row: PaybackRow }) {
  const words = t().payback;
  const values = row.points.map(({ perCustomer }) => perCustomer);
  const cost = hasSpend(row) ? row.cac : null;
  const open = row.points.findIndex(({ complete }) => !complete);
  const name = nameOf(row.cohortMonth, "month");
  return (
    <>
      <p class="verdict">{sentenceOf(row)}</p>
      <XYChart
        label={`${words.title}: ${name}`}
        points={stepPoints(
          row.points.map(({ month }) => month),
          words.month,
        )}
        axis={words.month}
        unit="currency"
        height="large"
        levels={cost === null ? [] : [{ value: cost, label: words.cacOf(figure(cost, "currency")) }]}
        marks={marksOf(values, cost)}
        series={[
          {
            key: row.cohortMonth,
            name,
            as: "line",
            color: "accent",
            values,
            band: row.points.map(({ lower, upper }) => (lower === null || upper === null ? null : [lower, upper])),
            ...(open >= 0 ? { openFrom: open } : {}),
          },
        ]}
      />
    </>
  );
}

function All({ rows, average }: { rows: readonly PaybackRow[]; average: readonly Pooled[] }) {
  const words = t().payback;
  const cost = pooledCac(rows);
  const most = Math.max(...rows.map(({ points }) => points.length), 0);
  const steps = Array.from({ length: most }, (_, n) => n);
  const means = average.map(({ perCustomer }) => perCustomer);
  const few = fewFrom(average.map(({ customers }) => customers));
  const crossing = cost === null ? undefined : crossingOf(means, cost);
  const paidBack = rows.filter(({ state }) => state === "paid_back").length;
  const lines = rows.map((row): Series => {
    const open = row.points.findIndex(({ complete }) => !complete);
    return {
      key: row.cohortMonth,
      name: nameOf(row.cohortMonth, "month"),
      as: "line",
      color: "accent",
      values: steps.map((step) => row.points[step]?.perCustomer ?? null),
      ...(open >= 0 ? { openFrom: open } : {}),
    };
  });
  const mean: Series = {
    key: "average",
    name: words.average,
    as: "line",
    color: "contrast",
    isBold: true,
    ...(few === undefined ? {} : { openFrom: few }),
    values: steps.map((n) => means[n] ?? null),
    band: steps.map((n) => {
      const { lower, upper } = average[n] ?? { lower: null, upper: null };
      return lower === null || upper === null ? null : ([lower, upper] as const);
    }),
  };
  return (
    <>
      <p class="verdict">
        {crossing ? words.sentence.average(crossing.month, months(crossing.month)) : words.sentence.averageUnpaid}
      </p>
      <XYChart
        label={words.title}
        points={stepPoints(steps, words.month)}
        axis={words.month}
        unit="currency"
        height="large"
        levels={cost === null ? [] : [{ value: cost, label: `${words.averageCac}: ${figure(cost, "currency")}` }]}
        marks={marksOf(means, cost)}
        series={[...spotlit(lines), mean]}
      />
      <details class="paid">
        <summary>{words.byCohort(count(paidBack), count(rows.length))}</summary>
        <ul>
          {rows.map((row) => (
            <li key={row.cohortMonth} class={row.state === "not_yet" ? "bad" : ""}>
              <button type="button" class="link" onClick={() => set({ cohort: row.cohortMonth })}>
                {sentenceOf(row)}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function PaybackTable({ rows, query, isBroken }: { rows: readonly PaybackRow[]; query: Query; isBroken: boolean }) {
  const words = t().payback;
  const columns: Column<PaybackRow>[] = [
    {
      key: "cohort",
      label: words.cohort,
      value: (row) => row.cohortMonth,
      show: (row) => nameOf(row.cohortMonth, "month"),
    },
    { key: "customers", label: t().cohort.customers, unit: "count", bar: true, value: (row) => row.customers },
    { key: "investment", label: t().cohort.investment, unit: "currency", value: (row) => row.investment },
    {
      key: "cac",
      label: words.cac,
      unit: "currency",
      value: (row) => (hasSpend(row) ? row.cac : null),
      reason: () => words.noSpend,
    },
    {
      key: "state",
      label: words.state,
      value: (row) => row.paybackMonths,
      tone: ({ state }) => (state === "paid_back" ? "good" : state === "not_yet" ? "bad" : undefined),
      show: ({ state, paybackMonths }) =>
        state === "paid_back"
          ? words.paid(paybackMonths ?? 0, months(paybackMonths ?? 0))
          : state === "not_yet"
            ? words.unpaid
            : words.noSpend,
    },
    {
      key: "covered",
      label: words.covered,
      unit: "percent",
      value: (row) => row.points.at(-1)?.paidBackPct ?? null,
      reason: () => words.noSpend,
    },
  ];
  return (
    <Table
      caption={words.title}
      rows={rows}
      keyOf={({ cohortMonth }) => cohortMonth}
      columns={columns}
      onPick={(row) => explainer(query, "paybackMonths", rowName(row, isBroken))()}
    />
  );
}
