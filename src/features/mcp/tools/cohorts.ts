import { answerFields } from "../../../core/contract/answer.ts";
import { COHORT_BREAKS } from "../../../core/contract/attributes.ts";
import { elementsOf, type Field, isNumber } from "../../../core/contract/field.ts";
import { periodOf } from "../period.ts";
import { endpointOf } from "../sections.ts";
import type { AnswerTool } from "../tool.ts";
import { ToolError } from "../tool.ts";
import { days, knownInput, organizationInput, periodic, text, top } from "./common.ts";

const DEFAULT = "all";
const COHORT = "/v1/profitability/cohort";
const PAYBACK = "/v1/profitability/payback";

const numbersOf = (path: string): string[] =>
  Object.entries(elementsOf(answerFields(endpointOf(path)).data as Field))
    .filter(([, field]) => isNumber(field))
    .map(([name]) => name);

const SORTS: Readonly<Record<string, readonly string[]>> = {
  retention: numbersOf(COHORT),
  payback: numbersOf(PAYBACK),
};
/** The figure by which rows matter most. */
const LARGEST: Readonly<Record<string, string>> = { retention: "firstPurchaseCustomers", payback: "customers" };

export const cohorts: AnswerTool = {
  name: "cohorts",
  title: "Cohorts: retention, LTV, payback",
  description:
    "Customers by the month (week, quarter, year) of their first purchase. `about=retention`: how many came back or what they brought in, by step since, with LTV, CAC, ROI and repurchase of each row. `about=payback`: what each month's customers have brought in since against what they cost, with the months until it paid back. `break_by` gives one row per cohort and channel (`origem`), campaign, store (`loja`), coupon, product, category, brand (`marca`), state (`estado`), city (`cidade`) or way of paying (`pagamento`) of the first purchase, or per pair of two of them (`origem,pagamento`). Use `acquisition` for the payback of a channel as a whole.",
  input: {
    ...periodic(DEFAULT),
    about: { kind: "choice", of: ["retention", "payback"], fallback: "retention", description: "Which cohorts." },
    break_by: {
      kind: "crossing",
      of: COHORT_BREAKS,
      description: "The attribute of the first purchase; with `payback` not `produto`, `categoria` or `marca`.",
    },
    view: {
      kind: "choice",
      of: ["revenue", "logo"],
      fallback: "revenue",
      description: "Whether cells of retention count revenue × margin or customers (`logo`).",
    },
    group_by: {
      kind: "choice",
      of: ["month", "quarter", "year", "week"],
      fallback: "month",
      description: "Length of a cohort and of its steps; payback is always by month.",
    },
    sort_by: {
      kind: "choice",
      of: [...new Set(Object.values(SORTS).flat())],
      description:
        "Which rows come first. Default: the latest cohorts; with `break_by` the rows with the most customers.",
    },
    order: {
      kind: "choice",
      of: ["desc", "asc"],
      fallback: "desc",
      description: "`asc`: the lowest first. Null comes last.",
    },
    steps: {
      kind: "paging",
      least: 1,
      most: 60,
      fallback: 13,
      description: "How many steps of each row, from step 0.",
    },
    ...top(12, 100, "rows"),
  },
  sections: {
    retention: {
      endpoint: COHORT,
      without: ["marginConfigured", "marginCompleteness", "marginItemStatus"],
      lists: { data: { keep: "last" } },
    },
    payback: {
      endpoint: PAYBACK,
      without: ["marginConfigured", "marginCompleteness", "marginItemStatus"],
      lists: { data: { keep: "last" }, average: {} },
    },
  },
  plan: (call) => {
    const { args } = call;
    const about = String(args.about);
    const period = periodOf(call, DEFAULT);
    const breakBy = text(args.break_by);
    const sortBy = text(args.sort_by) ?? (breakBy ? LARGEST[about] : undefined);
    if (sortBy && !SORTS[about]?.includes(sortBy)) {
      throw new ToolError({
        pt: `\`sort_by\`: ${sortBy} não existe com \`about\` ${about}. Há: ${SORTS[about]?.join(", ")}.`,
        en: `\`sort_by\`: ${sortBy} does not exist with \`about\` ${about}. There are: ${SORTS[about]?.join(", ")}.`,
      });
    }
    const steps = { top: Number(args.steps) };
    const cut = { top: Number(args.top), sortBy, order: args.order === "asc" ? "asc" : "desc" } as const;
    return {
      period,
      questions:
        about === "payback"
          ? {
              payback: {
                sent: { ...days(period), breakBy },
                lists: { data: cut, average: steps, "data.points": steps },
              },
            }
          : {
              retention: {
                sent: { ...days(period), breakBy, view: text(args.view), groupBy: text(args.group_by) },
                lists: { data: cut, "data.months": steps },
              },
            },
    };
  },
};

/** A tool of its own: it takes no period, and nothing of a projection may be taken for what happened. */
export const forecast: AnswerTool = {
  name: "forecast",
  title: "Forecast of the customers' purchases",
  description:
    "Projection of what the customers acquired so far will buy in the 13, 26 and 52 weeks after the last day with an order: purchases, revenue, contribution, predicted LTV, in total and by the month of the first order, with a test of the projection against the last 26 weeks and its confidence. It is a projection; all other tools return what happened.",
  input: { ...organizationInput, ...knownInput, ...top(12, 200, "months") },
  sections: {
    forecast: {
      endpoint: "/v1/profitability/forecast",
      without: ["model", "holdOut.byFrequency", "marginConfigured", "marginCompleteness", "marginItemStatus"],
      lists: { data: { keep: "last" } },
    },
  },
  plan: ({ args }) => ({ questions: { forecast: { sent: {}, lists: { data: { top: Number(args.top) } } } } }),
};
