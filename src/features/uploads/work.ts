import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { OperatorError } from "../../core/contract/error.ts";
import type { Organization } from "../../core/contract/settings.ts";
import type { Children } from "../../core/processes/children.ts";
import type { Arrived, ArrivedPage } from "./arrived.ts";
import type { UploadTask } from "./command.ts";
import type { Progress } from "./land.ts";
import type { Look } from "./look.ts";
import { exportName } from "./names.ts";
import { UploadRefusal } from "./refusal.ts";
import type { Offered, Shown, Uploads } from "./store.ts";
import { type LandedExport, LIMITS, type Upload, type UploadState, type Wish } from "./upload.ts";

/** The deadline of a look at a file: many times what the largest one takes. */
export const READING_MS = 15 * 60_000;
/** How long a request waits for what is done; the page asks again for what takes longer. */
const QUICK_MS = 8_000;
/** How often it is looked whether a landing was left, and what has waited too long. */
const LOOK_MS = 60_000;
/** A child process that ends because another one lands the same file. */
const IS_ELSEWHERE = /it is being landed by/;

/** An upload as the page sees it. */
export interface ShownUpload {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly received: number;
  readonly state: UploadState;
  readonly createdAt: string;
  readonly createdBy: string;
  /** When it is removed unless it lands; null for what has landed, or is landing. */
  readonly expiresAt: string | null;
  /** What is being done with it. */
  readonly busy: "looking" | "landing" | "undoing" | null;
  /** Why nothing of it landed, or why it could not be undone. */
  readonly reason: string | null;
  readonly landed: Upload["landed"] | null;
}

export interface UploadDetail extends ShownUpload {
  readonly look: Look | null;
  readonly wish: Wish | null;
  readonly progress: Progress | null;
}

interface Dependencies {
  readonly uploads: Uploads;
  readonly children: Pick<Children, "run" | "stopped">;
  /** With a deadline of its own. */
  readonly readers: Pick<Children, "run">;
  readonly settings: (organization: string) => Promise<Organization | undefined>;
  readonly log: Pick<Logger, "error" | "info">;
}

/** What the service does with files that were dropped on the page: all reading and landing is done in child processes. */
export class UploadWork {
  readonly #deps: Dependencies;
  readonly #busy = new Map<string, NonNullable<ShownUpload["busy"]>>();
  /** The last task of each kind: one at a time, as each takes the memory of an engine. */
  readonly #last = new Map<UploadTask["do"], Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** From now on landings that were left go on, and what has waited too long is removed. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    const { uploads, log } = this.#deps;
    try {
      await uploads.tidy();
      for (const upload of await uploads.landing()) void this.#land(upload);
    } catch (error) {
      log.error({ err: error }, "could not look after uploads");
    }
  }

  async list(organization: string): Promise<ShownUpload[]> {
    return (await this.#deps.uploads.list(organization)).map((one) => this.#shown(one));
  }

  async get(organization: string, id: string): Promise<UploadDetail> {
    const { uploads } = this.#deps;
    const upload = await uploads.find(organization, id);
    const look = upload.look && (await uploads.note<Look>(upload, "look"));
    const progress = upload.state === "landing" ? await uploads.note<Progress>(upload, "progress") : undefined;
    return {
      ...this.#shown(upload),
      look: look && look.id === upload.look?.id ? look : null,
      wish: upload.look?.wish ?? null,
      progress: progress ?? null,
    };
  }

  /** Empty if there is no such file any more. */
  async labelOf(organization: string, id: string): Promise<string> {
    const found = await this.#deps.uploads.find(organization, id).catch((error: unknown) => {
      if (error instanceof UploadRefusal) return undefined;
      throw error;
    });
    return found?.name ?? "";
  }

  async create(organization: string, offered: Offered): Promise<ShownUpload> {
    return this.#shown(await this.#deps.uploads.create(organization, offered));
  }

  piece(organization: string, id: string, offset: number, bytes: Buffer): Promise<{ readonly received: number }> {
    return this.#deps.uploads.piece(organization, id, offset, bytes);
  }

  async remove(organization: string, id: string): Promise<void> {
    if (this.#busy.has(id)) throw new UploadRefusal("state", { state: this.#busy.get(id) });
    await this.#deps.uploads.remove(organization, id);
  }

  /** Recognizes a file that has arrived, and shows what it would land as. */
  async preview(organization: string, id: string, wish: Wish): Promise<UploadDetail> {
    const upload = await this.#deps.uploads.find(organization, id);
    const isThere = ["received", "recognized", "failed"].includes(upload.state) && upload.from === undefined;
    if (!isThere || this.#busy.has(id)) throw new UploadRefusal("state", { state: this.#busy.get(id) ?? upload.state });
    await this.#quickly(this.#looked(upload, wish));
    return this.get(organization, id);
  }

  #looked(upload: Shown, wish: Wish): Promise<void> {
    const { uploads, log, children } = this.#deps;
    const { organization, id } = upload;
    return this.#while(id, "looking", async () => {
      try {
        await this.#child(organization, { do: "look", upload: id, wish });
      } catch (error) {
        if (children.stopped) return;
        log.error({ organization, upload: id, err: error }, "could not look at an upload");
        // A file at which the process of the reader ends is refused: the next look may find otherwise.
        const look = {
          id: randomUUID(),
          outcome: "refused" as const,
          reason: `could not be read: ${(error as Error).message}`,
        };
        await uploads.write(upload, "look", look);
        await uploads.change(organization, id, (one) => ({
          ...one,
          state: "recognized",
          look: { id: look.id, outcome: look.outcome, wish },
        }));
      }
    });
  }

  /** Begins to land what the look showed: another look meanwhile is refused. */
  async land(organization: string, id: string, { look, by }: { readonly look: string; readonly by: string }) {
    const { uploads, settings } = this.#deps;
    if (this.#busy.has(id)) throw new UploadRefusal("state", { state: this.#busy.get(id) });
    const integrations = (await settings(organization))?.integrations ?? [];
    const upload = await uploads.change(organization, id, (one, all) => {
      if (one.state !== "recognized" && one.state !== "failed") throw new UploadRefusal("state", { state: one.state });
      if (one.look?.id !== look) throw new UploadRefusal("look", { look: one.look?.id ?? null });
      if (!one.look.target) throw new UploadRefusal("notReady", { outcome: one.look.outcome });
      const { added, isOnly } = one.look.target;
      const begun = { state: "landing", landedBy: by, attempts: 0 } as const;
      if (!added) return { ...one, ...begun, target: one.look.target };
      // Two files of a new store are for one integration.
      const isThere = integrations.some(({ connector }) => connector === added.connector);
      if (isOnly && isThere) throw new UploadRefusal("look", { look: null });
      const same = all.find(
        ({ state, target, ...other }) =>
          state === "landing" &&
          other.organization === organization &&
          target?.isOnly &&
          target.added?.connector === added.connector,
      );
      const integration = (isOnly && same?.target?.integration) || randomUUID();
      return { ...one, ...begun, target: { ...one.look.target, integration } };
    });
    await uploads.write(upload, "progress", { step: "waiting", since: new Date().toISOString(), files: 0, bytes: 0 });
    void this.#land(upload);
  }

  /** Begins to land an export again that has landed: rows of it that another one replaced count again. */
  async again(organization: string, by: string, from: LandedExport): Promise<{ readonly id: string }> {
    const { uploads } = this.#deps;
    const { integration, record, file } = from;
    // A file of an archive lands again with the others of it.
    const parts = file.split("/");
    const name = parts.find((part) => /\.zip$/i.test(part)) ?? parts.at(-1) ?? "file";
    const state = { state: "landing", landedBy: by, attempts: 0 } as const;
    const added = await uploads.add({ organization, name, bytes: 0, createdBy: by, from, ...state });
    const target = { integration, record, columns: {}, items: {}, reading: {}, file: exportName(added) };
    const upload = await uploads.change(organization, added.id, (one) => ({ ...one, target }));
    void this.#land(upload);
    return { id: upload.id };
  }

  /** Goes on with a landing, unless this process does. */
  async #land({ organization, id }: Upload): Promise<void> {
    const { log, children } = this.#deps;
    if (this.#busy.has(id)) return;
    await this.#while(id, "landing", async () => {
      try {
        await this.#child(organization, { do: "land", upload: id });
      } catch (error) {
        if (!children.stopped && !IS_ELSEWHERE.test((error as Error).message))
          log.error({ organization, upload: id, err: error }, "could not land an upload, to be tried again");
      }
    });
  }

  /** Revokes what an upload has landed as. False: that goes on. */
  async undo(organization: string, id: string): Promise<{ readonly done: boolean }> {
    const { uploads } = this.#deps;
    const { landed, state } = await uploads.find(organization, id);
    if (state !== "landed" || !landed || this.#busy.has(id))
      throw new UploadRefusal("state", { state: this.#busy.get(id) ?? state });
    const { integration, record } = landed;
    const exports = landed.exports.map((one) => ({ ...one, integration, record }));
    const undoing = this.#while(id, "undoing", async () => {
      await uploads.change(organization, id, ({ reason: _, ...one }) => one);
      await this.#child(organization, { do: "undo", exports }).catch(async (error: Error) => {
        await uploads.change(organization, id, (one) => ({ ...one, reason: error.message }));
        throw error;
      });
    });
    return { done: await this.#quickly(undoing) };
  }

  /** The same of any export that has landed. */
  async undoExport(organization: string, one: LandedExport): Promise<{ readonly done: boolean }> {
    return { done: await this.#quickly(this.#child(organization, { do: "undo", exports: [one] })) };
  }

  /** What has landed for an integration. */
  async arrived(organization: string, integration: string, before?: number): Promise<ArrivedPage> {
    const known = (await this.#deps.settings(organization))?.integrations ?? [];
    if (!known.some(({ id }) => id === integration)) throw new UploadRefusal("unknown", { integration });
    const task = { do: "arrived", integration, ...(before === undefined ? {} : { before }) } as const;
    return JSON.parse(await this.#child(organization, task)) as { files: Arrived[]; before: number | null };
  }

  /** Runs a task in a child process, after the last one of its kind. */
  #child(organization: string, task: UploadTask): Promise<string> {
    const before = this.#last.get(task.do) ?? Promise.resolve();
    const mine = before
      .catch(() => {})
      .then(async () => {
        if (this.#isStopped) throw new Error("the service is stopping");
        const args = ["uploads", "--organization", organization, "--task", JSON.stringify(task)];
        const { code, signal, stdout, stderr } =
          await this.#deps[task.do === "look" ? "readers" : "children"].run(args);
        if (code === 0) return stdout;
        throw new OperatorError(stderr.replace(/^lucra: /, "") || `the process ended with ${code ?? signal}`);
      });
    this.#last.set(task.do, mine);
    return mine;
  }

  async #while(id: string, what: NonNullable<ShownUpload["busy"]>, work: () => Promise<unknown>): Promise<void> {
    this.#busy.set(id, what);
    try {
      await work();
    } finally {
      this.#busy.delete(id);
    }
  }

  /** Whether work ended soon. If it does not, it goes on, and its failure is in the log. */
  async #quickly(work: Promise<unknown>): Promise<boolean> {
    const late = new AbortController();
    const isLate = sleep(QUICK_MS, false, { signal: late.signal, ref: false }).catch(() => false);
    try {
      return await Promise.race([work.then(() => true), isLate]);
    } finally {
      late.abort();
      work.catch((error) => {
        if (!this.#deps.children.stopped) this.#deps.log.error({ err: error }, "uploads");
      });
    }
  }

  #shown({ id, name, bytes, received, state, createdAt, createdBy, reason, landed }: Shown): ShownUpload {
    const isEnded = ["landing", "landed", "undone"].includes(state);
    return {
      ...{ id, name, bytes, received, state, createdAt, createdBy },
      expiresAt: isEnded ? null : new Date(Date.parse(createdAt) + LIMITS.keptMs).toISOString(),
      busy: this.#busy.get(id) ?? (state === "landing" ? "landing" : null),
      reason: reason ?? null,
      landed: landed ?? null,
    };
  }
}
