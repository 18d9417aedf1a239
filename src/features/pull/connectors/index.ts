import type { Connector } from "../../../core/contract/record.ts";
import type { PullDeclaration } from "../declaration.ts";
import { ga4 } from "./ga4.ts";
import { googleAds } from "./googleAds.ts";
import { hubspot } from "./hubspot.ts";
import { meta } from "./meta.ts";
import { shopify } from "./shopify.ts";
import { vtex } from "./vtex.ts";

/** How each vendor is pulled. */
export const PULLS: Readonly<Record<Connector, PullDeclaration>> = {
  socialads: meta,
  searchads: googleAds,
  webanalytics: ga4,
  crm: hubspot,
  storea: vtex,
  storeb: shopify,
};
