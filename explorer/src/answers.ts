import type { Answers } from "./answerTypes.ts";

// Short names for the answer types, which are generated from the API document.

export type Figure = number | null;
export type Figures = Readonly<Record<string, Figure>>;

type Row<Name extends keyof Answers> = Answers[Name] extends { readonly data: readonly (infer Of)[] } ? Of : never;

export type Stores = Answers["ProductsIntegrations"];
export type Store = Row<"ProductsIntegrations">;

/** The page looks changes up by name. */
export type Cards = Answers["ProfitabilityCards"] & { readonly changes: Figures | null };
/** What the shop has left, line by line. */
export type Statement = Answers["ProfitStatement"];
export type Line = keyof Statement["statement"];
export type UnknownGoods = Answers["ProfitUnknownGoods"];
/** What an alert would have said. */
export type Alerts = Answers["Alerts"];
export type AlertReplay = Answers["AlertsReplay"];
export type Trend = Answers["ProfitabilityTrend"];
export type Bridge = Answers["ProfitabilityBridge"];
export type Forecast = Answers["ProfitabilityForecast"];
export type Campaigns = Answers["AcquisitionCampaigns"];
export type Month = Row<"ProfitabilityMetricsEvolution">;
export type NewOrRecurring = Row<"ProfitabilityNewVsRecurring">;

export type Cohorts = Answers["ProfitabilityCohort"];
export type Cohort = Row<"ProfitabilityCohort">;
/** A breakdown of the cohorts; empty without one, and of two attributes with a comma between them. */
export type Break = string;
export type Cell = Cohort["months"][string];

export type Paybacks = Answers["ProfitabilityPayback"];
export type PaybackRow = Row<"ProfitabilityPayback">;

export type Summary = Answers["AcquisitionSummary"];
/** A channel or a campaign. */
export type Source = Partial<Row<"AcquisitionChannels"> & Row<"AcquisitionCampaigns">> &
  Pick<Row<"AcquisitionChannels">, keyof Row<"AcquisitionChannels"> & keyof Row<"AcquisitionCampaigns">>;
export type Contributions = Answers["AcquisitionContribution"];
export type Contribution = Row<"AcquisitionContribution">;
export type AttributedProducts = Answers["AcquisitionProducts"];
export type AttributedProduct = Row<"AcquisitionProducts">;
/** The page looks channels up by name. */
export type NewByChannel = Row<"AcquisitionNewCustomers"> & { readonly channels: Readonly<Record<string, number>> };

export type Listing = Answers["Products"];
export type Product = Row<"Products">;
export type Categories = Answers["ProductsCategories"];
export type Category = Categories["categories"][number];
/** A product or a category; the page looks its metrics up by name. */
export interface Measured {
  readonly ndReasons: Readonly<Record<string, string | null>> | null;
  readonly inventoryState: string | null;
  readonly [metric: string]: unknown;
}

export type Detail = Answers["ProductsByProductId"];
export type ProductSeries = Answers["ProductsByProductIdSeries"];
export type Point = ProductSeries["data"][number];

/** The fields that all blocks have. */
export interface Block<Of = Readonly<Record<string, string | Figure>>> {
  readonly state: "ready" | "no_base" | "stale" | "error";
  readonly reason: string | null;
  readonly window: { readonly from: string; readonly to: string } | null;
  readonly rows?: readonly Of[] | null;
}

/** A series; its rows are in order. */
export interface Series<Of> {
  readonly asOf: string | null;
  readonly granularity?: "day" | "month";
  readonly data: readonly Of[];
}

/** A page of landed rows. */
export interface Rows {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: {
    readonly page: number;
    readonly limit: number;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

/** What changed between two states. */
export type Restatements = Answers["Restatements"];
/** A figure of a month in both states: here there is a row per month. */
export type Restated = Row<"Restatements"> & { readonly month: string };
export type RestatedOrder = Row<"RestatementsOrders">;
export type RestatedSpend = Row<"RestatementsSpend">;
export type Pins = Answers["Pins"];
