import type { Command } from "commander";
import { Credentials, LONGEST_OVERLAP_S } from "../core/access/credentials.ts";
import { logged } from "../core/audit/audit.ts";
import type { Config } from "../core/config.ts";
import { namedOrganizations } from "../core/organizations/named.ts";
import { table } from "../core/terminal/table.ts";
import { many, UsageError } from "../core/terminal/usage.ts";

const IN_FUTURE =
  "in the future: the clock is wrong, or was; an overlap written then ends too late (repair the clock, then rotate)";

export function keysCommand(program: Command, config: () => Config): void {
  const keys = program.command("keys").description("credentials of API clients");
  const open = (): Credentials => new Credentials(config().dataDir);

  keys
    .command("create")
    .description("make a client id and a secret, which is shown only once")
    .requiredOption("--organization <id or name>", "an organization it may read; repeat for more", many)
    .option("--name <name>", "what it is for")
    .option("--json", "as JSON")
    .action(async (options: { organization: string[]; name?: string; json?: boolean }) => {
      const organizations = await idsOf(config(), options.organization);
      const wanted = { organizations, name: options.name ?? "" };
      const made = await logged(config().dataDir, organizations, { what: "credentials.create", after: wanted }, () =>
        open().create(wanted),
      );
      show(made, options.json);
    });

  keys
    .command("list")
    .description("the clients, without their secrets")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const clients = await open().list();
      for (const { client_id, createdInFuture } of clients) {
        if (createdInFuture) console.error(`lucra: ${client_id}: created ${createdInFuture}, ${IN_FUTURE}`);
      }
      if (json) return console.log(JSON.stringify(clients));
      const rows = clients.map((c) => [
        c.client_id,
        c.name ?? "",
        c.organizations.join(" "),
        c.createdAt,
        c.overlapUntil ?? "",
        c.revokedAt ?? "",
      ]);
      console.log(table(["client id", "name", "organizations", "created", "old secret until", "revoked"], rows));
    });

  keys
    .command("rotate")
    .description("make a new secret for a client; the old one works during the overlap")
    .argument("<client-id>")
    .option("--overlap <seconds>", "how long the old secret works", "0")
    .option("--json", "as JSON")
    .action(async (id: string, options: { overlap: string; json?: boolean }) => {
      const overlapSeconds = /^\d+$/.test(options.overlap) ? Number(options.overlap) : Number.NaN;
      if (!(overlapSeconds <= LONGEST_OVERLAP_S)) {
        throw new UsageError(`--overlap ${options.overlap}: whole seconds from 0 to ${LONGEST_OVERLAP_S}, a year`);
      }
      const described = { what: "credentials.regenerate", after: { clientId: id, overlapSeconds } };
      const made = await logged(config().dataDir, await organizationsOf(open(), id), described, () =>
        open().rotate(id, { overlapSeconds }),
      );
      show(made, options.json);
      if (!options.json)
        console.log(`the old one works ${made.old_secret_until ? `until ${made.old_secret_until}` : "no more"}`);
    });

  keys
    .command("revoke")
    .description("end a client's access; a running service applies this within seconds")
    .argument("<client-id>")
    .action(async (id: string) => {
      const described = { what: "credentials.end", after: { clientId: id } };
      await logged(config().dataDir, await organizationsOf(open(), id), described, () => open().revoke(id));
      console.log(`revoked ${id}`);
    });
}

/** The organizations whose logs a change of a client concerns. */
const organizationsOf = async (credentials: Credentials, clientId: string): Promise<readonly string[]> =>
  (await credentials.list()).find(({ client_id }) => client_id === clientId)?.organizations ?? [];

/** Fails for an unknown organization: its credential would not work. */
async function idsOf({ dataDir }: Config, wanted: readonly string[]): Promise<string[]> {
  const found = await namedOrganizations(dataDir, (problem) => console.error(`lucra: ${problem}`), wanted);
  return [...new Set(found.map(({ organizationId }) => organizationId))];
}

function show(made: { client_id: string; client_secret: string }, json?: boolean): void {
  if (json) console.log(JSON.stringify(made));
  else console.log(`client_id:     ${made.client_id}\nclient_secret: ${made.client_secret}   (shown only once)`);
}
