import { text as textOf } from "node:stream/consumers";
import type { Command } from "commander";
import { logged } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import type { Integration, Organization } from "../../core/contract/settings.ts";
import { shownConnector } from "../../core/contract/vendor.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { namedIntegration, namedOrganizations, shownName } from "../../core/organizations/named.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { printable, table } from "../../core/terminal/table.ts";
import { once, UsageError } from "../../core/terminal/usage.ts";
import { warn } from "../../core/terminal/warn.ts";
import { placeOfSecrets } from "./accounts.ts";
import { checkedSecrets, keepSecrets, keptSecrets, removeSecrets, setOf } from "./secrets.ts";
import { endOf, pullState } from "./state.ts";

interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly json?: boolean;
}

export function secretsCommand(program: Command, config: () => Config): void {
  const secrets = program.command("secrets").description("the vendors' credentials, for `lucra pull`");
  const ofOne = (command: Command): Command =>
    command
      .option("--organization <id or name>", "whose integration; not needed if the integration's name is unique", once)
      .requiredOption("--integration <id or name>", "the account that they are for", once);

  ofOne(secrets.command("set"))
    .description("read one JSON object from standard input and keep it; no value is ever shown")
    .action((options: Options) => set(config(), options));

  secrets
    .command("list")
    .description("which secrets are there, since when and until when, never their values")
    .option("--organization <id or name>", "only this organization", once)
    .option("--json", "as JSON")
    .action((options: Options) => list(config(), options));

  ofOne(secrets.command("remove"))
    .description("delete the secrets of an integration")
    .action((options: Options) => remove(config(), options));
}

const organizationsOf = ({ dataDir }: Config, { organization }: Options): Promise<Organization[]> =>
  organization === undefined ? knownOrganizations(dataDir, warn) : namedOrganizations(dataDir, warn, [organization]);

async function integrationOf(
  config: Config,
  options: Options,
): Promise<{ organization: Organization; integration: Integration }> {
  return namedIntegration(await organizationsOf(config, options), options.integration ?? "");
}

/** More than any set of secrets has. */
const LONGEST_INPUT = 64 * 1024;

async function set(config: Config, options: Options): Promise<void> {
  const { organization, integration } = await integrationOf(config, options);
  if (process.stdin.isTTY) console.error("the secrets as one JSON object, then Ctrl-D:");
  const given = await textOf(process.stdin);
  const { secrets, faults } =
    given.length > LONGEST_INPUT
      ? { faults: ["one JSON object is expected on standard input"] }
      : checkedSecrets(integration.connector, given);
  if (!secrets) {
    throw new UsageError(
      printable(
        `secrets of ${shownName(integration)} (${integration.connector}): ${faults.join("; ")}; nothing was written`,
      ),
    );
  }
  const { organizationId } = organization;
  const after = { integrationId: integration.id, keys: Object.keys(secrets).sort() };
  await logged(config.dataDir, [organizationId], { what: "secrets.set", after }, () =>
    keepSecrets(
      foldersOf(config.dataDir, organizationId),
      integration.id,
      secrets,
      integration.pull && placeOfSecrets(integration),
    ),
  );
  console.log(printable(`kept ${Object.keys(secrets).join(", ")} of ${shownName(integration)}`));
  console.log(
    `then: npm run -s lucra -- pull --check --organization ${organization.organizationId} --integration ${integration.id}`,
  );
}

async function list(config: Config, options: Options): Promise<void> {
  const rows: {
    organizationId: string;
    integrationId: string;
    name: string;
    connector: string;
    keys: string[];
    setAt: string | null;
    /** When they end, if the vendor has said so at a pull. */
    endsAt: string | null;
    complete: boolean;
  }[] = [];
  for (const { organizationId, integrations = [] } of await organizationsOf(config, options)) {
    const folders = foldersOf(config.dataDir, organizationId);
    for (const integration of integrations) {
      const kept = await keptSecrets(folders, integration.id).catch((error) => {
        warn((error as Error).message);
        process.exitCode = 1;
      });
      if (!kept && !integration.pull) continue;
      rows.push({
        organizationId,
        integrationId: integration.id,
        name: shownName(integration),
        connector: integration.connector,
        keys: Object.keys(kept?.secrets ?? {}).sort(),
        setAt: kept?.setAt ?? null,
        endsAt: (kept && endOf(await pullState(folders, integration.id), kept)) ?? null,
        complete: kept !== undefined && setOf(integration.connector, kept.secrets) !== undefined,
      });
    }
  }
  if (options.json) return console.log(JSON.stringify(rows));
  if (rows.length === 0) return console.log("no secrets, and no integration with `pull`");
  const cells = rows.map(({ name, integrationId, connector, keys, setAt, endsAt, complete }) => [
    printable(name),
    integrationId,
    shownConnector(connector as Integration["connector"]),
    keys.length === 0 ? "missing" : `${keys.join(", ")}${complete ? "" : " (incomplete)"}`,
    shownInstant(setAt),
    shownInstant(endsAt),
  ]);
  console.log(table(["integration", "id", "connector", "secrets", "since", "end"], cells));
}

const shownInstant = (at: string | null): string => at?.slice(0, 19).replace("T", " ") ?? "";

async function remove(config: Config, options: Options): Promise<void> {
  const { organization, integration } = await integrationOf(config, options);
  const { organizationId } = organization;
  const described = { what: "secrets.remove", before: { integrationId: integration.id } };
  const removed = await logged(config.dataDir, [organizationId], described, () =>
    removeSecrets(foldersOf(config.dataDir, organizationId), integration.id),
  );
  if (!removed) throw new OperatorError(printable(`${shownName(integration)} has no secrets`));
  console.log(printable(`removed the secrets of ${shownName(integration)}; revoke them at the vendor too`));
}
