import { type PlatformError, refused, type Said } from "../platform/errors.ts";
import { CHALLENGE } from "./agents.ts";
import { InvalidClient, type OauthClient, type OauthClients } from "./clients.ts";
import { NoDocument } from "./metadataDocument.ts";
import { type AgentPlace, hasScope, isResource } from "./place.ts";
import { answerAt, isLoopbackHost, isRegistered } from "./redirects.ts";

/** What a client sends to `/oauth/authorize`; a parameter that is sent twice is no text. */
export type Sent = Readonly<Partial<Record<string, string>>>;

/** A request of a client that may be consented to. */
export interface Asked {
  readonly client: OauthClient;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly state: string | undefined;
}

/** What the person is shown of a request. */
export interface Shown {
  readonly client: { readonly name: string; readonly host: string | null };
  readonly redirectHost: string;
  /** The code goes to this computer, where the service cannot know which program takes it. */
  readonly isLocal: boolean;
  /** Where a refusal leads. */
  readonly refusedAt: string;
}

const LONGEST_STATE = 2_000;

const REASONS = {
  client: {
    pt: "O programa que pede o acesso não é conhecido aqui. Conecte-o de novo a partir dele.",
    en: "The program that asks for access is not known here. Connect it again from there.",
  },
  redirect: {
    pt: "O programa pede que a resposta vá a um endereço que não registrou. Não continue.",
    en: "The program asks for the answer at an address that it has not registered. Do not go on.",
  },
  type: { pt: "response_type: só existe code.", en: "response_type: there is only code." },
  challenge: {
    pt: "O programa não protege o pedido (PKCE com S256). Atualize-o.",
    en: "The program does not protect the request (PKCE with S256). Update it.",
  },
  resource: { pt: "O pedido é para outro serviço.", en: "The request is for another service." },
  scope: { pt: "scope: só existe read.", en: "scope: there is only read." },
  state: { pt: "state: é longo demais.", en: "state: it is too long." },
} as const;

const invalid = (parameter: string, said: Said): PlatformError => refused("invalid", parameter, said);

/** Checks a request. Fails with what is wrong with it, for the person: nobody is sent to an address that is not registered. */
export async function checked(sent: Sent, clients: OauthClients, place: AgentPlace): Promise<Asked> {
  const client = await clients.find(sent.client_id ?? "").catch(orInvalid);
  if (!client) throw invalid("client_id", REASONS.client);
  const { redirect_uri: redirectUri = "", code_challenge: challenge = "", state } = sent;
  if (!isRegistered(client.redirects, redirectUri)) throw invalid("redirect_uri", REASONS.redirect);
  if (sent.response_type !== "code") throw invalid("response_type", REASONS.type);
  if (sent.code_challenge_method !== "S256" || !CHALLENGE.test(challenge))
    throw invalid("code_challenge", REASONS.challenge);
  if (!isResource(place, sent.resource)) throw invalid("resource", REASONS.resource);
  if (!hasScope(sent.scope)) throw invalid("scope", REASONS.scope);
  if ((state?.length ?? 0) > LONGEST_STATE) throw invalid("state", REASONS.state);
  return { client, redirectUri, challenge, state };
}

function orInvalid(error: unknown): never {
  if (error instanceof NoDocument || error instanceof InvalidClient) {
    const { message } = error;
    throw invalid("client_id", {
      pt: `O documento do programa não pode ser usado: ${message}.`,
      en: `The document of the program cannot be used: ${message}.`,
    });
  }
  throw error;
}

export function shownOf({ client, redirectUri, state }: Asked, { issuer }: AgentPlace): Shown {
  const { host, hostname } = new URL(redirectUri);
  return {
    client: { name: client.name, host: client.host ?? null },
    redirectHost: host,
    isLocal: isLoopbackHost(hostname),
    refusedAt: answerAt(redirectUri, { error: "access_denied", state, iss: issuer }),
  };
}
