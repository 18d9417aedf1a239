import type { Basis, OrdersOf, SalesOf } from "../../core/contract/basis.ts";

/** First and last day; null where there is no bound. */
export interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

/** A value of an attribute of orders. */
export interface Value {
  readonly attribute:
    | "strategy"
    | "channel"
    | "campaign"
    | "campaign_connector"
    | "integration"
    | "cupom"
    | "produto"
    | "categoria";
  readonly is: string | null;
  /** The connector or the integration of a campaign, product or category; undefined if it is not known. */
  readonly source?: string | null | undefined;
}

/** An order, by its key. */
export interface OrderKey {
  readonly integrationId: string;
  readonly orderId: string;
}

/** A set of counted orders; each member restricts it. */
export interface OrderSet {
  readonly ordered?: Span | undefined;
  /** Whether an order that is earlier by day than the customer's first one has the day of that. */
  readonly isStep?: true | undefined;
  readonly acquired?: Span | undefined;
  /** Only orders of customers acquired before these days. */
  readonly before?: Span | undefined;
  /** Only orders of unknown customers, or of those acquired after these days. */
  readonly after?: Span | undefined;
  /** Only orders in the months from the customer's first order up to this one. */
  readonly months?: number | undefined;
  readonly order?: OrderKey | undefined;
  readonly own?: Value | undefined;
  /** The order's channel and campaign, as the request names them. */
  readonly requested?: readonly Value[] | undefined;
  readonly first?: Value | undefined;
  readonly purchase?: OrdersOf["purchase"] | undefined;
  readonly cost?: OrdersOf["cost"] | undefined;
  readonly isLater?: true | undefined;
}

/** A set of rows of `media_spend`. */
export interface SpendSet {
  readonly spent: Span;
  readonly of?: Value | undefined;
  readonly requested?: readonly Value[] | undefined;
}

/** A set of sales of a store. */
export interface SaleSet {
  readonly of: SalesOf;
  readonly span: Span;
  readonly product: string | null;
  readonly category: string | null;
  readonly coupon: string | null;
  readonly channel: string | null;
  readonly integration: string | null;
}

/** Everything that a figure is computed from. */
export interface Sets {
  readonly orders: readonly OrderSet[];
  readonly spend: readonly SpendSet[];
  readonly sales: readonly SaleSet[];
  readonly also: readonly NonNullable<Basis["also"]>[];
  /** Whether it compares two periods. */
  readonly isCompared: boolean;
}
