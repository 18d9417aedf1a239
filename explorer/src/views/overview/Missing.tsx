import type { Statement } from "../../answers.ts";
import { Copied } from "../../components/Copied.tsx";
import { figure, hero } from "../../format.ts";
import { t } from "../../text.ts";

type Item = Statement["missing"][number]["item"];

/** The amount that a rule for an item usually has, to be filled in. */
const AMOUNT: Readonly<Record<Exclude<Item, "goods">, string>> = {
  salesTax: "percentOfRevenue",
  payment: "percentOfRevenue",
  shipping: "perOrder",
  fulfilment: "perOrder",
  commission: "percentOfRevenue",
  other: "perOrder",
  fixed: "perMonth",
};

/** The costs, but for goods, of which something is not known, with the money that it is about and the rule that says it. */
export function Missing({ missing }: Pick<Statement, "missing">) {
  const words = t().cockpit;
  const items = missing.flatMap(({ item, ...of }) => (item === "goods" ? [] : [{ item, ...of }]));
  if (items.length === 0) return null;
  return (
    <details class="product-margin" data-part="missing">
      <summary>{words.missing(items.map(({ item }) => t().metric[item] ?? item).join(", "))}</summary>
      <p class="muted">{words.missingRules}</p>
      <ul>
        {items.map(({ item, orders, revenue }) => (
          <li key={item} data-item={item}>
            {t().metric[item]}
            {orders !== null && `: ${words.ofOrders(figure(orders, "count"), hero(revenue ?? 0, "currency"))}`}
            <Copied text={`{"item": "${item}", "${AMOUNT[item]}": …}`} />
          </li>
        ))}
      </ul>
    </details>
  );
}
