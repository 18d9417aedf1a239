import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { paths } from "../../core/files/paths.ts";
import { addDays } from "../../core/time/days.ts";
import { DAYS_UNTIL_RETURN, expensesTable } from "./expenses.ts";
import { ACCOUNTS, CAMPAIGNS, CATEGORIES, CITIES, KEYWORDS, PAYMENTS, PRODUCTS, SETTINGS, SOURCES } from "./shop.ts";
import { type Delivery, grouped, instantAt, type Order, paidBy, salesOf, type Year, yearUntil } from "./year.ts";

type Row = Readonly<Record<string, unknown>>;

/** Cents as an amount. */
const amount = (cents: number): number => Math.round(cents) / 100;
const divided = (a: number, b: number): number | null => (b === 0 ? null : a / b);

/** Writes settings and exports of the demo's year, which ends on a day; `share`: of its orders and spend. */
export async function writeYear(dataDir: string, lastDay: string, share = 1): Promise<void> {
  const { organizationId } = SETTINGS;
  const year = yearUntil(lastDay, share);
  const settings = path.join(paths.settings(dataDir), `${organizationId}.json`);
  await mkdir(path.dirname(settings), { recursive: true });
  await writeFile(settings, `${JSON.stringify({ ...SETTINGS, notes: salesOf(year.days) }, null, 2)}\n`);
  const written = new Date(instantAt(addDays(lastDay, 1), 60));
  const write = async (
    account: keyof typeof ACCOUNTS,
    record: string,
    name: string,
    content: string,
  ): Promise<void> => {
    const folder = foldersOf(dataDir, organizationId).exports(ACCOUNTS[account], record);
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, name);
    await writeFile(file, content);
    await utimes(file, written, written);
  };
  for (const [account, records] of Object.entries(recordsOf(year))) {
    for (const [record, rows] of Object.entries(records)) {
      const content = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      await write(account as keyof typeof ACCOUNTS, record, `${record}.ndjson`, content);
    }
  }
  await write("finance", "expenses", "despesas.csv", expensesTable(year));
}

function recordsOf(year: Year): Record<Exclude<keyof typeof ACCOUNTS, "finance">, Record<string, readonly Row[]>> {
  const social = year.deliveries.filter(({ campaign }) => campaign.connector === "socialads");
  const search = year.deliveries.filter(({ campaign }) => campaign.connector === "searchads");
  const lastDay = year.days.at(-1) ?? "";
  return {
    storea: {
      orders: year.orders.map((order) => storeOrder(order, lastDay)),
      products: PRODUCTS.map(catalogRow),
      categories: CATEGORIES.map(({ id, name, parent }) => ({
        category_id: id,
        name,
        parent_category_id: parent ?? null,
        depth: parent ? 1 : 0,
      })),
      inventory: PRODUCTS.map(({ id, weight, isGone }) => {
        const available = isGone ? 0 : weight * 9;
        return { sku_id: id, total: available + 2, reserved: 2, available, is_unlimited: false, warehouses: 1 };
      }),
    },
    socialads: {
      campaigns: social.map(socialCampaign),
      platform: social.flatMap(placements),
      "adset-config": adSets(lastDay),
    },
    searchads: {
      campaigns: search.map(searchCampaign),
      keywords: search.flatMap(keywordRows),
      geographic: search.flatMap(placeRows),
      "conversion-segmented-campaigns": search.map((one) => ({
        campaign_resource_name: `customers/1/campaigns/${one.campaign.id}`,
        campaign_name: one.campaign.name,
        campaign_id: one.campaign.id,
        segments_conversion_action_category: "PURCHASE",
        segments_date: one.day,
        metrics_conversions: one.orders * CLAIMED,
        metrics_conversions_value: amount(one.value * CLAIMED),
      })),
      "ad-group-criterion": KEYWORDS.map(({ campaign }, n) => ({
        ad_group_resource_name: `customers/1/adGroups/${groupOf(campaign.id)}`,
        ad_group_id: groupOf(campaign.id),
        ad_group_name: campaign.name,
        ad_group_criterion_resource_name: criterion(campaign.id, n),
        ad_group_criterion_status: "ENABLED",
        ad_group_criterion_type: "KEYWORD",
        ad_group_criterion_criterion_id: String(34_001 + n),
      })),
    },
    webanalytics: siteRows(year),
    crm: contactRows(year),
  };
}

function storeOrder(order: Order, lastDay: string): Row {
  const { no, day, minute, lines, source, city, state } = order;
  const placed = instantAt(day, minute);
  const isPaid = state === "paid" || state === "returned";
  const shipped = addDays(day, 1);
  const isShipped = isPaid && shipped <= lastDay;
  const returned = addDays(day, DAYS_UNTIL_RETURN);
  const isReturned = state === "returned" && returned <= lastDay;
  const kept = 1 - order.discount / order.items;
  const payment = paymentOf(no);
  return {
    order_id: `${1_500_000 + no}-01`,
    sequence: String(1_500_000 + no),
    origin: "Marketplace",
    status: state === "canceled" ? "canceled" : isShipped ? "invoiced" : isPaid ? "handling" : "payment-pending",
    order_group: String(1_500_000 + no),
    utm_source: source.source ?? null,
    utm_medium: source.medium ?? null,
    utm_campaign: source.campaign?.name ?? null,
    coupon_code: order.coupon ?? null,
    payment_method: payment.system,
    payment_method_group: payment.group,
    shipping_city: city.city,
    shipping_state: city.state,
    shipping_country: "BRA",
    value: amount(paidBy(order)),
    total_items_value: amount(order.items),
    total_discounts: amount(-order.discount),
    total_shipping: amount(order.shipping),
    total_tax: 0,
    installments: 1 + (no % 4),
    creation_date: placed,
    last_change: isReturned ? instantAt(returned, 600) : isShipped ? instantAt(shipped, 600) : placed,
    authorized_date: isPaid ? instantAt(day, minute + 4) : null,
    invoiced_date: isShipped ? instantAt(shipped, 600) : null,
    is_completed: isPaid,
    customer_id: `c-${order.customer}`,
    email: emailOf(order.customer),
    currency: SETTINGS.currency,
    items: lines.map(({ product, quantity }, n) => ({
      item_no: n,
      unique_id: `${no}-${n}`,
      id: product.id,
      product_id: product.id,
      name: product.name,
      category_id: product.category,
      quantity,
      price: amount(product.price),
      selling_price: amount(product.price * kept),
      cost_price: amount(product.cost),
      is_gift: false,
    })),
    returns: isReturned
      ? lines.slice(0, 1).map(({ product, quantity }) => ({
          item_no: 0,
          sku_id: product.id,
          quantity,
          price: amount(product.price * kept),
          returned_at: instantAt(returned, 600),
        }))
      : [],
  };
}

/** Of a hundred successive orders the methods have their shares, not in a row. */
const paymentOf = (no: number): (typeof PAYMENTS)[number] =>
  PAYMENTS.find(({ below }) => (no * 37) % 100 < below) ?? PAYMENTS[0];

const emailOf = (customer: number): string => `cliente${customer}@example.com`;

const catalogRow = ({ id, name, category }: (typeof PRODUCTS)[number]): Row => {
  const parent = CATEGORIES.find((one) => one.id === category)?.parent;
  return {
    product_id: id,
    sku_id: id,
    product_name: name,
    is_active: true,
    sku_is_active: true,
    category_id: category,
    category_path: `/${parent ? `${parent}/` : ""}${category}/`,
    ref_id: `AUR-${id}`,
  };
};

function socialCampaign({ day, campaign, spend, impressions, clicks, orders, value }: Delivery): Row {
  const links = Math.round(clicks * 0.7);
  return {
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    objective: "OUTCOME_SALES",
    account_id: "4001",
    actions: JSON.stringify([{ action_type: "omni_purchase", value: String(orders) }]),
    impressions,
    reach: Math.round(impressions * 0.8),
    frequency: 1.25,
    clicks,
    ctr: divided(clicks * 100, impressions),
    inline_link_clicks: links,
    inline_link_click_ctr: divided(links * 100, impressions),
    spend: amount(spend),
    cpc: divided(amount(spend), clicks),
    cpm: divided(amount(spend) * 1000, impressions),
    website_purchase_roas: divided(value * CLAIMED, spend),
    date_start: day,
    date_stop: day,
  };
}

/** Platforms claim more than what reaches the shop through them. */
const CLAIMED = 1.2;

/** Seven parts of ten on one platform, the rest on the other. */
const placements = ({ day, campaign, spend, impressions, clicks }: Delivery): Row[] =>
  [
    { publisher_platform: "instagram", platform_position: "feed", part: 0.7 },
    { publisher_platform: "facebook", platform_position: "feed", part: 0.3 },
  ].map(({ part, ...placed }) => ({
    adset_id: `2${campaign.id.slice(-4)}`,
    ad_id: `3${campaign.id.slice(-4)}`,
    objective: "OUTCOME_SALES",
    ...placed,
    clicks: Math.round(clicks * part),
    reach: Math.round(impressions * part * 0.8),
    impressions: Math.round(impressions * part),
    spend: amount(spend * part),
    full_view_reach: Math.round(impressions * part * 0.2),
    date_start: day,
    date_stop: day,
  }));

const adSets = (lastDay: string): Row[] =>
  CAMPAIGNS.filter(({ connector }) => connector === "socialads").map(({ id, name, daily }) => ({
    id: `2${id.slice(-4)}`,
    name: `${name}: público`,
    effective_status: "ACTIVE",
    targeting_genders: "[2]",
    targeting_publisher_platforms: '["facebook","instagram"]',
    targeting_device_platforms: '["mobile","desktop"]',
    daily_budget: amount(daily * 3),
    targeting_age_min: 25,
    targeting_age_max: 60,
    created_time: instantAt(addDays(lastDay, -420), 540),
    updated_time: instantAt(addDays(lastDay, -30), 540),
  }));

const searchFigures = ({ spend, impressions, clicks, orders, value }: Delivery, part: number): Row => ({
  impressions: Math.round(impressions * part),
  clicks: Math.round(clicks * part),
  cost: amount(spend * part),
  conversions: orders * part * CLAIMED,
  conversions_value: amount(value * part * CLAIMED),
  all_conversions: orders * part * CLAIMED,
});

const searchCampaign = (one: Delivery): Row => ({
  date: one.day,
  campaign_id: one.campaign.id,
  campaign_name: one.campaign.name,
  campaign_status: "ENABLED",
  advertising_channel_type: one.campaign.name === "Shopping" ? "SHOPPING" : "SEARCH",
  bidding_strategy_type: "TARGET_ROAS",
  ...searchFigures(one, 1),
  all_conversions_value: amount(one.value * CLAIMED),
});

const groupOf = (campaign: string): string => `32${campaign.slice(-3)}`;
const criterion = (campaign: string, n: number): string =>
  `customers/1/adGroupCriteria/${groupOf(campaign)}~${34_001 + n}`;

const keywordRows = (one: Delivery): Row[] =>
  KEYWORDS.flatMap(({ text, campaign, share }, n) =>
    campaign !== one.campaign
      ? []
      : [
          {
            date: one.day,
            keyword_text: text,
            keyword_match_type: "PHRASE",
            ad_group_criterion: criterion(campaign.id, n),
            ad_group_type: "SEARCH_STANDARD",
            ad_group_status: "ENABLED",
            ad_group_name: campaign.name,
            ad_group_id: groupOf(campaign.id),
            ad_id: `33${campaign.id.slice(-3)}`,
            ad_group_campaign: `customers/1/campaigns/${campaign.id}`,
            campaign_bidding_strategy_type: "TARGET_ROAS",
            campaign_id: campaign.id,
            campaign_name: campaign.name,
            ...searchFigures(one, share),
          },
        ],
  );

function placeRows(one: Delivery): Row[] {
  const weights = CITIES.reduce((sum, { weight }) => sum + weight, 0);
  return CITIES.map(({ weight, geo: [state, city] }) => ({
    campaign_id: one.campaign.id,
    campaign_name: one.campaign.name,
    geo_target_state: `geoTargetConstants/${state}`,
    geo_target_city: `geoTargetConstants/${city}`,
    status: "ENABLED",
    ad_group_id: groupOf(one.campaign.id),
    ad_group_name: one.campaign.name,
    bidding_strategy_type: "TARGET_ROAS",
    date: one.day,
    ...searchFigures(one, weight / weights),
    all_conversions_value: amount((one.value * CLAIMED * weight) / weights),
  }));
}

/** Visits for each order, of all sources. */
const VISITS = 52;

function siteRows({ days, orders }: Year): Record<string, Row[]> {
  const byDay = grouped(orders, ({ day }) => day);
  const rows: Record<string, Row[]> = { customers: [], events: [], items: [] };
  for (const day of days) {
    const own = byDay.get(day) ?? [];
    const visits = VISITS * own.length + 120;
    const events = {
      session_start: visits,
      view_item: visits * 2,
      add_to_cart: own.length * 6,
      begin_checkout: own.length * 2,
    };
    for (const [name, times] of Object.entries({ ...events, purchase: own.length })) {
      rows.events?.push({
        event_name: name,
        date: day,
        event_count: times,
        event_value: name === "purchase" ? amount(own.reduce((sum, one) => sum + paidBy(one), 0)) : 0,
        key_events: name === "purchase" ? times : 0,
      });
    }
    rows.customers?.push(...SOURCES.map((source) => visitsOf(day, source, own, visits)));
    rows.items?.push(...itemRows(day, own, visits));
  }
  return rows;
}

function visitsOf(day: string, source: (typeof SOURCES)[number], orders: readonly Order[], visits: number): Row {
  const own = orders.filter((one) => one.source === source);
  const sessions = Math.round((visits * (source.ofNew + source.ofReturning)) / 200);
  const revenue = amount(own.reduce((sum, one) => sum + paidBy(one), 0));
  const { campaign } = source;
  return {
    campaign_id: campaign?.id ?? "(not set)",
    campaign_name: campaign?.name ?? "(not set)",
    city: "São Paulo",
    country: "Brazil",
    region: "State of Sao Paulo",
    searchads_campaign_id: campaign?.connector === "searchads" ? campaign.id : "(not set)",
    source_medium: source.source ? `${source.source} / ${source.medium}` : "(direct) / (none)",
    device_category: "mobile",
    date: day,
    active_users: Math.round(sessions * 0.85),
    engaged_sessions: Math.round(sessions * 0.6),
    bounce_rate: 0.4,
    sessions_per_user: 1.15,
    total_users: Math.round(sessions * 0.87),
    sessions,
    purchaser_rate: sessions === 0 ? 0 : own.length / sessions,
    purchase_revenue: revenue,
    total_purchases: own.length,
    total_revenue: revenue,
  };
}

function itemRows(day: string, orders: readonly Order[], visits: number): Row[] {
  const weights = PRODUCTS.reduce((sum, { weight }) => sum + weight, 0);
  return PRODUCTS.map((product) => {
    const units = orders.flatMap(({ lines }) => lines.filter((line) => line.product === product));
    const bought = units.reduce((sum, { quantity }) => sum + quantity, 0);
    return {
      date: day,
      item_id: product.id,
      item_name: product.name,
      items_viewed: Math.round((visits * 2 * product.weight) / weights) + bought * 4,
      items_added_to_cart: bought * 3 + 2,
      items_checked_out: bought * 2,
      items_purchased: bought,
      item_revenue: amount(bought * product.price),
    };
  });
}

const ORIGINS: Readonly<Record<string, string>> = {
  socialads: "PAID_SOCIAL",
  searchads: "PAID_SEARCH",
};

/** Whoever has ordered is a contact of the CRM. */
function contactRows({ orders, days }: Year): Record<string, Row[]> {
  const firsts = new Map<number, Order>();
  for (const order of orders) if (!firsts.has(order.customer)) firsts.set(order.customer, order);
  const contacts = [...firsts.values()].map(({ customer, day, minute, source }) => {
    const at = instantAt(day, minute);
    return {
      id: String(90_000 + customer),
      email: emailOf(customer),
      crm_analytics_source: source.campaign ? ORIGINS[source.campaign.connector] : "ORGANIC_SEARCH",
      crm_analytics_source_data_1: source.campaign?.name ?? null,
      lifecycle_stage: "customer",
      close_date: at,
      create_date: at,
      last_modified_date: at,
      created_at: at,
      updated_at: at,
      archived: false,
    };
  });
  const since = instantAt(days[0] ?? "", 540);
  const stage = (id: string, label: string, at: number, isClosed: boolean): Row => ({
    id,
    label,
    display_order: at,
    is_closed: isClosed,
    probability: isClosed ? 1 : 0.2,
    archived: false,
  });
  return {
    contacts,
    products: PRODUCTS.map(({ id, name, price }) => ({
      id,
      name,
      crm_sku: `AUR-${id}`,
      price: amount(price),
      created_at: since,
      updated_at: since,
      archived: false,
    })),
    pipelines: [
      {
        id: "93001",
        label: "Atacado",
        display_order: 0,
        stages: [stage("1", "Contato", 0, false), stage("2", "Fechado", 1, true)],
        created_at: since,
        updated_at: since,
        archived: false,
        object_type: "DEAL",
      },
    ],
  };
}
