import type { Logger } from "pino";
import type { Config } from "../config.ts";
import {
  type Answers,
  type DataState,
  type Endpoint,
  hasWhole,
  type RequestContext,
  type TableFile,
  type Tables,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import type { Format } from "../contract/format.ts";
import { type States, statesReady } from "../contract/generations.ts";
import { hiding } from "../contract/hidden.ts";
import type { Accepted } from "../contract/param.ts";
import type { Organization } from "../contract/settings.ts";
import { explained } from "../params/explained.ts";
import { withSettings } from "../params/fromSettings.ts";
import { ignoredIn } from "../params/ignored.ts";
import type { Sent } from "../params/validate.ts";
import { addVary, sendBody, sendCompressible, sendUnchanged } from "./body.ts";
import { AnswerCache, type Cached, isFresh, type Keeping, type Made } from "./cache.ts";
import type { Exchange, Principal } from "./exchange.ts";
import { exportTag, formatOf, isCompressible, send, setKnown, setType, whole } from "./formats.ts";
import { acceptedAt } from "./known.ts";
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
  /** Without it no request is answered from what was known. */
  readonly states?: States | undefined;
  readonly config: Pick<Config, "slots" | "queue" | "timeoutMs" | "slowMs" | "exportTimeoutMs" | "cacheBytes">;
  readonly organizations: { settings(id: string): Promise<Organization | undefined> };
  readonly now: () => Date;
  readonly log: Logger;
  /** Aborts when the service ends and will not wait for answers any longer. */
  readonly ending?: AbortSignal | undefined;
}

/** A caller within the service, and the request that it works for. */
export interface Caller {
  /** The id of the request. */
  readonly id: string;
  readonly timing: Timing;
  /** Aborts when the client is gone. */
  readonly leaveOf: () => AbortSignal;
  /** The answer is made for requests to come [D211]. */
  readonly isAhead?: boolean;
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

/** A valid request of a client that may read the organization: what the engine gets, and what answering it needs. */
interface AnswerRequest {
  readonly context: Omit<RequestContext, "signal">;
  /** The parties that share the slots. */
  readonly parties: Parties;
  /** Names the requests that take about as long: they differ in days, texts and numbers only. */
  readonly kindOf: () => string;
  /** The records of which landed files are lost. */
  readonly incomplete: readonly string[];
  /** Everything that the answer depends on. */
  readonly key: string;
  /** How long the answer is cached. */
  readonly keeping: Keeping;
  readonly timing: Timing;
}

type OnAnswered = (endpoint: Endpoint, organizationId: string, sent: Sent) => void;

/** Answers the requests of all endpoints: validation, cache, queue, formats. */
export class EndpointHandler {
  readonly #deps: Dependencies;
  readonly #metrics: Metrics;
  readonly #cache: AnswerCache;
  readonly #queries: Queue;
  readonly #exports: Queue;
  readonly #sending = new Semaphore(SENDING.all, SENDING.ofOne);
  readonly #logSlow: ReturnType<typeof slowQueries>;
  #onAnswered: OnAnswered = () => {};

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

  /** Whether no request is being answered or waits for it. */
  get isIdle(): boolean {
    return this.#queries.running + this.#queries.waiting === 0;
  }

  /** Calls `onAnswered` after each answer in JSON to a client, if answers of its endpoint are cached. */
  watch(onAnswered: OnAnswered): void {
    this.#onAnswered = onAnswered;
  }

  async answer(exchange: Exchange, endpoint: Endpoint, principal: Principal): Promise<void> {
    // The client hung up while its credentials were checked: its close event has already passed.
    if (exchange.response.destroyed) return;
    const request = await this.#requestOf(exchange, endpoint, principal);
    const isExport = hasWhole(endpoint) && request.context.accepted.all === "true";
    await (isExport ? this.#export(request, exchange) : this.#answer(request, exchange, endpoint));
  }

  /**
   * The answer to a caller within the service, for a client that may read the organization: validated, cached, computed in
   * a slot, measured and logged like one over HTTP. `known`: the state of the data, if the caller has read it.
   */
  async ask(
    endpoint: Endpoint,
    sent: Sent,
    principal: Principal,
    { id, timing, leaveOf, isAhead = false }: Caller,
    known?: DataState,
  ): Promise<InternalAnswer> {
    const asked: RequestParts = {
      sent: { ...sent, organizationId: principal.organizationId },
      requestId: id,
      timing,
      formatOf: () => "json",
    };
    const request = await this.#request(endpoint, asked, principal, known);
    const { body } = await this.#cached({ ...request, keeping: { ...request.keeping, isAhead } }, leaveOf);
    return { body, incomplete: request.incomplete };
  }

  async #requestOf(exchange: Exchange, endpoint: Endpoint, principal: Principal): Promise<AnswerRequest> {
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
    const answerRequest = await this.#request(endpoint, asked, principal);
    const { incomplete } = answerRequest;
    if (incomplete.length > 0) response.setHeader("X-Incomplete-Records", incomplete.join(", "));
    setKnown(response, answerRequest.context.known);
    return answerRequest;
  }

  async #request(
    declared: Endpoint,
    { sent, requestId, timing, formatOf: formatFor }: RequestParts,
    { clientId, organizationId, isViewer = false }: Principal,
    state?: DataState,
  ): Promise<AnswerRequest> {
    const { answers, organizations, now } = this.#deps;
    const { accepted: given, known, compared } = await acceptedAt(this.#deps, declared, sent, organizationId);
    const at = known ? new Date(known.knownAt) : now();
    const accepted = await withSettings(declared, given, at, () => organizations.settings(organizationId));
    const hidden = isViewer ? hiding(declared) : undefined;
    const endpoint = hidden?.endpoint ?? declared;
    if (hidden) refuseTelling(hidden, accepted);
    const format = formatFor(accepted);
    for (const one of new Set([known, compared?.between, compared?.after])) void one?.asked();
    const { version, incomplete = [] } = known
      ? { ...known, version: known.version }
      : (state ?? (await answers.dataState(organizationId)) ?? {});
    const asked = { endpoint, organizationId, accepted, requestId };
    const onQuery = (sql: string, milliseconds: number): void => {
      timing.queried(milliseconds);
      this.#metrics.querySeconds.observe({ sql }, milliseconds / 1000);
      this.#logSlow(asked, sql, milliseconds);
    };
    return {
      context: { endpoint, organizationId, accepted, format, known, compared, onQuery },
      parties: [`organization ${organizationId}`, `client ${clientId}`],
      kindOf: () => JSON.stringify([organizationId, endpoint.path, choicesOf(endpoint, accepted)]),
      incomplete,
      key: JSON.stringify([
        organizationId,
        version,
        endpoint.path,
        format,
        accepted,
        ...(hidden ? ["viewer"] : []),
        ...(compared ? [compared.after.version] : []),
      ]),
      keeping: { seconds: secondsOf(endpoint, version, { known, compared }) },
      timing,
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
    const { context, key, parties, kindOf } = answerRequest;
    const etag = exportTag(key);
    response.setHeader("ETag", etag);
    if (isFresh(request.headers["if-none-match"], etag)) return sendUnchanged(exchange);
    // Without a slot: others must not wait for what is being derived.
    await statesReady(context.organizationId, context);
    const file = await this.#exports.run(
      (signal) => inPlace(this.#sending.take(parties), this.#deps.tables.table({ ...context, signal })),
      this.hangUpOf(exchange),
      parties,
      kindOf(),
      this.#onStart(timing),
    );
    timing.writeHeader(response);
    setType(response, context);
    await send(response, file, request.method === "HEAD");
  }

  /** Sends an answer that is, or will be, cached. */
  async #answer(answerRequest: AnswerRequest, exchange: Exchange, endpoint: Endpoint): Promise<void> {
    const { request, response } = exchange;
    const { context, keeping } = answerRequest;
    const answer = await this.#cached(answerRequest, () => this.hangUpOf(exchange));
    response.setHeader("ETag", answer.etag);
    if (context.format === "json" && keeping.seconds > 0 && !context.known) {
      this.#onAnswered(endpoint, context.organizationId, exchange.sent);
    }
    if (isFresh(request.headers["if-none-match"], answer.etag)) return sendUnchanged(exchange);
    setType(response, context);
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    if (!isCompressible(context.format)) return sendBody(exchange, answer.body);
    await sendCompressible(exchange, answer.body, (_, encoding) =>
      this.#cache.compressed(answer, encoding, keeping.seconds),
    );
  }

  /** The answer from the cache, or computed in a slot. */
  async #cached(answerRequest: AnswerRequest, hangUpOf: () => AbortSignal): Promise<Cached> {
    const { context, key, keeping, parties, kindOf, timing } = answerRequest;
    const { path } = context.endpoint;
    const { answers, tables } = this.#deps;
    const compute = async (leave: AbortSignal): Promise<Made> => {
      // Without a slot: the computation of a model takes none, so those who wait for it must not keep others waiting.
      await answers.prepare({ ...context, signal: leave });
      const made = async (signal: AbortSignal): Promise<Made> =>
        context.format === "json"
          ? answers.answer({ ...context, signal })
          : whole(await tables.table({ ...context, signal }));
      return this.#queries.run(made, leave, parties, kindOf(), this.#onStart(timing));
    };
    const answer = await this.#cache.get(key, keeping, compute, hangUpOf, (result) => {
      timing.lookedUp(result);
      if (!keeping.isAhead) this.#metrics.lookups.inc({ endpoint: path, result });
    });
    const encoding = timing.sinceQueries;
    if (encoding !== undefined) this.#metrics.encodeSeconds.observe({ endpoint: path }, encoding / 1000);
    return answer;
  }

  #onStart(timing: Timing): (waited: number) => void {
    return (waited) => {
      timing.waited(waited);
      this.#metrics.queueSeconds.observe(waited / 1000);
    };
  }
}

/** A filter or an order by what is hidden would tell it. */
function refuseTelling({ parameters, fields }: NonNullable<ReturnType<typeof hiding>>, accepted: Accepted): void {
  const telling = parameters.filter((name) => (accepted[name] ?? null) !== null);
  if (fields.includes(String(accepted.orderBy))) telling.push("orderBy");
  if (telling.length > 0)
    throw new ApiError(
      "invalid",
      telling.map((parameter) => ({ parameter, message: wording.personal })),
    );
}

/**
 * What was known does not change: its answers are kept without a bound of time, unless those of the endpoint are not kept.
 * Without a version the answer is not cached: if files reappear meanwhile, they belong to a named version.
 */
function secondsOf(
  { cacheSeconds }: Endpoint,
  version: string | undefined,
  { known, compared }: Pick<RequestContext, "known" | "compared">,
): number {
  if (version === undefined) return 0;
  return known && cacheSeconds > 0 && !compared?.isInForce ? Number.POSITIVE_INFINITY : cacheSeconds;
}

/** An explanation takes about as long as the answer that it explains. */
const choicesOf = (endpoint: Endpoint, accepted: Accepted): unknown[] =>
  endpoint.by === "explain"
    ? [accepted.endpoint, ...declaredChoices(explained(endpoint, accepted).endpoint, accepted)]
    : declaredChoices(endpoint, accepted);

/** Kinds of parameters with few values. */
const CHOICES: ReadonlySet<string> = new Set(["choice", "crossing", "flag"]);

const declaredChoices = ({ params }: Endpoint, accepted: Accepted): unknown[] =>
  Object.entries(params).flatMap(([name, { kind }]) => (CHOICES.has(kind) ? [accepted[name]] : []));

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
