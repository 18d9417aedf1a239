import type { Endpoint } from "../../core/contract/endpoint.ts";
import { allEndpoints } from "../../core/endpoints/index.ts";
import type { EndpointHandler } from "../../core/http/handler.ts";
import { OrganizationList, type OrganizationListParts } from "../../core/http/organizations.ts";
import { Timing } from "../../core/http/timing.ts";

/** Asks an endpoint of the API about one organization, and returns its answer. */
export type Ask = <T>(path: string, params: Readonly<Record<string, string>>) => Promise<T>;

/** The same answers as a client gets. */
export function askOf(
  handler: EndpointHandler,
  parts: OrganizationListParts,
  organization: string,
  signal: AbortSignal,
): Ask {
  const list = new OrganizationList(parts, handler);
  return async <T>(path: string, params: Readonly<Record<string, string>>): Promise<T> => {
    const endpoint = allEndpoints.find((one) => one.path === path);
    const caller = { id: "letters", timing: new Timing(), leaveOf: () => signal };
    if (endpoint?.by === "organizations") {
      const client = { clientId: "letters", organizations: [organization] };
      return JSON.parse(await list.text(endpoint, client, caller)) as T;
    }
    if (!endpoint) throw new Error(`no endpoint ${path}`);
    const principal = { clientId: "letters", organizationId: organization };
    const { body } = await handler.ask(endpoint as Endpoint, params, principal, caller);
    return JSON.parse(body.toString()) as T;
  };
}
