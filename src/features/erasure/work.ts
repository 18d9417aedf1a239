import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { OperatorError } from "../../core/contract/error.ts";
import type { Children } from "../../core/processes/children.ts";
import type { FindingsJson } from "./findings.ts";
import type { Selector } from "./targets.ts";
import type { CustomerTask, Erased, Progress } from "./task.ts";

/** How long a request waits for a search; the page asks again for what takes longer. */
const WAIT_MS = 8_000;
/** What was found is personal data: it is kept in memory alone, for so long, and no more of it than so many characters. */
const KEPT_MS = 30 * 60_000;
const MOST_KEPT = 64_000_000;
const MOST_SEARCHES = 100;

/** A search for a customer, of the person who asked. */
export interface Search {
  readonly id: string;
  readonly organization: string;
  readonly person: string;
  readonly selector: Selector;
  readonly found: Promise<FindingsJson>;
}

/** An erasure that this service began: the last one of an organization. */
export interface Erasing {
  readonly id: string;
  readonly startedAt: string;
  readonly progress: Progress | null;
  /** What was erased, once it is. */
  readonly done: Erased | null;
  /** Why it failed. */
  readonly reason: string | null;
}

interface Begun {
  readonly id: string;
  readonly startedAt: string;
  /** The search that showed what it erases; undefined: everything that was erased before. */
  readonly search: Search | undefined;
  /** What the child process has of its progress. */
  file?: string;
  done: Erased | null;
  reason: string | null;
}

interface Dependencies {
  readonly children: Pick<Children, "run" | "stopped">;
  readonly log: Pick<Logger, "error">;
}

type EraseTask = Exclude<CustomerTask, { do: "find" }>;

/** Another erasure of the organization is under way. */
export class ErasingNow extends Error {}

/** Finds and erases customers for the page, in child processes: one search at a time, and one erasure. */
export class CustomerWork {
  readonly #deps: Dependencies;
  readonly #searches = new LRUCache<string, Search>({ max: MOST_SEARCHES, maxSize: MOST_KEPT, ttl: KEPT_MS });
  readonly #begun = new Map<string, Begun>();
  readonly #last = new Map<"find" | "erase", Promise<unknown>>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  search(organization: string, person: string, selector: Selector): Search {
    const id = randomBytes(18).toString("base64url");
    const found = this.#after("find", async () => {
      if (!this.#searches.has(id)) throw new OperatorError("nobody waits for it any more");
      const text = await this.#child(organization, { do: "find", selector });
      // Unless it was left meanwhile.
      if (this.#searches.has(id)) this.#searches.set(id, search, { size: text.length });
      return JSON.parse(text) as FindingsJson;
    });
    found.catch(() => {});
    const search: Search = { id, organization, person, selector, found };
    this.#searches.set(id, search, { size: 1 });
    return search;
  }

  /** A search of a person; undefined if there is none, or no longer. */
  find(organization: string, person: string, id: string): Search | undefined {
    const search = this.#searches.get(id);
    return search?.organization === organization && search.person === person ? search : undefined;
  }

  /** What a search has found; undefined while it goes on. */
  async foundBy({ found }: Search): Promise<FindingsJson | undefined> {
    const late = new AbortController();
    const isLate = sleep(WAIT_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
    return Promise.race([found, isLate]).finally(() => late.abort());
  }

  /** Nobody looks at it any more. */
  leave({ id }: Search): void {
    this.#searches.delete(id);
  }

  /** Begins to erase what a search has shown. The same search again is the same erasure. */
  async erase(search: Search): Promise<void> {
    const { organization, person, selector } = search;
    const present = this.#begun.get(organization);
    if (present?.search === search && present.reason === null) return;
    await search.found;
    this.#begin(organization, search, (progress) => ({ do: "erase", selector, by: person, progress }));
  }

  /** Begins to erase everything again that was erased before. */
  again(organization: string, person: string): void {
    this.#begin(organization, undefined, (progress) => ({ do: "again", by: person, progress }));
  }

  #begin(organization: string, search: Search | undefined, taskOf: (progress: string) => EraseTask): void {
    const present = this.#begun.get(organization);
    if (present && present.done === null && present.reason === null) throw new ErasingNow();
    const [id, startedAt] = [randomBytes(9).toString("base64url"), new Date().toISOString()];
    const begun: Begun = { id, startedAt, search, done: null, reason: null };
    this.#begun.set(organization, begun);
    void this.#erase(organization, begun, taskOf);
  }

  /** Its process goes on at the next sync if it is ended. */
  async #erase(organization: string, begun: Begun, taskOf: (progress: string) => EraseTask): Promise<void> {
    const { log, children } = this.#deps;
    let folder: string | undefined;
    try {
      folder = await mkdtemp(path.join(tmpdir(), "lucra-erasing-"));
      const file = path.join(folder, "progress.json");
      begun.file = file;
      begun.done = JSON.parse(await this.#after("erase", () => this.#child(organization, taskOf(file)))) as Erased;
      if (begun.search) this.leave(begun.search);
    } catch (error) {
      begun.reason = (error as Error).message;
      if (!children.stopped) log.error({ organization, err: error }, "could not erase a customer's data");
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  /** The last erasure that this service began; undefined without one. */
  async last(organization: string): Promise<Erasing | undefined> {
    const begun = this.#begun.get(organization);
    if (!begun) return undefined;
    const { id, startedAt, file, done, reason } = begun;
    const isOver = done !== null || reason !== null;
    const text = isOver || file === undefined ? "" : await readFile(file, "utf8").catch(() => "");
    return { id, startedAt, progress: text === "" ? null : (JSON.parse(text) as Progress), done, reason };
  }

  /** Work of a kind, one after the other: each takes the memory of an engine. */
  #after<T>(kind: "find" | "erase", work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(kind) ?? Promise.resolve()).catch(() => {}).then(work);
    this.#last.set(kind, mine);
    return mine;
  }

  async #child(organization: string, task: CustomerTask): Promise<string> {
    const args = ["customers-task", "--organization", organization, "--task", JSON.stringify(task)];
    const { code, signal, stdout, stderr } = await this.#deps.children.run(args);
    if (code === 0) return stdout;
    throw new OperatorError(stderr.replace(/^lucra: /, "") || `the process ended with ${code ?? signal}`);
  }
}
