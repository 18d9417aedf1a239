import type { Organization } from "../../src/core/contract/settings.ts";
import { type DataFolder, oneStore, SEARCHADS, SOCIALADS } from "./data.ts";
import { asked } from "./service.ts";

export const withAds = (): Organization => {
  const settings = oneStore();
  const ads = [
    { id: SOCIALADS, connector: "socialads", name: "social" } as const,
    { id: SEARCHADS, connector: "searchads", name: "search" } as const,
  ];
  return { ...settings, integrations: [...(settings.integrations ?? []), ...ads] };
};

/** A day's spend on a campaign, as each network exports it. */
export const social = (id: string, name: string, day: string, spend: string): string =>
  JSON.stringify({
    data: [{ campaign_id: id, campaign_name: name, spend, clicks: "1", date_start: day, date_stop: day }],
  });
export const search = (id: string, name: string, day: string, costMicros: string): string =>
  JSON.stringify({ results: [{ campaign: { id, name }, metrics: { costMicros }, segments: { date: day } }] });

export async function answer(data: DataFolder, address: string): Promise<Record<string, unknown>[]> {
  return (await asked(data, address)).data as Record<string, unknown>[];
}
