import type { AnyEndpoint } from "../../core/contract/endpoint.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import type { EndpointHandler } from "../../core/http/handler.ts";
import { OrganizationList, type OrganizationListParts } from "../../core/http/organizations.ts";
import { Timing } from "../../core/http/timing.ts";
import { AnswersAhead } from "./answersAhead.ts";

interface Dependencies extends OrganizationListParts {
  readonly endpoints: readonly AnyEndpoint[];
  readonly lookMs?: number;
}

/** Answers made ahead, for a service with a cache. */
export interface Ahead {
  readonly feature: HttpFeature;
  readonly stop: () => Promise<void>;
}

export function answersAhead(deps: Dependencies): Ahead {
  let ahead: AnswersAhead | undefined;
  return {
    feature: {
      begin: ({ handler }) => {
        ahead = new AnswersAhead({ ...deps, lastDayOf: lastDayOf(deps, handler) }, handler);
        ahead.start();
      },
    },
    stop: async () => ahead?.stop(),
  };
}

/** The last day of an organization's data, as the list of organizations has it. */
function lastDayOf(
  deps: Dependencies,
  handler: EndpointHandler,
): (organization: string, leave: AbortSignal) => Promise<string | undefined> {
  const list = new OrganizationList(deps, handler);
  const endpoint = deps.endpoints.find(({ by }) => by === "organizations");
  return async (organization, leave) => {
    if (endpoint?.by !== "organizations") return undefined;
    const client = { clientId: "ahead", organizations: [organization] };
    const caller = { id: "ahead", timing: new Timing(), leaveOf: () => leave };
    const { data } = JSON.parse(await list.text(endpoint, client, caller)) as {
      data: readonly { readonly lastDay: string | null }[];
    };
    return data[0]?.lastDay ?? undefined;
  };
}
