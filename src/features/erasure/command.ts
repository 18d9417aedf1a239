import type { Command } from "commander";
import { logged } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { quantity } from "../../core/contract/text.ts";
import { namedOrganizations } from "../../core/organizations/named.ts";
import { printable, table } from "../../core/terminal/table.ts";
import { once, UsageError } from "../../core/terminal/usage.ts";
import { warn } from "../../core/terminal/warn.ts";
import { deliverAfter } from "../webhooks/command.ts";
import { type EraseOptions, eraseAgain, eraseCustomer, type Findings, findCustomer } from "./erase.ts";
import { jsonOf, placesOf } from "./findings.ts";
import type { Unread } from "./passes.ts";
import { faultIn, NAMED_BY, type NamingFault } from "./selector.ts";
import type { Selector } from "./targets.ts";

interface Options extends Selector {
  readonly organization?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly again?: boolean;
}

export function customersCommand(program: Command, config: () => Config): void {
  const customers = program
    .command("customers")
    .description("the data of one customer: where they are, and erasing them");

  of(customers.command("find"))
    .description("show where the data of a customer are; with --json the data, to answer a request for access")
    .action((options: Options) => find(config(), options));

  of(customers.command("erase"))
    .description("erase the data of a customer for good, wherever they are; sums stay")
    .option("--yes", "erase them, instead of showing what would be erased")
    .option("--again", "erase again what was erased before, as after a restore")
    .action((options: Options) => erase(config(), options));
}

const of = (command: Command): Command =>
  command
    .requiredOption("--organization <id or name>", "whose customer", once)
    .option("--email <address>", "the customer's e-mail, also where it is masked", once)
    .option("--order <id>", "the customer of this order", once)
    .option("--customer <id>", "the store's id of the customer", once)
    .option("--phone <number>", "the customer's phone; its last eight digits count", once)
    .option("--document <number>", "the customer's document, such as a CPF", once)
    .option("--with", "also the other orders of the same store's customer")
    .option("--json", "as JSON");

/** What the options name; undefined if nothing. */
function selectorOf(options: Options): Selector | undefined {
  const named = NAMED_BY.filter((name) => options[name] !== undefined);
  const [by] = named;
  if (by === undefined) return undefined;
  if (named.length > 1) throw new UsageError(`${named.map((name) => `--${name}`).join(" and ")}: one of them`);
  const value = options[by] ?? "";
  const fault = faultIn(by, value);
  if (fault) throw new UsageError(`--${by}${value.trim() === "" ? "" : ` ${value}`}: ${FAULTS[fault]}`);
  return { [by]: value, with: options.with };
}

const FAULTS: Readonly<Record<NamingFault, string>> = {
  many: "no address of one person; name the order (--order)",
  filler: "no id of one customer",
  empty: "is empty",
  shortPhone: "at least eight digits",
  shortDocument: "at least five characters",
};

const neededText = (): string => `who? ${NAMED_BY.map((name) => `--${name}`).join(", ")}: one of them`;

async function find(config: Config, options: Options): Promise<void> {
  const selector = selectorOf(options);
  if (!selector) throw new UsageError(neededText());
  const settings = await organizationOf(config, options);
  const findings = await findCustomer(config, settings, selector);
  if (options.json) return console.log(JSON.stringify(jsonOf(settings.organizationId, findings)));
  show(findings);
}

const organizationOf = async ({ dataDir }: Config, { organization = "" }: Options): Promise<Organization> =>
  (await namedOrganizations(dataDir, warn, [organization]))[0] as Organization;

/** A list in a report names this many at most; `--json` has all. */
const MOST_LISTED = 20;

function show(findings: Findings): void {
  const { files, orders, others, unread } = findings;
  const places = placesOf(findings).map(({ place, files: n, rows }) => [place, String(n), String(rows)]);
  console.log(table(["place", "files", "rows"], places));
  for (const { file, rows } of files.slice(0, MOST_LISTED))
    console.log(printable(`  ${file}: ${quantity(rows, "row")}`));
  if (files.length > MOST_LISTED) console.log(`  ${files.length - MOST_LISTED} more: --json`);
  console.log(quantity(orders.length, "order"));
  if (others.length > 0) {
    const named = others.slice(0, MOST_LISTED).map(({ order }) => order);
    const more = others.length > named.length ? ` and ${others.length - named.length} more` : "";
    console.log(printable(`other orders of the same store's customer, with --with: ${named.join(", ")}${more}`));
  }
  warnUnread(unread);
}

function warnUnread(unread: readonly Unread[]): void {
  for (const { file, reason } of unread) warn(`${file} cannot be read, so look yourself what it holds: ${reason}`);
}

const OPERATORS =
  "what is left is yours: versions that the storage keeps, backups, and the vendors themselves (docs/operating.md)";

async function erase(config: Config, options: Options): Promise<void> {
  const selector = selectorOf(options);
  if (!selector && !options.again) throw new UsageError(neededText());
  const settings = await organizationOf(config, options);
  if (options.again) await again(config, settings, options, selector !== undefined);
  if (!selector) return;
  if (!options.yes) {
    const findings = await findCustomer(config, settings, selector);
    if (options.json) console.log(JSON.stringify(jsonOf(settings.organizationId, findings)));
    else show(findings);
    throw new UsageError("nothing was erased: --yes erases it, and nothing brings it back");
  }
  const { no, at, unread, ...findings } = await eraseCustomer(config, settings, selector, {
    log: logOf(config, settings, "customers.erase"),
  });
  await deliverAfter(config, [settings]);
  if (options.json) {
    const { data: _, ...others } = jsonOf(settings.organizationId, { ...findings, unread });
    console.log(JSON.stringify({ no, at, ...others }));
  } else {
    show({ ...findings, unread: [] });
    console.log(`erased: number ${no} of ${settings.organizationId}; ${OPERATORS}`);
    warnUnread(unread);
  }
  assertRead(unread);
}

function assertRead(unread: readonly Unread[]): void {
  if (unread.length > 0)
    throw new OperatorError(
      "files that cannot be read were not looked through: repair or remove them, then erase --again",
    );
}

/** In the log an erasure has its number, and nothing of whom it was about. */
const logOf =
  ({ dataDir }: Config, { organizationId }: Organization, what: string): NonNullable<EraseOptions["log"]> =>
  (numbers, work) =>
    logged(dataDir, [organizationId], { what, after: { numbers } }, work);

/** What was erased before. Without an erasure on record, who is named is erased as if for the first time. */
async function again(config: Config, settings: Organization, { json }: Options, isNamed: boolean): Promise<void> {
  try {
    const { erasures, unread } = await eraseAgain(config, settings, {
      log: logOf(config, settings, "customers.eraseAgain"),
    });
    await deliverAfter(config, [settings]);
    if (!json) console.log(`${quantity(erasures, "erasure")} done again; ${OPERATORS}`);
    else if (!isNamed) console.log(JSON.stringify({ organizationId: settings.organizationId, erasures, unread }));
    if (!json) warnUnread(unread);
    assertRead(unread);
  } catch (error) {
    if (!isNamed || !(error instanceof OperatorError) || !error.message.startsWith("there is no erasure")) throw error;
  }
}
