import { count, currency, day, number, ratio, text, units } from "../contract/field.ts";
import type { Filter, RecordDeclaration } from "../contract/record.ts";

const BOOKKEEPING = ["organization_id", "user_id", "document_id", "inserted_at"] as const;

const FILTERS: Readonly<Record<string, Filter>> = {
  userId: { match: "exact", field: "user_id" },
  createdStart: { from: "date" },
  createdEnd: { to: "date" },
};

/** A report or a batch of reports, and the headers that name the positional values. */
const ENVELOPE = {
  envelopes: ["rows[]", "reports[].rows[]"],
  context: ["dimensionHeaders", "metricHeaders", "metadata"],
  own: ["dimensionValues", "metricValues"],
} as const;

const customers: RecordDeclaration = {
  connector: "webanalytics",
  name: "customers",
  grain: "Visitors of a day from one campaign, source, place and device category.",
  fields: {
    campaign_id: text("Campaign of the session; `(not set)` and `(other)` are values."),
    campaign_name: text("Its name."),
    city: text("City."),
    country: text("Country."),
    region: text("Region."),
    searchads_campaign_id: text("Search ads campaign of the session."),
    source_medium: text("Source and medium of the session: `google / cpc`."),
    device_category: text("Device category."),
    date: day("Day, in the property's time zone."),
    active_users: count("Active people; does not add up over rows.", { combine: "none" }),
    engaged_sessions: count("Engaged sessions.", { combine: "sum" }),
    bounce_rate: ratio("Share of sessions that were not engaged, 0-1.", {
      combine: { recompute: "1 - engaged_sessions / nullif(sessions, 0)" },
    }),
    sessions_per_user: ratio("Sessions per person.", { combine: "none" }),
    total_users: count("People; does not add up over rows.", { combine: "none" }),
    sessions: count("Sessions.", { combine: "sum" }),
    purchaser_rate: ratio("Share of people who purchased, 0-1.", { combine: "none" }),
    purchase_revenue: currency("Revenue of purchases, less refunds.", { combine: "sum" }),
    total_purchases: count("Number of purchases, not of purchasers.", { combine: "sum" }),
    total_revenue: currency("Revenue of purchases, subscriptions and advertising.", { combine: "sum" }),
  },
  guide: {
    api: "`runReport` with the dimensions `date`, `sessionCampaignId`, `sessionCampaignName`, `sessionGoogleAdsCampaignId`, `sessionSourceMedium`, `country`, `region`, `city`, `deviceCategory` and the metrics `activeUsers`, `engagedSessions`, `bounceRate`, `sessionsPerUser`, `totalUsers`, `sessions`, `purchaserRate`, `purchaseRevenue`, `ecommercePurchases`, `totalRevenue`; one date range, no comparison.",
    labels: {
      date: ["Day", "Dia", "Data"],
      source_medium: ["Session source / medium", "Origem / mídia da sessão"],
      campaign_name: ["Session campaign", "Campanha da sessão"],
      country: ["País"],
      region: ["Região"],
      city: ["Cidade"],
      device_category: ["Categoria do dispositivo"],
      sessions: ["Sessões"],
      active_users: ["Usuários ativos"],
      total_revenue: ["Receita total"],
    },
  },
  currency: { context: ["metadata", "$.currencyCode"] },
  key: [
    "date",
    "campaign_id",
    "campaign_name",
    "searchads_campaign_id",
    "source_medium",
    "country",
    "region",
    "city",
    "device_category",
  ],
  // A report may lack a dimension, such as that of search ads: it is null then.
  required: ["date"],
  day: "date",
  segmented: true,
  ...ENVELOPE,
  plain: ["date", "campaign_id", "source_medium", "active_users", "sessions"],
  served: {
    path: "/v1/webanalytics/customers",
    summary: "Visitors by day, campaign, source, place and device.",
    bookkeeping: BOOKKEEPING,
    filters: FILTERS,
    order: "date",
  },
};

const events: RecordDeclaration = {
  connector: "webanalytics",
  name: "events",
  grain: "An event's count on a day.",
  fields: {
    event_name: text("Event: purchase, view_item…"),
    date: day("Day, in the property's time zone."),
    event_count: count("Times it happened.", { combine: "sum" }),
    event_count_per_user: ratio("Times per person.", { combine: "none" }),
    event_value: number("Sum of the events' `value`; an amount only if all events use it as one.", { combine: "sum" }),
    events_per_session: ratio("Times per session.", { combine: "none" }),
    key_events: units("Events that count as key events.", { combine: "sum" }),
  },
  guide: {
    api: "`runReport` with the dimensions `date`, `eventName` and the metrics `eventCount`, `eventCountPerUser`, `eventValue`, `eventsPerSession`, `keyEvents`; one date range, no comparison.",
    labels: {
      date: ["Day", "Dia", "Data"],
      event_name: ["Nome do evento"],
      event_count: ["Contagem de eventos"],
      event_value: ["Valor do evento"],
      key_events: ["Eventos principais"],
    },
  },
  key: ["date", "event_name"],
  day: "date",
  segmented: true,
  ...ENVELOPE,
  plain: ["date", "event_name", "event_count"],
  served: {
    path: "/v1/webanalytics/events",
    summary: "Events by day.",
    bookkeeping: BOOKKEEPING,
    filters: FILTERS,
    order: "date",
  },
};

const items: RecordDeclaration = {
  connector: "webanalytics",
  name: "items",
  grain: "An item's funnel on the site on a day, in units.",
  fields: {
    date: day("Day, in the property's time zone."),
    item_id: text("Id that the site's tag sends: a product, a SKU or a code of the store's own."),
    item_name: text("Its name, if the report has it."),
    items_viewed: count("Units viewed.", { combine: "sum" }),
    items_added_to_cart: count("Units put into the cart.", { combine: "sum" }),
    items_checked_out: count("Units taken to the checkout.", { combine: "sum" }),
    items_purchased: count("Units bought.", { combine: "sum" }),
    item_revenue: currency("Their revenue.", { combine: "sum" }),
  },
  guide: {
    api: "`runReport` with the dimensions `date`, `itemId`, `itemName` and the metrics `itemsViewed`, `itemsAddedToCart`, `itemsCheckedOut`, `itemsPurchased`, `itemRevenue`; one date range, no comparison.",
    labels: {
      date: ["Day", "Dia", "Data"],
      item_id: ["ID do item"],
      item_name: ["Nome do item"],
      items_viewed: ["Itens vistos"],
      items_added_to_cart: ["Itens adicionados ao carrinho"],
      items_purchased: ["Itens comprados"],
      item_revenue: ["Receita do item"],
    },
  },
  currency: { context: ["metadata", "$.currencyCode"] },
  key: ["date", "item_id"],
  day: "date",
  segmented: true,
  ...ENVELOPE,
  plain: ["date", "item_id", "items_viewed"],
};

export const webanalytics: readonly RecordDeclaration[] = [customers, events, items];
