import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../core/config.ts";
import type { Organization } from "../core/contract/settings.ts";
import { endpoints } from "../core/endpoints/index.ts";
import { EngineAnswers } from "../core/engine/answers.ts";
import { GenerationChecks } from "../core/engine/checks.ts";
import { openServing } from "../core/engine/serving.ts";
import { paths } from "../core/files/paths.ts";
import { EndpointHandler } from "../core/http/handler.ts";
import { Metrics } from "../core/http/metrics.ts";
import { GenerationStore } from "../core/marts/current.ts";
import { deriveNothing } from "../core/marts/derivations.ts";
import { StateStore } from "../core/marts/stateStore.ts";
import { openOwnQueries } from "../features/adhoc/open.ts";
import { engineFeatures } from "./engine.ts";
import { derivedOne } from "./firstFiles.ts";

interface Parts {
  readonly log: Logger;
  readonly settings: (id: string) => Promise<Organization | undefined>;
}

/** Runs work with the answers of the API over local data, which it only reads, without a port. */
export async function withAnswers<T>(
  config: Config,
  readable: readonly string[],
  { log, settings }: Parts,
  work: (deps: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> {
  const opened = await open(config, readable, { log, settings });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function open(config: Config, readable: readonly string[], { log, settings }: Parts) {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-"));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const bound = await derivedOne(config, readable, { folder, close: removeFolder });
  const database = await openServing(config, "", path.join(folder, "spill"), bound);
  const features = engineFeatures(database, { writes: false });
  const checks = new GenerationChecks(database, endpoints);
  let own: ReturnType<typeof openOwnQueries> | undefined;
  const close = async (): Promise<void> => {
    await own?.close();
    await features.models.close();
    await checks.stop();
    database.close();
    await removeFolder();
  };
  try {
    await database.lockDown(paths.marts(config.dataDir), folder);
    const generations = new GenerationStore(config.dataDir, settings, () => {}, deriveNothing);
    own = openOwnQueries(config, generations);
    const answers = new EngineAnswers(
      { database, generations },
      { keptBytes: config.cacheBytes / 8, ...features, checks },
    );
    const states = new StateStore(config.dataDir, { bytes: config.statesBytes, onFailure: () => {} });
    const deps = { answers, tables: noTables, states, organizations: { settings }, config, now: config.now, log };
    const handler = new EndpointHandler(deps, new Metrics());
    return { ...deps, handler, query: own.query, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Answers are JSON only. */
const noTables = {
  table: () => Promise.reject(new Error("no tables are asked for")),
};
