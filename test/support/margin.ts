import type { Organization } from "../../src/core/contract/settings.ts";
import { oneStore, STOREB } from "./data.ts";

export const storeb = (): Organization => ({
  ...oneStore(),
  integrations: [{ id: STOREB, connector: "storeb", name: "x" }],
});

/** Five units at 10 of one variant. The store does not say how many of them are left. */
export const storebOrder = (): object => ({
  id: 1,
  created_at: "2025-02-10T14:00:00Z",
  processed_at: "2025-02-10T14:00:00Z",
  updated_at: "2025-02-10T14:00:00Z",
  financial_status: "paid",
  email: "ana@example.com",
  currency: "BRL",
  total_price: "50.00",
  line_items: [{ id: 11, product_id: 81, variant_id: 41, title: "Vaso", quantity: 5, price: "10.00" }],
});
