import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Audit } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { failureText, isOfTheMachine, OperatorError } from "../../core/contract/error.ts";
import type { Integration, Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import type { Database } from "../../core/engine/database.ts";
import { sha256Of } from "../../core/files/checksum.ts";
import { copyNew, removeUnfinished } from "../../core/files/durable.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { contentHash, listExports } from "../../core/landing/find/exports.ts";
import { footers, type LakePlace, landingOf } from "../../core/landing/ledger/ingested.ts";
import { learnedEdits } from "../../core/organizations/columns.ts";
import { type Edit, editSettings } from "../../core/organizations/edit.ts";
import { knownOrganizations } from "../../core/organizations/open.ts";
import { settingsFile } from "../../core/organizations/settingsFile.ts";
import { exportedBy } from "../../core/records/index.ts";
import { besideWriters, type SyncReport, sync } from "../../core/sync/sync.ts";
import { renew } from "../import/task.ts";
import { deliverAfter } from "../webhooks/command.ts";
import type { Uploads } from "./store.ts";
import type { Landed, Target, Upload } from "./upload.ts";

/** How far a landing is. */
export interface Progress {
  /** `waiting`: for the organization's turn; `landing`: files are read; `deriving`: the figures are. */
  readonly step: "waiting" | "landing" | "deriving";
  readonly since: string;
  /** Files of the integration that were read, and their bytes. */
  readonly files: number;
  readonly bytes: number;
}

/** Its turn may come only after a long sync of another integration. */
const WAIT_MS = 30 * 60_000;
/** A landing that ended so often without a result is given up. */
const MOST_ATTEMPTS = 5;
const ENDED = "its landing ended several times without a result: the service's log has the cause";

/**
 * Lands an upload: the settings learn what it needs, it becomes an export, and a sync lands it. Every step may be done again, so
 * that a landing that was killed goes on from anywhere.
 */
export function land(config: Config, uploads: Uploads, organization: string, id: string): Promise<void> {
  const lock = uploads.lockOf({ organization, id });
  const refusal = (holder: string): string => `it is being landed by ${holder}`;
  return coordinationOf(config.dataDir).turns.exclusively(lock, { waitMs: 0, refusal }, async () => {
    const upload = await uploads.change(organization, id, (one) =>
      one.state === "landing" ? { ...one, attempts: (one.attempts ?? 0) + 1 } : one,
    );
    const { target, attempts = 0 } = upload;
    if (upload.state !== "landing" || target === undefined) return;
    const result =
      attempts > MOST_ATTEMPTS
        ? await withdrawn(config, organization, target, ENDED)
        : await landed(config, uploads, upload, target).catch((error: unknown) => {
            if (!(error instanceof OperatorError) && !isOfTheMachine(error as Error)) throw error;
            return withdrawn(config, organization, target, failureText(error));
          });
    await uploads.change(organization, id, (one) => ended(one, result));
    if ("exports" in result) await uploads.removeBytes(upload);
  });
}

interface Failed {
  readonly reason: string;
}

/** An export that was to land again waits no more. */
function ended({ reason: _, attempts: __, ...upload }: Upload, result: Landed | Failed): Upload {
  if ("exports" in result) return { ...upload, state: "landed", landed: result };
  return { ...upload, state: "failed", reason: result.reason };
}

async function landed(config: Config, uploads: Uploads, upload: Upload, target: Target): Promise<Landed | Failed> {
  const { organization } = upload;
  const folders = foldersOf(config.dataDir, organization);
  const done = { files: 0, bytes: 0 };
  const step = (name: Progress["step"]): Promise<void> =>
    uploads.write(upload, "progress", { step: name, since: new Date().toISOString(), ...done } satisfies Progress);
  await step("waiting");
  await inTurn(config, organization, async () => {
    await learn(config, upload, target);
    await put(config, uploads, upload, target);
  });
  await step("landing");
  const settings = await settingsOf(config, organization);
  const notes: Promise<unknown>[] = [];
  const report = await sync(config, {
    organizations: [settings],
    integration: target.integration,
    waitMs: WAIT_MS,
    progress: ({ file, bytes }) => {
      done.files++;
      done.bytes += bytes;
      notes.push(step(isOf(file, target.file) ? "deriving" : "landing").catch(() => {}));
    },
  });
  await Promise.all(notes);
  await deliverAfter(config, [settings]);
  const place = placeIn(folders, settings, target);
  const found = await besideWriters(config, (database) => landedAs(database, place, target.file));
  return found ?? withdrawn(config, organization, target, reasonIn(report, target));
}

const inTurn = <T>({ dataDir }: Config, organization: string, work: () => Promise<T>): Promise<T> =>
  coordinationOf(dataDir).turns.writing(WAIT_MS, (turnOf) => turnOf(organization, work));

export async function settingsOf({ dataDir }: Config, organization: string): Promise<Organization> {
  const problems: string[] = [];
  const [settings] = await knownOrganizations(dataDir, (problem) => problems.push(problem), [organization]);
  if (!settings || problems.length > 0)
    throw new OperatorError(
      problems[0] ?? "the settings of the organization cannot be read: lucra organizations check",
    );
  return settings;
}

/** The settings get the integration, and what the file needs to be read, unless they have it: a change of the log. */
async function learn(config: Config, { organization, name, landedBy = "" }: Upload, target: Target): Promise<void> {
  const { dataDir } = config;
  const folders = foldersOf(dataDir, organization);
  // Faulty settings are reported, not changed.
  await settingsOf(config, organization);
  const settings = JSON.parse((await readFile(await settingsFile(folders), "utf8")).replace(/^\uFEFF/, ""));
  const edits = editsFor(settings, target);
  if (edits.length === 0) return;
  const { integration, added, record, columns, items, oneDayExpenses, reading } = target;
  const days = oneDayExpenses ? { oneDayExpenses } : {};
  const after = { name, integration, ...(added ? { added } : {}), record, columns, items, ...days, ...reading };
  const change = { organization, what: "uploads.settings", after };
  await new Audit(dataDir).run({ person: landedBy }, change, () =>
    editSettings(folders, (now) => editsFor(now, target)),
  );
}

function editsFor({ integrations = [] }: Record<string, unknown>, target: Target): Edit[] {
  const { integration, added, isOnly, record, columns, items, oneDayExpenses = {}, reading } = target;
  const all = integrations as readonly Integration[];
  const at = all.findIndex(({ id }) => id.toLowerCase() === integration);
  const isTaken = isOnly && all.some((one) => one.connector === added?.connector);
  if (at < 0 && isTaken)
    throw new OperatorError("an integration of its connector was added meanwhile: look at it again");
  if (at < 0 && !added) throw new OperatorError("its integration was removed from the settings: choose another one");
  const one = all[at] ?? { id: integration, ...(added as NonNullable<Target["added"]>) };
  const place = ["integrations", at < 0 ? all.length : at];
  const learned = learnedEdits(place, one, record, { columns, items, oneDayExpenses, reading });
  return at < 0 ? [{ place, value: one }, ...learned] : learned;
}

/** Puts the file into the folder of its record, unless it is there. */
async function put(config: Config, uploads: Uploads, upload: Upload, target: Target): Promise<void> {
  const { organization, from, createdAt } = upload;
  const folder = foldersOf(config.dataDir, organization).exports(target.integration, target.record);
  const place = path.join(folder, target.file);
  const source = from ? await sourceOf(config, upload) : { file: uploads.bytesOf(upload), sha256: undefined };
  // Nothing but this landing writes into the folder of an upload.
  await removeUnfinished(place);
  const there = await stat(place).catch(() => undefined);
  if (there && there.mtimeMs >= Date.parse(createdAt)) return;
  const isSame = async (copy: string): Promise<boolean> =>
    source.sha256 === undefined || (await sha256Of(copy)) === source.sha256;
  if (!there && !(await copyNew(source.file, place, isSame)))
    throw new OperatorError("its export was changed meanwhile, so that it is not what landed");
  // A table's rows are as new as their file: these are to count, also those of an export that lands again.
  await renew(place);
}

/** The export that lands again, if it is still what landed. */
async function sourceOf(config: Config, { organization, from }: Upload): Promise<{ file: string; sha256: string }> {
  const folders = foldersOf(config.dataDir, organization);
  const settings = await settingsOf(config, organization);
  const { integration, record, file, landing } = from as NonNullable<Upload["from"]>;
  const place = placeIn(folders, settings, { integration, record });
  const ledger = await besideWriters(config, (database) => exportOf(database, place, file, landing));
  const { files } = await listExports(folders, integration, record);
  const there = files.find(({ name }) => name === file);
  const gone = "is not in the folder of exports any more as it landed: drop the file again";
  if (!ledger || !there || (await contentHash(there)) !== ledger.sha256) throw new OperatorError(`${file} ${gone}`);
  // Of an archive all files land again.
  return { file: there.path, sha256: await sha256Of(there.path) };
}

const exportOf = async (database: Database, place: LakePlace, file: string, landing: number) =>
  (await database.use((session) => footers(session, place)))
    .flatMap(({ file: lake, exports }) => exports.map((one) => ({ ...one, of: landingOf(lake) })))
    .find((one) => one.name === file && (one.of === landing || one.landing === landing));

export function placeIn(
  folders: OrganizationFolders,
  { integrations = [] }: Organization,
  { integration, record }: Pick<Target, "integration" | "record">,
): LakePlace {
  const one = integrations.find(({ id }) => id === integration);
  const declared = one && exportedBy(one.connector).find(({ name }) => name === record);
  if (!one || !declared) throw new OperatorError("its integration was removed from the settings: choose another one");
  return { folders, integration: one, record: declared };
}

/** Whether an export is a file, or one in the archive that it is. */
const isOf = (name: string, file: string): boolean => name === file || name.startsWith(`${file}/`);

/** How a file has landed; undefined if it has not. */
async function landedAs(database: Database, place: LakePlace, file: string): Promise<Landed | undefined> {
  const all = (await database.use((session) => footers(session, place))).flatMap(({ file: lake, landedAt, exports }) =>
    exports.filter(({ name }) => isOf(name, file)).map((one) => ({ ...one, landing: landingOf(lake), landedAt })),
  );
  const [first] = all;
  if (!first) return undefined;
  return {
    integration: place.integration.id,
    record: place.record.name,
    exports: all.map(({ name, landing }) => ({ file: name, landing })),
    landedAt: first.landedAt,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    rejected: all.reduce((sum, { rejected }) => sum + rejected, 0),
  };
}

function reasonIn({ outcomes, failures }: SyncReport, { file, record, integration }: Target): string {
  const refused = outcomes.flatMap((one) => one.refused).find((one) => isOf(one.file, file));
  const failure =
    failures.find((one) => one.integration === integration && one.record === record) ??
    failures.find((one) => one.integration === undefined);
  return refused?.reason ?? failure?.reason ?? "did not land: the next sync would read it";
}

/** Takes an export that has not landed out of its folder again: nothing of it lands later by surprise. */
function withdrawn(config: Config, organization: string, target: Target, reason: string): Promise<Landed | Failed> {
  const folders = foldersOf(config.dataDir, organization);
  const { integration, record, file } = target;
  return inTurn(config, organization, async () => {
    const settings = await settingsOf(config, organization).catch(() => undefined);
    const isThere = settings?.integrations?.some(({ id }) => id === integration) ?? false;
    // Another sync may have landed it meanwhile.
    const found =
      settings && isThere
        ? await besideWriters(config, (database) => landedAs(database, placeIn(folders, settings, target), file))
        : undefined;
    if (found) return found;
    const place = path.join(folders.exports(integration, record), file);
    await rm(path.dirname(place), { recursive: true, force: true });
    return { reason };
  });
}
