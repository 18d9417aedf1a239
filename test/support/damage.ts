import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, type DataFolder, exportsOf, STOREA, storeaOrder } from "./data.ts";
import { openService } from "./service.ts";

export const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [{ id: STOREA, connector: "storea", name: "Store" }],
};
export const ORDERS = exportsOf(STOREA, "orders");
export const LAKE = `lake/storea/orders/organization_id=${AURORA}`;
export const REVENUE = "/v1/profitability/cards";

/** One order without its own time: the last landed version wins. */
export const worth = (value: number): string => JSON.stringify([storeaOrder({ id: "1", value, changed: null })]);

/** The revenue that a service answers. On a busy machine a derivation takes longer than a request waits for it. */
export async function revenue(data: DataFolder): Promise<unknown> {
  const service = await openService(data.config, AURORA);
  try {
    let answer = await service.get(REVENUE);
    while (answer.status === 503) answer = await service.get(REVENUE);
    return answer.body.revenue;
  } finally {
    service.close();
  }
}
