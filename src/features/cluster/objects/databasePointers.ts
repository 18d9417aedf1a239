import { CURRENT, type Pointers } from "../../../core/coordination/coordination.ts";
import { namedIn } from "../../../core/marts/replication.ts";
import { keys } from "./keys.ts";
import { type Named, numberOf, type PointerSource, type Read } from "./pointers.ts";
import { type ObjectStore, StoreError } from "./store.ts";

/** Pointers that are in a database, which has no code versions: the descriptions in the storage do. */
export class DatabasePointers implements PointerSource {
  readonly #pointers: Pick<Pointers, "text">;
  readonly #store: ObjectStore;
  readonly #own: string;

  /** `codeVersion`: of this process. */
  constructor(pointers: Pick<Pointers, "text">, store: ObjectStore, codeVersion: string) {
    this.#pointers = pointers;
    this.#store = store;
    this.#own = `${CURRENT}.${codeVersion.slice(0, 16)}`;
  }

  async pointer(organization: string, known?: string): Promise<Read | "same" | undefined> {
    const current = await this.#pointers.text(organization, CURRENT);
    if (current === undefined) return undefined;
    const own = await this.#pointers.text(organization, this.#own);
    const version = `${current}${own ?? ""}`;
    if (version === known) return "same";
    const others = own === undefined ? [] : [{ ...(await this.#named(organization, own)), replacedAt: "" }];
    // Generations are numbered in the order in which they are published.
    const epoch = numberOf(namedIn(current).name);
    return { pointer: { epoch, current: await this.#named(organization, current), others }, version };
  }

  async #named(organization: string, text: string): Promise<Named> {
    const named = namedIn(text);
    const key = keys.manifest(organization, named);
    const found = await this.#store.get(key);
    if (found === undefined || found === "same") throw new StoreError(`${key} is not in the storage`, 404);
    // Its checksum is compared when the generation is fetched.
    const { basis } = JSON.parse(found.body.toString("utf8")) as { readonly basis?: { readonly codeVersion: string } };
    return { ...named, codeVersion: basis?.codeVersion ?? "" };
  }
}
