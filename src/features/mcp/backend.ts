import type { Verified } from "../../core/access/credentials.ts";
import type { AnyEndpoint } from "../../core/contract/endpoint.ts";
import { ApiError } from "../../core/contract/error.ts";
import type { States } from "../../core/contract/generations.ts";
import { withStates } from "../../core/endpoints/formats.ts";
import { type Principal, principalOf as principalFor } from "../../core/http/exchange.ts";
import type { Caller, EndpointHandler } from "../../core/http/handler.ts";
import { knownIn } from "../../core/http/known.ts";
import {
  OrganizationList,
  type OrganizationListParts as OrganizationListDependencies,
  organizationEntryOf,
} from "../../core/http/organizations.ts";
import { Timing } from "../../core/http/timing.ts";
import type { OwnQuery } from "../adhoc/routes.ts";
import { type Listed, type Rows, type Then, type ToolBackend, ToolError, type View } from "./tool.ts";

/** Services that tools need in addition to the endpoints. */
export interface ToolDependencies {
  readonly views: readonly View[];
  /** Runs queries of clients' own. */
  readonly query?: (asked: OwnQuery) => Promise<Rows>;
}

export interface ToolBackendDependencies extends OrganizationListDependencies {
  readonly endpoints: readonly AnyEndpoint[];
  readonly states?: States | undefined;
  readonly tools: ToolDependencies;
}

/** Access of the tools for a client: only to organizations that its credentials are bound to. */
export function toolBackendOf(
  deps: ToolBackendDependencies,
  handler: EndpointHandler,
  client: Verified,
  requestId: string,
  leave: AbortSignal,
): ToolBackend {
  const { organizations } = client;
  const { now, tools } = deps;
  const list = new OrganizationList(deps, handler);
  // Several answers may be computed at once: each has times of its own.
  const caller = (): Caller => ({ id: requestId, timing: new Timing(), leaveOf: () => leave });
  const principalOf = (organizationId: string): Principal => {
    if (!organizations.includes(organizationId)) throw new ApiError("forbidden");
    return principalFor(client, organizationId);
  };
  const entries = deps.endpoints.find((one) => one.by === "organizations");
  return {
    now,
    leave,
    views: tools.views,
    names: () => list.names(client),
    organizations: async (ids) => {
      if (!entries) return [];
      const readable = { ...client, organizations: ids.map((id) => principalOf(id).organizationId) };
      const { data } = JSON.parse(await list.text(entries, readable, caller())) as { data: readonly Listed[] };
      return data;
    },
    known: async (organizationId, knownAt) => {
      if (!entries) throw new ApiError("notFound");
      const entry = withStates(organizationEntryOf(entries));
      const principal = principalOf(organizationId);
      const { organizationName } = await knownIn(deps, organizationId, knownAt);
      const { body } = await handler.ask(entry, { knownAt }, principal, caller());
      return { name: organizationName, ...JSON.parse(body.toString()) } as Then;
    },
    ask: async (organizationId, endpoint, sent) => handler.ask(endpoint, sent, principalOf(organizationId), caller()),
    query: async (organizationId, { sql, rows, knownAt }) => {
      const principal = principalOf(organizationId);
      const { query } = tools;
      if (!query)
        throw new ToolError({
          pt: "As consultas em SQL não estão disponíveis neste serviço.",
          en: "SQL is not available at this service.",
        });
      const known = knownAt === undefined ? undefined : await knownIn(deps, principal.organizationId, knownAt);
      await known?.ready();
      return query({
        organizationId: principal.organizationId,
        sql,
        rows,
        known,
        signal: leave,
        parties: [principal.clientId],
      });
    },
  };
}
