import type { Locale } from "./dialect.ts";
import type { PaymentGroup } from "./payment.ts";
import type { Connector } from "./record.ts";

/** Headings of tables by the field that they mean: one, or several of which a file has one. */
export type ColumnNames = Readonly<Record<string, string | readonly string[]>>;

/** How the vendor of an integration is asked [D60]. */
export interface PullSettings {
  /** The first day that is asked for, in the account's time zone. */
  readonly since: string;
  /** The vendor's names of the account. */
  readonly account?: Readonly<Record<string, string>>;
  /** The records that are pulled; by default all of the connector's that can be. */
  readonly records?: readonly string[];
  readonly baseUrl?: string;
  readonly tokenUrl?: string;
}

/** One connected account of an organization. */
export interface Integration {
  readonly id: string;
  readonly connector: Connector;
  readonly name?: string;
  readonly userId?: string;
  /** Time zone of the integration's orders in the analyses; the default is UTC. */
  readonly timezone?: string;
  readonly schedule?: string;
  /** Of an ad account: the stores whose spend it has [D86]; by default the only store. */
  readonly stores?: readonly string[];
  /** Headings of its tables, by record. */
  readonly columns?: Readonly<Record<string, ColumnNames>>;
  /** How numbers and dates of a file are read where all of them read in two ways. */
  readonly numbers?: "pt-BR" | "en";
  /** Whether campaigns of a download without ids land under `name:` and their name. */
  readonly campaignsByName?: boolean;
  /** Whether its tables of orders, if they have no column that says so, have only orders that were paid and not cancelled [D230]. */
  readonly allOrdersPaid?: boolean;
  /** What the words of a table of expenses are for: `{"Aluguel": "fixed"}`. */
  readonly items?: Readonly<Record<string, ExpenseItem>>;
  /** Whether an expense that names one day is of this day (the default) or of its whole month. */
  readonly oneDayExpenses?: Readonly<Partial<Record<ExpenseItem, "day" | "month">>>;
  readonly pull?: PullSettings;
}

export type MarginItem = "orders" | { readonly percent: number };
export type Margin =
  | { readonly percent: number }
  | { readonly items: Readonly<Partial<Record<"gateway" | "tax" | "shipping" | "costOfGoods", MarginItem>>> };

/** What a cost is for [D70]. */
export type CostItem = "salesTax" | "goods" | "payment" | "shipping" | "fulfilment" | "commission" | "other" | "fixed";

/** What an expense may be for: goods have costs by SKU. */
export type ExpenseItem = Exclude<CostItem, "goods">;

/** What sales cost, or, for `fixed`, what days cost [D70]. It has exactly one amount. */
export interface CostRule {
  readonly item: CostItem;
  readonly name?: string;
  /** Days, inclusive; absent: open. */
  readonly from?: string;
  readonly until?: string;
  /** The orders that it holds for: all that is there must hold. */
  readonly where?: { readonly integrationId?: string; readonly channel?: string; readonly paymentMethod?: string };
  readonly percentOfRevenue?: number;
  readonly percentOfItems?: number;
  readonly perOrder?: number;
  readonly perUnit?: number;
  readonly perMonth?: number;
  readonly perDay?: number;
  /** What the order charged for shipping. */
  readonly charged?: true;
  /** There is no such cost. */
  readonly none?: true;
}

export type Strategy = "acquisition" | "brand" | "monetization";

/** Targets of the owner. Only pages show them; no figure depends on them. */
export interface Targets {
  readonly cac?: number;
  readonly ltvCacRatio?: number;
  /** In percent, as `marginPercent`. */
  readonly margin?: number;
  /** These are the least of a calendar month. */
  readonly revenue?: number;
  readonly contribution3?: number;
  readonly profit?: number;
}

/** What happened on some days, for charts to show. */
export interface Note {
  readonly from: string;
  /** The last of its days; without it it is of one day. */
  readonly until?: string;
  readonly text: string;
  /** Whether these days sold at other prices, so that they compare with none but their like. */
  readonly sale?: true;
}

/** The figures that an alert may watch [D96]. */
export const ALERT_FIGURES = [
  "revenue",
  "netRevenue",
  "contribution1",
  "contribution2",
  "contribution3",
  "orders",
  "newCustomers",
  "investment",
  "cac",
] as const;

/** The alerts that need no rule of the settings [D96], [D227], and that one state of the data judges. */
export const JUDGED_ALERTS = [
  "lateData",
  "spendWithoutSales",
  "investment",
  "orders",
  "revenue",
  "campaignLoses",
  "returnRate",
  "stock",
] as const;
/** And that which compares two: a pinned month that changed. It is in letters. */
export const BUILT_IN_ALERTS = [...JUDGED_ALERTS, "pinnedMonth"] as const;
type BuiltInAlert = (typeof BUILT_IN_ALERTS)[number];

/** A rule over a daily figure [D96]. */
interface AlertRule {
  readonly name: string;
  readonly figure: (typeof ALERT_FIGURES)[number];
  /** At most one of these says what it is of; without any it is of the organization. */
  readonly channel?: string;
  readonly campaignId?: string;
  readonly integrationId?: string;
  readonly rule: "above" | "below" | "change";
  /** Of a change in percent: below 0 a fall, above 0 a rise. */
  readonly value: number;
  readonly over: "day" | "week";
  /** Whether it is sent when it begins, to everybody who gets a letter, and not only in the next letter. */
  readonly atOnce?: true;
}

/** What the settings change of a built-in alert. */
interface BuiltInSetting {
  readonly builtIn: BuiltInAlert;
  readonly off?: true;
  readonly atOnce?: true;
}

export type Alert = AlertRule | BuiltInSetting;

/** When a letter goes out, and to whom [D95]. */
export interface LetterSetting {
  /** Of `mail` the e-mail address of a person, of `slack` the name of its address; `webhook` has none. */
  readonly to?: string;
  readonly on: "daily" | "weekly" | "monthly";
  /** By the clock of the first store: at this time at the latest. */
  readonly at: string;
  readonly language?: Locale;
  readonly channel: "mail" | "slack" | "webhook";
}

/** A tenant's settings, from `organizations/<id>.json`. */
export interface Organization {
  readonly organizationId: string;
  readonly name: string;
  readonly currency?: string;
  readonly integrations?: readonly Integration[];
  readonly margin?: Margin;
  readonly costs?: readonly CostRule[];
  readonly campaigns?: readonly ({ readonly strategy: Strategy } & (
    | { readonly id: string }
    | { readonly name: string }
  ))[];
  /** Groups of payments by their names, before the table of names [D88]. */
  readonly payments?: readonly { readonly name: string; readonly group: PaymentGroup }[];
  readonly funnel?: { readonly interest: readonly string[]; readonly decision: readonly string[] };
  /** Gets a request when answers have changed. */
  readonly webhook?: { readonly url: string };
  readonly targets?: Targets;
  /** The language of texts for readers who have not chosen one. */
  readonly locale?: Locale;
  readonly notes?: readonly Note[];
  readonly alerts?: readonly Alert[];
  readonly letters?: readonly LetterSetting[];
  /** On that day of each month, the month before is pinned under its name [D83]. */
  readonly pins?: { readonly monthly: number };
}

/** The settings that answers depend on. The others take effect without a derivation, and no generation keeps them. */
export function answerSettings({ integrations, ...others }: Organization): Organization {
  const { webhook, targets, pins, locale, notes, alerts, letters, ...own } = others;
  return {
    ...own,
    ...(integrations ? { integrations: integrations.map(({ pull: _, ...one }) => one) } : {}),
  };
}

/** Those that answers of earlier states are made from [D81]: not what only landing, the schedule or a page reads. */
export function knownSettings({ organizationId, name, integrations, ...others }: Organization): Organization {
  const { currency, margin, costs, campaigns, payments, funnel } = others;
  const known = integrations?.map(({ id, connector, name, userId, timezone, stores }) =>
    present({ id, connector, name, userId, timezone, stores }),
  );
  return present({ organizationId, name, currency, integrations: known, margin, costs, campaigns, payments, funnel });
}

/** Without the members that are not there. */
const present = <T extends object>(value: T): Present<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Present<T>;

type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };
