import express, { type Response, type Router } from "express";
import { SECRET } from "../../core/access/secret.ts";
import { ApiError } from "../../core/contract/error.ts";
import { organizations as listEndpoint } from "../../core/endpoints/organizations.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { Http, HttpFeature } from "../../core/http/feature.ts";
import { OrganizationList, type OrganizationListParts } from "../../core/http/organizations.ts";
import { SlidingLog } from "../../core/http/rateLimit.ts";
import { addressIn, askedBy, withoutSections } from "./shared.ts";
import type { Share, Shares } from "./shares.ts";

const PATH = "/shared";
/** The token is in a header: no log and no history of a browser has it. */
const HEADER = "x-lucra-share";
/** Requests of one share in 60 seconds, by all its readers. */
const LIMIT = 300;

interface Dependencies extends OrganizationListParts {
  readonly shares: Shares;
  /** Whether openings can be counted. */
  readonly writes: boolean;
}

/** What a share opens, for who has its address and no account [D94]. One that does not work is answered like none. */
export const sharesFeature = (deps: Dependencies): HttpFeature => ({
  paths: [PATH, `${PATH}/answer`],
  routes: (http) => sharedRouter(deps, http),
});

function sharedRouter(deps: Dependencies, http: Http): Router {
  const limit = new SlidingLog(LIMIT);
  const list = new OrganizationList(deps, http.handler);
  const router = express.Router({ caseSensitive: true, strict: true });

  const shareOf = async (exchange: Exchange): Promise<Share> => {
    const { request, response } = exchange;
    response.setHeader("X-Robots-Tag", "noindex");
    response.setHeader("Cache-Control", "no-store");
    const token = headerOf(request, HEADER);
    const share = await deps.shares.find(SECRET.test(token) ? token : "");
    if (!share || !(await deps.organizations.settings(share.organization))) {
      await http.authenticator.countFailure(exchange);
      throw new ApiError("notFound");
    }
    exchange.client = { clientId: share.id, organizations: [share.organization] };
    if (limit.increment(share.id).totalHits > limit.limit) throw new ApiError("tooMany");
    return share;
  };

  router.get(PATH, async (_request, response) => {
    const exchange = exchangeOf(response);
    const share = await shareOf(exchange);
    const { organization: id, name, page, sections, knownAt = null, expiresAt } = share;
    const text = await list.text(listEndpoint, { clientId: share.id, organizations: [id] }, callerOf(exchange, http));
    const [about] = (JSON.parse(text) as { data: Record<string, unknown>[] }).data;
    if (deps.writes) deps.shares.opened(share);
    send(response, JSON.stringify({ name, page, sections, knownAt, expiresAt, organization: aboutOf(about ?? {}) }));
  });

  router.get(`${PATH}/answer`, async (_request, response) => {
    const exchange = exchangeOf(response);
    const share = await shareOf(exchange);
    const { address: sent } = exchange.query;
    const address = typeof sent === "string" ? addressIn(sent) : undefined;
    const asked = address !== undefined && share.answers.includes(address) ? askedBy(address) : undefined;
    if (address === undefined || !asked) throw new ApiError("notFound");
    const principal = { clientId: share.id, organizationId: share.organization };
    const known = share.knownAt === undefined ? {} : { knownAt: share.knownAt };
    const caller = callerOf(exchange, http);
    const { body } = await http.handler
      .ask(asked.endpoint, { ...asked.sent, ...known }, principal, caller)
      .catch(orGone);
    send(response, withoutSections(address, body, share.sections));
  });
  return router;
}

/** A pin that is gone, or an address that a newer version refuses, is no fault of the reader's. */
function orGone(error: unknown): never {
  throw error instanceof ApiError && error.kind === "invalid" ? new ApiError("notFound") : error;
}

const callerOf = (exchange: Exchange, { handler }: Http) => {
  const { id, timing } = exchange;
  let hangUp: AbortSignal | undefined;
  const leaveOf = (): AbortSignal => {
    hangUp ??= handler.hangUpOf(exchange);
    return hangUp;
  };
  return { id, timing, leaveOf };
};

/** What a page needs to know of an organization: nothing that only its settings say. */
const aboutOf = ({
  id,
  name,
  state,
  locale,
  currency,
  timezones,
  firstDay,
  lastDay,
  asOf,
  connectors,
}: Record<string, unknown>) => ({
  id,
  name,
  state,
  locale,
  currency,
  timezones,
  firstDay,
  lastDay,
  asOf,
  connectors,
  targets: { cac: null, ltvCacRatio: null, margin: null, revenue: null, contribution3: null, profit: null },
  notes: [],
});

function send(response: Response, body: string | Buffer): void {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end(body);
}
