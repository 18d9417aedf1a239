import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { Metrics } from "../../core/http/metrics.ts";
import { flushed, serverLog } from "../../core/terminal/serverLog.ts";
import { prepareMcp } from "../../features/mcp/routes.ts";
import { startBackground } from "./background.ts";
import { startData } from "./data.ts";
import { startEngine } from "./engine.ts";
import { startListening } from "./listening.ts";
import { Parts } from "./part.ts";

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
    .option(
      "--no-demo",
      "make no demo: an empty data folder fails, as it may be a disk that is not mounted, unless it has an operator",
    )
    .action((options: Options) => serve(config(), options));
}

/** Starts the parts of the service; a signal stops them in reverse. */
async function serve(config: Config, { readOnly = false, demo = true }: Options): Promise<void> {
  const log = await serverLog(config.logLevel);
  const base = { config, log, readOnly };
  const metrics = new Metrics();
  let [ready, stopping] = [false, false];
  const isReady = (): boolean => ready && !stopping;
  const parts = new Parts(log);
  const data = await parts.start("data", () => startData(base, demo));
  const engine = await parts.start("engine", () => startEngine(base, data));
  const background = await parts.start("background", () => startBackground(base, data, metrics));
  await parts.start("listening", () => startListening(base, { data, engine, background, metrics, isReady }));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      stopping = true;
      log.info({ signal }, "stopping");
      await parts.stop();
      await flushed(log);
      process.exit(0);
    });
  }
  const loading = config.mcp ? prepareMcp() : undefined;
  if (!readOnly) await data.generations.refresh(await data.organizations.ids());
  await loading;
  await background.watch();
  ready = true;
  log.info("ready");
  await background.begin();
}
