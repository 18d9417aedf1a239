import { appendFile, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { flushToDisk } from "../../core/files/durable.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { IngestedFile } from "../../core/landing/ledger/ingested.ts";

/** What the lake knows an export by. */
export type Known = Pick<IngestedFile, "name" | "bytes" | "modified" | "sha256">;

/** An export that was written again: the lake knows it as `before`, until its own file is written again. */
export interface Rewritten {
  readonly integration: string;
  readonly record: string;
  readonly before: Known;
  readonly after: Known;
}

/** Notes what an export becomes, before it does: whoever goes on after a kill finds both. */
export async function note(folders: OrganizationFolders, rewritten: readonly Rewritten[]): Promise<void> {
  const file = folders.erasureJournal;
  await mkdir(path.dirname(file), { recursive: true });
  await appendFile(file, rewritten.map((one) => `${JSON.stringify(one)}\n`).join(""), { mode: 0o600 });
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
  await flushToDisk(path.dirname(file));
}

/** Exports that were written again, in their order. A last line that was not written to its end counts for nothing. */
export async function noted(folders: OrganizationFolders): Promise<Rewritten[]> {
  const text = await readFile(folders.erasureJournal, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Rewritten];
    } catch {
      return [];
    }
  });
}

export const forget = (folders: OrganizationFolders): Promise<void> => rm(folders.erasureJournal, { force: true });

/** What the ledger of a landed file says of its exports now. */
export function updated(
  exports: readonly IngestedFile[],
  rewritten: readonly Rewritten[],
  { integration, record }: { readonly integration: string; readonly record: string },
): readonly IngestedFile[] {
  const own = rewritten.filter((one) => one.integration === integration && one.record === record);
  if (own.length === 0) return exports;
  return exports.map((entry) => {
    let present = entry;
    for (const { before, after } of own) if (isSame(present, before)) present = { ...present, ...after };
    return present;
  });
}

const isSame = (one: Known, other: Known): boolean =>
  one.name === other.name &&
  one.sha256 === other.sha256 &&
  one.bytes === other.bytes &&
  one.modified === other.modified;
