import { answerFields } from "../../../core/contract/answer.ts";
import { isNumber } from "../../../core/contract/field.ts";
import { LINES } from "../../../core/endpoints/profit.ts";
import { periodOf } from "../period.ts";
import { endpointOf } from "../sections.ts";
import type { AnswerTool } from "../tool.ts";
import { compareInput, days, flag, metricsOf, periodic, text, top } from "./common.ts";

const LINE_NAMES = Object.keys(LINES);
const CARDS = "/v1/profitability/cards";
const DEFAULT = "last_30_days";

const INDICATORS = Object.entries(answerFields(endpointOf(CARDS)))
  .filter(([name, field]) => isNumber(field) && name !== "marginPercent")
  .map(([name]) => name);

const USUAL = [
  ..."revenue orders averageTicket contribution investment contributionProfit newCustomers recurringCustomers".split(
    " ",
  ),
  ..."cac ltv ltvCacRatio roi payback".split(" "),
];

export const profitOfAPeriod: AnswerTool = {
  name: "profit_of_a_period",
  title: "Profit of a period",
  description:
    "What remained of what customers paid in a period (`statement`): revenue, refunds, taxes, goods, fees, media spend and fixed costs, line by line down to profit, each with its change since the period compared with; costs that are not known are in `missing`: say so with every total. Then customers, CAC, LTV and payback, by the average margin (`cards`), and why they changed (`bridge`): effects that add up. Use it for questions such as how much was earned, or why profit fell. `break_by` adds the channels, campaigns, products or categories that drove the change; `reconcile` what landed compared with what is counted.",
  input: {
    ...periodic(DEFAULT),
    ...compareInput,
    metrics: {
      kind: "list",
      of: ["all", ...INDICATORS],
      description: `The indicators to return, or \`all\`. Default: ${USUAL.join(", ")}.`,
    },
    why: flag("true", "Whether the result says why revenue and profit changed (`bridge`)."),
    break_by: {
      kind: "choice",
      of: ["origem", "campanha", "produto", "categoria"],
      description: "What the change of revenue is broken down by: channel (`origem`), campaign, product or category.",
    },
    reconcile: flag("false", "Whether the result compares what landed with what is counted (`reconciliation`)."),
    ...top(10, 100, "drivers of the change"),
  },
  sections: {
    // Without what the lines are made of, and without the amounts before, of which `changes` has the differences.
    statement: {
      endpoint: "/v1/profit/statement",
      without: [
        "granularity",
        "integrationId",
        "refundsOn",
        "data",
        ...LINE_NAMES.flatMap((line) => [`statement.${line}.parts`, `previousPeriod.${line}`]),
      ],
    },
    cards: {
      endpoint: CARDS,
      chosen: { at: ["", "previousPeriod", "changes"], of: INDICATORS },
      without: [
        "marginItemStatus",
        "variableCosts",
        "hasAcquisitionClassification",
        "previousPeriod.hasAcquisitionClassification",
      ],
    },
    bridge: {
      endpoint: "/v1/profitability/bridge",
      without: ["marginPercent", "marginConfigured", "marginCompleteness", "marginItemStatus"],
      lists: { drivers: {} },
    },
    reconciliation: { endpoint: "/v1/profitability/reconciliation", lists: { stores: {}, accounts: {}, checks: {} } },
  },
  plan: (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const compare = text(args.compare);
    const breakBy = text(args.break_by);
    const isBridged = args.why === "true" && period.from !== undefined && compare !== "none";
    const asksWhy = args.why === "true" && (breakBy !== undefined || compare !== "none");
    return {
      period,
      questions: {
        statement: { sent: { ...days(period), compare } },
        cards: { sent: { ...days(period), compare }, metrics: metricsOf(args.metrics, USUAL) },
        ...(isBridged
          ? {
              bridge: {
                sent: { ...days(period), compare, breakBy },
                lists: { drivers: { top: Number(args.top) } },
              },
            }
          : {}),
        ...(args.reconcile === "true" ? { reconciliation: { sent: days(period) } } : {}),
      },
      notes:
        asksWhy && !isBridged
          ? ["There is no `bridge`: the whole history, or `compare=none`, has nothing to compare with."]
          : [],
    };
  },
};
