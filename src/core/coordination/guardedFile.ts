import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Ajv } from "ajv";
import { ApiError, OperatorError } from "../contract/error.ts";
import { withLock } from "../engine/lock.ts";
import { replaceWhole } from "../files/durable.ts";
import type { Document, DocumentOptions } from "./coordination.ts";

/** How often the file is checked while requests come in: changes reach a running service within this time. */
const LOOK_MS = 500;
/** How long a change waits for that of another process. */
const WAIT_MS = 20_000;
/** How often a change is retried after a program that does not take the lock has changed the file. */
const MOST_TRIES = 5;

const ajv = new Ajv();

/** A JSON file that commands change under a lock, and that a running service follows. Only Lucra's own user can read it. */
export class GuardedFile<T extends object> implements Document<T> {
  readonly #options: DocumentOptions<T>;
  readonly #name: string;
  #isValid: ((content: unknown) => boolean) | undefined;
  readonly #onProblem: (problem: string) => void;
  #content: T;
  #version = "";
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #isKnown = false;
  #reported = "";

  constructor(options: DocumentOptions<T>) {
    this.#options = options;
    this.#name = path.basename(options.file);
    this.#onProblem = options.onProblem ?? ((problem) => console.error(`lucra: ${problem}`));
    this.#content = options.nothing;
  }

  /** The content, at most half a second old. The same object until the file changes. */
  async current(): Promise<T> {
    const { storage } = this.#options;
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_MS && !(storage && (storage.isLate || this.#isLooking))) {
      this.#lookedAt = now;
      this.#looking = this.#look();
    }
    // Calls during a check wait for it: before the first one nothing is known.
    if (storage && !(await storage.inTime(this.#looking))) {
      if (!this.#isKnown) throw new ApiError("storage");
    } else await this.#looking;
    return this.#content;
  }

  /** The content as it is now, for what another process may have written just before. */
  latest(): Promise<T> {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    return this.current();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      await this.#reload();
      this.#isKnown = true;
    } finally {
      this.#isLooking = false;
    }
  }

  async #reload(): Promise<void> {
    const version = await versionOf(this.#options.file);
    if (version === this.#version) return;
    try {
      this.#content = await this.read();
      this.#version = version;
      this.#reported = "";
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (error.message !== this.#reported) this.#onProblem(error.message);
      this.#reported = error.message;
    }
  }

  /** The content of the file now. */
  async read(): Promise<T> {
    const { file, nothing, command } = this.#options;
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new OperatorError(`${this.#name}: cannot be read (${error.code})`);
    });
    if (text === undefined) return nothing;
    const found = parsed(text);
    // Compiled when there is something to check: a process starts with documents that do not exist, or that it never reads.
    this.#isValid ??= ajv.compile(this.#options.schema);
    if (!this.#isValid(found)) {
      throw new OperatorError(`${this.#name}: not what \`${command}\` writes; restore a copy or remove it`);
    }
    return found as T;
  }

  async remove(): Promise<void> {
    await rm(this.#options.file, { force: true });
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Reads, changes and writes under a lock, so that two commands at once lose nothing. */
  change<R>(change: (content: T) => { readonly content: T; readonly result: R }): Promise<R> {
    const { lock, waitMs = WAIT_MS } = this.#options;
    const refusal = (holder: string): string =>
      `${this.#name} is being changed by ${holder}, which may be suspended: nothing was changed; ` +
      "try again after that process has continued or ended";
    return withLock(lock, { waitMs, refusal }, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const version = await versionOf(this.#options.file);
        const { content, result } = change(await this.read());
        if (!(await this.#write(content, version))) continue;
        // This process sees its own change at once.
        this.#lookedAt = Number.NEGATIVE_INFINITY;
        return result;
      }
      throw new OperatorError(`${this.#name}: another program keeps changing it; nothing was changed, try again`);
    });
  }

  /** Returns false and writes nothing if the file is no longer the version that was read. */
  async #write(changed: T, version: string): Promise<boolean> {
    const { file, kept = (all: T) => all, command } = this.#options;
    const content = `${JSON.stringify(kept(changed), null, 2)}\n`;
    const isUnchanged = async (): Promise<boolean> => (await versionOf(file)) === version;
    if (!(await replaceWhole(file, content, 0o600, isUnchanged))) return false;
    if ((await readFile(file, "utf8").catch(() => undefined)) !== content) {
      throw new OperatorError(
        `${this.#name}: another program has overwritten this change; see \`${command} list\` and try again`,
      );
    }
    return true;
  }
}

/** Differs after any change of a file; empty if there is no file. */
async function versionOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? `${found.ino}-${found.size}-${found.ctimeNs}` : "";
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
