import { type Answer, useAnswer } from "../../answer.ts";
import type { Break, Cohort, Cohorts, PaybackRow, Paybacks } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Point, Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { Bar, Select, wordsOf } from "../../components/Controls.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { explainer } from "../../explain.ts";
import { figure, hero, cohort as longName, short, shortMonth, type Unit } from "../../format.ts";
import { arg, oneOf, set } from "../../route.ts";
import { lastDay, usePeriod, useStores } from "../../stores.ts";
import { t } from "../../text.ts";
import { averagesOf, fewFrom, type Stepped, scaleOver } from "./averages.ts";
import { type Broken, chosenKey, keyOf, labelOf, rowName } from "./breaks.ts";
import { type CohortView, type GroupBy, isCut, type Step, stepsOf } from "./cohortSteps.ts";
import { pooledOf } from "./curves.ts";
import { Forecast } from "./Forecast.tsx";
import { type HeatAverage, HeatMap, type HeatRow } from "./HeatMap.tsx";
import { NewOrRecurring } from "./NewOrRecurring.tsx";
import { Payback } from "./Payback.tsx";

export const MEASURES = ["logo", "revenue", "cumulative"] as const;
export type Measure = (typeof MEASURES)[number];
export const GROUPS = ["month", "quarter", "year"] as const;
export const BREAKS = ["origem", "campanha", "cupom", "produto", "categoria"] as const;

/** The breakdowns that the payback curves have. */
const PAID = ["", "origem", "campanha"];
/** Limit of the rows in the table of breakdown values. */
const MAX_VALUES = 100;
/** With fewer cohorts, the page suggests a longer period. */
const FEW = 3;
/** With more lines than these, their names take more room than they are worth: pointing at a line names it. */
export const MANY = 13;

export const dataOf = <T,>(answer: Answer<T>): T | undefined => (answer.state === "failed" ? undefined : answer.data);

/** A month's short name, which never wraps; the longer one of quarters and years. */
export const nameOf = (cohortMonth: string, groupBy: GroupBy): string =>
  groupBy === "month" ? shortMonth(cohortMonth) : longName(cohortMonth, groupBy);

export function Customers() {
  const { from, to } = usePeriod();
  const last = lastDay(useStores());
  const measure = oneOf<Measure>("count", MEASURES);
  const asked = oneOf<Break>("break", ["", ...BREAKS]);
  const isPaid = PAID.includes(asked);
  const breakBy: Break = measure === "cumulative" && !isPaid ? "" : asked;
  const groupBy = measure === "cumulative" ? "month" : oneOf<GroupBy>("group", GROUPS);
  const days = { startDate: from, endDate: to };
  const cohorts: Query = {
    path: "/v1/profitability/cohort",
    params: { ...days, view: measure === "revenue" ? "revenue" : "logo", groupBy, breakBy },
  };
  const paybacks: Query = { path: "/v1/profitability/payback", params: { ...days, breakBy: isPaid ? breakBy : "" } };
  const cohortAnswer = useAnswer<Cohorts>(cohorts);
  const paybackAnswer = useAnswer<Paybacks>(paybacks);
  const words = t().cohort;
  const parts = dataOf(cohortAnswer);
  const chosen = chosenOf(parts?.data ?? [], breakBy);
  const about = breakBy !== "" && chosen[0] ? `: ${labelOf(chosen[0])}` : "";
  const paid = chosenOf(dataOf(paybackAnswer)?.data ?? [], isPaid ? breakBy : "");
  // Without any spend there is nothing to compare the lines with.
  const span = paid.length > 0 && paid.every(({ state }) => state === "no_spend") ? 12 : 6;
  const count = new Set(parts?.data.map(({ cohortMonth }) => cohortMonth)).size;
  return (
    <div class="page customers">
      <Controls measure={measure} groupBy={groupBy} breakBy={breakBy} />
      {parts && count < FEW && groupBy === "month" && (
        <Banner tone="info" action={{ text: words.moreMonths, act: () => set({ period: "12m", from: "", to: "" }) }}>
          {words.few(count)}
        </Banner>
      )}
      {breakBy !== "" && <Values query={cohorts} answer={cohortAnswer} breakBy={breakBy} />}
      {measure === "cumulative" ? (
        <Cumulative query={paybacks} answer={paybackAnswer} breakBy={breakBy} about={about} span={span} />
      ) : (
        <Steps
          query={cohorts}
          answer={cohortAnswer}
          view={measure}
          groupBy={groupBy}
          breakBy={breakBy}
          last={last}
          about={about}
          span={span}
        />
      )}
      <Payback
        query={paybacks}
        answer={paybackAnswer}
        about={isPaid ? about : ""}
        rows={paid}
        span={span}
        isBroken={isPaid && breakBy !== ""}
        note={isPaid ? undefined : t().payback.otherBreak}
      />
      <Forecast />
      <NewOrRecurring />
    </div>
  );
}

interface ControlsProps {
  readonly measure: Measure;
  readonly groupBy: GroupBy;
  readonly breakBy: Break;
}

function Controls({ measure, groupBy, breakBy }: ControlsProps) {
  const words = t().cohort;
  const breaks = wordsOf(words.breaks).filter(([name]) => measure !== "cumulative" || PAID.includes(name));
  return (
    <Bar label={words.controls}>
      <Segmented
        label={words.measure}
        options={MEASURES.map((name) => [name, words.measures[name]] as const)}
        value={measure}
        change={(count) => set({ count: count === "logo" ? "" : count })}
      />
      {measure !== "cumulative" && (
        <>
          <Segmented
            label={words.group}
            isLabelled
            options={GROUPS.map((name) => [name, words.groups[name]] as const)}
            value={groupBy}
            change={(group) => set({ group: group === "month" ? "" : group })}
          />
          <Segmented
            label={words.show}
            options={[
              ["pct", words.shows.pct],
              ["absolute", words.shows.absolute],
            ]}
            value={oneOf("show", ["pct", "absolute"])}
            change={(show) => set({ show: show === "pct" ? "" : show })}
          />
        </>
      )}
      <Select
        label={words.breakBy}
        options={breaks}
        value={breakBy}
        change={(it) => set({ break: it, value: "", cohort: "" })}
      />
    </Bar>
  );
}

/** The rows of the chosen breakdown value, or of the largest one without a choice; all without a breakdown. */
function chosenOf<Row extends Broken>(rows: readonly Row[], breakBy: Break): readonly Row[] {
  if (breakBy === "") return rows;
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const size = (row as { firstPurchaseCustomers?: number; customers?: number }).firstPurchaseCustomers;
    const customers = size ?? (row as { customers?: number }).customers ?? 0;
    sizes.set(keyOf(row), (sizes.get(keyOf(row)) ?? 0) + customers);
  }
  const keys = [...sizes].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([key]) => key);
  const key = chosenKey(keys, arg("value"));
  return rows.filter((row) => keyOf(row) === key);
}

interface BreakValue {
  readonly key: string;
  readonly label: string;
  readonly customers: number;
  readonly repeated: number;
}

/** The breakdown values with their customers over all cohorts, the largest first. */
function valuesOf(cohorts: readonly Cohort[]): BreakValue[] {
  const all = new Map<string, BreakValue>();
  for (const row of cohorts) {
    const before = all.get(keyOf(row));
    all.set(keyOf(row), {
      key: keyOf(row),
      label: labelOf(row),
      customers: (before?.customers ?? 0) + row.firstPurchaseCustomers,
      repeated: (before?.repeated ?? 0) + row.repurchaseCustomers,
    });
  }
  return [...all.values()].sort((a, b) => b.customers - a.customers || a.key.localeCompare(b.key));
}

function Values({ query, answer, breakBy }: { query: Query; answer: Answer<Cohorts>; breakBy: Break }) {
  const words = t().cohort;
  const columns: Column<BreakValue>[] = [
    { key: "label", label: words.breaks[breakBy], value: ({ label }) => label },
    { key: "customers", label: words.customers, unit: "count", bar: true, value: ({ customers }) => customers },
    { key: "repeated", label: words.repeat, unit: "count", value: ({ repeated }) => repeated },
    {
      key: "share",
      label: words.repeatShare,
      unit: "ratio",
      bar: true,
      value: ({ customers, repeated }) => (customers > 0 ? repeated / customers : null),
    },
  ];
  const leftOut = dataOf(answer)?.rowsLeftOut;
  const overlaps = breakBy === "produto" || breakBy === "categoria";
  const notes = [overlaps ? words.overlap : "", leftOut ? words.leftOut(figure(leftOut, "count")) : ""].filter(Boolean);
  return (
    <Card
      name="values"
      title={words.valuesOf(words.breaks[breakBy].toLocaleLowerCase())}
      question={words.values}
      query={query}
      answer={answer}
      {...(notes.length > 0 ? { note: notes.join(" ") } : {})}
    >
      {({ data }) => {
        const all = valuesOf(data);
        const current = chosenKey(
          all.map(({ key }) => key),
          arg("value"),
        );
        return (
          <div class="short-table">
            {all.length > MAX_VALUES && (
              <p class="note">{words.limit(figure(MAX_VALUES, "count"), figure(all.length, "count"))}</p>
            )}
            <Table
              caption={words.values}
              rows={all.slice(0, MAX_VALUES)}
              keyOf={({ key }) => key}
              columns={columns}
              initially={{ by: "customers", descending: true }}
              isCurrent={({ key }) => key === current}
              onPick={({ key }) => set({ value: key, cohort: "" })}
            />
          </div>
        );
      }}
    </Card>
  );
}

/** From 0 for the oldest of several lines to 1 for the newest. */
export const recency = (n: number, count: number): number => (count < 2 ? 1 : n / (count - 1));

/** The steps on the axis of a chart. */
export const stepPoints = (steps: readonly number[], name: string): Point[] =>
  steps.map((n) => ({ key: String(n), label: String(n), title: `${name} ${n}` }));

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
function Steps({ query, answer, view, groupBy, breakBy, last, about, span }: StepsProps) {
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
                const name = rowName(row, breakBy !== "");
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
        span={span}
        note={`${words.openSteps} ${words.bold}`}
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
          const lines = all.map(({ row, steps: own }, n): Series => {
            const done = new Map(later(own).map((step) => [step.n, step.isOpen ? null : shownOf(step)]));
            return {
              key: row.cohortMonth,
              name: nameOf(row.cohortMonth, groupBy),
              as: "line",
              color: "accent",
              values: steps.map((step) => done.get(step) ?? null),
              strength: recency(n, all.length) * 0.5,
            };
          });
          return (
            <XYChart
              label={words.lines[view]}
              bare={all.length > MANY}
              points={stepPoints(steps, words.step[groupBy])}
              unit={unit}
              height="large"
              series={[
                ...lines,
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

interface CumulativeProps {
  readonly query: Query;
  readonly answer: Answer<Paybacks>;
  readonly breakBy: Break;
  readonly about: string;
  readonly span: 6 | 12;
}

/** The contribution per customer since the first purchase. */
function Cumulative({ query, answer, breakBy, about, span }: CumulativeProps) {
  const words = t().cohort;
  const rowsOf = (data: readonly PaybackRow[]): readonly PaybackRow[] => chosenOf(data, breakBy);
  const averages = ({ average, data }: Paybacks) => average ?? pooledOf(rowsOf(data));
  return (
    <>
      <Card
        name="map"
        title={`${words.map}${about}`}
        question={words.mapQuestions.cumulative}
        query={query}
        answer={answer}
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
                hint: `${words.averageHint}. ${words.customers}: ${figure(customers, "count")}. ${text(perCustomer)}`,
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
              bare={rows.length > MANY}
              points={stepPoints(steps, words.step.month)}
              unit="currency"
              height="large"
              fromZero={false}
              series={[
                ...rows.map((row, n): Series => {
                  const open = row.points.findIndex(({ complete }) => !complete);
                  return {
                    key: row.cohortMonth,
                    name: nameOf(row.cohortMonth, "month"),
                    as: "line",
                    color: "accent",
                    values: steps.map((step) => row.points[step]?.perCustomer ?? null),
                    strength: recency(n, rows.length) * 0.5,
                    ...(open >= 0 ? { openFrom: open } : {}),
                  };
                }),
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
const short2 = (value: number): string =>
  Math.abs(value) < 100_000 ? hero(value, "currency") : short(value, "currency");

interface StepRow {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

function StepTable(props: { rows: readonly StepRow[]; unit: Unit; caption: string; isFromZero?: boolean }) {
  const { rows, unit, caption, isFromZero } = props;
  const most = Math.max(...rows.map(({ values }) => values.length), 0);
  const columns: Column<StepRow>[] = [
    { key: "cohort", label: t().cohort.cohort, value: ({ key }) => key, show: ({ name }) => name },
    ...Array.from(
      { length: most },
      (_, n): Column<StepRow> => ({
        key: String(n),
        label: String(isFromZero ? n : n + 1),
        unit,
        sortable: false,
        value: ({ values }) => values[n],
        show: ({ values }) => (values[n] === undefined ? "" : figure(values[n], unit)),
      }),
    ),
  ];
  return <Table caption={caption} rows={rows} keyOf={({ key }) => key} columns={columns} />;
}
