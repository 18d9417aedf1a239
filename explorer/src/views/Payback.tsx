import { useMemo } from "preact/hooks";
import type { Answer } from "../answer.ts";
import type { Cohort, Cohorts } from "../answers.ts";
import type { Query } from "../api.ts";
import { Chart, tooltip, values } from "../charts/Chart.tsx";
import { Select } from "../components/Controls.tsx";
import { Picture } from "../components/Picture.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { cohort as cohortName, figure } from "../format.ts";
import { arg, set } from "../route.ts";
import { t } from "../text.ts";
import type { Colors } from "../theme.ts";
import { type CohortView, crossing, cumulative, type GroupBy, stepsOf } from "./cohortSteps.ts";

interface Props {
  readonly title: string;
  readonly query: Query;
  readonly answer: Answer<Cohorts>;
  readonly cohortsOf: (cohorts: readonly Cohort[]) => readonly Cohort[];
  readonly view: CohortView;
  readonly groupBy: GroupBy;
  readonly last: string;
}

interface Curve {
  readonly month: string;
  readonly name: string;
  readonly cost: number;
  readonly sums: readonly number[];
  /** The step in which the cohort is paid back. */
  readonly paid: number | undefined;
}

/** The cumulative contribution since the first purchase and the cohort's cost. Cohorts without a cost have no curve. */
export function Payback({ title, query, answer, cohortsOf, view, groupBy, last }: Props) {
  const words = t().cohort;
  const data = answer.state === "failed" ? undefined : answer.data;
  const curves = useMemo(
    () => (data ? curvesOf(cohortsOf(data.data), view, groupBy, last) : []),
    // The title identifies the chosen cohorts.
    [data, title, view, groupBy, last],
  );
  const picked = curves.find(({ month }) => month === arg("cohort"));
  const picker = curves.length > 0 && (
    <Select
      label={words.pick}
      options={[["", words.everyCohort] as const, ...curves.map(({ month, name }) => [month, name] as const)]}
      value={picked?.month ?? ""}
      change={(cohort) => set({ cohort })}
    />
  );
  return (
    <Picture
      name="payback"
      title={title}
      query={query}
      answer={answer}
      controls={picker}
      table={() => <PaybackTable curves={curves} groupBy={groupBy} />}
    >
      {() => {
        if (curves.length === 0) return <p class="empty">{words.noCost}</p>;
        return (
          <>
            {picked ? <One curve={picked} groupBy={groupBy} /> : <All curves={curves} groupBy={groupBy} />}
            <ul class="paid">
              {(picked ? [picked] : curves).map(({ month, name, paid }) => (
                <li key={month} class={paid === undefined ? "" : "good"}>
                  {paid === undefined ? words.unpaid(name) : words.paid(name, stepName(paid, groupBy))}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Picture>
  );
}

/** Older cohorts are paler. */
export const fade = (n: number, count: number): number => (count < 2 ? 1 : 0.25 + (0.75 * n) / (count - 1));

const stepName = (n: number, groupBy: GroupBy): string => `${t().cohort.step[groupBy].toLowerCase()} ${n}`;

function curvesOf(cohorts: readonly Cohort[], view: CohortView, groupBy: GroupBy, last: string): Curve[] {
  return cohorts.flatMap((row) => {
    const cost = row.acquisitionInvestment;
    if (cost === null || cost <= 0) return [];
    const sums = cumulative(stepsOf(row, groupBy, last), view);
    const name = cohortName(row.cohortMonth, groupBy);
    return [{ month: row.cohortMonth, name, cost, sums, paid: crossing(sums, cost) }];
  });
}

/** A numeric axis of steps, because lines may cross between two steps. */
const steps = (colors: Colors, count: number): object =>
  values(colors, "number", {
    min: 0,
    max: Math.max(1, count - 1),
    minInterval: 1,
    splitLine: { show: false },
    axisLabel: { color: colors.muted },
  });

const points = (sums: readonly number[], scale = 1): [number, number][] => sums.map((sum, n) => [n, sum / scale]);

/** The point where the sums first reach the cost, or the first point if it is already above the cost. */
function meeting(sums: readonly number[], cost: number, paid: number | undefined): [number, number] | undefined {
  const [before, after] = [sums[(paid ?? 0) - 1], sums[paid ?? 0]];
  if (paid === undefined || after === undefined) return undefined;
  return before === undefined ? [0, after] : [paid - 1 + (cost - before) / (after - before), cost];
}

/** One cohort in money: its curve, the line of its cost and their intersection. */
function One({ curve, groupBy }: { curve: Curve; groupBy: GroupBy }) {
  const words = t().cohort;
  const option = useMemo(
    () => (colors: Colors) => ({
      tooltip: tooltip(colors, { trigger: "axis", valueFormatter: (value: number) => figure(value, "currency") }),
      xAxis: steps(colors, curve.sums.length),
      yAxis: values(colors, "currency", { min: 0 }),
      series: [
        {
          name: words.cumulative,
          type: "line",
          symbolSize: 6,
          itemStyle: { color: colors.accent },
          areaStyle: { opacity: 0.1 },
          data: points(curve.sums),
          markPoint: crossingMark(colors, meeting(curve.sums, curve.cost, curve.paid)),
        },
        {
          name: words.cost,
          type: "line",
          symbol: "none",
          itemStyle: { color: colors.contrast },
          lineStyle: { type: "dashed", width: 2 },
          data: curve.sums.map((_, n) => [n, curve.cost]),
        },
      ],
    }),
    [curve, words],
  );
  return <Chart label={`${words.paybackCurve}: ${curve.name}, ${words.step[groupBy]}`} option={option} />;
}

/** All cohorts as multiples of their cost; a cohort is paid back at 1. */
function All({ curves, groupBy }: { curves: readonly Curve[]; groupBy: GroupBy }) {
  const words = t().cohort;
  const option = useMemo(
    () => (colors: Colors) => ({
      tooltip: tooltip(colors, {
        trigger: "item",
        formatter: ({ seriesName, value }: { seriesName: string; value: readonly [number, number] }) =>
          `${seriesName} · ${words.step[groupBy]} ${value[0]}\n${figure(value[1], "times")} ${words.cost.toLowerCase()}`,
      }),
      legend: { show: false },
      grid: { top: 16, left: 8, right: 16, bottom: 4, containLabel: true },
      xAxis: steps(colors, Math.max(...curves.map(({ sums }) => sums.length))),
      yAxis: values(colors, "times", { min: 0 }),
      series: curves.map(({ name, sums, cost, paid }, n) => ({
        name,
        type: "line",
        symbolSize: 5,
        itemStyle: { color: colors.accent, opacity: fade(n, curves.length) },
        lineStyle: { width: 1.8, opacity: fade(n, curves.length) },
        emphasis: { focus: "series" },
        data: points(sums, cost),
        markPoint: crossingMark(
          colors,
          meeting(
            points(sums, cost).map(([, y]) => y),
            1,
            paid,
          ),
        ),
        ...(n === 0
          ? {
              markLine: {
                silent: true,
                symbol: "none",
                lineStyle: { color: colors.contrast, type: "dashed", width: 2 },
                label: { formatter: "1×", color: colors.muted, position: "insideEndTop" },
                data: [{ yAxis: 1 }],
              },
            }
          : {}),
      })),
    }),
    [curves, groupBy, words],
  );
  return <Chart label={words.paybackCurve} option={option} />;
}

function crossingMark({ contrast, surface }: Colors, coord: [number, number] | undefined): object {
  return {
    silent: true,
    symbol: "circle",
    symbolSize: 12,
    itemStyle: { color: surface, borderColor: contrast, borderWidth: 3, opacity: 1 },
    label: { show: false },
    data: coord ? [{ coord }] : [],
  };
}

function PaybackTable({ curves, groupBy }: { curves: readonly Curve[]; groupBy: GroupBy }) {
  const words = t().cohort;
  const most = Math.max(...curves.map(({ sums }) => sums.length), 0);
  const columns: Column<Curve>[] = [
    { key: "cohort", label: words.cohort, value: ({ month }) => month, show: ({ name }) => name },
    { key: "cost", label: words.cost, unit: "currency", value: ({ cost }) => cost },
    {
      key: "paid",
      label: t().metric.payback ?? "",
      value: ({ paid }) => paid ?? null,
      show: ({ paid }) => (paid === undefined ? "–" : stepName(paid, groupBy)),
    },
    ...Array.from(
      { length: most },
      (_, n): Column<Curve> => ({
        key: String(n),
        label: `${words.step[groupBy]} ${n}`,
        unit: "currency",
        sortable: false,
        value: ({ sums }) => sums[n],
        show: ({ sums }) => (sums[n] === undefined ? "" : figure(sums[n], "currency")),
      }),
    ),
  ];
  return (
    <Table
      caption={words.paybackCurve}
      rows={curves}
      keyOf={({ month }) => month}
      columns={columns}
      empty={words.noCost}
    />
  );
}
