import { type Basis, basedOn, type OrdersOf } from "../contract/basis.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import { array, choice, count, currency, flag, orNull, ratio, text, units } from "../contract/field.ts";
import { connectorsOf } from "../contract/record.ts";
import { common, dated, ordersOf, SPENT_BY_ROW, spendOf } from "./common.ts";
import { REASONS } from "./orders.ts";

const INVOICED = "whose day as a sale is in the period";

const OF_ROW: OrdersOf = { ordered: "span", own: "row" };

/** The rows behind the figures of a store, and of an ad platform. */
const OF_STORE: Readonly<Record<string, Basis>> = {
  "landedOrders landedValue orders revenue notInvoiced invoicedOutside": ordersOf(OF_ROW),
  "invoicedInside shipping tax giftCards withoutProduct grossSales returns netSales": { sales: ["invoiced"] },
  otherCharges: { orders: [OF_ROW], sales: ["invoiced"] },
};
const OF_ACCOUNT: Readonly<Record<string, Basis>> = {
  "investment platformConversions platformValue": spendOf(SPENT_BY_ROW),
  "orders revenue": ordersOf(OF_ROW),
};

/** Landed against counted orders, and revenue against the sales of products [D54]. */
export const reconciliation: SqlEndpoint = {
  ...common,
  path: "/v1/profitability/reconciliation",
  summary:
    "What landed compared with what is counted, per store; the way from revenue to the sales of products; what ad platforms claim compared with the orders; and whether all figures agree.",
  envelope: dated,
  tables: {
    stores: { key: ["integrationId"], of: { attribute: "integration", field: "integrationId" } },
    accounts: { key: ["connector"], of: { attribute: "channel", field: "connector" } },
  },
  parts: {
    [ROOT]: {
      sql: "profitability/reconciliation",
      rows: "one",
      fields: {
        stores: array(
          basedOn(OF_STORE, {
            integrationId: text("Store."),
            integrationName: orNull(text("Its name."), "the settings give it no name"),
            connector: choice(connectorsOf("store"), "Its platform."),
            landedOrders: count("Orders that landed, counted or not.", "orders + Σ uncounted orders"),
            landedValue: currency("Their value.", "revenue + Σ uncounted value"),
            uncounted: array(
              {
                reason: choice(REASONS, "Why they do not count: the first of these that holds."),
                orders: count("Orders.", "number of orders with this reason"),
                value: currency("Their value.", "Σ value of the orders"),
              },
              "Orders that do not count, by the reasons that occur.",
            ),
            orders: count("Orders that count, by the day on which they were placed.", "number of orders"),
            revenue: currency("Their revenue.", "Σ value of the orders"),
            notInvoiced: currency(
              "Revenue that never became a sale.",
              "Σ value of counted orders that were never invoiced",
            ),
            invoicedOutside: currency(
              "Revenue of orders of the period that became sales on a day outside of it.",
              "Σ value of these orders",
            ),
            invoicedInside: currency(
              "Revenue of orders from outside the period that became sales on a day in it.",
              "Σ value of these orders",
            ),
            shipping: currency("Shipping in the sales of the period.", `Σ shipping of orders ${INVOICED}`),
            tax: currency(
              "Tax in the sales of the period, as the orders state it, also where prices include it.",
              `Σ tax of orders ${INVOICED}`,
            ),
            giftCards: currency(
              "Gift cards in the sales of the period.",
              `Σ value of gift-card lines of orders ${INVOICED}`,
            ),
            withoutProduct: currency(
              "Lines without a product in the sales of the period.",
              `Σ sale value of the units sold in these lines of orders ${INVOICED}`,
            ),
            withoutSaleValue: currency("Lines without a sale value: they have no amount.", "0"),
            otherCharges: currency(
              "What is left: discounts of whole orders, fees, rounding; less tax that prices include. May be negative.",
              "revenue − notInvoiced − invoicedOutside + invoicedInside − shipping − tax − giftCards − withoutProduct − grossSales",
            ),
            grossSales: currency("Sales of products.", "Σ grossSales over /v1/products of the store and the period"),
            returns: currency("What has been returned of them to date.", "grossSales − netSales"),
            netSales: currency(
              "Sales of products less returns.",
              "Σ netSales over /v1/products of the store and the period",
            ),
          }),
          "The stores, in the order of the settings. Revenue is dated by the day on which orders were placed, sales by that of the invoice.",
        ),
        accounts: array(
          basedOn(OF_ACCOUNT, {
            connector: choice(connectorsOf("ads"), "Ad platform."),
            investment: currency("Spend.", "Σ spend of its campaigns"),
            platformConversions: orNull(
              units("Conversions that the platform claims.", "Σ conversions of its campaigns"),
              "it is `socialads`, which reports none, or an export has no column of them",
            ),
            platformValue: orNull(
              currency(
                "Value of the purchases that the platform claims.",
                "Σ conversions_value of search ads; Σ website_purchase_roas × spend of social ads",
              ),
              "an export with campaigns of the period has no column of it",
            ),
            orders: count("Orders of the channel of the same name.", "number of its orders in the period"),
            revenue: currency("Their revenue.", "Σ value of these orders"),
            claimedToConfirmed: orNull(
              ratio("What the platform claims per revenue of its channel.", "platformValue / revenue"),
              "platformValue or revenue is 0 or unknown",
            ),
          }),
          "The ad platforms that are connected, by name. Amounts of records over several days are spread over them.",
        ),
      },
    },
    checks: {
      rows: "many",
      from: "integrity",
      description: "What must hold of all figures of the organization, whatever the period, by name.",
      fields: {
        name: text("Query: a file of `sql/integrity`, which says what must hold."),
        holds: orNull(flag("Whether it holds."), "the query did not fit into the memory"),
        rows: orNull(count("Rows that violate it.", "0 if it holds"), "the query did not fit into the memory"),
      },
    },
  },
};
