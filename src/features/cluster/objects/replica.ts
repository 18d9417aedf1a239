import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../../core/config.ts";
import { ApiError, OperatorError } from "../../../core/contract/error.ts";
import { type Documents, KNOWN_MS } from "../../../core/coordination/coordination.ts";
import { fileCoordination } from "../../../core/coordination/fileCoordination.ts";
import { coordinationOf, useCoordination } from "../../../core/coordination/registry.ts";
import { exists } from "../../../core/files/exists.ts";
import { paths } from "../../../core/files/paths.ts";
import { useCopiedPasts } from "../../../core/marts/past.ts";
import { DatabasePointers } from "./databasePointers.ts";
import { receiveDocuments, receivedAgo } from "./documents.ts";
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
  /** How long the last known credentials are in force while the storage does not answer. */
  readonly knownMs?: number;
}

/** A read-only service whose data folder is a copy of what the storage has. */
export class Replica {
  readonly mirror: Mirror;
  readonly #store: ObjectStore;
  readonly #dataDir: string;
  /** Whether credentials and links are in a database, and not in the storage. */
  readonly #isShared: boolean;
  readonly #options: Options;
  #failedSince: Date | undefined;
  /** When the documents were last those of the storage, by the clock of `performance`. */
  #receivedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> = Promise.resolve();
  #stopped = false;

  private constructor({ dataDir, storageCacheBytes }: Config, options: Options) {
    const { store, codeVersion, onProblem } = options;
    const coordination = coordinationOf(dataDir);
    const isShared = coordination.documents.isShared;
    // The readers of this process follow the pointers of its copy: they name only what is here.
    if (isShared) useCoordination(dataDir, { ...coordination, pointers: fileCoordination(dataDir).pointers });
    else useCoordination(dataDir, { ...coordination, documents: this.#bounded(coordination.documents) });
    this.#isShared = isShared;
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
    useCopiedPasts(dataDir, (folders) => this.mirror.pasts.of(folders));
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
    replica.#receivedAt = performance.now() - (await receivedAgo(dataDir));
    await replica.#follow();
    return replica;
  }

  /** The failure of the storage, for the operator; absent while it answers. */
  get state(): { readonly storage?: { readonly failingSince: string } } {
    const since = this.#failedSince ?? this.mirror.failedSince;
    return since ? { storage: { failingSince: since.toISOString() } } : {};
  }

  /** False once the credentials are older than they may be: requests are refused. */
  get isKnown(): boolean {
    const { knownMs = KNOWN_MS } = this.#options;
    return this.#isShared || performance.now() - this.#receivedAt < knownMs;
  }

  /** Documents that come from the storage: a revocation must not be unknown for longer than the bound. */
  #bounded({ open }: Documents): Documents {
    const known = <T>(content: T): T => {
      if (this.isKnown) return content;
      throw new ApiError("storage");
    };
    return {
      isShared: false,
      open: (options) => {
        const document = open(options);
        return {
          current: async () => known(await document.current()),
          latest: async () => known(await document.latest()),
          read: () => document.read(),
          change: (change) => document.change(change),
          remove: () => document.remove(),
        };
      },
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.mirror.pasts.stop();
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
      this.#receivedAt = performance.now();
      if (this.#failedSince) this.#options.onRecovery();
      this.#failedSince = undefined;
      this.mirror.answered();
      await this.mirror.lookAround();
    } catch (error) {
      if (!this.#failedSince && !this.#stopped) this.#options.onProblem({ error });
      this.#failedSince ??= new Date();
    }
  }
}
