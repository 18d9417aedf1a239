import { isOfLines, keySql } from "../../core/contract/attributes.ts";
import type { Value as Bound } from "../../core/engine/database.ts";
import type { OrderSet, SaleSet, Span, SpendSet, Value } from "./sets.ts";

/** Collects the bound values of a statement. */
export class Binding {
  readonly values: Bound[] = [];

  /** The placeholder of a value. */
  of(value: string, type = "varchar"): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  between(days: string, { from, to }: Span): string[] {
    return [
      ...(from === null ? [] : [`${days} >= ${this.of(from, "date")}`]),
      ...(to === null ? [] : [`${days} <= ${this.of(to, "date")}`]),
    ];
  }

  is(column: string, value: string | null): string {
    return value === null ? `${column} is null` : `${column} = ${this.of(value)}`;
  }
}

const allOf = (conditions: readonly string[]): string => (conditions.length === 0 ? "true" : conditions.join(" and "));

export const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "false" : conditions.map((one) => `(${one})`).join(" or ");

/** Whether a row of `orders` is in the set. */
export function isOrderIn(binding: Binding, set: OrderSet): string {
  const {
    ordered,
    isStep,
    acquired,
    before,
    after,
    purchase,
    own = [],
    requested = [],
    first = [],
    isFirst,
    acquiredIn = [],
    orNewElsewhere,
    cost,
    isLater,
    months,
    order,
  } = set;
  return allOf([
    ...(ordered ? binding.between(isStep ? "greatest(ordered_on, first_on)" : "ordered_on", ordered) : []),
    ...(acquired ? ["customer_no is not null", ...binding.between("first_on", acquired)] : []),
    ...(before ? [before.from === null ? "false" : `first_on < ${binding.of(before.from, "date")}`] : []),
    ...(after ? [isOther(binding, after, orNewElsewhere)] : []),
    ...(purchase ? [purchase === "first" ? "not is_recurring" : "is_recurring"] : []),
    ...[...own, ...requested].map((value) => `(${hasValue(binding, value, "")})`),
    ...first.filter(({ attribute }) => !isOfLines(attribute)).map((value) => `(${hasValue(binding, value, "first_")})`),
    ...hasFirstLine(
      binding,
      first.filter(({ attribute }) => isOfLines(attribute)),
    ),
    ...(isFirst ? ["is_first"] : []),
    ...acquiredIn.map((value) => `(${hasValue(binding, value, "first_")})`),
    ...(cost ? [cost === "real" ? "has_real_cost" : "not has_real_cost"] : []),
    ...(isLater ? ["ordered_month > first_month"] : []),
    ...(months === undefined
      ? []
      : [`date_diff('month', first_month, ordered_month) <= ${binding.of(String(months), "integer")}`]),
    ...(order ? [binding.is("order_id", order.orderId), binding.is("integration_id", order.integrationId)] : []),
  ]);
}

/** Whether an order is of an unknown customer, or of one who came new after these days, or in them elsewhere. */
function isOther(binding: Binding, { to }: Span, elsewhere: OrderSet["orNewElsewhere"]): string {
  const isLater = to === null ? "true" : `coalesce(first_on > ${binding.of(to, "date")}, true)`;
  if (!elsewhere) return isLater;
  const isThere = allOf(elsewhere.of.map((value) => hasValue(binding, value, "first_")));
  return anyOf([isLater, allOf([...binding.between("first_on", elsewhere.days), `not coalesce(${isThere}, false)`])]);
}

function hasValue(binding: Binding, value: Value, prefix: "" | "first_"): string {
  switch (value.attribute) {
    case "campaign":
      return isCampaign(binding, prefix, value);
    case "new_or_recurring":
      return isOfCustomer(binding, value);
    case "produto":
    case "categoria":
    case "marca":
      return hasProduct(binding, value);
    case "strategy":
    case "campaign_connector":
      return binding.is(`${prefix}${value.attribute}`, value.is);
    case "channel":
    case "coupon":
      return binding.is(keySql(value.attribute, prefix), value.is);
    default:
      return prefix === ""
        ? binding.is(keySql(value.attribute, ""), value.is)
        : `customer_no in (select customer_no from orders where is_first and ${binding.is(keySql(value.attribute, ""), value.is)})`;
  }
}

/** The customer of an order of these days: new in them, recurring, unknown, or of a later first order. */
function isOfCustomer(binding: Binding, { is, days = { from: null, to: null } }: Value): string {
  switch (is) {
    case "new":
      return allOf(["customer_no is not null", ...binding.between("first_on", days)]);
    case "recurring":
      return days.from === null ? "false" : `first_on < ${binding.of(days.from, "date")}`;
    case "anonymous":
      return "customer_no is null";
    default:
      return days.to === null ? "false" : `first_on > ${binding.of(days.to, "date")}`;
  }
}

/** Campaigns with this id, of one connector if it is known. A campaign that never landed has its key as id. */
function isCampaign(binding: Binding, prefix: string, { is, source }: Value): string {
  const [connector, key] = [`${prefix}campaign_connector`, `${prefix}campaign_key`];
  if (is === null) return `${key} is null`;
  return anyOf([
    ...(source === null ? [] : [`(${connector}, ${key}) in (${campaignsWith(binding, is, source)})`]),
    ...(source ? [] : [`${connector} is null and ${key} = ${binding.of(is)}`]),
  ]);
}

const campaignsWith = (binding: Binding, id: string, connector: string | undefined): string =>
  `select connector, campaign_key from campaigns where ${allOf([
    binding.is("campaign_id", id),
    ...(connector === undefined ? [] : [binding.is("connector", connector)]),
  ])}`;

/** Customers whose first purchase has a line with all of these values: a product, its category, its brand. */
function hasFirstLine(binding: Binding, values: readonly Value[]): string[] {
  if (values.length === 0) return [];
  const having = `customer_no in (
    select bought.customer_no
    from first_purchases as bought
    left join products using (integration_id, product_id)
    where ${allOf(values.map((value) => isProduct(binding, "bought", value)))}
  )`;
  // A purchase without products has the brand null.
  const isUnbranded = values.every(({ attribute, is }) => attribute === "marca" && is === null);
  return [isUnbranded ? `(${having} or customer_no not in (select customer_no from first_purchases))` : having];
}

/** Orders with a line of a product, or of a category; null: all, since each has revenue that is no line's. */
const hasProduct = (binding: Binding, value: Value): string =>
  value.is === null
    ? "true"
    : `(integration_id, order_id) in (
    select lines.integration_id, lines.order_id
    from order_lines as lines
    left join products using (integration_id, product_id)
    where lines.product_id is not null and ${isProduct(binding, "lines", value)}
  )`;

/** Whether a row of `relation`, joined with its product, has the product, category or brand. */
function isProduct(binding: Binding, relation: string, { attribute, is, source }: Value): string {
  if (attribute === "marca") return binding.is(`${relation}.brand_key`, is);
  return allOf([
    attribute === "produto"
      ? binding.is(`${relation}.product_id`, is)
      : binding.is("coalesce(products.category_id, 'uncategorized')", is),
    ...(source ? [binding.is(`${relation}.integration_id`, source)] : []),
  ]);
}

/** Whether a row of `media_spend` is in the set. */
export const isSpendIn = (binding: Binding, { spent, of, requested = [] }: SpendSet): string =>
  allOf([
    ...binding.between("spent_on", spent),
    ...[...(of ?? []), ...requested].map((value) => isSpentOn(binding, value)),
  ]);

function isSpentOn(binding: Binding, { attribute, is, source }: Value): string {
  if (attribute === "strategy") return binding.is("strategy", is);
  // The channel of spend has the name of its connector [D15].
  if (attribute === "channel" || attribute === "campaign_connector") return binding.is("connector", is);
  // Without rows while an account hides the store's spend [D86].
  if (attribute === "store" && is !== null)
    return `integration_id in (
      select unnest(list(integration_id)) from accounts_of_store(${binding.of(is)}) having bool_and(is_alone)
    )`;
  if (attribute !== "campaign" || is === null || source === null) return "false";
  return `(connector, campaign_key) in (${campaignsWith(binding, is, source)})`;
}

/** The keys of the sales in the set. Except for `invoiced` they are those of the requested store. */
export function salesIn(binding: Binding, set: SaleSet): string {
  const { of, span, coupon, channel, integration, filters } = set;
  switch (of) {
    case "invoiced":
      return saleKeys("sales", [
        ...binding.between("sold_on", span),
        ...(integration === null ? [] : [binding.is("integration_id", integration)]),
        ...filters.map((value) => hasValue(binding, value, "")),
      ]);
    case "sold":
      return saleKeys("product_sales", [
        isOfProducts(binding, set),
        ...binding.between("sold_on", span),
        ...(coupon === null ? [] : [binding.is("coupon", coupon)]),
      ]);
    case "recent":
      return saleKeys("product_sales", [isOfProducts(binding, set), "is_recent(sold_on, as_of_day())"]);
    case "year":
      return saleKeys("product_sales", [isOfProducts(binding, set), "sold_on between year_start() and year_end()"]);
    case "entered": {
      const entered = [
        isOfProducts(binding, set),
        ...binding.between("entered_on", span),
        ...(channel === null ? [] : [binding.is("channel", channel)]),
      ];
      const customers = `select customer_no from product_entries where ${allOf(entered)}`;
      return saleKeys("sales", [OF_STORE, `customer_no in (${customers})`]);
    }
  }
}

const saleKeys = (relation: string, conditions: readonly string[]): string =>
  `select integration_id, order_id from ${relation} where ${allOf(conditions)}`;

const OF_STORE = "integration_id = requested_store_id()";

const isOfProducts = (binding: Binding, set: SaleSet): string =>
  `${OF_STORE} and product_id in (${productsOf(binding, set)})`;

/** The product of the set, those of its category, or all that the request selects. */
function productsOf(binding: Binding, { product, category }: SaleSet): string {
  if (product !== null) return `select ${binding.of(product)}`;
  if (category === null) return "select product_id from selected_products()";
  return `select selected.product_id
    from selected_products() as selected
    join product_categories as nodes
      on nodes.integration_id = requested_store_id() and nodes.category_id = selected.category_id
    where nodes.rollup_id = ${binding.of(category)}`;
}
