import { array, choice, count, flag, number, orNull, text } from "../../../core/contract/field.ts";
import { organizations } from "../../../core/endpoints/organizations.ts";
import { KNOWN_AT, thenOf } from "../known.ts";
import { resolveOrganization } from "../organization.ts";
import { type Figure, figuresOf } from "../sections.ts";
import type { AnswerTool, Listed, OtherTool, View } from "../tool.ts";
import { ToolError } from "../tool.ts";
import { knownInput, organizationInput, text as sentText, top } from "./common.ts";

export const listOrganizations: OtherTool = {
  name: "list_organizations",
  title: "List organizations",
  description:
    "The organizations that these credentials may read: id, name, currency, time zones, the first and the last day with data, connectors and their freshness. Call it first if there may be several.",
  input: {
    search: {
      kind: "text",
      maxLength: 200,
      description: "Only organizations whose id or name contains this, ignoring case.",
    },
    ...top(20, 200, "organizations"),
  },
  lists: ["organizations"],
  output: {
    organizations: array(
      {
        id: text("Id."),
        name: text("Name."),
        state: choice(["ready", "preparing"], "`preparing`: its data cannot be read now."),
        ...organizations.entry.fields,
      },
      "The organizations, in the order of their names.",
    ),
    total: count("How many there are."),
  },
  run: async (args, backend) => {
    const all = await backend.names();
    const wanted = sentText(args.search)?.toLowerCase() ?? "";
    const found = all.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted));
    const shown = found.slice(0, Number(args.top)).map(({ id }) => id);
    return { organizations: await backend.organizations(shown), total: found.length };
  },
};

/** The words of a search that a figure has, and where: its name counts most, or that of the line or indicator that it is of. */
function score({ name, path, tool, field }: Figure, words: readonly string[]): number {
  const within = `${path} ${tool} ${field.description} ${field.formula ?? ""} ${String(field.unit)}`.toLowerCase();
  const own = name.toLowerCase();
  const of = path.split(".").at(-2)?.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (own === word || of === word) sum += 20;
    else if (own.includes(word)) sum += 6;
    else if (within.includes(word)) sum += 1;
    else return 0;
  }
  // A figure of the answer itself comes before the same figure of its parts.
  return sum - path.split(".").length / 10;
}

/** The search over the figures of these tools. */
export function describeMetrics(tools: readonly AnswerTool[]): OtherTool {
  const figures = tools.flatMap(figuresOf);
  return {
    name: "describe_metrics",
    title: "Describe metrics",
    description:
      "What a metric means: its unit, formula, when it is null, and which tool and endpoint return it. Search by name or by words, such as `payback`, `returning customers` or `media spend`. Costs nothing: it reads no data.",
    input: {
      search: {
        kind: "text",
        required: true,
        maxLength: 200,
        description: "A name, or words of the meaning, in English.",
      },
      tool: { kind: "choice", of: tools.map(({ name }) => name), description: "Only metrics of this tool." },
      ...top(8, 50, "metrics"),
    },
    lists: ["metrics"],
    output: {
      metrics: array(
        {
          metric: text("Its name."),
          tool: text("The tool that returns it."),
          at: text("Where in the result."),
          endpoint: text("The endpoint that computes it."),
          unit: text("Its unit."),
          description: text("Its meaning."),
          formula: orNull(text("How it is computed."), "it has none"),
          nullWhen: text("When it is null, or `never`."),
        },
        "The metrics, the best match first.",
      ),
      total: count("How many match."),
    },
    run: async (args) => {
      const words = String(args.search)
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean);
      const found = figures
        .filter(({ tool }) => args.tool === null || tool === args.tool)
        .map((figure) => ({ figure, score: score(figure, words) }))
        .filter(({ score: points }) => points > 0)
        .sort((a, b) => b.score - a.score);
      if (found.length === 0) {
        throw new ToolError({
          pt: `Nenhuma métrica corresponde a ${words.join(" ")}; tente uma palavra só, em inglês.`,
          en: `No metric matches ${words.join(" ")}; try a single word, in English.`,
        });
      }
      return { metrics: found.slice(0, Number(args.top)).map(({ figure }) => described(figure)), total: found.length };
    },
  };
}

const described = ({ name, tool, section, path, endpoint, field }: Figure) => ({
  metric: name,
  tool,
  at: `${section}.${path}`,
  endpoint,
  unit: String(field.unit),
  description: field.description,
  formula: field.formula ?? null,
  nullWhen: field.nullWhen ?? "never",
});

const MOST_SQL_ROWS = 1000;

export const sql: OtherTool = {
  name: "sql",
  title: "Query the views in SQL",
  description:
    "One read-only query in DuckDB's SQL over the views of one organization (`describe_views` lists them), for questions that no other tool answers. Prefer the other tools: their figures follow the documented definitions, those of a query are its own. Limits: rows, memory and a few seconds; no files, no settings, no other organization.",
  input: {
    ...organizationInput,
    ...knownInput,
    query: {
      kind: "text",
      required: true,
      maxLength: 20_000,
      description: "One `select`. Aggregate in the query: the result has at most 25 kB.",
    },
    rows: { kind: "paging", least: 1, most: MOST_SQL_ROWS, fallback: 100, description: "How many rows at most." },
  },
  lists: ["rows"],
  output: {
    organization: text("Id of the organization."),
    ...KNOWN_AT,
    columns: array({ name: text("Name."), type: text("DuckDB's type.") }, "The columns, in order."),
    rows: { unit: "lists", description: "The rows: a list of values each, in the order of the columns." },
    truncated: flag("Whether the query has more rows than were asked for."),
    milliseconds: number("How long it ran."),
  },
  run: async (args, backend) => {
    const organization = await resolveOrganization(backend, sentText(args.organization));
    const then = await thenOf(backend, organization.id, args.known_at);
    const { columns, rows, truncated, milliseconds } = await backend.query(organization.id, {
      sql: String(args.query),
      rows: Number(args.rows),
      knownAt: then?.asked,
    });
    return {
      organization: organization.id,
      ...(then ? { knownAt: then.knownAt } : {}),
      columns,
      rows: [...rows],
      truncated,
      milliseconds: Math.round(milliseconds),
      notes: [
        "Figures of a query have no declared unit or definition. Money is in the organization's currency, days are in the store's time zone, instants in UTC.",
        ...freshness(then ?? organization),
      ],
    };
  },
};

const freshness = ({ currency, lastDay }: Pick<Listed, "currency" | "lastDay">): string[] => [
  ...(currency ? [`Currency: ${currency}.`] : []),
  ...(lastDay ? [`Last day with an order: ${lastDay}.`] : []),
];

export const describeViews: OtherTool = {
  name: "describe_views",
  title: "Describe the views for sql",
  description:
    "The views that `sql` may read, each with what a row of it is; with `view`, its columns and their types.",
  input: {
    ...organizationInput,
    view: { kind: "text", maxLength: 100, description: "The view whose columns are listed." },
  },
  lists: ["views", "columns"],
  output: {
    views: array({ name: text("Its name."), grain: text("What a row is.") }, "The views."),
    columns: {
      ...array({ name: text("Its name."), type: text("DuckDB's type.") }, "The columns of the view, in order."),
      presentWhen: "`view` is sent",
    },
  },
  run: async (args, backend) => {
    const wanted = sentText(args.view);
    if (wanted === undefined) return { views: backend.views };
    const view = backend.views.find(({ name }) => name === wanted.toLowerCase());
    if (!view) {
      const listed = backend.views.map(({ name }) => name).join(", ");
      throw new ToolError({
        pt: `\`view\`: ${wanted} não existe. Há: ${listed}.`,
        en: `\`view\`: ${wanted} does not exist. There are: ${listed}.`,
      });
    }
    const organization = await resolveOrganization(backend, sentText(args.organization));
    return { views: [view], columns: await columnsOf(backend, organization.id, view) };
  },
};

/** The name is a declared one. */
async function columnsOf(backend: Parameters<OtherTool["run"]>[1], organization: string, { name }: View) {
  const { columns } = await backend.query(organization, { sql: `select * from ${name} limit 0`, rows: 1 });
  return columns;
}
