import type { RecordDeclaration } from "../../../core/contract/record.ts";
import type { FileSample, PartSource, ReadSettings } from "../../../core/landing/read/part.ts";
import { exported } from "../../../core/records/index.ts";
import { type Download, isDownload, openDownload, whyNotDownload } from "./download.ts";
import { google } from "./google.ts";
import { hubspotContacts, hubspotDeals } from "./hubspot.ts";
import { meta } from "./meta.ts";
import { shopifyOrders, shopifyProducts } from "./shopify.ts";
import { vtex } from "./vtex.ts";

const DOWNLOADS: readonly Download[] = [
  meta,
  google,
  vtex,
  shopifyOrders,
  shopifyProducts,
  hubspotDeals,
  hubspotContacts,
];

/** Recognizes a file that a user downloaded from a vendor's pages. */
export function downloadSource(
  record: RecordDeclaration,
  sample: FileSample,
  settings: ReadSettings,
): PartSource | undefined {
  if (!sample.isText) return undefined;
  for (const download of DOWNLOADS) {
    const source = openDownload(download, record, sample, settings);
    if (source) return source;
  }
  return undefined;
}

/** Why a table is no download although it has most headings of one. */
export function almostDownload(headings: readonly string[]): string | undefined {
  for (const download of DOWNLOADS) {
    const why = whyNotDownload(download, headings);
    if (why) return why;
  }
  return undefined;
}

/** The record that a file with these first rows belongs to, as it is a download, and its headings. */
export function downloadIn(
  rows: readonly (readonly string[])[],
): { readonly record: RecordDeclaration | undefined; readonly headings: readonly string[] } | undefined {
  for (const row of rows) {
    const headings = row.map((cell) => cell.trim());
    for (const download of DOWNLOADS) {
      const record = exported.find(({ connector, name }) => `${connector}/${name}` === download.record);
      if (isDownload(download, headings, record)) return { record, headings };
    }
  }
  return undefined;
}
