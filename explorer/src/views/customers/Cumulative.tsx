import type { Answer } from "../../answer.ts";
import type { Break, PaybackRow, Paybacks } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { explainer } from "../../explain.ts";
import { figure, short, whole } from "../../format.ts";
import { t } from "../../text.ts";
import { fewFrom, scaleOver } from "./averages.ts";
import { rowName } from "./breaks.ts";
import { chosenOf, nameOf, spotlit, stepPoints } from "./choices.ts";
import { isCut } from "./cohortSteps.ts";
import { averageOf } from "./curves.ts";
import { HeatMap, type HeatRow } from "./HeatMap.tsx";
import { StepTable } from "./StepTable.tsx";

interface CumulativeProps {
  readonly query: Query;
  readonly answer: Answer<Paybacks>;
  readonly breakBy: Break;
  readonly about: string;
  readonly span: 6 | 12;
}

/** The contribution per customer since the first purchase. */
export function Cumulative({ query, answer, breakBy, about, span }: CumulativeProps) {
  const words = t().cohort;
  const rowsOf = (data: readonly PaybackRow[]): readonly PaybackRow[] => chosenOf(data, breakBy);
  const averages = ({ data }: Paybacks) => averageOf(rowsOf(data));
  return (
    <>
      <Card
        name="map"
        title={`${words.map}${about}`}
        question={words.mapQuestions.cumulative}
        query={query}
        answer={answer}
        needsMargin
        height="large"
      >
        {(data) => {
          const rows = rowsOf(data.data);
          const scale = scaleOver(
            rows.flatMap(({ points }) => points.filter(({ complete }) => complete).map((point) => point.perCustomer)),
            false,
          );
          const text = (value: number): string => figure(value, "currency");
          if (rows.length === 0) return <EmptySmall>{t().empty.points}</EmptySmall>;
          return (
            <HeatMap
              label={words.measures.cumulative}
              sizeLabel={words.size.cumulative}
              stepName={words.step.month}
              scale={scale}
              ends={[text(scale.low), text(scale.top)]}
              clamped={scale.most === undefined ? undefined : words.clamped(text(scale.top), text(scale.most))}
              averages={averages(data).map(({ month, customers, perCustomer }, at, means) => ({
                n: month,
                isOfFew: at >= (fewFrom(means.map((mean) => mean.customers)) ?? means.length),
                text: short2(perCustomer),
                hint: `${words.cumulativeHint}. ${words.customers}: ${figure(customers, "count")}. ${text(perCustomer)}`,
              }))}
              rows={rows.map((row): HeatRow => {
                const name = rowName(row, breakBy !== "");
                return {
                  key: row.cohortMonth,
                  name: nameOf(row.cohortMonth, "month"),
                  isCut: isCut(row.cohortMonth, "month", data.period.startDate, data.period.endDate),
                  size: { text: figure(row.customers, "count"), explain: explainer(query, "customers", name) },
                  cells: row.points.map((point, n) => ({
                    n: point.month,
                    value: point.perCustomer,
                    text: short2(point.perCustomer),
                    isOpen: !point.complete,
                    says: [
                      [words.perCustomer, text(point.perCustomer)],
                      ...(point.lower === null || point.upper === null
                        ? []
                        : [[words.interval, `${text(point.lower)} – ${text(point.upper)}`] as const]),
                      [words.contribution, text(point.contribution)],
                      ...(point.paidBackPct === null
                        ? []
                        : [[t().payback.covered, figure(point.paidBackPct, "percent")] as const]),
                    ],
                    explain: explainer(query, `points.${n}.perCustomer`, name),
                  })),
                };
              })}
            />
          );
        }}
      </Card>
      <Card
        name="lines"
        title={`${words.lines.cumulative}${about}`}
        question={words.linesQuestion}
        query={query}
        answer={answer}
        needsMargin
        span={span}
        note={words.bold}
        table={({ data }) => (
          <StepTable
            rows={rowsOf(data).map((row) => ({
              key: row.cohortMonth,
              name: nameOf(row.cohortMonth, "month"),
              values: row.points.map(({ perCustomer }) => perCustomer),
            }))}
            unit="currency"
            caption={words.lines.cumulative}
            isFromZero
          />
        )}
      >
        {(data) => {
          const rows = rowsOf(data.data);
          const most = Math.max(...rows.map(({ points }) => points.length), 0);
          const steps = Array.from({ length: most }, (_, n) => n);
          const means = averages(data);
          const few = fewFrom(means.map(({ customers }) => customers));
          return (
            <XYChart
              label={words.lines.cumulative}
              points={stepPoints(steps, words.step.month)}
              axis={words.step.month}
              unit="currency"
              height="large"
              fromZero={false}
              series={[
                ...spotlit(
                  rows.map((row): Series => {
                    const open = row.points.findIndex(({ complete }) => !complete);
                    return {
                      key: row.cohortMonth,
                      name: nameOf(row.cohortMonth, "month"),
                      as: "line",
                      color: "accent",
                      values: steps.map((step) => row.points[step]?.perCustomer ?? null),
                      ...(open >= 0 ? { openFrom: open } : {}),
                    };
                  }),
                ),
                {
                  key: "average",
                  name: words.average,
                  as: "line",
                  color: "contrast",
                  isBold: true,
                  ...(few === undefined ? {} : { openFrom: few }),
                  values: steps.map((n) => means.find(({ month }) => month === n)?.perCustomer ?? null),
                },
              ]}
            />
          );
        }}
      </Card>
    </>
  );
}

/** Amounts per customer are small: whole units in a cell, the exact amount in its tip. */
const short2 = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 100_000) return short(value, "currency");
  return size < 100 ? figure(value, "currency") : whole(value);
};
