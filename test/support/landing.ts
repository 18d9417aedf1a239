import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Connector } from "../../src/core/contract/record.ts";
import { Database, literal, type Row } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { landRecord } from "../../src/core/landing/land.ts";
import type { Outcome } from "../../src/core/landing/outcome.ts";
import { records } from "../../src/core/records/index.ts";

export const ORGANIZATION = "11111111-1111-4111-8111-111111111111";
export const INTEGRATION = "22222222-2222-4222-8222-222222222222";

export interface Reject {
  readonly file: string;
  readonly position: number;
  readonly reason: string;
  readonly row: unknown;
  /** In the last line of a long list. */
  readonly unlisted?: { readonly rows: number; readonly reasons: Readonly<Record<string, number>> };
}

/** One for all landings of a process: each has its own session and files. */
let engine: Promise<Database> | undefined;

/**
 * Writes export files, really lands them, and returns the rows of the lake, in order of file and position, and the
 * rejects with their bytes.
 */
export async function land(
  connector: Connector,
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
  now = new Date("2026-01-01T00:00:00Z"),
  currency?: string,
): Promise<{ rows: Row[]; outcome: Outcome; rejects: Reject[]; bytes: number }> {
  const record = records.find((r) => r.connector === connector && r.name === name);
  if (!record) throw new Error(`no record ${connector} ${name}`);
  const dataDir = await mkdtemp(path.join(tmpdir(), "lucra-land-"));
  const folders = foldersOf(dataDir, ORGANIZATION);
  engine ??= Database.open({ threads: 1 });
  const database = await engine;
  try {
    const folder = folders.exports(INTEGRATION, name);
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
    const place = {
      folders,
      integration: { id: INTEGRATION, connector, name: "x" },
      record,
      currency,
    };
    const { outcome, failures } = await landRecord(
      database,
      place,
      { landing: 1, landedAt: now.toISOString() },
      () => {},
    );
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    const lake = folders.lake(record);
    const names = (await readdir(lake).catch(() => [])).filter((name) => name.endsWith(".parquet"));
    const landed = names.map((name) => literal(path.join(lake, name)));
    const rows =
      landed.length === 0
        ? []
        : await database.use((session) =>
            session.rows(`from read_parquet([${landed.join(", ")}]) order by _landing, _file_no, _position`),
          );
    const rejectFolder = folders.rejects(INTEGRATION, name);
    const rejects: Reject[] = [];
    let bytes = 0;
    for (const entry of await readdir(rejectFolder, { recursive: true }).catch(() => [])) {
      if (!entry.endsWith(".jsonl")) continue;
      const text = await readFile(path.join(rejectFolder, entry), "utf8");
      bytes += Buffer.byteLength(text);
      rejects.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Reject),
      );
    }
    return { rows, outcome, rejects, bytes };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
