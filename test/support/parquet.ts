import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Database, literal } from "../../src/core/engine/database.ts";

/** The bytes of a Parquet file with a query's rows. */
export async function parquet(query: string, options = ""): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-parquet-"));
  const file = path.join(folder, "rows.parquet");
  const database = await Database.open();
  try {
    await database.use((session) => session.run(`copy (${query}) to ${literal(file)} (format parquet${options})`));
    return await readFile(file);
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}
