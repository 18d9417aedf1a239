import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { Credentials } from "../core/access/credentials.ts";
import { logged, PLATFORM } from "../core/audit/audit.ts";
import type { Config } from "../core/config.ts";
import { OperatorError } from "../core/contract/error.ts";
import { UUID } from "../core/contract/param.ts";
import { connectorsOf } from "../core/contract/record.ts";
import type { Margin, Organization, Targets } from "../core/contract/settings.ts";
import { removeDeliveries } from "../core/coordination/deliveries.ts";
import { coordinationOf } from "../core/coordination/registry.ts";
import { exists } from "../core/files/exists.ts";
import { foldersOf, type OrganizationFolders } from "../core/files/organizationFolders.ts";
import { paths } from "../core/files/paths.ts";
import { spellings } from "../core/landing/find/exports.ts";
import { costWarnings } from "../core/organizations/costs.ts";
import { createOrganization } from "../core/organizations/create.ts";
import { SettingsFaults } from "../core/organizations/edit.ts";
import { editByCommand } from "../core/organizations/editByCommand.ts";
import { NO_MARGIN } from "../core/organizations/margin.ts";
import { namedOrganizations, oneOrganization } from "../core/organizations/named.ts";
import { knownOrganizations, namesInSettings } from "../core/organizations/open.ts";
import { misnamed, readOrganization } from "../core/organizations/settings.ts";
import { settingsFile } from "../core/organizations/settingsFile.ts";
import { exported } from "../core/records/index.ts";
import { WAIT_MS } from "../core/sync/sync.ts";
import { printable, table } from "../core/terminal/table.ts";
import { many, once, UsageError } from "../core/terminal/usage.ts";
import { warn } from "../core/terminal/warn.ts";
import { originOf } from "../features/webhooks/deliver.ts";
import { makeFolders, newIntegration, warnOfInverted, warnOfSameName } from "./integrations.ts";

export function organizationsCommand(program: Command, config: () => Config): void {
  const organizations = program.command("organizations").description("settings of the organizations");

  organizations
    .command("add")
    .description("write the settings of a new organization")
    .requiredOption("--name <name>", "shown by the commands")
    .option("--id <uuid>", "its id; a random one by default")
    .option("--currency <code>", "three letters, such as BRL")
    .option("--timezone <zone>", "time zone that dates the orders of these accounts, such as America/Sao_Paulo", once)
    .option("--margin <percent>", "share of the revenue that is left after variable costs, such as 42.5", once)
    .option("--integration <connector[:name]>", "a connected account, such as vtex:Store; repeat for more", many)
    .action((options: Added) => add(config().dataDir, options));

  organizations
    .command("rename")
    .description("change the name of an organization")
    .argument("<id or name>")
    .argument("<new name>")
    .action((wanted: string, name: string) => rename(config().dataDir, wanted, name));

  organizations
    .command("remove")
    .description("remove an organization: its settings and derived files")
    .argument("<id or name>")
    .option("--data", "delete its exports, landed files and rejects too")
    .option("--yes", "remove it, instead of showing what would be deleted")
    .action((wanted: string, options: Removal) => remove(config(), wanted, options));

  organizations
    .command("show")
    .description("show the settings in force, and the credentials for them")
    .argument("[id or name]", "only this organization")
    .action((id?: string) => show(config().dataDir, id));

  organizations
    .command("check")
    .description("check the settings files and list every error")
    .argument("[id or name]", "only this organization's")
    .action((id?: string) => check(config().dataDir, id));
}

interface Added {
  readonly name: string;
  readonly id?: string;
  readonly currency?: string;
  readonly timezone?: string;
  readonly margin?: string;
  readonly integration?: readonly string[];
}

async function add(dataDir: string, added: Added): Promise<void> {
  const { name, id, currency, timezone, margin, integration = [] } = added;
  // Lower case, since the id names folders.
  const organizationId = (id ?? randomUUID()).toLowerCase();
  const integrations = integration.map((text) => newIntegration(text, timezone));
  const wanted = {
    organizationId,
    name,
    ...(currency === undefined ? {} : { currency }),
    integrations,
    ...(margin === undefined ? {} : { margin: { percent: percentIn(margin) } }),
  };
  const described = { what: "organizations.add", after: { organizationId, name } };
  const { settings, file } = await logged(dataDir, [PLATFORM, organizationId], described, () =>
    createOrganization(dataDir, wanted),
  ).catch((error: unknown) => {
    throw error instanceof SettingsFaults ? new UsageError(error.message) : error;
  });
  console.log(`${name}: ${file}`);
  await warnOfSameName(dataDir, settings);
  warnOfInverted(timezone);
  await makeFolders(foldersOf(dataDir, organizationId), settings.integrations ?? []);
  if (integrations.length > 0)
    console.log("\nor run: npm run -s lucra -- import FILE… (npm run -s lucra -- records lists what to export)");
  for (const line of lackingIn(settings)) console.log(`\n${line}`);
  console.log(
    `\nthen: npm run -s lucra -- sync\nand:  npm run -s lucra -- keys create --organization ${organizationId}`,
  );
}

/** A text that is not a number stays one, so that the settings' own check names it. */
const percentIn = (text: string): number | string => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Settings that figures need and new settings lack, and where to write them. */
function lackingIn({ margin, currency, integrations = [] }: Organization): string[] {
  const stores = integrations.filter(({ connector }) => connectorsOf("store").includes(connector));
  return [
    ...(currency === undefined ? ['no "currency": --currency, such as BRL; rows in another one are not rejected'] : []),
    ...(stores.some(({ timezone }) => timezone === undefined)
      ? ['no "timezone" of a store: --timezone, such as America/Sao_Paulo; its orders are dated in UTC']
      : []),
    ...(margin ? [] : [`${NO_MARGIN}: --margin, or the items of docs/settings.md`]),
  ].map((line) => `note: ${line}`);
}

async function rename(dataDir: string, wanted: string, name: string): Promise<void> {
  const settings = await oneOrganization(dataDir, warn, wanted);
  const { organizationId } = settings;
  const folders = foldersOf(dataDir, organizationId);
  await editByCommand(folders, { what: "organizations.rename", after: { name } }, () => [
    { place: ["name"], value: name },
  ]);
  await warnOfSameName(dataDir, { organizationId, name });
  console.log(printable(`${settings.name} is now ${name}`));
}

interface Removal {
  readonly data?: boolean;
  readonly yes?: boolean;
}

/** Without `--data` only what can be made again is deleted, next to the settings. */
async function remove({ dataDir }: Config, wanted: string, { data = false, yes = false }: Removal): Promise<void> {
  const { organizationId, name } = await oneOrganization(dataDir, warn, wanted);
  const folders = foldersOf(dataDir, organizationId);
  const settings = await settingsFile(folders);
  const seen = paths.seenSettings(dataDir, organizationId);
  const deliveries = paths.deliveries(dataDir, organizationId);
  const made = [folders.mart, folders.status, folders.webhook, deliveries, folders.pulls, seen];
  const own = await dataFolders(folders);
  const deleted = [settings, ...(data ? [...made, ...own] : made)];
  if (yes) {
    const { turns, pointers } = coordinationOf(dataDir);
    const described = { what: "organizations.remove", before: { organizationId, name }, after: { withData: data } };
    await logged(dataDir, [PLATFORM, organizationId], described, () =>
      turns.writing(WAIT_MS, (turnOf) =>
        turnOf(organizationId, async () => {
          const known = await pointers.all(organizationId).catch(() => []);
          // The settings first: a service that runs stops answering for the organization.
          for (const place of deleted) await rm(place, { recursive: true, force: true });
          await removeDeliveries(dataDir, organizationId);
          for (const pointer of known) await pointers.remove(organizationId, pointer.name);
        }),
      ),
    );
  }
  const list = (title: string, places: readonly string[]): string[] =>
    places.length === 0 ? [] : [`${title}:`, ...places.map((place) => `  ${place}`)];
  const lines = [
    `${yes ? "removed" : "to be removed"}: ${name} (${organizationId})`,
    ...list("deleted", deleted),
    ...list("kept", data ? [] : own),
    "credentials and share links for it stay, and are of no use: npm run -s lucra -- keys list, keys revoke, links list, links revoke",
  ];
  console.log(lines.map(printable).join("\n"));
  if (!yes)
    throw new UsageError("nothing was removed: --yes removes it, --data deletes its exports and landed files too");
}

/** The places of an organization's data: exports, landed files with their history, rejects and secrets. */
async function dataFolders(folders: OrganizationFolders): Promise<string[]> {
  const all = [
    ...(await spellings(paths.exports(folders.dataDir), folders.organization)),
    ...exported.map((record) => folders.lake(record)),
    folders.revocations,
    path.dirname(folders.history),
    folders.pins,
    folders.rejects(),
    folders.secrets,
  ];
  const there: string[] = [];
  for (const place of all) if (await exists(place)) there.push(place);
  return there;
}

async function show(dataDir: string, id: string | undefined): Promise<void> {
  const organizations =
    id === undefined ? await knownOrganizations(dataDir, warn) : await namedOrganizations(dataDir, warn, [id]);
  const clients = await new Credentials(dataDir).list();
  const texts = organizations.map((settings) => {
    const {
      organizationId,
      name,
      currency,
      integrations = [],
      margin,
      campaigns = [],
      funnel,
      targets = {},
      locale,
      notes = [],
      webhook,
    } = settings;
    const bound = clients.filter((client) => !client.revokedAt && client.organizations.includes(organizationId));
    const rules = campaigns.map((rule, n) => [
      String(n + 1),
      rule.strategy,
      "id" in rule ? `id ${rule.id}` : `name ${rule.name}`,
    ]);
    const accounts = integrations.map((i) => [
      i.connector,
      i.name ?? "",
      i.id,
      i.userId ?? "",
      i.timezone ?? "UTC",
      i.schedule ?? "",
    ]);
    return [
      `${name} (${organizationId})`,
      section("currency", currency ?? "not set"),
      section("margin", marginText(margin)),
      section("funnel", funnel ? `${funnel.interest.join(", ")} → ${funnel.decision.join(", ")}` : "not set"),
      section("targets", listOf(targets) || "not set"),
      section("locale", locale ?? "not set, pt-BR"),
      listed(
        "notes",
        ["from", "until", "", ""],
        notes.map(({ from, until = from, text, sale }) => [from, until, text, sale ? "sale" : ""]),
      ),
      listed("integrations", ["connector", "name", "id", "user id", "timezone", "schedule"], accounts),
      listed("campaign rules", ["", "strategy", "matches"], rules),
      section("webhook", webhook ? originOf(webhook.url) : "not set"),
      listed(
        "credentials",
        ["client id", "name"],
        bound.map((client) => [client.client_id, client.name]),
      ),
    ].join("\n");
  });
  console.log(texts.join("\n\n"));
}

const listOf = (targets: Targets): string =>
  Object.entries(targets)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

const section = (title: string, text: string): string => `  ${title}: ${text}`;

function listed(title: string, headings: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return section(title, "none");
  return `  ${title}:\n${table(headings, rows).replaceAll(/^/gm, "    ")}`;
}

function marginText(margin: Margin | undefined): string {
  if (!margin) return "not set";
  if ("percent" in margin) return `${margin.percent} %`;
  const items = (["gateway", "tax", "shipping", "costOfGoods"] as const).map((item) => {
    const setting = margin.items[item];
    const text = setting === undefined ? "not set" : setting === "orders" ? "from orders" : `${setting.percent} %`;
    return `${item} ${text}`;
  });
  return items.join(", ");
}

async function check(dataDir: string, id: string | undefined): Promise<void> {
  const folder = paths.settings(dataDir);
  const names = (await namesInSettings(dataDir)).sort();
  const files = names.filter((name) => name.endsWith(".json") && !name.startsWith("."));
  const wanted =
    id === undefined || UUID.test(id) ? id : (await namedOrganizations(dataDir, () => {}, [id]))[0]?.organizationId;
  const chosen =
    wanted === undefined ? files : files.filter((name) => name.toLowerCase() === `${wanted.toLowerCase()}.json`);
  if (id !== undefined && chosen.length === 0) throw new OperatorError(`no settings of ${id} in ${folder}`);
  if (chosen.length === 0) console.log(`no settings in ${folder}: \`lucra organizations add\` writes some`);
  for (const name of chosen) {
    const { faults, title, zones = [], warnings = [] } = await checked(folder, name);
    if (faults.length === 0) console.log(`good: organizations/${name} ${title}`);
    for (const warning of warnings) console.log(`warning: organizations/${name}: ${warning}`);
    for (const zone of new Set(zones)) warnOfInverted(zone);
    for (const fault of faults) console.log(fault);
    if (faults.length > 0) process.exitCode = 1;
  }
}

interface Checked {
  readonly faults: readonly string[];
  readonly title: string;
  readonly zones?: readonly (string | undefined)[];
  readonly warnings?: readonly string[];
}

async function checked(folder: string, name: string): Promise<Checked> {
  const wrongName = misnamed(name);
  if (wrongName !== undefined) return { faults: [wrongName], title: "" };
  const located = (fault: string): string => `organizations/${name}: ${fault}`;
  try {
    const { settings, faults } = readOrganization(await readFile(path.join(folder, name), "utf8"), name.slice(0, -5));
    const zones = settings?.integrations?.map(({ timezone }) => timezone) ?? [];
    const warnings = settings ? costWarnings(settings) : [];
    return { faults: faults.map(located), title: settings?.name ?? "", zones, warnings };
  } catch (error) {
    return { faults: [located(`cannot be read (${(error as NodeJS.ErrnoException).code})`)], title: "" };
  }
}
