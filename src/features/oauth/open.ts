import type { Logger } from "pino";
import type { Config } from "../../core/config.ts";
import type { Bearer } from "../../core/http/authenticator.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import type { HourlyRequests } from "../../core/http/networkAddress.ts";
import type { Resource } from "../platform/resource.ts";
import { Networks } from "../webhooks/networks.ts";
import { agentBearer } from "./access.ts";
import type { Agents } from "./agents.ts";
import { OauthClients } from "./clients.ts";
import { fetchDocument } from "./metadataDocument.ts";
import { agentPlaceOf } from "./place.ts";
import { type AgentParts, agentResources } from "./resources.ts";
import { oauthFeature } from "./routes.ts";

interface Options {
  readonly config: Pick<
    Config,
    "dataDir" | "publicUrl" | "hasPublicUrl" | "mcp" | "webhookNetworks" | "trustedProxies"
  >;
  readonly agents: Agents;
  readonly access: AgentParts["access"];
  readonly namesOf: (organizations: readonly string[]) => Promise<readonly string[]>;
  readonly readOnly: boolean;
  readonly log: Logger;
  readonly clock?: () => number;
  readonly registrations?: HourlyRequests;
  /** A further authority whose certificates are taken. */
  readonly ca?: string;
}

interface Opened {
  readonly resources: readonly Resource[];
  readonly feature: HttpFeature;
  readonly bearer: Bearer;
}

/** How agents sign in [D97]; undefined where they cannot. */
export function openAgents(options: Options): Opened | undefined {
  const { config, agents, access, namesOf, clock, ca } = options;
  const { dataDir, trustedProxies } = config;
  const place = config.hasPublicUrl && config.mcp ? agentPlaceOf(config.publicUrl) : undefined;
  if (!place) return undefined;
  const networks = new Networks(config.webhookNetworks);
  const clients = new OauthClients(dataDir, {
    fetchDocument: (address) => fetchDocument(address, networks, ca === undefined ? {} : { ca }),
    ...(clock === undefined ? {} : { clock }),
  });
  const parts = { place, access, agents, clients };
  return {
    resources: agentResources({ ...parts, namesOf }),
    feature: oauthFeature({ ...options, ...parts, trustedProxies }),
    bearer: agentBearer(parts),
  };
}
