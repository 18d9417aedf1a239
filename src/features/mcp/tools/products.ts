import { ROOT } from "../../../core/contract/endpoint.ts";
import { ApiError } from "../../../core/contract/error.ts";
import type { Params } from "../../../core/contract/param.ts";
import { metrics } from "../../../core/endpoints/products.ts";
import { periodOf } from "../period.ts";
import { endpointOf } from "../sections.ts";
import type { AnswerTool, Call, Resolved } from "../tool.ts";
import { ToolError } from "../tool.ts";
import { flag, metricsOf, periodic, storeInput, storeOf, text, top } from "./common.ts";

const DEFAULT = "last_30_days";
const LISTING = "/v1/products";
const DETAIL = "/v1/products/:productId";
const SERIES = "/v1/products/:productId/series";

const METRICS = Object.keys(metrics);
const USUAL = [
  ..."grossSales netSales netUnits cogs marginTotal marginAverage newCustomers recurringCustomers".split(" "),
  ..."ltvToDate repurchaseRateToDate availableStock daysOfStock returnRate".split(" "),
];

/** Rows say why a figure is null in their definitions. */
const UNSAID =
  "imageUrl updatedAt inventoryFreshness inventoryUpdatedAt cohortState cohortWindowDays coverage ndReasons".split(" ");

const sorts = endpointOf(LISTING).params.sortBy;
const SORTS = sorts?.kind === "choice" ? sorts.of : [];

const filters: Params = {
  search: { kind: "text", maxLength: 120, description: "Products whose name contains this, ignoring case." },
  status: { kind: "choice", of: ["all", "active", "inactive"], fallback: "all", description: "By the catalog." },
  category_ids: {
    kind: "list",
    most: 50,
    maxLength: 50,
    description: "Products of these categories, directly or below.",
  },
};

/** The days as the parameters of a store. */
function storeDays({ from, to }: Resolved): { dateFrom: string; dateTo: string } {
  if (!from || !to)
    throw new ToolError({
      pt: "Esta ferramenta precisa de um período de no máximo 365 dias, não de `all`.",
      en: "This tool needs a period of at most 365 days, not `all`.",
    });
  return { dateFrom: from, dateTo: to };
}

export const products: AnswerTool = {
  name: "products",
  title: "Products of a store",
  description:
    "The products of a store in a period, sorted: sales, margin, units, customers acquired, LTV, stock and returns of each; on request the categories. Use it for questions such as which products lose money (`sort_by=marginTotal`, `order=asc`), run out of stock (`sort_by=daysOfStock`, `order=asc`) or come back. At most 365 days.",
  input: {
    ...periodic(DEFAULT),
    ...storeInput,
    ...filters,
    sort_by: { kind: "choice", of: SORTS, fallback: "netSales", description: "What decides which come first." },
    order: {
      kind: "choice",
      of: ["desc", "asc"],
      fallback: "desc",
      description: "`asc`: the lowest first. Null comes last.",
    },
    page: {
      kind: "paging",
      least: 1,
      most: 1_000_000_000,
      fallback: 1,
      description: "Page of `top` products, from 1.",
    },
    metrics: {
      kind: "list",
      of: ["all", ...METRICS],
      description: `The figures of each product, or \`all\`. Default: ${USUAL.join(", ")}.`,
    },
    categories: flag("false", "Whether the result has the totals of the categories."),
    ...top(10, 100, "products, and categories,"),
  },
  sections: {
    products: {
      endpoint: LISTING,
      chosen: { at: ["data", "categories"], of: METRICS },
      without: [
        "selectedColumns",
        "availableColumns",
        ...["data", "categories"].flatMap((list) => [...UNSAID, "integrationId"].map((name) => `${list}.${name}`)),
        "data.asOf",
        "categories.asOf",
      ],
      lists: { data: { total: "pagination.total" }, categories: {} },
    },
  },
  plan: async (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const days = storeDays(period);
    const integrationId = await storeOf(call);
    const size = Number(args.top);
    const chosen = metricsOf(args.metrics, USUAL);
    return {
      period,
      questions: {
        products: {
          metrics: chosen,
          sent: {
            ...days,
            integrationId,
            search: text(args.search),
            status: text(args.status),
            categoryIds: text(args.category_ids),
            sortBy: text(args.sort_by),
            sortOrder: text(args.order),
            page: text(args.page),
            pageSize: String(size),
            includeCategories: text(args.categories),
          },
          lists: { categories: { top: size } },
        },
      },
    };
  },
};

interface Row {
  readonly productId: string;
  readonly productName: string | null;
}

const MOST_CHOICES = 10;

/** The id of the product that a call names by its id or, if there is only one, its name. */
async function productOf({ args, ask }: Call, integrationId: string, days: Record<string, string>): Promise<string> {
  const wanted = String(args.product);
  const isThere = await ask(DETAIL, { ...days, integrationId, productId: wanted }).then(
    () => true,
    (error) => {
      if (error instanceof ApiError && (error.kind === "notFound" || isOfId(error))) return false;
      throw error;
    },
  );
  if (isThere) return wanted;
  const sent = { ...days, integrationId, search: wanted, pageSize: "100", includeCategories: "false" };
  const { data } = (await ask(LISTING, sent)) as unknown as { data: readonly Row[] };
  const exact = data.filter(({ productName }) => productName?.trim().toLowerCase() === wanted.trim().toLowerCase());
  const found = exact.length > 0 ? exact : data;
  const [first, ...others] = found;
  if (first && others.length === 0) return first.productId;
  const choices = found.slice(0, MOST_CHOICES).map(({ productId, productName }) => `${productName} (${productId})`);
  throw new ToolError(
    first
      ? {
          pt: `\`product\`: ${found.length} produtos têm este nome; use um id, por exemplo: ${choices.join("; ")}.`,
          en: `\`product\`: ${found.length} products have this name; use an id, such as: ${choices.join("; ")}.`,
        }
      : {
          pt: `\`product\`: não há nenhum produto com o id ou o nome ${wanted}; \`products\` com \`search\` procura por nome.`,
          en: `\`product\`: there is no product of the id or name ${wanted}; \`products\` with \`search\` looks for names.`,
        },
  );
}

/** A name has characters that no id has. */
const isOfId = ({ kind, details }: ApiError): boolean =>
  kind === "invalid" && details.every(({ parameter }) => parameter === "productId");

export const product: AnswerTool = {
  name: "product",
  title: "One product",
  description:
    "Everything about one product in a period: sales, margin, stock, returns, the site's funnel, the customers who entered with it and their retention, products bought together, reasons of returns, channels; on request its sales by day or week. Blocks are independent: each says its own days and state. At most 365 days.",
  input: {
    ...periodic(DEFAULT),
    ...storeInput,
    product: { kind: "text", required: true, maxLength: 256, description: "The product's id, or its name." },
    series: { kind: "choice", of: ["none", "day", "week"], fallback: "none", description: "Sales by day or week." },
    ...top(10, 100, "rows of a block"),
  },
  sections: {
    product: {
      endpoint: DETAIL,
      without: ["summary.imageUrl"],
      lists: Object.fromEntries(blockLists().map((path) => [path, {}])),
    },
    series: {
      endpoint: SERIES,
      lists: { data: { keep: "last" }, "previous.data": { keep: "last" } },
    },
  },
  plan: async (call) => {
    const { args } = call;
    const period = periodOf(call, DEFAULT);
    const days = storeDays(period);
    const integrationId = await storeOf(call);
    const productId = await productOf(call, integrationId, days);
    const sent = { ...days, integrationId, productId };
    const rows = { top: Number(args.top) };
    return {
      period,
      questions: {
        product: { sent, lists: Object.fromEntries(blockLists().map((path) => [path, rows])) },
        ...(args.series === "none" ? {} : { series: { sent: { ...sent, granularity: text(args.series) } } }),
      },
    };
  },
};

/** The lists of the blocks. */
function blockLists(): string[] {
  const { [ROOT]: _, ...blocks } = endpointOf(DETAIL).parts;
  return Object.entries(blocks).flatMap(([name, { fields }]) =>
    Object.entries(fields).flatMap(([field, { unit }]) =>
      typeof unit === "object" && "array" in unit ? [`${name}.${field}`] : [],
    ),
  );
}
