import { randomBytes } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import type { Database, Session } from "../../core/engine/database.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import {
  type ErasedHash,
  type Erasure,
  erasureKey,
  erasuresOf,
  keepErasures,
  keyGone,
  makeErasureKey,
} from "../../core/landing/ledger/erasures.ts";
import { namesIn } from "../../core/landing/ledger/ingested.ts";
import { atWork } from "../../core/landing/work.ts";
import { derive } from "../../core/marts/derive.ts";
import { removeOthers } from "../../core/marts/generations.ts";
import { hasReplicas } from "../../core/marts/replication.ts";
import { sendPast } from "../../core/marts/sentPast.ts";
import { removeStates } from "../../core/marts/states.ts";
import { exported } from "../../core/records/index.ts";
import { atWorkbench, besideWriters, WAIT_MS } from "../../core/sync/sync.ts";
import { documentOf, Erased, emailOf, idOf, isAlias, isFiller, needlesOf, phoneOf, plainId } from "./erased.ts";
import type { Workshop } from "./files.ts";
import { forget } from "./journal.ts";
import {
  editExports,
  editFreshExports,
  editLake,
  editRejects,
  lookThroughDerived,
  type Pass,
  type PlaceName,
  type Unread,
} from "./passes.ts";
import { keyOfOrder, type OrderKey, type Selector, type Targets, targetsOf } from "./targets.ts";
import type { Found } from "./verdict.ts";

/** Where data of a customer stand. */
interface FoundFile {
  readonly place: PlaceName;
  readonly file: string;
  readonly rows: number;
}

interface FoundRow {
  readonly place: PlaceName;
  readonly file: string;
  readonly row: unknown;
}

export interface Findings {
  readonly files: readonly FoundFile[];
  readonly orders: readonly OrderKey[];
  /** Other orders of the same store's customers, which `with` adds. */
  readonly others: readonly OrderKey[];
  /** The data themselves: the rows that are the customer's. */
  readonly data: readonly FoundRow[];
  readonly unread: readonly Unread[];
}

export interface Erasing extends Findings {
  readonly no: number;
  readonly at: string;
}

/** How long those that read the replaced derived files have to see the new ones: a service looks twice a second. */
const READERS_MS = 1_500;
/** The same for replicas, which look at the organizations that they have a copy of in turns. */
const REPLICAS_MS = 10_000;

/** Where data of a customer stand, and what they are. Writes nothing. */
export function findCustomer(config: Config, settings: Organization, selector: Selector): Promise<Findings> {
  const folders = foldersOf(config.dataDir, settings.organizationId);
  return besideWriters(config, (database, work) =>
    database.use(async (session) => {
      const task: Task = { config, settings, folders, shop: { session, work }, database, onStep: () => {} };
      const { targets, erasure } = await planned(task, selector, new Erased(randomBytes(32).toString("hex"), []));
      return found({ ...task, mayMatch: needlesFor(selector, targets) }, erasure.erased, targets);
    }),
  );
}

/** What an erasure does: waits for the organization's turn, looks, empties each place, derives, waits for readers, looks again. */
export type Step = "waiting" | "looking" | "exports" | "lake" | "rejects" | "deriving" | "copies" | "checking";
type OnStep = (step: Step) => void;

interface Task {
  readonly config: Config;
  readonly settings: Organization;
  readonly folders: OrganizationFolders;
  readonly database: Database;
  readonly shop: Workshop;
  readonly onWrite?: (() => void) | undefined;
  readonly onStep: OnStep;
  /** Of `Reading`. */
  readonly mayMatch?: ((text: string) => boolean) | undefined;
}

const passOf = ({ folders, settings, shop, onWrite, mayMatch }: Task, erased: Erased, more: Partial<Pass>): Pass => ({
  folders,
  settings,
  erased,
  mode: "erase",
  shop,
  dry: true,
  onUnread: () => {},
  keepMet: async () => {},
  onWrite,
  mayMatch,
  ...more,
});

/** How many rows a report has the data of. */
const MOST_ROWS = 100_000;

/** Looks through everything. */
async function found(task: Task, erased: Erased, targets?: Targets): Promise<Findings> {
  const files = new Map<string, FoundFile>();
  const data: FoundRow[] = [];
  const unread: Unread[] = [];
  const onRow = (place: PlaceName, file: string, row: Found): void => {
    files.set(file, { place, file, rows: (files.get(file)?.rows ?? 0) + 1 });
    const isData = row.isOwn && place !== "derived" && place !== "states";
    if (isData && data.length < MOST_ROWS) data.push({ place, file, row: JSON.parse(row.row) });
  };
  const pass = passOf(task, erased, { onRow, onUnread: (one) => void unread.push(one) });
  await editExports(pass);
  await editLake(pass);
  await editRejects(pass);
  await lookThroughDerived(pass);
  return {
    files: [...files.values()],
    orders: targets?.orders ?? [],
    others: targets?.others ?? [],
    data,
    unread,
  };
}

interface Planned {
  readonly targets: Targets;
  readonly erasure: { readonly erased: Erased; readonly hashes: Record<string, ErasedHash>; readonly until: string };
}

/** Which orders and contacts a selector means, and the hashes by which they are found again. */
async function planned(task: Task, selector: Selector, known: Erased): Promise<Planned> {
  const { settings, folders, shop, config } = task;
  const hashes: Record<string, ErasedHash> = {};
  const put = (of: ErasedHash["of"], text: string, one: Omit<ErasedHash, "of">): void => {
    const hash = known.hash(of, text);
    if (!hashes[hash]?.asked) hashes[hash] = { of, ...one };
  };
  if (selector.phone !== undefined) put("phone", phoneOf(selector.phone), { asked: true });
  if (selector.document !== undefined) put("document", documentOf(selector.document), { asked: true });
  const met = Object.keys(hashes).length > 0 ? await ordersWith(task, known, hashes) : [];
  const targets = await targetsOf(shop, folders, settings, selector, met);
  const numbers = new Map<string, string>();
  const numberOf = (group: string): string => {
    const number = numbers.get(group) ?? known.newNumber();
    numbers.set(group, number);
    return number;
  };
  for (const order of targets.orders) {
    const group = targets.groups.get(keyOfOrder(order)) ?? keyOfOrder(order);
    put("order", idOf(order.integration, order.order), { number: numberOf(group), asked: true });
  }
  for (const { integration, order, group } of targets.linked)
    put("order", idOf(integration, order), { number: numberOf(group), asked: false });
  for (const { integration, customer, group = `${integration} ${customer}` } of targets.accounts) {
    if (isFiller(customer)) continue;
    const asked = selector.with === true || selector.customer !== undefined;
    put("customer", idOf(integration, customer), { number: numberOf(group), asked });
  }
  for (const { email, group = email } of targets.emails) {
    if (isAlias(email)) continue;
    const asked = selector.with === true || selector.customer !== undefined || email === emailOf(selector.email ?? "");
    put("email", email, { number: numberOf(group), asked });
  }
  if (selector.email !== undefined && !hashes[known.hash("email", emailOf(selector.email))]) {
    // Of contacts, and of what has not landed.
    put("email", emailOf(selector.email), { number: known.newNumber(), asked: true });
  }
  if (selector.customer !== undefined) {
    for (const { id } of settings.integrations ?? []) {
      const text = idOf(id, selector.customer);
      if (!hashes[known.hash("customer", text)]) put("customer", text, { number: known.newNumber(), asked: true });
    }
  }
  if (selector.order !== undefined && targets.orders.length === 0) {
    for (const { id } of settings.integrations ?? [])
      put("order", idOf(id, selector.order), { number: known.newNumber(), asked: true });
  }
  const until = [config.now().toISOString(), targets.lastAt ?? ""].sort().at(-1) as string;
  const erased = known.with({ no: Number.POSITIVE_INFINITY, at: until, until, hashes });
  return { targets, erasure: { erased, hashes, until } };
}

/** Phones and documents are written in many ways. */
function needlesFor(
  { email, order, customer, phone, document }: Selector,
  { orders, linked, accounts, emails }: Targets,
): Task["mayMatch"] {
  if (phone !== undefined || document !== undefined) return undefined;
  // The id of a download's customer is made of the document.
  if (accounts.some((one) => one.customer.startsWith("document:"))) return undefined;
  return needlesOf([
    ...(email === undefined ? [] : [emailOf(email)]),
    ...[order, customer].flatMap((id) => (id === undefined ? [] : [plainId(id)])),
    ...[...orders, ...linked].map((one) => plainId(one.order)),
    ...accounts.map((one) => plainId(one.customer)),
    ...emails.map((one) => one.email),
  ]);
}

/** The orders whose rows have a phone or a document. */
async function ordersWith(task: Task, known: Erased, hashes: Record<string, ErasedHash>): Promise<OrderKey[]> {
  const far = "9999-12-31T23:59:59.999Z";
  const erased = known.with({ no: Number.POSITIVE_INFINITY, at: far, until: far, hashes });
  const orders = new Map<string, OrderKey>();
  const onRow = (_: PlaceName, file: string, { order }: Found): void => {
    if (order === undefined) return;
    for (const { id } of task.settings.integrations ?? []) {
      if (!file.includes(id)) continue;
      orders.set(`${id} ${order}`, { integration: id, order });
    }
  };
  const pass = passOf(task, erased, { onRow });
  await editExports(pass);
  await editLake(pass);
  return [...orders.values()];
}

/** A process that was ended goes on at the next sync, or the next erasure. */
export interface EraseOptions {
  /** Called after each write; tests end the process there. */
  readonly onWrite?: () => void;
  /** Called when a step begins. */
  readonly onStep?: OnStep;
  /** Runs what is written, as between two lines of the log [D91], which knows the erasure by its number. */
  readonly log?: <T>(numbers: readonly number[], work: () => Promise<T>) => Promise<T>;
}

const unlogged: NonNullable<EraseOptions["log"]> = (_, work) => work();

/** Erases a customer's data everywhere. Returns what it was; fails if anything is left. */
export function eraseCustomer(
  config: Config,
  settings: Organization,
  selector: Selector,
  options: EraseOptions = {},
): Promise<Erasing> {
  return inTurn(config, settings, options, async (task) => {
    const { folders } = task;
    task.onStep("looking");
    const before = await erasuresOf(folders);
    const key = await makeErasureKey(folders);
    // Who is one customer is read off the derived files.
    await derive(task.database, folders, settings, { now: config.now });
    const { targets, erasure } = await planned(task, selector, new Erased(key, before));
    const quick = { ...task, mayMatch: needlesFor(selector, targets) };
    const findings = await found(quick, erasure.erased, targets);
    const no = Math.max(0, ...before.map((one) => one.no)) + 1;
    const at = config.now().toISOString();
    return (options.log ?? unlogged)([no], async () => {
      await keepErasures(folders, [...before, { no, at, until: erasure.until, hashes: erasure.hashes }]);
      task.onWrite?.();
      const unread = await goOn(quick);
      return { no, at, ...findings, unread };
    });
  });
}

/** What was erased again: how many erasures there were, and what could not be read. */
interface ErasedAgain {
  readonly erasures: number;
  readonly unread: readonly Unread[];
}

/** Erases again what was erased before, as after a restore. */
export function eraseAgain(config: Config, settings: Organization, options: EraseOptions = {}): Promise<ErasedAgain> {
  return inTurn(config, settings, options, async (task) => {
    const erasures = await erasuresOf(task.folders);
    if (erasures.length === 0) {
      throw new OperatorError(
        `there is no erasure to do again: put erasures/ and secrets/${task.folders.organization}/erasures back as they were ` +
          "before the restore, or say whom to erase",
      );
    }
    return (options.log ?? unlogged)(
      erasures.map(({ no }) => no),
      async () => {
        await keepErasures(
          task.folders,
          erasures.map(({ doneAt: _, ...one }) => one),
        );
        return { erasures: erasures.length, unread: await goOn(task) };
      },
    );
  });
}

function inTurn<T>(
  config: Config,
  settings: Organization,
  { onWrite, onStep = () => {} }: EraseOptions,
  work: (task: Task) => Promise<T>,
): Promise<T> {
  const folders = foldersOf(config.dataDir, settings.organizationId);
  onStep("waiting");
  return atWorkbench(config, WAIT_MS, (database, turnOf) =>
    turnOf(settings.organizationId, async () => {
      await resumed({ config, settings, folders, database }, onWrite);
      return atWorking({ config, settings, folders, database, onWrite, onStep }, work);
    }),
  );
}

const atWorking = <T>(
  task: Omit<Task, "shop" | "onStep"> & { readonly onStep?: OnStep },
  work: (task: Task) => Promise<T>,
): Promise<T> =>
  task.database.use((session: Session) =>
    atWork(task.folders.dataDir, (folder) => work({ onStep: () => {}, ...task, shop: { session, work: folder } })),
  );

type Writer = Pick<Task, "config" | "settings" | "folders" | "database">;

/** Goes on with an erasure that was interrupted. The caller has the organization's turn. */
export async function resumed(writer: Writer, onWrite?: () => void): Promise<void> {
  const isOpen = (await erasuresOf(writer.folders)).some(({ doneAt }) => doneAt === undefined);
  if (isOpen) await atWorking({ ...writer, onWrite }, goOn);
}

/** Does whatever is left of all erasures; the same again changes nothing. Returns what could not be read. */
async function goOn(task: Task): Promise<readonly Unread[]> {
  const { folders, settings, config, database } = task;
  const erased = await known(folders);
  const pass = passOf(task, erased, { dry: false, keepMet: () => keepMet(folders, erased) });
  task.onStep("exports");
  await editExports(pass);
  task.onStep("lake");
  await editLake(pass);
  task.onStep("rejects");
  await editRejects(pass);
  task.onStep("deriving");
  const { generation } = await derive(database, folders, settings, { now: config.now });
  task.onWrite?.();
  task.onStep("copies");
  await removeStates(folders);
  await sendPast(folders);
  await sleep(hasReplicas(folders) ? REPLICAS_MS : READERS_MS);
  await removeOthers(folders, generation);
  task.onWrite?.();
  task.onStep("checking");
  const left = await found(task, await known(folders));
  const [first] = left.files;
  if (first) {
    throw new OperatorError(
      `not everything could be erased: ${left.files
        .map(({ file, rows }) => `${file} (${rows})`)
        .slice(0, 10)
        .join(", ")}; what comes there now is erased by the next sync, or by lucra customers erase --again`,
    );
  }
  const doneAt = config.now().toISOString();
  await keepErasures(
    folders,
    (await erasuresOf(folders)).map((one) => ({ doneAt, ...one })),
  );
  await forget(folders);
  return left.unread;
}

async function known(folders: OrganizationFolders): Promise<Erased> {
  const key = await erasureKey(folders);
  if (key === undefined) throw new OperatorError(keyGone(folders));
  return new Erased(key, await erasuresOf(folders));
}

/** Orders that were met by an e-mail or an account are known by their ids from then on. */
async function keepMet(folders: OrganizationFolders, erased: Erased): Promise<void> {
  if (erased.met.size === 0) return;
  const erasures = await erasuresOf(folders);
  const last = erasures.at(-1) as Erasure;
  await coordinationOf(folders.dataDir).turns.assertHeld(folders.organization);
  await keepErasures(folders, [
    ...erasures.slice(0, -1),
    { ...last, hashes: { ...Object.fromEntries(erased.met), ...last.hashes } },
  ]);
  erased.met.clear();
}

/**
 * Empties what lands again: first in the exports that are about to land, then in the files that have landed. Orders without an
 * account get their number there.
 */
export async function beforeLanding(writer: Writer): Promise<(() => Promise<void>) | undefined> {
  const { folders } = writer;
  if ((await erasuresOf(folders)).length === 0) return undefined;
  await resumed(writer);
  const inMode = (work: (pass: Pass) => Promise<void>): Promise<void> =>
    atWorking(writer, async (task) => {
      const erased = await known(folders);
      await work(passOf(task, erased, { dry: false, mode: "land", keepMet: () => keepMet(folders, erased) }));
    });
  const before = await landedPaths(folders);
  await inMode(editFreshExports);
  return () => inMode((pass) => editLake(pass, (file) => !before.has(file)));
}

async function landedPaths(folders: OrganizationFolders): Promise<ReadonlySet<string>> {
  const all = await Promise.all(
    exported.map(async (record) => {
      const folder = folders.lake(record);
      return (await namesIn(folder)).map((name) => path.join(folder, name));
    }),
  );
  return new Set(all.flat());
}
