import path from "node:path";
import type { Command } from "commander";
import { pino } from "pino";
import { Credentials } from "../access/credentials.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { endpoints } from "../endpoints/index.ts";
import { EngineAnswers } from "../engine/answers.ts";
import { openServing } from "../engine/serving.ts";
import { EngineTables } from "../engine/tables.ts";
import { createApp } from "../http/app.ts";
import { listen } from "../http/server.ts";
import { CurrentGenerations } from "../marts/current.ts";
import { paths } from "../paths.ts";
import { Spool } from "../spool.ts";
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
  const spool = await Spool.open(config.spoolDir);
  const database = await openServing(config, NOBODY.organizationId, path.join(spool.folder, "spill"));
  await database.lockDown(paths.marts(config.dataDir), spool.folder);
  let ready = false;
  let stopping = false;
  const app = createApp({
    endpoints,
    answers: new EngineAnswers(database, generations, (endpoint, sql, error) =>
      log.error({ path: endpoint, sql, err: error }, "a block could not be read"),
    ),
    tables: new EngineTables(database, generations, spool),
    credentials: new Credentials(config.dataDir, (problem) =>
      log.error({ problem }, "credentials refused, the last good ones stay"),
    ),
    organizations: { has: async (id) => (await organizations.get(id)) !== undefined },
    config,
    log,
    now: config.now,
    ready: async () => ({ ready: ready && !stopping }),
  });
  const server = await listen(app, config, log).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === "listen"
      ? new OperatorError(`cannot serve on ${config.host}:${config.port}: ${error.code}`)
      : error;
  });
  log.info({ host: config.host, port: server.port }, "listening");
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      stopping = true;
      log.info({ signal }, "stopping");
      await server.stop();
      database.close();
      await spool.close();
      process.exit(0);
    });
  }
  await generations.refresh(await organizations.ids());
  ready = true;
  log.info("ready");
}
