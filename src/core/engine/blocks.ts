import { LRUCache } from "lru-cache";
import { type Block, type BlocksEndpoint, ROOT } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import type { Accepted } from "../contract/param.ts";
import { literal } from "./database.ts";

/** A selection of the rows of a SQL file; each row as JSON text. */
export interface Selected {
  readonly name: string;
  readonly select?: string;
}

/** The source of blocks. The blocks of a group share a session, and are read in the order of the calls. */
export interface BlockSource {
  /** The rows of all these files; undefined if each must be read by itself. */
  together(files: readonly Selected[]): Promise<string[][] | undefined>;
  /** Computes a table macro once for the group's files that follow. */
  keep(group: string, macro: string): Promise<void>;
  /** A selection of the rows of one of the SQL files; each row as JSON text. */
  rows(group: string, sql: string, select?: string): Promise<string[]>;
}
/** How long what is read is cached, and for which request of which version of the data. */
interface Keep {
  readonly version: string;
  readonly seconds: number;
}

const keyOf = (sql: string, { version }: Keep): string => `${sql} ${version}`;

/** Receives what could not be read, for the log. */
export type OnBlockFailure = (path: string, sql: string, error: unknown) => void;

/** Assembles answers from blocks. Blocks in error are not cached: the next call reads them again. */
export class BlockReader {
  readonly #kept: LRUCache<string, string>;
  readonly #onFailure: OnBlockFailure;

  /** `keptBytes`: bytes of cached blocks, over all organizations. */
  constructor(keptBytes: number, onFailure: OnBlockFailure) {
    this.#kept = new LRUCache({
      maxSize: Math.max(1, keptBytes),
      sizeCalculation: (text, key) => 2 * (text.length + key.length) + 100,
    });
    this.#onFailure = onFailure;
  }

  /** The answer as JSON text. `version` names the organization and the state of its data; without it no block is cached. */
  async answer(
    endpoint: BlocksEndpoint,
    accepted: Accepted,
    version: string | undefined,
    source: BlockSource,
  ): Promise<string> {
    const keep = {
      version: JSON.stringify([version, endpoint.path, accepted]),
      seconds: version === undefined ? 0 : endpoint.blockSeconds,
    };
    const { [ROOT]: root, ...blocks } = endpoint.parts;
    const at = await this.#together(endpoint, keep, source);
    const found = await tolerant(
      this.#once(root.sql, keep, () => at.get(root.sql) ?? source.rows(root.group, root.sql)),
      this.#failed(endpoint, root.sql, "unknown"),
    );
    if (found === undefined) throw new ApiError("notFound");
    const prepared = new Set<string>();
    const read = ({ sql, group }: Block, select: string): Promise<string[]> => {
      const rows = at.get(sql);
      if (rows) return Promise.resolve(rows);
      if (!prepared.has(group)) {
        prepared.add(group);
        // A block whose source is lost fails by itself: what could not be computed before, it computes again.
        for (const macro of endpoint.groups[group] ?? []) source.keep(group, macro).catch(() => undefined);
      }
      return source.rows(group, sql, select);
    };
    const texts = await all(
      Object.values(blocks).map((block) =>
        tolerant(
          this.#once(block.sql, keep, () => read(block, selectBlock(block))).then(oneRow),
          this.#failed(endpoint, block.sql, inError(endpoint, block, accepted)),
        ),
      ),
    );
    const oldest = texts.flatMap((text) => (JSON.parse(text) as { asOf: string | null }).asOf ?? []).sort()[0];
    const { from, to } = endpoint.period;
    const head = {
      ...Object.fromEntries((endpoint.echo ?? []).map((name) => [name, accepted[name]])),
      asOf: oldest ?? null,
      period: { from: accepted[from], to: accepted[to] },
    };
    const members = Object.keys(blocks).map((name, n) => `,${JSON.stringify(name)}:${texts[n]}`);
    return `${JSON.stringify(head).slice(0, -1)}${members.join("")}}`;
  }

  /** Rows that are not cached, by SQL file, if all of them can be read at once. */
  async #together(endpoint: BlocksEndpoint, keep: Keep, source: BlockSource): Promise<Map<string, string[]>> {
    const all: Selected[] = Object.entries(endpoint.parts)
      .map(([name, block]) => ({ name: block.sql, ...(name === ROOT ? {} : { select: selectBlock(block) }) }))
      .filter(({ name }) => this.#kept.get(keyOf(name, keep)) === undefined);
    const rows = all.length > 0 ? await tolerant(source.together(all), () => undefined) : undefined;
    return new Map(rows?.map((texts, no) => [all[no]?.name ?? "", texts]));
  }

  /** The file's one row, cached for a while; undefined, and not cached, if there is no row. */
  async #once(sql: string, keep: Keep, read: () => Promise<string[]> | string[]): Promise<string | undefined> {
    const key = keyOf(sql, keep);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const [text] = await read();
    if (text !== undefined && keep.seconds > 0) this.#kept.set(key, text, { ttl: keep.seconds * 1000 });
    return text;
  }

  #failed(endpoint: BlocksEndpoint, sql: string, instead: string): (error: unknown) => string {
    return (error) => {
      this.#onFailure(endpoint.path, sql, error);
      return instead;
    };
  }
}

/** The replacement of a block that cannot be read: its figures are unknown, which differs from having no data. */
function inError({ period }: BlocksEndpoint, { basis = "requested", fields }: Block, accepted: Accepted): string {
  return JSON.stringify({
    state: "error",
    reason: "source_unavailable",
    asOf: null,
    periodApplied: { basis },
    window: basis === "requested" ? { from: accepted[period.from], to: accepted[period.to] } : null,
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])),
  });
}

/** Adds to a block's row what follows from its reason and its declaration. */
const selectBlock = ({ basis = "requested" }: Block): string =>
  `select block_state(reason) as state, {'basis': ${literal(basis)}} as "periodApplied", *`;

function oneRow(text: string | undefined): string {
  if (text === undefined) throw new Error("a block without a row");
  return text;
}

/** A failure of the block's source puts the block in error; a failure of the request, such as its deadline, is rethrown. */
const tolerant = <T, E>(promise: Promise<T>, instead: (error: unknown) => E): Promise<T | E> =>
  promise.catch((error) => {
    if (error instanceof ApiError && !isOfSource(error)) throw error;
    return instead(error);
  });

/** Too large for memory, damaged, missing, or on storage that does not answer. */
export const isOfSource = ({ kind }: ApiError): boolean =>
  ["tooLarge", "damaged", "underived", "storage"].includes(kind);

/** Waits until all promises have settled, also if one fails, so that nothing runs on unobserved. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
