import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Block, Detail, Figure, Measured, Point, ProductSeries } from "../answers.ts";
import type { Query } from "../api.ts";
import { Chart, categories, tooltip, values } from "../charts/Chart.tsx";
import { Choice, wordsOf } from "../components/Controls.tsx";
import { Picture } from "../components/Picture.tsx";
import { type Column, NotAvailable, Table } from "../components/Table.tsx";
import { lengthOf } from "../days.ts";
import { day, figure, month, range, shortDay, type Unit } from "../format.ts";
import { sqlOf } from "../openapi.ts";
import { arg, hashOf, oneOf, route, set } from "../route.ts";
import { useYear } from "../stores.ts";
import { t } from "../text.ts";
import type { Colors } from "../theme.ts";
import { metricsOf, nullReasonOf } from "./metrics.ts";
import { useStore } from "./Products.tsx";

const MEASURES = ["netSales", "netUnits", "marginTotal", "orders"] as const;
type Measure = (typeof MEASURES)[number];
const UNITS: Readonly<Record<Measure, Unit>> = {
  netSales: "currency",
  netUnits: "units",
  marginTotal: "currency",
  orders: "count",
};

/** Longer periods are shown by week unless the user chooses days. */
const MAX_DAYS_BY_DAY = 92;

export function Product() {
  const days = useYear();
  const store = useStore();
  const id = encodeURIComponent(arg("product"));
  const granularity = oneOf("by", lengthOf(days.from, days.to) > MAX_DAYS_BY_DAY ? ["week", "day"] : ["day", "week"]);
  const params = { integrationId: store?.sourceIntegrationId, dateFrom: days.from, dateTo: days.to };
  const query: Query = { path: `/v1/products/${id}`, params };
  const seriesQuery: Query = { path: `/v1/products/${id}/series`, params: { ...params, granularity } };
  const detail = useAnswer<Detail>(query);
  const series = useAnswer<ProductSeries>(seriesQuery);
  const measure = oneOf("measure", MEASURES);
  const data = detail.state === "failed" ? undefined : detail.data;
  const words = t().product;
  const { product: _, by: __, measure: ___, ...back } = route.value.args;
  return (
    <div class="view">
      <p class="crumbs wide">
        <a href={hashOf("products", { ...back, product: "" })}>← {t().products.back}</a>
        <strong>{data?.summary.productName ?? arg("product")}</strong>
        {data && <code>{data.productId}</code>}
      </p>
      <Picture
        name="series"
        title={words.series}
        wide
        query={seriesQuery}
        answer={series}
        controls={
          <>
            <Choice
              label={words.metric}
              options={MEASURES.map((name) => [name, t().metric[name] ?? name] as const)}
              value={measure}
              change={(it) => set({ measure: it })}
            />
            <Choice
              label={words.granularity}
              options={wordsOf(words.granularities)}
              value={granularity}
              change={(it) => set({ by: it })}
            />
          </>
        }
        table={(it) => <PointTable series={it} measure={measure} />}
      >
        {(it) => <SeriesChart series={it} measure={measure} />}
      </Picture>
      <Picture name="summary" title={words.summary} query={query} answer={detail} sql={sqlOfBlock("summary", query)}>
        {({ summary }) => <Part block={summary}>{() => <SummaryList summary={summary} />}</Part>}
      </Picture>
      <Picture name="funnel" title={words.funnel} query={query} answer={detail} sql={sqlOfBlock("funnel", query)}>
        {({ funnel }) => <Part block={funnel}>{() => <Funnel funnel={funnel} />}</Part>}
      </Picture>
      <Rows
        name="retention"
        detail={detail}
        query={query}
        columns={[
          ["month", "count"],
          ["customers", "count"],
          ["observed", "count"],
          ["pct", "ratio"],
        ]}
      />
      <Rows
        name="purchaseFrequency"
        detail={detail}
        query={query}
        columns={[
          ["purchases", "count"],
          ["customers", "count"],
          ["share", "ratio"],
        ]}
        after={({ purchaseFrequency: { averageDaysBetween } }) =>
          averageDaysBetween === null ? "" : words.averageDaysBetween(figure(averageDaysBetween, "days"))
        }
      />
      <Rows
        name="entryCohort"
        detail={detail}
        query={query}
        wide
        columns={[
          ["month", "month"],
          ["entryCustomers", "count"],
          ["matureEntryCustomers", "count"],
          ["ltv180", "currency"],
          ["repurchaseRate180", "ratio"],
          ["ltvToDate", "currency"],
          ["repurchaseRateToDate", "ratio"],
        ]}
      />
      <Rows
        name="boughtTogether"
        detail={detail}
        query={query}
        columns={[
          ["productName", "text"],
          ["orders", "count"],
          ["share", "ratio"],
          ["lift", "times"],
        ]}
      />
      <Rows
        name="boughtAfter"
        detail={detail}
        query={query}
        columns={[
          ["productName", "text"],
          ["customers", "count"],
          ["share", "ratio"],
          ["lift", "times"],
        ]}
      />
      <Rows
        name="coupons"
        detail={detail}
        query={query}
        columns={[
          ["couponCode", "text"],
          ["orders", "count"],
          ["share", "ratio"],
          ["netSales", "currency"],
        ]}
      />
      <Rows
        name="acquisitionChannels"
        detail={detail}
        query={query}
        columns={[
          ["channel", "channel"],
          ["entryCustomers", "count"],
          ["share", "ratio"],
          ["netSales", "currency"],
        ]}
      />
    </div>
  );
}

/** Each block has its own SQL file: `boughtAfter` is `bought-after.sql`. */
const sqlOfBlock = (name: string, { path }: Query): readonly string[] =>
  sqlOf(path).filter((file) =>
    file.endsWith(`/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.sql`),
  );

/** A block with its state, the reason for it and the days that it covers, independent of the other blocks. */
function Part({ block, children }: { block: Block; children: () => ComponentChildren }) {
  const words = t().product;
  const { state, reason, window: looked } = block;
  return (
    <>
      {(state !== "ready" || looked) && (
        <p class="block-state">
          {state !== "ready" && <span class={`chip ${state}`}>{words.states[state]}</span>}
          {reason && <span>{t().reason[reason] ?? reason}</span>}
          {looked && <span class="muted">{words.window(range(looked.from, looked.to))}</span>}
        </p>
      )}
      {state !== "error" && children()}
    </>
  );
}

const SUMMARY = [
  "grossSales",
  "netSales",
  "grossUnits",
  "netUnits",
  "averageTicket",
  "cogs",
  "marginTotal",
  "marginAverage",
  "newCustomers",
  "recurringCustomers",
  "entryCustomers",
  "ltv180",
  "repurchaseRate180",
  "ltvToDate",
  "repurchaseRateToDate",
  "availableStock",
  "velocity30d",
  "daysOfStock",
  "returnRate",
];

function SummaryList({ summary }: { summary: Measured }) {
  return (
    <dl class="pairs two">
      {metricsOf("/v1/products", "data", SUMMARY).map(({ name, unit }) => {
        const value = summary[name] as Figure;
        return (
          <div key={name} data-metric={name}>
            <dt>{t().metric[name]}</dt>
            <dd>{value === null ? <NotAvailable reason={nullReasonOf(summary, name)} /> : figure(value, unit)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

const STEPS = ["views", "addToCarts", "checkouts", "purchases"] as const;
const RATES = [undefined, "viewToCartRate", "cartToCheckoutRate", "checkoutToPurchaseRate"] as const;

function Funnel({ funnel }: { funnel: Detail["funnel"] }) {
  const words = t().product;
  const top = Math.max(...STEPS.map((name) => funnel[name] ?? 0), 1);
  return (
    <ol class="funnel">
      {STEPS.map((name, n) => {
        const value = funnel[name] ?? null;
        const rate = RATES[n] && funnel[RATES[n]];
        return (
          <li key={name} data-metric={name}>
            <span class="funnel-name">{words.funnelSteps[name]}</span>
            <span class="funnel-bar" aria-hidden="true">
              <span style={{ width: `${((value ?? 0) / top) * 100}%` }} />
            </span>
            <span class="funnel-value">
              {value === null ? <NotAvailable reason={t().reason[funnel.reason ?? ""]} /> : figure(value, "count")}
            </span>
            <span class="muted">{typeof rate === "number" && words.ofPrevious(figure(rate, "ratio"))}</span>
          </li>
        );
      })}
    </ol>
  );
}

type BlockName =
  | "entryCohort"
  | "retention"
  | "purchaseFrequency"
  | "boughtTogether"
  | "boughtAfter"
  | "coupons"
  | "acquisitionChannels";
type Row = Readonly<Record<string, string | Figure>>;
type Kind = Unit | "text" | "month" | "channel";

interface RowsProps {
  readonly name: BlockName;
  readonly detail: ReturnType<typeof useAnswer<Detail>>;
  readonly query: Query;
  readonly columns: readonly (readonly [string, Kind])[];
  readonly wide?: boolean;
  readonly after?: (detail: Detail) => string;
}

/** A block whose content is a table. */
function Rows({ name, detail, query, columns, wide, after }: RowsProps) {
  return (
    <Picture
      name={name}
      title={t().product[name]}
      query={query}
      answer={detail}
      wide={wide ?? false}
      sql={sqlOfBlock(name, query)}
    >
      {(data) => (
        <Part block={data[name]}>
          {() => (
            <>
              <Table
                caption={t().product[name]}
                rows={(data[name].rows ?? []) as readonly Row[]}
                keyOf={(_, n) => String(n)}
                columns={columns.map(columnOf)}
              />
              {after && <p class="note">{after(data)}</p>}
            </>
          )}
        </Part>
      )}
    </Picture>
  );
}

function columnOf([key, kind]: readonly [string, Kind]): Column<Row> {
  const isWord = kind === "text" || kind === "month" || kind === "channel";
  const shown: Partial<Column<Row>> =
    kind === "month"
      ? { show: (row) => month(String(row[key])) }
      : kind === "channel"
        ? { show: (row) => t().channels[String(row[key])] ?? row[key] }
        : key === "productName"
          ? {
              show: (row) => (
                <a href={hashOf("products", { ...route.value.args, product: String(row.productId) })}>
                  {row[key] ?? row.productId}
                </a>
              ),
            }
          : {};
  return {
    key,
    label: t().metric[key] ?? t().column[key] ?? key,
    ...(isWord ? {} : { unit: kind }),
    value: (row) => row[key],
    reason: () => (/180$/.test(key) ? t().reason.maturing : key === "netSales" ? t().reason.no_value : undefined),
    ...shown,
  };
}

/** The period in the foreground and the previous one in the background, point by point. */
function SeriesChart({ series, measure }: { series: ProductSeries; measure: Measure }) {
  const words = t();
  const unit = UNITS[measure];
  const option = useMemo(
    () => (colors: Colors) => ({
      tooltip: tooltip(colors, { trigger: "axis", valueFormatter: (value: number | null) => figure(value, unit) }),
      xAxis: categories(
        colors,
        series.data.map(({ from }) => shortDay(from)),
        { boundaryGap: false },
      ),
      yAxis: values(colors, unit),
      series: [
        {
          name: words.product.previous,
          type: "line",
          symbol: "none",
          itemStyle: { color: colors.muted },
          lineStyle: { type: "dashed", width: 1.4 },
          data: series.previous.data.map((point) => point[measure]),
        },
        {
          name: words.product.current,
          type: "line",
          symbolSize: 4,
          itemStyle: { color: colors.accent },
          lineStyle: { width: 2.2 },
          areaStyle: { opacity: 0.08 },
          data: series.data.map((point) => point[measure]),
        },
      ],
    }),
    [series, measure, unit, words],
  );
  const missing = series.data.filter((point) => point[measure] === null).length;
  return (
    <>
      <Chart label={words.product.series} option={option} />
      {missing > 0 && <p class="note">{words.product.missingPoints(missing)}</p>}
    </>
  );
}

function PointTable({ series, measure }: { series: ProductSeries; measure: Measure }) {
  const { product: words, reason } = t();
  const unit = UNITS[measure];
  const before = (index: number): Point | undefined => series.previous.data.find((point) => point.index === index);
  const why = (point: Point | undefined): string | undefined =>
    point?.marginNdReason ? reason[point.marginNdReason] : reason.no_value;
  return (
    <Table
      caption={words.series}
      rows={series.data}
      keyOf={({ from }) => from}
      columns={[
        { key: "from", label: words.from, value: ({ from }) => from, show: ({ from }) => day(from) },
        { key: "current", label: words.current, unit, value: (point) => point[measure], reason: why },
        {
          key: "previous",
          label: words.previous,
          unit,
          value: ({ index }) => before(index)?.[measure] ?? null,
          reason: ({ index }) => why(before(index)),
        },
      ]}
    />
  );
}
