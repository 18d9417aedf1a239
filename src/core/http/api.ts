import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import type { Verified } from "../access/credentials.ts";
import type { AnyEndpoint, Endpoint, OrganizationsEndpoint } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import { canonicalId, UUID } from "../contract/param.ts";
import { type Exchange, exchangeOf, type Principal, principalOf } from "./exchange.ts";
import { refuseUndecodable } from "./failure.ts";
import type { Answerer, HttpFeature } from "./feature.ts";
import type { EndpointHandler } from "./handler.ts";
import { type OrganizationListParts as ListDependencies, OrganizationList } from "./organizations.ts";

interface Dependencies extends ListDependencies {
  readonly endpoints: readonly AnyEndpoint[];
  readonly organizations: { has(id: string): Promise<boolean> } & ListDependencies["organizations"];
  readonly features?: readonly HttpFeature[];
}

/** The paths of the API, where every request needs credentials. */
export const API = /^\/v1(?=\/|$)/;

/** `/v1/products/categories` → `products`. */
const familyOf = (path: string): string => path.split("/")[2] ?? "";

type OfOne = Exclude<AnyEndpoint, OrganizationsEndpoint>;
const isOfOne = (endpoint: AnyEndpoint): endpoint is OfOne => endpoint.by !== "organizations";

/**
 * The endpoints, for requests of verified clients, in the order of [D41]: first what a client may read, then what it asks
 * for. `/v1` and the share links lead here.
 */
export function apiRouter(deps: Dependencies, handler: EndpointHandler): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const list = new OrganizationList(deps, handler);
  for (const endpoint of deps.endpoints) {
    if (isOfOne(endpoint)) continue;
    router.get(endpoint.path, (request, response) => {
      const exchange = askedIn(request, response);
      return list.answer(exchange, endpoint, clientOf(exchange));
    });
  }
  router.use(authorize(deps));
  const answerer = answererOf(deps, handler);
  for (const endpoint of fixedFirst(deps.endpoints.filter(isOfOne))) {
    const answer = answerer(endpoint);
    router.get(endpoint.path, (request, response) => {
      const exchange = askedIn(request, response);
      return answer(exchange, endpoint, principalIn(exchange));
    });
  }
  return router.use(() => {
    throw new ApiError("notFound");
  });
}

/** Who answers an endpoint: a feature, or the one handler of those that the engine answers. */
function answererOf({ features = [] }: Dependencies, handler: EndpointHandler): (endpoint: OfOne) => Answerer {
  const notFound: Answerer = () => Promise.reject(new ApiError("notFound"));
  return ({ by }) => {
    if (by !== "adhoc" && by !== "quality" && by !== "pins")
      return (exchange, endpoint, principal) => handler.answer(exchange, endpoint as Endpoint, principal);
    return features.flatMap(({ answers }) => answers?.[by] ?? [])[0]?.(handler) ?? notFound;
  };
}

/** `/v1/products/categories` is not a product. */
const fixedFirst = <E extends AnyEndpoint>(endpoints: readonly E[]): E[] => [
  ...endpoints.filter(({ path }) => !path.includes(":")),
  ...endpoints.filter(({ path }) => path.includes(":")),
];

/** The exchange with the values in the path. The parameters have no prototype, since they may have any name. */
function askedIn({ params }: Request, response: Response): Exchange {
  const exchange = exchangeOf(response);
  if (Object.keys(params).length > 0) exchange.sent = Object.assign(Object.create(null), exchange.sent, params);
  return exchange;
}

function clientOf({ client }: Exchange): Verified {
  if (!client) throw new ApiError("unauthorized");
  return client;
}

function principalIn({ principal }: Exchange): Principal {
  if (!principal) throw new ApiError("forbidden");
  return principal;
}

/** An organization that does not exist gets the same answer as one that the credentials are not bound to. */
function authorize({ endpoints, organizations }: Dependencies): RequestHandler {
  const strict = endpoints.filter(({ params }) => params.organizationId?.kind === "uuid");
  /** Families whose endpoints declare `organizationId` as a UUID. */
  const families = new Set(strict.map(({ path }) => familyOf(path)));
  return async (request, response, next) => {
    const exchange = exchangeOf(response);
    const { path } = request;
    const client = clientOf(exchange);
    const organizationId = organizationIn(exchange.sent.organizationId, families.has(familyOf(path)));
    const isAllowed = client.organizations.includes(organizationId) && (await organizations.has(organizationId));
    if (!isAllowed) throw new ApiError("forbidden");
    exchange.principal = principalOf(client, organizationId);
    refuseUndecodable({ path });
    next();
  };
}

/** `organizationId` [D45]: a UUID if the endpoints of the family declare it as one, else any short text. */
function organizationIn(id: unknown, isStrict: boolean): string {
  const message = organizationFault(id, isStrict);
  if (message) throw new ApiError("invalid", [{ parameter: "organizationId", message }]);
  return canonicalId(String(id));
}

function organizationFault(id: unknown, isStrict: boolean): string | undefined {
  if (Array.isArray(id)) return wording.repeated;
  if (typeof id !== "string" || id === "") return wording.missing("organizationId");
  if (id.length > 128) return "organizationId deve ter no máximo 128 caracteres.";
  return isStrict && !UUID.test(id) ? "organizationId deve ser um UUID." : undefined;
}
