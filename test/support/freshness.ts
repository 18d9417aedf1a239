import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, STOREA } from "./data.ts";

export const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [{ id: STOREA, connector: "storea", name: "Store" }],
};
export const CARDS = "/v1/profitability/cards";
export const OF_PRODUCT = `integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;
export const DETAIL = `/v1/products/500?${OF_PRODUCT}`;
export const SERIES = `/v1/products/500/series?${OF_PRODUCT}`;
/** Longer than any data may be old. */
export const IDLE_MS = 1_100;
