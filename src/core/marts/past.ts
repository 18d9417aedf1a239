import path from "node:path";
import { LRUCache } from "lru-cache";
import { ApiError } from "../contract/error.ts";
import { sha256OfText } from "../files/checksum.ts";
import { exists } from "../files/exists.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { namesIn } from "../landing/ledger/ingested.ts";
import { type LandedPlace, Revocations } from "../landing/ledger/revocations.ts";
import { landedFiles, readManifest } from "../landing/ledger/verify.ts";
import { exported } from "../records/index.ts";
import { customerSecret } from "./customerSecret.ts";
import { History, landingIn, placeText } from "./history.ts";
import { type Lake, lakeOf } from "./lakeFiles.ts";
import { allPins, everNamed, type Pin } from "./pinFiles.ts";

/** A landed file, and the time from which it counts before the history began. */
export interface LandedAt {
  readonly place: string;
  readonly at: string;
}

/** All that names earlier states of an organization: of the lake, or, on a replica over a storage, of its copy [D213]. */
export interface Past {
  history(): Promise<History>;
  revocations(): Promise<Revocations>;
  /** Every pin that there ever was. */
  pins(): Promise<readonly Pin[]>;
  /** The pin that ever had a name. */
  pin(name: string): Promise<Pin | undefined>;
  /** The landed files, also revoked ones. */
  lake(isWanted?: (place: LandedPlace) => boolean): Promise<Lake>;
  /** When the first landing landed, also a revoked one; undefined if nothing has. */
  firstLandedAt(): Promise<string | undefined>;
  /** What landed before the history began, in the order of landing. One of unknown time counts with the one before it. */
  landed(): Promise<readonly LandedAt[]>;
  /** The SHA-256 of the secret of the customer ids. */
  secretVersion(): Promise<string>;
}

/** Copies of what names earlier states. */
type Copies = (folders: OrganizationFolders) => Promise<Past>;

const installed = new Map<string, Copies>();

/** From now on earlier states in this data folder are named by copies. */
export function useCopiedPasts(dataDir: string, copies: Copies | undefined): void {
  if (copies) installed.set(path.resolve(dataDir), copies);
  else installed.delete(path.resolve(dataDir));
}

/** Fails if neither a lake nor a copy says what was known: a copy of derived files only, as by rsync. */
export async function assertHasPast(dataDir: string): Promise<void> {
  if (installed.has(path.resolve(dataDir)) || (await exists(path.join(dataDir, "lake")))) return;
  throw new ApiError("stateElsewhere");
}

/** Fails with an `ApiError` if there is only a copy, and it cannot be had. */
export async function pastOf(folders: OrganizationFolders): Promise<Past> {
  return (await installed.get(path.resolve(folders.dataDir))?.(folders)) ?? new LakePast(folders);
}

class LakePast implements Past {
  readonly #folders: OrganizationFolders;

  constructor(folders: OrganizationFolders) {
    this.#folders = folders;
  }

  history(): Promise<History> {
    return History.of(this.#folders);
  }

  revocations(): Promise<Revocations> {
    return Revocations.of(this.#folders);
  }

  pins(): Promise<Pin[]> {
    return allPins(this.#folders);
  }

  pin(name: string): Promise<Pin | undefined> {
    return everNamed(this.#folders, name);
  }

  lake(isWanted?: (place: LandedPlace) => boolean): Promise<Lake> {
    return lakeOf(this.#folders, isWanted);
  }

  async firstLandedAt(): Promise<string | undefined> {
    const manifests = await Promise.all(
      exported.map(async (record) => {
        const folder = this.#folders.lake(record);
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
    return inOrder.length > 0 ? (await this.history()).since : undefined;
  }

  async landed(): Promise<LandedAt[]> {
    const last = await this.#lastBeforeHistory();
    const landed: { place: string; landedAt: string }[] = [];
    for (const record of exported) {
      const files = await landedFiles(this.#folders.lake(record), undefined, last);
      for (const { integration, landing, manifest } of files) {
        const place: LandedPlace = { connector: record.connector, record: record.name, integration, landing };
        landed.push({ place: placeText(place), landedAt: manifest?.landedAt ?? "" });
      }
    }
    const numbered = (one: { place: string }): number => landingIn(one.place);
    landed.sort((a, b) => numbered(a) - numbered(b) || (a.place < b.place ? -1 : 1));
    let at = "";
    return landed.map(({ place, landedAt }) => {
      at = landedAt > at ? landedAt : at;
      return { place, at };
    });
  }

  /** What landed before the first entry is in the second one, or was revoked before that. */
  async #lastBeforeHistory(): Promise<number> {
    const history = await this.history();
    if (history.length < 2) return Number.POSITIVE_INFINITY;
    const { at: second, landings } = history.entry(2);
    const { events } = await this.revocations();
    const revoked = events.filter(({ at }) => at <= second).flatMap(({ files }) => files.map(({ landing }) => landing));
    return Math.max(0, ...landings.map(landingIn), ...revoked);
  }

  async secretVersion(): Promise<string> {
    // Without a secret, no generation has been derived yet.
    return sha256OfText((await customerSecret(this.#folders)) ?? "");
  }
}

/** When landed files landed, by their manifests, which do not change. */
const times = new LRUCache<string, string>({ max: 10_000 });
