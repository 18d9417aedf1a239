import type { Logger } from "pino";
import type { AnyEndpoint } from "../contract/endpoint.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Logs requests by their paths, times and the names of parameters, but without values and secrets: a value, also in a
 * path, may be an e-mail.
 */
export class RequestLog {
  readonly #log: Logger;
  readonly #names: ReadonlySet<string>;

  constructor(log: Logger, endpoints: readonly AnyEndpoint[]) {
    // Pino's own would add all properties of an error, which may have values.
    this.#log = log.child({}, { serializers: { err: (described: object) => described } });
    this.#names = new Set(endpoints.flatMap(({ params }) => Object.keys(params)));
  }

  /** The line of a request, when its connection has taken the answer or is closed. */
  ended(exchange: Exchange): void {
    const { response, client, tools, refusal, timing } = exchange;
    const status = response.statusCode;
    const isFailure = status >= 500;
    const line = {
      req: this.#described(exchange),
      clientId: client?.clientId,
      tools: tools.length > 0 ? tools : undefined,
      refusal,
      res: { status },
      err: isFailure ? { message: `failed with status code ${status}` } : undefined,
      responseTime: Math.round(timing.total),
    };
    if (isFailure) this.#log.error(line, "request errored");
    else this.#log.info(line, response.writableEnded ? "request completed" : "request aborted");
  }

  /** An error that the service does not expect. The thrown value may be anything. */
  unforeseen(exchange: Exchange, thrown: unknown): void {
    const { name: type, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#log.error({ req: this.#described(exchange), err: { type, message, stack } }, "unforeseen");
  }

  #described({ request, id, path, route, query }: Exchange) {
    // An undeclared name is masked: it may be a value that was sent without a name.
    const names = Object.keys(query).map((name) => (this.#names.has(name) ? name : "…"));
    return { id, method: request.method, path: route?.path ?? wordsIn(path), parameters: [...new Set(names)] };
  }
}

/** The parts of an unknown address that look like words of a path, the others masked: `/v1/crm/…`. */
const wordsIn = (path: string): string =>
  path
    .split("/")
    .map((part) => (/^(v1|[a-z][a-z.-]{0,30})?$/.test(part) ? part : "…"))
    .slice(0, 10)
    .join("/");
