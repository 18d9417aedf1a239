import type { Answer } from "../../answer.ts";
import type { Answers } from "../../answerTypes.ts";
import type { Query } from "../../api.ts";
import { type Step, Waterfall } from "../../charts/Waterfall.tsx";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Table } from "../../components/Table.tsx";
import { explainer } from "../../explain.ts";
import { figure } from "../../format.ts";
import { t } from "../../text.ts";

export type Reconciliation = Answers["ProfitabilityReconciliation"];
type Store = Reconciliation["stores"][number];

interface StoreProps {
  readonly store: Store;
  readonly n: number;
  readonly query: Query;
  readonly answer: Answer<Reconciliation>;
}

/** The way from what landed to what is counted, and on to the sales of products. */
export function StoreCard({ store, n, query, answer }: StoreProps) {
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

interface OfAllStores {
  readonly query: Query;
  readonly answer: Answer<Reconciliation>;
}

/** Whether figures that must agree do. */
export function Checks({ query, answer }: OfAllStores) {
  const words = t().data;
  return (
    <Card name="checks" title={words.checked} question={words.checkedQuestion} query={query} answer={answer}>
      {({ checks }) => {
        const failed = checks.filter(({ holds }) => holds === false);
        return (
          <Banner tone={failed.length > 0 ? "bad" : "good"}>
            {failed.length > 0
              ? words.checksFailed(figure(failed.length, "count"), figure(checks.length, "count"))
              : words.checks(figure(checks.length, "count"))}
          </Banner>
        );
      }}
    </Card>
  );
}

/** Compares what ad platforms claim with the orders. */
export function Claims({ query, answer }: OfAllStores) {
  const words = t().data;
  return (
    <Card name="accounts" title={words.accounts} question={words.accountsQuestion} query={query} answer={answer}>
      {({ accounts }) =>
        accounts.length === 0 ? (
          <EmptySmall>{t().chart.empty}</EmptySmall>
        ) : (
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
                reason: () => t().reason.not_reported,
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
        )
      }
    </Card>
  );
}
