import { daysBetween } from "../../core/time/days.ts";
import { isLoss, lossOf, type Result } from "./loss.ts";

// What needs action: rules over answers of the API, for the Explorer and for letters.

/** The targets of the settings; amounts are those of a period. */
export interface Targets {
  readonly cac: number | null;
  readonly ltvCacRatio: number | null;
  readonly margin: number | null;
  readonly revenue: number | null;
  readonly contribution3: number | null;
  readonly profit: number | null;
}

export const NO_TARGETS: Targets = {
  cac: null,
  ltvCacRatio: null,
  margin: null,
  revenue: null,
  contribution3: null,
  profit: null,
};

/** What is read of `/v1/profitability/cards`. */
export interface CardFacts {
  readonly revenue: number;
  readonly investment: number | null;
  readonly unclassifiedInvestment: number | null;
  readonly newCustomers: number;
  readonly cac: number | null;
  readonly ltvCacRatio: number | null;
  readonly marginPercent: number | null;
  readonly marginConfigured: boolean;
  readonly hasAcquisitionClassification: boolean;
  readonly conversionRate: number | null;
  readonly filters?: unknown;
}

interface LineFacts {
  readonly amount: number | null;
  readonly source?: string | null;
}

/** What is read of `/v1/profit/statement`. The answer lacks lines that a share does not have. */
export interface StatementFacts {
  readonly statement: {
    readonly revenue: LineFacts;
    readonly contribution3: LineFacts;
    readonly fixed?: LineFacts;
    readonly profit?: LineFacts;
  };
  readonly filters?: unknown;
  readonly missing: readonly {
    readonly item: string;
    readonly revenue: number | null;
    readonly units: number | null;
  }[];
}

/** What is read of an integration in `/v1/organizations`. */
export interface SourceFacts {
  readonly connector: string;
  readonly name: string | null;
  readonly newestDay: string | null;
}

/** The answers that advice is read off. Undefined: not asked, not answered yet, or refused. */
export interface Facts {
  readonly cards?: CardFacts | undefined;
  readonly statement?: StatementFacts | undefined;
  /** What each campaign earned or lost. */
  readonly results?: { readonly rows: readonly Result[]; readonly investment: number | null } | undefined;
  /** Of each store the products that sell most, and the days that they have sold in. */
  readonly products?: readonly BestSellers[] | undefined;
  readonly connectors: readonly SourceFacts[];
  readonly targets: Targets;
  /** The last day that should have data: yesterday. */
  readonly yesterday: string;
}

export interface BestSellers {
  /** The id of the store. */
  readonly store: string;
  /** What it is called, if there are others. */
  readonly storeName?: string | undefined;
  readonly rows: readonly Product[];
  readonly days: number;
}

/** What is read of a product in `/v1/products`. */
export interface Product {
  readonly productId: string;
  readonly productName: string | null;
  readonly daysOfStock?: number | null;
  readonly netSales?: number | null;
}

/** The pages of the Explorer that an advice leads to. */
type View = "overview" | "acquisition" | "products" | "data";

/** Something to do, or to know about a figure. `ACTION_WORDS` has a sentence for each name. */
export type Advice = {
  readonly view: View;
  readonly args?: Readonly<Record<string, string>>;
  /** `fire`: costs money now. `gap`: a figure is less certain than it could be. */
  readonly is: "fire" | "gap";
  /** The money at stake, which orders what is urgent. */
  readonly stake?: number;
  /** The store that it is about, if there are others. */
  readonly storeName?: string | undefined;
} & (
  | { readonly name: "losing"; readonly campaigns: readonly Result[] }
  | { readonly name: "target"; readonly figure: keyof Targets; readonly value: number; readonly target: number }
  | { readonly name: "stock"; readonly products: readonly Product[]; readonly days: number }
  | { readonly name: "stale"; readonly sources: readonly { readonly name: string; readonly days: number }[] }
  | { readonly name: "unclassified"; readonly amount: number; readonly share: number }
  | { readonly name: "unclassifiable" }
  | { readonly name: "goods"; readonly amount: number; readonly units: number }
  | {
      readonly name: "costs";
      readonly amount: number;
      readonly items: readonly string[];
      /** What is left is not known anyway. */
      readonly isLeftUnknown?: true;
    }
  | { readonly name: "margin" }
  | { readonly name: "media" }
  | { readonly name: "funnel" }
  | { readonly name: "unmatched"; readonly labels: readonly string[] }
);

/** Stock is scarce if it ends within so many days: about what a delivery takes. */
export const SCARCE_DAYS = 14;
/** Data are stale if the last day is older than this: yesterday's may still be on their way. */
export const STALE_DAYS = 2;
/** Tables of one's own land when something in them changes: they are never late. */
export const isNeverLate = ({ connector }: { readonly connector: string }): boolean => connector === "finance";
/** Parts of less than this are not worth a line. */
const LEAST_SHARE = 0.01;
/** The cards that say what to do about a gap. */
const AT_STATEMENT = { at: "statement" };
const AT_FINDINGS = { at: "findings" };

type Rule = (facts: Facts) => Advice | undefined | readonly Advice[];

/** The rules, the most urgent first. Each is a condition over answers of the API. */
export const RULES: readonly Rule[] = [
  ({ results }) => {
    if (!results) return undefined;
    const campaigns = results.rows
      .filter((row) => row.breakKey !== null && isLoss(row, results.investment))
      .toSorted((a, b) => lossOf(b) - lossOf(a) || nameOf(a).localeCompare(nameOf(b)));
    const stake = campaigns.reduce((sum, row) => sum + lossOf(row), 0);
    const args = { result: "loss", at: "results" };
    return campaigns.length > 0
      ? { name: "losing", is: "fire", view: "acquisition", args, campaigns, stake }
      : undefined;
  },
  ({ cards, statement, targets }) => (cards ? missedTargets(cards, statement, targets) : undefined),
  ({ products, cards }) => products?.flatMap((ofStore) => scarceOf(ofStore, cards) ?? []),
  ({ connectors, yesterday }) => {
    const late = connectors.filter((one) => !isNeverLate(one));
    const sources = late.flatMap(({ name, connector, newestDay }) => {
      const days = newestDay === null ? 0 : daysBetween(newestDay, yesterday);
      return days > STALE_DAYS ? [{ name: name ?? connector, days }] : [];
    });
    return sources.length > 0
      ? {
          name: "stale",
          is: "gap",
          view: "data",
          args: { at: "integrations" },
          sources: sources.toSorted((a, b) => b.days - a.days),
        }
      : undefined;
  },
  ({ statement }) => {
    const goods = statement?.missing.find(({ item }) => item === "goods");
    const { units, revenue } = goods ?? {};
    return goods && units && revenue !== null && revenue !== undefined
      ? { name: "goods", is: "gap", view: "overview", args: AT_STATEMENT, amount: revenue, units }
      : undefined;
  },
  ({ statement }) => {
    const revenue = statement?.statement.revenue.amount ?? 0;
    const missing = (statement?.missing ?? []).filter(
      (one) => one.item !== "goods" && (one.revenue === null || one.revenue >= revenue * LEAST_SHARE),
    );
    const amount = Math.max(0, ...missing.map((one) => one.revenue ?? 0));
    const items = missing.map(({ item }) => item);
    const unknown = statement?.statement.contribution3?.amount === null ? { isLeftUnknown: true as const } : {};
    return items.length > 0
      ? { name: "costs", is: "gap", view: "overview", args: AT_STATEMENT, amount, items, ...unknown }
      : undefined;
  },
  ({ cards }) =>
    cards && !cards.marginConfigured ? { name: "margin", is: "gap", view: "data", args: AT_FINDINGS } : undefined,
  ({ cards }) => (cards && cards.investment === 0 ? { name: "media", is: "gap", view: "data" } : undefined),
  ({ cards }) => {
    // The spend of a store may be unknown.
    if (!cards?.investment) return undefined;
    if (!cards.hasAcquisitionClassification) return { name: "unclassifiable", is: "gap", view: "acquisition" };
    const amount = cards.unclassifiedInvestment ?? 0;
    const share = amount / cards.investment;
    return share >= LEAST_SHARE
      ? {
          name: "unclassified",
          is: "gap",
          view: "acquisition",
          args: { strategy: "unclassified", at: "campaigns" },
          amount,
          share,
        }
      : undefined;
  },
  ({ results }) => {
    // A campaign that only orders name belongs to no ad account.
    const labels = (results?.rows ?? [])
      .filter(({ breakKey, connector, orders }) => breakKey !== null && connector === null && orders > 0)
      .toSorted((a, b) => b.revenue - a.revenue || nameOf(a).localeCompare(nameOf(b)))
      .map(nameOf);
    return labels.length > 0
      ? { name: "unmatched", is: "gap", view: "acquisition", args: { strategy: "unmatched", at: "campaigns" }, labels }
      : undefined;
  },
  ({ cards }) =>
    // Visits are of no store and of no channel.
    cards && !cards.filters && cards.conversionRate === null
      ? { name: "funnel", is: "gap", view: "data", args: AT_FINDINGS }
      : undefined,
];

/** What the rules say of these answers: first what is urgent, by the money at stake, then what the figures lack. */
export function adviceOn(facts: Facts): readonly Advice[] {
  const all = RULES.flatMap((rule) => rule(facts) ?? []);
  const urgent = all.filter((one) => one.is === "fire").toSorted((a, b) => (b.stake ?? 0) - (a.stake ?? 0));
  return [...urgent, ...all.filter((one) => one.is === "gap")];
}

/** The products of a store that sell much and run out soon. */
function scarceOf({ store, storeName, rows, days }: BestSellers, cards: CardFacts | undefined): Advice | undefined {
  const products = rows
    .filter(({ daysOfStock }) => daysOfStock !== null && daysOfStock !== undefined && daysOfStock <= SCARCE_DAYS)
    .toSorted((a, b) => (b.netSales ?? 0) - (a.netSales ?? 0) || a.productId.localeCompare(b.productId));
  const [only, ...others] = products;
  if (!only) return undefined;
  const sold = products.reduce((sum, { netSales }) => sum + (netSales ?? 0), 0);
  if (cards && sold < cards.revenue * LEAST_SHARE) return undefined;
  const stake = products.reduce((sum, product) => sum + missedSales(product, days), 0);
  const args = { store, ...(others.length === 0 ? { product: only.productId } : { list: "restock" }) };
  return { name: "stock", is: "fire", view: "products", args, storeName, products, days: SCARCE_DAYS, stake };
}

const nameOf = ({ breakLabel, breakKey }: Result): string => breakLabel ?? breakKey ?? "";

/** What a product would have sold in the days until a delivery for which its stock does not last. */
const missedSales = ({ netSales, daysOfStock }: Product, days: number): number =>
  ((netSales ?? 0) / days) * (SCARCE_DAYS - Math.max(0, daysOfStock ?? 0));

/** Whether the profit is known: somebody has said what costs are fixed, or that there are none. */
export function knowsFixed({ statement, filters }: Pick<StatementFacts, "statement" | "filters">): boolean {
  // What is fixed is of the whole organization; shares have a profit only if it is known.
  if (filters || statement.profit === undefined) return false;
  const { fixed } = statement;
  return fixed === undefined || (fixed.source !== null && fixed.source !== "pending");
}

const TARGETS = ["revenue", "contribution3", "profit", "margin", "cac", "ltvCacRatio"] as const;
const isLeft = (figure: keyof Targets): boolean => figure === "contribution3" || figure === "profit";

/** The targets that a period misses. A figure that is not known misses no target. */
function missedTargets(cards: CardFacts, statement: StatementFacts | undefined, targets: Targets): readonly Advice[] {
  const { newCustomers, revenue, cac, ltvCacRatio, marginPercent } = cards;
  const investment = cards.investment ?? 0;
  const leftOf = (line: "contribution3" | "profit"): number | null =>
    statement && targets[line] !== null && (line !== "profit" || knowsFixed(statement))
      ? (statement.statement[line]?.amount ?? null)
      : null;
  const hasCost = investment > 0 && newCustomers > 0;
  const values = {
    revenue,
    contribution3: leftOf("contribution3"),
    profit: leftOf("profit"),
    margin: marginPercent,
    cac: hasCost ? cac : null,
    ltvCacRatio: hasCost ? ltvCacRatio : null,
  } as const;
  return TARGETS.flatMap((figure): Advice[] => {
    const [value, target] = [values[figure], targets[figure]];
    if (value === null || target === null) return [];
    const isMissed = figure === "cac" ? value > target : value < target;
    const view =
      figure === "cac" || figure === "ltvCacRatio" ? "acquisition" : isLeft(figure) ? "overview" : "products";
    const stake = {
      revenue: target - value,
      contribution3: target - value,
      profit: target - value,
      margin: ((target - value) / 100) * revenue,
      cac: (value - target) * newCustomers,
      ltvCacRatio: (target - value) * investment,
    }[figure];
    const args = isLeft(figure) ? AT_STATEMENT : {};
    return isMissed ? [{ name: "target", is: "fire", view, args, figure, value, target, stake }] : [];
  });
}

const DAY_MS = 86_400_000;
/**
 * The target of a period's amount: each day has the month's target divided by the days of its month, so that a whole month
 * has the whole target.
 */
export function targetOf(monthly: number | null, from: string, to: string): number | null {
  if (monthly === null) return null;
  let months = 0;
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) {
    const date = new Date(day);
    months += 1 / new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  }
  return Math.round(monthly * months * 100) / 100;
}

/** The targets of a period; without its days those of months mean nothing. */
export function targetsOf(targets: Targets, from: string | undefined, to: string | undefined): Targets {
  const of = (monthly: number | null): number | null => (from && to ? targetOf(monthly, from, to) : null);
  const { revenue, contribution3, profit } = targets;
  return { ...targets, revenue: of(revenue), contribution3: of(contribution3), profit: of(profit) };
}
