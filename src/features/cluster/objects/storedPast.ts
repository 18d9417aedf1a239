import { STATE_FOLDER } from "../../../core/marts/stateNames.ts";
import { keys } from "./keys.ts";
import { checked } from "./pointers.ts";
import type { ObjectStore } from "./store.ts";

/** What the storage has for earlier states [D213]. */
export interface StoredPast {
  /** Grows with each change: of two the higher one is the later. */
  readonly epoch: number;
  /** The data folder that sends it. */
  readonly writer: string;
  /** The SHA-256 of each text that names states. */
  readonly parts: Readonly<Record<string, string>>;
  /** The SHA-256 of the description of each state that is kept, by its key. */
  readonly states: Readonly<Record<string, string>>;
  /** States that are kept no longer, and since when: replicas may still fetch them. */
  readonly ended: Readonly<Record<string, { readonly checksum: string; readonly at: string }>>;
}

/** Undefined if there is none; "same" if it is still the known version. Fails with `DamagedPointer`. */
export async function storedPast(
  store: ObjectStore,
  organization: string,
  known?: string,
): Promise<{ readonly past: StoredPast; readonly version: string } | "same" | undefined> {
  const key = keys.past(organization);
  const found = await store.get(key, known);
  if (found === undefined || found === "same") return found;
  return { past: checked<StoredPast>(key, found), version: found.etag };
}

/** The name of a state's folder, and its description, as those of generations are named. */
export const namedState = (key: string, checksum: string): { readonly name: string; readonly checksum: string } => ({
  name: STATE_FOLDER + key,
  checksum,
});
