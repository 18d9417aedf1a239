import type { AnyEndpoint, Endpoint } from "../contract/endpoint.ts";
import { isServed } from "../contract/record.ts";
import { records } from "../records/index.ts";
import { acquisition } from "./acquisition.ts";
import { alertEndpoints } from "./alerts.ts";
import { breakdown } from "./breakdown.ts";
import { bridge } from "./bridge.ts";
import { dataQuality } from "./dataQuality.ts";
import { explain } from "./explain.ts";
import { forecast } from "./forecast.ts";
import { withFormats, withStates } from "./formats.ts";
import { orders } from "./orders.ts";
import { organizations } from "./organizations.ts";
import { payback } from "./payback.ts";
import { pins } from "./pins.ts";
import { productDetail } from "./productDetail.ts";
import { products } from "./products.ts";
import { profit } from "./profit.ts";
import { profitability } from "./profitability.ts";
import { reconciliation } from "./reconciliation.ts";
import { restatements } from "./restatements.ts";
import { rowsEndpoint } from "./rows.ts";
import { sql } from "./sql.ts";

/** The analyses, and the endpoints of products. */
const explainable = [
  ...profitability,
  orders,
  payback,
  breakdown,
  bridge,
  ...profit,
  forecast,
  reconciliation,
  ...acquisition,
  ...products,
  productDetail,
  ...alertEndpoints,
]
  .map(withFormats)
  .map(withStates);

/** The endpoints about one organization, which `organizationId` names. */
export const endpoints: readonly Endpoint[] = [
  ...records.filter(isServed).map(rowsEndpoint).map(withFormats).map(withStates),
  ...explainable,
  ...restatements.map(withFormats).map(withStates),
  withStates(withFormats(explain(explainable))),
];

/** Every endpoint of the service. */
export const allEndpoints: readonly AnyEndpoint[] = [
  withFormats(organizations),
  withFormats(dataQuality),
  withFormats(pins),
  withStates(withFormats(sql)),
  ...endpoints,
];

/** The endpoint of an address: the first whose path matches, as in the router. */
export function endpointAt(address: string): AnyEndpoint | undefined {
  const path = address.split("?")[0] ?? "";
  return allEndpoints.find((endpoint) => new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path));
}
