import type { Organization } from "../../core/contract/settings.ts";
import type { Row } from "../../core/engine/database.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { Revocations } from "../../core/landing/ledger/revocations.ts";
import { landedFiles } from "../../core/landing/ledger/verify.ts";
import type { Generation } from "../../core/marts/generations.ts";
import { exported } from "../../core/records/index.ts";

/** How many exports of a missing file are named. */
const MOST_NAMED = 3;

/** The landed files of which only the manifest is left, and whether the derived figures still have their rows. */
export async function missingFiles(
  folders: OrganizationFolders,
  { integrations = [] }: Organization,
  generation: Generation | undefined,
): Promise<Row[]> {
  const revocations = await Revocations.of(folders);
  const missing: Row[] = [];
  for (const record of exported) {
    for (const { integration, landing, file, manifest } of await landedFiles(folders.lake(record))) {
      if (file || revocations.has(record, integration, landing)) continue;
      const isLacking = generation?.missing?.some(
        (one) =>
          one.connector === record.connector &&
          one.record === record.name &&
          one.integration === integration &&
          one.landing === landing,
      );
      missing.push({
        integration: integrations.find(({ id }) => id === integration)?.name ?? integration,
        record: record.name,
        landing,
        figures: isLacking ? "without it" : "with it",
        exports: exportsText(manifest?.exports ?? []),
      });
    }
  }
  return missing;
}

function exportsText(exports: readonly { name: string; bytes: number; sha256: string }[]): string {
  if (exports.length === 0) return "not known";
  const texts = exports.slice(0, MOST_NAMED).map((one) => `${one.name} (${one.bytes} bytes, SHA-256 ${one.sha256})`);
  const more = exports.length - MOST_NAMED;
  return [...texts, ...(more > 0 ? [`${more} more: lucra landings show`] : [])].join(", ");
}
