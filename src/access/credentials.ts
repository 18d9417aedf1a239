import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { Ajv } from "ajv";
import { OperatorError } from "../contract/error.ts";
import { canonicalId } from "../contract/param.ts";
import { withLock } from "../engine/lock.ts";
import { replaceWhole } from "../files/durable.ts";
import { paths } from "../files/paths.ts";

interface Secret {
  /** SHA-256: secrets are 256 random bits, so a slow hash would only add delay. */
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
}

/** How often the file is checked while requests come in: changes reach a running service within this time. */
const LOOK_MS = 500;
/** The longest that two secrets of one client may work: a year. */
export const LONGEST_OVERLAP_S = 365 * 86_400;
/** An expired secret is kept this long: a clock that is wrong for a while must not delete secrets that work. */
const KEPT_EXPIRED_MS = 30 * 86_400_000;
/** By how much the clocks of machines with one data folder may differ. */
const SKEW_MS = 5 * 60_000;
/** How long a change waits for that of another process. */
const WAIT_MS = 20_000;
/** How often a change is retried after a program that does not take the lock has changed the file. */
const MOST_TRIES = 5;

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");
/** A secret that nobody knows: the check of an unknown client compares with it, to take as long. */
const NO_SECRET: Secret = { hash: randomBytes(32).toString("hex"), createdAt: "" };

const works = ({ expiresAt }: Secret): boolean => expiresAt === undefined || Date.parse(expiresAt) > Date.now();

/** False also if the expiry is not a date: such a secret does not work, and nothing is deleted that cannot be understood. */
const isLongExpired = ({ expiresAt }: Secret): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) < Date.now() - KEPT_EXPIRED_MS;

/** Revoked clients stay, without secrets. */
const withoutLongExpired = (client: Client): Client => ({
  ...client,
  secrets: client.secrets.filter((secret) => !isLongExpired(secret)),
});

/** The latest creation of a client or its secrets that is in the future; none of a revoked client. */
function createdInFuture({ createdAt, revokedAt, secrets }: Client): string | undefined {
  if (revokedAt) return undefined;
  const isFuture = (time: string | undefined): boolean => Date.parse(time ?? "") > Date.now() + SKEW_MS;
  return [createdAt, ...secrets.map((secret) => secret.createdAt)].filter(isFuture).sort().at(-1);
}

const isWhatWeWrite = new Ajv().compile<{ clients: Client[] }>({
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
              properties: { hash: { type: "string", pattern: "^[0-9a-f]{64}$" } },
            },
          },
        },
      },
    },
  },
});

/** The clients of `credentials.json`. */
export class Credentials {
  readonly #file: string;
  readonly #lock: string;
  readonly #waitMs: number;
  readonly #onProblem: (problem: string) => void;
  #clients = new Map<string, Client>();
  #version = "";
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> = Promise.resolve();
  #reported = "";

  /** If the file becomes invalid, the last good clients stay in force, and `onProblem` is called once. */
  constructor(
    dataDir: string,
    onProblem: (problem: string) => void = (problem) => console.error(`lucra: ${problem}`),
    waitMs = WAIT_MS,
  ) {
    this.#file = paths.credentials(dataDir);
    this.#lock = paths.credentialsLock(dataDir);
    this.#waitMs = waitMs;
    this.#onProblem = onProblem;
  }

  /** The client of these credentials. An unknown id takes as long as a known one. */
  async verify(clientId: string, secret: string): Promise<Verified | undefined> {
    await this.#look();
    const client = this.#clients.get(clientId);
    const given = sha256(secret);
    const secrets = client && client.secrets.length > 0 ? client.secrets : [NO_SECRET];
    let matches = false;
    for (const one of secrets) {
      const same = timingSafeEqual(given, Buffer.from(one.hash, "hex"));
      matches = (same && works(one)) || matches;
    }
    return client && matches && !client.revokedAt ? { clientId, organizations: client.organizations } : undefined;
  }

  async list(): Promise<Listed[]> {
    return [...(await this.#read()).values()].map((kept) => {
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
      const { secret, kept } = newSecret();
      const client_id = `lucra_${randomBytes(9).toString("base64url")}`;
      clients.set(client_id, { client_id, ...wanted, createdAt: kept.createdAt, secrets: [kept] });
      return { client_id, client_secret: secret };
    });
  }

  /** Makes a new secret. Older ones are valid for the overlap, but not beyond their earlier expiry. */
  rotate(
    clientId: string,
    { overlapSeconds }: { overlapSeconds: number },
  ): Promise<{ client_id: string; client_secret: string; old_secret_until: string | null }> {
    if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > LONGEST_OVERLAP_S)
      throw new OperatorError(`an overlap is a whole number of seconds from 0 to ${LONGEST_OVERLAP_S}, a year`);
    return this.#change((clients) => {
      const client = this.#active(clients, clientId);
      const { secret, kept } = newSecret();
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
      const client = this.#active(clients, clientId);
      clients.set(clientId, { ...client, secrets: [], revokedAt: new Date().toISOString() });
    });
  }

  #active(clients: Map<string, Client>, clientId: string): Client {
    const client = clients.get(clientId);
    if (!client) throw new OperatorError(`no client ${clientId}`);
    if (client.revokedAt) throw new OperatorError(`client ${clientId} was revoked ${client.revokedAt}`);
    return client;
  }

  /** Calls during a check wait for it: before the first one no client is known. */
  #look(): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_MS) {
      this.#lookedAt = now;
      this.#looking = this.#reload();
    }
    return this.#looking;
  }

  async #reload(): Promise<void> {
    const version = await versionOf(this.#file);
    if (version === this.#version) return;
    try {
      this.#clients = await this.#read();
      this.#version = version;
      this.#reported = "";
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (error.message !== this.#reported) this.#onProblem(error.message);
      this.#reported = error.message;
    }
  }

  async #read(): Promise<Map<string, Client>> {
    const name = path.basename(this.#file);
    const content = await readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return '{"clients":[]}';
      throw new OperatorError(`${name}: cannot be read (${error.code})`);
    });
    const found = parsed(content);
    if (!isWhatWeWrite(found)) {
      throw new OperatorError(`${name}: not what \`keys\` writes; restore a copy or remove it`);
    }
    return new Map(
      found.clients.map((client) => [
        client.client_id,
        { ...client, organizations: client.organizations.map(canonicalId) },
      ]),
    );
  }

  /** Reads, changes and writes under a lock, so that two commands at once lose nothing. */
  #change<T>(change: (clients: Map<string, Client>) => T): Promise<T> {
    const name = path.basename(this.#file);
    const refusal = (holder: string): string =>
      `${name} is being changed by ${holder}, which may be suspended: nothing was changed; ` +
      "try again after that process has continued or ended";
    return withLock(this.#lock, { waitMs: this.#waitMs, refusal }, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const version = await versionOf(this.#file);
        const clients = await this.#read();
        const result = change(clients);
        if (await this.#write(clients, version)) return result;
      }
      throw new OperatorError(`${name}: another program keeps changing it; nothing was changed, try again`);
    });
  }

  /** Returns false and writes nothing if the file is no longer the version that was read. */
  async #write(clients: Map<string, Client>, version: string): Promise<boolean> {
    const content = `${JSON.stringify({ clients: [...clients.values()].map(withoutLongExpired) }, null, 2)}\n`;
    const isUnchanged = async (): Promise<boolean> => (await versionOf(this.#file)) === version;
    if (!(await replaceWhole(this.#file, content, 0o600, isUnchanged))) return false;
    if ((await readFile(this.#file, "utf8").catch(() => undefined)) !== content) {
      const name = path.basename(this.#file);
      throw new OperatorError(`${name}: another program has overwritten this change; see \`keys list\` and try again`);
    }
    return true;
  }
}

/** Differs after any change of a file; empty if there is no file. */
async function versionOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? `${found.ino}-${found.size}-${found.ctimeNs}` : "";
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The form of every secret: 256 bits in base64url. */
export const SECRET = /^[\w-]{43}$/;

function newSecret(): { secret: string; kept: Secret } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, kept: { hash: sha256(secret).toString("hex"), createdAt: new Date().toISOString() } };
}
