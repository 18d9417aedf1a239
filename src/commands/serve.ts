import type { Command } from "commander";
import { pino } from "pino";
import { Credentials } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { endpoints } from "../endpoints/index.ts";
import { EngineAnswers } from "../engine/answers.ts";
import { openServing } from "../engine/serving.ts";
import { createApp } from "../http/app.ts";
import { Metrics } from "../http/metrics.ts";
import { listen } from "../http/server.ts";
import { LandingWatch } from "../landing/landed.ts";
import { CurrentGenerations } from "../marts/current.ts";
import { paths } from "../paths.ts";
import { deriveAll } from "../sync.ts";
import { isEmpty, makeDemo } from "./demo.ts";
import { openOrganizations } from "./organizations.ts";

/** The views of the engine are bound to the derived files of an organization without data. */
const NOBODY = { organizationId: "_empty", name: "" };

export function serveCommand(program: Command, config: () => Config): void {
  program
    .command("serve")
    .description("serve the analyses; an empty data folder gets the demo organization first")
    .action(() => serve(config()));
}

async function serve(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel });
  if (await isEmpty(config.dataDir)) await makeDemo(config);
  const organizations = openOrganizations(config.dataDir, (problem) =>
    log.error({ problem }, "settings refused, the last good ones stay"),
  );
  const generations = new CurrentGenerations(
    config.dataDir,
    async (id) => (await organizations.get(id))?.settings,
    (organization, error) => log.error({ organization, err: error }, "could not derive"),
  );
  await deriveAll(config, [NOBODY]);
  const database = await openServing(config, NOBODY.organizationId);
  await database.lockDown(paths.marts(config.dataDir));
  const metrics = new Metrics();
  const lake = new LandingWatch(config.dataDir);
  metrics.watchLandings(async () => lake.read(await organizations.all(), config.now()), log);
  let ready = false;
  let stopping = false;
  const app = createApp({
    endpoints,
    answers: new EngineAnswers(database, generations, (path, sql, error) =>
      log.error({ path, sql, err: error }, "a block could not be read"),
    ),
    credentials: new Credentials(config.dataDir, (problem) =>
      log.error({ problem }, "credentials refused, the last good ones stay"),
    ),
    organizations: { has: async (id) => (await organizations.get(id)) !== undefined },
    config,
    log,
    metrics,
    now: config.now,
    ready: async () => ({ ready: ready && !stopping }),
  });
  const server = await listen(app, config, log).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === "listen"
      ? new OperatorError(`cannot serve on ${config.host}:${config.port}: ${error.code}`)
      : error;
  });
  log.info({ host: config.host, port: server.port }, "listening");
  const page = config.metricsPort === 0 ? undefined : await metrics.serve(config.metricsPort, log);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      stopping = true;
      log.info({ signal }, "stopping");
      await server.stop();
      await page?.stop();
      database.close();
      process.exit(0);
    });
  }
  await generations.refresh(await organizations.ids());
  ready = true;
  log.info("ready");
}
