import type { Logger } from "pino";
import type { Config } from "../config.ts";
import {
  type Answers,
  type DataState,
  type Endpoint,
  hasWhole,
  type OnQuery,
  type TableFile,
  type Tables,
} from "../contract/endpoint.ts";
import type { Format } from "../contract/format.ts";
import type { Accepted } from "../contract/param.ts";
import { explained } from "../params/explained.ts";
import { ignoredIn } from "../params/ignored.ts";
import { type Sent, validate } from "../params/validate.ts";
import { addVary, sendBody, sendCompressible, sendUnchanged } from "./body.ts";
import { AnswerCache, type Cached, isFresh, type Made } from "./cache.ts";
import type { Exchange, Principal } from "./exchange.ts";
import { exportTag, formatOf, isCompressible, send, setType, whole } from "./formats.ts";
import type { Metrics } from "./metrics.ts";
import { type Parties, Queue } from "./queue.ts";
import { Semaphore } from "./semaphore.ts";
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

/** A caller within the service, and the request that it works for. */
export interface Caller {
  /** Of the request. */
  readonly id: string;
  readonly timing: Timing;
  /** Aborts when the client is gone. */
  readonly leaveOf: () => AbortSignal;
}

/** An answer for a caller within the service. */
interface InternalAnswer {
  /** JSON. */
  readonly body: Buffer;
  /** The records of which landed files are lost. */
  readonly incomplete: readonly string[];
}

/** The parts of a request that an answer is made from. */
interface RequestParts {
  readonly sent: Sent;
  readonly requestId: string;
  readonly timing: Timing;
  readonly formatOf: (accepted: Accepted) => Format;
}

/** A valid request of a client that may read the organization. */
interface AnswerRequest {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly format: Format;
  /** The parties that share the slots. */
  readonly parties: Parties;
  /** Names the questions that take about as long: they differ in days, texts and numbers only. */
  readonly kindOf: () => string;
  /** The state of the organization's data; undefined without files. */
  readonly version: string | undefined;
  /** The records of which landed files are lost. */
  readonly incomplete: readonly string[];
  /** Everything that the answer depends on. */
  readonly key: string;
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
  readonly #sending = new Semaphore(SENDING.all, SENDING.ofOne);
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

  async answer(exchange: Exchange, endpoint: Endpoint, principal: Principal): Promise<void> {
    // The client hung up while its credentials were checked: its close event has already passed.
    if (exchange.response.destroyed) return;
    const answerRequest = await this.#answerRequestOf(exchange, endpoint, principal);
    const isExport = hasWhole(endpoint) && answerRequest.accepted.all === "true";
    await (isExport ? this.#export(answerRequest, exchange) : this.#answer(answerRequest, exchange));
  }

  /**
   * The answer to a caller within the service, for a client that may read the organization: validated, cached, computed in
   * its turn, measured and logged like one over HTTP. `known`: the state of the data, if the caller has read it.
   */
  async ask(
    endpoint: Endpoint,
    sent: Sent,
    principal: Principal,
    { id, timing, leaveOf }: Caller,
    known?: DataState,
  ): Promise<InternalAnswer> {
    const asked: RequestParts = {
      sent: { ...sent, organizationId: principal.organizationId },
      requestId: id,
      timing,
      formatOf: () => "json",
    };
    const answerRequest = await this.#answerRequest(endpoint, asked, principal, known);
    const { body } = await this.#cached(answerRequest, leaveOf);
    return { body, incomplete: answerRequest.incomplete };
  }

  async #answerRequestOf(exchange: Exchange, endpoint: Endpoint, principal: Principal): Promise<AnswerRequest> {
    const { request, response, id, sent, timing } = exchange;
    const asked: RequestParts = {
      sent,
      requestId: id,
      timing,
      formatOf: (accepted) => {
        const deprecated = deprecation(endpoint, sent);
        if (deprecated) response.setHeader("Deprecation", deprecated);
        const ignored = ignoredIn(endpoint, sent);
        if (ignored) response.setHeader("X-Ignored-Parameters", ignored);
        addVary(exchange, "Accept");
        return formatOf(request, endpoint, accepted);
      },
    };
    const answerRequest = await this.#answerRequest(endpoint, asked, principal);
    const { incomplete } = answerRequest;
    if (incomplete.length > 0) response.setHeader("X-Incomplete-Records", incomplete.join(", "));
    return answerRequest;
  }

  async #answerRequest(
    endpoint: Endpoint,
    { sent, requestId, timing, formatOf: formatFor }: RequestParts,
    { clientId, organizationId }: Principal,
    known?: DataState,
  ): Promise<AnswerRequest> {
    const { answers, now } = this.#deps;
    const accepted = validate(endpoint, sent, now());
    const format = formatFor(accepted);
    const { version, incomplete = [] } = known ?? (await answers.dataState(organizationId)) ?? {};
    const asked = { endpoint, organizationId, accepted, requestId };
    return {
      endpoint,
      organizationId,
      accepted,
      format,
      parties: [`organization ${organizationId}`, `client ${clientId}`],
      kindOf: () => JSON.stringify([organizationId, endpoint.path, choicesOf(endpoint, accepted)]),
      version,
      incomplete,
      key: JSON.stringify([organizationId, version, endpoint.path, format, accepted]),
      timing,
      onQuery: (sql, milliseconds) => {
        timing.queried(milliseconds);
        this.#metrics.querySeconds.observe({ sql }, milliseconds / 1000);
        this.#logSlow(asked, sql, milliseconds);
      },
    };
  }

  /** Aborts when the client hangs up before the answer is complete, or when the service ends. */
  hangUpOf({ response }: Exchange): AbortSignal {
    const { ending } = this.#deps;
    const hangUp = new AbortController();
    const stop = (): void => hangUp.abort();
    ending?.addEventListener("abort", stop);
    // The close event of a destroyed response has already passed.
    if (ending?.aborted || response.destroyed) stop();
    response.on("close", () => {
      ending?.removeEventListener("abort", stop);
      // After a complete answer there is nothing to abort.
      if (!response.writableFinished) stop();
    });
    return hangUp.signal;
  }

  /** Sends all rows of a selection from a file. */
  async #export(answerRequest: AnswerRequest, exchange: Exchange): Promise<void> {
    const { request, response, timing } = exchange;
    const { endpoint, format, key, parties } = answerRequest;
    const etag = exportTag(key);
    response.setHeader("ETag", etag);
    if (isFresh(request.headers["if-none-match"], etag)) return sendUnchanged(exchange);
    const file = await this.#inTurn(
      this.#exports,
      answerRequest,
      (signal) => inPlace(this.#sending.take(parties), this.#table(answerRequest, signal)),
      this.hangUpOf(exchange),
    );
    timing.writeHeader(response);
    setType(response, endpoint, format);
    await send(response, file, request.method === "HEAD");
  }

  /** Sends an answer that is, or will be, cached. */
  async #answer(answerRequest: AnswerRequest, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const { endpoint, format } = answerRequest;
    const answer = await this.#cached(answerRequest, () => this.hangUpOf(exchange));
    response.setHeader("ETag", answer.etag);
    if (isFresh(request.headers["if-none-match"], answer.etag)) return sendUnchanged(exchange);
    setType(response, endpoint, format);
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    if (!isCompressible(format)) return sendBody(exchange, answer.body);
    const seconds = secondsOf(answerRequest);
    await sendCompressible(exchange, answer.body, (_, encoding) => this.#cache.compressed(answer, encoding, seconds));
  }

  /** The answer from the cache, or computed in its turn. */
  async #cached(answerRequest: AnswerRequest, hangUpOf: () => AbortSignal): Promise<Cached> {
    const { endpoint, key, timing } = answerRequest;
    const { answers } = this.#deps;
    const answer = await this.#cache.get(
      key,
      secondsOf(answerRequest),
      async (leave) => {
        // Without a slot: the computation of a model takes none, so those who wait for it must not keep others waiting.
        await answers.prepare(endpoint, answerRequest.organizationId, leave, answerRequest.onQuery);
        return this.#inTurn(this.#queries, answerRequest, (signal) => this.#make(answerRequest, signal), leave);
      },
      hangUpOf,
      (result) => {
        timing.lookedUp(result);
        this.#metrics.lookups.inc({ endpoint: endpoint.path, result });
      },
    );
    const encoding = timing.sinceQueries;
    if (encoding !== undefined) this.#metrics.encodeSeconds.observe({ endpoint: endpoint.path }, encoding / 1000);
    return answer;
  }

  async #make(answerRequest: AnswerRequest, signal: AbortSignal): Promise<Made> {
    const { endpoint, organizationId, accepted, format, onQuery } = answerRequest;
    if (format !== "json") return whole(await this.#table(answerRequest, signal));
    return this.#deps.answers.answer(endpoint, organizationId, accepted, signal, onQuery);
  }

  #table(answerRequest: AnswerRequest, signal: AbortSignal): Promise<TableFile> {
    return this.#deps.tables.table(answerRequest, signal, answerRequest.onQuery);
  }

  /** Runs the work when the queue has a free slot. */
  #inTurn<T>(
    queue: Queue,
    { parties, kindOf, timing }: AnswerRequest,
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
    return queue.run(timed, leave, parties, kindOf());
  }
}

/** Without a version the answer is not cached: if files reappear meanwhile, they belong to a named version. */
const secondsOf = ({ version, endpoint }: AnswerRequest): number => (version === undefined ? 0 : endpoint.cacheSeconds);

/** An explanation takes about as long as the answer that it explains. */
const choicesOf = (endpoint: Endpoint, accepted: Accepted): unknown[] =>
  endpoint.shape === "explain"
    ? [accepted.endpoint, ...declaredChoices(explained(endpoint, accepted).endpoint, accepted)]
    : declaredChoices(endpoint, accepted);

const declaredChoices = ({ params }: Endpoint, accepted: Accepted): unknown[] =>
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
