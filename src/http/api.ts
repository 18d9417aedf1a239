import type { Verified } from "../access/credentials.ts";
import type { AnyEndpoint } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import { canonicalId, UUID } from "../contract/param.ts";
import type { Exchange } from "./exchange.ts";
import { refuseOtherMethods, refuseUndecodable } from "./failure.ts";
import type { Gate } from "./gate.ts";
import type { EndpointHandler } from "./handler.ts";
import { type Dependencies as ListDependencies, OrganizationList } from "./organizations.ts";
import { OwnAnswers, type Dependencies as OwnDependencies } from "./own.ts";

interface Dependencies extends ListDependencies, OwnDependencies {
  readonly endpoints: readonly AnyEndpoint[];
  readonly organizations: { has(id: string): Promise<boolean> } & ListDependencies["organizations"];
}

/** Whether the path is below `/v1`, where every request needs credentials. */
export const isOfApi = (path: string): boolean => path === "/v1" || path.startsWith("/v1/");

/** `/v1/products/categories` → `products`. */
const familyOf = (path: string): string => path.split("/")[2] ?? "";

/** Answers the requests below `/v1`. */
export class Api {
  readonly #deps: Dependencies;
  readonly #gate: Gate;
  readonly #handler: EndpointHandler;
  readonly #list: OrganizationList;
  readonly #own: OwnAnswers;
  /** Families whose endpoints declare `organizationId` as a UUID. */
  readonly #strict: ReadonlySet<string>;

  constructor(deps: Dependencies, gate: Gate, handler: EndpointHandler) {
    const strict = deps.endpoints.filter(({ params }) => params.organizationId?.kind === "uuid");
    this.#deps = deps;
    this.#gate = gate;
    this.#handler = handler;
    this.#list = new OrganizationList(deps, handler);
    this.#own = new OwnAnswers(deps, handler);
    this.#strict = new Set(strict.map(({ path }) => familyOf(path)));
  }

  /** Checks the request in the order of [D41], then answers it. */
  async answer(exchange: Exchange): Promise<void> {
    const client = await this.#gate.admit(exchange);
    refuseOtherMethods(exchange);
    await this.answerTo(client, exchange);
  }

  /** What the client may read of what it asks for. */
  async answerTo(client: Verified, exchange: Exchange): Promise<void> {
    const endpoint = exchange.route?.endpoint;
    if (endpoint?.shape === "organizations") return this.#list.answer(exchange, endpoint, client);
    const { clientId, organizations } = client;
    const organizationId = this.#organizationOf(exchange);
    await this.#authorize(organizations, organizationId);
    refuseUndecodable(exchange);
    if (!endpoint) throw new ApiError("notFound");
    const asker = { clientId, organizationId };
    if (endpoint.shape === "sql" || endpoint.shape === "quality") return this.#own.answer(exchange, endpoint, asker);
    await this.#handler.answer(exchange, endpoint, asker);
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
