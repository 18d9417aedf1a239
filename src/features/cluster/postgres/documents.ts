import path from "node:path";
import { Ajv } from "ajv";
import { ApiError, OperatorError } from "../../../core/contract/error.ts";
import type { Document, DocumentOptions, Documents } from "../../../core/coordination/coordination.ts";
import { type Connections, DatabaseDown } from "./connections.ts";

/** How often a document is checked while requests come in, if no notification comes earlier. */
const LOOK_MS = 500;
const FIND = "select content, version::text as version from lucra.documents where name = $1";
const ADD = `
insert into lucra.documents (name, content, version, changed_at)
  values ($1, $2, nextval('lucra.versions'), clock_timestamp()) on conflict (name) do nothing`;
const CHANGE = `
update lucra.documents set content = $2, version = nextval('lucra.versions'), changed_at = clock_timestamp()
  where name = $1`;
const REMOVE = "delete from lucra.documents where name = $1";

const ajv = new Ajv();

/** A document in one row. */
class PostgresDocument<T extends object> implements Document<T> {
  readonly #connections: Connections;
  readonly #options: DocumentOptions<T>;
  readonly #name: string;
  readonly #knownMs: number;
  #isValid: ((content: unknown) => boolean) | undefined;
  readonly #onProblem: (problem: string) => void;
  #content: T;
  #version: string | undefined = "";
  #lookedAt = Number.NEGATIVE_INFINITY;
  #seenAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #isListening = false;
  #reported = "";

  constructor(connections: Connections, options: DocumentOptions<T>, knownMs: number) {
    this.#knownMs = knownMs;
    this.#connections = connections;
    this.#options = options;
    this.#name = options.name ?? path.basename(options.file);
    this.#onProblem = options.onProblem ?? ((problem) => console.error(`lucra: ${problem}`));
    this.#content = options.nothing;
  }

  async current(): Promise<T> {
    this.#listen();
    if (performance.now() - this.#lookedAt >= LOOK_MS) {
      this.#lookedAt = performance.now();
      // One after the other: an older look must not come last.
      const looking = (this.#looking ?? Promise.resolve()).catch(() => {}).then(() => this.#look());
      this.#looking = looking;
      const end = (): void => {
        if (this.#looking === looking) this.#looking = undefined;
      };
      looking.then(end, end);
    }
    await this.#looking;
    if (performance.now() - this.#seenAt > this.#knownMs) throw new ApiError("storage");
    return this.#content;
  }

  latest(): Promise<T> {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    return this.current();
  }

  async read(): Promise<T> {
    const [row] = await this.#connections.query(FIND, [this.#name]);
    return this.#parsed(row?.content);
  }

  change<R>(change: (content: T) => { readonly content: T; readonly result: R }): Promise<R> {
    const { kept = (all: T) => all, nothing, waitMs = 20_000 } = this.#options;
    const text = (content: T): string => `${JSON.stringify(content, null, 2)}\n`;
    const changed = this.#connections.transaction(async (query) => {
      await query(`set local lock_timeout = ${Math.max(1, Math.round(waitMs))}`);
      await query(ADD, [this.#name, text(nothing)]);
      const [row] = await query(`${FIND} for update`, [this.#name]);
      const { content, result } = change(this.#parsed(row?.content));
      await query(CHANGE, [this.#name, text(kept(content))]);
      return result;
    });
    // This process sees its own change at once.
    return changed.finally(() => {
      this.#lookedAt = Number.NEGATIVE_INFINITY;
    });
  }

  async remove(): Promise<void> {
    await this.#connections.query(REMOVE, [this.#name]);
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Never rejects for a database that does not answer: the known content stays in force. */
  async #look(): Promise<void> {
    const began = performance.now();
    try {
      const [row] = await this.#connections.lookup(FIND, [this.#name]);
      const version = row?.version as string | undefined;
      if (version !== this.#version) {
        this.#content = this.#parsed(row?.content);
        this.#version = version;
        this.#reported = "";
      }
      this.#seenAt = began;
    } catch (error) {
      if (error instanceof DatabaseDown) return;
      if (!(error instanceof OperatorError)) throw error;
      this.#seenAt = began;
      if (error.message !== this.#reported) this.#onProblem(error.message);
      this.#reported = error.message;
    }
  }

  #parsed(content: unknown): T {
    if (content === undefined) return this.#options.nothing;
    const found = parsed(String(content));
    this.#isValid ??= ajv.compile(this.#options.schema);
    if (!this.#isValid(found)) {
      throw new OperatorError(`${this.#name} in the database: not what \`${this.#options.command}\` writes`);
    }
    return found as T;
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#connections.onChange(() => {
      this.#lookedAt = Number.NEGATIVE_INFINITY;
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `knownMs`: how long the last known content is in force while the database does not answer. */
export const postgresDocuments = (connections: Connections, knownMs: number): Documents => ({
  isShared: true,
  open: (options) => new PostgresDocument(connections, options, knownMs),
});
