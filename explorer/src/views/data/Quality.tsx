import { type Answer, useAnswer } from "../../answer.ts";
import type { Answers } from "../../answerTypes.ts";
import type { Query } from "../../api.ts";
import { type Step, Waterfall } from "../../charts/Waterfall.tsx";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Table } from "../../components/Table.tsx";
import { explainer } from "../../explain.ts";
import { day, figure, instant } from "../../format.ts";
import { usePeriod } from "../../stores.ts";
import { t } from "../../text.ts";

type Report = Answers["DataQuality"];
type Integration = Report["integrations"][number];
type Finding = Report["findings"][number];
type Reconciliation = Answers["ProfitabilityReconciliation"];
type Store = Reconciliation["stores"][number];

const QUALITY: Query = { path: "/v1/data-quality", params: {} };

const dataOf = <T,>(answer: Answer<T>): T | undefined => (answer.state === "failed" ? undefined : answer.data);

/** What has landed, what does not count and why, and what to do. */
export function Quality() {
  const { from, to } = usePeriod();
  const query: Query = { path: "/v1/profitability/reconciliation", params: { startDate: from, endDate: to } };
  const report = useAnswer<Report>(QUALITY);
  const reconciled = useAnswer<Reconciliation>(query);
  const words = t().data;
  // The findings can have any height, so what follows them is rendered with them, and nothing moves.
  const isLoading = report.state === "waiting" && report.data === undefined;
  const names = new Map(dataOf(report)?.integrations.map(({ integrationId, name }) => [integrationId, name]));
  return (
    <>
      {isLoading && <p class="skeleton skeleton-verdict" />}
      {dataOf(report) && <Verdict findings={dataOf(report)?.findings ?? []} />}
      <Card
        name="findings"
        title={words.findings}
        question={words.findingsQuestion}
        query={QUALITY}
        answer={report}
        height="large"
      >
        {({ findings }) =>
          findings.length === 0 ? (
            <EmptySmall>{words.allWell}</EmptySmall>
          ) : (
            <ul class="findings">
              {findings.map((finding) => (
                <FindingItem key={finding.kind} finding={finding} />
              ))}
            </ul>
          )
        }
      </Card>
      {!isLoading && (
        <>
          <Card
            name="integrations"
            title={words.integrations}
            question={words.integrationsQuestion}
            query={QUALITY}
            answer={report}
          >
            {({ integrations }) => <Integrations integrations={integrations} />}
          </Card>
          <Card name="rejects" title={words.rejects} question={words.rejectsQuestion} query={QUALITY} answer={report}>
            {({ rejects }) =>
              rejects.length === 0 ? (
                <EmptySmall>{words.noRejects}</EmptySmall>
              ) : (
                <Table
                  caption={words.rejects}
                  rows={rejects}
                  keyOf={(_, n) => String(n)}
                  initially={{ by: "rows", descending: true }}
                  columns={[
                    {
                      key: "reason",
                      label: words.reason,
                      value: ({ reason }) => reason,
                      show: ({ reason, integrationId, record }) => (
                        <>
                          {reason}
                          <small>
                            {names.get(integrationId) ?? integrationId} · {words.records[record] ?? record}
                          </small>
                        </>
                      ),
                    },
                    { key: "rows", label: words.rowsCount, unit: "count", value: ({ rows }) => rows, bar: true },
                    {
                      key: "file",
                      label: words.file,
                      value: ({ file, position }) => (position === null ? file : `${file}: ${position}`),
                    },
                  ]}
                />
              )
            }
          </Card>
          {dataOf(reconciled)?.stores.map((store, n) => (
            <StoreCard key={store.integrationId} {...{ store, n, query }} answer={reconciled} />
          ))}
          <Claims query={query} answer={reconciled} />
        </>
      )}
    </>
  );
}

function Verdict({ findings }: { findings: readonly Finding[] }) {
  const words = t().data;
  const wrong = findings.filter(({ level }) => level === "wrong").length;
  if (wrong > 0)
    return <Banner tone="bad">{wrong === 1 ? words.wrongOne : words.wrong(figure(wrong, "count"))}</Banner>;
  if (findings.length === 0) return <Banner tone="good">{words.allWell}</Banner>;
  return <Banner tone="good">{words.notices(figure(findings.length, "count"))}</Banner>;
}

function FindingItem({ finding }: { finding: Finding }) {
  const { kind, level, title, count, orders, revenue, spend, examples } = finding;
  const words = t().data;
  const name = words.kinds[kind] ?? title;
  const advice = words.advice[kind];
  const amounts = [
    orders === null ? "" : orders === 1 ? words.ordersOne : words.orders(figure(orders, "count")),
    revenue === null ? "" : words.revenue(figure(revenue, "currency")),
    spend === null ? "" : words.spend(figure(spend, "currency")),
  ].filter(Boolean);
  return (
    <li class={`finding finding-${level}`} data-finding={kind}>
      <p class="finding-head">
        <span class={`chip ${level === "wrong" ? "error" : "pending"}`}>{words.levels[level]}</span>
        <strong>{name}</strong>
      </p>
      {amounts.length > 0 && <p class="finding-amounts">{amounts.join(" · ")}</p>}
      {advice && (
        <p class="finding-advice">
          <span class="muted">{words.toDo}:</span> {advice}
        </p>
      )}
      {examples.length > 0 && (
        <details>
          <summary>
            {words.examples} ({words.counted(figure(count, "count"))})
          </summary>
          <ul class="finding-examples">
            {examples.map((example, n) => (
              <li key={`${example.what} ${n}`}>{exampleText(example)}</li>
            ))}
            {count > examples.length && (
              <li class="muted">{words.andMore(figure(count - examples.length, "count"))}</li>
            )}
          </ul>
        </details>
      )}
    </li>
  );
}

function exampleText({ integration, what, reason, count, revenue, spend }: Finding["examples"][number]): string {
  const words = t().data;
  const amount = revenue ? figure(revenue, "currency") : spend ? figure(spend, "currency") : "";
  return [
    integration,
    what === null ? null : (words.records[what] ?? what),
    reason === null ? null : (words.why[reason] ?? reason),
    count === null || count === 0 ? null : figure(count, "count"),
    amount,
  ]
    .filter(Boolean)
    .join(" · ");
}

function Integrations({ integrations }: { integrations: readonly Integration[] }) {
  const words = t().data;
  const sum = (one: Integration, name: "rows" | "rejected" | "waiting"): number =>
    one.records.reduce((all, record) => all + (record[name] ?? 0), 0);
  return (
    <>
      <Table
        caption={words.integrations}
        rows={integrations}
        keyOf={({ integrationId }) => integrationId}
        columns={[
          {
            key: "name",
            label: words.integration,
            value: ({ name }) => name,
            show: ({ name, schedule }) => (
              <>
                {name}
                <small>{schedule ?? words.byHand}</small>
              </>
            ),
          },
          {
            key: "newestDay",
            label: words.newestDay,
            value: ({ records }) => newest(records),
            show: ({ records }) => dayOrNone(newest(records)),
          },
          {
            key: "lastLandedAt",
            label: words.lastLanded,
            value: ({ lastLandedAt }) => lastLandedAt,
            show: ({ lastLandedAt }) => (lastLandedAt === null ? words.never : instant(lastLandedAt)),
          },
          {
            key: "lastSync",
            label: words.lastSync,
            value: ({ lastSync }) => lastSync?.outcome,
            show: ({ lastSync }) => (lastSync === null ? words.never : <Sync sync={lastSync} />),
          },
          { key: "rows", label: words.rowsCount, unit: "count", value: (one) => sum(one, "rows"), bar: true },
          {
            key: "rejected",
            label: words.rejected,
            unit: "count",
            value: (one) => sum(one, "rejected"),
            tone: (one) => (sum(one, "rejected") > 0 ? "bad" : undefined),
          },
          {
            key: "waiting",
            label: words.waiting,
            unit: "count",
            value: (one) => sum(one, "waiting"),
            tone: (one) => (sum(one, "waiting") > 0 ? "bad" : undefined),
          },
        ]}
      />
      {integrations.map(({ integrationId, name, records }) => (
        <details key={integrationId} class="records">
          <summary>{words.details(name)}</summary>
          <Table
            caption={words.details(name)}
            rows={records}
            keyOf={({ record }) => record}
            columns={[
              { key: "record", label: words.record, value: ({ record }) => words.records[record] ?? record },
              {
                key: "newestDay",
                label: words.newestDay,
                value: (record) => record.newestDay,
                show: (record) => dayOrNone(record.newestDay),
              },
              { key: "files", label: words.files, unit: "count", value: ({ files }) => files },
              { key: "rows", label: words.rowsCount, unit: "count", value: ({ rows }) => rows, bar: true },
              { key: "rejected", label: words.rejected, unit: "count", value: ({ rejected }) => rejected },
              { key: "waiting", label: words.waiting, unit: "count", value: ({ waiting }) => waiting },
            ]}
          />
        </details>
      ))}
    </>
  );
}

const newest = (records: Integration["records"]): string | null =>
  records
    .flatMap(({ newestDay }) => newestDay ?? [])
    .sort()
    .at(-1) ?? null;

const dayOrNone = (text: string | null): string => (text === null ? "–" : day(text));

function Sync({ sync: { endedAt, outcome, reason } }: { sync: NonNullable<Integration["lastSync"]> }) {
  const words = t().data;
  return (
    <span class="sync">
      <span class={`chip ${outcome === "ok" ? "ready" : outcome === "rejected" ? "pending" : "error"}`}>
        {words.outcomes[outcome]}
      </span>
      <small>{instant(endedAt)}</small>
      {reason && <small>{reason}</small>}
    </span>
  );
}

interface StoreProps {
  readonly store: Store;
  readonly n: number;
  readonly query: Query;
  readonly answer: Answer<Reconciliation>;
}

/** The way from what landed to what is counted, and on to the sales of products. */
function StoreCard({ store, n, query, answer }: StoreProps) {
  const words = t().data;
  const name = store.integrationName ?? store.integrationId;
  const steps = stepsOf(store);
  const explain = (key: string): void => {
    if (key in store) explainer(query, `stores.${n}.${key}`, store.integrationId)();
  };
  return (
    <Card
      name={`reconciliation-${n}`}
      title={words.reconciliation(name)}
      question={words.reconciliationQuestion}
      query={query}
      answer={answer}
      table={() => (
        <Table
          caption={words.reconciliation(name)}
          rows={steps}
          keyOf={({ key }) => key}
          columns={[
            { key: "label", label: words.step, value: ({ label }) => label, sortable: false },
            { key: "value", label: words.amount, unit: "currency", value: ({ value }) => value, sortable: false },
          ]}
        />
      )}
    >
      {() => (
        <Waterfall
          label={words.reconciliation(name)}
          steps={steps}
          unit="currency"
          onPick={({ key }) => explain(key)}
        />
      )}
    </Card>
  );
}

const TAKEN = ["shipping", "tax", "giftCards", "withoutProduct", "otherCharges"] as const;

function stepsOf(store: Store): Step[] {
  const words = t().data;
  const name = (key: keyof typeof words.stepNames): string => words.stepNames[key];
  const step = (key: keyof typeof words.stepNames, sign: 1 | -1): Step => ({
    key,
    label: name(key),
    // No negative zero.
    value: store[key] === 0 ? 0 : sign * store[key],
  });
  const total = (key: keyof typeof words.stepNames): Step => ({
    key,
    label: name(key),
    value: store[key],
    isTotal: true,
  });
  const moved = [step("notInvoiced", -1), step("invoicedOutside", -1), step("invoicedInside", 1)];
  const taken = TAKEN.map((key) => step(key, -1));
  return [
    { key: "landedValue", label: words.landed, value: store.landedValue, isTotal: true },
    ...store.uncounted.map(({ reason, orders, value }) => ({
      key: `uncounted-${reason}`,
      label: words.uncounted[reason] ?? reason,
      value: value === 0 ? 0 : -value,
      note: words.orders(figure(orders, "count")),
    })),
    total("revenue"),
    ...[...moved, ...taken].filter(({ value }) => value !== 0),
    total("grossSales"),
    ...[step("returns", -1)].filter(({ value }) => value !== 0),
    total("netSales"),
  ];
}

/** Compares what ad platforms claim with the orders, and reports whether all figures agree. */
function Claims({ query, answer }: { query: Query; answer: Answer<Reconciliation> }) {
  const words = t().data;
  return (
    <Card name="accounts" title={words.accounts} question={words.accountsQuestion} query={query} answer={answer}>
      {({ accounts, checks }) => {
        const failed = checks.filter(({ holds }) => holds === false);
        return (
          <>
            {accounts.length > 0 && (
              <Table
                caption={words.accounts}
                rows={accounts}
                keyOf={({ connector }) => connector}
                columns={[
                  {
                    key: "connector",
                    label: words.account,
                    value: ({ connector }) => t().channels[connector] ?? connector,
                  },
                  {
                    key: "investment",
                    label: t().metric.investment ?? "",
                    unit: "currency",
                    value: ({ investment }) => investment,
                    bar: true,
                  },
                  {
                    key: "platformConversions",
                    label: words.platformConversions,
                    unit: "units",
                    value: ({ platformConversions }) => platformConversions,
                    reason: () => t().reason.not_reported,
                  },
                  {
                    key: "platformValue",
                    label: words.platformValue,
                    unit: "currency",
                    value: ({ platformValue }) => platformValue,
                  },
                  { key: "revenue", label: words.confirmed, unit: "currency", value: ({ revenue }) => revenue },
                  {
                    key: "claimedToConfirmed",
                    label: words.claimed,
                    unit: "times",
                    value: ({ claimedToConfirmed }) => claimedToConfirmed,
                  },
                ]}
              />
            )}
            <Banner tone={failed.length > 0 ? "bad" : "good"}>
              {failed.length > 0
                ? words.checksFailed(figure(failed.length, "count"), figure(checks.length, "count"))
                : words.checks(figure(checks.length, "count"))}
            </Banner>
          </>
        );
      }}
    </Card>
  );
}
