import type { Config } from "../config.ts";
import { Database } from "./database.ts";
import { readSql, setupFiles } from "./sql.ts";

/**
 * An engine with the views and formulas of `sql/setup.sql`. The views are bound to the derived files of `organization`
 * whenever an engine is opened; each request then sets whose files they read. `temporary`: the folder that operators spill
 * to. `marts`: the folder of the derived files, if it is not that in force.
 */
export async function openServing(
  config: Config & { readonly memoryShare?: number | undefined },
  organization: string,
  temporary?: string,
  marts?: string | (() => Promise<string>),
): Promise<Database> {
  const { memoryLimit, memoryShare, threads } = config;
  const options = { memoryLimit, memoryShare, threads, ...(temporary ? { temporary } : {}) };
  return Database.open(options, async (use) => {
    const bound = typeof marts === "function" ? await marts() : marts;
    await use(async (session) => {
      await session.set("data_dir", config.dataDir);
      await session.set("organization_id", organization);
      if (bound === undefined) return void (await session.run(readSql("setup")));
      await session.set("marts", bound);
      for (const file of setupFiles()) if (file !== "setup/session") await session.run(readSql(file));
    });
  });
}
