import { setMaxListeners } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import type { Logger } from "pino";
import { Credentials } from "../core/access/credentials.ts";
import type { Config } from "../core/config.ts";
import { isOutOfSpace, OperatorError } from "../core/contract/error.ts";
import type { Coordination } from "../core/coordination/coordination.ts";
import { coordinationOf } from "../core/coordination/registry.ts";
import { allEndpoints, endpoints } from "../core/endpoints/index.ts";
import { EngineAnswers } from "../core/engine/answers.ts";
import { GenerationChecks } from "../core/engine/checks.ts";
import { KeptPlans } from "../core/engine/kept.ts";
import { openServing } from "../core/engine/serving.ts";
import { Spool } from "../core/engine/spool.ts";
import { EngineTables } from "../core/engine/tables.ts";
import { paths } from "../core/files/paths.ts";
import { Storage } from "../core/files/storage.ts";
import { Metrics } from "../core/http/metrics.ts";
import { type Limits, processLimits } from "../core/http/rateLimit.ts";
import { listen } from "../core/http/server.ts";
import { LandingWatch } from "../core/landing/landed.ts";
import { GenerationStore } from "../core/marts/current.ts";
import { deriveInChild, deriveNothing } from "../core/marts/derivations.ts";
import { analysisViews } from "../core/marts/views.ts";
import { openOrganizations } from "../core/organizations/open.ts";
import { SettingsWatch } from "../core/organizations/watch.ts";
import { Children } from "../core/processes/children.ts";
import { overview } from "../core/schedule/overview.ts";
import { Schedule } from "../core/schedule/schedule.ts";
import { syncInChild } from "../core/schedule/syncInChild.ts";
import { JobQueue } from "../core/schedule/turns.ts";
import { flushed, serverLog } from "../core/terminal/serverLog.ts";
import { openOwnQueries } from "../features/adhoc/open.ts";
import { openStore, useUploads } from "../features/cluster/objects/open.ts";
import { Uploads } from "../features/cluster/objects/uploads.ts";
import { sharedQueue } from "../features/cluster/sharedQueue.ts";
import { followDocuments, openReplica } from "../features/cluster/storage.ts";
import { DataQuality } from "../features/doctor/quality.ts";
import { Sessions } from "../features/explorer/sessions.ts";
import { Links } from "../features/links/links.ts";
import { prepareMcp } from "../features/mcp/routes.ts";
import { WebhookDeliveries } from "../features/webhooks/deliveries.ts";
import { Networks } from "../features/webhooks/networks.ts";
import { serviceApp } from "./app.ts";
import { engineFeatures } from "./engine.ts";
import { derivedOne, EMPTY, type Own, prepare } from "./firstFiles.ts";
import { addressesOf, demoLink, welcome } from "./welcome.ts";

/** After a stop, requests under way that take longer are answered 503; the server waits a little longer for that. */
const ENDING_MS = 8_000;

interface Options {
  readonly readOnly?: boolean;
  /** False with `--no-demo`. */
  readonly demo?: boolean;
}

export function serveCommand(program: Command, config: () => Config): void {
  program
    .command("serve")
    .description("serve the analyses and land what is scheduled; an empty data folder gets the demo organization first")
    .option(
      "--read-only",
      "write nothing into the data folder: do not land or derive, serve the files of another process",
    )
    .option("--no-demo", "fail on an empty data folder, which may be a disk that is not mounted")
    .action((options: Options) => serve(config(), options));
}

async function serve(config: Config, { readOnly = false, demo = true }: Options): Promise<void> {
  const log = await serverLog(config.logLevel);
  const organizations = openOrganizations(config.dataDir, (problem) =>
    log.error({ problem }, "settings refused, the last good ones stay in force"),
  );
  const storage = new Storage(config.dataDir);
  const settingsOf = async (id: string) => (await organizations.get(id, { storage }))?.settings;
  const allSettings = () => organizations.all();
  const store = await openStore(config);
  if (store && !readOnly) useUploads(config.dataDir, new Uploads(store, config.dataDir));
  const replica = store && readOnly ? await openReplica(config, store, log) : undefined;
  const prepared = readOnly ? undefined : await prepare(config, demo);
  const spool = await openSpool(config, readOnly, log);
  const oneOf = async (own: Own): Promise<string> =>
    derivedOne(config, await organizations.ids(), own, replica !== undefined);
  let bound: string | undefined = prepared ?? (await oneOf(spool));
  const children = new Children(config.dataDir, config.syncTimeoutMs);
  const generations = new GenerationStore(
    config.dataDir,
    settingsOf,
    (organization, error) => children.stopped || log.error({ organization, err: error }, "could not derive"),
    readOnly ? deriveNothing : deriveInChild(children),
    undefined,
    storage,
    replica?.mirror,
  );
  const documents = store && !readOnly ? followDocuments(config, store, log) : undefined;
  const coordination = coordinationOf(config.dataDir);
  const { jobs } = coordination;
  const queue = jobs ? sharedQueue(jobs, log) : new JobQueue(syncInChild(children, config, log));
  const schedule = new Schedule({ organizations: allSettings, queue, log });
  const metrics = new Metrics();
  const webhooks = new WebhookDeliveries(
    {
      dataDir: config.dataDir,
      networks: new Networks(config.webhookNetworks),
      onAttempt: ({ outcome, ...delivery }) => {
        metrics.webhooks.inc({ organization: delivery.organization, outcome });
        log[outcome === "delivered" ? "info" : "warn"]({ ...delivery, outcome }, "webhook");
      },
    },
    (organization, error) => log.error({ organization, err: error }, "could not deliver to the webhook"),
  );
  const settingsWatch = new SettingsWatch(
    organizations,
    async (changed) => {
      await schedule.look();
      if (!readOnly) webhooks.look(await allSettings());
      for (const organization of changed) await generations.settingsChanged(organization);
    },
    (error) => log.error({ err: error }, "could not apply changed settings"),
  );
  // An engine that replaces a broken one is bound to files that exist by then.
  const marts = async (): Promise<string> => bound ?? oneOf({ folder: spool.folder, close: async () => {} });
  const database = await openServing(config, EMPTY.organizationId, path.join(spool.folder, "spill"), marts);
  bound = undefined;
  await database.lockDown(paths.marts(config.dataDir), spool.folder);
  const { models, explain } = engineFeatures(database, {
    writes: !readOnly,
    onFailure: (folder, error) => log.error({ folder, err: error }, "a model could not be computed or kept"),
  });
  const checks = new GenerationChecks(database, endpoints);
  const quality = new DataQuality({ dataDir: config.dataDir, database, generations, now: config.now });
  const own = openOwnQueries(config, generations);
  const lake = new LandingWatch(config.dataDir);
  metrics.watchLandings(async () => lake.read(await allSettings(), config.now()), log);
  let ready = false;
  let stopping = false;
  const ending = new AbortController();
  // Every request may listen.
  setMaxListeners(0, ending.signal);
  const credentials = new Credentials(
    config.dataDir,
    (problem) => log.error({ problem }, "credentials refused, the last good ones stay in force"),
    undefined,
    storage,
  );
  const limits = await openLimits(config, metrics, log);
  const app = serviceApp({
    endpoints: allEndpoints,
    answers: new EngineAnswers(database, generations, {
      keptBytes: config.cacheBytes / 8,
      onBlockFailure: (endpoint, sql, error) =>
        log.error({ path: endpoint, sql, err: error }, "a block could not be read"),
      plans: new KeptPlans(database, endpoints, config.keptPlans),
      models,
      explain,
      checks,
    }),
    tables: new EngineTables(database, generations, spool, models),
    query: own.written,
    quality,
    credentials,
    limit: limits.requests,
    failures: limits.failures,
    sessions: new Sessions({
      dataDir: readOnly && !coordination.documents.isShared ? undefined : config.dataDir,
      credentials,
      onProblem: (problem) => log.error({ problem }, "sessions refused, the last good ones stay in force"),
      storage,
    }),
    links: config.shareLinks
      ? new Links(
          config.dataDir,
          (problem) => log.error({ problem }, "share links refused, the last good ones stay in force"),
          undefined,
          storage,
        )
      : undefined,
    organizations: { has: async (id) => (await settingsOf(id)) !== undefined, settings: settingsOf },
    tools: config.mcp ? { views: analysisViews(), query: own.query } : undefined,
    config,
    log,
    metrics,
    now: config.now,
    ending: ending.signal,
    ready: async () => ({
      ready:
        ready &&
        !stopping &&
        database.isUsable &&
        isKnown(coordination) &&
        replica?.isKnown !== false &&
        (await storage.answers()),
      ...databaseState(coordination),
      ...replica?.state,
    }),
    details: async () =>
      storage.isLate
        ? {}
        : { integrations: await overview(config.dataDir, await allSettings(), (job) => schedule.nextRun(job)) },
  });
  const server = await listen(app, config, log).catch((error: Error) => {
    throw error instanceof OperatorError ? new OperatorError(`${error.message}: PORT names another port`) : error;
  });
  const addresses = addressesOf(config.host, server.port);
  // Only on a terminal: other output is kept, and the link signs in.
  if (process.stdout.isTTY) console.log(welcome(addresses, readOnly ? undefined : await demoLink(config)));
  log.info({ host: config.host, port: server.port, ...addresses }, "listening");
  const page = config.metricsPort === 0 ? undefined : await metrics.serve(config.metricsPort, log);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      stopping = true;
      log.info({ signal }, "stopping");
      setTimeout(() => ending.abort(), ENDING_MS).unref();
      settingsWatch.stop();
      await Promise.all([schedule.stop(), children.stop(), webhooks.stop(), models.close(), server.stop()]);
      await Promise.all([checks.stop(), quality.stop(), own.close()]);
      await Promise.all([page?.stop(), limits.close(), documents?.stop(), replica?.stop()]);
      database.close();
      await spool.close();
      await flushed(log);
      process.exit(0);
    });
  }
  const loading = config.mcp ? prepareMcp() : undefined;
  if (!readOnly) await generations.refresh(await organizations.ids());
  await loading;
  if (!stopping) await settingsWatch.start();
  ready = true;
  log.info("ready");
  if (!readOnly && !stopping) await schedule.start();
  if (!readOnly) webhooks.look(await allSettings());
}

/** The limits that this process counts, or, with LUCRA_REDIS_URL, those that several count together. */
async function openLimits({ redisUrl }: Config, metrics: Metrics, log: Logger): Promise<Limits> {
  if (redisUrl === undefined) return processLimits();
  // Loaded only here: a service without Redis starts without its client.
  const { openRedisLimits } = await import("../features/cluster/redisLimits.ts");
  return openRedisLimits(redisUrl, {
    onFallback: metrics.countLimitFallbacks(),
    onChange: (answers) =>
      answers
        ? log.info("Redis answers: the limits count for all processes")
        : log.warn("Redis does not answer: the limits count per process"),
  });
}

/** Without the database, what is known is served for a while. */
const databaseState = ({ downSince }: Coordination): object => {
  const since = downSince();
  return since ? { database: { answers: false, since: since.toISOString() } } : {};
};

const isKnown = ({ downSince, knownMs }: Coordination): boolean =>
  Date.now() - (downSince()?.getTime() ?? Date.now()) < knownMs;

/** On a full disk the service starts all the same, and spools elsewhere. */
async function openSpool(config: Config, readOnly: boolean, log: Logger): Promise<Spool> {
  const home = spoolHome(config, readOnly);
  return Spool.open(home, config.dataDir).catch((error: Error) => {
    if (!isOutOfSpace(error)) throw error;
    log.error({ err: error, spool: tmpdir() }, "the disk is full: exports are spooled in the temporary folder");
    return Spool.open(tmpdir());
  });
}

/** Where exports are spooled: with `--read-only` this is outside the data folder. */
function spoolHome({ spoolDir, dataDir }: Config, readOnly: boolean): string {
  return spoolDir ?? (readOnly ? tmpdir() : paths.spool(dataDir));
}
