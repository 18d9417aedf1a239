import { setMaxListeners } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { Credentials } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { endpoints } from "../endpoints/index.ts";
import { EngineAnswers } from "../engine/answers.ts";
import { GenerationChecks } from "../engine/checks.ts";
import { KeptPlans } from "../engine/kept.ts";
import { FittedModels } from "../engine/models.ts";
import { openServing } from "../engine/serving.ts";
import { EngineTables } from "../engine/tables.ts";
import { paths } from "../files/paths.ts";
import { Spool } from "../files/spool.ts";
import { createApp } from "../http/app.ts";
import { Metrics } from "../http/metrics.ts";
import { listen } from "../http/server.ts";
import { LandingWatch } from "../landing/landed.ts";
import { GenerationStore } from "../marts/current.ts";
import { deriveInChild, deriveNothing } from "../marts/derivations.ts";
import { fingerprint } from "../marts/derive.ts";
import { currentGeneration } from "../marts/generations.ts";
import { openOrganizations } from "../organizations/open.ts";
import { SettingsWatch } from "../organizations/watch.ts";
import { Children } from "../processes/children.ts";
import { overview } from "../schedule/overview.ts";
import { Schedule } from "../schedule/schedule.ts";
import { syncInChild } from "../schedule/syncInChild.ts";
import { deriveAll } from "../sync/sync.ts";
import { isEmpty, makeDemo } from "./demo.ts";
import { flushed, serverLog } from "./serverLog.ts";

/** An organization without data: the views of the engine are bound to its derived files. */
const EMPTY = { organizationId: "_empty", name: "" };

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
  const settingsOf = async (id: string) => (await organizations.get(id))?.settings;
  const allSettings = () => organizations.all();
  const bound = readOnly ? await derivedOne(config, await organizations.ids()) : await prepare(config, demo);
  const children = new Children(config.dataDir, config.syncTimeoutMs);
  const generations = new GenerationStore(
    config.dataDir,
    settingsOf,
    (organization, error) => children.stopped || log.error({ organization, err: error }, "could not derive"),
    readOnly ? deriveNothing : deriveInChild(children),
  );
  const schedule = new Schedule({ organizations: allSettings, run: syncInChild(children, config, log), log });
  const settingsWatch = new SettingsWatch(
    organizations,
    async (changed) => {
      await schedule.look();
      for (const organization of changed) await generations.settingsChanged(organization);
    },
    (error) => log.error({ err: error }, "could not apply changed settings"),
  );
  const spool = await Spool.open(spoolHome(config, readOnly), config.dataDir);
  const database = await openServing(config, bound, path.join(spool.folder, "spill"));
  await database.lockDown(paths.marts(config.dataDir), spool.folder);
  const models = new FittedModels(database, {
    writes: !readOnly,
    onFailure: (folder, error) => log.error({ folder, err: error }, "a model could not be computed or kept"),
  });
  const checks = new GenerationChecks(database, endpoints);
  const metrics = new Metrics();
  const lake = new LandingWatch(config.dataDir);
  metrics.watchLandings(async () => lake.read(await allSettings(), config.now()), log);
  let ready = false;
  let stopping = false;
  const ending = new AbortController();
  // Every request may listen.
  setMaxListeners(0, ending.signal);
  const app = createApp({
    endpoints,
    answers: new EngineAnswers(database, generations, {
      keptBytes: config.cacheBytes / 8,
      onBlockFailure: (endpoint, sql, error) =>
        log.error({ path: endpoint, sql, err: error }, "a block could not be read"),
      plans: new KeptPlans(database, endpoints, config.keptPlans),
      models,
      checks,
    }),
    tables: new EngineTables(database, generations, spool, models),
    credentials: new Credentials(config.dataDir, (problem) =>
      log.error({ problem }, "credentials refused, the last good ones stay in force"),
    ),
    organizations: { has: async (id) => (await organizations.get(id)) !== undefined },
    config,
    log,
    metrics,
    now: config.now,
    ending: ending.signal,
    ready: async () => ({ ready: ready && !stopping }),
    details: async () => ({
      integrations: await overview(config.dataDir, await allSettings(), (job) => schedule.nextRun(job)),
    }),
  });
  const server = await listen(app, config, log).catch((error: Error) => {
    throw error instanceof OperatorError ? new OperatorError(`${error.message}: PORT names another port`) : error;
  });
  const addresses = addressesOf(config.host, server.port);
  if (process.stdout.isTTY) console.log(welcome(addresses));
  log.info({ host: config.host, port: server.port, ...addresses }, "listening");
  const page = config.metricsPort === 0 ? undefined : await metrics.serve(config.metricsPort, log);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      stopping = true;
      log.info({ signal }, "stopping");
      setTimeout(() => ending.abort(), ENDING_MS).unref();
      settingsWatch.stop();
      await Promise.all([schedule.stop(), children.stop(), models.close(), server.stop()]);
      await checks.stop();
      await page?.stop();
      database.close();
      await spool.close();
      await flushed(log);
      process.exit(0);
    });
  }
  if (!readOnly) await generations.refresh(await organizations.ids());
  if (!stopping) await settingsWatch.start();
  ready = true;
  log.info("ready");
  if (!readOnly && !stopping) await schedule.start();
}

/** Where the service is: a host that means all addresses is shown as the machine itself. */
function addressesOf(host: string, port: number): Readonly<Record<"explorer" | "documents" | "api", string>> {
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const base = `http://${shown}:${port}`;
  return { explorer: `${base}/explorer`, documents: `${base}/docs`, api: `${base}/v1` };
}

const welcome = ({ explorer, documents, api }: ReturnType<typeof addressesOf>): string =>
  [
    `Explorer:  ${explorer}`,
    `Documents: ${documents}`,
    `API:       ${api}`,
    "New credentials: npm run -s lucra -- keys create --organization <id or name>",
    "",
  ].join("\n");

/** Where exports are spooled: with `--read-only` this is outside the data folder. */
function spoolHome({ spoolDir, dataDir }: Config, readOnly: boolean): string {
  return spoolDir ?? (readOnly ? tmpdir() : paths.spool(dataDir));
}

/** Makes the files that serving needs; returns the organization whose derived files the views are bound to. */
async function prepare(config: Config, demo: boolean): Promise<string> {
  if (await isEmpty(config.dataDir)) {
    if (!demo) {
      throw new OperatorError(
        `${config.dataDir} holds no organizations: check LUCRA_DATA_DIR and that its disk is mounted; ` +
          "in a new folder, `organizations add` makes the first one",
      );
    }
    await makeDemo(config);
  }
  // If possible without the lock, which a running sync may hold for long.
  const generation = await currentGeneration(config.dataDir, EMPTY.organizationId);
  if (generation?.state !== (await fingerprint(config.dataDir, EMPTY.organizationId, EMPTY)))
    await deriveAll(config, [EMPTY]);
  return EMPTY.organizationId;
}

/** With `--read-only`: an organization whose derived files exist. */
async function derivedOne({ dataDir }: Config, organizations: readonly string[]): Promise<string> {
  for (const organization of [...organizations, EMPTY.organizationId]) {
    if (await currentGeneration(dataDir, organization)) return organization;
  }
  throw new OperatorError(`nothing has been derived in ${dataDir} yet: run sync, or a service without --read-only`);
}
