import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, exportsOf, OTHER_STOREA as FAR, STOREA, storeaOrder, withData } from "./data.ts";
import { openService, type Service } from "./service.ts";

/** In Kiritimati the day changes at ten in the morning of UTC. */
export async function withOrders(
  orders: readonly { store: string; id: string; at: string; value: number }[],
  work: (service: Service) => Promise<void>,
  strategy: "acquisition" | "brand" = "brand",
): Promise<void> {
  const settings: Organization = {
    organizationId: AURORA,
    name: "x",
    integrations: [
      { id: STOREA, connector: "storea", name: "near", timezone: "UTC" },
      { id: FAR, connector: "storea", name: "far", timezone: "Pacific/Kiritimati" },
    ],
    margin: { percent: 50 },
    campaigns: [{ strategy, name: "marca" }],
  };
  await withData(settings, async (data) => {
    for (const { store, ...order } of orders) {
      const exported = storeaOrder({ ...order, email: "ana@example.com", utmCampaign: "Marca" });
      await data.write(`${exportsOf(store, "orders")}/${order.id}.json`, JSON.stringify(exported));
    }
    await data.sync();
    const service = await openService(data.config, AURORA);
    await work(service).finally(() => service.close());
  });
}
