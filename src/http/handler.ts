import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Answers, Endpoint, OnQuery, TableFile, Tables } from "../contract/endpoint.ts";
import type { Format } from "../contract/format.ts";
import type { Accepted } from "../contract/param.ts";
import { type Sent, validate } from "../params/validate.ts";
import { AnswerCache, isFresh, type Made } from "./cache.ts";
import { exportTag, formatOf, send, setType, whole } from "./formats.ts";
import type { Metrics } from "./metrics.ts";
import { Places } from "./places.ts";
import { type Parties, Queue } from "./queue.ts";
import { slowQueries } from "./slow.ts";
import type { Timing } from "./timing.ts";

/** Exports of whole selections: how many run at once, in addition to the queries, and how many of one party may wait. */
const EXPORTS = { slots: 3, queue: 8 };
/** Exports being sent, in total and per party: each is a file until the client has read it. */
const SENDING = { all: 32, ofOne: 4 };

interface Dependencies {
  readonly answers: Answers;
  readonly tables: Tables;
  readonly config: Pick<Config, "slots" | "queue" | "timeoutMs" | "slowMs" | "exportTimeoutMs" | "cacheBytes">;
  readonly now: () => Date;
  readonly log: Logger;
  /** Aborts when the service ends and will not wait for answers any longer. */
  readonly ending?: AbortSignal | undefined;
}

/** A valid request of a client that may read the organization. */
interface Question {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly format: Format;
  /** The parties that share the slots. */
  readonly parties: Parties;
  /** Questions that take about as long: they differ in days, texts and numbers only. */
  readonly kind: string;
  /** The state of the organization's data; undefined without files. */
  readonly version: string | undefined;
  /** Everything that the answer depends on. */
  readonly key: string;
  /** Aborts when the client has hung up. */
  readonly hangUp: AbortSignal;
  readonly timing: Timing;
  readonly onQuery: OnQuery;
}

/** Answers the requests of all endpoints: validation, cache, queue, formats. */
export class EndpointHandler {
  readonly #deps: Dependencies;
  readonly #metrics: Metrics;
  readonly #cache: AnswerCache;
  readonly #queries: Queue;
  readonly #exports: Queue;
  readonly #sending = new Places(SENDING.all, SENDING.ofOne);
  readonly #logSlow: ReturnType<typeof slowQueries>;

  constructor(deps: Dependencies, metrics: Metrics) {
    const { config, log } = deps;
    this.#deps = deps;
    this.#metrics = metrics;
    this.#cache = new AnswerCache(config.cacheBytes);
    this.#queries = new Queue(config.slots, config.queue, config.timeoutMs);
    this.#exports = new Queue(EXPORTS.slots, EXPORTS.queue, config.exportTimeoutMs);
    this.#logSlow = slowQueries(config.slowMs, log);
    metrics.watchQueue(this.#queries, config.slots);
  }

  /** Express's handler of an endpoint. */
  of(endpoint: Endpoint): (request: Request, response: Response) => Promise<void> {
    return async (request, response) => {
      // The client hung up while its credentials were checked: its close event has already passed.
      if (response.destroyed) return;
      const question = await this.#question(endpoint, request, response);
      const isExport = endpoint.shape === "page" && question.accepted.all === "true";
      await (isExport ? this.#export(question, request, response) : this.#answer(question, request, response));
    };
  }

  async #question(endpoint: Endpoint, request: Request, response: Response): Promise<Question> {
    const { answers, now } = this.#deps;
    const hangUp = this.#hangUpOf(response);
    const accepted = validate(endpoint, { ...(request.query as Sent), ...request.params }, now());
    const deprecated = deprecation(endpoint, request.query as Sent);
    if (deprecated) response.setHeader("Deprecation", deprecated);
    response.vary("Accept");
    const format = formatOf(request, endpoint, accepted);
    const { organizationId, clientId } = response.locals;
    const timing: Timing = response.locals.timing;
    const version = await answers.version(organizationId);
    const asked = { endpoint, organizationId, accepted, requestId: String(request.id) };
    return {
      endpoint,
      organizationId,
      accepted,
      format,
      parties: [`organization ${organizationId}`, `client ${clientId}`],
      kind: JSON.stringify([organizationId, endpoint.path, choicesOf(endpoint, accepted)]),
      version,
      key: JSON.stringify([organizationId, version, endpoint.path, format, accepted]),
      hangUp,
      timing,
      onQuery: (sql, milliseconds) => {
        timing.queried(milliseconds);
        this.#metrics.querySeconds.observe({ sql }, milliseconds / 1000);
        this.#logSlow(asked, sql, milliseconds);
      },
    };
  }

  /** Aborts when the client hangs up before the answer is complete, or when the service ends. */
  #hangUpOf(response: Response): AbortSignal {
    const { ending } = this.#deps;
    const hangUp = new AbortController();
    const stop = (): void => hangUp.abort();
    ending?.addEventListener("abort", stop);
    if (ending?.aborted) stop();
    response.on("close", () => {
      ending?.removeEventListener("abort", stop);
      // After a complete answer there is nothing to abort.
      if (!response.writableFinished) stop();
    });
    return hangUp.signal;
  }

  /** Sends all rows of a selection from a file. */
  async #export(question: Question, request: Request, response: Response): Promise<void> {
    const { endpoint, format, key, parties, hangUp, timing } = question;
    const etag = exportTag(key);
    response.setHeader("ETag", etag);
    if (isFresh(request.get("if-none-match"), etag)) return void response.status(304).end();
    const file = await this.#inTurn(
      this.#exports,
      question,
      (signal) => inPlace(this.#sending.take(parties), this.#table(question, signal)),
      hangUp,
    );
    timing.writeHeader(response);
    setType(response, endpoint, format);
    await send(response, file, request.method === "HEAD");
  }

  /** Sends an answer that is, or will be, cached. */
  async #answer(question: Question, request: Request, response: Response): Promise<void> {
    const { endpoint, format, key, version, hangUp, timing } = question;
    const { body, etag, headers } = await this.#cache.get(
      key,
      // Without a version the answer is not cached: if files reappear meanwhile, they belong to a named version.
      version === undefined ? 0 : endpoint.cacheSeconds,
      (leave) => this.#inTurn(this.#queries, question, (signal) => this.#make(question, signal), leave),
      hangUp,
      (result) => {
        timing.lookedUp(result);
        this.#metrics.lookups.inc({ endpoint: endpoint.path, result });
      },
    );
    const encoding = timing.sinceQueries;
    if (encoding !== undefined) this.#metrics.encodeSeconds.observe({ endpoint: endpoint.path }, encoding / 1000);
    timing.writeHeader(response);
    response.setHeader("ETag", etag);
    if (isFresh(request.get("if-none-match"), etag)) return void response.status(304).end();
    setType(response, endpoint, format);
    response.set(headers ?? {}).send(body);
  }

  async #make(question: Question, signal: AbortSignal): Promise<Made> {
    const { endpoint, organizationId, accepted, format, onQuery } = question;
    if (format !== "json") return whole(await this.#table(question, signal));
    return this.#deps.answers.answer(endpoint, organizationId, accepted, signal, onQuery);
  }

  #table(question: Question, signal: AbortSignal): Promise<TableFile> {
    const { endpoint, organizationId, accepted, format, onQuery } = question;
    return this.#deps.tables.table(endpoint, organizationId, accepted, format, signal, onQuery);
  }

  /** Runs the work when the queue has a free slot. */
  #inTurn<T>(
    queue: Queue,
    { parties, kind, timing }: Question,
    work: (signal: AbortSignal) => Promise<T>,
    leave: AbortSignal,
  ): Promise<T> {
    const came = performance.now();
    const timed = (signal: AbortSignal): Promise<T> => {
      const waited = performance.now() - came;
      timing.waited(waited);
      this.#metrics.queueSeconds.observe(waited / 1000);
      return work(signal);
    };
    return queue.run(timed, leave, parties, kind);
  }
}

const choicesOf = ({ params }: Endpoint, accepted: Accepted): unknown[] =>
  Object.entries(params).flatMap(([name, { kind }]) => (kind === "choice" || kind === "flag" ? [accepted[name]] : []));

/** The table. Its place is released after it has been sent, or when building it fails. */
async function inPlace(leave: () => void, making: Promise<TableFile>): Promise<TableFile> {
  try {
    const file = await making;
    return { ...file, close: () => file.close().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The `Deprecation` header for a deprecated parameter that was sent [RFC 9745]. */
function deprecation(endpoint: Endpoint, sent: Sent): string | undefined {
  const since = Object.entries(endpoint.params).find(([name, param]) => param.deprecated && sent[name])?.[1].deprecated;
  return since && `@${Date.parse(since) / 1000}`;
}
