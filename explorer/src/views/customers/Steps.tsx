import type { Answer } from "../../answer.ts";
import type { Break, Cohort, Cohorts } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { explainer } from "../../explain.ts";
import { figure, hero, short, type Unit } from "../../format.ts";
import { oneOf } from "../../route.ts";
import { t } from "../../text.ts";
import { averagesOf, fewFrom, type Stepped, scaleOver } from "./averages.ts";
import { rowName } from "./breaks.ts";
import { chosenOf, nameOf, spotlit, stepPoints } from "./choices.ts";
import { type CohortView, type GroupBy, isCut, type Step, stepsOf } from "./cohortSteps.ts";
import { type HeatAverage, HeatMap, type HeatRow } from "./HeatMap.tsx";
import { StepTable } from "./StepTable.tsx";

interface StepsProps {
  readonly query: Query;
  readonly answer: Answer<Cohorts>;
  readonly view: CohortView;
  readonly groupBy: GroupBy;
  readonly breakBy: Break;
  readonly last: string;
  readonly about: string;
  readonly span: 6 | 12;
}

/** Retention or margin by step: the heat map, and the same as lines. */
export function Steps({ query, answer, view, groupBy, breakBy, last, about, span }: StepsProps) {
  const words = t().cohort;
  const show = oneOf("show", ["pct", "absolute"]);
  const unit: Unit = show === "pct" ? "ratio" : view === "logo" ? "count" : "currency";
  const shownOf = ({ cell }: Step): number | null => (show === "pct" ? cell.pct : cell.absolute);
  const stepped = (data: readonly Cohort[]): (Stepped & { readonly row: Cohort })[] =>
    chosenOf(data, breakBy).map((row) => ({ row, steps: stepsOf(row, groupBy, last) }));
  const later = (steps: readonly Step[]): readonly Step[] => steps.filter(({ n }) => n > 0);
  const averages = (all: readonly Stepped[]) =>
    show === "pct" ? averagesOf(all, view).filter(({ n, pct }) => n > 0 && pct !== null) : [];
  return (
    <>
      <Card
        name="map"
        title={`${words.map}${about}`}
        question={words.mapQuestions[view]}
        query={query}
        answer={answer}
        needsMargin={view === "revenue"}
        height="large"
      >
        {({ data, period }) => {
          const all = stepped(data);
          const values = all.flatMap(({ steps }) =>
            later(steps).flatMap((step) => (step.isOpen ? [] : (shownOf(step) ?? []))),
          );
          const scale = scaleOver(values, true);
          if (all.length === 0) return <EmptySmall>{t().empty.points}</EmptySmall>;
          const text = (value: number): string => (unit === "ratio" ? figure(value, unit) : cellText(value, unit));
          return (
            <HeatMap
              label={words.measures[view]}
              sizeLabel={words.size[view]}
              stepName={words.step[groupBy]}
              scale={scale}
              ends={[text(scale.low), text(scale.top)]}
              clamped={scale.most === undefined ? undefined : words.clamped(text(scale.top), text(scale.most))}
              averages={averages(all).map(
                ({ n, pct, part, whole, cohorts }, at, means): HeatAverage => ({
                  n,
                  text: figure(pct, "ratio"),
                  isOfFew: at >= (fewFrom(means.map((mean) => mean.whole)) ?? means.length),
                  hint: `${words.averageOf(figure(cohorts, "count"))} ${words.outOf(partText(part, view), partText(whole, view))}.`,
                }),
              )}
              rows={all.map(({ row, steps }): HeatRow => {
                const name = rowName(row, breakBy !== "", groupBy);
                return {
                  key: row.cohortMonth,
                  name: nameOf(row.cohortMonth, groupBy),
                  isCut: isCut(row.cohortMonth, groupBy, period.startDate, period.endDate),
                  size: {
                    text: view === "logo" ? figure(row.initialValue, "count") : hero(row.initialValue, "currency"),
                    explain: explainer(query, "initialValue", name),
                  },
                  cells: later(steps).map((step) => ({
                    n: step.n,
                    value: shownOf(step),
                    text: textOf(shownOf(step), unit),
                    isOpen: step.isOpen,
                    says: saysOf(step, view),
                    explain: explainer(query, `months.${step.n}.absolute`, name),
                  })),
                };
              })}
            />
          );
        }}
      </Card>
      <Card
        name="lines"
        title={`${words.lines[view]}${about}`}
        question={words.linesQuestion}
        query={query}
        answer={answer}
        needsMargin={view === "revenue"}
        span={span}
        note={`${words.openSteps[groupBy]} ${words.bold}`}
        table={({ data }) => (
          <StepTable
            rows={stepped(data).map(({ row, steps }) => ({
              key: row.cohortMonth,
              name: nameOf(row.cohortMonth, groupBy),
              values: later(steps).map(shownOf),
            }))}
            unit={unit}
            caption={words.lines[view]}
          />
        )}
      >
        {({ data }) => {
          const all = stepped(data);
          const most = Math.max(...all.map(({ steps }) => later(steps).filter(({ isOpen }) => !isOpen).length), 0);
          const steps = Array.from({ length: most }, (_, n) => n + 1);
          const means = averages(all);
          const mean = new Map(means.map(({ n, pct }) => [n, pct]));
          const few = fewFrom(means.map(({ whole }) => whole));
          const lines = all.map(({ row, steps: own }): Series => {
            const done = new Map(later(own).map((step) => [step.n, step.isOpen ? null : shownOf(step)]));
            return {
              key: row.cohortMonth,
              name: nameOf(row.cohortMonth, groupBy),
              as: "line",
              color: "accent",
              values: steps.map((step) => done.get(step) ?? null),
            };
          });
          return (
            <XYChart
              label={words.lines[view]}
              points={stepPoints(steps, words.step[groupBy])}
              axis={words.step[groupBy]}
              unit={unit}
              height="large"
              series={[
                ...spotlit(lines),
                ...(mean.size === 0
                  ? []
                  : [
                      {
                        key: "average",
                        name: words.average,
                        as: "line" as const,
                        color: "contrast" as const,
                        isBold: true,
                        ...(few === undefined ? {} : { openFrom: few }),
                        values: steps.map((n) => mean.get(n) ?? null),
                      },
                    ]),
              ]}
            />
          );
        }}
      </Card>
    </>
  );
}

const partText = (value: number, view: CohortView): string => figure(value, view === "logo" ? "count" : "currency");

const cellText = (value: number, unit: Unit): string =>
  unit === "currency" ? short(value, unit) : figure(value, unit);

function textOf(value: number | null, unit: Unit): string {
  if (value === null) return t().notAvailable;
  return unit === "ratio" ? figure(value, "ratio") : cellText(value, unit);
}

function saysOf({ cell, n }: Step, view: CohortView): [string, string][] {
  const words = t().cohort;
  const [customers, margin] =
    view === "logo" ? [cell.absolute, cell.complementary] : [cell.complementary, cell.absolute];
  return [
    [view === "logo" ? words.retained : words.ofFirst, figure(cell.pct, "ratio")],
    [words.customers, figure(customers, "count")],
    [words.margin, figure(margin, "currency")],
    ...(n > 0 ? [[words.repurchase, figure(cell.repurchaseRevenue, "currency")] as [string, string]] : []),
  ];
}
