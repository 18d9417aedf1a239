import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Connector } from "../../src/core/contract/record.ts";
import type { Integration } from "../../src/core/contract/settings.ts";
import { Database, literal, type Row } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { landRecord } from "../../src/core/landing/land.ts";
import type { Outcome } from "../../src/core/landing/outcome.ts";
import { records } from "../../src/core/records/index.ts";
import { INTEGRATION, ORGANIZATION } from "./landing.ts";

let engine: Promise<Database> | undefined;

export interface Dropped {
  /** The rows of the lake, and those that were joined of parts. */
  readonly rows: Row[];
  readonly outcome: Outcome;
  /** File, position and reason of the rejects. */
  readonly rejects: {
    readonly file: string;
    readonly position: number;
    readonly reason: string;
    readonly row: unknown;
  }[];
}

type Files = Readonly<Record<string, string | Buffer>>;

/** Drops files into the folder of a record and lands them, in one sync for each set of files. */
export async function drop(
  connector: Connector,
  name: string,
  files: Files | readonly Files[],
  settings: Partial<Integration> & { readonly currency?: string } = {},
): Promise<Dropped> {
  const record = records.find((one) => one.connector === connector && one.name === name);
  if (!record) throw new Error(`no record ${connector} ${name}`);
  const { currency = "BRL", ...integration } = settings;
  const dataDir = await mkdtemp(path.join(tmpdir(), "lucra-drop-"));
  const folders = foldersOf(dataDir, ORGANIZATION);
  engine ??= Database.open({ threads: 1 });
  const database = await engine;
  const place = {
    folders,
    integration: { id: INTEGRATION, connector, ...integration },
    record,
    currency,
  };
  try {
    const folder = folders.exports(INTEGRATION, name);
    let landed: { outcome: Outcome; failures: readonly unknown[] } | undefined;
    for (const [at, set] of (Array.isArray(files) ? files : [files]).entries()) {
      for (const [file, content] of Object.entries(set as Files)) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), content);
        const time = new Date(Date.UTC(2025, 5, 1 + at));
        await utimes(path.join(folder, file), time, time);
      }
      const stamp = { landing: at + 1, landedAt: new Date(Date.UTC(2026, 0, 1 + at)).toISOString() };
      landed = await landRecord(database, place, stamp, () => {});
      if (landed.failures.length > 0) throw new Error(JSON.stringify(landed.failures));
    }
    const lake = folders.lake(record);
    const assembled = path.join(folders.mart, "assembled");
    const own = (await namesIn(lake)).filter((one) => one.endsWith(".parquet") && !one.endsWith(".parts.parquet"));
    const all = [
      ...own.map((one) => path.join(lake, one)),
      ...(await namesIn(assembled)).map((one) => path.join(assembled, one)),
    ];
    const rows =
      all.length === 0
        ? []
        : await database.use((session) =>
            session.rows(
              `from read_parquet([${all.map(literal).join(", ")}], union_by_name = true) order by _landing, _file_no, _position`,
            ),
          );
    const folderOfRejects = folders.rejects(INTEGRATION, name);
    const lists = (await readdir(folderOfRejects, { recursive: true }).catch(() => [])).filter((one) =>
      one.endsWith(".jsonl"),
    );
    const rejects: Dropped["rejects"] = [];
    for (const list of lists.sort()) {
      const text = await readFile(path.join(folderOfRejects, list), "utf8");
      rejects.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
    }
    return { rows, outcome: landed?.outcome as Outcome, rejects };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The reasons of refused files, in the order of their names. */
export const refusals = ({ outcome }: Dropped): string[] =>
  outcome.refused.map(({ file, reason }) => `${file} ${reason}`).sort();
