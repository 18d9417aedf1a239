import { CONNECTORS, type Connector } from "./record.ts";

/** The vendor whose exports a connector reads. Paths and fields have the connector's name; people know the vendor's. */
export interface Vendor {
  /** Accepted wherever a connector is named. */
  readonly alias: string;
  readonly name: string;
  /** The APIs whose objects the mappings read. */
  readonly api: string;
  /** Versions of the API: a mapping depends on one only through the fields that it names. */
  readonly versions: string;
}

export const VENDORS: Readonly<Record<Connector, Vendor>> = {
  socialads: {
    alias: "meta",
    name: "Meta Ads",
    api: "Marketing API: ad sets, insights",
    versions: "any supported one",
  },
  searchads: {
    alias: "google-ads",
    name: "Google Ads",
    api: "Google Ads API: `search` and `searchStream`, JSON (camelCase)",
    versions: "any supported one; the field names are those of v24",
  },
  webanalytics: {
    alias: "ga4",
    name: "Google Analytics 4",
    api: "Data API: `runReport`, `batchRunReports`",
    versions: "v1 (`v1beta`)",
  },
  crm: {
    alias: "hubspot",
    name: "HubSpot",
    api: "CRM API: lists of objects, pipelines",
    versions: "v3; pipelines also as v1 has them",
  },
  storea: { alias: "vtex", name: "VTEX", api: "Orders, Catalog and Logistics APIs", versions: "unversioned" },
  storeb: {
    alias: "shopify",
    name: "Shopify",
    api: "Admin API: REST, GraphQL, bulk operations",
    versions: "any supported one; categories of products since 2024-04",
  },
  finance: { alias: "spreadsheets", name: "Tables of your own", api: "none", versions: "none" },
};

/** Everything that names a connector. */
export const CONNECTOR_NAMES: readonly string[] = [...CONNECTORS, ...CONNECTORS.map((name) => VENDORS[name].alias)];

/** The connector of this name, or of the vendor with this alias; in any case. */
export function connectorNamed(text: string): Connector | undefined {
  const name = text.trim().toLowerCase();
  return CONNECTORS.find((connector) => connector === name || VENDORS[connector].alias === name);
}

/** `storea (vtex)` */
export const shownConnector = (connector: Connector): string => `${connector} (${VENDORS[connector].alias})`;
