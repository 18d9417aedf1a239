import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { canonicalText, type Inputs, placeText } from "./history.ts";
import { type Past, pastOf } from "./past.ts";

/**
 * What was known: the number of an entry of the history, or an instant before the first one. As text, `12` or
 * `2026-05-02T23:59:59.999Z`.
 */
export type Moment = string;

/** The moment that an instant falls in. Fails with an `ApiError` if nothing was known then, or nothing has been derived yet. */
export async function momentAt(folders: OrganizationFolders, at: string): Promise<Moment> {
  const past = await pastOf(folders);
  const first = await past.firstLandedAt();
  if (first === undefined) throw refusedState(wording.nothingKnown);
  if (at < first) throw refusedState(wording.knownBefore(first));
  const history = await past.history();
  if (history.length === 0) throw new ApiError("underived");
  const no = history.numberAt(at);
  return no > 0 ? String(no) : at;
}

/** The error for a `knownAt` that names nothing that was known. */
export const refusedState = (message: string): ApiError => new ApiError("invalid", [{ parameter: "knownAt", message }]);

/** What derived files were made of at a moment. */
export async function inputsAt(folders: OrganizationFolders, moment: Moment): Promise<Inputs> {
  const past = await pastOf(folders);
  const history = await past.history();
  if (/^\d+$/.test(moment)) return history.entry(Number(moment));
  const { settings } = history.entry(1);
  return { landings: await landingsBefore(past, moment), settings, pulled: {} };
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
async function landingsBefore(past: Past, at: string): Promise<string[]> {
  const landed = new Map((await past.landed()).map((one) => [one.place, one.at]));
  const inForce = new Set([...landed].filter(([, since]) => since <= at).map(([place]) => place));
  const { events } = await past.revocations();
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
