import { ORDER_ATTRIBUTE_NAMES } from "../../../core/contract/attributes.ts";
import { CHANNELS } from "../../../core/contract/channel.ts";
import { periodOf } from "../period.ts";
import type { AnswerTool } from "../tool.ts";
import { compareInput, days, periodic, storeOf, text, top } from "./common.ts";

const DEFAULT = "last_30_days";

export const breakdown: AnswerTool = {
  name: "breakdown",
  title: "A period by what its orders carry",
  description:
    "Orders of a period by one attribute or by two, such as store, way of paying, state or hour: of each value revenue, orders, new customers, repeat orders and what they leave before media, with those of the period compared with; the largest revenue first, and `total`. Use it for questions such as in which states customers who pay by Pix come back (`by=payment_group,state`, `recurringOrders`).",
  input: {
    ...periodic(DEFAULT),
    by: {
      kind: "crossing",
      of: ORDER_ATTRIBUTE_NAMES,
      required: true,
      description: "What the orders are broken down by.",
    },
    ...compareInput,
    store: { kind: "text", maxLength: 200, description: "Only this store, by its id or name." },
    channel: { kind: "choice", of: CHANNELS, description: "Only orders that came by this channel." },
    ...top(20, 200, "values"),
  },
  sections: {
    breakdown: { endpoint: "/v1/profitability/breakdown", isFiltered: true, without: ["meta"], lists: { data: {} } },
  },
  plan: async (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const sent = {
      ...days(period),
      by: text(args.by),
      compare: text(args.compare),
      integrationId: args.store === null ? undefined : await storeOf(call),
      channel: text(args.channel),
      limit: "5000",
    };
    return { period, questions: { breakdown: { sent, lists: { data: { top: Number(text(args.top)) } } } } };
  },
};
