import { useAnswer } from "../../answer.ts";
import type { Forecast as Answered } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { ToSettings } from "../../components/ToSettings.tsx";
import { type Confidence, confidenceOf, lower } from "../../confidence.ts";
import { lastOfMonth } from "../../days.ts";
import { explainer, openExplanation } from "../../explain.ts";
import { day, figure, month, type Unit } from "../../format.ts";
import { isOfMargin } from "../../margin.ts";
import { oneOf, set } from "../../route.ts";
import { lastDay, usePeriod } from "../../stores.ts";
import { t } from "../../text.ts";
import { nameOf } from "./choices.ts";

const QUERY: Query = { path: "/v1/profitability/forecast", params: {} };
export const HORIZONS = ["weeks13", "weeks26", "weeks52"] as const;
type Horizon = (typeof HORIZONS)[number];
const PROJECTED = ["purchases", "revenue", "contribution"] as const;

const TONES = { high: "good", medium: "info", low: "warn" } as const;

type Row = NonNullable<Answered["data"]>[number];
type HoldOut = NonNullable<Answered["holdOut"]>;

/** What today's customers are expected to bring, by acquisition cohort, and how far off the same model was in a test. */
export function Forecast() {
  const answer = useAnswer<Answered>(QUERY);
  const horizon = oneOf<Horizon>("horizon", HORIZONS);
  const words = t().forecast;
  const isReady = answer.state === "ready" && answer.data.state === "ready";
  return (
    <>
      <Card
        name="forecast"
        title={words.title}
        question={words.question}
        query={QUERY}
        answer={answer}
        span={isReady || answer.state === "waiting" ? 8 : 12}
        note={words.whole}
        controls={
          isReady && (
            <Segmented
              label={words.horizon}
              options={HORIZONS.map((name) => [name, words.weeks[name]] as const)}
              value={horizon}
              change={(next) => set({ horizon: next === HORIZONS[0] ? "" : next })}
            />
          )
        }
        {...(isReady
          ? {
              table: ({ data, total }: Answered) =>
                data && total && <ForecastTable rows={data} total={total} horizon={horizon} />,
            }
          : {})}
      >
        {({ data, total, confidence, holdOut, marginConfigured }) => {
          if (!data || !total || !holdOut) return <EmptySmall>{words.tooLittle}</EmptySmall>;
          const ofRevenue = confidenceOf(holdOut.revenue.errorPct);
          // Without a margin nothing is known but purchases and revenue.
          const explained = (name: string) =>
            marginConfigured || !isOfMargin(name.split(".").at(-1) ?? name)
              ? explainer(QUERY, `total.${name}`)
              : undefined;
          return (
            <>
              {confidence && <Test holdOut={holdOut} purchases={confidence} />}
              <div class="figures">
                {PROJECTED.map((name) => (
                  <Figure
                    key={name}
                    name={name}
                    label={words[name]}
                    unit={name === "purchases" ? "count" : "currency"}
                    size="hero"
                    value={total[horizon][name]}
                    reason={t().reason.no_margin}
                    isRough={(name === "purchases" ? confidence : ofRevenue) === "low" && total[horizon][name] !== null}
                    explain={explained(`${horizon}.${name}`)}
                  />
                ))}
                {(["ltvToDate", "ltvPredicted"] as const).map((name) => (
                  <Figure
                    key={name}
                    name={name}
                    label={words[name]}
                    unit="currency"
                    value={total[name]}
                    reason={t().reason.no_margin}
                    isRough={name === "ltvPredicted" && marginConfigured && ofRevenue === "low"}
                    explain={explained(name)}
                  />
                ))}
                <Figure
                  name="customers"
                  label={words.customers}
                  unit="count"
                  value={total.customers}
                  explain={explainer(QUERY, "total.customers")}
                />
              </div>
              <OfPeriod rows={data} horizon={horizon} />
              {marginConfigured ? (
                <XYChart
                  label={words.byCohort}
                  unit="currency"
                  points={data.map(({ cohortMonth }) => ({
                    key: cohortMonth,
                    label: nameOf(cohortMonth, "month"),
                    title: month(cohortMonth),
                  }))}
                  series={[
                    {
                      key: "ltvToDate",
                      name: words.ltvToDate,
                      as: "bar",
                      color: "accent",
                      values: data.map(({ ltvToDate }) => ltvToDate),
                    },
                    {
                      key: "ltvPredicted",
                      name: words.ltvPredicted,
                      as: "line",
                      color: "contrast",
                      values: data.map(({ ltvPredicted }) => ltvPredicted),
                    },
                  ]}
                  onPick={({ key }) =>
                    openExplanation({ endpoint: QUERY.path, params: {}, figure: "ltvPredicted", row: key.slice(0, 7) })
                  }
                />
              ) : (
                <EmptySmall>
                  {t().withoutMargin} <ToSettings place="margin" />
                </EmptySmall>
              )}
            </>
          );
        }}
      </Card>
      {isReady && (
        <Card
          name="calibration"
          title={words.calibration}
          question={words.calibrationQuestion}
          query={QUERY}
          answer={answer}
          span={4}
          table={({ holdOut }) => holdOut && <CalibrationTable holdOut={holdOut} />}
        >
          {({ holdOut }) =>
            holdOut && (
              <XYChart
                label={words.calibration}
                unit="count"
                height="large"
                points={holdOut.byFrequency.map(({ x }) => ({
                  key: String(x),
                  label: frequencyOf(x),
                  title: x === 1 ? words.frequencyOne : words.frequencyOf(frequencyOf(x)),
                }))}
                series={[
                  {
                    key: "actual",
                    name: words.actual,
                    as: "bar",
                    color: "accent",
                    values: holdOut.byFrequency.map(({ actual }) => actual),
                  },
                  {
                    key: "predicted",
                    name: words.predicted,
                    as: "bar",
                    color: "contrast",
                    values: holdOut.byFrequency.map(({ predicted }) => predicted),
                  },
                ]}
              />
            )
          }
        </Card>
      )}
    </>
  );
}

/** What the customers will bring who came in the months of the page's period: the rest of the card is of all. */
function OfPeriod({ rows, horizon }: { rows: readonly Row[]; horizon: Horizon }) {
  const { from, to } = usePeriod();
  const words = t().forecast;
  if (from === undefined || to === undefined) return null;
  const last = lastDay();
  const own = rows.filter(
    ({ cohortMonth: first }) => first >= from && (lastOfMonth(first) <= to || (first <= to && to >= last)),
  );
  const [first, end] = [own.at(0), own.at(-1)];
  if (!first || !end || own.length === rows.length) return null;
  const sum = (of: (row: Row) => number): number => own.reduce((total, row) => total + of(row), 0);
  const months = [...new Set([first, end].map(({ cohortMonth }) => month(cohortMonth)))].join(" – ");
  return (
    <p data-part="ofPeriod">
      {words.ofPeriod(
        months,
        figure(
          sum(({ customers }) => customers),
          "count",
        ),
        figure(
          sum((row) => row[horizon].revenue),
          "currency",
        ),
        words.weeks[horizon],
      )}
    </p>
  );
}

/** The last group has all who bought more often. */
const MOST = 7;
const frequencyOf = (x: number): string => (x >= MOST ? `${x}+` : String(x));

const signed = (value: number | null): string =>
  value === null ? t().notAvailable : `${value > 0 ? "+" : ""}${figure(value, "percent")}`;

/** How far off the model was, for purchases and for revenue: one may be reliable and the other not. */
function Test({ holdOut, purchases: level }: { holdOut: HoldOut; purchases: Confidence }) {
  const { cutoff, customers, purchases, revenue } = holdOut;
  const words = t().forecast;
  const whole = (value: number): string => figure(value, "count");
  const money = (value: number): string => figure(value, "currency");
  const ofRevenue = confidenceOf(revenue.errorPct);
  return (
    <Banner tone={TONES[lower(level, ofRevenue)]}>
      <div data-part="holdOut" class="hold-out">
        <p>{words.test(day(cutoff), whole(customers))}</p>
        <p>
          <strong>{words.purchasesTrust[level]}</strong>:{" "}
          {words.testPurchases(whole(purchases.predicted), whole(purchases.actual), signed(purchases.errorPct))}
        </p>
        <p>
          <strong>{words.revenueTrust[ofRevenue]}</strong>:{" "}
          {words.testRevenue(money(revenue.predicted), money(revenue.actual), signed(revenue.errorPct))}{" "}
          {ofRevenue === "low" && words.onlyOrder}
        </p>
        <p class="muted">{words.levels}</p>
      </div>
    </Banner>
  );
}

function ForecastTable({
  rows,
  total,
  horizon,
}: {
  rows: readonly Row[];
  total: Omit<Row, "cohortMonth">;
  horizon: Horizon;
}) {
  const words = t().forecast;
  const column = (key: string, label: string, unit: Unit, value: (row: Row) => number, bar = false): Column<Row> => ({
    key,
    label,
    unit,
    bar,
    value,
  });
  return (
    <Table
      caption={words.byCohort}
      rows={rows}
      keyOf={({ cohortMonth }) => cohortMonth}
      total={{ name: words.total, row: { ...total, cohortMonth: "" } }}
      onPick={({ cohortMonth }) =>
        openExplanation({ endpoint: QUERY.path, params: {}, figure: "ltvPredicted", row: cohortMonth.slice(0, 7) })
      }
      columns={[
        {
          key: "cohort",
          label: words.cohort,
          value: ({ cohortMonth }) => cohortMonth,
          show: ({ cohortMonth }) => nameOf(cohortMonth, "month"),
        },
        column("customers", words.customers, "count", (row) => row.customers),
        column("ltvToDate", words.ltvToDate, "currency", (row) => row.ltvToDate),
        column("ltvPredicted", words.ltvPredicted, "currency", (row) => row.ltvPredicted),
        column("purchases", words.purchases, "count", (row) => row[horizon].purchases),
        column("revenue", words.revenue, "currency", (row) => row[horizon].revenue, true),
        column("contribution", words.contribution, "currency", (row) => row[horizon].contribution),
      ]}
    />
  );
}

function CalibrationTable({ holdOut }: { holdOut: HoldOut }) {
  const words = t().forecast;
  type Group = HoldOut["byFrequency"][number];
  const columns: Column<Group>[] = [
    { key: "x", label: words.frequency, value: ({ x }) => x, show: ({ x }) => frequencyOf(x) },
    { key: "customers", label: words.customers, unit: "count", value: ({ customers }) => customers },
    { key: "actual", label: words.actual, unit: "count", bar: true, value: ({ actual }) => actual },
    { key: "predicted", label: words.predicted, unit: "count", bar: true, value: ({ predicted }) => predicted },
  ];
  return (
    <Table caption={words.calibration} rows={holdOut.byFrequency} keyOf={({ x }) => String(x)} columns={columns} />
  );
}
