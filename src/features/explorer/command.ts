import type { Command } from "commander";
import { Credentials } from "../../core/access/credentials.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { namedOrganizations } from "../../core/organizations/named.ts";
import { many, UsageError } from "../../core/terminal/usage.ts";
import { Sessions } from "./sessions.ts";

/** The token is in the fragment, which browsers do not send: no log has it. */
export const signInLink = (explorer: string, token: string): string => `${explorer}#signin=${token}`;

/** The token of a one-time link for a client; undefined if no secret of it works. */
export async function linkFor(dataDir: string, clientId: string): Promise<string | undefined> {
  const credentials = new Credentials(dataDir);
  const secretHash = await credentials.workingHash(clientId);
  return secretHash === undefined ? undefined : new Sessions({ dataDir, credentials }).offer({ clientId, secretHash });
}

interface Options {
  readonly organization?: string[];
  readonly client?: string;
  readonly name?: string;
  readonly url?: string;
}

export function explorerCommand(program: Command, config: () => Config): void {
  program
    .command("explorer")
    .description("the Explorer")
    .command("link")
    .description("print a link that signs in to the Explorer: once, and within 10 minutes")
    .option("--organization <id or name>", "make a client for this organization; repeat for more", many)
    .option("--client <client id>", "a client that exists, instead of a new one")
    .option("--name <name>", "who the new client is for, as `keys list` shows it")
    .option("--url <address>", "the address of the Explorer as its users reach it")
    .action(async (options: Options) => {
      const { dataDir, port } = config();
      const clientId = await clientOf(config(), options);
      const token = await linkFor(dataDir, clientId);
      if (token === undefined)
        throw new OperatorError(`client ${clientId}: unknown, revoked, or without a valid secret`);
      console.log(signInLink(options.url ?? `http://localhost:${port}/explorer`, token));
      console.log(`Client ${clientId}: \`keys revoke ${clientId}\` ends its access and its sessions.`);
    });
}

async function clientOf({ dataDir }: Config, { client, organization, name }: Options): Promise<string> {
  if ((client === undefined) === (organization === undefined))
    throw new UsageError("link: either --organization or --client is expected");
  if (client !== undefined) return client;
  const report = (problem: string): void => console.error(`lucra: ${problem}`);
  const found = await namedOrganizations(dataDir, report, organization ?? []);
  const organizations = [...new Set(found.map(({ organizationId }) => organizationId))];
  // Its secret is not shown: the link is its only use.
  const made = await new Credentials(dataDir).create({ organizations, name: name ?? "Explorer" });
  return made.client_id;
}
