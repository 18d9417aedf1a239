import type { IncomingMessage } from "node:http";
import type { Verified } from "../../core/access/credentials.ts";
import type { Bearer } from "../../core/http/authenticator.ts";
import type { AgentParts } from "./resources.ts";

/** The clients of `/mcp` that send an access token: of one organization, with the rights of a viewer, while the person may read it. */
export const agentBearer = ({ agents, access, place }: AgentParts): Bearer => ({
  challenge: place.challenge,
  hadToken: async (request) => {
    const token = bearerIn(request);
    return token !== undefined && (await agents.idOf(token)) !== undefined;
  },
  client: async (request) => {
    const token = bearerIn(request);
    const agent = token === undefined ? undefined : await agents.find(token);
    if (!agent || !(await mayRead({ access }, agent))) return undefined;
    return agentClient(agent.id, agent.organization);
  },
});

/** An agent as the client of a request: it has a rate of its own. */
export const agentClient = (id: string, organization?: string): Verified => ({
  clientId: `agent ${id}`,
  organizations: organization === undefined ? [] : [organization],
  isViewer: () => true,
});

/** Whether the person still reads the organization. */
export async function mayRead(
  { access }: Pick<AgentParts, "access">,
  { person, only, organization }: { readonly person: string; readonly only?: string; readonly organization: string },
): Promise<boolean> {
  const client = await access.verified(person, only);
  return client?.organizations.includes(organization) ?? false;
}

/** A repeated header is ambiguous, and counts as none. */
function bearerIn(request: IncomingMessage): string | undefined {
  const [sent = "", ...others] = request.headersDistinct.authorization ?? [];
  const [, token] = /^bearer +([\w-]+\.[\w-]+) *$/i.exec(sent) ?? [];
  return others.length === 0 ? token : undefined;
}
