import type { Response } from "express";
import type { Lookup } from "./cache.ts";

/** Where the time of one request goes, in milliseconds of a clock that nobody sets. */
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

  /** A query has just ended. Those of one answer may run side by side: what counts is from the first to the last. */
  queried(milliseconds: number): void {
    const ended = performance.now();
    this.#queries = { began: Math.min(this.#queries?.began ?? ended, ended - milliseconds), ended };
  }

  get total(): number {
    return performance.now() - this.#began;
  }

  /** What has passed since the last query ended; undefined without any. */
  get sinceQueries(): number | undefined {
    return this.#queries && performance.now() - this.#queries.ended;
  }

  /** Tells it in the answer's `Server-Timing`. A request that got another one's answer has no times but the total. */
  tell(response: Response): void {
    const query = this.#queries && this.#queries.ended - this.#queries.began;
    const parts = [
      this.#lookup && `cache;desc="${this.#lookup}"`,
      ...Object.entries({ queue: this.#queue, query, total: this.total }).map(
        ([name, milliseconds]) => milliseconds !== undefined && `${name};dur=${milliseconds.toFixed(1)}`,
      ),
    ];
    response.setHeader("Server-Timing", parts.filter(Boolean).join(", "));
  }
}
