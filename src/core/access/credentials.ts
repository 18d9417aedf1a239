import { randomBytes } from "node:crypto";
import { OperatorError } from "../contract/error.ts";
import { canonicalId } from "../contract/param.ts";
import type { Document } from "../coordination/coordination.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { paths } from "../files/paths.ts";
import type { Storage } from "../files/storage.ts";
import { DAY_MS } from "../time/days.ts";
import { HASH, hashOf, isSame, NO_HASH, newSecret } from "./secret.ts";

interface Secret {
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

export interface Client {
  readonly client_id: string;
  readonly name: string;
  readonly organizations: readonly string[];
  readonly createdAt: string;
  readonly revokedAt?: string;
  readonly secrets: readonly Secret[];
}

/** A client without its secrets and their hashes. */
export interface Listed extends Omit<Client, "secrets"> {
  /** How many secrets work now: two during a rotation. */
  readonly secrets: number;
  /** When the old one of two secrets expires. */
  readonly overlapUntil?: string;
  /** The creation of the client or of a secret, if the clock says that it is still to come. */
  readonly createdInFuture?: string;
}

export interface Verified {
  readonly clientId: string;
  readonly organizations: readonly string[];
  /** Who is signed in; undefined for a client with credentials. */
  readonly person?: SignedIn;
  /** Whether fields with personal data are null: in the page, for those who are not admins. */
  readonly isViewer?: (organization: string) => boolean;
}

/** A person whose session a request has [D90]. */
export interface SignedIn {
  readonly email: string;
  readonly isOperator: boolean;
  /** By organization, without those that an operator is admin of as such. */
  readonly roles: Readonly<Record<string, "viewer" | "admin">>;
  readonly session?: string;
  /** The only organization of the session: its link was shown to an admin of it, who may be somebody else. */
  readonly only?: string;
  /** Whether the sign-in is of the last 12 hours. */
  readonly isRecent?: boolean;
}

/** The role that a person was given in an organization. */
export const roleIn = ({ roles }: Pick<SignedIn, "roles">, organization: string): "viewer" | "admin" | undefined =>
  Object.hasOwn(roles, organization) ? roles[organization] : undefined;

/** The longest that two secrets of one client may work: a year. */
export const LONGEST_OVERLAP_S = 365 * 86_400;
/** An expired secret is kept this long: a clock that is wrong for a while must not delete secrets that work. */
const KEPT_EXPIRED_MS = 30 * DAY_MS;
/** By how much the clocks of machines with one data folder may differ. */
const SKEW_MS = 5 * 60_000;
const NO_SECRET: Secret = { hash: NO_HASH, createdAt: "" };

const works = ({ expiresAt }: Secret): boolean => expiresAt === undefined || Date.parse(expiresAt) > Date.now();

/** False also if the expiry is not a date: such a secret does not work, and nothing is deleted that cannot be understood. */
const isLongExpired = ({ expiresAt }: Secret): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) < Date.now() - KEPT_EXPIRED_MS;

interface Content {
  readonly clients: readonly Client[];
}

/** Revoked clients stay, without secrets. */
const withoutLongExpired = ({ clients }: Content): Content => ({
  clients: clients.map((client) => ({
    ...client,
    secrets: client.secrets.filter((secret) => !isLongExpired(secret)),
  })),
});

/** The latest creation of a client or its secrets that is in the future; none of a revoked client. */
function createdInFuture({ createdAt, revokedAt, secrets }: Client): string | undefined {
  if (revokedAt) return undefined;
  const isFuture = (time: string | undefined): boolean => Date.parse(time ?? "") > Date.now() + SKEW_MS;
  return [createdAt, ...secrets.map((secret) => secret.createdAt)].filter(isFuture).sort().at(-1);
}

const SCHEMA = {
  type: "object",
  required: ["clients"],
  properties: {
    clients: {
      type: "array",
      items: {
        type: "object",
        required: ["client_id", "organizations", "secrets"],
        properties: {
          client_id: { type: "string", minLength: 1 },
          organizations: { type: "array", items: { type: "string" } },
          secrets: {
            type: "array",
            items: {
              type: "object",
              required: ["hash"],
              properties: { hash: HASH },
            },
          },
        },
      },
    },
  },
} as const;

type Clients = Map<string, Client>;

/** The clients by id, with ids of organizations in lower case. */
const byId = ({ clients }: Content): Clients =>
  new Map(
    clients.map((client) => [client.client_id, { ...client, organizations: client.organizations.map(canonicalId) }]),
  );

/** The clients of `credentials.json`. */
export class Credentials {
  readonly #file: Document<Content>;
  #known: { readonly of: Content | undefined; readonly clients: Clients } = { of: undefined, clients: new Map() };

  /** If the file becomes invalid, the last good clients stay in force, and `onProblem` is called once. */
  constructor(dataDir: string, onProblem?: (problem: string) => void, waitMs?: number, storage?: Storage) {
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.credentials(dataDir),
      lock: paths.credentialsLock(dataDir),
      command: "keys",
      schema: SCHEMA,
      nothing: { clients: [] },
      kept: withoutLongExpired,
      onProblem,
      waitMs,
      storage,
    });
  }

  /** The client of these credentials. An unknown id takes as long as a known one. */
  async verify(clientId: string, secret: string): Promise<Verified | undefined> {
    const client = (await this.#clients()).get(clientId);
    const given = hashOf(secret);
    const secrets = client && client.secrets.length > 0 ? client.secrets : [NO_SECRET];
    let matches = false;
    for (const one of secrets) {
      const same = isSame(given, one.hash);
      matches = (same && works(one)) || matches;
    }
    return client && matches && !client.revokedAt ? { clientId, organizations: client.organizations } : undefined;
  }

  async #clients(): Promise<Clients> {
    const content = await this.#file.current();
    if (content !== this.#known.of) this.#known = { of: content, clients: byId(content) };
    return this.#known.clients;
  }

  /** The client, if this is the hash of a secret of it that works. For callers that have verified the secret before. */
  async holds(clientId: string, secretHash: string): Promise<Verified | undefined> {
    const client = (await this.#clients()).get(clientId);
    const isHeld = client?.secrets.some((secret) => secret.hash === secretHash && works(secret));
    return client && isHeld && !client.revokedAt ? { clientId, organizations: client.organizations } : undefined;
  }

  /** The hash of the client's newest secret that works. */
  async workingHash(clientId: string): Promise<string | undefined> {
    const client = byId(await this.#file.read()).get(clientId);
    return client?.revokedAt ? undefined : client?.secrets.find(works)?.hash;
  }

  async list(): Promise<Listed[]> {
    return [...byId(await this.#file.read()).values()].map((kept) => {
      const { secrets, ...client } = kept;
      const future = createdInFuture(kept);
      const working = secrets.filter(works);
      const [overlapUntil] = working
        .flatMap(({ expiresAt }) => expiresAt ?? [])
        .sort()
        .reverse();
      return {
        ...client,
        secrets: working.length,
        ...(overlapUntil ? { overlapUntil } : {}),
        ...(future ? { createdInFuture: future } : {}),
      };
    });
  }

  create(wanted: {
    organizations: readonly string[];
    name: string;
  }): Promise<{ client_id: string; client_secret: string }> {
    return this.#change((clients) => {
      const { secret, kept } = made();
      const client_id = `lucra_${randomBytes(9).toString("base64url")}`;
      clients.set(client_id, { client_id, ...wanted, createdAt: kept.createdAt, secrets: [kept] });
      return { client_id, client_secret: secret };
    });
  }

  /**
   * Makes a new secret. Older ones are valid for the overlap, but not beyond their earlier expiry. `only`: fails unless the
   * client is bound to this organization alone.
   */
  rotate(
    clientId: string,
    { overlapSeconds, only }: { overlapSeconds: number; only?: string },
  ): Promise<{ client_id: string; client_secret: string; old_secret_until: string | null }> {
    if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > LONGEST_OVERLAP_S)
      throw new OperatorError(`an overlap is a whole number of seconds from 0 to ${LONGEST_OVERLAP_S}, a year`);
    return this.#change((clients) => {
      const client = active(clients, clientId);
      if (only !== undefined && !isBoundOnlyTo(client, only))
        throw new OperatorError(`client ${clientId} is bound to other organizations too`);
      const { secret, kept } = made();
      const end = new Date(Date.now() + overlapSeconds * 1000).toISOString();
      const before = client.secrets
        .map((s) => ({ ...s, expiresAt: s.expiresAt && s.expiresAt < end ? s.expiresAt : end }))
        .filter((s) => overlapSeconds > 0 && works(s));
      clients.set(clientId, { ...client, secrets: [kept, ...before] });
      return { client_id: clientId, client_secret: secret, old_secret_until: before[0]?.expiresAt ?? null };
    });
  }

  revoke(clientId: string): Promise<void> {
    return this.#change((clients) => {
      const client = active(clients, clientId);
      clients.set(clientId, { ...client, secrets: [], revokedAt: new Date().toISOString() });
    });
  }

  /** Ends the access to one organization; a client that has no other is revoked. Returns whether it was. */
  end(clientId: string, organization: string): Promise<{ readonly isRevoked: boolean }> {
    return this.#change((clients) => {
      const client = active(clients, clientId);
      if (!client.organizations.includes(organization)) throw new OperatorError(`no client ${clientId}`);
      const isRevoked = isBoundOnlyTo(client, organization);
      const others = client.organizations.filter((id) => id !== organization);
      clients.set(
        clientId,
        isRevoked
          ? { ...client, secrets: [], revokedAt: new Date().toISOString() }
          : { ...client, organizations: others },
      );
      return { isRevoked };
    });
  }

  #change<T>(change: (clients: Clients) => T): Promise<T> {
    return this.#file.change((content) => {
      const clients = byId(content);
      const result = change(clients);
      return { content: { clients: [...clients.values()] }, result };
    });
  }
}

const isBoundOnlyTo = ({ organizations }: Client, organization: string): boolean =>
  organizations.every((id) => id === organization);

function active(clients: Clients, clientId: string): Client {
  const client = clients.get(clientId);
  if (!client) throw new OperatorError(`no client ${clientId}`);
  if (client.revokedAt) throw new OperatorError(`client ${clientId} was revoked ${client.revokedAt}`);
  return client;
}

function made(): { secret: string; kept: Secret } {
  const secret = newSecret();
  return { secret, kept: { hash: hashOf(secret), createdAt: new Date().toISOString() } };
}
