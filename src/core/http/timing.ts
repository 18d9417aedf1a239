import type { ServerResponse } from "node:http";
import type { Lookup } from "./cache.ts";

/** The time that each step of a request takes, in milliseconds of a monotonic clock. */
export class Timing {
  readonly #began = performance.now();
  #lookup: Lookup | undefined;
  #queue: number | undefined;
  #queries: { readonly began: number; readonly ended: number } | undefined;

  lookedUp(lookup: Lookup): void {
    this.#lookup = lookup;
  }

  waited(milliseconds: number): void {
    this.#queue = milliseconds;
  }

  /** A query has just ended. Queries of one answer may run concurrently: the time from the first start to the last end counts. */
  queried(milliseconds: number): void {
    const ended = performance.now();
    this.#queries = { began: Math.min(this.#queries?.began ?? ended, ended - milliseconds), ended };
  }

  get total(): number {
    return performance.now() - this.#began;
  }

  /** Milliseconds since the last query ended; undefined without queries. */
  get sinceQueries(): number | undefined {
    return this.#queries && performance.now() - this.#queries.ended;
  }

  /** Writes the `Server-Timing` header. A request that shares another one's answer has only the total. */
  writeHeader(response: ServerResponse): void {
    const query = this.#queries && this.#queries.ended - this.#queries.began;
    const lookup = this.#lookup ? `cache;desc="${this.#lookup}", ` : "";
    const before = `${lookup}${duration("queue", this.#queue)}${duration("query", query)}`;
    response.setHeader("Server-Timing", `${before}total;dur=${this.total.toFixed(1)}`);
  }
}

const duration = (name: string, milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : `${name};dur=${milliseconds.toFixed(1)}, `;
