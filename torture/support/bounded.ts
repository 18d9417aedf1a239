import type { SyncReport } from "../../src/core/sync/sync.ts";
import type { DataFolder } from "../../test/support/data.ts";
import { syncApart, type Taken } from "./process.ts";

/** The memory limit of a sync's engine, and of the process apart from it: Node, its heap, and one row at a time. */
export const ENGINE_MB = 512;
const BESIDE_MB = 400;
/** What a sync may write at once outside the lake, and a generous limit of its time. */
const WRITTEN_MB = 300;
export const SECONDS = 300;

/** Lands in another process, and fails if that exceeds a limit. */
export async function boundedSync(
  data: DataFolder,
): Promise<{ report: SyncReport; status: number | null; taken: Taken }> {
  const { report, status, ...taken } = await syncApart(data, { LUCRA_MEMORY_LIMIT: `${ENGINE_MB}MB` });
  const { megabytes, written, seconds } = taken;
  if (megabytes > ENGINE_MB + BESIDE_MB) throw new Error(`a sync held ${Math.round(megabytes)} MB`);
  if (written > WRITTEN_MB) throw new Error(`a sync wrote ${Math.round(written)} MB outside the lake`);
  if (seconds > SECONDS) throw new Error(`a sync took ${Math.round(seconds)} seconds`);
  return { report, status, taken };
}

/** Rows in the rejects, by export: those that could not be read, and those of objects that could not be mapped. */
export async function rejectedIn(data: DataFolder, folder: string): Promise<Map<string, number>> {
  const rejects = new Map<string, number>();
  const below = folder.replace(/^exports/, "rejects");
  for (const name of await data.files(below)) {
    for (const line of (await data.text(`${below}/${name}`)).trimEnd().split("\n")) {
      const { file, unlisted } = JSON.parse(line) as { file: string; unlisted?: { rows: number } };
      rejects.set(file, (rejects.get(file) ?? 0) + (unlisted?.rows ?? 1));
    }
  }
  return rejects;
}
