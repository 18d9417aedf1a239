import type { Statement } from "../../answers.ts";
import { ToSettings } from "../../components/ToSettings.tsx";
import { figure, hero } from "../../format.ts";
import { t } from "../../text.ts";

/** The costs, but for goods, of which something is not known, with the money that it is about and the way to fill it in. */
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
            {orders !== null && `: ${words.ofOrders(figure(orders, "count"), hero(revenue ?? 0, "currency"))}`}{" "}
            <ToSettings place="costs" field={item} />
          </li>
        ))}
      </ul>
    </details>
  );
}
