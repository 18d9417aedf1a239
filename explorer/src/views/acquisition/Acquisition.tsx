import { dataOf, shownWith, useAnswer } from "../../answer.ts";
import type { NewByChannel, Series as Rows, Source, Summary } from "../../answers.ts";
import type { Query } from "../../api.ts";
import type { Color, Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { Figure, type FigureProps } from "../../components/Figure.tsx";
import { Lacking } from "../../components/Lacking.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { ToSettings } from "../../components/ToSettings.tsx";
import { explainer, openExplanation } from "../../explain.ts";
import { day, month, range, shortDay, shortMonth, type Unit } from "../../format.ts";
import { isOfMargin, lacksMargin } from "../../margin.ts";
import { noteOn } from "../../notes.ts";
import type { Granularity } from "../../period.ts";
import { arg, set } from "../../route.ts";
import { hasAds } from "../../session.ts";
import { isCovered, useCompareParam } from "../../stores.ts";
import { t } from "../../text.ts";
import { labelOf } from "../labels.ts";
import { type Asked, useAsked } from "./asked.ts";
import { Campaigns } from "./Campaigns.tsx";
import { Channels } from "./Channels.tsx";
import { channelName } from "./names.ts";
import { Results } from "./Results.tsx";
import { SourceDrawer } from "./SourceDrawer.tsx";
import { type Bucket, buckets, changeOf, keyOf } from "./sources.ts";

export function Acquisition() {
  const asked = useAsked();
  const { from, to, isCut } = asked;
  const channels = useAnswer<Rows<Source>>(asked.now("channels"));
  const channelsBefore = useAnswer<Rows<Source>>(asked.before("channels"));
  const campaigns = useAnswer<Rows<Source>>(asked.now("campaigns"));
  const campaignsBefore = useAnswer<Rows<Source>>(asked.before("campaigns"));
  const words = t().acquisition;
  const [channel, campaign] = [arg("channel"), arg("campaign")];
  return (
    <div class="page acquisition">
      {isCut && <Banner tone="info">{words.cut(range(from, to))}</Banner>}
      <SummaryCard asked={asked} />
      <Results asked={asked} sources={{ channels: dataOf(channels)?.data, campaigns: dataOf(campaigns)?.data }} />
      <NewCustomersCard asked={asked} />
      <Channels asked={asked} answer={channels} before={dataOf(channelsBefore)?.data} />
      <Campaigns asked={asked} answer={campaigns} before={dataOf(campaignsBefore)?.data} />
      {channel !== "" && (
        <SourceDrawer
          asked={asked}
          kind="channels"
          answer={channels}
          before={dataOf(channelsBefore)?.data}
          isIt={(source) => keyOf(source) === channel}
          close={() => set({ channel: "", orders: "", productsPage: "" })}
        />
      )}
      {campaign !== "" && (
        <SourceDrawer
          asked={asked}
          kind="campaigns"
          answer={campaigns}
          before={dataOf(campaignsBefore)?.data}
          isIt={(source) => keyOf(source) === campaign}
          close={() => set({ campaign: "", orders: "", productsPage: "" })}
        />
      )}
    </div>
  );
}

type Name = Exclude<keyof Summary & string, "period" | "previousPeriod" | "asOf" | "hasAcquisitionClassification">;

/** To date: older customers have had more time, so that these do not compare with an earlier period. */
const TO_DATE: readonly Name[] = ["acquisitionLtvCacRatio", "acquisitionAvgLtv", "paybackMonths"];

/** Without an account of ads these are unknown, not 0. */
const SPENT: readonly Name[] = ["acquisitionNewCustomers", "acquisitionInvestment", "investment"];

const SUMMARY: readonly (readonly [Name, Unit, FigureProps["better"], FigureProps["size"]])[] = [
  ["newCustomers", "count", "more", "hero"],
  ["cac", "currency", "less", "hero"],
  ["acquisitionLtvCacRatio", "times", "more", "hero"],
  ["acquisitionRoi", "ratio", "more", "hero"],
  ["paybackMonths", "months", "less", "hero"],
  ["acquisitionAvgLtv", "currency", "more", "normal"],
  ["acquisitionNewCustomers", "count", "more", "normal"],
  ["acquisitionInvestment", "currency", undefined, "normal"],
  ["investment", "currency", undefined, "normal"],
];

interface Valued {
  readonly value: number | null;
  readonly changePct: number | null;
}

function SummaryCard({ asked }: { asked: Asked }) {
  const { from, to, compared } = asked;
  const asIs = asked.now("summary");
  const query: Query = { ...asIs, params: { ...asIs.params, compare: useCompareParam({ from, to }) } };
  const earlier = asked.before("summary");
  const answered = useAnswer<Summary>(query);
  const earlierAnswer = useAnswer<Summary>(earlier && { ...earlier, params: { ...earlier.params, compare: "none" } });
  const answer = earlier ? shownWith(answered, earlierAnswer) : answered;
  const before = dataOf(earlierAnswer);
  const words = t().acquisition;
  const incomplete = compared && !compared.isComplete ? compared : undefined;
  return (
    <Card name="summary" title={words.summary} question={words.summaryQuestion} query={query} answer={answer}>
      {(data) => (
        <>
          {!hasAds.value && <Banner tone="warn">{words.noAds}</Banner>}
          {hasAds.value && !data.hasAcquisitionClassification && (
            <Banner tone="warn">
              {words.noClassification} <ToSettings place="campaigns" />
            </Banner>
          )}
          <Lacking answer={data} />
          <div class="figures">
            {SUMMARY.map(([name, unit, better, size = "normal"]) => {
              const isUnspent = !hasAds.value && SPENT.includes(name);
              const { value: answered, changePct } = data[name] as Valued;
              const value = isUnspent ? null : answered;
              const was = isUnspent ? null : (before?.[name] as Valued | undefined)?.value;
              return (
                <Figure
                  key={name}
                  name={name}
                  label={labelOf(name, query.path)}
                  unit={unit}
                  size={size}
                  value={value}
                  reason={reasonOf(name, data)}
                  better={better}
                  {...(value === null ? { note: reasonOf(name, data) } : TO_DATE.includes(name) ? { note: "" } : {})}
                  {...(before || incomplete ? { before: was ?? null } : {})}
                  change={compared?.kind === "own" ? changeOf(value, was) : changePct}
                  incomplete={incomplete}
                  explain={explainer(query, `${name}.value`)}
                />
              );
            })}
          </div>
          <p class="note">{t().cockpit.toDateNote(TO_DATE.map((name) => labelOf(name, query.path)).join(", "))}</p>
        </>
      )}
    </Card>
  );
}

function reasonOf(name: Name, summary: Summary): string {
  const words = t().acquisition;
  const { acquisitionInvestment, acquisitionNewCustomers } = summary;
  if (!hasAds.value) return t().reason.no_ads ?? "";
  if (lacksMargin(summary) && isOfMargin(name)) return t().reason.no_margin ?? "";
  if (acquisitionInvestment.value === null) return t().reason.hidden_spend ?? "";
  if (name === "paybackMonths") return words.notPaid;
  if (acquisitionInvestment.value === 0) return words.noMedia;
  return acquisitionNewCustomers.value === 0 ? words.spentForNothing : words.noMediaOrCustomers;
}

const GRANULARITIES = ["day", "week", "month"] as const;

/** The granularity of the bars: at most 45, unless the address names one. */
function shownBy(count: number): Granularity {
  const asked = GRANULARITIES.find((by) => by === arg("by"));
  return asked ?? (count <= 45 ? "day" : "week");
}

function NewCustomersCard({ asked }: { asked: Asked }) {
  const query = asked.now("new-customers");
  const answer = useAnswer<Rows<NewByChannel>>(query);
  const { compared } = asked;
  const before = dataOf(
    useAnswer<Rows<NewByChannel>>(
      compared && { path: query.path, params: { startDate: compared.from, endDate: compared.to } },
    ),
  );
  const words = t().acquisition;
  const { granularities, by: label } = t().toolbar;
  const data = dataOf(answer);
  const isByDay = data?.granularity === "day";
  const by: Granularity = data && !isByDay ? "month" : shownBy(data?.data.length ?? 0);
  const shown = data ? buckets(data.data, by, asked.to) : [];
  const earlier =
    before && before.granularity === data?.granularity ? buckets(before.data, by, asked.compared?.to ?? "") : [];
  return (
    <Card
      name="newCustomers"
      title={words.newCustomers}
      question={words.newCustomersQuestion}
      query={query}
      answer={answer}
      height="large"
      controls={
        isByDay && (
          <Segmented
            label={label}
            options={GRANULARITIES.map((one) => [one, granularities[one]] as const)}
            value={by}
            change={(next) => set({ by: next })}
          />
        )
      }
      table={() => <NewTable rows={shown} by={by} />}
    >
      {({ data: points, granularity }) => (
        <XYChart
          label={words.newCustomers}
          points={shown.map(({ from, to, isOpen }) => ({
            key: from,
            label: by === "month" ? shortMonth(from) : shortDay(from),
            title: titleOf(from, by),
            isOpen: isOpen && by !== "day",
            note: noteOn(from, to),
          }))}
          unit="count"
          height="large"
          series={[...stacksOf(points, shown), ...totalBefore(shown, earlier, by)]}
          onPick={({ key }, at) => {
            const picked = shown[at];
            // The service explains its own points; a week is a period of its own.
            if (by === granularity) {
              const row = by === "month" ? key.slice(0, 7) : key;
              openExplanation({ endpoint: query.path, params: query.params, figure: "newCustomers", row });
            } else if (picked) set({ period: "", from: picked.from, to: picked.to < asked.to ? picked.to : asked.to });
          }}
        />
      )}
    </Card>
  );
}

const titleOf = (from: string, by: Granularity): string =>
  by === "month" ? month(from) : by === "week" ? t().acquisition.ofWeek(day(from)) : day(from);

const hasCustomers = (rows: readonly Pick<Bucket, "channels">[], name: string): boolean =>
  rows.some(({ channels }) => (channels[name] ?? 0) > 0);

/** Each channel keeps its color, even if other channels have no customers. */
function stacksOf(points: readonly NewByChannel[], shown: readonly Bucket[]): Series[] {
  return Object.keys(points[0]?.channels ?? {}).flatMap((name, n) =>
    hasCustomers(shown, name)
      ? [
          {
            key: name,
            name: channelName(name),
            as: "stack" as const,
            color: Math.min(n + 1, 9) as Color,
            values: shown.map(({ channels }) => channels[name] ?? 0),
          },
        ]
      : [],
  );
}

/** The compared period as a line: its first point is drawn at the first point, and so on. */
function totalBefore(shown: readonly Bucket[], all: readonly Bucket[], by: Granularity): Series[] {
  const earlier = all.map((bucket) => (isCovered(bucket.to) ? bucket : undefined));
  if (earlier.every((bucket) => bucket === undefined)) return [];
  return [
    {
      key: "before",
      name: t().acquisition.totalBefore,
      as: "line",
      color: "muted",
      values: shown.map((_, n) => earlier[n]?.newCustomers ?? null),
      comparison: { titles: shown.map((_, n) => (earlier[n] ? titleOf(earlier[n].from, by) : "")) },
    },
  ];
}

function NewTable({ rows, by }: { rows: readonly Bucket[]; by: Granularity }) {
  const words = t().acquisition;
  const names = Object.keys(rows[0]?.channels ?? {}).filter((name) => hasCustomers(rows, name));
  const columns: Column<Bucket>[] = [
    { key: "date", label: words.date, value: ({ from }) => from, show: ({ from }) => titleOf(from, by) },
    { key: "newCustomers", label: words.total, unit: "count", bar: true, value: (row) => row.newCustomers },
    ...names.map(
      (name): Column<Bucket> => ({
        key: name,
        label: channelName(name),
        unit: "count",
        value: ({ channels }) => channels[name] ?? null,
      }),
    ),
  ];
  return <Table caption={words.newCustomers} rows={rows} keyOf={({ from }) => from} columns={columns} />;
}
