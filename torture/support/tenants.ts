import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, DataFolder, FIXTURES, filesBelow, NOW } from "../../test/support/data.ts";

/** An organization whose every text names it. */
export interface Tenant {
  readonly id: string;
  readonly mark: string;
  /** Its stores; products and orders have the same ids in both organizations. */
  readonly stores: readonly string[];
  readonly settings: Organization;
}

const TEXTS = new Set(
  `name Title warehouseName merchantName refId email contact_email firstName lastName receiverName utmCampaign coupon description
  NameComplete ProductName ProductDescription SkuName BrandName brandName title variant_title vendor productType fullName
  campaign_name text sku code label hs_sku hs_analytics_source_data_1 hs_analytics_source_data_2 imageUrl ImageUrl`.split(
    /\s+/,
  ),
);

/** Column headings of an export are no texts of rows: if they were marked, all rows would be rejected. */
const HEADERS = new Set(["dimensionHeaders", "metricHeaders"]);

const marked = (text: string, mark: string): string => (text.includes("@") ? `${mark}.${text}` : `${text} ${mark}`);

function markedValue(value: unknown, key: string, mark: string): unknown {
  if (HEADERS.has(key)) return value;
  if (Array.isArray(value)) return value.map((one) => markedValue(one, key, mark));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, markedValue(one, name, mark)]));
  return typeof value === "string" && /[a-z]/i.test(value) && TEXTS.has(key) ? marked(value, mark) : value;
}

/**
 * The fixtures' organization under another id, also of its integrations, with marked texts; `no` is a hexadecimal
 * digit.
 */
async function tenant(no: string, mark: string): Promise<Tenant> {
  const text = await readFile(path.join(FIXTURES, "organizations", `${AURORA}.json`), "utf8");
  const original = JSON.parse(text) as Organization;
  const renamed = (id: string): string => no.repeat(8) + id.slice(8);
  const integrations = (original.integrations ?? []).map((one) => ({
    ...one,
    id: renamed(one.id),
    name: marked(one.name ?? "", mark),
    userId: `${one.userId}-${mark}`,
    ...(one.stores ? { stores: one.stores.map(renamed) } : {}),
  }));
  const stores = integrations.filter(({ connector }) => /^store/.test(connector)).map(({ id }) => id);
  const costs = (original.costs ?? []).map(({ where, ...rule }) => ({
    ...rule,
    ...(where
      ? { where: { ...where, ...(where.integrationId ? { integrationId: renamed(where.integrationId) } : {}) } }
      : {}),
  }));
  const settings = { ...original, organizationId: renamed(AURORA), name: `Loja ${mark}`, integrations, costs };
  return { id: settings.organizationId, mark, stores, settings };
}

/** Two organizations whose rows have the same keys. The second lacks some files, so that no figure is the same. */
export async function tenants(): Promise<readonly [Tenant, Tenant]> {
  const second = await tenant("e", "qzSECONDzq");
  return [await tenant("d", "qzFIRSTzq"), { ...second, settings: { ...second.settings, margin: { percent: 37 } } }];
}

const LEFT_OUT = /2025-02-15|contacts/;

/** A data folder in which the exports of these organizations have landed, except the ones left out. */
export async function landed(all: readonly Tenant[], less = /^$/): Promise<DataFolder> {
  const folder = await DataFolder.empty();
  for (const { id, mark, settings } of all) {
    await folder.settings(settings);
    const from = path.join(FIXTURES, "exports", AURORA);
    for (const file of await filesBelow(from)) {
      if (less.test(file) || (mark.includes("SECOND") && LEFT_OUT.test(file))) continue;
      const text = await readFile(path.join(from, file), "utf8");
      const place = `exports/${id}/${id.slice(0, 8)}${file.slice(8)}`;
      await folder.write(place, markedFile(file, text, mark), new Date(NOW));
    }
  }
  const report = await folder.sync();
  const refused = report.outcomes.filter((one) => one.refused.length > 0 || one.rejected > 0);
  if (refused.length > 0 || report.failures.length > 0) throw new Error(JSON.stringify([refused, report.failures]));
  return folder;
}

function markedFile(name: string, text: string, mark: string): string {
  if (name.endsWith(".csv")) return text;
  const line = (json: string): string => JSON.stringify(markedValue(JSON.parse(json), "", mark));
  return name.endsWith(".json") ? line(text) : text.split("\n").filter(Boolean).map(line).join("\n");
}
