import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { brief } from "../../core/contract/text.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import { ForbiddenAddress } from "../webhooks/networks.ts";
import { type Fetched, isDocumentAddress, NoDocument } from "./metadataDocument.ts";
import { redirectIn } from "./redirects.ts";

const DAY_MS = 86_400_000;
/** A client that somebody has let in is known this long. */
const CONSENTED_MS = 400 * DAY_MS;
/** Registered clients that are kept; further ones end the oldest without a consent. */
const MOST_CLIENTS = 300;
const MOST_REDIRECTS = 10;
const LONGEST_NAME = 100;

/** A program that asks to be let in: a public client. */
export interface OauthClient {
  readonly id: string;
  /** As it calls itself. */
  readonly name: string;
  readonly redirects: readonly string[];
  /** Of its id, if that is the address of its document. */
  readonly host?: string;
}

type Registered = Pick<OauthClient, "id" | "name" | "redirects"> & {
  readonly createdAt: string;
  readonly consentedAt?: string;
};

interface Content {
  readonly clients: readonly Registered[];
}

const SCHEMA = {
  type: "object",
  required: ["clients"],
  properties: {
    clients: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "name", "redirects", "createdAt"],
        properties: {
          id: { type: "string" },
          name: { type: "string" },
          redirects: { type: "array", items: { type: "string" } },
          createdAt: { type: "string" },
          consentedAt: { type: "string" },
        },
      },
    },
  },
} as const;

/** Metadata of a client that cannot be used: the error code of RFC 7591, and why. */
export class InvalidClient extends Error {
  readonly code: "invalid_client_metadata" | "invalid_redirect_uri";

  constructor(code: InvalidClient["code"], message: string) {
    super(message);
    this.code = code;
  }
}

interface Options {
  readonly fetchDocument: (address: string) => Promise<Fetched>;
  readonly clock?: () => number;
}

/** The clients of agents [D97]: those that registered, in `agent-clients.json`, and those whose id is the address of their document. */
export class OauthClients {
  readonly #file: Document<Content>;
  readonly #options: Options;
  readonly #clock: () => number;
  readonly #documents: LRUCache<string, OauthClient>;

  constructor(dataDir: string, options: Options) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#documents = new LRUCache({ max: 200, perf: { now: () => this.#clock() } });
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.agentClients(dataDir),
      lock: paths.agentClientsLock(dataDir),
      command: "serve",
      schema: SCHEMA,
      nothing: { clients: [] },
    });
  }

  /** A client by its id. Fails with `NoDocument` or `InvalidClient` if its document cannot be used. */
  async find(id: string): Promise<OauthClient | undefined> {
    if (isDocumentAddress(id)) return this.#ofDocument(id);
    const { clients } = await this.#file.latest();
    return clients.find((one) => one.id === id && this.#works(one));
  }

  /** Registers a client by what it says of itself [RFC 7591]. */
  register(metadata: unknown): Promise<OauthClient & { readonly createdAt: string }> {
    const described = describedBy(metadata);
    return this.#file.change(({ clients }) => {
      const id = `agent_${randomBytes(16).toString("base64url")}`;
      const made: Registered = { id, ...described, createdAt: new Date(this.#clock()).toISOString() };
      const kept = [...clients.filter((one) => this.#works(one)), made];
      const surplus = kept
        .filter((one) => one.consentedAt === undefined)
        .slice(0, Math.max(0, kept.length - MOST_CLIENTS));
      return { content: { clients: kept.filter((one) => !surplus.includes(one)) }, result: made };
    });
  }

  /** Keeps a registered client that somebody lets in. */
  async consented({ id, host }: OauthClient): Promise<void> {
    if (host !== undefined) return;
    const consentedAt = new Date(this.#clock()).toISOString();
    await this.#file.change(({ clients }) => {
      const kept = clients.filter((one) => this.#works(one));
      return {
        content: { clients: kept.map((one) => (one.id === id ? { ...one, consentedAt } : one)) },
        result: undefined,
      };
    });
  }

  async #ofDocument(id: string): Promise<OauthClient> {
    const known = this.#documents.get(id);
    if (known) return known;
    const { content, keptMs } = await this.#options.fetchDocument(id).catch((error: unknown) => {
      if (error instanceof NoDocument) throw error;
      // Nothing that tells who asks about addresses and ports of this network.
      throw new NoDocument(error instanceof ForbiddenAddress ? "its address is not public" : "it cannot be reached");
    });
    if ((content as { client_id?: unknown } | null)?.client_id !== id)
      throw new InvalidClient("invalid_client_metadata", "client_id is not the address of the document");
    const { token_endpoint_auth_method: method = "none" } = content as { token_endpoint_auth_method?: unknown };
    if (method !== "none")
      throw new InvalidClient("invalid_client_metadata", "token_endpoint_auth_method: only none is taken");
    const client = { id, host: new URL(id).host, ...describedBy(content) };
    this.#documents.set(id, client, { ttl: keptMs });
    return client;
  }

  #works({ createdAt, consentedAt }: Registered): boolean {
    const [since, most] = consentedAt === undefined ? [createdAt, DAY_MS] : [consentedAt, CONSENTED_MS];
    const age = this.#clock() - Date.parse(since);
    return age < most && age > -DAY_MS;
  }
}

/** The name and the redirect addresses in a client's metadata. Addresses that no code may be sent to are left out. */
function describedBy(metadata: unknown): Pick<OauthClient, "name" | "redirects"> {
  const fail = (message: string): never => {
    throw new InvalidClient("invalid_client_metadata", message);
  };
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
    return fail("an object is expected");
  const {
    client_name: name,
    redirect_uris: sent,
    grant_types: grants,
    response_types: responses,
  } = metadata as Record<string, unknown>;
  if (isWithout(grants, "authorization_code")) return fail("grant_types: authorization_code is expected");
  if (isWithout(responses, "code")) return fail("response_types: code is expected");
  if (!Array.isArray(sent) || sent.length > MOST_REDIRECTS)
    return fail(`redirect_uris: a list of at most ${MOST_REDIRECTS} addresses is expected`);
  const redirects = sent.filter((one): one is string => redirectIn(one) !== undefined);
  if (redirects.length === 0)
    throw new InvalidClient(
      "invalid_redirect_uri",
      "redirect_uris: an https address, or http of this machine, is expected",
    );
  return { name: nameIn(name) ?? hostOf(redirects), redirects };
}

const isWithout = (sent: unknown, wanted: string): boolean =>
  sent !== undefined && !(Array.isArray(sent) && sent.includes(wanted));

/** A name without what could write over the rest of a page. */
function nameIn(sent: unknown): string | undefined {
  if (typeof sent !== "string") return undefined;
  const text = sent
    .normalize("NFC")
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return text === "" ? undefined : brief(text, LONGEST_NAME);
}

const hostOf = ([first = ""]: readonly string[]): string => new URL(first).host;
