// What the page reads of the answers. The API document says what they are.

export type Figure = number | null;
export type Figures = Readonly<Record<string, Figure>>;

export interface Store {
  readonly sourceIntegrationId: string;
  readonly integrationName: string | null;
  readonly connector: string;
  readonly currency: string | null;
  readonly lastSyncAt: string | null;
  readonly products: number;
  readonly firstSaleDate: string | null;
  readonly lastSaleDate: string | null;
}

export interface Stores {
  readonly data: readonly Store[];
}

type ItemStatus = "synced" | "configured" | "pending";

export interface Margin {
  readonly marginPercent: number;
  readonly marginConfigured: boolean;
  readonly marginCompleteness: "complete" | "partial" | "none";
  readonly marginItemStatus: Readonly<Record<"gateway" | "tax" | "shipping" | "costOfGoods", ItemStatus>> | null;
}

export interface Cards extends Margin {
  readonly asOf: string | null;
  readonly revenue: number;
  readonly investment: number;
  readonly orders: number;
  readonly newCustomers: number;
  readonly cogs: number;
  readonly revenueWithCmv: number;
  readonly revenueWithoutCmv: number;
  readonly blendedContribution: number;
  readonly contribution: number;
  readonly marginBasis: "cmv_real" | "mixed" | "configured_percent" | "no_basis";
  readonly unclassifiedInvestment: number;
  readonly hasAcquisitionClassification: boolean;
  readonly conversionRate: Figure;
  readonly payback: Figure;
  readonly previousPeriod:
    | ({ readonly period: { readonly startDate: string; readonly endDate: string } } & object)
    | null;
  readonly changes: Figures | null;
}

export interface Month {
  readonly month: string;
  readonly totalRevenue: number;
  readonly totalInvestment: number;
  readonly totalOrders: number;
  readonly newCustomers: number;
  readonly cac: number;
  readonly ltv: Figure;
}

export interface Series<Row> {
  readonly asOf: string | null;
  /** What a point is, where that depends on the period. */
  readonly granularity?: "day" | "month";
  readonly data: readonly Row[];
}

export interface NewOrRecurring {
  readonly date: string;
  readonly newCustomers: number;
  readonly recurringCustomers: number;
}

export interface Cell {
  readonly pct: Figure;
  readonly absolute: number;
  readonly complementary: number;
  readonly repurchaseRevenue: Figure;
}

export interface Cohort {
  readonly cohortMonth: string;
  readonly breakKey?: string | null;
  readonly breakLabel?: string | null;
  readonly initialValue: number;
  readonly acquisitionInvestment: Figure;
  readonly firstPurchaseCustomers: number;
  readonly repurchaseCustomers: number;
  readonly months: Readonly<Record<string, Cell>>;
}

export interface Cohorts extends Series<Cohort> {
  readonly period: { readonly startDate: string | null; readonly endDate: string | null };
}

interface Compared {
  readonly value: Figure;
  readonly changePct: Figure;
}

export interface Summary {
  readonly previousPeriod: { readonly startDate: string; readonly endDate: string };
  readonly hasAcquisitionClassification: boolean;
  readonly investment: Compared;
  readonly acquisitionInvestment: Compared;
  readonly newCustomers: Compared;
  readonly acquisitionNewCustomers: Compared;
  readonly cac: Compared;
  readonly acquisitionAvgLtv: Compared;
  readonly acquisitionLtvCacRatio: Compared;
  readonly acquisitionRoi: Compared;
  readonly paybackMonths: Compared;
}

/** A channel or a campaign. */
export interface Source {
  readonly channel?: string;
  readonly label?: string;
  readonly campaignId?: string | null;
  readonly campaignName?: string;
  readonly connector?: string | null;
  readonly strategy?: "acquisition" | "brand" | "monetization" | null;
  readonly investment: number;
  readonly orders: number;
  readonly revenue: number;
  readonly newCustomers: number;
  readonly cac: Figure;
  readonly ltv: Figure;
  readonly ltvCacRatio: Figure;
  readonly roi: Figure;
  readonly paybackMonths: Figure;
}

export interface NewByChannel {
  readonly date: string;
  readonly newCustomers: number;
  readonly channels: Readonly<Record<string, number>>;
}

/** Metrics by their names, and why some are not there. */
export interface Measured {
  readonly ndReasons: Readonly<Record<string, string | null>>;
  readonly inventoryState: string;
  readonly [metric: string]: unknown;
}

export interface Product extends Measured {
  readonly productId: string;
  readonly productName: string | null;
  readonly status: "active" | "inactive";
  readonly categoryId: string;
  readonly categoryName: string | null;
}

export interface Category extends Measured {
  readonly categoryId: string;
  readonly categoryName: string | null;
  readonly parentCategoryId: string | null;
  readonly depth: number;
}

export interface Listing {
  readonly data: readonly Product[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly total: number;
    readonly totalPages: number;
  };
}

export interface Categories {
  readonly categories: readonly Category[];
}

export interface Block<Row = Readonly<Record<string, string | Figure>>> {
  readonly state: "ready" | "no_base" | "stale" | "error";
  readonly reason: string | null;
  readonly window: { readonly from: string; readonly to: string } | null;
  readonly rows?: readonly Row[] | null;
}

export interface Detail {
  readonly productId: string;
  readonly summary: Block & Product;
  readonly funnel: Block & Figures;
  readonly entryCohort: Block;
  readonly retention: Block;
  readonly purchaseFrequency: Block & { readonly averageDaysBetween: Figure };
  readonly boughtTogether: Block;
  readonly boughtAfter: Block;
  readonly coupons: Block;
  readonly acquisitionChannels: Block;
}

export interface Point {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly netSales: Figure;
  readonly netUnits: number;
  readonly orders: number;
  readonly marginTotal: Figure;
  readonly marginNdReason: string | null;
}

export interface ProductSeries {
  readonly state: string;
  readonly data: readonly Point[];
  readonly previous: {
    readonly window: { readonly from: string; readonly to: string };
    readonly data: readonly Point[];
  };
}

export interface Rows {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: {
    readonly page: number;
    readonly limit: number;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}
