import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Cards, Month, NewOrRecurring, Series } from "../answers.ts";
import type { Query } from "../api.ts";
import { Chart, categories, tooltip, values } from "../charts/Chart.tsx";
import { Spark } from "../charts/Spark.tsx";
import { Definitions } from "../components/Actions.tsx";
import { Picture } from "../components/Picture.tsx";
import { NotAvailable, Table } from "../components/Table.tsx";
import { daysBefore, monthsBefore } from "../days.ts";
import { change, day, figure, instant, month, shortDay, shortMonth, type Unit } from "../format.ts";
import { lastDay, usePeriod, useStores } from "../stores.ts";
import { t } from "../text.ts";
import type { Colors } from "../theme.ts";
import { isComparable, knownOf, unknownFor } from "./known.ts";
import { Missing } from "./Missing.tsx";

interface Indicator {
  readonly name: string;
  readonly unit: Unit;
  /** The better direction; undefined if neither is better. */
  readonly better?: "more" | "less";
  /** Its name in the monthly series. */
  readonly monthly?: "totalRevenue" | "totalInvestment" | "cac" | "ltv";
  /** The reason for a null. */
  readonly reason?: string;
}

const MAIN: readonly Indicator[] = [
  { name: "revenue", unit: "currency", better: "more", monthly: "totalRevenue" },
  { name: "investment", unit: "currency", monthly: "totalInvestment" },
  { name: "cac", unit: "currency", better: "less", monthly: "cac" },
  { name: "ltv", unit: "currency", better: "more", monthly: "ltv", reason: "no_customers" },
];

const OTHERS: readonly Indicator[] = [
  { name: "orders", unit: "count", better: "more" },
  { name: "averageTicket", unit: "currency", better: "more" },
  { name: "newCustomers", unit: "count", better: "more" },
  { name: "recurringCustomers", unit: "count", better: "more" },
  { name: "recurringOrders", unit: "count", better: "more" },
  { name: "ltvCacRatio", unit: "times", better: "more" },
  { name: "payback", unit: "months", better: "less", reason: "not_paid" },
  { name: "roi", unit: "ratio", better: "more" },
  { name: "contribution", unit: "currency", better: "more" },
  { name: "contributionProfit", unit: "currency", better: "more" },
  { name: "cpv", unit: "currency", better: "less" },
  { name: "clv", unit: "currency", better: "more", reason: "no_customers" },
  { name: "retentionLtv", unit: "currency", better: "more", reason: "no_customers" },
  { name: "conversionRate", unit: "percent", better: "more", reason: "no_funnel" },
];

const SHORT_DAYS = 180;

export function Overview() {
  const { from, to } = usePeriod();
  const last = lastDay(useStores());
  const days = { startDate: from, endDate: to };
  const cardsQuery: Query = { path: "/v1/profitability/cards", params: days };
  // A short period also shows the preceding months, because a line with one point shows no trend.
  const isShort = from !== undefined && to !== undefined && daysBefore(to, SHORT_DAYS) < from;
  const monthsFrom = isShort ? monthsBefore(to, 11) : from;
  const monthsQuery: Query = {
    path: "/v1/profitability/metrics-evolution",
    params: { startDate: monthsFrom, endDate: to },
  };
  const customersQuery: Query = { path: "/v1/profitability/new-vs-recurring", params: days };
  const cards = useAnswer<Cards>(cardsQuery);
  const months = useAnswer<Series<Month>>(monthsQuery);
  const customers = useAnswer<Series<NewOrRecurring>>(customersQuery);
  const monthly = months.state === "failed" ? [] : (months.data?.data ?? []);
  const [first, latest] = [monthly[0], monthly.at(-1)];
  const words = t().overview;
  return (
    <div class="view">
      <Picture
        name="cards"
        title={words.indicators}
        wide
        query={cardsQuery}
        answer={cards}
        note={first && latest && words.sparkNote(month(first.month), month(latest.month))}
      >
        {(data) => (
          <>
            <div class="cards">
              {MAIN.map((indicator) => (
                <Card key={indicator.name} indicator={indicator} cards={data} months={monthly} />
              ))}
            </div>
            <dl class="indicators">
              {OTHERS.map((indicator) => (
                <Small key={indicator.name} indicator={indicator} cards={data} />
              ))}
            </dl>
            <p class="fresh">{data.asOf ? t().fresh(instant(data.asOf)) : t().neverFresh}</p>
            <Definitions path={cardsQuery.path} names={[...MAIN, ...OTHERS].map(({ name }) => name)} />
          </>
        )}
      </Picture>
      <Picture name="missing" title={words.missing} query={cardsQuery} answer={cards}>
        {(data) => <Missing cards={data} />}
      </Picture>
      <Picture name="margin" title={words.margin} query={cardsQuery} answer={cards}>
        {(data) => <Composition cards={data} />}
      </Picture>
      <Picture
        name="evolution"
        title={words.evolution}
        query={monthsQuery}
        answer={months}
        table={({ data }) => <MonthTable months={data} />}
      >
        {({ data }) => <Evolution months={data} last={last} />}
      </Picture>
      <Picture
        name="customers"
        title={words.customers}
        query={customersQuery}
        answer={customers}
        table={({ data }) => (
          <Table
            caption={words.customers}
            rows={data}
            keyOf={({ date }) => date}
            columns={[
              { key: "date", label: t().acquisition.date, value: ({ date }) => date, show: ({ date }) => day(date) },
              { key: "newCustomers", label: words.newOnes, unit: "count", value: (row) => row.newCustomers },
              {
                key: "recurringCustomers",
                label: words.returning,
                unit: "count",
                value: (row) => row.recurringCustomers,
              },
            ]}
          />
        )}
      >
        {({ data, granularity }) => (
          <NewAndRecurring points={data} dateOf={granularity === "month" ? shortMonth : shortDay} />
        )}
      </Picture>
    </div>
  );
}

/** A month of the series with the field names of the cards. */
const ofMonth = (point: Month): object => ({ ...point, investment: point.totalInvestment, orders: point.totalOrders });

function Card({ indicator, cards, months }: { indicator: Indicator; cards: Cards; months: readonly Month[] }) {
  const { name, unit, monthly } = indicator;
  const label = t().metric[name] ?? name;
  const value = knownOf(cards, name);
  const line = monthly ? months.map((point) => knownOf(ofMonth(point), monthly)) : [];
  return (
    <article class="card" data-metric={name}>
      <h3>{label}</h3>
      <p class="value">{value === null ? <NotAvailable reason={reasonOf(indicator, cards)} /> : figure(value, unit)}</p>
      <Before indicator={indicator} cards={cards} />
      <Spark values={line} label={`${label}: ${line.map((point) => figure(point, unit)).join(", ")}`} />
    </article>
  );
}

function Small({ indicator, cards }: { indicator: Indicator; cards: Cards }) {
  const value = knownOf(cards, indicator.name);
  return (
    <div data-metric={indicator.name}>
      <dt>{t().metric[indicator.name]}</dt>
      <dd>
        <span class="value">
          {value === null ? <NotAvailable reason={reasonOf(indicator, cards)} /> : figure(value, indicator.unit)}
        </span>
        <Before indicator={indicator} cards={cards} />
      </dd>
    </div>
  );
}

function reasonOf({ name, reason }: Indicator, cards: Cards): string | undefined {
  const why = unknownFor(cards, name) ?? reason;
  return why && t().reason[why];
}

/** The change from the previous period, and the previous value. A comparison needs two known, comparable values. */
function Before({ indicator, cards }: { indicator: Indicator; cards: Cards }) {
  const { name, unit, better } = indicator;
  if (!cards.previousPeriod) return <span class="before">{t().noPrevious}</span>;
  if (!isComparable(name)) return <span class="before">{t().notComparable}</span>;
  const [now, then] = [knownOf(cards, name), knownOf(cards.previousPeriod, name)];
  const changed = now === null || then === null ? null : (cards.changes?.[name] ?? null);
  const was = t().previous(figure(then, unit));
  const isGood = changed !== null && changed !== 0 && better !== undefined && changed > 0 === (better === "more");
  const isBad = changed !== null && changed !== 0 && better !== undefined && !isGood;
  return (
    <span class="before">
      {changed !== null && (
        <span class={`change${isGood ? " good" : ""}${isBad ? " bad" : ""}`}>
          {change(changed)}
          <span class="unseen"> {t().changeAgainst}, </span>
        </span>
      )}
      <span>{was}</span>
    </span>
  );
}

/** The margin's items with their sources, and the share of revenue with actual costs. */
function Composition({ cards }: { cards: Cards }) {
  const words = t().overview;
  const { marginItemStatus: items, revenue, revenueWithCmv, revenueWithoutCmv } = cards;
  const covered = revenue > 0 ? revenueWithCmv / revenue : 0;
  return (
    <>
      <p class="margin-figure" data-metric="marginPercent">
        <strong>{figure(cards.marginPercent, "percent")}</strong> {words.marginApplied}
        {!cards.marginConfigured && ` (${words.marginNone})`}
      </p>
      {items ? (
        <ul class="margin-items">
          {(["gateway", "tax", "shipping", "costOfGoods"] as const).map((name) => (
            <li key={name}>
              <span>{words.items[name]}</span>
              <span class={`chip ${items[name]}`} title={words.statusHint[items[name]]}>
                {words.statuses[items[name]]}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        cards.marginConfigured && <p class="note">{words.noItems}</p>
      )}
      <p class="basis">{words.basis[cards.marginBasis]}</p>
      <div class="meter" aria-hidden="true">
        <span style={{ width: `${covered * 100}%` }} />
      </div>
      <dl class="pairs">
        <div>
          <dt>{words.withCost}</dt>
          <dd data-metric="revenueWithCmv">{figure(revenueWithCmv, "currency")}</dd>
        </div>
        <div>
          <dt>{words.withoutCost}</dt>
          <dd data-metric="revenueWithoutCmv">{figure(revenueWithoutCmv, "currency")}</dd>
        </div>
        <div>
          <dt>{t().metric.cogs}</dt>
          <dd data-metric="cogs">{figure(cards.cogs, "currency")}</dd>
        </div>
        <div>
          <dt>{t().metric.contribution}</dt>
          <dd>{figure(cards.contribution, "currency")}</dd>
        </div>
        <div>
          <dt>{t().metric.blendedContribution}</dt>
          <dd data-metric="blendedContribution">{figure(cards.blendedContribution, "currency")}</dd>
        </div>
      </dl>
    </>
  );
}

function Evolution({ months, last }: { months: readonly Month[]; last: string }) {
  const words = t();
  const option = useMemo(
    () => (colors: Colors) => ({
      tooltip: tooltip(colors, {
        trigger: "axis",
        valueFormatter: (value: number | null) => figure(value, "currency"),
      }),
      xAxis: categories(
        colors,
        months.map((point) => shortMonth(point.month)),
      ),
      yAxis: values(colors, "currency"),
      series: [
        {
          name: words.metric.revenue,
          type: "bar",
          barMaxWidth: 34,
          itemStyle: { color: colors.accent, borderRadius: [2, 2, 0, 0] },
          // The month of the last sale is still in progress.
          data: months.map(({ month: first, totalRevenue }) => ({
            value: totalRevenue,
            ...(first.slice(0, 7) === last.slice(0, 7) ? { itemStyle: { opacity: 0.55 } } : {}),
          })),
        },
        {
          name: words.metric.investment,
          type: "line",
          symbolSize: 6,
          lineStyle: { width: 2 },
          itemStyle: { color: colors.contrast },
          data: months.map(({ totalInvestment }) => totalInvestment),
        },
      ],
    }),
    [months, last, words],
  );
  if (months.length === 0) return <p class="empty">{words.empty.points}</p>;
  return <Chart label={words.overview.evolution} option={option} />;
}

function MonthTable({ months }: { months: readonly Month[] }) {
  const { metric, overview } = t();
  return (
    <Table
      caption={overview.evolution}
      rows={months}
      keyOf={(row) => row.month}
      columns={[
        { key: "month", label: overview.month, value: (row) => row.month, show: (row) => month(row.month) },
        { key: "totalRevenue", label: metric.revenue ?? "", unit: "currency", value: (row) => row.totalRevenue },
        {
          key: "totalInvestment",
          label: metric.investment ?? "",
          unit: "currency",
          value: (row) => row.totalInvestment,
        },
        { key: "totalOrders", label: metric.orders ?? "", unit: "count", value: (row) => row.totalOrders },
        { key: "newCustomers", label: metric.newCustomers ?? "", unit: "count", value: (row) => row.newCustomers },
        {
          key: "cac",
          label: metric.cac ?? "",
          unit: "currency",
          value: (row) => knownOf(ofMonth(row), "cac"),
          reason: (row) => t().reason[unknownFor(ofMonth(row), "cac") ?? ""],
        },
        {
          key: "ltv",
          label: metric.ltv ?? "",
          unit: "currency",
          value: (row) => row.ltv,
          reason: () => t().reason.no_customers,
        },
      ]}
    />
  );
}

function NewAndRecurring(props: { points: readonly NewOrRecurring[]; dateOf: (date: string) => string }) {
  const { points, dateOf } = props;
  const { overview, empty } = t();
  const option = useMemo(
    () => (colors: Colors) => ({
      tooltip: tooltip(colors, { trigger: "axis", valueFormatter: (value: number) => figure(value, "count") }),
      xAxis: categories(
        colors,
        points.map(({ date }) => dateOf(date)),
      ),
      yAxis: values(colors, "count", { minInterval: 1 }),
      series: [
        {
          name: overview.newOnes,
          type: "bar",
          stack: "all",
          itemStyle: { color: colors.accent },
          data: points.map((it) => it.newCustomers),
        },
        {
          name: overview.returning,
          type: "bar",
          stack: "all",
          itemStyle: { color: colors.contrast },
          data: points.map((it) => it.recurringCustomers),
        },
      ],
    }),
    [points, dateOf, overview],
  );
  if (points.length === 0) return <p class="empty">{empty.points}</p>;
  return <Chart label={overview.customers} option={option} />;
}
