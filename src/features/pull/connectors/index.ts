import { OperatorError } from "../../../core/contract/error.ts";
import type { Connector } from "../../../core/contract/record.ts";
import type { PullDeclaration } from "../declaration.ts";
import { ga4 } from "./ga4.ts";
import { googleAds } from "./googleAds.ts";
import { hubspot } from "./hubspot.ts";
import { meta } from "./meta.ts";
import { shopify } from "./shopify.ts";
import { vtex } from "./vtex.ts";

/** How each vendor is pulled. */
const PULLS: Readonly<Partial<Record<Connector, PullDeclaration>>> = {
  socialads: meta,
  searchads: googleAds,
  webanalytics: ga4,
  crm: hubspot,
  storea: vtex,
  storeb: shopify,
};

export const canBePulled = (connector: Connector): boolean => PULLS[connector] !== undefined;

/** How the connector's vendor is pulled. Fails if it has none: tables of one's own are exported by nobody else. */
export function pullOf(connector: Connector): PullDeclaration {
  const found = PULLS[connector];
  if (!found) throw new OperatorError(`${connector} cannot be pulled: its tables are your own`);
  return found;
}
