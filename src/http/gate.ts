import type { IncomingMessage } from "node:http";
import type { Verified } from "../access/credentials.ts";
import { presented } from "../access/presented.ts";
import { ApiError } from "../contract/error.ts";
import type { Exchange } from "./exchange.ts";
import { FailureLimit, type Limit, limitRate, SlidingLog } from "./rateLimit.ts";

interface Dependencies {
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  /** Of requests per credential, and of failed credentials per address. */
  readonly limit?: Limit;
  readonly failures?: Limit | undefined;
  /** The client of the Explorer's session, for requests without credentials. */
  readonly session?: (exchange: Exchange) => Promise<Verified | undefined>;
}

/** Admits the requests of clients with credentials, up to their limit. */
export class Gate {
  readonly #credentials: Dependencies["credentials"];
  readonly #limit: Limit;
  readonly #session: Dependencies["session"];
  readonly #failures: FailureLimit;

  constructor({ credentials, limit = new SlidingLog(), failures, session }: Dependencies) {
    this.#credentials = credentials;
    this.#limit = limit;
    this.#failures = new FailureLimit(failures);
    this.#session = session;
  }

  /** The client of the request. Throws `unauthorized`, `tooManyFailures` or `tooMany`. */
  async admit(exchange: Exchange): Promise<Verified> {
    const client = await this.#authenticate(exchange);
    exchange.clientId = client.clientId;
    await limitRate(this.#limit, client.clientId, exchange.response);
    return client;
  }

  /** The same for a share link; undefined is a failure of the address, as wrong credentials are. */
  async admitLink<L extends { readonly id: string }>(exchange: Exchange, link: L | undefined): Promise<L> {
    if (!link) {
      const failure = await this.#failed(exchange.request);
      throw new ApiError(failure === "unauthorized" ? "notFound" : failure);
    }
    exchange.clientId = link.id;
    await limitRate(this.#limit, link.id, exchange.response);
    return link;
  }

  /** Counts one more request of an admitted client: a further message of the same body. */
  count({ clientId = "", response }: Exchange): Promise<void> {
    return limitRate(this.#limit, clientId, response);
  }

  async #authenticate(exchange: Exchange): Promise<Verified> {
    const { request, response } = exchange;
    const inSession = hasCredentials(request) ? undefined : await this.#session?.(exchange);
    if (inSession) return inSession;
    const { clientId, secret } = presented(request);
    const client = await this.#credentials.verify(clientId, secret);
    if (client) return client;
    const refusal = await this.#failed(request);
    if (refusal === "unauthorized") response.setHeader("WWW-Authenticate", challengesTo(request));
    throw new ApiError(refusal);
  }

  /** The same for a sign-in to the Explorer: the error to answer. */
  async failed({ request }: Exchange): Promise<ApiError> {
    return new ApiError(await this.#failed(request));
  }

  /** Counts a failure of the address. */
  async #failed({ socket }: IncomingMessage): Promise<"unauthorized" | "tooManyFailures"> {
    return (await this.#failures.exceeded(socket.remoteAddress ?? "")) ? "tooManyFailures" : "unauthorized";
  }
}

/**
 * The schemes that a client may use [RFC 9110]. A browser asks for a password when it is offered `Basic`, and then sends it
 * with everything: it is offered to programs only, some of which send a password only then.
 */
function challengesTo({ headers }: IncomingMessage): string[] {
  const isOffered = !["x-client-id", "x-client-secret", "sec-fetch-mode"].some((name) => headers[name] !== undefined);
  return ['Bearer realm="lucra"', ...(isOffered ? ['Basic realm="lucra", charset="UTF-8"'] : [])];
}

/** Whether the request carries credentials of its own: then its cookie means nothing. */
const hasCredentials = ({ headers }: IncomingMessage): boolean =>
  ["x-client-id", "x-client-secret", "authorization"].some((name) => headers[name] !== undefined);
