import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import {
  choice,
  count,
  countOrCurrency,
  currency,
  day,
  type Field,
  type Fields,
  flag,
  instant,
  object,
  orNull,
  text,
} from "../contract/field.ts";
import { organizationId, type Params, type PeriodRule } from "../contract/param.ts";
import { connectorsOf } from "../contract/record.ts";
import { MOST_DAYS } from "./common.ts";
import { LINES } from "./profit.ts";
import { paging } from "./rows.ts";

const days: Params = {
  organizationId,
  startDate: {
    kind: "day",
    description:
      "First day, inclusive; together with endDate. Without both: the months from the first to the last with a counted order or spend in either state.",
  },
  endDate: { kind: "day", description: "Last day, inclusive; together with startDate." },
};

const periods: readonly PeriodRule[] = [
  { start: "startDate", end: "endDate", bothOrNone: "refused", mostDays: MOST_DAYS },
];

const common = {
  periods,
  unknown: "refused",
  cacheSeconds: 1800,
  envelope: ["period", "asOf"],
} as const;

/** The figures of the cards, and the lines of the statement, that are compared, in their order. */
const FIGURES = [
  "revenue",
  "orders",
  "investment",
  "newCustomers",
  "contributionProfit",
  ...Object.keys(LINES).filter((line) => line !== "revenue" && line !== "media"),
];

/** Why orders differ, and how that shows in their revenue. */
const CAUSES: Readonly<Record<string, string>> = {
  arrived: "Orders that were not there.",
  counted: "Orders that were there and did not count.",
  uncounted: "Orders that no longer count: cancelled or replaced.",
  gone: "Orders that counted and are not there any more: their landing was revoked.",
  moved: "Orders that are now on another day: a loss of the one and a gain of the other.",
  value: "Orders of the same day with another revenue.",
};

const part = (description: string, formula: string): Field => countOrCurrency(description, formula);

const LANDINGS = "the later landings − the earlier ones, both under the earlier settings";

/** The members of `causes` that a figure has. */
const CAUSES_OF: Fields = {
  ...Object.fromEntries(
    Object.entries(CAUSES).map(([cause, description]) => [
      cause,
      {
        ...part(description, "Σ of the orders with this cause: now − before, under the earlier settings"),
        presentWhen: "the figure is `revenue` or `orders`",
      },
    ]),
  ),
  spend: { ...part("Records of spend.", LANDINGS), presentWhen: "the figure is `investment`" },
  data: { ...part("What landed or was revoked.", LANDINGS), presentWhen: "the figure is any other" },
  settings: part(
    "Other settings.",
    "the later landings under the later settings − the later landings under the earlier ones",
  ),
};

const UNKNOWN = "`before` or `after` is null";

/** What changed in figures that were read before [D84]. */
const changes: SqlEndpoint = {
  ...common,
  path: "/v1/restatements",
  summary:
    "What the figures of a period were in an earlier state of the data, what they are in a later one, and why they differ: orders that arrived, moved or no longer count, spend, settings.",
  params: {
    ...days,
    granularity: {
      kind: "choice",
      of: ["month", "none"],
      fallback: "month",
      description: "Length of the steps: calendar months, cut to the period, or the whole period.",
    },
  },
  compares: { each: "restatements/figures" },
  tables: { data: { key: ["month", "figure"] } },
  parts: {
    [ROOT]: {
      sql: "restatements/unchanged",
      rows: "one",
      fields: {
        unchanged: count(
          "Figures of steps that `data` leaves out.",
          "figures of steps that are the same in both states, or null in both",
        ),
      },
    },
    data: {
      sql: "restatements/changes",
      rows: "many",
      description: "The figures that differ, by step, then in the order of the cards and of the statement.",
      fields: {
        month: orNull(day("First day of the month."), "the request has `granularity=none`"),
        figure: choice(
          FIGURES,
          "The figure of the cards, or the line of the statement of profit with `refundsOn=refund`.",
        ),
        before: orNull(
          part(
            "What it was in the earlier state.",
            "the figure of the cards or the statement of the step, at `knownAt`",
          ),
          "it was not known",
        ),
        after: orNull(
          part("What it is in the later one.", "the figure of the cards or the statement of the step, at `comparedAt`"),
          "it is not known",
        ),
        change: orNull(part("How much it changed.", "after − before"), UNKNOWN),
        causes: orNull(
          object(
            CAUSES_OF,
            "What made the change. Each is rounded, and what that leaves over goes to the largest one, so that they add up to `change`.",
          ),
          `${UNKNOWN}, or the figure is unknown with the later landings under the earlier settings`,
        ),
      },
    },
  },
};

const version = (when: string): Field =>
  orNull(
    object(
      {
        orderedOn: orNull(day("Its day, in the time zone of its store then."), "it has no time"),
        revenue: orNull(currency("Its revenue.", "the value of the order"), "it has none"),
        counted: flag("Whether it counts."),
        status: orNull(text("Its status, as exported."), "it has none"),
      },
      `The order in the ${when} state, under the earlier settings.`,
    ),
    "it was not there",
  );

const brought = (what: string): Fields => ({
  landedAt: orNull(instant(`When the later ${what} landed.`), "the later state does not have it"),
  file: orNull(
    text("The export that brought it, by its name in the folder of its record."),
    "the later state does not have it, or it is joined from several",
  ),
});

/** The orders behind the change of revenue. */
const orders: SqlEndpoint = {
  ...common,
  path: "/v1/restatements/orders",
  summary:
    "The orders that made the revenue of a period differ between two states of the data, the largest change first, in pages. They add up to the change of revenue, except for what other settings changed.",
  params: {
    ...days,
    cause: {
      kind: "choice",
      of: Object.keys(CAUSES),
      description: "Orders with this cause.",
    },
    ...paging,
  },
  compares: {},
  tables: { data: { key: ["orderId"], of: { attribute: "integration", field: "integrationId" } } },
  table: "data",
  parts: {
    data: {
      sql: "restatements/orders",
      rows: "many",
      paged: true,
      fields: {
        orderId: text("Order."),
        integrationId: text("Store."),
        connector: choice(connectorsOf("store"), "Its platform."),
        orderedAt: orNull(instant("When it was placed."), "it has no time"),
        cause: choice(Object.keys(CAUSES), "Why its revenue differs."),
        before: version("earlier"),
        after: version("later"),
        change: currency(
          "How much it changes the revenue of the period.",
          "its revenue in the period, if it counts − what that was before",
        ),
        ...brought("version"),
      },
    },
  },
};

/** The spend behind the change of investment. */
const spend: SqlEndpoint = {
  ...common,
  path: "/v1/restatements/spend",
  summary:
    "The days of campaigns whose spend differs between two states of the data, the largest change first, in pages. They add up to the change of investment, except for other settings and rounding.",
  params: { ...days, ...paging },
  compares: {},
  tables: { data: { key: ["connector", "campaignId", "spentOn"] } },
  table: "data",
  parts: {
    data: {
      sql: "restatements/spend",
      rows: "many",
      paged: true,
      fields: {
        connector: choice(connectorsOf("ads"), "Ad platform."),
        campaignId: text("Campaign."),
        spentOn: day("Day of the spend."),
        campaignName: orNull(text("Its name."), "it has none"),
        before: orNull(currency("Its spend in the earlier state.", "Σ spend of the day"), "there was no record of it"),
        after: orNull(currency("Its spend in the later one.", "Σ spend of the day"), "there is no record of it"),
        change: currency("How much it changed; no record is 0.", "after − before"),
        ...brought("record"),
      },
    },
  },
};

export const restatements: readonly SqlEndpoint[] = [changes, orders, spend];
