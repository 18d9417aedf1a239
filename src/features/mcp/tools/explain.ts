import type { AnswerTool, Call } from "../tool.ts";
import { ToolError } from "../tool.ts";
import { organizationInput, top } from "./common.ts";

/** Parsed address of a section. */
function parts(address: string): { path: string; sent: Record<string, string | string[]> } {
  const [path = "", query = ""] =
    address
      .replace(/^https?:\/\/[^/?#]+/i, "")
      .split("#", 1)[0]
      ?.split("?") ?? [];
  const sent: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const before = Object.hasOwn(sent, name) ? sent[name] : undefined;
    Object.defineProperty(sent, name, {
      value: before === undefined ? value : [before, value].flat(),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { path, sent };
}

/** A parameter of an address. */
export const parameterIn = (address: string, name: string): string | undefined => {
  const { sent } = parts(address);
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  return typeof value === "string" ? value : undefined;
};

/** Parameters of the explanation itself, or of formats, and what every tool sends by itself. */
const NOT_PASSED = ["organizationId", "knownAt", "endpoint", "figure", "row", "format", "all"];

export const explain: AnswerTool = {
  name: "explain",
  title: "Explain a figure",
  description:
    "How any figure of another tool came about: its value, unit, formula, the inputs of the formula, when it is null, the rules and SQL files, how many orders and rows of spend were used and left out and why, and from which landed exports. Pass the `address` of the section that has the figure, the figure's path in the answer, and for a row of a table its key. An address with `knownAt` is explained as it was known then.",
  input: {
    ...organizationInput,
    address: {
      kind: "text",
      required: true,
      maxLength: 2048,
      description:
        "The `address` of a section of a result, such as `/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28`.",
    },
    figure: {
      kind: "text",
      required: true,
      maxLength: 256,
      description: "The figure, such as `cac`, `previousPeriod.ltv`, `changes.revenue` or `months.3.absolute`.",
    },
    row: {
      kind: "text",
      maxLength: 512,
      description:
        "The row of a table, by its key: a day, a month (`2025-02`), a channel, a campaign, a product; with `breakBy` the value follows after a colon (`2025-01:searchads`).",
    },
    ...top(10, 100, "inputs and sources"),
  },
  sections: {
    explanation: {
      endpoint: "/v1/explain",
      without: ["sql.text"],
      lists: { inputs: {}, sql: {}, sources: {} },
    },
  },
  plan: ({ args, organization }: Call) => {
    const { path, sent } = parts(String(args.address));
    const named = sent.organizationId;
    if (named !== undefined && String(named).toLowerCase() !== organization.id) {
      throw new ToolError({
        pt: "`address` e `organization` nomeiam organizações diferentes.",
        en: "`address` and `organization` name different organizations.",
      });
    }
    const own = Object.fromEntries(Object.entries(sent).filter(([name]) => !NOT_PASSED.includes(name)));
    const row = args.row === null || args.row === undefined ? {} : { row: String(args.row) };
    const rows = { top: Number(args.top) };
    return {
      questions: {
        explanation: {
          sent: { ...own, endpoint: path, figure: String(args.figure), ...row },
          lists: { inputs: rows, sources: rows, sql: rows },
        },
      },
    };
  },
};
