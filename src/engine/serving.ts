import type { Config } from "../config.ts";
import { Database } from "./database.ts";
import { readSql } from "./sql.ts";

/**
 * An engine that knows the views and formulas of `sql/setup.sql`. The views are bound to the derived files of
 * `organization` once; each request then says whose files they read. `temporary`: where operators spill.
 */
export async function openServing(config: Config, organization: string, temporary?: string): Promise<Database> {
  const { memoryLimit, threads } = config;
  const database = await Database.open({ memoryLimit, threads, ...(temporary ? { temporary } : {}) });
  await database.use(async (session) => {
    await session.set("data_dir", config.dataDir);
    await session.set("organization_id", organization);
    await session.run(readSql("setup"));
  });
  return database;
}
