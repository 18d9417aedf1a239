import type { Verified } from "../access/credentials.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import { canonicalId, UUID } from "../contract/param.ts";
import { type Exchange, headerOf } from "./exchange.ts";
import { refuseOtherMethods, refuseUndecodable } from "./failure.ts";
import type { EndpointHandler } from "./handler.ts";
import { FailureLimit, limitRate, SlidingLog } from "./rateLimit.ts";

interface Dependencies {
  readonly endpoints: readonly Endpoint[];
  readonly credentials: { verify(clientId: string, secret: string): Promise<Verified | undefined> };
  readonly organizations: { has(id: string): Promise<boolean> };
  readonly limit?: SlidingLog;
}

/** Whether the path is below `/v1`, where every request needs credentials. */
export const isOfApi = (path: string): boolean => path === "/v1" || path.startsWith("/v1/");

/** `/v1/products/categories` → `products`. */
const familyOf = (path: string): string => path.split("/")[2] ?? "";

/** Answers the requests below `/v1`. */
export class Api {
  readonly #deps: Dependencies;
  readonly #handler: EndpointHandler;
  readonly #limit: SlidingLog;
  readonly #failures = new FailureLimit();
  /** Families whose endpoints declare `organizationId` as a UUID. */
  readonly #strict: ReadonlySet<string>;

  constructor(deps: Dependencies, handler: EndpointHandler) {
    const strict = deps.endpoints.filter(({ params }) => params.organizationId?.kind === "uuid");
    this.#deps = deps;
    this.#handler = handler;
    this.#limit = deps.limit ?? new SlidingLog();
    this.#strict = new Set(strict.map(({ path }) => familyOf(path)));
  }

  /** Checks the request in the order of [D41], then answers it. */
  async answer(exchange: Exchange): Promise<void> {
    const { clientId, organizations } = await this.#authenticate(exchange);
    exchange.clientId = clientId;
    limitRate(this.#limit, clientId, exchange.response);
    refuseOtherMethods(exchange);
    const organizationId = this.#organizationOf(exchange);
    await this.#authorize(organizations, organizationId);
    refuseUndecodable(exchange);
    const endpoint = exchange.route?.endpoint;
    if (!endpoint) throw new ApiError("notFound");
    await this.#handler.answer(exchange, endpoint, { clientId, organizationId });
  }

  async #authenticate({ request }: Exchange): Promise<Verified> {
    const client = await this.#deps.credentials.verify(
      headerOf(request, "x-client-id"),
      headerOf(request, "x-client-secret"),
    );
    if (client) return client;
    const isBlocked = this.#failures.exceeded(request.socket.remoteAddress ?? "");
    throw new ApiError(isBlocked ? "tooManyFailures" : "unauthorized");
  }

  /** `organizationId` [D45]: a UUID if the endpoints of the family declare it as one, else any short text. */
  #organizationOf({ path, query }: Exchange): string {
    const id = query.organizationId;
    const message = organizationFault(id, this.#strict.has(familyOf(path)));
    if (message) throw new ApiError("invalid", [{ parameter: "organizationId", message }]);
    return canonicalId(String(id));
  }

  /** An organization that does not exist gets the same answer as one that the credentials are not bound to. */
  async #authorize(bound: readonly string[], organizationId: string): Promise<void> {
    const isAllowed = bound.includes(organizationId) && (await this.#deps.organizations.has(organizationId));
    if (!isAllowed) throw new ApiError("forbidden");
  }
}

function organizationFault(id: unknown, strict: boolean): string | undefined {
  if (Array.isArray(id)) return wording.repeated;
  if (typeof id !== "string" || id === "") return wording.missing("organizationId");
  if (id.length > 128) return "organizationId deve ter no máximo 128 caracteres.";
  return strict && !UUID.test(id) ? "organizationId deve ser um UUID." : undefined;
}
