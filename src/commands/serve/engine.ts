import path from "node:path";
import type { Answers, Tables } from "../../core/contract/endpoint.ts";
import { endpoints } from "../../core/endpoints/index.ts";
import { EngineAnswers } from "../../core/engine/answers.ts";
import { GenerationChecks } from "../../core/engine/checks.ts";
import type { Database } from "../../core/engine/database.ts";
import { KeptPlans } from "../../core/engine/kept.ts";
import { openEngines } from "../../core/engine/serving.ts";
import { EngineTables } from "../../core/engine/tables.ts";
import { paths } from "../../core/files/paths.ts";
import { openOwnQueries } from "../../features/adhoc/open.ts";
import { DataQuality } from "../../features/doctor/quality.ts";
import { engineFeatures } from "../engine.ts";
import { EMPTY } from "../firstFiles.ts";
import type { Data } from "./data.ts";
import type { Base, Running } from "./part.ts";

/** The serving engines, and the processes beside them. */
export interface Engine {
  /** The one with several threads, for *Settings*. */
  readonly database: Database;
  /** False while an engine is broken and not yet replaced. */
  readonly isUsable: () => boolean;
  readonly answers: Answers;
  readonly tables: Tables;
  readonly quality: DataQuality;
  readonly own: ReturnType<typeof openOwnQueries>;
}

export async function startEngine({ config, log, readOnly }: Base, data: Data): Promise<Running<Engine>> {
  const { spool, generations, bound } = data;
  const engines = await openEngines(config, EMPTY.organizationId, {
    folders: [paths.marts(config.dataDir), spool.folder],
    spill: path.join(spool.folder, "spill"),
    marts: bound,
  });
  const { database } = engines;
  const { models, explain, workbooks } = engineFeatures(database, {
    writes: !readOnly,
    onFailure: (folder, error) => log.error({ folder, err: error }, "a model could not be computed or kept"),
  });
  const checks = new GenerationChecks(database, endpoints);
  const quality = new DataQuality({ dataDir: config.dataDir, database, generations, now: config.now });
  const own = openOwnQueries(config, generations);
  const source = { ...engines, generations };
  const answers = new EngineAnswers(source, {
    keptBytes: config.cacheBytes / 8,
    onBlockFailure: (endpoint, sql, error) =>
      log.error({ path: endpoint, sql, err: error }, "a block could not be read"),
    plans: new KeptPlans(source, endpoints, {
      most: config.keptPlans,
      mostBytes: Math.floor(engines.memoryBytes / 8),
      onFailure: (folder, error) => log.warn({ folder, err: error }, "tables could not be kept: files answer"),
    }),
    models,
    explain,
    checks,
  });
  let closing: Promise<unknown> | undefined;
  return {
    value: {
      database,
      isUsable: engines.isUsable,
      answers,
      tables: new EngineTables(source, spool, { models, workbooks }),
      quality,
      own,
    },
    // Requests that wait for a model are answered.
    leave: () => {
      closing = models.close();
      // `stop` reports it.
      closing.catch(() => {});
    },
    stop: async () => {
      await Promise.all([closing, checks.stop(), quality.stop(), own.close()]);
      engines.close();
    },
  };
}
