import { type Answer, dataOf, useAnswer } from "../../answer.ts";
import type { PaybackRow, Paybacks, Series as Rows, Source } from "../../answers.ts";
import { download, type Query } from "../../api.ts";
import { fileParams } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Figure } from "../../components/Figure.tsx";
import { Drawer } from "../../components/Modal.tsx";
import { NotAvailable } from "../../components/NotAvailable.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { monthsBefore } from "../../days.ts";
import { explainer } from "../../explain.ts";
import { figure, month, shortDay } from "../../format.ts";
import { lacksMargin } from "../../margin.ts";
import { hashOf, oneOf, set } from "../../route.ts";
import { t } from "../../text.ts";
import { hasSpend } from "../customers/curves.ts";
import { labelOf } from "../labels.ts";
import type { Asked } from "./asked.ts";
import { figureOf, MEASURES } from "./columns.tsx";
import { channelName, sourceReason } from "./names.ts";
import { ResultOf } from "./Results.tsx";
import { SourceProducts } from "./SourceProducts.tsx";
import { changeOf, isUnmatched, rowNameOf } from "./sources.ts";

interface Props {
  readonly asked: Asked;
  readonly kind: "channels" | "campaigns";
  readonly answer: Answer<Rows<Source>>;
  readonly before: readonly Source[] | undefined;
  readonly isIt: (source: Source) => boolean;
  readonly close: () => void;
}

const MONTHS = 12;
const ORDERS = 10;

/** A channel or a campaign: its figures, the customers it brought month by month, and its orders. */
export function SourceDrawer({ asked, kind, answer, before, isIt, close }: Props) {
  const words = t().acquisition;
  const all = dataOf(answer)?.data;
  const source = all?.find(isIt);
  const name = source && (source.campaignName ?? channelName(source.channel ?? ""));
  const title = kind === "channels" ? words.channel : words.campaign;
  return (
    <Drawer title={name ?? title} close={close}>
      {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
      {answer.state === "ready" && !source && <EmptySmall>{words.notThere}</EmptySmall>}
      {source && all && (
        <div class="source">
          <ResultOf asked={asked} kind={kind} of={source} />
          <Figures asked={asked} kind={kind} source={source} all={all} before={before?.find(isIt)} />
          <SourceProducts asked={asked} source={source} />
          <Cohorts asked={asked} source={source} />
          <Orders asked={asked} source={source} all={all} />
        </div>
      )}
    </Drawer>
  );
}

interface FiguresProps {
  readonly asked: Asked;
  readonly kind: Props["kind"];
  readonly source: Source;
  readonly all: readonly Source[];
  readonly before: Source | undefined;
}

function Figures({ asked, kind, source, all, before }: FiguresProps) {
  const query = asked.now(kind);
  const { compared } = asked;
  const row = rowNameOf(source, all);
  return (
    <section aria-label={t().acquisition.figures}>
      <div class="figures">
        {MEASURES.map(({ name, unit, better, hasChange, isToDate }) => {
          const value = figureOf(source, name);
          return (
            <Figure
              key={name}
              name={name}
              label={labelOf(name, query.path)}
              unit={unit}
              value={value}
              reason={sourceReason(name, source)}
              better={better}
              {...(isToDate && value !== null ? { note: t().notComparable } : {})}
              {...(before || (compared && !compared.isComplete)
                ? { before: before ? figureOf(before, name) : null }
                : {})}
              change={hasChange ? rounded(changeOf(value, before && figureOf(before, name))) : null}
              incomplete={compared && !compared.isComplete ? compared : undefined}
              explain={row === undefined ? undefined : explainer(query, name, row)}
            />
          );
        })}
      </div>
    </section>
  );
}

const rounded = (change: number | null): number | null => (change === null ? null : Math.round(change * 10) / 10);

/** The customers by the month of their first purchase, with what they cost and whether they have paid it back. */
function Cohorts({ asked, source }: { asked: Asked; source: Source }) {
  const words = t().acquisition;
  const breakBy = source.channel ? "origem" : "campanha";
  const startDate = monthsBefore(asked.to, MONTHS - 1);
  const answer = useAnswer<Paybacks>({
    path: "/v1/profitability/payback",
    params: { startDate, endDate: asked.to, breakBy },
  });
  const key = source.channel ?? source.campaignId;
  const data = dataOf(answer);
  const rows = data?.data.filter(
    ({ breakKey, breakLabel }) =>
      breakKey === key && (source.channel !== undefined || breakLabel === source.campaignName),
  );
  const columns: Column<PaybackRow>[] = [
    { key: "month", label: words.month, value: (row) => row.cohortMonth, show: (row) => month(row.cohortMonth) },
    { key: "customers", label: t().metric.newCustomers ?? "", unit: "count", value: (row) => row.customers },
    {
      key: "cac",
      label: t().metric.cac ?? "",
      unit: "currency",
      value: (row) => (hasSpend(row) ? row.cac : null),
      reason: ({ state }) => (state === null ? t().reason.hidden_spend : words.noMedia),
    },
    {
      key: "payback",
      label: words.payback,
      value: (row) => (row.state === "paid_back" ? row.paybackMonths : null),
      show: ({ state, paybackMonths }) =>
        lacksMargin(data) && state !== "no_spend" ? (
          <NotAvailable reason={t().reason.no_margin} />
        ) : state === null ? (
          <NotAvailable reason={t().reason.hidden_spend} />
        ) : state === "paid_back" ? (
          words.paid(paybackMonths ?? 0, figure(paybackMonths ?? 0, "months"))
        ) : state === "not_yet" ? (
          words.notYet
        ) : (
          words.noSpend
        ),
      tone: ({ state }) =>
        lacksMargin(data) ? undefined : state === "paid_back" ? "good" : state === "not_yet" ? "bad" : undefined,
    },
  ];
  if (isUnmatched(source)) return null;
  const more = hashOf("customers", {
    period: "12m",
    from: "",
    to: "",
    break: breakBy,
    value: `=${key} ${source.campaignName ?? rows?.[0]?.breakLabel ?? ""}`,
  });
  return (
    <section data-part="cohorts">
      <h3>{words.cohorts}</h3>
      <p class="muted">{words.cohortsNote}</p>
      {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
      {rows && rows.length === 0 && <EmptySmall>{words.noCohorts}</EmptySmall>}
      {rows && rows.length > 0 && (
        <>
          <Table caption={words.cohorts} rows={rows} keyOf={(row) => row.cohortMonth} columns={columns} />
          <p>
            <a href={more}>{words.moreCohorts}</a>
          </p>
        </>
      )}
    </section>
  );
}

/**
 * An order can name a campaign and have come through another channel, so the id alone selects a campaign's orders. Only
 * an id that two ad networks use needs the channel of its network.
 */
const channelOf = (source: Source, all: readonly Source[]): string | undefined =>
  all.some((other) => other !== source && other.campaignId === source.campaignId)
    ? (source.connector ?? undefined)
    : undefined;

type Order = Readonly<Record<string, string | number | null>>;

interface OrderRows {
  readonly data: readonly Order[];
  readonly meta?: { readonly total?: number };
}

interface OrdersProps {
  readonly asked: Asked;
  readonly source: Source;
  readonly all: readonly Source[];
}

/** The orders of a channel or campaign in the period. */
function Orders({ asked, source, all }: OrdersProps) {
  const words = t().acquisition;
  const which = oneOf("orders", ["first", "all"]);
  const query: Query = {
    path: "/v1/profitability/orders",
    params: {
      startDate: asked.from,
      endDate: asked.to,
      channel: source.channel ?? channelOf(source, all),
      campaignId: source.campaignId ?? undefined,
      ...(which === "first" ? { purchase: "first" } : {}),
    },
  };
  const answer = useAnswer<OrderRows>(
    isUnmatched(source) ? undefined : { ...query, params: { ...query.params, limit: ORDERS } },
  );
  const fields = t().orderField;
  const columns: Column<Order>[] = [
    { key: "orderId", label: fields.orderId ?? "", sortable: false, value: (row) => row.orderId },
    {
      key: "orderedOn",
      label: fields.orderedOn ?? "",
      sortable: false,
      value: (row) => row.orderedOn,
      show: (row) => shortDay(String(row.orderedOn)),
    },
    { key: "revenue", label: fields.revenue ?? "", unit: "currency", sortable: false, value: (row) => row.revenue },
    {
      key: "customer",
      label: fields.customer ?? "",
      sortable: false,
      value: (row) => row.customer,
      show: (row) => t().customerKind[String(row.customer)] ?? "",
    },
  ];
  return (
    <section data-part="orders">
      <header class="source-head">
        <h3>{words.orders}</h3>
        {!isUnmatched(source) && (
          <Segmented
            label={words.orders}
            options={[
              ["first", words.firstOnly],
              ["all", words.allOrders],
            ]}
            value={which}
            change={(orders) => set({ orders: orders === "first" ? "" : orders })}
          />
        )}
      </header>
      {isUnmatched(source) && <EmptySmall>{words.ordersUnknown}</EmptySmall>}
      {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
      {answer.state === "ready" && answer.data.data.length === 0 && <EmptySmall>{words.noOrders}</EmptySmall>}
      {answer.state === "ready" && answer.data.data.length > 0 && (
        <>
          <Table
            caption={words.orders}
            rows={answer.data.data}
            keyOf={(row) => `${row.integrationId} ${row.orderId}`}
            columns={columns}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => void download(query, "csv", { all: true, ...fileParams(query.path) })}
          >
            {words.saveOrders}
          </button>
        </>
      )}
    </section>
  );
}
