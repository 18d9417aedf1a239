import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, open, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv } from "ajv";
import { OperatorError } from "../contract/error.ts";
import { canonicalId } from "../contract/param.ts";
import { writeWhole } from "../durable.ts";
import { paths } from "../paths.ts";

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

/** A client as it may be shown: no secret, no hash. */
export interface Listed extends Omit<Client, "secrets"> {
  /** How many secrets work now: two while one takes the other's place. */
  readonly secrets: number;
  /** When the old one ends, of two that work. */
  readonly overlapUntil?: string;
}

export interface Verified {
  readonly clientId: string;
  readonly organizations: readonly string[];
}

/** How often the file is looked at while requests come in: changes reach a running service within this. */
const LOOK_MS = 500;
/** The longest that two secrets of one client may work: a year. */
export const LONGEST_OVERLAP_S = 365 * 86_400;
/** A lock older than this was left by a process that died. */
const STALE_MS = 10_000;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
/** What is compared with where there is no secret: nobody has it. */
const NO_SECRET: Secret = { hash: randomBytes(32).toString("hex"), createdAt: "" };

const works = ({ expiresAt }: Secret): boolean => expiresAt === undefined || Date.parse(expiresAt) > Date.now();

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
  readonly #onProblem: (problem: string) => void;
  #clients = new Map<string, Client>();
  #version = "";
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> = Promise.resolve();
  #told = "";

  /** A service goes on with the last good clients when the file went bad: `onProblem` is told, once. */
  constructor(dataDir: string, onProblem: (problem: string) => void = (problem) => console.error(`lucra: ${problem}`)) {
    this.#file = paths.credentials(dataDir);
    this.#onProblem = onProblem;
  }

  /** Who these credentials are of. An unknown id costs what a known one does. */
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
    return [...(await this.#read()).values()].map(({ secrets, ...client }) => {
      const working = secrets.filter(works);
      const [overlapUntil] = working
        .flatMap(({ expiresAt }) => expiresAt ?? [])
        .sort()
        .reverse();
      return { ...client, secrets: working.length, ...(overlapUntil ? { overlapUntil } : {}) };
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

  /** A new secret; those before it hold for the overlap, and none any longer than it was to hold before. */
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

  /** Whoever comes while the file is being looked at waits for that: before the first look nobody is known. */
  #look(): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_MS) {
      this.#lookedAt = now;
      this.#looking = this.#reload();
    }
    return this.#looking;
  }

  async #reload(): Promise<void> {
    const found = await stat(this.#file, { bigint: true }).catch(() => undefined);
    const version = found ? `${found.ino}-${found.size}-${found.ctimeNs}` : "";
    if (version === this.#version) return;
    try {
      this.#clients = await this.#read();
      this.#version = version;
      this.#told = "";
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (error.message !== this.#told) this.#onProblem(error.message);
      this.#told = error.message;
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
      throw new OperatorError(`${name}: not what \`keys\` writes; put back a copy or remove it`);
    }
    return new Map(
      found.clients.map((client) => [
        client.client_id,
        { ...client, organizations: client.organizations.map(canonicalId) },
      ]),
    );
  }

  /** Reads, changes and writes under a lock, so that two commands at once lose nothing. */
  async #change<T>(change: (clients: Map<string, Client>) => T): Promise<T> {
    const lock = `${this.#file}.lock`;
    await mkdir(path.dirname(lock), { recursive: true });
    await takeLock(lock);
    try {
      const clients = await this.#read();
      const result = change(clients);
      await writeWhole(this.#file, `${JSON.stringify({ clients: [...clients.values()] }, null, 2)}\n`, 0o600);
      return result;
    } finally {
      await rm(lock, { force: true });
    }
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** What every secret looks like: 256 bits in base64url. */
export const SECRET = /^[\w-]{43}$/;

function newSecret(): { secret: string; kept: Secret } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, kept: { hash: sha256(secret).toString("hex"), createdAt: new Date().toISOString() } };
}

async function takeLock(lock: string): Promise<void> {
  while (!(await made(lock))) {
    if (await isStale(lock)) await bury(lock);
    else await sleep(20);
  }
}

/** Makes a file that is not there yet; false when it is. */
async function made(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

/** Removes a dead lock, one process at a time: another one's removal would take the lock that the first then made. */
async function bury(lock: string): Promise<void> {
  const guard = `${lock}.guard`;
  if (await made(guard)) {
    if (await isStale(lock)) await rm(lock, { force: true });
    await rm(guard, { force: true });
  } else {
    if (await isStale(guard)) await rm(guard, { force: true });
    await sleep(20);
  }
}
