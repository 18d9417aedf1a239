import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { logged } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { type RecordDeclaration, requiredFields, titleOf } from "../../core/contract/record.ts";
import type { Integration } from "../../core/contract/settings.ts";
import { shortened } from "../../core/contract/text.ts";
import { Database } from "../../core/engine/database.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { FileError } from "../../core/landing/bytes/scan.ts";
import type { Place } from "../../core/landing/lake/built.ts";
import type { Replaced } from "../../core/landing/map/inForce.ts";
import { rememberLearned } from "../../core/organizations/columns.ts";
import { exported } from "../../core/records/index.ts";
import { inTemporaryFolder } from "../../core/terminal/temporary.ts";
import { many, once, UsageError } from "../../core/terminal/usage.ts";
import { choiceOf, type Unclear } from "./choose.ts";
import { importFolder } from "./folder.ts";
import { changesOf, type Instead, landedNamed, landInstead } from "./instead.ts";
import { askedItems, type Items, itemsOf, withItems } from "./items.ts";
import { type Imported, print } from "./page.ts";
import { type Given, givenAs, type Preview, preview } from "./preview.ts";
import {
  type Candidate,
  emptyColumns,
  headingsOf,
  missingColumns,
  recognize,
  type Sample,
  sampleOf,
  withColumns,
} from "./recognize.ts";
import {
  type Account,
  accountFor,
  accountsOf,
  alsoFitting,
  copied,
  countedOrders,
  destinationsOf,
  knownCopy,
  knownReason,
  landsAgain,
  nothingLands,
  type Options,
  renew,
  reportOf,
  type Task,
} from "./task.ts";

export function importCommand(program: Command, config: () => Config): void {
  program
    .command("import")
    .description("recognize exports, show what they would land as, and put them into their folders")
    .argument("<files...>", "files in any format that a sync reads, or folders of them")
    .option("--organization <name>", "whose exports: its id or name; not needed if there is only one", once)
    .option("--integration <name>", "the account, by id or name; not needed if only one fits", once)
    .option("--record <record>", "the record, such as orders or vtex/orders; recognized by default", once)
    .option("--map <column=heading>", "the heading of a column; repeat for more", many)
    .option(
      "--item <word=item>",
      "what a word of a table of expenses is for, such as Aluguel=fixed; repeat for more",
      many,
    )
    .option("--instead-of <export>", "land the table of expenses or fees, and revoke this one, which has landed", once)
    .option("--dry-run", "only show")
    .option("--json", "the report as JSON")
    .action(async (files: string[], options: Options) => {
      const imported = await importAll(config(), files, options);
      if (options.json) console.log(JSON.stringify(imported));
      else for (const one of imported) print(one, options.dryRun === true);
      if (!options.json && imported.some(({ state }) => state === "imported"))
        console.log("\nthen: npm run -s lucra -- sync");
      if (imported.some(({ state, preview }) => state === "refused" || (preview?.rejected ?? 0) > 0))
        process.exitCode = 1;
    });
}

async function importAll(config: Config, files: readonly string[], options: Options): Promise<Imported[]> {
  if (options.insteadOf !== undefined && files.length > 1) throw new UsageError("--instead-of: one file is expected");
  const items = itemsOf(options.item ?? []);
  const accounts = await accountsOf(config, options);
  const mapped = mappingOf(options.map ?? []);
  return inTemporaryFolder("lucra-import-", async (folder) => {
    const { memoryLimit, threads } = config;
    const database = await Database.open({ memoryLimit, threads, temporary: folder });
    const imported: Imported[] = [];
    try {
      for (const file of files) {
        const task = { config, options, database, folder, accounts, mapped, items, file };
        imported.push(...(await importAny(task)));
      }
      return imported;
    } finally {
      database.close();
    }
  });
}

async function importAny(task: Task): Promise<Imported[]> {
  const found = await stat(task.file).catch(() => undefined);
  if (found?.isDirectory() && task.options.insteadOf !== undefined)
    throw new UsageError("--instead-of: a file is expected, not a folder");
  const work = found?.isDirectory() ? importFolder(task, importFile) : importOne(task).then((one) => [one]);
  return work.catch((error) => [refused(task.file, error)]);
}

const importFile = (task: Task): Promise<Imported> => importOne(task).catch((error) => refused(task.file, error));

function refused(file: string, error: unknown): Imported {
  const isOfFile = error instanceof OperatorError || error instanceof FileError;
  if (!isOfFile || error instanceof UsageError) throw error;
  return { file, state: "refused", reason: error.message };
}

async function importOne(task: Task): Promise<Imported> {
  const { options, database, folder, mapped } = task;
  const file = await openable(task.file);
  const given = givenAs(file);
  const sample = await sampleOf(database, given, folder);
  assertMapped(sample, mapped);
  const candidates = await recognize(database, sample, destinationsOf(task), mapped);
  const chosen = chosenOf(candidates, sample, options.record !== undefined || Object.keys(mapped).length > 0);
  const { record } = chosen;
  const account = accountFor(record, task.accounts);
  const { whole, asked, items } = await wholeOf(task, given, { sample, chosen, account });
  assertLands(record, whole, sample, asked);
  const counted = await countedOrders(database, [given], account, asked, record);
  const { organization } = account;
  const folders = foldersOf(task.config.dataDir, organization.organizationId);
  const place = { folders, record, integration: asked, currency: organization.currency };
  const instead = options.insteadOf === undefined ? undefined : await landedNamed(database, place, options.insteadOf);
  // A download is read by its own headings, whatever they are mapped to.
  const mappedHere = whole.tool === undefined ? headingsOf(record, sample, asked) : {};
  const before = headingsOf(record, sample, account.integration);
  const isNew = ([field, heading]: [string, string]): boolean => before[field] !== heading;
  const columns = Object.fromEntries(Object.entries(whole.tool === undefined ? chosen.columns : {}).filter(isNew));
  const report = reportOf(task.file, record, account, whole, {
    mapped: mappedHere,
    empty: emptyColumns(record, sample, asked, whole),
    orders: counted,
    others: alsoFitting(candidates, chosen, task.accounts),
    changes: await changesOf(database, given, place, instead?.rows),
  });
  if (options.dryRun) return { ...report, state: "ready" };
  return put(task, { file, report, learned: { columns, items: newItems(items, account) }, instead }, place);
}

const newItems = (items: Items, { integration }: Account): Items =>
  Object.fromEntries(Object.entries(items).filter(([word, item]) => integration.items?.[word] !== item));

interface Chosen {
  readonly sample: Sample;
  readonly chosen: Candidate;
  readonly account: Account;
}

/** The rows that the whole file would land as. What unknown words of expenses are for is asked on a terminal. */
async function wholeOf(
  { database, options, items: given }: Task,
  file: Given,
  { sample, chosen: { record, columns, preview: sampled }, account: { organization, integration } }: Chosen,
): Promise<{ readonly whole: Preview; readonly asked: Integration; readonly items: Items }> {
  if (Object.keys(given).length > 0 && !Object.hasOwn(record.fields, "item"))
    throw new OperatorError(`is an export of ${titleOf(record)}, and --item is for tables of expenses`);
  const askedWith = (items: Items): Integration => withItems(withColumns(integration, record, columns), items);
  const previewWith = (items: Items): Promise<Preview> =>
    preview(database, [file], { record, integration: askedWith(items), currency: organization.currency });
  const whole = sample.file === file.path ? sampled : await previewWith(given);
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && !options.json && !options.dryRun;
  if (!isTerminal || whole.unknownItems.length === 0) return { whole, asked: askedWith(given), items: given };
  const items = { ...given, ...(await askedItems(whole.unknownItems)) };
  return { whole: await previewWith(items), asked: askedWith(items), items };
}

/** A table of a tool may land nothing until the others of its record are there. */
function assertLands(record: RecordDeclaration, whole: Preview, sample: Sample, integration: Integration): void {
  if (whole.rows > 0 || whole.tool !== undefined) return;
  throw new OperatorError(whole.refusal ?? whyNothingLands(record, whole, sample, integration));
}

async function openable(file: string): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(error.code === "ENOENT" ? "there is no such file" : `cannot be read (${error.code})`);
  });
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
      throw new OperatorError(`--map ${field}=${heading}: there is no such heading; there are ${shortened(headings)}`);
    if (headings.includes(field))
      throw new OperatorError(`--map ${field}=${heading}: there is a column ${field} already`);
  }
}

/** Why a report by parts is not taken for one of the whole, and the records of the connector that have such parts. */
function whyNotWhole(record: RecordDeclaration, parts: readonly string[]): string {
  const others = exported.filter(
    ({ connector, name, plain = [] }) =>
      connector === record.connector && name !== record.name && parts.some((column) => plain.includes(column)),
  );
  const meant = others.map((other) => `${titleOf(other)} needs ${requiredFields(other).join(", ")}; `).join("");
  return (
    `breaks ${record.name} down by ${parts.join(", ")}: such a report leaves out the rest of their spend. ${meant}` +
    `--record ${titleOf(record)} takes it as a report of all that they spent`
  );
}

/** The most probable record. `isNamed`: the operator has chosen it. */
function chosenOf(candidates: readonly Candidate[], sample: Sample, isNamed: boolean): Candidate {
  const choice = choiceOf(candidates, sample, isNamed);
  if ("kind" in choice) throw new OperatorError(unclearText(choice, sample));
  return choice;
}

function unclearText(unclear: Unclear, { format, headings }: Sample): string {
  switch (unclear.kind) {
    case "refused":
      return unclear.reason;
    case "faulty":
      return nothingLands(unclear.candidate.record, unclear.candidate.preview);
    case "parts":
      return whyNotWhole(unclear.record, unclear.parts);
    case "ambiguous":
      return `may be an export of ${unclear.records.map(titleOf).join(" or ")}: choose one with --record`;
    case "unknown": {
      const found = format === "json" ? "" : `; its headings are ${shortened(headings) || "missing"}`;
      return `is not recognized as an export of any record${found}. lucra records lists the columns; --record and --map name them`;
    }
  }
}

/** Why no row lands, and what to do. */
function whyNothingLands(record: RecordDeclaration, whole: Preview, sample: Sample, integration: Integration): string {
  const missing = sample.format === "table" ? missingColumns(record, sample, integration) : [];
  if (missing.length > 0) {
    const maps = missing.map((field) => `--map ${field}=…`).join(" ");
    return `looks like ${titleOf(record)} and has no column for ${missing.join(", ")}: add ${maps} with one of its headings (${shortened(sample.headings)})`;
  }
  return nothingLands(record, whole);
}

interface Ready {
  readonly file: string;
  readonly report: Imported;
  /** What the settings do not have yet. */
  readonly learned: { readonly columns: Readonly<Record<string, string>>; readonly items: Items };
  readonly instead: Instead | undefined;
}

/** Writes what was learned into the settings, then puts the file into its folder: a sync must not read it without. */
async function put(task: Task, { file, report, learned, instead }: Ready, place: Place): Promise<Imported> {
  const { config, database } = task;
  const { folders, integration, record } = place;
  const sha256 = await sha256Of(file);
  const isNew = [learned.columns, learned.items].some((one) => Object.keys(one).length > 0);
  const known = await knownCopy(database, place, file, sha256);
  if (known && instead?.file === known.name) throw new OperatorError(`has the content of ${instead.file} itself`);
  if (known && !isNew && !known.replaced) {
    const { changes: _, ...same } = report;
    if (!instead) return { ...same, state: "known", reason: knownReason(known) };
    return landedInstead(task, place, { report: same, name: known.name, instead });
  }
  if (isNew) {
    const after = { integrationId: integration.id, record: record.name, ...learned };
    await logged(config.dataDir, [folders.organization], { what: "import.mapping", after }, () =>
      rememberLearned(folders, integration.id, record.name, learned),
    );
  }
  // A copy that has not landed yet lands with the new mapping; one that has landed must have another name to land again.
  const folder = folders.exports(integration.id, record.name);
  const isWaiting = known !== undefined && known.landing === undefined;
  const target = isWaiting
    ? path.join(folder, known.name)
    : await copied(givenAs(file), place, sha256, (name) => known?.names?.includes(name) ?? false);
  if (known?.replaced) await renew(target);
  const notes = known?.landing === undefined ? [] : [againNote(known.name, known.landing, isNew, known.replaced)];
  const imported = {
    ...report,
    state: "imported",
    place: path.relative(config.dataDir, target),
    ...(notes.length > 0 ? { notes: [...(report.notes ?? []), ...notes] } : {}),
  } as const;
  if (!instead) return imported;
  return landedInstead(task, place, { report: imported, name: path.relative(folder, target), instead });
}

async function landedInstead(
  task: Task,
  place: Place,
  { report, ...what }: { readonly report: Imported; readonly name: string; readonly instead: Instead },
): Promise<Imported> {
  const { file, landings } = what.instead;
  await landInstead(task, place, what);
  const revoked = landings.length === 1 ? `landing ${landings} is` : `landings ${landings.join(", ")} are`;
  return { ...report, state: "landed", reason: `instead of ${file}, whose ${revoked} revoked` };
}

const againNote = (name: string, landing: number, isNewMapping: boolean, replaced?: Replaced): string =>
  replaced && !isNewMapping ? landsAgain(name, landing, replaced) : mappedBefore(name, landing);

const mappedBefore = (name: string, landing: number): string =>
  `the same content landed before, as ${name}, with another mapping: its rows with the same key are replaced, and ` +
  `\`lucra landings revoke ${landing}\` takes back all that this landing had`;

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
