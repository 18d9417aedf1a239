import type { LineAttributeName, OrderAttributeName } from "../../core/contract/attributes.ts";
import type { Basis, OrdersOf, SalesOf } from "../../core/contract/basis.ts";

/** First and last day; null where there is no bound. */
export interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

/** A value of an attribute of orders. */
export interface Value {
  readonly attribute: "strategy" | "campaign_connector" | LineAttributeName | OrderAttributeName;
  readonly is: string | null;
  /** No address lists its orders [D89]. */
  readonly isUnlisted?: boolean;
  /** The days in which customers are new or recurring. */
  readonly days?: Span | undefined;
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
  readonly own?: readonly Value[] | undefined;
  /** The order's store, channel and campaign, as the request names them. */
  readonly requested?: readonly Value[] | undefined;
  readonly first?: readonly Value[] | undefined;
  readonly isFirst?: true | undefined;
  /** The store and the channel of the customer's first order, as the request names them [D86]. */
  readonly acquiredIn?: readonly Value[] | undefined;
  /** Orders of customers who came new in these days outside of that store and channel are in the set, too. */
  readonly orNewElsewhere?: { readonly days: Span; readonly of: readonly Value[] } | undefined;
  readonly purchase?: OrdersOf["purchase"] | undefined;
  readonly cost?: OrdersOf["cost"] | undefined;
  readonly isLater?: true | undefined;
}

/** A set of rows of `media_spend`. */
export interface SpendSet {
  readonly spent: Span;
  readonly of?: readonly Value[] | undefined;
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
  /** The store and the channel that the request filters by. */
  readonly filters: readonly Value[];
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
