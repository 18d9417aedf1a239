import { LRUCache } from "lru-cache";
import type { Block, BlocksEndpoint } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import type { Accepted } from "../contract/param.ts";

/** Runs one of the SQL files on a session of its own; each row as JSON text. */
export type ReadRows = (sql: string) => Promise<string[]>;
/** Told of what could not be read, for the log. */
export type OnBlockFailure = (path: string, sql: string, error: unknown) => void;

/** Puts answers together from blocks. The good ones are kept; one in error never is: the next call reads it again. */
export class BlockReader {
  readonly #kept: LRUCache<string, string>;
  readonly #onFailure: OnBlockFailure;

  /** `keptBytes`: how much text of blocks is kept, over all organizations. */
  constructor(keptBytes: number, onFailure: OnBlockFailure) {
    this.#kept = new LRUCache({
      maxSize: Math.max(1, keptBytes),
      sizeCalculation: (text, key) => 2 * (text.length + key.length) + 100,
    });
    this.#onFailure = onFailure;
  }

  /** The answer as JSON text. `version` names whose data it is, in which state; without one nothing is kept. */
  async answer(
    endpoint: BlocksEndpoint,
    accepted: Accepted,
    version: string | undefined,
    read: ReadRows,
  ): Promise<string> {
    const keep = {
      version: JSON.stringify([version, endpoint.path, accepted]),
      seconds: version === undefined ? 0 : endpoint.blockSeconds,
    };
    const once = (sql: string): Promise<string | undefined> => this.#once(sql, keep, read);
    const found = await tolerant(once(endpoint.found), this.#failed(endpoint, endpoint.found, "unknown"));
    if (found === undefined) throw new ApiError("notFound");
    const texts = await all(
      Object.values(endpoint.blocks).map((block) =>
        tolerant(once(block.sql).then(oneRow), this.#failed(endpoint, block.sql, inError(endpoint, block, accepted))),
      ),
    );
    const oldest = texts.flatMap((text) => (JSON.parse(text) as { asOf: string | null }).asOf ?? []).sort()[0];
    const { from, to } = endpoint.period;
    const head = {
      ...Object.fromEntries(endpoint.echo.map((name) => [name, accepted[name]])),
      asOf: oldest ?? null,
      period: { from: accepted[from], to: accepted[to] },
    };
    const blocks = Object.keys(endpoint.blocks).map((name, n) => `,${JSON.stringify(name)}:${texts[n]}`);
    return `${JSON.stringify(head).slice(0, -1)}${blocks.join("")}}`;
  }

  /** The file's one row, kept for a while; undefined when it gives none, which is not kept. */
  async #once(
    sql: string,
    { version, seconds }: { version: string; seconds: number },
    read: ReadRows,
  ): Promise<string | undefined> {
    const key = `${sql} ${version}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const [text] = await read(sql);
    if (text !== undefined && seconds > 0) this.#kept.set(key, text, { ttl: seconds * 1000 });
    return text;
  }

  #failed(endpoint: BlocksEndpoint, sql: string, instead: string): (error: unknown) => string {
    return (error) => {
      this.#onFailure(endpoint.path, sql, error);
      return instead;
    };
  }
}

/** What stands in for a block that cannot be read: nothing is known of its figures, which is not that there are none. */
function inError({ period }: BlocksEndpoint, { basis, figures }: Block, accepted: Accepted): string {
  return JSON.stringify({
    state: "error",
    reason: "source_unavailable",
    asOf: null,
    periodApplied: { basis },
    window: basis === "requested" ? { from: accepted[period.from], to: accepted[period.to] } : null,
    ...Object.fromEntries(Object.keys(figures).map((name) => [name, null])),
  });
}

function oneRow(text: string | undefined): string {
  if (text === undefined) throw new Error("a block without a row");
  return text;
}

/** A failure of the request, such as its deadline, is none of the block's; one of its source is. */
const tolerant = <T, E>(promise: Promise<T>, instead: (error: unknown) => E): Promise<T | E> =>
  promise.catch((error) => {
    if (error instanceof ApiError && !isOfSource(error)) throw error;
    return instead(error);
  });

/** Too large for memory, damaged, or not there at all. */
export const isOfSource = ({ kind }: ApiError): boolean => ["tooLarge", "damaged", "underived"].includes(kind);

/** Everything has ended, well or not, before this does: nothing goes on unseen. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
