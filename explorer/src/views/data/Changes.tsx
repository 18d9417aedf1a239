import type { ComponentChildren } from "preact";
import { useAnswer, useAnswers } from "../../answer.ts";
import type { Figure, Line, Restated, RestatedOrder, RestatedSpend, Restatements, Statement } from "../../answers.ts";
import type { Params, Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { Select } from "../../components/Controls.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { MomentButton, momentText, usePins } from "../../components/Known.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { dayIn, lastOfMonth } from "../../days.ts";
import { day, figure, instant, month as monthName, type Unit } from "../../format.ts";
import { isMoment, known } from "../../moment.ts";
import { arg, set } from "../../route.ts";
import { organization } from "../../session.ts";
import { amountOf } from "../../statement.ts";
import { t } from "../../text.ts";
import { labelOf } from "../labels.ts";

const PATH = "/v1/restatements";

const COUNTS = ["orders", "newCustomers"];
const unitOf = (name: string): Unit => (COUNTS.includes(name) ? "count" : "currency");

const plus = (value: Figure, unit: Unit): string => `${value !== null && value > 0 ? "+" : ""}${figure(value, unit)}`;

/** What is shown of every month; the others are shown of the chosen one. */
const FIRST = ["revenue", "orders", "investment", "newCustomers", "contributionProfit", "profit"];

/** What changed, since an instant or a pin, in the months that were over then. */
export function Changes() {
  const words = t().known;
  const pins = usePins();
  const since = isMoment(arg("since")) ? arg("since") : (pins[0]?.name ?? "");
  const query: Query = { path: PATH, params: { knownAt: since } };
  const answer = useAnswer<Restatements>(since ? query : undefined);
  return (
    <>
      <div class="list-tools">
        <MomentButton
          label={words.since}
          text={`${words.since} ${momentText(since) || "…"}`}
          value={since}
          choose={(next) => set({ since: next, month: "", ordersPage: "", spendPage: "" })}
        />
      </div>
      {since ? (
        <Card
          name="restatements"
          title={words.months}
          question={answer.state === "ready" ? questionOf(answer.data) : ""}
          query={query}
          answer={answer}
        >
          {(data) => <Months rows={closedOf(data)} />}
        </Card>
      ) : (
        <EmptySmall>{words.choose}</EmptySmall>
      )}
      {answer.state === "ready" && <Chosen rows={closedOf(answer.data)} since={since} />}
    </>
  );
}

const questionOf = ({ knownAt, comparedAt }: Restatements): string =>
  t().known.monthsQuestion(instant(knownAt), known.value ? instant(comparedAt) : t().known.now.toLowerCase());

/** The months of which the last day was over at the earlier instant. */
function closedOf({ knownAt, data }: Restatements): readonly Restated[] {
  const day = dayIn(Date.parse(knownAt) + 1, organization.value?.timezones[0]);
  return data.flatMap(({ month, ...row }) => (month !== null && lastOfMonth(month) < day ? [{ ...row, month }] : []));
}

const monthsOf = (rows: readonly Restated[]): readonly string[] =>
  [...new Set(rows.map(({ month }) => month))].sort().reverse();

const chosenOf = (rows: readonly Restated[]): string | undefined => {
  const months = monthsOf(rows);
  return months.find((month) => month === arg("month")) ?? months[0];
};

/** A row per month with the changes of what matters most; what did not change is left empty. */
function Months({ rows }: { rows: readonly Restated[] }) {
  const words = t().known;
  const changeOf = (month: string, name: string) =>
    rows.find((one) => one.month === month && one.figure === name)?.change;
  return (
    <Table
      caption={words.months}
      rows={monthsOf(rows)}
      keyOf={(month) => month}
      empty={words.nothing}
      isCurrent={(month) => month === chosenOf(rows)}
      onPick={(month) => set({ month, ordersPage: "", spendPage: "" })}
      columns={[
        { key: "month", label: words.month, value: (month) => month, show: monthName },
        ...FIRST.map(
          (name): Column<string> => ({
            key: name,
            label: labelOf(name, PATH),
            unit: unitOf(name),
            value: (month) => changeOf(month, name),
            show: (month) => {
              const change = changeOf(month, name);
              return change === undefined ? "" : plus(change, unitOf(name));
            },
          }),
        ),
      ]}
    />
  );
}

/** The chosen month: each figure with its causes, both statements, and the orders and the spend behind. */
function Chosen({ rows, since }: { rows: readonly Restated[]; since: string }) {
  const words = t().known;
  const chosen = chosenOf(rows);
  if (chosen === undefined) return null;
  const params = { knownAt: since, startDate: chosen, endDate: lastOfMonth(chosen) };
  const name = monthName(chosen);
  return (
    <>
      <section class="card-box" data-picture="changed">
        <header class="card-head">
          <div class="card-titles">
            <h2>{words.figures(name)}</h2>
          </div>
        </header>
        <Table
          caption={words.figures(name)}
          rows={rows.filter(({ month }) => month === chosen)}
          keyOf={(row) => row.figure}
          columns={[
            { key: "figure", label: words.figure, value: (row) => labelOf(row.figure, PATH) },
            ...sides<Restated>((row) => unitOf(row.figure)),
            {
              key: "why",
              label: words.why,
              value: ({ causes, figure: of }) => causes && causesText(causes, unitOf(of)),
            },
          ]}
        />
      </section>
      <Statements title={words.statements(name)} params={params} />
      <Orders title={words.orders(name)} params={params} />
      <Spend title={words.spend(name)} params={params} />
    </>
  );
}

const causesText = (causes: NonNullable<Restated["causes"]>, unit: Unit): string =>
  Object.entries(causes)
    .filter(([, amount]) => amount !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([cause, amount]) => `${t().known.causes[cause] ?? cause} ${plus(amount, unit)}`)
    .join(" · ");

interface Sides {
  readonly before: Figure;
  readonly after: Figure;
  readonly change: Figure;
}

/** Both states and their difference. */
const sides = <Row extends Sides>(unit: (row: Row) => Unit): Column<Row>[] =>
  (["before", "after", "change"] as const).map((side) => ({
    key: side,
    label: t().known[side],
    unit: "currency",
    value: (row) => row[side],
    show: (row) => (side === "change" ? plus : figure)(row[side], unit(row)),
  }));

/** Both states' statements of the month, line by line; lines that are 0 in both are left out. */
function Statements({ title, params }: Titled) {
  const words = t().known;
  const path = "/v1/profit/statement";
  const earlier: Query = { path, params: { ...params, compare: "none" } };
  const later: Query = { path, params: { ...earlier.params, knownAt: undefined } };
  const answer = useAnswers<Statement>([earlier, later]);
  return (
    <Card name="statements" title={title} query={earlier} answer={answer}>
      {([one, other]) => (
        <Table
          caption={title}
          rows={one && other ? linesOf(one, other) : []}
          keyOf={({ line }) => line}
          columns={[
            { key: "line", label: words.figure, sortable: false, value: ({ line }) => labelOf(line, path) },
            ...sides<Compared>(() => "currency"),
          ]}
        />
      )}
    </Card>
  );
}

interface Compared extends Sides {
  readonly line: Line;
}

const linesOf = (one: Statement, other: Statement): readonly Compared[] =>
  (Object.keys(other.statement) as Line[])
    .map((line) => {
      const [before, after] = [amountOf(one, line), amountOf(other, line)];
      const change = before === null || after === null ? null : Math.round((after - before) * 100) / 100;
      return { line, before, after, change };
    })
    .filter(({ before, after }) => before !== 0 || after !== 0);

interface Titled {
  readonly title: string;
  readonly params: Params;
}

const CAUSES = ["arrived", "counted", "uncounted", "gone", "moved", "value"] as const;

function Orders({ title, params }: Titled) {
  const words = t().known;
  const cause = CAUSES.find((one) => one === arg("cause")) ?? "";
  const text = (order: RestatedOrder["before"]): string =>
    order === null
      ? words.absent
      : [
          order.orderedOn && day(order.orderedOn),
          figure(order.revenue, "currency"),
          order.counted ? "" : words.uncounted,
        ]
          .filter(Boolean)
          .join(" · ");
  return (
    <Paged<RestatedOrder>
      name="orders"
      title={title}
      params={{ ...params, cause }}
      empty={words.noOrders}
      controls={
        <Select
          label={words.why}
          options={[["", words.any], ...CAUSES.map((one) => [one, words.causes[one] ?? one] as const)]}
          value={cause}
          change={(next) => set({ cause: next, ordersPage: "" })}
        />
      }
      keyOf={({ orderId, integrationId }) => `${integrationId} ${orderId}`}
      columns={[
        { key: "order", label: words.order, value: ({ orderId }) => orderId },
        { key: "cause", label: words.why, value: (row) => words.causes[row.cause] ?? row.cause },
        { key: "before", label: words.before, value: ({ before }) => text(before) },
        { key: "after", label: words.after, value: ({ after }) => text(after) },
      ]}
    />
  );
}

const Spend = ({ title, params }: Titled) => (
  <Paged<RestatedSpend>
    name="spend"
    title={title}
    params={params}
    empty={t().known.noSpend}
    keyOf={({ connector, campaignId, spentOn }) => `${connector} ${campaignId} ${spentOn}`}
    columns={[
      {
        key: "campaign",
        label: labelOf("campaignName", PATH),
        value: ({ campaignName, campaignId }) => campaignName ?? campaignId,
      },
      { key: "spentOn", label: t().toolbar.granularities.day, value: ({ spentOn }) => day(spentOn) },
      { key: "before", label: t().known.before, unit: "currency", value: ({ before }) => before },
      { key: "after", label: t().known.after, unit: "currency", value: ({ after }) => after },
    ]}
  />
);

interface PagedProps<Row> extends Titled {
  readonly name: "orders" | "spend";
  readonly empty: string;
  readonly controls?: ComponentChildren;
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}

const PAGE = 50;

/** The records behind the changes, the largest first, as the service sorts them. */
function Paged<Row extends RestatedOrder | RestatedSpend>({
  name,
  title,
  params,
  empty,
  controls,
  keyOf,
  columns,
}: PagedProps<Row>) {
  const words = t().known;
  const path = `${PATH}/${name}`;
  const of = `${name}Page`;
  const page = Math.max(1, Math.trunc(Number(arg(of))) || 1);
  const query: Query = { path, params: { ...params, limit: PAGE, page } };
  const answer = useAnswer<{ readonly data: readonly Row[]; readonly meta?: { readonly hasNextPage: boolean } }>(query);
  const turn = (to: number) => (): void => set({ [of]: to === 1 ? "" : String(to) });
  const from = (page - 1) * PAGE;
  return (
    <Card
      name={name}
      title={title}
      query={query}
      whole={{ path, params: { ...params, all: true } }}
      answer={answer}
      controls={controls}
    >
      {({ data, meta }) => (
        <Table
          caption={title}
          rows={data}
          keyOf={keyOf}
          empty={empty}
          columns={(
            [
              ...columns,
              {
                key: "change",
                label: words.change,
                unit: "currency",
                value: ({ change }: Row) => change,
                show: ({ change }: Row) => plus(change, "currency"),
              },
              {
                key: "file",
                label: words.file,
                value: ({ file, landedAt }: Row) => file ?? (landedAt && instant(landedAt)) ?? "–",
              },
            ] as Column<Row>[]
          ).map((column) => ({ ...column, sortable: false }))}
          pages={
            page > 1 || meta?.hasNextPage
              ? {
                  from: from + 1,
                  to: from + data.length,
                  previous: page > 1 ? turn(page - 1) : undefined,
                  next: meta?.hasNextPage ? turn(page + 1) : undefined,
                }
              : undefined
          }
        />
      )}
    </Card>
  );
}
