import { stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { ownColumns, type RecordDeclaration, relationOf, titleOf } from "../../core/contract/record.ts";
import type { Integration, Organization } from "../../core/contract/settings.ts";
import { quantity } from "../../core/contract/text.ts";
import { VENDORS } from "../../core/contract/vendor.ts";
import { type Database, literal, type Row } from "../../core/engine/database.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { copyNew } from "../../core/files/durable.ts";
import { paths } from "../../core/files/paths.ts";
import { listExports } from "../../core/landing/find/exports.ts";
import { footers, type LakePlace, landingOf } from "../../core/landing/ledger/ingested.ts";
import { type Replaced, replacedOf } from "../../core/landing/map/inForce.ts";
import { derive } from "../../core/marts/derive.ts";
import { currentGeneration } from "../../core/marts/generations.ts";
import { invertedZone } from "../../core/organizations/invertedZone.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { exportedBy, relationsOf } from "../../core/records/index.ts";
import { recordNamed } from "../../core/terminal/recordNamed.ts";
import { printable } from "../../core/terminal/table.ts";
import { UsageError } from "../../core/terminal/usage.ts";
import type { Changes } from "./instead.ts";
import { type Items, unknownItemsText, withItems } from "./items.ts";
import { type Imported, type Orders, shownReasons } from "./page.ts";
import { type Given, type LandedAlone, type Preview, withLanded } from "./preview.ts";
import { type Candidate, type Destination, isOfOther } from "./recognize.ts";

export interface Options {
  readonly organization?: string;
  readonly integration?: string;
  readonly record?: string;
  readonly map?: readonly string[];
  readonly item?: readonly string[];
  readonly insteadOf?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** One account that a file may belong to. */
export interface Account {
  readonly organization: Organization;
  readonly integration: Integration;
}

/** The accounts that the options leave. */
export async function accountsOf(config: Config, { organization, integration }: Options): Promise<Account[]> {
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

export interface Task {
  readonly config: Config;
  readonly options: Options;
  readonly database: Database;
  /** For temporary files. */
  readonly folder: string;
  readonly accounts: readonly Account[];
  readonly mapped: Readonly<Record<string, string>>;
  /** What words of expenses are for, besides what the settings say. */
  readonly items: Items;
  readonly file: string;
}

/** The records that the file may be an export of, each with the account that it would land in. */
export function destinationsOf({ accounts, options, mapped, items }: Task): Destination[] {
  const wanted = options.record?.includes("/") ? recordNamed(options.record) : undefined;
  const connectors = new Map(accounts.map((account) => [account.integration.connector, account]));
  const all = [...connectors].flatMap(([connector, { organization, integration }]) =>
    exportedBy(connector).map((record) => ({
      record,
      integration: withItems(integration, items),
      currency: organization.currency,
    })),
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
    Object.keys(mapped).every((field) => ownColumns(record).includes(field)),
  );
  if (fitting.length > 0) return fitting;
  throw new UsageError(
    `--map: no record has all of ${Object.keys(mapped).join(", ")}; lucra records lists the columns`,
  );
}

export function accountFor(record: RecordDeclaration, accounts: readonly Account[]): Account {
  const own = accounts.filter(({ integration }) => integration.connector === record.connector);
  const [only] = own;
  if (only && own.length === 1) return only;
  const others = own.map(shownAccount).join(", ");
  throw new OperatorError(`is an export of ${titleOf(record)}: choose with --organization or --integration: ${others}`);
}

/** Why no row of files lands that have no other fault. */
export const nothingLands = (record: RecordDeclaration, { refusal, reasons, unknownItems }: Preview): string =>
  refusal ??
  [
    `looks like ${titleOf(record)}, but no row would land: ${shownReasons(reasons) || "it has none"}`,
    ...(unknownItems.length > 0 ? [unknownItemsText(unknownItems)] : []),
  ].join("; ");

/** Notes of a report besides the rows that would land. */
interface Found {
  readonly mapped: Readonly<Record<string, string>>;
  /** Columns of the record without a value. */
  readonly empty?: readonly string[];
  readonly orders: Orders | undefined;
  /** Other accounts that the file fits as well. */
  readonly others?: readonly string[];
  /** What it changes of what has landed, where rows add up. */
  readonly changes?: Changes | undefined;
}

export function reportOf(
  file: string,
  record: RecordDeclaration,
  account: Account,
  whole: Preview,
  { mapped, empty = [], orders, others = [], changes }: Found,
): Imported {
  const { refusal, telling: _, filled, unknown, unknownItems, notes, tool, sums: __, ...figures } = whole;
  const words = unknownItems.length > 0 ? [unknownItemsText(unknownItems)] : [];
  const all = [...others, ...notesOf(refusal, account, orders), ...words, ...notes];
  return {
    file,
    state: "ready",
    record: titleOf(record),
    vendor: VENDORS[record.connector].name,
    ...(tool === undefined ? {} : { tool }),
    organization: account.organization.organizationId,
    integration: account.integration.id,
    account: shownAccount(account),
    ...(all.length > 0 ? { notes: all } : {}),
    columns: { used: filled, ...(empty.length > 0 ? { empty } : {}), unused: unknown },
    mapped,
    preview: figures,
    ...(orders ? { orders } : {}),
    ...(changes ? { changes } : {}),
    ...(unknownItems.length > 0 ? { unknownItems } : {}),
  };
}

/** The accounts of other vendors that the file fits as well, for the notes of the report. */
export const alsoFitting = (
  candidates: readonly Candidate[],
  { record }: Candidate,
  accounts: readonly Account[],
): string[] =>
  candidates
    .filter((one) => isOfOther(one, record))
    .flatMap((one) => accounts.filter(({ integration }) => integration.connector === one.record.connector))
    .map((account) => `also fits ${shownAccount(account)}: ${optionOf(account)} takes it as an export of that account`);

const optionOf = ({ integration: { id, name } }: Account): string =>
  `--integration ${name === undefined ? id : /^[\w.-]+$/.test(name) ? name : `"${name}"`}`;

/** Why nothing lands yet, or what makes the days of orders wrong. */
function notesOf(refusal: string | undefined, { integration }: Account, orders: Orders | undefined): string[] {
  if (refusal !== undefined) return [refusal];
  if (orders === undefined) return [];
  const { timezone } = integration;
  if (timezone === undefined) return [IN_UTC];
  const inverted = invertedZone(timezone);
  return inverted?.isEast ? [`orders are dated in ${timezone}: ${inverted.meaning}`] : [];
}

const IN_UTC =
  'orders are dated in UTC: set "timezone" of the account in the settings, such as America/Sao_Paulo, before they land';

/** How many of the file's orders the analyses would count, and the reasons of the others [D3]. */
export function countedOrders(
  database: Database,
  files: readonly Given[],
  { organization: { currency } }: Account,
  integration: Integration,
  record: RecordDeclaration,
): Promise<Orders | undefined> {
  if (!holdsOrders(record)) return Promise.resolve(undefined);
  return withLanded(database, files, { record, integration, currency }, (landed) => ordersIn(database, landed));
}

const holdsOrders = (record: RecordDeclaration): boolean => relationsOf("store", "orders").has(relationOf(record));

/** The same of files that have landed alone. */
export async function ordersIn(
  database: Database,
  { session, place: { record, integration }, folders }: LandedAlone,
): Promise<Orders | undefined> {
  if (!holdsOrders(record)) return undefined;
  const { organization: organizationId } = folders;
  const settings = { organizationId, name: organizationId, integrations: [integration] };
  await derive(database, folders, settings);
  const generation = await currentGeneration(folders);
  if (!generation) return undefined;
  const rows = await session.rows(
    `select coalesce(exclusion_reason, '') as reason, status, is_known, sum(orders)::int as orders
      from read_parquet(${literal(path.join(generation.folder, "order_statuses.parquet"))})
      group by all order by reason, status, is_known`,
  );
  const sums = (all: readonly Row[], name: string): Record<string, number> => {
    const sum: Record<string, number> = {};
    for (const row of all) sum[String(row[name])] = (sum[String(row[name])] ?? 0) + Number(row.orders);
    return sum;
  };
  const { "": counted = 0, ...uncounted } = sums(rows, "reason");
  const unknown = rows.filter(({ reason, is_known: isKnown }) => reason !== "" && isKnown === false);
  return { counted, uncounted, ...(unknown.length > 0 ? { unknown: sums(unknown, "status") } : {}) };
}

/** Where the same content is: in the folder, or landed. */
interface KnownCopy {
  readonly name: string;
  /** The number of its last landing, if it has landed, and all names that it landed under. */
  readonly landing?: number;
  readonly names?: readonly string[];
  /** Exports that have replaced rows of it since: it can land again. */
  readonly replaced?: Replaced | undefined;
}

/** That rows of the same content were replaced, for the note of a file that lands again. */
export const landsAgain = (name: string, landing: number, { rows, by, landing: of }: Replaced): string =>
  `the same content landed before, as ${name} (landing ${landing}), and ${quantity(rows, "row")} of it ${rows === 1 ? "was" : "were"} ` +
  `replaced by ${by} (landing ${of}): it lands again, and its rows count again`;

export const knownReason = ({ name, landing }: KnownCopy): string =>
  landing === undefined
    ? `the same content is in the folder already, as ${name}: lucra sync lands it`
    : `the same content has landed already, as ${name}`;

export async function knownCopy(
  database: Database,
  place: LakePlace,
  file: string,
  sha256: string,
): Promise<KnownCopy | undefined> {
  const { folders, integration, record } = place;
  const landed = (await database.use((session) => footers(session, place))).flatMap(({ file: lake, exports }) =>
    exports
      .filter((one) => one.sha256 === sha256)
      .map(({ name, fileNo }) => ({ name, fileNo, landing: landingOf(lake) })),
  );
  const last = landed.at(-1);
  if (last) {
    const { name, landing, fileNo } = last;
    const replaced = await database.use((session) => replacedOf(session, place, landing, fileNo));
    return { name, landing, names: landed.map((one) => one.name), replaced };
  }
  const { size } = await stat(file);
  const { files } = await listExports(folders, integration.id, record.name);
  for (const { name, path: other, bytes } of files) {
    if (bytes === size && (await sha256Of(other)) === sha256) return { name };
  }
  return undefined;
}

/** Makes a copy newer than all exports before: a download's rows are as new as their file. */
export const renew = (copy: string): Promise<void> => utimes(copy, new Date(), new Date());

/**
 * Copies a file under its own name or, if that is taken, with the beginning of its checksum in it. `isLanded`: the same
 * content landed under this name, and would not land again.
 */
export async function copied(
  { path: file, name }: Given,
  { folders, integration, record }: LakePlace,
  sha256: string,
  isLanded = (_: string): boolean => false,
): Promise<string> {
  const folder = folders.exports(integration.id, record.name);
  const named = (mark: string): string => name.replace(/((?:\.[^./]+)?(?:\.gz)?)$/, `-${mark}$1`);
  const mark = sha256.slice(0, 8);
  const names = [name, named(mark), ...Array.from({ length: MOST_COPIES }, (_, n) => named(`${mark}-${n + 2}`))];
  const isSame = async (copy: string): Promise<boolean> => (await sha256Of(copy)) === sha256;
  for (const target of names.filter((one) => !isLanded(one)).map((one) => path.join(folder, one))) {
    try {
      if (await copyNew(file, target, isSame)) return target;
      throw new OperatorError("changed while it was copied: import it again");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new OperatorError(`${path.join(folder, name)} and ${names.slice(1).join(", ")} exist already`);
}

/** How often the same content may be imported again with another mapping. */
const MOST_COPIES = 8;
