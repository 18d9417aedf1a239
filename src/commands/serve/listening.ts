import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import { Credentials } from "../../core/access/credentials.ts";
import { LastUses, noted } from "../../core/access/lastUses.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import type { Coordination } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { allEndpoints } from "../../core/endpoints/index.ts";
import type { Metrics } from "../../core/http/metrics.ts";
import { type Limits, processLimits } from "../../core/http/rateLimit.ts";
import { listen } from "../../core/http/server.ts";
import { analysisViews } from "../../core/marts/views.ts";
import { overview } from "../../core/schedule/overview.ts";
import { answersAhead } from "../../features/ahead/feature.ts";
import { Links } from "../../features/links/links.ts";
import { shownPins } from "../../features/pins/shown.ts";
import { serviceApp } from "./app.ts";
import type { Background } from "./background.ts";
import type { Data } from "./data.ts";
import type { Engine } from "./engine.ts";
import type { Base, Running } from "./part.ts";
import { openSignIn } from "./platform.ts";
import { addressesOf, localToken, welcome } from "./welcome.ts";

/** After a stop, requests under way that take longer are answered 503; the server waits a little longer for that. */
const ENDING_MS = 8_000;

/** The parts of the listening server. `isReady`: false until derived files have been looked at, and while it stops. */
interface Parts {
  readonly data: Data;
  readonly engine: Engine;
  readonly background: Background;
  readonly metrics: Metrics;
  readonly isReady: () => boolean;
}

export async function startListening(base: Base, parts: Parts): Promise<Running<undefined>> {
  const { config, log, readOnly } = base;
  const { data, engine, background, metrics, isReady } = parts;
  const { dataDir } = config;
  const { storage, settingsOf, replica } = data;
  const coordination = coordinationOf(dataDir);
  const ending = new AbortController();
  // Every request may listen.
  setMaxListeners(0, ending.signal);
  const kept = (what: string) => (problem: string) =>
    log.error({ problem }, `${what} refused, the last good ones stay in force`);
  const credentials = new Credentials(dataDir, kept("credentials"), undefined, storage);
  const limits = await openLimits(config, metrics, log);
  const shared = {
    endpoints: allEndpoints,
    answers: engine.answers,
    organizations: { has: async (id: string) => (await settingsOf(id)) !== undefined, settings: settingsOf },
    log,
    now: config.now,
  };
  const ahead = config.cacheBytes > 0 ? answersAhead(shared) : undefined;
  const links = new Links(dataDir, kept("share links"), undefined, storage);
  const lastUses = new LastUses(dataDir, !readOnly || coordination.documents.isShared);
  const { sessions, platform } = openSignIn(base, { ...shared, data, engine, credentials, lastUses, links, kept });
  const app = serviceApp({
    ...shared,
    ahead,
    tables: engine.tables,
    states: data.states,
    query: engine.own.written,
    quality: engine.quality,
    pins: (organization) => data.states.reported(organization, shownPins(dataDir, organization)),
    credentials: noted(credentials, lastUses),
    limit: limits.requests,
    failures: limits.failures,
    sessionLimit: limits.sessions,
    sessions,
    platform,
    links: config.shareLinks ? links : undefined,
    tools: config.mcp ? { views: analysisViews(), query: engine.own.query } : undefined,
    config,
    metrics,
    ending: ending.signal,
    ready: async () => ({
      ready: isReady() && engine.isUsable() && (await areKnown(data, coordination)),
      ...databaseState(coordination),
      ...replica?.state,
    }),
    details: () => detailsOf(base, data, background),
  });
  const server = await listen(app, config, log).catch((error: Error) => {
    throw error instanceof OperatorError ? new OperatorError(`${error.message}: PORT names another port`) : error;
  });
  const addresses = addressesOf(config.host, server.port);
  // Only on a terminal: other output is kept, and the link signs in.
  if (process.stdout.isTTY) console.log(welcome(addresses, readOnly ? undefined : await localToken(config)));
  log.info({ host: config.host, port: server.port, ...addresses }, "listening");
  const page = config.metricsPort === 0 ? undefined : await metrics.serve(config.metricsPort, log);
  return {
    value: undefined,
    stop: async () => {
      setTimeout(() => ending.abort(), ENDING_MS).unref();
      await Promise.all([server.stop(), ahead?.stop()]);
      await platform?.stop();
      await Promise.all([page?.stop(), limits.close()]);
    },
  };
}

/** Details of `/readyz?verbose`. */
async function detailsOf({ config }: Base, { storage, allSettings }: Data, { schedule }: Background): Promise<object> {
  if (storage.isLate) return {};
  return { integrations: await overview(config.dataDir, await allSettings(), (job) => schedule.nextRun(job)) };
}

/** The limits that this process counts, or, with LUCRA_REDIS_URL, those that several count together. */
async function openLimits({ redisUrl }: Config, metrics: Metrics, log: Logger): Promise<Limits> {
  if (redisUrl === undefined) return processLimits();
  // Loaded only here: a service without Redis starts without its client.
  const { openRedisLimits } = await import("../../features/cluster/redisLimits.ts");
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

/** Whether the files, and what the processes agree on, can be read. */
const areKnown = async ({ storage, replica }: Data, coordination: Coordination): Promise<boolean> =>
  isKnown(coordination) && replica?.isKnown !== false && (await storage.answers());

const isKnown = ({ downSince, knownMs }: Coordination): boolean =>
  Date.now() - (downSince()?.getTime() ?? Date.now()) < knownMs;
