import { dialectOf } from "../../core/contract/dialect.ts";
import type { AdHocEndpoint, QualityEndpoint } from "../../core/contract/endpoint.ts";
import { ApiError, QueryError } from "../../core/contract/error.ts";
import type { Known, States } from "../../core/contract/generations.ts";
import type { Accepted } from "../../core/contract/param.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { knownText } from "../../core/engine/envelope.ts";
import { addVary, sendCompressible, sendUnchanged } from "../../core/http/body.ts";
import { isFresh, tagged } from "../../core/http/cache.ts";
import type { Exchange, Principal } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { formatOf, setKnown, setType } from "../../core/http/formats.ts";
import type { EndpointHandler } from "../../core/http/handler.ts";
import { acceptedAt } from "../../core/http/known.ts";
import { validate } from "../../core/params/validate.ts";

/** Most bytes of the rows of a result, as they are sent. */
const MOST_BYTES = 4_000_000;

/** A query that a client wrote, with what only this endpoint lets it choose. */
export interface OwnQuery {
  readonly organizationId: string;
  readonly sql: string;
  readonly rows: number;
  readonly signal: AbortSignal;
  /** Parties that it counts for in addition to the organization. */
  readonly parties: readonly string[];
  readonly bytes?: number;
  /** What was known, if it is not about the newest data. */
  readonly known?: Known | undefined;
  /** Parameters of the macros. */
  readonly accepted?: Accepted;
}

/** Format in which the process writes its result. */
type Form = { readonly format: "json" } | { readonly format: "csv"; readonly isBrazilian: boolean };

interface Written {
  readonly body: Uint8Array;
  readonly rowCount: number;
  readonly truncated: boolean;
}

export interface Dependencies {
  /** Runs queries that clients wrote; without it their endpoint is not found. */
  readonly query?: ((asked: OwnQuery, form: Form) => Promise<Written>) | undefined;
  /** Examines the data of an organization; without it its endpoint is not found. */
  readonly quality?: { of(settings: Organization, signal: AbortSignal): Promise<object> } | undefined;
  readonly organizations: { settings(id: string): Promise<Organization | undefined> };
  readonly states?: States | undefined;
  readonly now: () => Date;
}

/** Answers `/v1/sql` and `/v1/data-quality`. */
export const ownAnswersFeature = (deps: Dependencies): HttpFeature => ({
  answers: {
    adhoc: (handler) => {
      const own = new OwnAnswers(deps, handler);
      return (exchange, endpoint, principal) => own.sql(exchange, endpoint as AdHocEndpoint, principal);
    },
    quality: (handler) => {
      const own = new OwnAnswers(deps, handler);
      return (exchange, endpoint, principal) => own.quality(exchange, endpoint as QualityEndpoint, principal);
    },
  },
});

/** Answers the endpoints about one organization that are neither declared SQL nor landed rows. */
class OwnAnswers {
  readonly #deps: Dependencies;
  readonly #handler: EndpointHandler;

  constructor(deps: Dependencies, handler: EndpointHandler) {
    this.#deps = deps;
    this.#handler = handler;
  }

  /** Never cached: the same text may have another result after the next derivation, and running it has its own limits. */
  async sql(exchange: Exchange, endpoint: AdHocEndpoint, { clientId, organizationId }: Principal): Promise<void> {
    const { request, response } = exchange;
    const { query } = this.#deps;
    const { accepted, known } = await acceptedAt(this.#deps, endpoint, exchange.sent, organizationId);
    addVary(exchange, "Accept");
    const format = formatOf(request, endpoint, accepted);
    if (!query) throw new ApiError("notFound");
    await known?.ready();
    const { startDate = null, endDate = null, compare = null } = accepted;
    const { body, rowCount, truncated } = await query(
      {
        organizationId,
        known,
        sql: String(accepted.query),
        rows: Number(accepted.limit),
        bytes: MOST_BYTES,
        accepted: { startDate, endDate, compare },
        signal: this.#handler.hangUpOf(exchange),
        parties: [clientId],
      },
      format === "csv" ? { format, isBrazilian: dialectOf(accepted).locale === "pt-BR" } : { format: "json" },
    ).catch(toItsAuthor);
    response.setHeader("Cache-Control", "private, no-store");
    response.setHeader("X-Row-Count", String(rowCount));
    response.setHeader("X-Truncated", String(truncated));
    setKnown(response, known);
    setType(response, { endpoint, format, known });
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
    // JSON is an object; its other members follow.
    const whole =
      known && format === "json" ? Buffer.concat([Buffer.from(`{${knownText(known)},`), bytes.subarray(1)]) : bytes;
    await sendCompressible(exchange, whole);
  }

  async quality(exchange: Exchange, endpoint: QualityEndpoint, { organizationId }: Principal): Promise<void> {
    const { request, response } = exchange;
    const { quality, organizations, now } = this.#deps;
    const accepted = validate(endpoint, exchange.sent, now());
    addVary(exchange, "Accept");
    const format = formatOf(request, endpoint, accepted);
    const settings = await organizations.settings(organizationId);
    if (!quality || !settings) throw new ApiError("notFound");
    const report = await quality.of(settings, this.#handler.hangUpOf(exchange));
    const { body, etag } = await tagged(JSON.stringify(report));
    response.setHeader("ETag", etag);
    if (isFresh(request.headers["if-none-match"], etag)) return sendUnchanged(exchange);
    setType(response, { endpoint, format });
    await sendCompressible(exchange, body);
  }
}

/** The client wrote the query, so it gets the engine's message. */
function toItsAuthor(error: unknown): never {
  if (!(error instanceof QueryError)) throw error;
  throw new ApiError("invalid", [{ parameter: "query", message: error.message }]);
}
