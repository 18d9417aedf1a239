import { signal } from "@preact/signals";

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

/** The fields of a cohort's steps that are contribution, by what the cohorts count. */
const OF_COHORTS: Readonly<Record<string, readonly string[]>> = {
  logo: ["complementary"],
  revenue: ["initialValue", "absolute"],
};

function without(value: Json, isNamed: (name: string) => boolean, isOf = false): Json {
  if (typeof value === "number") return isOf ? null : value;
  if (Array.isArray(value)) return value.map((one) => without(one as Json, isNamed, isOf));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, without(inner, isNamed, isOf || isNamed(name))]),
  );
}

/** Whether the organization's latest answer had no margin: an explanation does not say so itself. */
export const isMarginMissing = signal(false);

interface Envelope {
  readonly marginConfigured?: unknown;
  readonly view?: unknown;
}

/**
 * An answer as the page shows it. Without a margin in the settings the service applies 100 %, and calls revenue
 * contribution; here it is unknown, so that revenue is nowhere shown as profit.
 */
export function withKnownMargin<T>(answer: T): T {
  const { marginConfigured, view } = (answer ?? {}) as Envelope;
  if (typeof marginConfigured !== "boolean") return answer;
  isMarginMissing.value = !marginConfigured;
  if (marginConfigured) return answer;
  const own = OF_COHORTS[String(view)] ?? [];
  return without(answer as Json, (name) => OF_MARGIN.has(name) || own.includes(name)) as T;
}

/** Whether the answer's organization has no margin. */
export const lacksMargin = (answer: unknown): boolean => ((answer ?? {}) as Envelope).marginConfigured === false;
