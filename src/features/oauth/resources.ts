import type { Verified } from "../../core/access/credentials.ts";
import { PlatformError } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import type { Agents, ListedAgent } from "./agents.ts";
import type { OauthClients } from "./clients.ts";
import type { AgentPlace } from "./place.ts";
import { answerAt } from "./redirects.ts";
import { checked, type Sent, shownOf } from "./request.ts";

export interface AgentParts {
  readonly place: AgentPlace;
  readonly agents: Agents;
  readonly clients: OauthClients;
  /** What a person may read now: `only` this organization, or all of the person's. */
  readonly access: { verified(email: string, only?: string): Promise<Verified | undefined> };
}

interface Dependencies extends AgentParts {
  readonly namesOf: (organizations: readonly string[]) => Promise<readonly string[]>;
}

const REQUEST = {
  type: "object",
  additionalProperties: false,
  required: ["client_id", "redirect_uri"],
  properties: Object.fromEntries(
    [
      "client_id",
      "redirect_uri",
      "response_type",
      "code_challenge",
      "code_challenge_method",
      "resource",
      "scope",
      "state",
    ].map((name) => [name, { type: "string", maxLength: 2_000 }]),
  ),
};

/** The consent to an agent, and the agents of a person, among the sessions [D97]. Keys have none: they are no person. */
export const agentResources = (deps: Dependencies): Resource[] => [
  {
    path: "/platform/me/agent-request",
    who: "person",
    read: async ({ query }) => {
      const { place, clients } = deps;
      return shownOf(await checked(query, clients, place), place);
    },
  },
  {
    path: "/platform/organizations/:organization/agents",
    who: "viewer",
    add: {
      what: "agents.add",
      body: REQUEST,
      // The state of the client is none of the log's, and the code is a secret.
      logged: ({ client_id, redirect_uri }: Sent) => ({ client_id, redirect_uri }),
      secrets: ["location"],
      run: (call: Call<Sent>) => consent(deps, call),
    },
  },
  {
    path: "/platform/me/agents",
    who: "person",
    read: async ({ person }) => {
      const found = await deps.agents.of(person.email, person.only);
      const names = await deps.namesOf(found.map(({ organization }) => organization));
      return { data: found.map((one, n) => ({ ...one, organizationName: names[n] ?? one.organization })) };
    },
  },
  {
    path: "/platform/me/agents/:agent",
    who: "person",
    read: async (call) => {
      // The last use changes without a change of the agent.
      const { usedAt: _, ...found } = await agentOf(deps, call);
      return found;
    },
    remove: {
      what: "me.agents.end",
      run: async (call) => {
        const { id } = await agentOf(deps, call);
        await deps.agents.endOf(call.person.email, { id });
        return {};
      },
    },
  },
];

async function agentOf({ agents }: Dependencies, { person, params }: Call): Promise<ListedAgent> {
  const found = (await agents.of(person.email, person.only)).find(({ id }) => id === params.agent);
  if (!found) throw new PlatformError("notFound");
  return found;
}

/** Lets a client in, for one organization, and says where the browser goes with the code. */
async function consent(
  { place, agents, clients }: Dependencies,
  { body, organization, person }: Call<Sent>,
): Promise<{ readonly location: string }> {
  const { client, redirectUri, challenge, state } = await checked(body, clients, place);
  await clients.consented(client);
  const code = await agents.consent({
    person: person.email,
    ...(person.only === undefined ? {} : { only: person.only }),
    organization,
    clientId: client.id,
    clientName: client.name,
    ...(client.host === undefined ? {} : { clientHost: client.host }),
    redirectUri,
    challenge,
  });
  return { location: answerAt(redirectUri, { code, state, iss: place.issuer }) };
}
