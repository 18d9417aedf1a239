import path from "node:path";
import { LRUCache } from "lru-cache";
import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import { exists } from "../files/exists.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { namesIn } from "../landing/ledger/ingested.ts";
import { type LandedPlace, Revocations } from "../landing/ledger/revocations.ts";
import { landedFiles, readManifest } from "../landing/ledger/verify.ts";
import { exported } from "../records/index.ts";
import { canonicalText, History, type Inputs, landingIn, placeText } from "./history.ts";

/**
 * What was known: the number of an entry of the history, or an instant before the first one. As text, `12` or
 * `2026-05-02T23:59:59.999Z`.
 */
export type Moment = string;

/** When the first landing of an organization landed, also a revoked one; undefined if nothing has. */
async function firstLandedAt(folders: OrganizationFolders): Promise<string | undefined> {
  const manifests = await Promise.all(
    exported.map(async (record) => {
      const folder = folders.lake(record);
      const names = await namesIn(folder);
      return names.filter((name) => name.endsWith(".json")).map((name) => path.join(folder, name));
    }),
  );
  const inOrder = manifests.flat().sort((a, b) => landingIn(path.basename(a)) - landingIn(path.basename(b)));
  // A damaged one says nothing: then the first that says its time.
  for (const file of inOrder) {
    const at = times.get(file) ?? (await readManifest(path.dirname(file), path.basename(file)))?.landedAt;
    if (!at) continue;
    times.set(file, at);
    return at;
  }
  return inOrder.length > 0 ? (await History.of(folders)).since : undefined;
}

/** When landed files landed, by their manifests, which do not change. */
const times = new LRUCache<string, string>({ max: 10_000 });

/** The moment that an instant falls in. Fails with an `ApiError` if nothing was known then, or nothing has been derived yet. */
export async function momentAt(folders: OrganizationFolders, at: string): Promise<Moment> {
  const first = await firstLandedAt(folders);
  if (first === undefined) throw refusedState(wording.nothingKnown);
  if (at < first) throw refusedState(wording.knownBefore(first));
  const history = await History.of(folders);
  if (history.length === 0) throw new ApiError("underived");
  const no = history.numberAt(at);
  return no > 0 ? String(no) : at;
}

/** A replica over a storage has a copy of derived files only: what was known is known where data land. */
export async function assertHasHistories(dataDir: string): Promise<void> {
  if (!(await exists(path.join(dataDir, "lake")))) throw new ApiError("stateElsewhere");
}

/** The error for a `knownAt` that names nothing that was known. */
export const refusedState = (message: string): ApiError => new ApiError("invalid", [{ parameter: "knownAt", message }]);

/** What derived files were made of at a moment. */
export async function inputsAt(folders: OrganizationFolders, moment: Moment): Promise<Inputs> {
  const history = await History.of(folders);
  if (/^\d+$/.test(moment)) return history.entry(Number(moment));
  const { settings } = history.entry(1);
  return { landings: await landingsBefore(folders, moment), settings, pulled: {} };
}

/** The landings of one moment under the settings of another [D80]. */
export async function mixedInputs(folders: OrganizationFolders, landings: Moment, settings: Moment): Promise<Inputs> {
  const inputs = await inputsAt(folders, landings);
  if (landings === settings) return inputs;
  return { ...inputs, settings: (await inputsAt(folders, settings)).settings };
}

/** Whether two moments have the same landings, and the same settings. */
export async function sameInputs(
  folders: OrganizationFolders,
  one: Moment,
  other: Moment,
): Promise<{ readonly landings: boolean; readonly settings: boolean }> {
  if (one === other) return { landings: true, settings: true };
  const [a, b] = [await inputsAt(folders, one), await inputsAt(folders, other)];
  return {
    landings: canonicalText(a.landings) === canonicalText(b.landings),
    settings: canonicalText(a.settings) === canonicalText(b.settings),
  };
}

/**
 * The landings in force at an instant before the first entry: one counts from its time, but never before one with a lower
 * number; a revocation from its time, but never before what it revokes.
 */
async function landingsBefore(folders: OrganizationFolders, at: string): Promise<string[]> {
  const landed = new Map((await landedEver(folders)).map((one) => [one.place, one.at]));
  const inForce = new Set([...landed].filter(([, since]) => since <= at).map(([place]) => place));
  const { events } = await Revocations.of(folders);
  for (const event of events) {
    for (const file of event.files) {
      const place = placeText(file);
      const since = [event.at, landed.get(place) ?? ""].sort().at(-1) ?? "";
      if (since > at) continue;
      if (event.action === "revoke") inForce.delete(place);
      else if (landed.has(place)) inForce.add(place);
    }
  }
  return [...inForce].sort();
}

/** Every file that ever landed, with the time from which it counts, in the order of landing. One of unknown time counts with the one before it. */
async function landedEver(folders: OrganizationFolders): Promise<{ place: string; at: string }[]> {
  const landed: { place: string; landedAt: string }[] = [];
  for (const record of exported) {
    for (const { integration, landing, manifest } of await landedFiles(folders.lake(record))) {
      const place: LandedPlace = { connector: record.connector, record: record.name, integration, landing };
      landed.push({ place: placeText(place), landedAt: manifest?.landedAt ?? "" });
    }
  }
  const numbered = (one: { place: string }): number => landingIn(one.place);
  landed.sort((a, b) => numbered(a) - numbered(b) || (a.place < b.place ? -1 : 1));
  let last = "";
  return landed.map(({ place, landedAt }) => {
    last = landedAt > last ? landedAt : last;
    return { place, at: last };
  });
}
