import { isLoopbackHost } from "./redirects.ts";

/** Where agents sign in [D97]: the issuer is LUCRA_PUBLIC_URL, the resource its `/mcp`. Nothing of it is what a request says. */
export interface AgentPlace {
  readonly issuer: string;
  readonly resource: string;
  /** Paths of the two metadata documents: with the path of what they describe, and without. */
  readonly resourceMetadata: readonly string[];
  readonly issuerMetadata: readonly string[];
  /** The challenge of a 401 of `/mcp`. */
  readonly challenge: string;
}

export const SCOPE = "read";
export const OAUTH = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
const ISSUER_METADATA = "/.well-known/oauth-authorization-server";

/** Undefined where agents cannot sign in: tokens would be sent in clear text. */
export function agentPlaceOf(publicUrl: string): AgentPlace | undefined {
  const { protocol, hostname, origin, pathname } = new URL(publicUrl);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) return undefined;
  const path = pathname === "/" ? "" : pathname;
  const resourceMetadata = `${RESOURCE_METADATA}${path}/mcp`;
  return {
    issuer: publicUrl,
    resource: `${publicUrl}/mcp`,
    resourceMetadata: [resourceMetadata, RESOURCE_METADATA],
    issuerMetadata: [...new Set([`${ISSUER_METADATA}${path}`, ISSUER_METADATA])],
    challenge: `Bearer realm="lucra", resource_metadata="${origin}${resourceMetadata}", scope="${SCOPE}"`,
  };
}

/** RFC 9728. */
export const resourceMetadataOf = ({ issuer, resource }: AgentPlace): object => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [SCOPE],
  bearer_methods_supported: ["header"],
  resource_name: "Lucra",
});

/** RFC 8414. */
export const issuerMetadataOf = ({ issuer, resource }: AgentPlace): object => ({
  issuer,
  authorization_endpoint: issuer + OAUTH.authorize,
  token_endpoint: issuer + OAUTH.token,
  registration_endpoint: issuer + OAUTH.register,
  revocation_endpoint: issuer + OAUTH.revoke,
  scopes_supported: [SCOPE],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resource],
});

/** Whether a client means our resource, which it may leave out. */
export const isResource = ({ resource }: AgentPlace, sent: string | undefined): boolean =>
  sent === undefined || (URL.canParse(sent) && new URL(sent).href === new URL(resource).href);

/** Whether the scopes that a client asks for have the only one that there is. */
export const hasScope = (sent: string | undefined): boolean => sent === undefined || sent.split(" ").includes(SCOPE);
