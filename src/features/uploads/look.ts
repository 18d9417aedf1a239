import { randomBytes } from "node:crypto";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import {
  CONNECTOR_KINDS,
  CONNECTORS,
  type Connector,
  ownColumns,
  type RecordDeclaration,
  requiredColumns,
  requiredFields,
} from "../../core/contract/record.ts";
import type { Integration, Organization } from "../../core/contract/settings.ts";
import { brief } from "../../core/contract/text.ts";
import { VENDORS } from "../../core/contract/vendor.ts";
import type { Database } from "../../core/engine/database.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { FileError } from "../../core/landing/bytes/scan.ts";
import type { Replaced } from "../../core/landing/map/inForce.ts";
import type { RejectedRows } from "../../core/landing/read/rejects.ts";
import { exportedBy } from "../../core/records/index.ts";
import { besideWriters } from "../../core/sync/sync.ts";
import { choiceOf, type Unclear } from "../import/choose.ts";
import { type Changes, changesBy } from "../import/instead.ts";
import { withItems } from "../import/items.ts";
import type { Orders } from "../import/page.ts";
import { type Given, type Preview, previewOf, rejectedIn, withLanded } from "../import/preview.ts";
import {
  type Candidate,
  emptyColumns,
  headingsOf,
  missingColumns,
  recognize,
  type Sample,
  sampleOf,
  withColumns,
} from "../import/recognize.ts";
import { knownCopy, ordersIn } from "../import/task.ts";
import { NO_CAMPAIGN_IDS } from "../tools/downloads/download.ts";
import { type RowChanges, rowChanges } from "./changes.ts";
import { fittingHeadings, misfitsOf, onlyFitting, type Values, valuesOf } from "./headings.ts";
import { type Likely, likelyRecords } from "./likely.ts";
import { exportName } from "./names.ts";
import { type OneDay, oneDayIn, oneDayOf } from "./oneDay.ts";
import type { Uploads } from "./store.ts";
import type { Outcome, Target, Upload, Wish } from "./upload.ts";

/** An integration that a file may be for. */
export interface Choice {
  readonly integration: string;
  readonly name: string | null;
}

/** A column of the record, for a mapping. */
export interface Column {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  /** The heading that it is read from; null if there is none. */
  readonly heading: string | null;
  /** Headings that may mean it, the likeliest first. */
  readonly candidates: readonly string[];
  /** Headings whose values it cannot have. */
  readonly misfits: readonly string[];
}

/** What a file is, and what it would land as. */
export interface Look {
  readonly id: string;
  readonly outcome: Outcome;
  /** Why, of a file that cannot land. */
  readonly reason: string | null;
  /** The records that it may be an export of, the likeliest first. */
  readonly records: readonly {
    readonly connector: Connector;
    readonly vendor: string;
    readonly record: string;
    readonly rows: number;
  }[];
  /** What a table that nothing recognizes may be, the likeliest first. */
  readonly likely: readonly Likely[];
  /** What only a person can say, so that it lands: whether the names of its campaigns tell them apart. */
  readonly asks: "campaignsByName" | null;
  readonly connector: Connector | null;
  readonly vendor: string | null;
  readonly record: string | null;
  /** The tool that wrote it, or `download`; null if its form does not say. */
  readonly tool: string | null;
  /** The integrations of the connector. */
  readonly integrations: readonly Choice[];
  /** The one that it lands in; null if one is to be chosen, or would be made. */
  readonly integration: string | null;
  /** The time zone that dates its orders; null: in UTC, or where rows have no instants. */
  readonly timezone: string | null;
  /** Of a table: its headings, and the columns of the record. */
  readonly headings: readonly string[] | null;
  readonly columns: readonly Column[] | null;
  /** Columns of the record with values, without any, and headings that would not land. */
  readonly used: readonly string[];
  readonly empty: readonly string[];
  readonly unused: readonly string[];
  readonly rows: number;
  /** Rows that another row of the file with the same key replaces. */
  readonly repeated: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly sums: readonly { readonly field: string; readonly sum: string }[];
  readonly rejected: number;
  /** Why rows would be rejected, with the place of the first of each. */
  readonly rejects: readonly Pick<RejectedRows, "reason" | "rows" | "position">[];
  readonly orders: Orders | null;
  /** What it changes of rows that have landed; null if none have, or none replace others. */
  readonly changes: RowChanges | null;
  /** The same where rows add up. */
  readonly amounts: Changes | null;
  /** The export with the same content. */
  readonly known: { readonly file: string; readonly landing: number | null; readonly replaced: Replaced | null } | null;
  /** Words of a table of expenses that nothing knows. */
  readonly unknownItems: readonly string[];
  /** Expenses of which it is to be said whether they are of their day or of its month. */
  readonly oneDay: readonly OneDay[];
  readonly notes: readonly string[];
}

/** A look, and what would land by it. */
interface Seen {
  readonly look: Look;
  readonly target?: Target;
}

interface Account {
  readonly integration: Integration;
  readonly isNew: boolean;
}

interface Task {
  readonly config: Config;
  readonly database: Database;
  readonly settings: Organization;
  readonly wish: Wish;
  readonly upload: Upload;
  readonly file: Given;
  readonly sample: Sample;
  readonly candidates: readonly Candidate[];
  readonly accounts: readonly Account[];
}

/** Reads a file as a landing would, in a folder of its own, and notes what was found. Nothing of it is an export before it lands. */
export async function lookAt(
  config: Config,
  uploads: Uploads,
  settings: Organization,
  { id: uploadId, wish }: { readonly id: string; readonly wish: Wish },
): Promise<void> {
  const { organizationId } = settings;
  const upload = await uploads.find(organizationId, uploadId);
  const { look, target } = await besideWriters(config, (database, spill) =>
    seen(config, database, spill, { uploads, settings, upload, wish }).catch((error): Seen => {
      const isOfFile = error instanceof OperatorError || error instanceof FileError;
      if (!isOfFile) throw error;
      return { look: { ...nothing(), outcome: "refused", reason: error.message } };
    }),
  );
  await uploads.write(upload, "look", look);
  await uploads.change(organizationId, uploadId, (one) => {
    if (one.state === "landing" || one.state === "landed") return one;
    const { reason: _, ...rest } = one;
    return {
      ...rest,
      state: "recognized",
      look: { id: look.id, outcome: look.outcome, wish, ...(target ? { target } : {}) },
    };
  });
}

interface Asked {
  readonly uploads: Uploads;
  readonly settings: Organization;
  readonly upload: Upload;
  readonly wish: Wish;
}

async function seen(config: Config, database: Database, spill: string, given: Asked): Promise<Seen> {
  const { uploads, settings, upload, wish } = given;
  const file = { path: uploads.bytesOf(upload), name: exportName(upload) };
  const sha256 = await sha256Of(file.path);
  if (upload.sha256 !== undefined && upload.sha256 !== sha256)
    throw new OperatorError("arrived with another content than it had: remove it, and send it again");
  const sample = await sampleOf(database, file, spill);
  assertMapped(sample, wish.columns ?? {});
  const accounts = accountsFor(settings, wish);
  const candidates = await recognize(database, sample, destinations(settings, accounts, wish), wish.columns ?? {});
  const task = { config, database, settings, wish, upload, file, sample, candidates, accounts };
  const isNamed = wish.record !== undefined || Object.keys(wish.columns ?? {}).length > 0;
  const choice = choiceOf(candidates, sample, isNamed);
  if (!("kind" in choice)) return chosen(task, choice, sha256);
  if (choice.kind === "faulty" && !(isVague(choice.candidate) && !isNamed && sample.format === "table"))
    return chosen(task, choice.candidate, sha256);
  // A person has said what it is: its columns are to be matched.
  const [said] = candidates;
  if (choice.kind === "unknown" && wish.record !== undefined && said && sample.format === "table")
    return chosen(task, said, sha256);
  return { look: unclear(task, choice.kind === "faulty" ? { kind: "unknown" } : choice) };
}

/** Whether nothing but an id of the record is in the file. */
const isVague = ({ preview: { reasons } }: Candidate): boolean =>
  Object.keys(reasons).every((reason) => /^only .*most columns are no fields/.test(reason));

function assertMapped({ format, headings }: Sample, columns: Readonly<Record<string, string>>): void {
  for (const [column, heading] of Object.entries(columns)) {
    if (format !== "table") throw new OperatorError("is no table, so that no columns of it can be mapped");
    if (!headings.includes(heading))
      throw new OperatorError(`has no heading ${brief(heading, 60)}, which ${column} is mapped to`);
    if (headings.includes(column)) throw new OperatorError(`has a column ${column} already, which needs no mapping`);
  }
}

/** The accounts that a file may be for: those of the settings, and a new one of each connector that has none. */
function accountsFor({ integrations = [] }: Organization, wish: Wish): Account[] {
  if (wish.integration !== undefined) {
    const one = integrations.find(({ id }) => id === wish.integration);
    if (!one) throw new OperatorError("is for an integration that the settings do not have any more");
    return [{ integration: read(one, wish), isNew: false }];
  }
  const there = integrations.map((one) => ({ integration: read(one, wish), isNew: false }));
  const added = CONNECTORS.filter(
    (connector) => wish.connector === connector || !integrations.some((one) => one.connector === connector),
  );
  const fresh = added.map((connector, n) => {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    const { timezone } = wish;
    return { integration: read({ id, connector, ...(timezone ? { timezone } : {}) }, wish), isNew: true };
  });
  return wish.connector === undefined
    ? [...there, ...fresh]
    : fresh.filter(({ integration }) => integration.connector === wish.connector);
}

const readingOf = ({ numbers, campaignsByName, allOrdersPaid }: Wish): Target["reading"] => ({
  ...(numbers === undefined ? {} : { numbers }),
  ...(campaignsByName === undefined ? {} : { campaignsByName }),
  ...(allOrdersPaid === undefined ? {} : { allOrdersPaid }),
});

const read = (integration: Integration, wish: Wish): Integration =>
  withItems({ ...integration, ...readingOf(wish) }, wish.items ?? {});

/** The records that it may be an export of, each with the first account that fits. */
function destinations({ currency }: Organization, accounts: readonly Account[], { record, columns = {} }: Wish) {
  const connectors = new Map(accounts.toReversed().map(({ integration }) => [integration.connector, integration]));
  const all = [...connectors].flatMap(([connector, integration]) =>
    exportedBy(connector).map((one) => ({ record: one, integration, currency })),
  );
  const named = all.filter((one) => record === undefined || one.record.name === record);
  if (named.length === 0) throw new OperatorError(`is for no record ${brief(record ?? "", 60)} that there is`);
  const fitting = named.filter((one) => Object.keys(columns).every((field) => ownColumns(one.record).includes(field)));
  if (fitting.length === 0) throw new OperatorError("has columns mapped that no record has together");
  return fitting;
}

async function chosen(task: Task, { record, columns }: Candidate, sha256: string): Promise<Seen> {
  const { config, database, settings, wish, file, sample } = task;
  const own = task.accounts.filter(({ integration }) => integration.connector === record.connector);
  const there = own.filter(({ isNew }) => !isNew);
  const account = (own.length === 1 ? own[0] : undefined) ?? (there.length === 1 ? there[0] : undefined);
  const { integration } = (account ?? own[0]) as Account;
  const asked = withColumns(integration, record, columns);
  const { currency, organizationId } = settings;
  const place = { folders: foldersOf(config.dataDir, organizationId), record, integration: asked, currency };
  const { preview, ...found } = await withLanded(
    database,
    [file],
    { record, integration: asked, currency },
    async (landed) => {
      const preview = await previewOf(landed);
      const rejects = await rejectedIn(landed);
      if (preview.rows === 0) return { preview, rejects };
      const isThere = account !== undefined && !account.isNew;
      return {
        preview,
        rejects,
        orders: await ordersIn(database, landed),
        oneDay: await oneDayIn(landed, wish.oneDayExpenses),
        changes: isThere ? await rowChanges(landed.session, place, landed.rows) : undefined,
        amounts: isThere ? await changesBy(landed, place) : undefined,
      };
    },
  );
  const before = headingsOf(record, sample, integration);
  const isTable = preview.tool === undefined;
  const learned = Object.entries(isTable ? columns : {}).filter(([field, heading]) => before[field] !== heading);
  const isNew = learned.length > 0 || teaches(wish, integration, settings);
  const known = account && !account.isNew ? await knownCopy(database, place, file.path, sha256) : undefined;
  const missing = sample.format === "table" ? missingColumns(record, sample, asked) : [];
  const { outcome, reason } = outcomeOf({ preview, missing, known, isNew, isChosen: account !== undefined });
  const target: Target | undefined = account && {
    integration: account.isNew ? "" : account.integration.id,
    ...(account.isNew ? { added: addedBy(record.connector, wish), isOnly: wish.connector === undefined } : {}),
    record: record.name,
    columns: Object.fromEntries(learned),
    items: wish.items ?? {},
    ...(wish.oneDayExpenses ? { oneDayExpenses: wish.oneDayExpenses } : {}),
    reading: readingOf(wish),
    file: file.name,
  };
  const isReady = outcome === "ready" || outcome === "again";
  return {
    look: {
      ...nothing(),
      ...{ outcome, reason, records: recordsOf(task) },
      ...{ connector: record.connector, vendor: VENDORS[record.connector].name, record: record.name },
      tool: preview.tool ?? null,
      integrations: there.map(({ integration: { id, name = null } }) => ({ integration: id, name })),
      integration: account && !account.isNew ? account.integration.id : null,
      timezone: integration.timezone ?? null,
      ...tableOf(record, sample, asked, preview),
      ...figures(preview),
      rejects: found.rejects.map(({ reason: why, rows, position }) => ({ reason: why, rows, position })),
      orders: found.orders ?? null,
      oneDay: found.oneDay ?? [],
      changes: found.changes ?? null,
      amounts: found.amounts ?? null,
      known: known ? { file: known.name, landing: known.landing ?? null, replaced: known.replaced ?? null } : null,
    },
    ...(isReady && target ? { target } : {}),
  };
}

/** Whether the settings would learn something by what was said. */
const teaches = (
  { items = {}, oneDayExpenses = {}, ...wish }: Wish,
  { id }: Integration,
  { integrations = [] }: Organization,
): boolean => {
  const one = integrations.find((integration) => integration.id === id);
  const reading = Object.entries(readingOf(wish));
  return (
    Object.entries(items).some(([word, item]) => one?.items?.[word] !== item) ||
    Object.entries(oneDayExpenses).some(([item, of]) => oneDayOf(one, item) !== of) ||
    reading.some(([name, value]) => one?.[name as keyof Integration] !== value)
  );
};

const addedBy = (connector: Connector, { name, timezone }: Wish): NonNullable<Target["added"]> => ({
  connector,
  ...(name ? { name } : {}),
  // It dates orders.
  ...(timezone && CONNECTOR_KINDS[connector] === "store" ? { timezone } : {}),
});

interface Result {
  readonly preview: Preview;
  readonly missing: readonly string[];
  readonly known: Awaited<ReturnType<typeof knownCopy>>;
  readonly isNew: boolean;
  /** Whether it is clear which integration it is for. */
  readonly isChosen: boolean;
}

function outcomeOf({ preview, missing, known, isNew, isChosen }: Result): Pick<Look, "outcome" | "reason"> {
  const { refusal, rows, tool } = preview;
  if (rows === 0 && tool === undefined && missing.length > 0)
    return { outcome: "map", reason: `has no column for ${missing.join(", ")}` };
  if (rows === 0 && tool === undefined)
    return { outcome: "refused", reason: refusal ?? "no row of it would land, for the reasons below" };
  if (!isChosen) return { outcome: "choose", reason: null };
  if (known?.replaced && !isNew) return { outcome: "again", reason: null };
  if (known && !isNew) return { outcome: "known", reason: null };
  return { outcome: "ready", reason: null };
}

/** A file that is no export of one record for certain. */
function unclear(task: Task, choice: Exclude<Unclear, { readonly kind: "faulty" }>): Look {
  const look = { ...nothing(), records: recordsOf(task), headings: headingsIn(task.sample) };
  switch (choice.kind) {
    case "refused":
      return { ...look, ...askedOf(task), outcome: "refused", reason: choice.reason };
    case "unknown":
      return { ...look, outcome: "unknown", reason: null, likely: likelyRecords(task.sample) };
    case "ambiguous":
      return { ...look, outcome: "choose", reason: null };
    case "parts":
      return {
        ...look,
        outcome: "choose",
        reason: `breaks ${choice.record.name} down by ${choice.parts.join(", ")}: such a report leaves out the rest`,
      };
  }
}

/** A report without ids of campaigns may land by their names, if a person says that these tell them apart. */
function askedOf({ sample, candidates, wish }: Task): Partial<Look> {
  const isNamed = candidates.some(({ preview: { refusal = "" } }) => refusal.includes(NO_CAMPAIGN_IDS));
  const record = sample.download?.record;
  if (!isNamed || !record || wish.campaignsByName !== undefined) return {};
  const { connector, name } = record;
  return { asks: "campaignsByName", connector, vendor: VENDORS[connector].name, record: name };
}

const recordsOf = ({ candidates }: Task): Look["records"] =>
  candidates
    .filter(({ preview, known }) => preview.rows > 0 || known > 0 || preview.tool !== undefined)
    .map(({ record: { connector, name }, preview }) => ({
      ...{ connector, vendor: VENDORS[connector].name, record: name, rows: preview.rows },
    }));

const headingsIn = ({ format, headings }: Sample): readonly string[] | null => (format === "table" ? headings : null);

/** The headings of a table, and what each column of the record is read from; of a download, whose headings are known, none. */
function tableOf(
  record: RecordDeclaration,
  sample: Sample,
  asked: Integration,
  preview: Preview,
): Pick<Look, "headings" | "columns" | "empty"> {
  const headings = headingsIn(sample);
  const empty = emptyColumns(record, sample, asked, preview);
  if (headings === null || preview.tool !== undefined || sample.download) return { headings, columns: null, empty };
  const mapped = headingsOf(record, sample, asked);
  const headingOf = (name: string): string | null => mapped[name] ?? (headings.includes(name) ? name : null);
  const all = ownColumns(record);
  const required = requiredColumns(
    record,
    all.filter((name) => headingOf(name) !== null),
  );
  const taken = new Set(all.flatMap((name) => headingOf(name) ?? []));
  const free = headings.filter((heading) => heading !== "" && !taken.has(heading));
  const values = valuesOf(headings, sample.rows ?? []);
  const columns = all.map((name) => {
    const heading = headingOf(name);
    const candidates = heading === null ? candidatesFor(record, name, { headings, free, values }) : [];
    return {
      name,
      required: required.includes(name),
      description: (record.fields[name] ?? record.lines?.columns[name])?.description ?? "",
      heading,
      candidates,
      misfits: misfitsOf(record, name, headings, values),
    };
  });
  return { headings, columns, empty };
}

interface Table {
  readonly headings: readonly string[];
  /** Those that no column is read from. */
  readonly free: readonly string[];
  readonly values: Values;
}

/** A required column may be read from the heading of another one: a campaign that has only a name is known by it. */
function candidatesFor(record: RecordDeclaration, name: string, { headings, free, values }: Table): string[] {
  const isRequired = requiredFields(record).includes(name);
  const isMain = isRequired || record.payment?.includes(name) || name === "email";
  const found = fittingHeadings(record, name, free, values);
  if (found.length > 0 || !isMain) return found;
  const other = isRequired ? fittingHeadings(record, name, headings, values) : [];
  return other.length > 0 ? other : onlyFitting(record, name, free, values);
}

const figures = (preview: Preview): Partial<Look> => ({
  rows: preview.rows,
  repeated: preview.replaced,
  firstDay: preview.firstDay,
  lastDay: preview.lastDay,
  sums: preview.sums.map(({ field, sum }) => ({ field, sum: sum.replace(/(\.\d\d)0+$/, "$1") })),
  rejected: preview.rejected,
  used: preview.filled,
  unused: preview.unknown,
  unknownItems: preview.unknownItems,
  notes: [...preview.notes, ...(preview.refusal !== undefined && preview.tool !== undefined ? [preview.refusal] : [])],
});

const nothing = (): Look => ({
  id: randomBytes(8).toString("hex"),
  outcome: "unknown",
  reason: null,
  records: [],
  likely: [],
  asks: null,
  connector: null,
  vendor: null,
  record: null,
  tool: null,
  integrations: [],
  integration: null,
  timezone: null,
  headings: null,
  columns: null,
  used: [],
  empty: [],
  unused: [],
  rows: 0,
  repeated: 0,
  firstDay: null,
  lastDay: null,
  sums: [],
  rejected: 0,
  rejects: [],
  orders: null,
  changes: null,
  amounts: null,
  known: null,
  unknownItems: [],
  oneDay: [],
  notes: [],
});
