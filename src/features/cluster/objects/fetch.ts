import { link, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { canonicalId } from "../../../core/contract/param.ts";
import { sha256OfText } from "../../../core/files/checksum.ts";
import { foldersOf } from "../../../core/files/organizationFolders.ts";
import { UnderWay } from "../../../core/files/underWay.ts";
import { described, descriptionIn } from "./described.ts";
import { keys } from "./keys.ts";
import { type LocalGenerations, UNFINISHED } from "./local.ts";
import { type ObjectStore, StoreError } from "./store.ts";

/** Files of a folder that are fetched at the same time. */
const AT_ONCE = 4;
/** How often an object is fetched that does not match its checksum. */
const TRIES = 2;

/** A generation or a state by the name of its folder and the SHA-256 of its description. */
interface Named {
  readonly name: string;
  readonly checksum: string;
}

/** An object in the storage is not what was put there. */
export class DamagedObject extends Error {}

/** Fetches generations and states; concurrent requests for one share its fetch. */
export class Fetches {
  readonly #store: ObjectStore;
  readonly #local: LocalGenerations;
  readonly #dataDir: string;
  readonly #running = new UnderWay<string, void>();

  constructor(store: ObjectStore, local: LocalGenerations, dataDir: string) {
    this.#store = store;
    this.#local = local;
    this.#dataDir = dataDir;
  }

  fetch(organization: string, named: Named): Promise<void> {
    return this.#running.share(`${organization} ${named.name} ${named.checksum}`, () =>
      this.#fetch(organization, named),
    );
  }

  async #fetch(organization: string, named: Named): Promise<void> {
    const description = await this.#description(organization, named);
    const { checksums, settings } = described(description);
    if (canonicalId(settings.organizationId) !== canonicalId(organization))
      throw new DamagedObject(`${named.name} is of ${settings.organizationId}`);
    const home = foldersOf(this.#dataDir, organization).mart;
    await mkdir(home, { recursive: true });
    const unfinished = await mkdtemp(path.join(home, UNFINISHED));
    let [release, reserved] = [(): void => {}, (): void => {}];
    try {
      const places = new Map<string, string[]>();
      for (const [file, sha256] of Object.entries(checksums))
        places.set(sha256, [...(places.get(sha256) ?? []), path.join(unfinished, file)]);
      const first = new Map([...places].map(([sha256, [place = ""]]) => [sha256, place]));
      const linked = await this.#local.linked(organization, first);
      release = linked.release;
      const { missing } = linked;
      // All at once: fetches that wait for room hold none.
      reserved = await this.#local.reserve(await this.#bytesOf(organization, missing));
      const left = missing.values();
      const fetch = async (): Promise<void> => {
        for (const sha256 of left) await this.#file(organization, sha256, places.get(sha256)?.[0] ?? "");
      };
      const all = await Promise.allSettled(Array.from({ length: AT_ONCE }, fetch));
      const failed = all.find((one) => one.status === "rejected");
      if (failed) throw failed.reason;
      for (const [first = "", ...others] of places.values()) for (const place of others) await link(first, place);
      await writeFile(path.join(unfinished, descriptionIn(named.name)), description, { mode: 0o600 });
      // The same name with other content: another data folder published, or the copy is damaged.
      await this.#local.remove(organization, named.name);
      await rename(unfinished, path.join(home, named.name));
      await this.#local.add(organization, named.name);
    } finally {
      release();
      reserved();
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  async #description(organization: string, named: Named): Promise<string> {
    const key = keys.manifest(organization, named);
    for (let tries = 1; ; tries++) {
      const found = await this.#store.get(key);
      if (found === undefined || found === "same") throw new StoreError(`${key} is not in the storage`, 404);
      const text = found.body.toString("utf8");
      if (sha256OfText(text) === named.checksum) return text;
      if (tries === TRIES) throw new DamagedObject(`${key} does not match its checksum`);
    }
  }

  /** By a list, which has the lengths of all of the organization's files. */
  async #bytesOf(organization: string, missing: ReadonlySet<string>): Promise<number> {
    if (missing.size === 0) return 0;
    const all = await this.#store.list(keys.files(organization));
    const files = all.filter(({ key }) => missing.has(key.slice(keys.files(organization).length)));
    return files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #file(organization: string, sha256: string, place: string): Promise<void> {
    const key = keys.file(organization, sha256);
    for (let tries = 1; ; tries++) {
      const got = await this.#store.download(key, place);
      if (got === sha256) return;
      await rm(place, { force: true });
      if (got === undefined) throw new StoreError(`${key} is not in the storage`, 404);
      if (tries === TRIES) throw new DamagedObject(`${key} does not match its checksum`);
    }
  }
}
