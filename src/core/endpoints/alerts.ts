import { allBasedOn, type Basis } from "../contract/basis.ts";
import { ROOT, type SqlEndpoint } from "../contract/endpoint.ts";
import { choice, count, day, type Fields, flag, orNull, percent, text, units } from "../contract/field.ts";
import type { Param, Params } from "../contract/param.ts";
import { ALERT_FIGURES, JUDGED_ALERTS } from "../contract/settings.ts";
import { anyPeriod, common, dated, period, SPENT } from "./common.ts";

/** The rows of the days that a row is about: of all channels, stores and campaigns. */
const OF_DAYS: Basis = { orders: [{ ordered: "span" }], spend: [SPENT] };
/** Those that the request names. */
const OF_REQUEST: Basis = {
  orders: [{ ordered: "span", isRequested: true }],
  spend: [{ ...SPENT, isRequested: true }],
};

const RULES = ["above", "below", "change"] as const;
const OVER = ["day", "week", "threeDays"] as const;

const notes: Param = { kind: "settings", of: "notes", description: "The noted days of the settings." };

const ACTUAL =
  "the figure of the days from `from` to `to`; of campaignLoses what the orders leave after ads, of returnRate refunds / (3/28 of the orders of the 4 weeks before) × 100";
const EXPECTED =
  "median of the same days of the 8 weeks before; of three days the sum of theirs, at the level of the 4 weeks before; of returnRate and campaignLoses by the rate of the 8 weeks before";
const TOO_FEW = "fewer than 4 such days, or weeks, can be compared with";

const figures = (basis: Basis): Fields =>
  allBasedOn(basis, {
    actual: units("What the figure was, in its own unit.", ACTUAL),
    expected: orNull(units("What it was expected to be.", EXPECTED), TOO_FEW),
  });

const causes = (basis: Basis): Fields => ({
  alert: text("Its name in the settings, or that of a built-in alert."),
  builtIn: flag("Whether it is a built-in alert."),
  figure: orNull(choice(ALERT_FIGURES, "The figure."), "a built-in alert judges something else"),
  channel: orNull(text("The channel that it is of."), "it is of no channel"),
  campaignId: orNull(text("The campaign that it is of."), "it is of no campaign"),
  connector: orNull(text("The ad platform of the campaign."), "it is not `campaignLoses`"),
  integrationId: orNull(text("The store that it is of, or the source that is late."), "it is of none"),
  productId: orNull(text("The product that runs out."), "it is not `stock`"),
  label: orNull(text("What it is of, for people."), "it is of the organization"),
  rule: orNull(choice(RULES, "The rule."), "it is a built-in alert"),
  value: orNull(units("The limit of the rule: of a change in percent.", "as the alert says"), "it is a built-in alert"),
  over: choice(OVER, "How many days are judged together."),
  atOnce: flag("Whether the settings ask to send it when it begins."),
  since: day("The first day beyond the limit."),
  until: orNull(day("The third judged day in a row within it: the cause is over."), "it holds"),
  days: count("Judged days beyond the limit.", "number of these days"),
  from: day("The first of the days that the last of these was judged by."),
  to: day("The last day beyond the limit."),
  ...figures(basis),
  changePct: orNull(
    percent("How far it was from what was expected.", "(actual − expected) / |expected| × 100, before rounding"),
    "`expected` is null or 0",
  ),
  notes: orNull(text("Notes of the settings on these days, separated by semicolons."), "there are none"),
  endedCampaigns: orNull(
    text(
      "Campaigns with 5 % or more of the spend of the week before that have spent nothing since, separated by semicolons.",
    ),
    "there are none",
  ),
  silentStores: orNull(
    text("Stores with orders in the week before and none on these days, separated by semicolons."),
    "there are none",
  ),
});

/** What alerts say [D96]. */
const alerts: SqlEndpoint = {
  ...common,
  path: "/v1/alerts",
  summary:
    "What alerts say of a period: causes that began, held or ended in it, the days that each alert could judge, built-in alerts included. By default the last 28 days.",
  params: {
    ...period,
    startDate: { kind: "day", description: "First day, inclusive; by default the 28th up to the last." },
    endDate: { kind: "day", description: "Last day, inclusive; by default today (UTC)." },
    alerts: { kind: "settings", of: "alerts", description: "The alerts of the settings." },
    notes,
  },
  periods: [{ start: "startDate", end: "endDate", days: 28 }],
  envelope: dated,
  table: "data",
  materialize: ["current_judgements"],
  tables: { data: { key: ["since", "alert", "label"] }, judged: { key: ["alert"] } },
  parts: {
    data: {
      sql: "alerts/alerts",
      rows: "many",
      description: "The causes, the latest first.",
      fields: causes(OF_DAYS),
    },
    judged: {
      sql: "alerts/judged",
      rows: "many",
      description: "The alerts that are on, and what they could judge.",
      fields: {
        alert: text("Its name."),
        builtIn: flag("Whether it is a built-in alert."),
        days: count(
          "Days of the period that it judged.",
          "number of days that are whole, covered, can be compared, and on which it can tell its event from chance",
        ),
        beyond: count("Those beyond its limit.", "number of these days"),
        lastDay: orNull(day("The last of the days that it judged."), "it judged none"),
        leastPct: orNull(
          percent(
            "The least change that it finds within three days, in 9 of 10 cases: a smaller one cannot be told from chance.",
            "of investment, orders, revenue max(15, 2.6 × spread of three days) below; of returnRate above",
          ),
          "it is another alert, or judged no day",
        ),
        canTell: flag(
          "Whether it can tell its event from chance on the last day: if not, it is off until it can, because the shop is too small or varies too much. Of a built-in alert; always so of others.",
        ),
      },
    },
  },
};

const rule: Params = {
  builtIn: { kind: "choice", of: JUDGED_ALERTS, description: "A built-in alert, instead of a rule." },
  // Not "figure": an explanation has a parameter of that name.
  metric: { kind: "choice", of: ALERT_FIGURES, fallback: "revenue", description: "The figure of the rule." },
  rule: {
    kind: "choice",
    of: RULES,
    fallback: "change",
    description: "Above or below a value, or changed by a percentage of what was expected.",
  },
  value: {
    kind: "number",
    description:
      "The limit: of a change in percent, below 0 for a fall, above 0 for a rise. Without it nothing is judged.",
  },
  over: { kind: "choice", of: ["day", "week"], fallback: "day", description: "A day, or the 7 days that end with it." },
  channel: { kind: "text", maxLength: 512, description: "The channel that the figure is of." },
  campaignId: { kind: "text", maxLength: 512, description: "The campaign that the figure is of." },
  integrationId: { kind: "uuid", description: "The store that the figure is of." },
};

/** What an alert would have said [D96]. */
const replay: SqlEndpoint = {
  ...common,
  path: "/v1/alerts/replay",
  summary:
    "What a rule, or a built-in alert, would have said over the history: how often, on which days, and what the data say of these. For a rule that is to be switched on.",
  params: { ...period, ...rule, notes },
  periods: [anyPeriod],
  envelope: dated,
  echo: ["builtIn", "metric", "rule", "value", "over", "channel", "campaignId", "integrationId"],
  table: "data",
  materialize: ["replayed_judgements"],
  tables: { data: { key: ["since", "label"] }, days: { key: ["date", "about"], days: "day" } },
  parts: {
    [ROOT]: {
      sql: "alerts/replay",
      rows: "one",
      fields: {
        judgedDays: count("Days that were judged.", "number of days that are whole, covered and can be compared"),
        beyond: count("Those beyond the limit.", "number of these days"),
        causes: count("How often it would have spoken.", "number of causes that began"),
        firstDay: orNull(day("The first day that was judged."), "none was"),
        lastDay: orNull(day("The last day that was judged."), "none was"),
        perWeek: orNull(units("How often in a week.", "7 × causes / judgedDays"), "no day was judged"),
        isLongEnough: flag("Whether 8 weeks or more were judged."),
        isTooOften: flag("Whether it would have spoken more than twice a week."),
      },
    },
    data: {
      sql: "alerts/replay-causes",
      rows: "many",
      description: "The causes, the latest first.",
      fields: causes(OF_REQUEST),
    },
    days: {
      sql: "alerts/replay-days",
      rows: "many",
      description: "The days that were judged.",
      fields: {
        date: day("The day."),
        about: orNull(text("What it is about: a channel, campaign, store or product."), "it is of the organization"),
        from: day("The first of the days that are judged together."),
        to: day("The last of them: the day."),
        ...figures(OF_REQUEST),
        isBeyond: flag("Whether it is beyond the limit."),
      },
    },
  },
};

export const alertEndpoints: readonly SqlEndpoint[] = [alerts, replay];
