import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import { fileCoordination } from "../coordination/fileCoordination.ts";
import { coordinationOf, useCoordination } from "../coordination/registry.ts";
import { exists } from "../files/exists.ts";
import { paths } from "../files/paths.ts";
import { DatabasePointers } from "./databasePointers.ts";
import { receiveDocuments } from "./documents.ts";
import { Mirror } from "./mirror.ts";
import { StoredPointers } from "./pointers.ts";
import type { ObjectStore } from "./store.ts";

/** How often the documents of the storage are looked at. */
const FOLLOW_MS = 1_000;

interface Options {
  readonly store: ObjectStore;
  readonly codeVersion: string;
  readonly onProblem: (problem: { readonly organization?: string; readonly error: unknown }) => void;
  /** The documents could be read again. */
  readonly onRecovery: () => void;
}

/** A read-only service whose data folder is a copy of what the storage has. */
export class Replica {
  readonly mirror: Mirror;
  readonly #store: ObjectStore;
  readonly #dataDir: string;
  readonly #options: Options;
  #failedSince: Date | undefined;
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> = Promise.resolve();
  #stopped = false;

  private constructor({ dataDir, storageCacheBytes }: Config, options: Options) {
    const { store, codeVersion, onProblem } = options;
    const coordination = coordinationOf(dataDir);
    const isShared = coordination.documents.isShared;
    // The readers of this process follow the pointers of its copy: they name only what is here.
    if (isShared) useCoordination(dataDir, { ...coordination, pointers: fileCoordination(dataDir).pointers });
    this.#store = store;
    this.#dataDir = dataDir;
    this.#options = options;
    this.mirror = new Mirror({
      store,
      pointers: isShared ? new DatabasePointers(coordination.pointers, store, codeVersion) : new StoredPointers(store),
      dataDir,
      bytes: storageCacheBytes,
      codeVersion,
      onProblem: (organization, error) => onProblem({ organization, error }),
    });
  }

  /** Begins to follow the documents. Without the storage those of an earlier process are in force. */
  static async open(config: Config, options: Options): Promise<Replica> {
    const { dataDir } = config;
    if (await exists(path.join(dataDir, "lake"))) {
      throw new OperatorError(
        `${dataDir} is the data folder of a writer: with LUCRA_STORAGE_URL, serve --read-only keeps a copy of the storage; ` +
          "set LUCRA_DATA_DIR to another folder",
      );
    }
    await mkdir(paths.marts(dataDir), { recursive: true });
    const replica = new Replica(config, options);
    await replica.mirror.open();
    await replica.#follow();
    return replica;
  }

  /** What the storage does not answer, for the operator: absent if it answers. */
  get state(): { readonly storage?: { readonly failingSince: string } } {
    const since = this.#failedSince ?? this.mirror.failedSince;
    return since ? { storage: { failingSince: since.toISOString() } } : {};
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#store.close();
    await this.#following;
  }

  async #follow(): Promise<void> {
    this.#following = this.#receive();
    await this.#following;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#follow(), FOLLOW_MS).unref();
  }

  async #receive(): Promise<void> {
    try {
      await receiveDocuments(this.#store, this.#dataDir);
      if (this.#failedSince) this.#options.onRecovery();
      this.#failedSince = undefined;
      this.mirror.answered();
    } catch (error) {
      if (!this.#failedSince && !this.#stopped) this.#options.onProblem({ error });
      this.#failedSince ??= new Date();
    }
  }
}
