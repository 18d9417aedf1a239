import { answerFields } from "../../../core/contract/answer.ts";
import { CHANNELS as CHANNEL_NAMES } from "../../../core/contract/channel.ts";
import { elementsOf, type Field, isNumber } from "../../../core/contract/field.ts";
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
    "Cost and results of acquiring customers: a summary with its change, and each channel and campaign with spend, orders, revenue, new customers, CAC, LTV, LTV/CAC, ROI and months to payback. Use it for questions such as which channel pays back fastest (`sort_by=paybackMonths`, `order=asc`) which campaign lost money (`contribution=campanha`: after the cost of goods, the largest loss first), and on which products (`products_of_campaign`). At most 366 days.",
  input: {
    ...periodic(DEFAULT),
    ...compareInput,
    channels: flag("true", "Whether the result has the channels."),
    campaigns: flag("true", "Whether the result has the campaigns."),
    contribution: {
      kind: "choice",
      of: ["none", "campanha", "origem"],
      fallback: "none",
      description:
        "What each campaign (`campanha`) or channel (`origem`) earned or lost after costs and spend, the largest loss first.",
    },
    products_of_campaign: {
      kind: "text",
      maxLength: 500,
      description:
        "Adds the products in the orders of this campaign, by its id (`breakKey` of `contribution`); the lowest margin after ads first.",
    },
    products_of_channel: {
      kind: "choice",
      of: CHANNEL_NAMES,
      description: "The same of this channel; with a campaign, of its orders of this channel.",
    },
    ...sorting(SORTS, "investment"),
    ...top(10, 100, "channels, campaigns, products,"),
  },
  sections: {
    summary: {
      endpoint: "/v1/acquisition/summary",
      without: ["marginConfigured", "marginCompleteness", "marginItemStatus"],
    },
    channels: { endpoint: CHANNELS, without: MARGIN, lists: { data: {} } },
    campaigns: { endpoint: "/v1/acquisition/campaigns", without: MARGIN, lists: { data: {} } },
    contribution: { endpoint: "/v1/acquisition/contribution", without: MARGIN.slice(1), lists: { data: {} } },
    products: {
      endpoint: "/v1/acquisition/products",
      without: [...MARGIN, "page", "limit", "hasNextPage", "data.imageUrl"],
      lists: { data: { total: "total.products" } },
    },
  },
  plan: (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const sent = boundedDays(period);
    const order = args.order === "asc" ? "asc" : "desc";
    const size = Number(args.top);
    const [campaignId, channel] = [text(args.products_of_campaign), text(args.products_of_channel)];
    const question = { sent, lists: { data: { top: size, sortBy: text(args.sort_by), order } } } as const;
    return {
      period,
      questions: {
        summary: { sent: { ...sent, compare: text(args.compare) } },
        ...(args.channels === "true" ? { channels: question } : {}),
        ...(args.campaigns === "true" ? { campaigns: question } : {}),
        ...(args.contribution === "none"
          ? {}
          : { contribution: { sent: { ...sent, breakBy: text(args.contribution) }, lists: { data: { top: size } } } }),
        ...(campaignId || channel
          ? {
              products: {
                sent: { ...sent, campaignId, channel, sortBy: "marginAfterAds", sortOrder: "asc", limit: String(size) },
              },
            }
          : {}),
      },
    };
  },
};
