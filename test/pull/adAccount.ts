import type { Organization } from "../../src/core/contract/settings.ts";
import type { RecordReport } from "../../src/core/sync/pulled.ts";
import { AURORA, type DataFolder, SOCIALADS } from "../support/data.ts";
import { ACCOUNT, type FakeVendor } from "./fakeVendor.ts";

export const EXPORTS = `exports/${AURORA}/${SOCIALADS}`;
export const NOW = "2024-06-15T12:00:00Z";

/** The settings of a shop whose only account is pulled from the vendor. */
export const shopOf = (vendor: FakeVendor, since = "2024-01-01"): Organization => ({
  organizationId: AURORA,
  name: "Shop",
  currency: "BRL",
  integrations: [
    {
      id: SOCIALADS,
      connector: "socialads",
      name: "Social",
      pull: { since, account: { adAccountId: ACCOUNT }, records: ["adset-config", "campaigns"], baseUrl: vendor.url },
    },
  ],
});

/** The spend of each day in the exports: a later file replaces the days of an earlier one. */
export async function spendIn(data: DataFolder): Promise<Map<string, string>> {
  const days = new Map<string, string>();
  for (const name of (await data.files(`${EXPORTS}/campaigns`)).sort()) {
    const rows = JSON.parse(await data.text(`${EXPORTS}/campaigns/${name}`)).data as Record<string, string>[];
    for (const { date_start = "", spend = "" } of rows) days.set(date_start, spend);
  }
  return days;
}

/** The reports of `lucra pull --json`. */
export const reportsOf = ({ stdout }: { readonly stdout: string }): RecordReport[] =>
  stdout ? JSON.parse(stdout) : [];
