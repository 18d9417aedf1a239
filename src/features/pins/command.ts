import type { Command } from "commander";
import { logged } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { ApiError, failureText, OperatorError } from "../../core/contract/error.ts";
import { answerTo } from "../../core/contract/failures.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { quantity } from "../../core/contract/text.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { endPin, everNamed, type Pin } from "../../core/marts/pinFiles.ts";
import { pinNamed, pinsOf } from "../../core/marts/pins.ts";
import { sendChangedPast } from "../../core/marts/sentPast.ts";
import { namedOrganizations, oneOrganization } from "../../core/organizations/named.ts";
import { askedState, PIN_NAME } from "../../core/params/known.ts";
import { goLast } from "../../core/processes/priority.ts";
import { printable, table } from "../../core/terminal/table.ts";
import { once, UsageError } from "../../core/terminal/usage.ts";
import { warn } from "../../core/terminal/warn.ts";
import { type Link, Links, pinOf } from "../links/links.ts";
import { createPin } from "./create.ts";
import { reportText } from "./report.ts";
import { shownPin, shownPins } from "./shown.ts";
import { type Verified, verifyPin } from "./verify.ts";

interface Options {
  readonly organization?: string;
  readonly name?: string;
  readonly at?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function pinsCommand(program: Command, config: () => Config): void {
  const pins = program.command("pins").description("names for what was known at an instant, which stay what they were");

  pins
    .command("create")
    .description("pin what was known at an instant, and derive it")
    .requiredOption("--organization <id or name>", "whose data", once)
    .requiredOption("--name <name>", "its name: small letters, digits and hyphens, at most 40; never used again", once)
    .option("--at <instant, day or pin>", "the instant, as knownAt of the API; now by default", once)
    .option("--json", "as JSON")
    .action((options: Options) => create(config(), options));

  of(pins.command("list"))
    .description("the pins, newest first")
    .action((options: Options) => list(config(), options));

  of(pins.command("verify"))
    .description("derive pins again from the lake, and compare them with what they were")
    .argument("[name...]", "their names; all by default")
    .action((names: string[], options: Options) => verify(config(), names, options));

  of(pins.command("remove"))
    .description("remove a pin; its name is not used again")
    .argument("<name>")
    .option("--force", "also if share links use it, which answer 404 then")
    .action((name: string, options: Options) => remove(config(), name, options));
}

const of = (command: Command): Command =>
  command
    .option("--organization <id or name>", "whose pins; not needed if there is only one", once)
    .option("--json", "as JSON");

async function create(config: Config, { organization = "", name = "", at, json }: Options): Promise<void> {
  const [settings] = (await namedOrganizations(config.dataDir, warn, [organization])) as [Organization];
  if (!PIN_NAME.test(name)) {
    throw new UsageError(
      `--name ${name}: small letters, digits and hyphens, at most 40, not a hyphen first and not like a date`,
    );
  }
  const knownAt = await instantOf(config, settings, at);
  const wanted = { organization: settings.organizationId, name, knownAt, createdBy: "command" as const };
  const described = { what: "pins.create", after: { name, knownAt } };
  const made = logged(config.dataDir, [settings.organizationId], described, () => createPin(config, wanted));
  const pin = await made.catch((error: unknown) => {
    throw error instanceof ApiError
      ? new UsageError(`--at ${at ?? knownAt}: ${answerTo(error, "").body.message}`)
      : error;
  });
  if (json) return console.log(JSON.stringify(await shownPin(config, settings.organizationId, pin)));
  const rows = Object.values(pin.kept.relations).reduce((sum, one) => sum + one.rows, 0);
  console.log(
    `pinned: ${name}, what was known at ${knownAt}: ${quantity(rows, "derived row")}, ${quantity(pin.kept.figures.length, "month")} of figures`,
  );
  for (const place of pin.kept.lacking) warn(`without landing ${place}, which is lost or revoked for always`);
}

/** The instant that `--at` names, as `knownAt` would. */
async function instantOf({ dataDir, now }: Config, { organizationId }: Organization, at?: string): Promise<string> {
  const asked = at === undefined ? { at: now().toISOString() } : askedState(at, now());
  if ("fault" in asked) throw new UsageError(`--at ${at}: ${asked.fault}`);
  if ("at" in asked) return asked.at;
  const pin = await pinNamed(foldersOf(dataDir, organizationId), asked.pin);
  if (!pin) throw new UsageError(`--at ${at}: no such pin`);
  return pin.knownAt;
}

async function list(config: Config, { organization, json }: Options): Promise<void> {
  const { organizationId } = await oneOrganization(config.dataDir, warn, organization);
  const pins = await shownPins(config.dataDir, organizationId);
  if (json) return console.log(JSON.stringify(pins));
  if (pins.length === 0) return console.log("no pins yet: lucra pins create");
  const rows = pins.map((pin) => [pin.name, pin.knownAt, pin.createdAt, pin.createdBy, pin.knownState]);
  console.log(table(["name", "known at", "created", "by", "state"], rows));
}

async function verify(config: Config, names: readonly string[], { organization, json }: Options): Promise<void> {
  const { organizationId } = await oneOrganization(config.dataDir, warn, organization);
  const folders = foldersOf(config.dataDir, organizationId);
  const pins = names.length === 0 ? await pinsOf(folders) : [];
  for (const name of new Set(names)) pins.push(await existing(config, organizationId, name));
  const verified: Verified[] = [];
  for (const pin of pins) {
    const one = await verifyPin(config, organizationId, pin);
    verified.push(one);
    if (!json) console.log(reportText(one));
  }
  if (json) console.log(JSON.stringify(verified));
  else if (pins.length === 0) console.log("no pins yet: lucra pins create");
  if (verified.some(({ isEqual }) => !isEqual)) process.exitCode = 1;
}

async function existing({ dataDir }: Config, organization: string, name: string): Promise<Pin> {
  const ever = await everNamed(foldersOf(dataDir, organization), name);
  if (!ever) throw new OperatorError(`no pin ${name}: lucra pins list`);
  if (ever.removedAt !== undefined) throw new OperatorError(`pin ${name} was removed ${ever.removedAt}`);
  return ever;
}

async function remove(config: Config, name: string, { organization, force, json }: Options): Promise<void> {
  const { dataDir, now } = config;
  const { organizationId } = await oneOrganization(dataDir, warn, organization);
  const pin = await existing(config, organizationId, name);
  const links = await linksOf(dataDir, organizationId, name);
  const named = links.map(({ id, name: of }) => (of === "" ? id : `${id} (${of})`)).join(", ");
  if (links.length > 0 && !force) {
    throw new OperatorError(
      `pin ${name} is used by ${quantity(links.length, "share link")}: ${named}; revoke them, or --force, then they answer 404`,
    );
  }
  const folders = foldersOf(dataDir, organizationId);
  const described = { what: "pins.remove", before: { name, knownAt: pin.knownAt } };
  await logged(dataDir, [organizationId], described, () => endPin(folders, pin, now().toISOString()));
  await sendChangedPast(folders);
  if (json) return console.log(JSON.stringify({ name, links: links.map(({ id }) => id) }));
  console.log(printable(`removed: ${name}${links.length > 0 ? `; these share links answer 404 now: ${named}` : ""}`));
}

/** The share links in force whose address is about a pin. */
async function linksOf(dataDir: string, organization: string, name: string): Promise<Link[]> {
  const all = await new Links(dataDir).list();
  return all.filter((link) => link.organization === organization && isInForce(link) && pinOf(link) === name);
}

const isInForce = ({ revokedAt, expiresAt }: Link): boolean =>
  revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now());

export function pinMonthCommand(program: Command, config: () => Config): void {
  program
    .command("pin-month", { hidden: true })
    .description("pin a month under its name")
    .requiredOption("--organization <id>", "the organization", once)
    .requiredOption("--name <month>", "the month", once)
    .requiredOption("--at <instant>", "what was known at this instant", once)
    .option("--by <maker>", "who makes it: monthly or page", "monthly")
    .action(async ({ organization = "", name = "", at = "", by }: Options & { by: "monthly" | "page" }) => {
      goLast();
      await createPin(config(), { organization, name, knownAt: at, createdBy: by }).catch((error) => {
        throw error instanceof ApiError ? new OperatorError(failureText(error)) : error;
      });
    });
}
