import type { Organization } from "../../src/core/contract/settings.ts";
import type { SyncReport } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, SOCIALADS, STOREA, storeaOrder } from "./data.ts";
import { answersOf } from "./service.ts";

export const ORDERS = exportsOf(STOREA, "orders");
export const CAMPAIGNS = exportsOf(SOCIALADS, "campaigns");
export const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [
    { id: STOREA, connector: "storea", name: "Store" },
    { id: SOCIALADS, connector: "socialads", name: "Ads" },
  ],
};
/** Addresses of several kinds of answer, quickly answered. */
export const FEW = [
  "/v1/profitability/cards",
  "/v1/profitability/cohort?breakBy=produto",
  "/v1/storea/orders?limit=5000",
  "/v1/storeb/products?limit=5000",
];
export const minute = (n: number): Date => new Date(Date.UTC(2025, 2, 1, 0, n));
export const orders = (...all: Parameters<typeof storeaOrder>[0][]): string => JSON.stringify(all.map(storeaOrder));

/** The rows that a record's endpoint shows. */
export async function rows(data: DataFolder, address = "/v1/storea/orders"): Promise<Record<string, unknown>[]> {
  const probe = `${address}?limit=5000`;
  const text = (await answersOf(data.config, AURORA, [probe], Number.POSITIVE_INFINITY))[probe] ?? "";
  return JSON.parse(text.replace(/^200 /, "")).data;
}

export const values = async (data: DataFolder): Promise<Record<string, unknown>> =>
  Object.fromEntries((await rows(data)).map((row) => [row.order_id, row.value]));

export const FIRST = "2025-04-01T12:00:00.000Z";
const SECOND = "2025-04-02T12:00:00.000Z";

const order = (id: string, value: number) => ({ id, value, at: "2025-03-10T12:00:00Z" });

/** An order landed first, another a day later. */
export async function landedTwo(settings: Organization): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.settings(settings);
  await data.write(`${ORDERS}/a.json`, orders(order("a", 10)), minute(1));
  await data.syncAt(FIRST);
  await data.write(`${ORDERS}/b.json`, orders(order("b", 32)), minute(2));
  await data.syncAt(SECOND);
  return data;
}

export const total = (report: SyncReport, what: "files" | "landed" | "replaced" | "rejected"): number =>
  report.outcomes.reduce((sum, outcome) => sum + outcome[what], 0);

export const refused = (report: SyncReport): Record<string, string> =>
  Object.fromEntries(report.outcomes.flatMap((outcome) => outcome.refused).map(({ file, reason }) => [file, reason]));

export function campaigns(spend: number): string {
  const row = { campaign_id: "1", campaign_name: "C", account_id: "9", date_start: "2025-02-01", impressions: "1" };
  return JSON.stringify({ data: [{ ...row, date_stop: "2025-02-01", clicks: "1", spend: String(spend) }] });
}
