import type { Config } from "../config.ts";
import { Database } from "./database.ts";
import type { Engines } from "./engines.ts";
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

/** The engines of a service. */
export interface ServingEngines extends Engines {
  /** False while one of them is broken and not yet replaced. */
  readonly isUsable: () => boolean;
  /** The memory that they may use together, in bytes. */
  readonly memoryBytes: number;
  readonly close: () => void;
}

interface Places {
  /** The folders outside which they open nothing. */
  readonly folders: readonly string[];
  /** The folder that operators spill to; the engine for small organizations has one beside it. */
  readonly spill: string;
  readonly marts?: (() => Promise<string>) | undefined;
}

/** Opens the engines of a service, each like `openServing`, and locks them. Two share the memory limit; with one thread there is only one. */
export async function openEngines(
  config: Config,
  organization: string,
  { folders, spill, marts }: Places,
): Promise<ServingEngines> {
  const isOne = config.threads === 1;
  const open = async (threads: number, temporary: string): Promise<Database> => {
    const limits = { threads, memoryShare: isOne ? undefined : 1 / 2 };
    const opened = await openServing({ ...config, ...limits }, organization, temporary, marts);
    await opened.lockDown(...folders);
    return opened;
  };
  const database = await open(config.threads, spill);
  const small = isOne ? undefined : await open(1, `${spill}-small`);
  const all = small ? [database, small] : [database];
  const memory = await Promise.all(all.map((one) => one.memoryBytes()));
  return {
    database,
    small,
    isUsable: () => all.every((one) => one.isUsable),
    memoryBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
    close: () => {
      for (const one of all) one.close();
    },
  };
}
