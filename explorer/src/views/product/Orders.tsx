import { BarList, type BarRow } from "../../charts/BarList.tsx";
import { Table } from "../../components/Table.tsx";
import { figure } from "../../format.ts";
import { hashOf, route } from "../../route.ts";
import { t } from "../../text.ts";
import { BlockCard, type Part } from "./Block.tsx";
import { casesOf, neighboursOf } from "./neighbours.ts";

/** Bars of a list; a table has all of them. */
const MOST_BARS = 10;

const STEPS = ["views", "addToCarts", "checkouts", "purchases"] as const;
const RATES = [undefined, "viewToCartRate", "cartToCheckoutRate", "checkoutToPurchaseRate"] as const;

export function Funnel({ name, detail, query, span }: Part) {
  const words = t().product;
  return (
    <BlockCard {...{ name, detail, query, span }} question={words.funnelQuestion}>
      {({ funnel }) => (
        <BarList
          label={words.funnel}
          unit="count"
          rows={STEPS.map((step, n): BarRow => {
            const rate = RATES[n] && funnel[RATES[n]];
            return {
              key: step,
              label: words.funnelSteps[step],
              value: funnel[step] ?? null,
              reason: t().reason[funnel.reason ?? ""] ?? "",
              note: typeof rate === "number" ? words.ofPrevious(figure(rate, "ratio")) : undefined,
            };
          })}
        />
      )}
    </BlockCard>
  );
}

export const ordersText = (count: number): string =>
  count === 1 ? t().product.ordersOne : t().product.orders(figure(count, "count"));
export const customersText = (count: number): string =>
  count === 1 ? t().product.customersOne : t().product.customers(figure(count, "count"));

/** Products bought in the same order, or by the same customers later, each with a link to its own page. */
export function Neighbours({ name, detail, query, span }: Part) {
  const words = t().product;
  const isTogether = name === "boughtTogether";
  return (
    <BlockCard
      {...{ name, detail, query, span }}
      question={isTogether ? words.boughtTogetherQuestion : words.boughtAfterQuestion}
    >
      {(data) => {
        const rows = neighboursOf(data[name as "boughtTogether"].rows);
        const cases = isTogether ? ordersText : customersText;
        return (
          <BarList
            label={words[name]}
            unit="times"
            rows={rows.map((row) => ({
              key: row.productId,
              label: (
                <a href={hashOf("products", { ...route.value.args, product: row.productId })}>
                  {row.productName ?? row.productId}
                </a>
              ),
              value: row.lift,
              text: words.lift(row.lift, figure(Math.round(row.lift * 10) / 10, "number")),
              note: `${cases(casesOf(row))} · ${figure(row.share, "ratio")}`,
            }))}
          />
        );
      }}
    </BlockCard>
  );
}

export function Coupons({ name, detail, query, span }: Part) {
  const words = t().product;
  return (
    <BlockCard
      {...{ name, detail, query, span }}
      table={({ coupons: { rows } }) => (
        <Table
          caption={words.coupons}
          rows={rows ?? []}
          keyOf={({ couponCode }) => couponCode}
          columns={[
            { key: "couponCode", label: words.coupon, value: ({ couponCode }) => couponCode },
            { key: "orders", label: t().metric.orders ?? "", unit: "count", value: ({ orders }) => orders },
            { key: "share", label: words.share, unit: "ratio", value: ({ share }) => share },
            { key: "netSales", label: t().metric.netSales ?? "", unit: "currency", value: ({ netSales }) => netSales },
          ]}
        />
      )}
    >
      {({ coupons: { rows } }) => (
        <BarList
          label={words.coupons}
          unit="currency"
          rows={(rows ?? []).slice(0, MOST_BARS).map(({ couponCode, orders, share, netSales }) => ({
            key: couponCode,
            label: couponCode,
            value: netSales,
            reason: t().reason.no_value ?? "",
            note: `${ordersText(orders)} · ${figure(share, "ratio")}`,
          }))}
        />
      )}
    </BlockCard>
  );
}
