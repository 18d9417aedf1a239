import { lstat, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RecordDeclaration } from "../contract/record.ts";
import type { Integration } from "../contract/settings.ts";
import type { Session } from "../engine/database.ts";
import type { ExportFile } from "./exports.ts";
import type { IngestedFile } from "./ingested.ts";
import { DEADLINE } from "./limits.ts";
import { atWork, buildLandedFile, type Read, readOne } from "./write.ts";

/** An export as a landing would leave it, in a temporary file. */
export interface Mapped {
  readonly reading: Read;
  readonly summary: IngestedFile;
  /** Parquet: the rows that would land. */
  readonly rows: string;
  /** A file with the list of rejected rows, if there are any. */
  readonly rejects: string | undefined;
}

/** Reads and maps a file as a landing does, but lands nothing: `work` gets the result, which is removed afterwards. */
export async function withMapped<T>(
  session: Session,
  file: string,
  record: RecordDeclaration,
  integration: Integration,
  work: (mapped: Mapped) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "lucra-preview-"));
  try {
    const place = { dataDir, organization: "preview", integration, record };
    return await atWork(dataDir, async (folder) => {
      const reading = await readOne(session, await exportAt(file), 0, record, folder, DEADLINE);
      const stamp = { landing: 0, landedAt: new Date(0).toISOString() };
      const built = await buildLandedFile(session, place, [reading], stamp, folder, DEADLINE);
      const summary = built.exports[0] as IngestedFile;
      return work({ reading, summary, rows: built.file, rejects: built.rejected.get(0)?.list });
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A file anywhere, as if it were listed in a folder of exports. */
async function exportAt(file: string): Promise<ExportFile> {
  const real = await realpath(file);
  const found = await lstat(real, { bigint: true });
  return {
    name: path.basename(file),
    path: real,
    bytes: Number(found.size),
    modified: found.mtimeNs,
    inode: found.ino,
    real,
  };
}
