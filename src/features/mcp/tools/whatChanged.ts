import { periodOf } from "../period.ts";
import type { AnswerTool } from "../tool.ts";
import { days, flag, periodic, text, top } from "./common.ts";

const DEFAULT = "all";

export const whatChanged: AnswerTool = {
  name: "what_changed",
  title: "What changed since then",
  description:
    "How figures of the past differ from what was known at `known_at` (`changes`): each figure and month that changed, before and after, with the causes, which add up: orders that arrived later, that count only now or no longer, that are gone, moved to another day or have another value; spend; settings. `orders` and `spend` list the records behind it. Use it when a report says something else than today.",
  input: {
    ...periodic(DEFAULT),
    known_at: {
      kind: "text",
      maxLength: 40,
      required: true,
      description: "The earlier state: an instant (ISO 8601), a day (its end in UTC), or the name of a pin.",
    },
    compared_at: {
      kind: "text",
      maxLength: 40,
      description: "The later state, in the same forms. Default: now.",
    },
    granularity: { kind: "choice", of: ["month", "none"], fallback: "month", description: "By month, or all at once." },
    orders: flag("false", "Whether the result lists the orders behind it, the largest change first."),
    cause: {
      kind: "choice",
      of: ["arrived", "counted", "uncounted", "gone", "moved", "value"],
      description: "Only orders of this cause.",
    },
    spend: flag("false", "Whether the result lists the media spend behind it."),
    ...top(20, 100, "changes, orders or rows of spend"),
  },
  isOfTwoStates: true,
  sections: {
    changes: { endpoint: "/v1/restatements", lists: { data: {} } },
    orders: { endpoint: "/v1/restatements/orders", lists: { data: {} } },
    spend: { endpoint: "/v1/restatements/spend", lists: { data: {} } },
  },
  plan: (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const page = { sent: { ...days(period), limit: text(args.top) }, lists: { data: { top: Number(args.top) } } };
    return {
      period,
      questions: {
        changes: { sent: { ...days(period), granularity: text(args.granularity) } },
        ...(args.orders === "true" ? { orders: { ...page, sent: { ...page.sent, cause: text(args.cause) } } } : {}),
        ...(args.spend === "true" ? { spend: page } : {}),
      },
    };
  },
};
