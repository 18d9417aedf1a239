import type { Source } from "../../answers.ts";
import { figure } from "../../format.ts";
import { isOfMargin } from "../../margin.ts";
import { t } from "../../text.ts";

export const channelName = (channel: string): string => t().channels[channel] ?? channel;

export const amount = (value: number): string => figure(value, "currency");
export const count = (value: number): string => figure(value, "count");

const OF_SPEND = ["investment", "impressions", "clicks", "cac", "roi", "ltvCacRatio", "paybackMonths"];

/** The reason for a figure that a channel or campaign does not have. */
export function sourceReason(name: string, source: Source): string {
  const words = t().acquisition;
  if (source.investment === null && OF_SPEND.includes(name)) return t().reason.hidden_spend ?? "";
  // Customers always have a lifetime value, unless no margin is known.
  if (isOfMargin(name) && source.newCustomers > 0 && (source.ltv ?? null) === null) return t().reason.no_margin ?? "";
  if (name === "ltv") return words.noCustomers;
  if (name === "paybackMonths" && (source.investment ?? 0) > 0 && source.newCustomers > 0) return words.notPaid;
  if (source.investment === 0) return source.channel || source.campaignId ? words.noMedia : words.notInFiles;
  return source.newCustomers === 0 ? words.spentForNothing : words.noMediaOrCustomers;
}
