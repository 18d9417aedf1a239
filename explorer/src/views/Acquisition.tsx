import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { NewByChannel, Series, Source, Summary } from "../answers.ts";
import type { Query } from "../api.ts";
import { Chart, categories, tooltip, values } from "../charts/Chart.tsx";
import { Definitions } from "../components/Actions.tsx";
import { Picture } from "../components/Picture.tsx";
import { type Column, NotAvailable, Table } from "../components/Table.tsx";
import { change, day, figure, range, shortDay, shortMonth, type Unit } from "../format.ts";
import { useYear } from "../stores.ts";
import { t } from "../text.ts";
import type { Colors } from "../theme.ts";

const SUMMARY = [
  ["investment", "currency"],
  ["acquisitionInvestment", "currency"],
  ["newCustomers", "count"],
  ["acquisitionNewCustomers", "count"],
  ["cac", "currency"],
  ["acquisitionAvgLtv", "currency"],
  ["acquisitionLtvCacRatio", "times"],
  ["acquisitionRoi", "ratio"],
  ["paybackMonths", "months"],
] as const satisfies readonly (readonly [keyof Summary, Unit])[];

export function Acquisition() {
  const { from, to, isCut } = useYear();
  const params = { startDate: from, endDate: to };
  const of = (name: string): Query => ({ path: `/v1/acquisition/${name}`, params });
  const summary = useAnswer<Summary>(of("summary"));
  const channels = useAnswer<Series<Source>>(of("channels"));
  const campaigns = useAnswer<Series<Source>>(of("campaigns"));
  const newCustomers = useAnswer<Series<NewByChannel>>(of("new-customers"));
  const words = t().acquisition;
  return (
    <div class="view">
      {isCut && <p class="cut wide">{t().period.cut(range(from, to))}</p>}
      <Picture name="summary" title={words.summary} wide query={of("summary")} answer={summary}>
        {(data) => (
          <>
            <SummaryList summary={data} />
            <Definitions path={of("summary").path} names={SUMMARY.map(([name]) => name)} />
          </>
        )}
      </Picture>
      <Picture
        name="newCustomers"
        title={words.newCustomers}
        wide
        query={of("new-customers")}
        answer={newCustomers}
        table={({ data }) => <NewTable points={data} />}
      >
        {({ data, granularity }) => (
          <NewByChannelChart points={data} dateOf={granularity === "month" ? shortMonth : shortDay} />
        )}
      </Picture>
      <Picture name="channels" title={words.channels} wide query={of("channels")} answer={channels}>
        {({ data }) => (
          <>
            <Table
              caption={words.channels}
              rows={data}
              keyOf={({ channel }) => channel ?? ""}
              initially={{ by: "investment", descending: true }}
              columns={[
                { key: "channel", label: words.channel, value: (row) => channelName(row.channel ?? "") },
                ...sourceColumns(),
              ]}
            />
            <Definitions path={of("channels").path} list="data" names={sourceColumns().map(({ key }) => key)} />
          </>
        )}
      </Picture>
      <Picture name="campaigns" title={words.campaigns} wide query={of("campaigns")} answer={campaigns}>
        {({ data }) => (
          <Table
            caption={words.campaigns}
            rows={data}
            keyOf={({ campaignId, campaignName }, n) => `${campaignId} ${campaignName} ${n}`}
            initially={{ by: "investment", descending: true }}
            columns={[
              { key: "campaign", label: words.campaign, value: (row) => row.campaignName },
              {
                key: "strategy",
                label: words.strategy,
                value: (row) => (row.strategy ? words.strategies[row.strategy] : words.unclassified),
              },
              ...sourceColumns(),
            ]}
          />
        )}
      </Picture>
    </div>
  );
}

const channelName = (channel: string): string => t().channels[channel] ?? channel;

function SummaryList({ summary }: { summary: Summary }) {
  return (
    <dl class="indicators">
      {SUMMARY.map(([name, unit]) => {
        const { value, changePct } = summary[name];
        return (
          <div key={name} data-metric={name}>
            <dt>{t().metric[name]}</dt>
            <dd>
              <span class="value">
                {value === null ? <NotAvailable reason={nullReasonOf(name)} /> : figure(value, unit)}
              </span>
              <span class="before">
                {changePct === null ? "" : <span class="change">{change(changePct)}</span>}
                {changePct !== null && <span class="unseen"> {t().changeAgainst}</span>}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const nullReasonOf = (name: string): string =>
  name === "paybackMonths" ? t().acquisition.notPaid : t().acquisition.noMedia;

/** The columns that channels and campaigns share. */
function sourceColumns(): Column<Source>[] {
  const { metric, acquisition: words } = t();
  const column = (key: keyof Source & string, unit: Unit, reason?: string): Column<Source> => ({
    key,
    label: metric[key] ?? key,
    unit,
    value: (row) => row[key] as number | null,
    ...(reason ? { reason: () => reason } : {}),
  });
  return [
    column("investment", "currency"),
    column("revenue", "currency"),
    column("orders", "count"),
    column("newCustomers", "count"),
    column("cac", "currency", words.noMedia),
    column("ltv", "currency", words.noCustomers),
    column("ltvCacRatio", "times", words.noMedia),
    column("roi", "ratio", words.noMedia),
    column("paybackMonths", "months", words.notPaid),
  ];
}

const channelsOf = (points: readonly NewByChannel[]): string[] =>
  Object.keys(points[0]?.channels ?? {}).filter((name) => points.some(({ channels }) => (channels[name] ?? 0) > 0));

/** Each channel keeps its color, even if other channels have no customers. */
function NewByChannelChart({ points, dateOf }: { points: readonly NewByChannel[]; dateOf: (date: string) => string }) {
  const words = t();
  const option = useMemo(
    () => (colors: Colors) => {
      const all = Object.keys(points[0]?.channels ?? {});
      return {
        tooltip: tooltip(colors, { trigger: "axis", valueFormatter: (value: number) => figure(value, "count") }),
        legend: {
          top: 0,
          left: 0,
          type: "scroll",
          icon: "roundRect",
          itemWidth: 10,
          itemHeight: 10,
          textStyle: { color: colors.muted },
        },
        xAxis: categories(
          colors,
          points.map(({ date }) => dateOf(date)),
        ),
        yAxis: values(colors, "count", { minInterval: 1 }),
        series: channelsOf(points).map((name) => ({
          name: channelName(name),
          type: "bar",
          stack: "all",
          barMaxWidth: 34,
          itemStyle: { color: colors.series[all.indexOf(name)] },
          data: points.map(({ channels }) => channels[name]),
        })),
      };
    },
    [points, dateOf, words],
  );
  if (points.every(({ newCustomers }) => newCustomers === 0)) return <p class="empty">{words.empty.points}</p>;
  return <Chart label={words.acquisition.newCustomers} option={option} />;
}

function NewTable({ points }: { points: readonly NewByChannel[] }) {
  const words = t().acquisition;
  return (
    <Table
      caption={words.newCustomers}
      rows={points}
      keyOf={({ date }) => date}
      columns={[
        { key: "date", label: words.date, value: ({ date }) => date, show: ({ date }) => day(date) },
        { key: "newCustomers", label: words.total, unit: "count", value: (row) => row.newCustomers },
        ...channelsOf(points).map(
          (name): Column<NewByChannel> => ({
            key: name,
            label: channelName(name),
            unit: "count",
            value: ({ channels }) => channels[name] ?? null,
          }),
        ),
      ]}
    />
  );
}
