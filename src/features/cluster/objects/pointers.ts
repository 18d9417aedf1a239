import { checkedIn, checkedText } from "../../../core/files/checked.ts";
import { keys } from "./keys.ts";
import type { Got, ObjectStore } from "./store.ts";

/** A generation by what replicas fetch it with. */
export interface Named {
  /** Name of its folder. */
  readonly name: string;
  /** The SHA-256 of its description, which has the checksums of its files. */
  readonly checksum: string;
  /** The version of Lucra that derived it. */
  readonly codeVersion: string;
}

/** The generations in force of an organization. */
export interface Pointer {
  /** Grows with each change: of two pointers the higher one is the later. At least the number of the generation. */
  readonly epoch: number;
  readonly current: Named;
  /** The newest ones of other versions of Lucra, with the time of their replacement. */
  readonly others: readonly (Named & { readonly replacedAt: string })[];
  /** Copies from before this epoch have what was erased since [D98]: replicas replace them although nobody asks. */
  readonly erased?: number;
}

/** A pointer, and what tells it from other ones of the organization. */
export interface Read {
  readonly pointer: Pointer;
  readonly version: string;
}

/** Where replicas read which generation is in force: a database, or the storage itself. */
export interface PointerSource {
  /** Undefined if nothing was published; "same" if it is still the known version. */
  pointer(organization: string, known?: string): Promise<Read | "same" | undefined>;
}

/** The generation that a version of Lucra answers from. */
export const namedFor = ({ current, others }: Pointer, codeVersion: string): Named | undefined =>
  [current, ...others].find((one) => one.codeVersion === codeVersion);

/** The object of a pointer: its line of JSON, and the SHA-256 of that. `writer`: the data folder that publishes. */
export const pointerText = (pointer: Pointer & { readonly writer: string }): string => checkedText(pointer);

/** An object that is no pointer as it was written. */
export class DamagedPointer extends Error {
  /** The tag of the object. */
  readonly version: string;

  constructor(key: string, version: string) {
    super(`${key} does not match its checksum`);
    this.version = version;
  }
}

/** The value of an object with its checksum. */
export function checked<T>(key: string, { body, etag }: Got): T {
  const value = checkedIn<T>(body.toString("utf8"));
  if (value === undefined) throw new DamagedPointer(key, etag);
  return value;
}

/** The number in the name of a generation's folder. */
export const numberOf = (name: string): number => Number(name.replace(/^gen=/, ""));

/** Pointers that are objects of the storage, for one writer without a database. */
export class StoredPointers implements PointerSource {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async pointer(
    organization: string,
    known?: string,
  ): Promise<(Read & { readonly writer: string }) | "same" | undefined> {
    const found = await this.#store.get(keys.pointer(organization), known);
    if (found === undefined || found === "same") return found;
    const { writer, ...pointer } = checked<Pointer & { writer: string }>(keys.pointer(organization), found);
    return { pointer, version: found.etag, writer };
  }
}
