/** The figures that the margin of the settings is in. */
const OF_MARGIN: ReadonlySet<string> = new Set([
  "marginPercent",
  "contribution",
  "contributionProfit",
  "blendedContribution",
  "ltv",
  "ltvLifetime",
  "retentionLtv",
  "ltvCacRatio",
  "ltvToDate",
  "ltvPredicted",
  "clv",
  "roi",
  "payback",
  "paybackMonths",
  "paidBackPct",
  "perCustomer",
  "lower",
  "upper",
  "acquisitionContribution",
  "acquisitionLtv",
  "acquisitionAvgLtv",
  "acquisitionLtvCacRatio",
  "acquisitionRoi",
  "brandContribution",
  "brandRoi",
  "monetizationContribution",
  "monetizationRoi",
  "directMargin",
  "totalMargin",
  "additionalMargin",
]);

export const isOfMargin = (name: string): boolean => OF_MARGIN.has(name);

type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

function without(value: Json, isOf: boolean): Json {
  if (typeof value === "number") return isOf ? null : value;
  if (Array.isArray(value)) return value.map((one) => without(one as Json, isOf));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, without(inner, isOf || OF_MARGIN.has(name))]),
  );
}

/**
 * An answer as the page shows it. Without a margin in the settings the service applies 100 %, and calls revenue
 * contribution; here it is unknown, so that revenue is nowhere shown as profit.
 */
export function withKnownMargin<T>(answer: T): T {
  const { marginConfigured } = (answer ?? {}) as { readonly marginConfigured?: unknown };
  return marginConfigured === false ? (without(answer as Json, false) as T) : answer;
}

/** Whether the answer's organization has no margin. */
export const lacksMargin = (answer: unknown): boolean =>
  ((answer ?? {}) as { readonly marginConfigured?: unknown }).marginConfigured === false;
