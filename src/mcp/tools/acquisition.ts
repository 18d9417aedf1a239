import { answerFields } from "../../contract/answer.ts";
import { elementsOf, type Field, isNumber } from "../../contract/field.ts";
import { periodOf } from "../period.ts";
import { endpointOf } from "../sections.ts";
import type { AnswerTool } from "../tool.ts";
import { boundedDays, compareInput, flag, periodic, sorting, text, top } from "./common.ts";

const DEFAULT = "last_30_days";
const CHANNELS = "/v1/acquisition/channels";
const MARGIN = ["marginPercent", "marginConfigured", "marginCompleteness", "marginItemStatus"];

const SORTS = Object.entries(elementsOf(answerFields(endpointOf(CHANNELS)).data as Field))
  .filter(([, field]) => isNumber(field))
  .map(([name]) => name);

export const acquisition: AnswerTool = {
  name: "acquisition",
  title: "Acquisition: channels and campaigns",
  description:
    "Cost and results of acquiring customers: a summary with its change, and each channel and campaign with spend, orders, revenue, new customers, CAC, LTV, LTV/CAC, ROI and months to payback. Use it for questions such as which channel pays back fastest (`sort_by=paybackMonths`, `order=asc`) or which campaign lost money (`sort_by=roi`, `order=asc`). At most 366 days.",
  input: {
    ...periodic(DEFAULT),
    ...compareInput,
    channels: flag("true", "Whether the result has the channels."),
    campaigns: flag("true", "Whether the result has the campaigns."),
    ...sorting(SORTS, "investment"),
    ...top(10, 100, "channels, and campaigns,"),
  },
  sections: {
    summary: {
      endpoint: "/v1/acquisition/summary",
      without: ["marginConfigured", "marginCompleteness", "marginItemStatus"],
    },
    channels: { endpoint: CHANNELS, without: MARGIN, lists: { data: {} } },
    campaigns: { endpoint: "/v1/acquisition/campaigns", without: MARGIN, lists: { data: {} } },
  },
  plan: (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const sent = boundedDays(period);
    const order = args.order === "asc" ? "asc" : "desc";
    const question = { sent, lists: { data: { top: Number(args.top), sortBy: text(args.sort_by), order } } } as const;
    return {
      period,
      questions: {
        summary: { sent: { ...sent, compare: text(args.compare) } },
        ...(args.channels === "true" ? { channels: question } : {}),
        ...(args.campaigns === "true" ? { campaigns: question } : {}),
      },
    };
  },
};
