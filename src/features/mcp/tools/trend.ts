import { answerFields } from "../../../core/contract/answer.ts";
import { elementsOf, type Field, isNumber } from "../../../core/contract/field.ts";
import { periodOf } from "../period.ts";
import { endpointOf } from "../sections.ts";
import type { AnswerTool, Section } from "../tool.ts";
import { ToolError } from "../tool.ts";
import { boundedDays, days, metricsOf, periodic, text, top } from "./common.ts";

const DEFAULT = "last_12_months";

const ENDPOINTS = {
  statement: "/v1/profit/statement",
  profit: "/v1/profitability/metrics-evolution",
  cost_of_goods: "/v1/profitability/cmv-evolution",
  customers: "/v1/profitability/new-vs-recurring",
  new_customers_by_channel: "/v1/acquisition/new-customers",
} as const;

type About = keyof typeof ENDPOINTS;

const figuresIn = (about: About): string[] =>
  Object.entries(elementsOf(answerFields(endpointOf(ENDPOINTS[about])).data as Field))
    .filter(([, field]) => isNumber(field))
    .map(([name]) => name);

const ALL = [...new Set((Object.keys(ENDPOINTS) as About[]).flatMap(figuresIn))];

const MARGIN = ["marginPercent", "marginConfigured", "marginCompleteness", "marginItemStatus"];
const TOTALS = ["integrationId", "refundsOn", "statement", "previousPeriod", "changes"];

const section = (about: About): Section => ({
  endpoint: ENDPOINTS[about],
  without: about === "statement" ? TOTALS : MARGIN,
  chosen: { at: ["data"], of: figuresIn(about) },
  lists: { data: { keep: "last" } },
});

export const trend: AnswerTool = {
  name: "trend",
  title: "Trend of figures",
  description:
    "Figures over time. `about`: `statement`, the lines of the statement of profit by month; `profit`, revenue, orders, spend, CAC and LTV by month; `cost_of_goods`, revenue and cost of goods by day; `customers`, new and returning ones, and `new_customers_by_channel`, each by day up to 92 days, else by month. The latest points remain if there are more than `top`.",
  input: {
    ...periodic(DEFAULT),
    about: {
      kind: "choice",
      of: Object.keys(ENDPOINTS),
      fallback: "statement",
      description: "Which series.",
    },
    metrics: { kind: "list", of: ["all", ...ALL], description: "The figures of each point; the default is all." },
    ...top(60, 400, "points"),
  },
  sections: Object.fromEntries((Object.keys(ENDPOINTS) as About[]).map((about) => [about, section(about)])),
  plan: (call) => {
    const { args } = call;
    const about = String(args.about) as About;
    const period = periodOf(call, DEFAULT);
    const metrics = metricsOf(args.metrics, ["all"]);
    const unknown = [...(metrics ?? [])].filter((name) => !figuresIn(about).includes(name));
    if (unknown.length > 0) {
      const listed = figuresIn(about).join(", ");
      throw new ToolError({
        pt: `\`metrics\`: ${unknown.join(", ")} não existe com \`about\` ${about}. Há: ${listed}.`,
        en: `\`metrics\`: ${unknown.join(", ")} does not exist with \`about\` ${about}. There are: ${listed}.`,
      });
    }
    const own = about === "statement" ? { granularity: "month", compare: "none" } : {};
    const sent = { ...(about === "new_customers_by_channel" ? boundedDays(period) : days(period)), ...own };
    return {
      period,
      questions: { [about]: { sent, metrics, lists: { data: { top: Number(text(args.top)) } } } },
    };
  },
};
