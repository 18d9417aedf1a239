import type { Block } from "./endpoint.ts";
import { choice, count, date, type Figures, instant, object, orNull, percent, truth } from "./figure.ts";

const item = (of: string) => choice(["synced", "configured", "pending"], `Where the percentage of ${of} comes from.`);

/** What `sql/envelope.sql` gives; each analysis names those it carries beside its own figures [D9], [D16], [D23]. */
export const ENVELOPE = {
  period: object(
    {
      startDate: orNull(date("First day, inclusive."), "the whole history was asked for"),
      endDate: orNull(date("Last day, inclusive."), "the whole history was asked for"),
    },
    "The period that the answer is about.",
  ),
  previousPeriod: object(
    { startDate: date("First day, inclusive."), endDate: date("Last day, inclusive.") },
    "The period of the same length right before, which changes compare with.",
  ),
  asOf: orNull(
    instant(
      "How fresh the data is: of the stores and ad accounts, when the one that is furthest behind last landed a file.",
    ),
    "none has landed one",
  ),
  marginPercent: percent(
    "Contribution margin that was applied, 0-100: what is left of revenue after variable costs.",
    "100 − the items' percentages, or the one percentage of the settings; 100 without a margin",
  ),
  marginConfigured: truth("Whether the organization has a margin in its settings; without one 100 % is applied."),
  marginCompleteness: choice(
    ["complete", "partial", "none"],
    "`partial`: an item of the margin is pending; `none`: the margin is not made of items.",
  ),
  marginItemStatus: orNull(
    object(
      {
        gateway: item("payment fees"),
        tax: item("taxes"),
        shipping: item("shipping"),
        costOfGoods: item("the cost of goods"),
      },
      "Of each item: `synced` from the orders, `configured` in the settings, or `pending` and counted as 0.",
    ),
    "the margin is not made of items",
  ),
  granularity: choice(["day", "month"], "Length of a point: a day up to 92 days, else a month."),
} as const satisfies Figures;

export type EnvelopeField = keyof typeof ENVELOPE;

/** Which page of the rows this is, and whether there are others. */
export const PAGE: Figures = {
  page: count("Page.", "as asked for, adjusted to its bounds"),
  limit: count("Rows per page.", "as asked for, adjusted to its bounds"),
  hasNextPage: truth("Whether there are rows after this page."),
  hasPreviousPage: truth("Whether there are pages before this one."),
};

/** The first and the last day of a period. */
export const WINDOW: Figures = { from: date("First day."), to: date("Last day.") };

/** What a block says of itself, when it could be read. */
export const blockState = ({ basis, withoutBase }: Pick<Block, "basis" | "withoutBase">): Figures => ({
  state: choice(
    ["ready", "no_base", "stale"],
    "`stale`: its source has landed nothing for 24 hours; `no_base`: it has nothing to stand on.",
  ),
  reason: orNull(choice(["stale_source", ...withoutBase], "Why it is not ready."), "it is"),
  asOf: orNull(instant("When its source last landed a file."), "it never has"),
  periodApplied: object(
    { basis: choice([basis], "`requested`: the period asked for; `source_window`: days of the block's own.") },
    "What was looked at.",
  ),
  window: orNull(object(WINDOW, "The days that were looked at."), "there are none"),
});
