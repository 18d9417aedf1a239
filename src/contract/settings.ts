import type { Connector } from "./record.ts";

/** Headings of tables by the field that they mean: one, or several of which a file has one. */
export type ColumnNames = Readonly<Record<string, string | readonly string[]>>;

/** One connected account of an organization. */
export interface Integration {
  readonly id: string;
  readonly connector: Connector;
  readonly name?: string;
  readonly userId?: string;
  /** Time zone of the integration's orders in the analyses; the default is UTC. */
  readonly timezone?: string;
  readonly schedule?: string;
  /** Headings of its tables, by record. */
  readonly columns?: Readonly<Record<string, ColumnNames>>;
  /** How numbers and dates of a file are read where all of them read in two ways. */
  readonly numbers?: "pt-BR" | "en";
  /** Whether campaigns of a download without ids land under `name:` and their name. */
  readonly campaignsByName?: boolean;
}

export type MarginItem = "orders" | { readonly percent: number };
export type Margin =
  | { readonly percent: number }
  | { readonly items: Readonly<Partial<Record<"gateway" | "tax" | "shipping" | "costOfGoods", MarginItem>>> };

export type Strategy = "acquisition" | "brand" | "monetization";

/** A tenant's settings, from `organizations/<id>.json`. */
export interface Organization {
  readonly organizationId: string;
  readonly name: string;
  readonly currency?: string;
  readonly integrations?: readonly Integration[];
  readonly margin?: Margin;
  readonly campaigns?: readonly ({ readonly strategy: Strategy } & (
    | { readonly id: string }
    | { readonly name: string }
  ))[];
  readonly funnel?: { readonly interest: readonly string[]; readonly decision: readonly string[] };
}
