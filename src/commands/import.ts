import { mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { landedNames, type RecordDeclaration, relationOf, titleOf } from "../contract/record.ts";
import type { Integration, Organization } from "../contract/settings.ts";
import { shortened } from "../contract/text.ts";
import { VENDORS } from "../contract/vendor.ts";
import { Database, literal } from "../engine/database.ts";
import { sha256Of } from "../files/checksum.ts";
import { copyNew } from "../files/durable.ts";
import { paths } from "../files/paths.ts";
import { listExports } from "../landing/exports.ts";
import { ingestedFiles } from "../landing/ingested.ts";
import { BELONGS } from "../landing/parts/downloads/download.ts";
import { NO_FIELD } from "../landing/plainTable.ts";
import { nameOfExport, type Preview, preview, withLanded } from "../landing/preview.ts";
import {
  type Asked,
  type Candidate,
  headingsOf,
  isAmbiguous,
  missingColumns,
  recognize,
  type Sample,
  sampleOf,
  withColumns,
} from "../landing/recognize.ts";
import { FileError } from "../landing/scan.ts";
import { derive } from "../marts/derive.ts";
import { currentGeneration } from "../marts/generations.ts";
import { rememberColumns } from "../organizations/columns.ts";
import { knownOrganizations } from "../organizations/open.ts";
import { exportedBy, relationsOf } from "../records/index.ts";
import { recordNamed } from "./records.ts";
import { printable } from "./table.ts";
import { many, once, UsageError } from "./usage.ts";

interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly record?: string;
  readonly map?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** One account that a file may belong to. */
interface Account {
  readonly organization: Organization;
  readonly integration: Integration;
}

interface Orders {
  readonly counted: number;
  /** By the reason why they are not counted. */
  readonly uncounted: Readonly<Record<string, number>>;
}

/** What a file is, and what came of it. */
interface Imported {
  readonly file: string;
  /** `ready`: a dry run; `imported`: in its folder; `known`: the same content is there, or has landed. */
  readonly state: "ready" | "imported" | "known" | "refused";
  readonly reason?: string;
  readonly record?: string;
  readonly vendor?: string;
  readonly tool?: string;
  readonly organization?: string;
  readonly integration?: string;
  /** The names of both. */
  readonly account?: string;
  /** Why nothing of it lands yet, although the file is right; or what is to be set before. */
  readonly note?: string;
  /** The place of the export below the data folder. */
  readonly place?: string;
  readonly columns?: { readonly used: readonly string[]; readonly unused: readonly string[] };
  /** Headings by the column that they mean. */
  readonly mapped?: Readonly<Record<string, string>>;
  readonly orders?: Orders;
  readonly preview?: Omit<Preview, "refusal" | "tool" | "filled" | "telling" | "unknown">;
}

export function importCommand(program: Command, config: () => Config): void {
  program
    .command("import")
    .description("recognize exports, show what they would land as, and put them into their folders")
    .argument("<files...>", "files in any format that a sync reads")
    .option("--organization <name>", "whose exports: its id or name; not needed if there is only one", once)
    .option("--integration <name>", "the account, by id or name; not needed if only one fits", once)
    .option("--record <record>", "the record, such as orders or vtex/orders; recognized by default", once)
    .option("--map <column=heading>", "the heading of a column; repeat for more", many)
    .option("--dry-run", "only show")
    .option("--json", "the report as JSON")
    .action(async (files: string[], options: Options) => {
      const imported = await importAll(config(), files, options);
      if (options.json) console.log(JSON.stringify(imported));
      else for (const one of imported) print(one, options.dryRun === true);
      if (!options.json && imported.some(({ state }) => state === "imported"))
        console.log("\nthen: npm run lucra -- sync");
      if (imported.some(({ state, preview }) => state === "refused" || (preview?.rejected ?? 0) > 0))
        process.exitCode = 1;
    });
}

async function importAll(config: Config, files: readonly string[], options: Options): Promise<Imported[]> {
  const accounts = await accountsOf(config, options);
  const mapped = mappingOf(options.map ?? []);
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-import-"));
  const database = await Database.open({ memoryLimit: config.memoryLimit, threads: config.threads, temporary: folder });
  const imported: Imported[] = [];
  try {
    for (const file of files) {
      const task = { config, options, database, folder, accounts, mapped, file };
      imported.push(await importOne(task).catch((error) => refused(file, error)));
    }
    return imported;
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function refused(file: string, error: unknown): Imported {
  const isOfFile = error instanceof OperatorError || error instanceof FileError;
  if (!isOfFile || error instanceof UsageError) throw error;
  return { file, state: "refused", reason: error.message };
}

/** The accounts that the options leave. */
async function accountsOf(config: Config, { organization, integration }: Options): Promise<Account[]> {
  const known = await knownOrganizations(config.dataDir, (problem) => console.error(`lucra: ${printable(problem)}`));
  const organizations = known.filter(({ organizationId, name }) => isNamed(organization, organizationId, name));
  if (organizations.length === 0) {
    throw new OperatorError(
      organization === undefined
        ? "there is no organization yet: lucra organizations add writes one"
        : `no organization ${organization} in ${paths.settings(config.dataDir)}`,
    );
  }
  const accounts = organizations.flatMap((one) =>
    (one.integrations ?? []).map((account) => ({ organization: one, integration: account })),
  );
  const chosen = accounts.filter(({ integration: { id, name } }) => isNamed(integration, id, name));
  if (chosen.length > 0) return chosen;
  throw new OperatorError(
    integration === undefined
      ? "the settings name no integration"
      : `no integration ${integration}; known are ${accounts.map(shownAccount).join(", ")}`,
  );
}

const isNamed = (asked: string | undefined, id: string, name: string | undefined): boolean =>
  asked === undefined || [id, name?.toLowerCase()].includes(asked.trim().toLowerCase());

const shownAccount = ({ organization, integration }: Account): string =>
  `${organization.name} / ${integration.name ?? integration.id} (${VENDORS[integration.connector].alias})`;

/** `value=Total` */
function mappingOf(options: readonly string[]): Record<string, string> {
  const entries = options.map((option): [string, string] => {
    const [field = "", ...heading] = option.split("=");
    if (heading.join("=").trim() === "" || field.trim() === "")
      throw new UsageError(`--map ${option}: a column and its heading are expected, such as value=Total`);
    return [field.trim(), heading.join("=").trim()];
  });
  return Object.fromEntries(entries);
}

interface Task {
  readonly config: Config;
  readonly options: Options;
  readonly database: Database;
  /** For temporary files. */
  readonly folder: string;
  readonly accounts: readonly Account[];
  readonly mapped: Readonly<Record<string, string>>;
  readonly file: string;
}

async function importOne(task: Task): Promise<Imported> {
  const { options, database, folder, mapped } = task;
  const file = await openable(task.file);
  const sample = await sampleOf(database, file, folder);
  assertMapped(sample, mapped);
  const candidates = await recognize(database, sample, askedOf(task), mapped);
  const chosen = chosenOf(candidates, sample);
  const account = accountFor(chosen.record, task.accounts);
  const asked = withColumns(account.integration, chosen.record, chosen.columns);
  const whole =
    sample.file === file
      ? chosen.preview
      : await preview(database, file, {
          record: chosen.record,
          integration: asked,
          currency: account.organization.currency,
        });
  assertLands(chosen.record, whole, sample, asked);
  const counted = await countedOrders(database, file, account, asked, chosen.record);
  // A download is read by its own headings, whatever they are mapped to.
  const mappedHere = whole.tool === undefined ? headingsOf(chosen.record, sample, asked) : {};
  const report = reportOf(task.file, chosen.record, account, whole, mappedHere, counted);
  return options.dryRun ? { ...report, state: "ready" } : put(task, file, chosen, account, report);
}

/** A table of a tool may land nothing until the others of its record are there. */
function assertLands(record: RecordDeclaration, whole: Preview, sample: Sample, integration: Integration): void {
  if (whole.rows > 0 || whole.tool !== undefined) return;
  throw new OperatorError(whole.refusal ?? nothingLands(record, whole, sample, integration));
}

async function openable(file: string): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(error.code === "ENOENT" ? "there is no such file" : `cannot be read (${error.code})`);
  });
  if (found.isDirectory())
    throw new OperatorError(
      "is a folder: name its files, or copy the folders of an EL tool's streams into the folder of their record " +
        "(docs/rules.md#extract-tools)",
    );
  if (!found.isFile()) throw new OperatorError("is not a file");
  if (found.size === 0) throw new OperatorError("is empty");
  return realpath(file);
}

function assertMapped({ format, headings }: Sample, mapped: Readonly<Record<string, string>>): void {
  const wanted = Object.entries(mapped);
  if (wanted.length > 0 && format !== "table")
    throw new OperatorError("only the columns of a CSV file can be mapped, and this is none");
  for (const [field, heading] of wanted) {
    if (!headings.includes(heading))
      throw new OperatorError(`--map ${field}=${heading}: there is no such heading; there are ${headings.join(", ")}`);
    if (headings.includes(field))
      throw new OperatorError(`--map ${field}=${heading}: there is a column ${field} already`);
  }
}

/** The records that the file may be an export of, each with the account that it would land in. */
function askedOf({ accounts, options, mapped }: Task): Asked[] {
  const wanted = options.record?.includes("/") ? recordNamed(options.record) : undefined;
  const connectors = new Map(accounts.map((account) => [account.integration.connector, account]));
  const all = [...connectors].flatMap(([connector, { organization, integration }]) =>
    exportedBy(connector).map((record) => ({ record, integration, currency: organization.currency })),
  );
  const named = all.filter(({ record }) =>
    wanted ? record === wanted : options.record === undefined || record.name === options.record,
  );
  if (named.length === 0) {
    throw new UsageError(
      `--record ${options.record}: known are ${all.map(({ record }) => titleOf(record)).join(", ")}`,
    );
  }
  const fitting = named.filter(({ record }) =>
    Object.keys(mapped).every((field) => landedNames(record).includes(field)),
  );
  if (fitting.length > 0) return fitting;
  throw new UsageError(
    `--map: no record has all of ${Object.keys(mapped).join(", ")}; lucra records lists the columns`,
  );
}

/** The most probable record. Without one that lands, the one with the most of its columns says what is missing. */
function chosenOf(candidates: readonly Candidate[], { format, headings }: Sample): Candidate {
  const [first] = candidates;
  const elsewhere = candidates.find(({ preview: { refusal } }) => refusal?.includes(BELONGS))?.preview.refusal;
  if (elsewhere !== undefined && candidates.every(({ preview: { rows } }) => rows === 0))
    throw new OperatorError(elsewhere);
  // A fault of the file is the same for every record.
  const fault = first?.preview.refusal;
  const isUnknown = fault?.startsWith(NO_FIELD) === true;
  if (!isUnknown && fault !== undefined && candidates.every(({ preview: { refusal } }) => refusal === fault))
    throw new OperatorError(fault);
  if (first === undefined || isUnknown || !isClear(candidates)) {
    const found = format === "json" ? "" : `; its headings are ${headings.join(", ") || "missing"}`;
    throw new OperatorError(
      `is not recognized as an export of any record${found}. lucra records lists the columns; --record and --map name them`,
    );
  }
  if (!isAmbiguous(candidates)) return first;
  const same = candidates.filter((one) => isAmbiguous([first, one])).map((one) => titleOf(one.record));
  throw new OperatorError(`may be an export of ${same.join(" or ")}: choose one with --record`);
}

/** One row lands, or the file is a tool's, or at least two of its headings are columns of the record. */
const isClear = ([first, second]: readonly Candidate[]): boolean =>
  first !== undefined &&
  (first.preview.rows > 0 || first.preview.tool !== undefined || first.known > 1 || second === undefined);

function accountFor(record: RecordDeclaration, accounts: readonly Account[]): Account {
  const own = accounts.filter(({ integration }) => integration.connector === record.connector);
  const [only] = own;
  if (only && own.length === 1) return only;
  const others = own.map(shownAccount).join(", ");
  throw new OperatorError(`is an export of ${titleOf(record)}: choose with --organization or --integration: ${others}`);
}

/** Why no row lands, and what to do. */
function nothingLands(record: RecordDeclaration, whole: Preview, sample: Sample, integration: Integration): string {
  const missing = sample.format === "table" ? missingColumns(record, sample, integration) : [];
  if (missing.length > 0) {
    const maps = missing.map((field) => `--map ${field}=…`).join(" ");
    return `looks like ${titleOf(record)} and has no column for ${missing.join(", ")}: add ${maps} with one of its headings (${sample.headings.join(", ")})`;
  }
  const reasons = Object.entries(whole.reasons).map(([reason, rows]) => `${rows} × ${reason}`);
  return `looks like ${titleOf(record)}, but no row would land: ${reasons.slice(0, MOST_REASONS).join("; ") || "it has none"}`;
}

const MOST_REASONS = 5;

function reportOf(
  file: string,
  record: RecordDeclaration,
  account: Account,
  whole: Preview,
  mapped: Readonly<Record<string, string>>,
  orders: Orders | undefined,
): Imported {
  const { refusal, telling: _, filled, unknown, tool, ...figures } = whole;
  return {
    file,
    state: "ready",
    record: titleOf(record),
    vendor: VENDORS[record.connector].name,
    ...(tool === undefined ? {} : { tool }),
    organization: account.organization.organizationId,
    integration: account.integration.id,
    account: shownAccount(account),
    ...noteOf(refusal, account, orders),
    columns: { used: filled, unused: unknown },
    mapped,
    preview: figures,
    ...(orders ? { orders } : {}),
  };
}

/** Why nothing lands yet, or what makes the days of orders wrong. */
function noteOf(refusal: string | undefined, { integration }: Account, orders: Orders | undefined): { note?: string } {
  if (refusal !== undefined) return { note: refusal };
  if (orders === undefined || integration.timezone !== undefined) return {};
  return {
    note: 'orders are dated in UTC: set "timezone" of the account in the settings, such as America/Sao_Paulo, before they land',
  };
}

/** How many of the file's orders the analyses would count, and the reasons of the others [D3]. */
function countedOrders(
  database: Database,
  file: string,
  { organization }: Account,
  integration: Integration,
  record: RecordDeclaration,
): Promise<Orders | undefined> {
  if (!relationsOf("store", "orders").has(relationOf(record))) return Promise.resolve(undefined);
  const { currency } = organization;
  return withLanded(
    database,
    file,
    { record, integration, currency },
    async ({ session, dataDir, organization: id }) => {
      const settings = { organizationId: id, name: id, integrations: [integration] };
      await derive(database, dataDir, id, settings);
      const generation = await currentGeneration(dataDir, id);
      if (!generation) return undefined;
      const rows = await session.rows(
        `select coalesce(exclusion_reason, '') as reason, sum(orders)::int as orders
        from read_parquet(${literal(path.join(generation.folder, "order_statuses.parquet"))}) group by reason order by reason`,
      );
      const all = rows.map(({ reason, orders }): [string, number] => [String(reason), Number(orders)]);
      return {
        counted: all.find(([reason]) => reason === "")?.[1] ?? 0,
        uncounted: Object.fromEntries(all.filter(([reason]) => reason !== "")),
      };
    },
  );
}

/** Writes the mapping into the settings, then puts the file into its folder: a sync must not read it without. */
async function put(
  { config: { dataDir }, database }: Task,
  file: string,
  { record, columns }: Candidate,
  { organization, integration }: Account,
  report: Imported,
): Promise<Imported> {
  const place = { dataDir, organization: organization.organizationId, integration, record };
  const sha256 = await sha256Of(file);
  const added = Object.fromEntries(
    Object.entries(report.tool === undefined ? columns : {}).filter(
      ([field, heading]) => ![integration.columns?.[record.name]?.[field] ?? []].flat().includes(heading),
    ),
  );
  const isNewMapping = Object.keys(added).length > 0;
  const folder = paths.exports(dataDir, place.organization, integration.id, record.name);
  const known = isNewMapping ? undefined : await knownCopy(database, place, file, sha256);
  if (known) return { ...report, state: "known", reason: known };
  if (isNewMapping) await rememberColumns(dataDir, place.organization, integration.id, record.name, added);
  const target = await copied(file, folder, sha256);
  return { ...report, state: "imported", place: path.relative(dataDir, target) };
}

/** Where the same content is: in the folder, or landed. */
async function knownCopy(
  database: Database,
  place: Parameters<typeof ingestedFiles>[1],
  file: string,
  sha256: string,
): Promise<string | undefined> {
  const { dataDir, organization, integration, record } = place;
  const landed = await database.use(async (session) => (await ingestedFiles(session, place)).nameOf(sha256));
  if (landed !== undefined) return `the same content has landed already, as ${landed}`;
  const { size } = await stat(file);
  const { files } = await listExports(dataDir, organization, integration.id, record.name);
  for (const { name, path: other, bytes } of files) {
    if (bytes === size && (await sha256Of(other)) === sha256)
      return `the same content is in the folder already, as ${name}: lucra sync lands it`;
  }
  return undefined;
}

/** Copies the file under its own name or, if that is taken, with the beginning of its checksum in it. */
async function copied(file: string, folder: string, sha256: string): Promise<string> {
  const name = nameOfExport(file);
  const other = name.replace(/((?:\.[^.]+)?(?:\.gz)?)$/, `-${sha256.slice(0, 8)}$1`);
  const isSame = async (copy: string): Promise<boolean> => (await sha256Of(copy)) === sha256;
  for (const target of [path.join(folder, name), path.join(folder, other)]) {
    try {
      if (await copyNew(file, target, isSame)) return target;
      throw new OperatorError("changed while it was copied: import it again");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new OperatorError(`${path.join(folder, name)} and ${other} exist already`);
}

function print(imported: Imported, isDryRun: boolean): void {
  const { file, state, reason } = imported;
  if (state === "refused") console.error(printable(`not imported: ${file}: ${reason}`));
  else show(imported, isDryRun);
}

function show({ file, state, reason, ...report }: Imported, isDryRun: boolean): void {
  const { record, vendor, tool, account, place, columns, mapped = {}, note, preview, orders } = report;
  const { rows = 0, replaced = 0, rejected = 0, reasons = {}, firstDay, lastDay, amount } = preview ?? {};
  const used = (columns?.used ?? []).map((name) => (mapped[name] ? `${name} ← ${mapped[name]}` : name));
  const lines: [string, string][] = [
    ["record", `${record}, ${vendor}${tool ? `, by ${tool}` : ""}`],
    ["account", `${account}`],
    ["rows", `${rows}${replaced > 0 ? `, ${replaced} more replaced by a later row of the same key` : ""}`],
    ...(rejected > 0 ? [["rejected", `${rejected}: ${shownReasons(reasons)}`] as [string, string]] : []),
    ...(firstDay ? [["days", `${firstDay} to ${lastDay}`] as [string, string]] : []),
    ...(amount ? [["sum", `${amount.field} ${amount.sum.replace(/(\.\d\d)0+$/, "$1")}`] as [string, string]] : []),
    ...(orders ? [["orders", shownOrders(orders, columns?.used ?? [], record)] as [string, string]] : []),
    ["columns", used.join(", ")],
    ...(columns && columns.unused.length > 0 ? [["unused", shortened(columns.unused)] as [string, string]] : []),
    ...(note ? [["note", note] as [string, string]] : []),
    [state, state === "imported" ? `${place}` : state === "known" ? `${reason}` : ""],
  ];
  console.log(printable(file));
  for (const [title, text] of lines.filter(([, text]) => text !== ""))
    console.log(printable(`  ${title.padEnd(9)} ${text}`));
  if (isDryRun) console.log("  nothing was changed");
}

const shownReasons = (reasons: Readonly<Record<string, number>>): string =>
  Object.entries(reasons)
    .slice(0, MOST_REASONS)
    .map(([reason, rows]) => `${rows} × ${reason}`)
    .join("; ");

/** `1 of 3 count; not counted: 2 unpaid` */
function shownOrders({ counted, uncounted }: Orders, used: readonly string[], record: string | undefined): string {
  const others = Object.entries(uncounted).map(([reason, orders]) => `${orders} ${reason}`);
  const all = Object.values(uncounted).reduce((sum, orders) => sum + orders, counted);
  const isWithoutPayment = record === "storea/orders" && !PAYMENT.some((name) => used.includes(name));
  const hint = isWithoutPayment
    ? ` (an order counts with its ${PAYMENT.join(" or ")}: --map ${PAYMENT[0]}=… names the column, which must be empty for unpaid orders)`
    : " (docs/exports.md says what makes an order count)";
  return `${counted} of ${all} count${others.length > 0 ? `; not counted: ${others.join(", ")}${(uncounted.unpaid ?? 0) > counted || counted === 0 ? hint : ""}` : ""}`;
}

/** Either of these columns says that an order is paid [D3]. */
const PAYMENT = ["authorized_date", "invoiced_date"] as const;
