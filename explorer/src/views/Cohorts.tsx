import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Cohorts as Answered, Cohort } from "../answers.ts";
import type { Query } from "../api.ts";
import { Chart, categories, tooltip, values } from "../charts/Chart.tsx";
import { Definitions } from "../components/Actions.tsx";
import { Bar, Choice, Select, wordsOf } from "../components/Controls.tsx";
import { Picture } from "../components/Picture.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { cohort as cohortName, figure, share } from "../format.ts";
import { arg, oneOf, set } from "../route.ts";
import { lastDay, usePeriod, useStores } from "../stores.ts";
import { t } from "../text.ts";
import type { Colors } from "../theme.ts";
import { type CohortView, type GroupBy, stepsOf } from "./cohortSteps.ts";
import { HeatMap } from "./HeatMap.tsx";
import { fade, Payback } from "./Payback.tsx";

/** Limit of the rows in the table of breakdown values. */
const MAX_VALUES = 100;

export function Cohorts() {
  const { from, to } = usePeriod();
  const last = lastDay(useStores());
  const view = oneOf<CohortView>("count", ["logo", "revenue"]);
  const groupBy = oneOf<GroupBy>("group", ["month", "quarter", "year"]);
  const show = oneOf("show", ["pct", "absolute"]);
  const words = t().cohort;
  const breaks = wordsOf(words.breaks);
  const breakBy = breaks.find(([name]) => name === arg("break"))?.[0] ?? "";
  const query: Query = {
    path: "/v1/profitability/cohort",
    params: { startDate: from, endDate: to, view, groupBy, breakBy },
  };
  const answer = useAnswer<Answered>(query);
  return (
    <div class="view">
      <Bar label={words.map}>
        <Choice label={words.count} options={wordsOf(words.counts)} value={view} change={(count) => set({ count })} />
        <Choice
          label={words.group}
          options={wordsOf(words.groups)}
          value={groupBy}
          change={(group) => set({ group })}
        />
        <Choice label={words.show} options={wordsOf(words.shows)} value={show} change={(it) => set({ show: it })} />
        <Select label={words.breakBy} options={breaks} value={breakBy} change={(it) => set({ break: it, value: "" })} />
      </Bar>
      {breakBy !== "" && (
        <Picture name="values" title={words.values} wide query={query} answer={answer} note={noteOf(answer)}>
          {({ data }) => <Values cohorts={data} />}
        </Picture>
      )}
      <Picture name="map" title={titleOf(words.map, answer)} wide query={query} answer={answer}>
        {({ data, period }) => (
          <>
            <HeatMap
              cohorts={chosenOf(data, breakBy)}
              view={view}
              groupBy={groupBy}
              show={show}
              last={last}
              period={period}
            />
            <Definitions path={query.path} list="data" names={["initialValue", "months", "acquisitionInvestment"]} />
          </>
        )}
      </Picture>
      <Picture
        name="lines"
        title={titleOf(words.lines, answer)}
        query={query}
        answer={answer}
        table={({ data }) => <StepTable cohorts={chosenOf(data, breakBy)} groupBy={groupBy} last={last} />}
      >
        {({ data }) => <Lines cohorts={chosenOf(data, breakBy)} groupBy={groupBy} last={last} />}
      </Picture>
      <Payback
        title={titleOf(words.paybackCurve, answer)}
        query={query}
        answer={answer}
        cohortsOf={(data) => chosenOf(data, breakBy)}
        view={view}
        groupBy={groupBy}
        last={last}
      />
    </div>
  );
}

/** Identifies a breakdown value, null included. It has the label too: two stores or ad networks can use the same id. */
const keyOf = ({ breakKey, breakLabel }: Cohort): string =>
  breakKey === null || breakKey === undefined ? "∅" : `=${breakKey} ${breakLabel ?? ""}`;
const labelOf = ({ breakLabel, breakKey }: Cohort): string => breakLabel ?? breakKey ?? t().cohort.none;

/** The cohorts of the chosen breakdown value, or of the largest one without a choice; all without a breakdown. */
function chosenOf(cohorts: readonly Cohort[], breakBy: string): readonly Cohort[] {
  if (breakBy === "") return cohorts;
  const all = valuesOf(cohorts);
  const key = all.find((value) => value.key === arg("value"))?.key ?? all[0]?.key;
  return cohorts.filter((row) => keyOf(row) === key);
}

function titleOf(title: string, answer: { readonly data?: Answered | undefined } | object): string {
  const data = "data" in answer ? (answer.data as Answered | undefined) : undefined;
  const breakBy = arg("break");
  const first = data && breakBy !== "" ? chosenOf(data.data, breakBy)[0] : undefined;
  return first?.breakKey === undefined ? title : `${title}: ${labelOf(first)}`;
}

/** What the rows of a breakdown do not show. */
function noteOf(answer: { readonly data?: Answered | undefined } | object): string {
  const words = t().cohort;
  const leftOut = "data" in answer ? (answer.data as Answered | undefined)?.rowsLeftOut : undefined;
  return leftOut ? `${words.overlap} ${words.leftOut(figure(leftOut, "count"))}` : words.overlap;
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
  return [...all.values()].sort((a, b) => b.customers - a.customers || a.label.localeCompare(b.label));
}

function Values({ cohorts }: { cohorts: readonly Cohort[] }) {
  const words = t().cohort;
  const all = valuesOf(cohorts);
  const current = all.find(({ key }) => key === arg("value"))?.key ?? all[0]?.key;
  const columns: Column<BreakValue>[] = [
    {
      key: "label",
      label: words.value,
      value: ({ label }) => label,
      show: ({ key, label }) => (
        <button type="button" class="link" aria-pressed={key === current} onClick={() => set({ value: key })}>
          {label}
        </button>
      ),
    },
    { key: "customers", label: words.customers, unit: "count", value: ({ customers }) => customers },
    { key: "repeated", label: words.repeat, unit: "count", value: ({ repeated }) => repeated },
    {
      key: "share",
      label: words.repeatShare,
      unit: "ratio",
      value: ({ customers, repeated }) => (customers > 0 ? repeated / customers : null),
    },
  ];
  return (
    <div class="short-table">
      {all.length > MAX_VALUES && <p class="note">{words.limit(MAX_VALUES, all.length)}</p>}
      <Table
        caption={words.values}
        rows={all.slice(0, MAX_VALUES)}
        keyOf={({ key }) => key}
        columns={columns}
        initially={{ by: "customers", descending: true }}
        isCurrent={({ key }) => key === current}
      />
    </div>
  );
}

interface Drawn {
  readonly cohorts: readonly Cohort[];
  readonly groupBy: GroupBy;
  readonly last: string;
}

function Lines({ cohorts, groupBy, last }: Drawn) {
  const words = t().cohort;
  const option = useMemo(
    () => (colors: Colors) => {
      const all = cohorts.map((row) => ({ row, steps: stepsOf(row, groupBy, last).slice(1) }));
      const most = Math.max(...all.map(({ steps }) => steps.length), 0);
      return {
        tooltip: tooltip(colors, {
          trigger: "item",
          formatter: ({ seriesName, dataIndex, value }: Item) =>
            `${seriesName} · ${words.step[groupBy]} ${dataIndex + 1}\n${figure(Number(value), "ratio")}`,
        }),
        legend: { show: false },
        grid: { top: 12, left: 8, right: 16, bottom: 4, containLabel: true },
        xAxis: categories(
          colors,
          Array.from({ length: most }, (_, n) => String(n + 1)),
          { boundaryGap: false },
        ),
        yAxis: values(colors, "ratio"),
        series: all.flatMap(({ row, steps }, n) => {
          const opacity = fade(n, all.length);
          const line = {
            name: cohortName(row.cohortMonth, groupBy),
            type: "line",
            symbolSize: 5,
            itemStyle: { color: colors.accent, opacity },
            emphasis: { focus: "series" },
          };
          const values = steps.map(({ cell }) => cell.pct);
          const open = steps.findIndex(({ isOpen }) => isOpen);
          const closed = open < 0 ? values : values.slice(0, open);
          return [
            { ...line, lineStyle: { width: 1.6, opacity }, data: closed },
            // A step in progress is not a decline: it has a line of its own style.
            ...(open < 0
              ? []
              : [
                  {
                    ...line,
                    symbol: "emptyCircle",
                    lineStyle: { width: 1.2, type: "dotted", opacity },
                    data: values.map((value, step) => (step >= open - 1 ? value : null)),
                  },
                ]),
          ];
        }),
      };
    },
    [cohorts, groupBy, last, words],
  );
  if (cohorts.length === 0) return <p class="empty">{t().empty.points}</p>;
  return <Chart label={words.lines} option={option} />;
}

interface Item {
  readonly seriesName: string;
  readonly dataIndex: number;
  readonly value: unknown;
}

function StepTable({ cohorts, groupBy, last }: Drawn) {
  const words = t().cohort;
  const rows = cohorts.map((row) => ({ row, steps: stepsOf(row, groupBy, last) }));
  const most = Math.max(...rows.map(({ steps }) => steps.length), 0);
  const columns: Column<(typeof rows)[number]>[] = [
    {
      key: "cohort",
      label: words.cohort,
      value: ({ row }) => row.cohortMonth,
      show: ({ row }) => cohortName(row.cohortMonth, groupBy),
    },
    ...Array.from(
      { length: most },
      (_, n): Column<(typeof rows)[number]> => ({
        key: String(n),
        label: String(n),
        unit: "ratio",
        sortable: false,
        value: ({ steps }) => steps[n]?.cell.pct ?? null,
        show: ({ steps }) =>
          steps[n]?.cell.pct === null ? t().notAvailable : steps[n] ? share(steps[n].cell.pct) : "",
      }),
    ),
  ];
  return <Table caption={words.lines} rows={rows} keyOf={({ row }) => row.cohortMonth} columns={columns} />;
}
