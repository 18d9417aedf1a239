import { CHANNELS } from "../../../../src/core/contract/channel.ts";
import { useAnswer } from "../../answer.ts";
import type { Answers } from "../../answerTypes.ts";
import type { Params, Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { Bar, Input, Select, wordsOf } from "../../components/Controls.tsx";
import { type Column, NotAvailable, Table } from "../../components/Table.tsx";
import { filterStores, inForce, storeName } from "../../filter.ts";
import { day, figure } from "../../format.ts";
import { arg, set } from "../../route.ts";
import { usePeriod } from "../../stores.ts";
import { said, t } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { orderList as LIST } from "../../words/later/orderList.ts";
import { nameOf, placesOf } from "./attributes.ts";
import { type Attribute, NOTHING_CHOSEN, ORDER_FILTERS } from "./chosen.ts";

export const PATH = "/v1/profitability/orders";
const LIMIT = 50;

type Answered = Answers["ProfitabilityOrders"];
type Order = Answered["data"][number];

/** What the whole page is filtered by, the list does not filter by again. */
const isOfPage = (name: string): boolean =>
  (name === "store" && inForce.value.store !== "") || (name === "channel" && inForce.value.channel !== "");

/** The parameter of the service for a filter in the address. */
const PARAMETERS: Readonly<Record<string, string>> = { store: "integrationId" };

function filtersOf(): Params {
  return Object.fromEntries(
    ORDER_FILTERS.filter((name) => arg(name) !== "" && !isOfPage(name)).map((name) => [
      PARAMETERS[name] ?? name,
      arg(name),
    ]),
  );
}

/** The orders of the period, with what they carry, and filters by it [D51] [D88]. */
export function Orders() {
  const words = said(LIST);
  const { from, to } = usePeriod();
  const chosen = { startDate: from, endDate: to, ...filtersOf() };
  const page = Math.max(1, Math.trunc(Number(arg("page"))) || 1);
  const query: Query = { path: PATH, params: { ...chosen, page, limit: LIMIT } };
  const answer = useAnswer<Answered>(query);
  const used = ORDER_FILTERS.filter((name) => arg(name) !== "").length;
  return (
    <>
      <Filters used={used} />
      <Card
        name="orders"
        title={words.title}
        query={query}
        whole={{ path: PATH, params: { ...chosen, all: true } }}
        answer={answer}
        height="large"
      >
        {({ data, meta }) => {
          const start = (meta.page - 1) * meta.limit;
          return (
            <Table
              caption={words.title}
              rows={data}
              keyOf={({ integrationId, orderId }) => `${integrationId} ${orderId}`}
              columns={columns()}
              remember="orders"
              empty={said(WORDS).nothing}
              pages={{
                from: start + 1,
                to: start + data.length,
                previous: meta.hasPreviousPage ? () => set({ page: page > 2 ? String(page - 1) : "" }) : undefined,
                next: meta.hasNextPage ? () => set({ page: String(page + 1) }) : undefined,
              }}
            />
          );
        }}
      </Card>
    </>
  );
}

const OPTIONAL = [
  "strategy",
  "uncountedReason",
  "country",
  "taxCharged",
  "salesChannel",
  "hour",
  "weekday",
  "campaignName",
  "coupon",
  "installments",
  "status",
];

const TEXTS: Readonly<Partial<Record<keyof Order, Attribute>>> = {
  paymentGroup: "payment_group",
  country: "country",
  hour: "hour",
  weekday: "weekday",
  installments: "installments",
};

function columns(): readonly Column<Order>[] {
  const fields = said(LIST).fields;
  const column = (name: keyof Order & keyof typeof fields, more: Partial<Column<Order>> = {}): Column<Order> => ({
    key: name,
    label: fields[name],
    sortable: false,
    isOptional: OPTIONAL.includes(name),
    value: (row) => row[name] as string | number | null,
    reason: () => t().reason.not_reported,
    ...more,
  });
  const named = (name: keyof Order & keyof typeof fields): Column<Order> =>
    column(name, {
      show: (row) => {
        const value = row[name];
        const attribute = TEXTS[name];
        if (value === null || attribute === undefined) return <NotAvailable reason={t().reason.not_reported} />;
        const key = attribute === "hour" ? String(value).padStart(2, "0") : String(value);
        return nameOf(attribute, key, null);
      },
    });
  const amount = (name: keyof Order & keyof typeof fields): Column<Order> => column(name, { unit: "currency" });
  return [
    column("orderId"),
    column("orderedOn", { show: ({ orderedOn }) => day(orderedOn) }),
    amount("revenue"),
    column("customer", { show: ({ customer }) => (customer && said(LIST).buyer[customer]) ?? customer }),
    column("channel", { show: ({ channel }) => t().channels[channel ?? ""] ?? channel ?? t().notAvailable }),
    column("integrationId", {
      show: ({ integrationId }) => storeName(integrationId),
      isOptional: filterStores.value.length < 2,
    }),
    named("paymentGroup"),
    named("installments"),
    column("state"),
    column("city"),
    named("country"),
    column("items", { unit: "count" }),
    amount("discount"),
    amount("shippingCharged"),
    amount("taxCharged"),
    column("coupon", { reason: () => undefined }),
    column("campaignName", { reason: () => undefined }),
    column("status"),
    column("salesChannel"),
    named("weekday"),
    named("hour"),
    column("uncountedReason", {
      show: ({ uncountedReason }) =>
        uncountedReason === null ? "" : (t().explanation.reasons[uncountedReason] ?? uncountedReason),
    }),
  ];
}

function Filters({ used }: { used: number }) {
  const words = said(LIST);
  const own = said(WORDS);
  const choose = (name: string) => (value: string) => set({ [name]: value, page: "" });
  const choice = (
    name: (typeof ORDER_FILTERS)[number],
    label: string,
    options: readonly (readonly [string, string])[],
  ) => <Select label={label} options={[["", words.any], ...options]} value={arg(name)} change={choose(name)} />;
  const text = (name: (typeof ORDER_FILTERS)[number], label: string) => (
    <Input label={label} value={arg(name)} change={(value) => choose(name)(value.trim())} />
  );
  const places = (attribute: Attribute) =>
    (placesOf(attribute) ?? []).map((key) => [String(Number(key)), nameOf(attribute, key, null)] as const);
  const fields = words.fields;
  return (
    <Bar label={words.filters}>
      {choice("paymentGroup", fields.paymentGroup, wordsOf(t().paymentGroups))}
      {choice("customer", fields.customer, wordsOf(own.buyers))}
      {!isOfPage("channel") &&
        choice(
          "channel",
          fields.channel,
          CHANNELS.map((name) => [name, t().channels[name] ?? name] as const),
        )}
      {!isOfPage("store") &&
        filterStores.value.length > 1 &&
        choice(
          "store",
          fields.integrationId,
          filterStores.value.map(({ integrationId, name }) => [integrationId, name] as const),
        )}
      {text("state", fields.state)}
      {text("city", fields.city)}
      {choice("weekday", fields.weekday, places("weekday"))}
      {choice("hour", fields.hour, places("hour"))}
      <details class="more-filters" open={MORE.some((name) => arg(name) !== "")}>
        <summary>{words.more}</summary>
        <div class="bar">
          {text("country", fields.country)}
          {text("coupon", fields.coupon)}
          <Input
            label={fields.installments}
            type="number"
            value={arg("installments")}
            change={(value) => choose("installments")(/^\d{1,3}$/.test(value) && Number(value) > 0 ? value : "")}
          />
          {text("status", fields.status)}
          {text("salesChannel", fields.salesChannel)}
          {choice("counted", words.counted, [
            ["false", words.uncounted],
            ["any", words.all],
          ])}
        </div>
      </details>
      {used > 0 && (
        <button type="button" class="quiet" onClick={() => set({ ...NOTHING_CHOSEN, page: "" })}>
          {words.clear(figure(used, "count"))}
        </button>
      )}
    </Bar>
  );
}

const MORE = ["country", "coupon", "installments", "status", "salesChannel", "counted"] as const;
