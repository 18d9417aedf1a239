import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Command } from "commander";
import { pino } from "pino";
import type { Config } from "../core/config.ts";
import { OperatorError } from "../core/contract/error.ts";
import { allEndpoints } from "../core/endpoints/index.ts";
import { analysisViews } from "../core/marts/views.ts";
import { oneOrganization } from "../core/organizations/named.ts";
import { openOrganizations } from "../core/organizations/open.ts";
import { once as onlyOnce } from "../core/terminal/usage.ts";
import { toolBackendOf } from "../features/mcp/backend.ts";
import { loadSdk, makeServer } from "../features/mcp/server.ts";
import { withAnswers } from "./withAnswers.ts";

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
  await withAnswers(
    config,
    readable,
    { log, settings: async (id) => (await known.get(id))?.settings },
    async (deps) => {
      const { handler, query } = deps;
      const client = { clientId: "local", organizations: readable };
      const tools = { views: analysisViews(), query };
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
    },
  );
}
