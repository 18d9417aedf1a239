import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, SOCIALADS, STOREA, storeaOrder } from "./data.ts";

export const ORDERS = "/v1/storea/orders?limit=5000";
export const QUESTIONS = ["/v1/profitability/cards", "/v1/profitability/cohort?breakBy=produto", ORDERS];
export const ALWAYS = "* * * * * *";
export const shop = (schedule?: string): Organization => ({
  organizationId: AURORA,
  name: "Shop",
  integrations: [
    { id: STOREA, connector: "storea", name: "Store", ...(schedule ? { schedule } : {}) },
    { id: SOCIALADS, connector: "socialads", name: "Ads", ...(schedule ? { schedule } : {}) },
  ],
});

export const orders = (...ids: string[]): string => JSON.stringify(ids.map((id) => storeaOrder({ id, value: 10 })));
export const count = (body: Record<string, unknown>): number => (body.data as unknown[]).length;
