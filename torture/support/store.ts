import type { Organization } from "../../src/contract/settings.ts";
import { AURORA, STOREA } from "../../test/support/data.ts";

/** An organization with one store, which tells its costs: as little as orders need. */
export const oneStore = (organizationId = AURORA, integration = STOREA): Organization => ({
  organizationId,
  name: "x",
  integrations: [{ id: integration, connector: "storea", name: "x" }],
  margin: { items: { costOfGoods: "orders" } },
});
