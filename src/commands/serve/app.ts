import type { RequestListener } from "node:http";
import { type HttpServiceParts as CoreParts, createApp } from "../../core/http/app.ts";
import type { Bearer } from "../../core/http/authenticator.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { type Dependencies as OwnAnswers, ownAnswersFeature } from "../../features/adhoc/routes.ts";
import type { Ahead } from "../../features/ahead/feature.ts";
import { explorer } from "../../features/explorer/routes.ts";
import type { Link } from "../../features/links/links.ts";
import { linksFeature } from "../../features/links/routes.ts";
import type { ToolBackendDependencies, ToolDependencies } from "../../features/mcp/backend.ts";
import { mcpFeature } from "../../features/mcp/routes.ts";
import { sessionsFeature } from "../../features/people/sessionRoutes.ts";
import type { Sessions } from "../../features/people/sessions.ts";
import { type PinsDependencies, pinsFeature } from "../../features/pins/routes.ts";

/** Parts that the features of the service need; an absent part turns a feature off. */
interface FeatureParts
  extends OwnAnswers,
    Partial<Pick<PinsDependencies, "pins">>,
    Omit<ToolBackendDependencies, "tools"> {
  readonly credentials: Parameters<typeof sessionsFeature>[0]["credentials"];
  /** Absent if the operator has not turned share links on. */
  readonly links?: { find(token: string): Promise<Link | undefined> } | undefined;
  /** The Explorer's sessions; without them nobody can sign in there. */
  readonly sessions?: Sessions;
  /** What people do: sign in, and change. Absent if the operator has turned the platform off. */
  readonly platform?:
    | { readonly mail: boolean; readonly features: readonly HttpFeature[]; readonly agents?: Bearer | undefined }
    | undefined;
  /** Absent if the operator has turned the tools off. */
  readonly tools?: ToolDependencies | undefined;
  /** Absent without a cache of answers. */
  readonly ahead?: Ahead | undefined;
  /** Folder of the built Explorer, if it is not the default one. */
  readonly explorer?: string;
}

/** The features of the service's HTTP, in the order in which a request is offered to them. */
function httpFeatures(parts: FeatureParts): HttpFeature[] {
  const { ahead, links, pins, platform, sessions, tools } = parts;
  return [
    ownAnswersFeature(parts),
    ...(pins ? [pinsFeature({ ...parts, pins })] : []),
    ...(links ? [linksFeature({ ...parts, links })] : []),
    ...(tools ? [mcpFeature({ ...parts, tools, agents: platform?.agents })] : []),
    ...(sessions ? [sessionsFeature({ ...parts, sessions, signIn: platform && { mail: platform.mail } })] : []),
    ...(platform?.features ?? []),
    ...(ahead ? [ahead.feature] : []),
    { pages: () => explorer(parts.explorer) },
  ];
}

export type ServiceParts = Omit<CoreParts, "features"> & FeatureParts;

/** The service: the core's endpoints and pages, with those of the features. */
export const serviceApp = (parts: ServiceParts): RequestListener =>
  createApp({ ...parts, features: httpFeatures(parts) });
