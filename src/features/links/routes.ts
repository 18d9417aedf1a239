import { parse, stringify } from "node:querystring";
import express, { type RequestHandler, type Router } from "express";
import { tokenIn } from "../../core/access/presented.ts";
import type { AnyEndpoint } from "../../core/contract/endpoint.ts";
import { ApiError } from "../../core/contract/error.ts";
import { wording } from "../../core/contract/failures.ts";
import type { Known, States } from "../../core/contract/generations.ts";
import { isSent } from "../../core/contract/param.ts";
import type { Organization } from "../../core/contract/settings.ts";
import type { Authenticator } from "../../core/http/authenticator.ts";
import { exchangeOf } from "../../core/http/exchange.ts";
import { refuseOtherMethods, refuseUndecodable } from "../../core/http/failure.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { formatOf } from "../../core/http/formats.ts";
import { knownIn } from "../../core/http/known.ts";
import { type FindRoute, type Route, valuesIn } from "../../core/http/routes.ts";
import { addressed } from "../../core/params/explained.ts";
import { PIN_NAME } from "../../core/params/known.ts";
import { type DataClock, withLastDays } from "../../core/params/shared.ts";
import { type Sent, validate } from "../../core/params/validate.ts";
import { addressOf, LINK_ROUTE, type Link, type Shared } from "./links.ts";

interface Dependencies {
  readonly links: { find(token: string): Promise<Link | undefined> };
  readonly organizations: { settings(id: string): Promise<Organization | undefined> };
  readonly states?: States | undefined;
  readonly now: () => Date;
}

/** The request that a link makes. */
interface LinkedRequest {
  readonly path: string;
  readonly query: Sent;
  readonly route: Route & { readonly endpoint: AnyEndpoint };
}

/**
 * Leads share links [D57] to their endpoints: each is one request with fixed parameters, for tools that can send nothing but
 * an address. The link of an organization that is removed is answered like one that never was.
 */
export const linksFeature = (deps: Dependencies): HttpFeature => ({
  paths: [LINK_ROUTE],
  routes: ({ authenticator, endpoints, find }) => linkRouter(deps, authenticator, endpoints, find),
});

function linkRouter(
  deps: Dependencies,
  authenticator: Authenticator,
  endpoints: RequestHandler,
  find: FindRoute,
): Router {
  const { links, organizations } = deps;
  const follow: RequestHandler = async (request, response, next) => {
    const exchange = exchangeOf(response);
    response.setHeader("X-Robots-Tag", "noindex");
    const token = tokenIn(request.path);
    const found = await links.find(request.path === addressOf(token) ? token : "");
    const settings = await organizations.settings(found?.organization ?? "");
    if (!found || !settings) {
      await authenticator.countFailure(exchange);
      throw new ApiError("notFound");
    }
    exchange.client = { clientId: found.id, organizations: [found.organization] };
    await authenticator.count(exchange);
    refuseOtherMethods(request);
    const known =
      found.knownAt === undefined
        ? undefined
        : await knownIn(deps, found.organization, found.knownAt).catch(orGone(found.knownAt));
    const linked = linkedRequest(found, clockOf(deps, settings, known), find);
    refuseOthers(linked, exchange.query);
    exchange.sent = linked.query;
    request.url = linked.path;
    next();
  };
  return express.Router().all(/^\/links\//, follow, endpoints);
}

/** A pin that is gone is no fault of the request. */
const orGone =
  (knownAt: string) =>
  (error: unknown): never => {
    if (PIN_NAME.test(knownAt) && error instanceof ApiError && error.kind === "invalid") throw new ApiError("notFound");
    throw error;
  };

/** The clock of an organization now, or that of what was known. */
const clockOf = (
  { now }: Pick<Dependencies, "now">,
  { integrations = [] }: Organization,
  known: Known | undefined,
): DataClock =>
  known
    ? { now: new Date(known.knownAt), timezones: known.timezones }
    : { now: now(), timezones: integrations.map(({ timezone = "UTC" }) => timezone) };

/** The request of a link now. Fails with `notFound` if this version has no such endpoint. */
function linkedRequest(
  { organization, endpoint: address, days, knownAt }: Shared,
  clock: DataClock,
  find: FindRoute,
): LinkedRequest {
  const { path, query: own } = partsOf(address);
  const route = find(path);
  if (!route?.endpoint) throw new ApiError("notFound");
  const { endpoint } = route;
  const dated = days === undefined ? own : withLastDays(endpoint, own, days, clock);
  const named = "organizationId" in endpoint.params ? { ...dated, organizationId: organization } : dated;
  const query = knownAt === undefined ? named : { ...named, knownAt };
  return { path, query, route: { ...route, endpoint } };
}

const partsOf = (address: string): { path: string; query: Sent } => {
  const [path = ""] = address.split("?", 1);
  return { path, query: parse(address.slice(path.length + 1)) };
};

interface Wanted {
  readonly address: string;
  readonly settings: Organization;
  readonly days?: number | undefined;
  readonly knownAt?: string | undefined;
}

/**
 * What a link to an address stores. `organizationId` and `knownAt` may be among its parameters, and are kept apart. Fails like
 * a request for it would.
 */
export async function shared(
  { address, settings, days, knownAt }: Wanted,
  deps: Pick<Dependencies, "states" | "now">,
  find: FindRoute,
): Promise<Shared> {
  const { organizationId: organization } = settings;
  const { path, query } = partsOf(address);
  const { organizationId = organization, knownAt: inAddress, ...own } = query;
  if (typeof organizationId !== "string" || organizationId.toLowerCase() !== organization) {
    throw new ApiError("invalid", [{ parameter: "organizationId", message: wording.otherOrganization }]);
  }
  refuseUndecodable({ path });
  const text = stringify(own as Record<string, string | readonly string[]>);
  if (inAddress !== undefined && knownAt !== undefined) {
    throw new ApiError("invalid", [{ parameter: "knownAt", message: wording.repeated }]);
  }
  const sent = knownAt ?? inAddress;
  const known = sent === undefined ? undefined : await knownIn(deps, organization, sent);
  const link: Shared = {
    organization,
    endpoint: text === "" ? path : `${path}?${text}`,
    ...(days === undefined ? {} : { days }),
    // A pin may be removed later, and a day is no instant.
    ...(known ? { knownAt: PIN_NAME.test(String(sent)) ? String(sent) : known.knownAt } : {}),
  };
  const clock = clockOf(deps, settings, known);
  const { query: asked, route } = linkedRequest(link, clock, find);
  if (known && !Object.hasOwn(route.endpoint.params, "knownAt")) {
    throw new ApiError("invalid", [{ parameter: "knownAt", message: wording.unknown(undefined) }]);
  }
  const accepted = validate(route.endpoint, { ...asked, ...valuesIn(path, route) }, clock.now);
  formatOf({ headers: {} }, route.endpoint, accepted);
  return link;
}

/** Refuses parameters of the endpoint, which would look as if they counted. Others are ignored: tools add some against caches. */
function refuseOthers({ route: { endpoint }, query }: LinkedRequest, sent: Sent): void {
  const about = endpoint.by === "explain" ? addressed(endpoint.of, String(query.endpoint))?.endpoint : undefined;
  const declared = Object.entries({ ...about?.params, ...endpoint.params }).filter(([, param]) => isSent(param));
  const known = new Set(["organizationId", ...declared.map(([name]) => name)]);
  const refused = Object.keys(sent).filter((name) => known.has(name));
  if (refused.length > 0) {
    throw new ApiError(
      "invalid",
      refused.map((parameter) => ({ parameter, message: wording.fixed })),
    );
  }
}
