import type { Findings } from "./erase.ts";

const PLACES = ["exports", "uploads", "lake", "rejects", "derived", "states"] as const;

/** How much there is in each place. */
export const placesOf = ({ files }: Pick<Findings, "files">) =>
  PLACES.map((place) => {
    const own = files.filter((file) => file.place === place);
    return { place, files: own.length, rows: own.reduce((sum, { rows }) => sum + rows, 0) };
  });

const ordersOf = (orders: Findings["orders"]) =>
  orders.map(({ integration, order }) => ({ integrationId: integration, orderId: order }));

/** What was found, as JSON. */
export const jsonOf = (organizationId: string, findings: Findings) => ({
  organizationId,
  places: placesOf(findings),
  files: findings.files,
  orders: ordersOf(findings.orders),
  otherOrders: ordersOf(findings.others),
  unread: findings.unread,
  data: findings.data,
});

export type FindingsJson = ReturnType<typeof jsonOf>;
