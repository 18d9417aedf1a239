import type { FindingKind, QUALITY_SQL } from "../../core/contract/quality.ts";
import type { Session } from "../../core/engine/database.ts";
import { readSql } from "../../core/engine/sql.ts";
import { type Finding, type Level, withoutEmails } from "./report.ts";

/** A check of the derived files: a SQL file whose rows are the findings. */
interface Check {
  readonly kind: FindingKind;
  readonly sql: (typeof QUALITY_SQL)[number];
  readonly title: string;
  readonly level: Level;
  /** Columns that are summed over all rows. */
  readonly sums: readonly string[];
  /** Whether its rows are of several currencies, whose revenue is no sum. */
  readonly isByCurrency?: true;
}

/** In the order of the report. */
const CHECKS: readonly Check[] = [
  {
    kind: "uncountedOrders",
    sql: "doctor/uncounted_orders",
    title: "orders that do not count",
    level: "notice",
    sums: ["orders", "revenue"],
    isByCurrency: true,
  },
  {
    kind: "unknownStatuses",
    sql: "doctor/unknown_statuses",
    title:
      "order statuses that no rule knows: only the dates decide about an order of VTEX, one of Shopify does not count",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "unknownPayments",
    sql: "doctor/unknown_payments",
    title:
      "names of payments that nothing knows: their orders are of `other`; `payments` of the settings gives them a group",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "anonymousOrders",
    sql: "doctor/anonymous_orders",
    title: "orders without a customer, in no customer figure",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "aliasedEmails",
    sql: "doctor/aliased_orders",
    title: "orders whose e-mail is an alias",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "ordersWithoutLines",
    sql: "doctor/orders_without_lines",
    title: "orders without lines, in no figure by product",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "campaignsTwice",
    sql: "doctor/campaigns_twice",
    title: "campaigns that landed with their id and by name: the spend of these days counts twice",
    level: "wrong",
    sums: ["spend"],
  },
  {
    kind: "unclassifiedCampaigns",
    sql: "doctor/unclassified_campaigns",
    title: "campaigns that match no rule",
    level: "notice",
    sums: ["revenue", "spend"],
  },
  {
    kind: "unmatchedCampaigns",
    sql: "doctor/unmatched_campaigns",
    title: "utm_campaigns that match no landed campaign",
    level: "notice",
    sums: ["revenue"],
  },
  {
    kind: "hiddenSpend",
    sql: "doctor/hidden_spend",
    title: "ad accounts that hide what their stores spend: integrations[].stores is to name one store",
    level: "notice",
    sums: ["spend"],
  },
  {
    kind: "foreignCurrencies",
    sql: "doctor/currencies",
    title: "orders in a foreign currency, summed as if they were not",
    level: "notice",
    sums: ["orders"],
    isByCurrency: true,
  },
  {
    kind: "itemsWithoutCost",
    sql: "doctor/items_without_cost",
    title: "products sold without a cost",
    level: "notice",
    sums: ["revenue"],
  },
  {
    kind: "refundsAboveRevenue",
    sql: "doctor/refunds_above_revenue",
    title: "orders of which more was given back than they brought: what is above their revenue is left out",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "refundsWithoutAmount",
    sql: "doctor/refunds_without_amount",
    title: "orders with refunds whose amounts are in no export: the refunds are unknown",
    level: "notice",
    sums: ["orders", "revenue"],
  },
  {
    kind: "unknownCosts",
    sql: "doctor/unknown_costs",
    title: "costs of orders that no rule and no record names: the statement of profit deducts nothing for them",
    level: "notice",
    sums: [],
  },
  {
    kind: "unusedCostRules",
    sql: "doctor/unused_cost_rules",
    title: "cost rules that never held for an order",
    level: "notice",
    sums: [],
  },
  {
    kind: "costsWithoutEffect",
    sql: "doctor/costs_without_effect",
    title: "rows of tables of costs that change no answer",
    level: "notice",
    sums: [],
  },
  {
    kind: "oldProductCosts",
    sql: "doctor/old_product_costs",
    title: "product costs that are a quarter older than the newest order",
    level: "notice",
    sums: [],
  },
  {
    kind: "categoryLoops",
    sql: "doctor/category_loops",
    title: "categories that are each other's parents",
    level: "notice",
    sums: [],
  },
];

/** How many rows of each finding are shown, so that the report fits on a page. */
const TOP = 5;

/** Runs the checks on the derived files in the folder that the session's `marts` names. */
export async function runChecks(session: Session): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { kind, sql, title, level, sums, isByCurrency } of CHECKS) {
    const query = readSql(sql);
    const rows = await session.rows(`from (${query}) limit ${TOP}`);
    if (rows.length === 0) continue;
    const columns = sums.map((column) => `sum(${column})::double as ${column}`);
    const [totals = {}] = await session.rows(
      `select ${["count(*)::int as count", ...columns].join(", ")} from (${query})`,
    );
    const { count, ...total } = totals as Record<string, number>;
    const amounts = isByCurrency
      ? await session.rows(
          `select currency, sum(revenue)::double as revenue from (${query}) group by currency order by revenue desc, currency`,
        )
      : undefined;
    const shown = rows.map(withoutEmails);
    found.push({ kind, level, title, count: Number(count), total, ...(amounts && { amounts }), rows: shown, sql });
  }
  return found;
}
