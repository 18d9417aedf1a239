import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { pino } from "pino";
import type { Config } from "../core/config.ts";
import { OperatorError } from "../core/contract/error.ts";
import { allEndpoints, endpoints } from "../core/endpoints/index.ts";
import { EngineAnswers } from "../core/engine/answers.ts";
import { GenerationChecks } from "../core/engine/checks.ts";
import { openServing } from "../core/engine/serving.ts";
import { paths } from "../core/files/paths.ts";
import { EndpointHandler } from "../core/http/handler.ts";
import { Metrics } from "../core/http/metrics.ts";
import { GenerationStore } from "../core/marts/current.ts";
import { deriveNothing } from "../core/marts/derivations.ts";
import { StateStore } from "../core/marts/stateStore.ts";
import { analysisViews } from "../core/marts/views.ts";
import { oneOrganization } from "../core/organizations/named.ts";
import { openOrganizations } from "../core/organizations/open.ts";
import { once as onlyOnce } from "../core/terminal/usage.ts";
import { openOwnQueries } from "../features/adhoc/open.ts";
import { toolBackendOf } from "../features/mcp/backend.ts";
import { loadSdk, makeServer } from "../features/mcp/server.ts";
import { engineFeatures } from "./engine.ts";
import { derivedOne } from "./firstFiles.ts";

interface Options {
  readonly organization?: string;
}

export function mcpCommand(program: Command, config: () => Config): void {
  program
    .command("mcp")
    .description("answer an agent's tools on the standard input and output, from local data, which it only reads")
    .option("--organization <id or name>", "only this one; without it all", onlyOnce)
    .action((options: Options) => serveTools(config(), options));
}

/** The tools of the service for one agent on this machine, without a port and without credentials. */
async function serveTools(config: Config, { organization }: Options): Promise<void> {
  // The standard output belongs to the protocol.
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const warn = (problem: string): void => log.warn({ problem }, "settings refused, the last good ones stay in force");
  const known = openOrganizations(config.dataDir, warn);
  const readable =
    organization === undefined
      ? await known.ids()
      : [(await oneOrganization(config.dataDir, warn, organization)).organizationId];
  if (readable.length === 0) throw new OperatorError(`there is no organization in ${config.dataDir}`);
  const settings = async (id: string) => (await known.get(id))?.settings;
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-"));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const bound = await derivedOne(config, readable, { folder, close });
  const database = await openServing(config, "", path.join(folder, "spill"), bound);
  const features = engineFeatures(database, { writes: false });
  const checks = new GenerationChecks(database, endpoints);
  let own: ReturnType<typeof openOwnQueries> | undefined;
  try {
    await database.lockDown(paths.marts(config.dataDir), folder);
    const generations = new GenerationStore(config.dataDir, settings, () => {}, deriveNothing);
    own = openOwnQueries(config, generations);
    const answers = new EngineAnswers(
      { database, generations },
      {
        keptBytes: config.cacheBytes / 8,
        ...features,
        checks,
      },
    );
    const states = new StateStore(config.dataDir, { bytes: config.statesBytes, onFailure: () => {} });
    const deps = { answers, tables: noTables, states, organizations: { settings }, config, now: config.now, log };
    const handler = new EndpointHandler(deps, new Metrics());
    const client = { clientId: "local", organizations: readable };
    const tools = { views: analysisViews(), query: own.query };
    const backends = { ...deps, endpoints: allEndpoints, tools };
    const sdk = await loadSdk();
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const requestId = randomUUID();
    const served = serveStdio(
      () =>
        makeServer(sdk, {
          backend: (signal) => toolBackendOf(backends, handler, client, requestId, signal),
          requestId,
          onCall: (tool, failed) => log.info({ tool, failed }, "tool called"),
          onFailure: (error) => log.debug({ err: error }, "tool failed"),
        }),
      { onerror: (error) => log.warn({ err: error }, "protocol") },
    );
    await once(process.stdin, "close");
    await served.close();
  } finally {
    await own?.close();
    await features.models.close();
    await checks.stop();
    database.close();
    await close();
  }
}

/** Tools take answers as JSON only. */
const noTables = {
  table: () => Promise.reject(new Error("tools ask for no tables")),
};
