import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Command } from "commander";
import type { Config } from "../core/config.ts";
import type { Integration, Organization } from "../core/contract/settings.ts";
import { connectorNamed, shownConnector } from "../core/contract/vendor.ts";
import { foldersOf, type OrganizationFolders } from "../core/files/organizationFolders.ts";
import { editByCommand } from "../core/organizations/editByCommand.ts";
import { invertedZone } from "../core/organizations/invertedZone.ts";
import { namedIntegration, oneOrganization, shownName } from "../core/organizations/named.ts";
import { knownOrganizations } from "../core/organizations/open.ts";
import { exportedBy } from "../core/records/index.ts";
import { printable } from "../core/terminal/table.ts";
import { once, UsageError } from "../core/terminal/usage.ts";
import { warn } from "../core/terminal/warn.ts";

const ORGANIZATION = ["--organization <id or name>", "whose settings; not needed if there is only one"] as const;

interface Options {
  readonly organization?: string;
  readonly timezone?: string;
  readonly yes?: boolean;
}

export function integrationsCommand(program: Command, config: () => Config): void {
  const integrations = program.command("integrations").description("the connected accounts of an organization");

  integrations
    .command("add")
    .description("add an account to the settings, and make the folders of its exports")
    .argument("<connector[:name]>", "such as vtex:Store")
    .option("--timezone <zone>", "time zone that dates its orders, such as America/Sao_Paulo", once)
    .option(...ORGANIZATION, once)
    .action((text: string, options: Options) => add(config().dataDir, text, options));

  integrations
    .command("rename")
    .description("change the name of an account")
    .argument("<id or name>")
    .argument("<new name>")
    .option(...ORGANIZATION, once)
    .action((wanted: string, name: string, options: Options) => rename(config().dataDir, wanted, name, options));

  integrations
    .command("remove")
    .description("remove an account from the settings; what it landed stays, and counts no more")
    .argument("<id or name>")
    .option(...ORGANIZATION, once)
    .option("--yes", "remove it, instead of showing what would be removed")
    .action((wanted: string, options: Options) => remove(config().dataDir, wanted, options));
}

async function add(dataDir: string, text: string, { organization, timezone }: Options): Promise<void> {
  const settings = await oneOrganization(dataDir, warn, organization);
  const added = newIntegration(text, timezone);
  const { integrations = [] } = settings;
  const folders = foldersOf(dataDir, settings.organizationId);
  await editByCommand(folders, { what: "connections.add", after: { integration: added } }, (written) =>
    "integrations" in written
      ? [{ place: ["integrations", integrations.length], value: added }]
      : [{ place: ["integrations"], value: [added] }],
  );
  if (integrations.some(({ name }) => name !== undefined && name === added.name)) {
    warn(`${settings.name} has another integration ${added.name}: commands need the id of either`);
  }
  warnOfInverted(timezone);
  await makeFolders(folders, [added]);
}

/** A zone that is accepted, and probably not the one that is meant. */
export function warnOfInverted(timezone: string | undefined): void {
  const meaning = timezone === undefined ? undefined : invertedZone(timezone)?.meaning;
  if (meaning) warn(`timezone ${timezone}: ${meaning}`);
}

async function rename(dataDir: string, wanted: string, name: string, { organization }: Options): Promise<void> {
  const { folders, integration, place } = await found(dataDir, wanted, organization);
  const after = { integration: integration.id, name };
  await editByCommand(folders, { what: "connections.change", after }, () => [
    { place: [...place, "name"], value: name },
  ]);
  console.log(printable(`${shownName(integration)} is now ${name}`));
}

async function remove(dataDir: string, wanted: string, { organization, yes = false }: Options): Promise<void> {
  const { folders, settings, integration, place } = await found(dataDir, wanted, organization);
  const after = { integration: integration.id };
  if (yes) await editByCommand(folders, { what: "connections.remove", after }, () => [{ place, value: undefined }]);
  const lines = [
    `${yes ? "removed" : "to be removed"}: ${shownName(integration)} (${integration.id}) from the settings of ${settings.name}`,
    "kept:    its exports and landed files, which no figure counts any more; they count again if the settings name this id again",
    `         ${folders.exports(integration.id)}`,
  ];
  console.log(lines.map(printable).join("\n"));
  if (!yes) throw new UsageError("nothing was removed: --yes removes it");
}

/** An integration, and its place in the settings. */
async function found(dataDir: string, wanted: string, organization: string | undefined) {
  const settings = await oneOrganization(dataDir, warn, organization);
  const { integration } = namedIntegration([settings], wanted);
  const at = (settings.integrations ?? []).findIndex(({ id }) => id === integration.id);
  const folders = foldersOf(dataDir, settings.organizationId);
  return { folders, settings, integration, place: ["integrations", at] };
}

/** An account from the text of an option: `vtex:Loja principal`. */
export function newIntegration(text: string, timezone?: string): Integration {
  const [connector = "", ...rest] = text.split(":");
  const name = rest.join(":").trim();
  // Settings with an unknown connector are refused, which names the known ones.
  const known = connectorNamed(connector) ?? (connector.trim() as Integration["connector"]);
  return {
    id: randomUUID(),
    connector: known,
    ...(name ? { name } : {}),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/** Makes the folders of exports, and shows them. */
export async function makeFolders(folders: OrganizationFolders, integrations: readonly Integration[]): Promise<void> {
  for (const added of integrations) {
    console.log(`\n${printable(shownName(added))}, ${shownConnector(added.connector)}: drop exports into`);
    for (const record of exportedBy(added.connector)) {
      const folder = folders.exports(added.id, record.name);
      await mkdir(folder, { recursive: true });
      console.log(`  ${folder}/`);
    }
  }
}

/** Warns of another organization with the same name. */
export async function warnOfSameName(
  dataDir: string,
  { organizationId, name }: Pick<Organization, "organizationId" | "name">,
) {
  const others = await knownOrganizations(dataDir, () => {});
  const same = others.find((one) => one.organizationId !== organizationId && one.name === name);
  if (same) warn(`another organization has the name ${name} (${same.organizationId}): commands need the id of either`);
}
