import { createHash, randomBytes } from "node:crypto";
import { HASH, hashOf, isSame, newSecret, SECRET } from "../../core/access/secret.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import type { Storage } from "../../core/files/storage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const CODE_MS = MINUTE_MS;
export const ACCESS_MS = HOUR_MS;
/** A sign-in ends this long after the consent, and this long after its last use. */
const AGENT_MS = 90 * DAY_MS;
const IDLE_MS = 30 * DAY_MS;
/** A replaced refresh token works this long: clients refresh in parallel. */
const REPLACED_MS = 2 * MINUTE_MS;
/** The last use is written at most this often. */
const USE_MS = HOUR_MS;
/** Agents of one person; further ones end the oldest. */
const MOST_AGENTS = 50;
/** Tokens of one agent that work at once; further ones end the oldest. */
const MOST_TOKENS = 50;

/** Who has consented to what, for whom. */
interface Granted {
  readonly person: string;
  /** The only organization of the person's session. */
  readonly only?: string;
  readonly organization: string;
  readonly clientId: string;
  /** As the client calls itself. */
  readonly clientName: string;
  /** Of the client's id, if that is an address. */
  readonly clientHost?: string;
}

/** What the answer to a request for a code is bound to. */
interface Consent extends Granted {
  readonly redirectUri: string;
  /** The S256 challenge. */
  readonly challenge: string;
}

type Code = Consent & { readonly hash: string; readonly createdAt: string };

interface Token {
  readonly hash: string;
  readonly createdAt: string;
  /** Of a refresh token: when another one took its place. */
  readonly replacedAt?: string;
}

/** An agent that is signed in: the family of its tokens, of which only hashes are kept. */
type Agent = Granted & {
  readonly id: string;
  /** Of the first half of all its tokens, by which one is known that works no more. */
  readonly key: string;
  /** Of the code that it came from: a second use ends the tokens. */
  readonly code: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly access: readonly Token[];
  readonly refresh: readonly Token[];
};

interface Content {
  readonly codes: readonly Code[];
  readonly agents: readonly Agent[];
}

const TEXT = { type: "string" } as const;
const GRANTED = {
  person: { type: "string", minLength: 1 },
  only: TEXT,
  organization: TEXT,
  clientId: TEXT,
  clientName: TEXT,
  clientHost: TEXT,
  createdAt: TEXT,
} as const;
const TOKENS = {
  type: "array",
  items: {
    type: "object",
    required: ["hash", "createdAt"],
    properties: { hash: HASH, createdAt: TEXT, replacedAt: TEXT },
  },
} as const;
const REQUIRED = ["person", "organization", "clientId", "clientName", "createdAt"];
const SCHEMA = {
  type: "object",
  required: ["codes", "agents"],
  properties: {
    codes: {
      type: "array",
      items: {
        type: "object",
        required: [...REQUIRED, "hash", "redirectUri", "challenge"],
        properties: { ...GRANTED, hash: HASH, redirectUri: TEXT, challenge: TEXT },
      },
    },
    agents: {
      type: "array",
      items: {
        type: "object",
        required: [...REQUIRED, "id", "key", "code", "usedAt", "access", "refresh"],
        properties: { ...GRANTED, id: TEXT, key: HASH, code: HASH, usedAt: TEXT, access: TOKENS, refresh: TOKENS },
      },
    },
  },
};

const NOTHING: Content = { codes: [], agents: [] };

/** A pair of tokens, which is not kept, and whose it is. */
export interface Pair {
  readonly access: string;
  readonly refresh: string;
  readonly agent: Granted;
}

/** Why a code or a token gives no tokens. `ended`: it was used again, and its agent is signed out. */
export interface Refused {
  readonly refused: "unknown" | "ended";
  /** The id of an agent that is signed out. */
  readonly id?: string;
}

/** What a client sends with a code. */
export interface Redeemed {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** An agent as the person who let it in sees it. */
export interface ListedAgent {
  readonly id: string;
  readonly organization: string;
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly createdAt: string;
  readonly usedAt: string;
}

/** An agent whose access token a request has. */
interface KnownAgent extends Granted {
  readonly id: string;
}

interface Options {
  readonly onProblem?: (problem: string) => void;
  readonly storage?: Storage;
  readonly clock?: () => number;
  /** False for a service that writes nothing: uses are not noted there. */
  readonly writes?: boolean;
}

/** The agents that are signed in [D97]: codes and tokens in `agents.json`. Each step is one change: nothing is used twice. */
export class Agents {
  readonly #file: Document<Content>;
  readonly #clock: () => number;
  readonly #writes: boolean;

  constructor(dataDir: string, { onProblem, storage, clock = Date.now, writes = true }: Options = {}) {
    this.#clock = clock;
    this.#writes = writes;
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.agents(dataDir),
      lock: paths.agentsLock(dataDir),
      command: "serve",
      schema: SCHEMA,
      nothing: NOTHING,
      onProblem,
      storage,
    });
  }

  /** A code for a client that a person lets in. */
  consent(consent: Consent): Promise<string> {
    return this.#file.change((content) => {
      const { codes, agents } = this.#alive(content);
      const code = newSecret();
      const made: Code = { ...consent, hash: hashOf(code), createdAt: this.#now() };
      return { content: { codes: [...codes, made], agents }, result: code };
    });
  }

  /** The first tokens. Any attempt uses the code up, and a second one ends what the first has given. */
  redeem({ code, clientId, redirectUri, verifier }: Redeemed): Promise<Pair | Refused> {
    const hash = hashOf(code);
    return this.#file.change<Pair | Refused>((content) => {
      const { codes, agents } = this.#alive(content);
      const used = agents.find((one) => isSame(one.code, hash));
      if (used) return { content: { codes, agents: without(agents, used) }, result: { refused: "ended", id: used.id } };
      const found = codes.find((one) => isSame(one.hash, hash));
      const others = codes.filter((one) => one !== found);
      const isMeant =
        found && found.clientId === clientId && found.redirectUri === redirectUri && isChallenge(found, verifier);
      if (!found || !isMeant) return { content: { codes: others, agents }, result: { refused: "unknown" } };
      const { redirectUri: _, challenge: __, hash: ___, createdAt: ____, ...granted } = found;
      const key = randomBytes(16).toString("base64url");
      const now = this.#now();
      const empty: Agent = {
        ...granted,
        id: randomBytes(9).toString("base64url"),
        key: hashOf(key),
        code: hash,
        createdAt: now,
        usedAt: now,
        access: [],
        refresh: [],
      };
      const { agent, pair } = this.#withPair(empty, key);
      return { content: { codes: others, agents: [...this.#fewer(agents, granted.person), agent] }, result: pair };
    });
  }

  /** Further tokens for a refresh token, which they replace. */
  refresh(token: string, clientId: string): Promise<Pair | Refused> {
    const { key, hash } = partsOf(token);
    return this.#file.change<Pair | Refused>((content) => {
      const { codes, agents } = this.#alive(content);
      const found = agents.find((one) => isSame(one.key, hashOf(key)));
      if (!found || found.clientId !== clientId) return { content, result: { refused: "unknown" } };
      const used = found.refresh.find((one) => isSame(one.hash, hash));
      const isLate = !used || (used.replacedAt !== undefined && !this.#isWithin(used.replacedAt, REPLACED_MS));
      if (isLate)
        return { content: { codes, agents: without(agents, found) }, result: { refused: "ended", id: found.id } };
      const replacedAt = used.replacedAt ?? this.#now();
      const refresh = found.refresh
        .map((one) => (one === used ? { ...one, replacedAt } : one))
        .filter((one) => one.replacedAt === undefined || this.#isWithin(one.replacedAt, REPLACED_MS));
      const { agent, pair } = this.#withPair({ ...found, refresh, usedAt: this.#now() }, key);
      return { content: { codes, agents: agents.map((one) => (one === found ? agent : one)) }, result: pair };
    });
  }

  /** The agent of an access token that works. */
  async find(token: string): Promise<KnownAgent | undefined> {
    const { key, hash } = partsOf(token);
    const { agents } = await this.#file.current();
    const keyHash = hashOf(key);
    const found = agents.find((one) => isSame(one.key, keyHash));
    const known = found?.access.find((one) => isSame(one.hash, hash));
    if (!found || !known || !this.#isWithin(known.createdAt, ACCESS_MS) || !this.#works(found)) return undefined;
    const isDue = this.#writes && this.#clock() - Date.parse(found.usedAt) >= USE_MS;
    // A full disk must not refuse a request that only reads: the sign-in then ends earlier.
    if (isDue) await this.#used(found.id).catch(() => undefined);
    return found;
  }

  /** The id of the agent that a token is or was of. */
  async idOf(token: string): Promise<string | undefined> {
    const keyHash = hashOf(partsOf(token).key);
    return this.#alive(await this.#file.latest()).agents.find((one) => isSame(one.key, keyHash))?.id;
  }

  /** Ends a token [RFC 7009]: of a refresh token the whole sign-in. False if it is another client's. */
  revoke(token: string, clientId: string | undefined): Promise<boolean> {
    const { key, hash } = partsOf(token);
    return this.#file.change((content) => {
      const { codes, agents } = this.#alive(content);
      const found = agents.find((one) => isSame(one.key, hashOf(key)));
      if (!found) return { content, result: true };
      if (clientId !== undefined && found.clientId !== clientId) return { content, result: false };
      const access = found.access.filter((one) => !isSame(one.hash, hash));
      if (access.length < found.access.length) {
        const shorter = agents.map((one) => (one === found ? { ...found, access } : one));
        return { content: { codes, agents: shorter }, result: true };
      }
      const isOwn = found.refresh.some((one) => isSame(one.hash, hash));
      return { content: { codes, agents: isOwn ? without(agents, found) : agents }, result: true };
    });
  }

  /** The agents of a person that work, the newest first; of one who reads a single organization only those of it. */
  async of(person: string, only?: string): Promise<ListedAgent[]> {
    const { agents } = this.#alive(await this.#file.latest());
    return agents
      .filter((one) => one.person === person && (only === undefined || one.organization === only))
      .map(({ id, organization, clientName, clientHost = null, createdAt, usedAt }) => ({
        id,
        organization,
        clientName,
        clientHost,
        createdAt,
        usedAt,
      }))
      .reverse();
  }

  /** Ends agents of a person: one of them, those of an organization, or all. */
  async endOf(
    person: string,
    { id, organization }: { readonly id?: string; readonly organization?: string } = {},
  ): Promise<void> {
    const isEnded = (one: Granted & { readonly id?: string }): boolean =>
      one.person === person &&
      (id === undefined || one.id === id) &&
      (organization === undefined || one.organization === organization);
    const now = await this.#file.latest();
    if (![...now.codes, ...now.agents].some(isEnded)) return;
    await this.#file.change((content) => {
      const { codes, agents } = this.#alive(content);
      const others = { codes: codes.filter((one) => !isEnded(one)), agents: agents.filter((one) => !isEnded(one)) };
      return { content: others, result: undefined };
    });
  }

  #withPair(agent: Agent, key: string): { readonly agent: Agent; readonly pair: Pair } {
    const [access, refresh] = [newSecret(), newSecret()];
    const createdAt = this.#now();
    const working = agent.access.filter((one) => this.#isWithin(one.createdAt, ACCESS_MS));
    return {
      agent: {
        ...agent,
        access: [...working, { hash: hashOf(access), createdAt }].slice(-MOST_TOKENS),
        refresh: [...agent.refresh, { hash: hashOf(refresh), createdAt }].slice(-MOST_TOKENS),
      },
      pair: { access: `${key}.${access}`, refresh: `${key}.${refresh}`, agent },
    };
  }

  #fewer(agents: readonly Agent[], person: string): Agent[] {
    const own = agents.filter((one) => one.person === person);
    const surplus = own.slice(0, Math.max(0, own.length + 1 - MOST_AGENTS));
    return agents.filter((one) => !surplus.includes(one));
  }

  #used(id: string): Promise<void> {
    return this.#file.change((content) => {
      const { codes, agents } = this.#alive(content);
      const usedAt = this.#now();
      const changed = agents.map((one) => (one.id === id ? { ...one, usedAt } : one));
      return { content: { codes, agents: changed }, result: undefined };
    });
  }

  #now(): string {
    return new Date(this.#clock()).toISOString();
  }

  #works({ createdAt, usedAt }: Agent): boolean {
    return this.#isWithin(createdAt, AGENT_MS) && this.#isWithin(usedAt, IDLE_MS);
  }

  /** False also for a time that is no date, or in the future: nothing lasts longer because a clock was wrong. */
  #isWithin(time: string, milliseconds: number): boolean {
    const age = this.#clock() - Date.parse(time);
    return age < milliseconds && age > -5 * MINUTE_MS;
  }

  #alive({ codes, agents }: Content): Content {
    return {
      codes: codes.filter((one) => this.#isWithin(one.createdAt, CODE_MS)),
      agents: agents.filter((one) => this.#works(one)),
    };
  }
}

const without = (agents: readonly Agent[], ended: Agent): Agent[] => agents.filter((one) => one !== ended);

/** The form of a token: the key of its agent, and a secret. */
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** Of a text that is no token the parts of none. */
function partsOf(token: string): { readonly key: string; readonly hash: string } {
  const [, key = "", secret = ""] = TOKEN.exec(token) ?? [];
  return { key, hash: hashOf(secret) };
}

/** Whether the client that sends a code is the one that asked for it [RFC 7636]. */
const isChallenge = ({ challenge }: Consent, verifier: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) && createHash("sha256").update(verifier).digest("base64url") === challenge;

/** The form of a challenge: a SHA-256. */
export const CHALLENGE = SECRET;
