import { CHANNELS } from "./channel.ts";
import type { Block } from "./endpoint.ts";
import {
  array,
  choice,
  compared,
  count,
  day,
  type Field,
  type Fields,
  flag,
  instant,
  object,
  orNull,
  percent,
  text,
} from "./field.ts";

/** A store or an ad account whose data end too early. */
const covered = (what: string) =>
  array(
    {
      integrationId: text(`The ${what}.`),
      lastDay: orNull(day("The last day of its data."), "it has none"),
    },
    `The ${what}s whose data end before the last day of the period (the whole history: before the last day with a counted order), as the settings list them.`,
  );

const item = (of: string) => choice(["synced", "configured", "pending"], `Source of the percentage of ${of}.`);

/** The fields of `sql/envelope.sql`; each analysis names those it carries in addition to its figures [D9], [D16], [D23]. */
export const ENVELOPE = {
  period: object(
    {
      startDate: orNull(day("First day, inclusive."), "the request is for the whole history"),
      endDate: orNull(day("Last day, inclusive."), "the request is for the whole history"),
    },
    "The period of the answer.",
  ),
  previousPeriod: orNull(
    compared(
      "days",
      object(
        { startDate: day("First day, inclusive."), endDate: day("Last day, inclusive.") },
        "The period with which changes compare: by default the preceding one of the same length.",
      ),
    ),
    "the request has `compare=none`",
  ),
  asOf: orNull(
    instant("Freshness of the data: the last landing of the store or ad account that is furthest behind."),
    "no store or ad account has landed a file",
  ),
  coverage: object(
    { stores: covered("store"), accounts: covered("ad account") },
    "What the figures may lack at the end of the period: without such data they are not 0, but unknown. Data end on the day of the newest order or day of spend, or on the last whole day that a complete pull asked for, if that is later.",
  ),
  marginPercent: percent(
    "Contribution margin that was applied, 0-100: the share of revenue left after variable costs.",
    "100 − the items' percentages, or the one percentage of the settings; 100 without a margin",
  ),
  marginConfigured: flag("Whether the organization's settings have a margin; the default is 100 %."),
  marginCompleteness: choice(
    ["complete", "partial", "none"],
    "`partial`: an item of the margin is pending; `none`: the margin has no items.",
  ),
  marginItemStatus: orNull(
    object(
      {
        gateway: item("payment fees"),
        tax: item("taxes"),
        shipping: item("shipping"),
        costOfGoods: item("the cost of goods"),
      },
      "Status of each item: `synced` from the orders, `configured` in the settings, or `pending` and counted as 0.",
    ),
    "the margin has no items",
  ),
  granularity: choice(["day", "month"], "Length of a point: a day for periods up to 92 days, else a month."),
} as const satisfies Fields;

export type EnvelopeField = keyof typeof ENVELOPE;

/** The filters of an answer, as they were accepted [D86]. */
export const SENT_FILTERS: Field = {
  ...object(
    {
      integrationId: orNull(text("The store."), "it was not sent"),
      channel: orNull(choice(CHANNELS, "The channel."), "it was not sent"),
    },
    "The filters: figures are only of these orders, customers and spend.",
  ),
  presentWhen: "`integrationId` or `channel` is sent",
};

/** What an answer with `knownAt` also says, and its headers in every format [D80]. */
export const KNOWN: Fields = {
  knownAt: { ...instant("The instant whose knowledge answers."), presentWhen: "`knownAt` is sent" },
  knownState: {
    ...text(
      "A hash of the landings, the settings and the code that the answer is made of: equal hashes, equal states.",
    ),
    presentWhen: "`knownAt` is sent",
  },
  settingsSince: {
    ...instant("From when on the organization's settings are known; earlier states have those of then."),
    presentWhen: "`knownAt` is sent",
  },
};

/** What an answer that compares two states says of them, the headers only of the earlier one [D84]. */
export const COMPARED: Fields = {
  knownAt: instant("The instant of the earlier state."),
  knownState: text("A hash of the earlier state: of its landings, its settings and the code."),
  settingsSince: instant("From when on the organization's settings are known; earlier states have those of then."),
  comparedAt: instant("The instant of the later state; that of the answer if `comparedAt` is not sent."),
  comparedState: text("A hash of the later state."),
};

/** The position of a page of rows. */
export const PAGE: Fields = {
  page: count("Page.", "as requested, adjusted to its bounds"),
  limit: count("Rows per page.", "as requested, adjusted to its bounds"),
  hasNextPage: flag("Whether there are rows after this page."),
  hasPreviousPage: flag("Whether there are pages before this one."),
};

/** The first and the last day of a period. */
export const WINDOW: Fields = { from: day("First day."), to: day("Last day.") };

/** Reasons why a block is not ready; its SQL file says which. */
const REASONS = ["stale_source", "no_period_sales", "no_entry_customers", "no_period_data", "source_not_connected"];

/** The state of a block that could be read. */
export const blockState = ({ basis = "requested" }: Pick<Block, "basis">): Fields => ({
  state: choice(
    ["ready", "no_base", "stale"],
    "`stale`: its source has landed nothing for 24 hours; `no_base`: it has no data.",
  ),
  reason: orNull(choice(REASONS, "Why it is not ready."), "it is ready"),
  asOf: orNull(instant("When its source last landed a file."), "it never landed a file"),
  periodApplied: object(
    { basis: choice([basis], "`requested`: the requested period; `source_window`: days of the block's own.") },
    "The days that the block covers.",
  ),
  window: orNull(object(WINDOW, "First and last of these days."), "there are none"),
});
