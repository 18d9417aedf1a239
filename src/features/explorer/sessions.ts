import type { Verified } from "../../core/access/credentials.ts";
import { HASH, hashOf, isSame, NO_HASH, newSecret } from "../../core/access/secret.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import type { Storage } from "../../core/files/storage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A session ends this long after the sign-in, and this long after its last use. */
export const SESSION_MS = 30 * DAY_MS;
export const IDLE_MS = 7 * DAY_MS;
/** How long a one-time link works. */
export const LINK_MS = 10 * MINUTE_MS;
/** The last use is written at most this often. */
const USE_MS = HOUR_MS;
/** Sessions of one client; further ones end the oldest. */
const MOST_SESSIONS = 100;

/** The client that signs in, and the hash of the secret: a session works as long as both do. */
interface Holder {
  readonly clientId: string;
  readonly secretHash: string;
}

/** Only the hashes of tokens are kept. */
interface Session extends Holder {
  readonly hash: string;
  readonly createdAt: string;
  readonly usedAt: string;
}

interface OneTimeLink extends Holder {
  readonly hash: string;
  readonly createdAt: string;
}

interface Content {
  readonly sessions: readonly Session[];
  readonly links: readonly OneTimeLink[];
}

const HOLDER = { hash: HASH, clientId: { type: "string" }, secretHash: HASH, createdAt: { type: "string" } } as const;
const REQUIRED = ["hash", "clientId", "secretHash", "createdAt"] as const;
const SCHEMA = {
  type: "object",
  required: ["sessions", "links"],
  properties: {
    sessions: {
      type: "array",
      items: {
        type: "object",
        required: [...REQUIRED, "usedAt"],
        properties: { ...HOLDER, usedAt: { type: "string" } },
      },
    },
    links: { type: "array", items: { type: "object", required: [...REQUIRED], properties: HOLDER } },
  },
} as const;

const NOTHING: Content = { sessions: [], links: [] };

interface Store {
  current(): Promise<Content>;
  /** As it is now: `current` may be half a second old. */
  latest(): Promise<Content>;
  change<R>(change: (content: Content) => { readonly content: Content; readonly result: R }): Promise<R>;
}

/** For a service that writes nothing into the data folder: its sessions end with the process. */
class InMemory implements Store {
  #content = NOTHING;

  async current(): Promise<Content> {
    return this.#content;
  }

  async latest(): Promise<Content> {
    return this.#content;
  }

  async change<R>(change: Parameters<Store["change"]>[0]): Promise<R> {
    const { content, result } = change(this.#content);
    this.#content = content;
    return result as R;
  }
}

interface Options {
  /** Undefined: the sessions are kept in memory only. */
  readonly dataDir: string | undefined;
  readonly credentials: { holds(clientId: string, secretHash: string): Promise<Verified | undefined> };
  readonly onProblem?: (problem: string) => void;
  readonly storage?: Storage;
  readonly clock?: () => number;
}

export interface Started {
  readonly clientId: string;
  /** Goes into the cookie; it is not kept. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** The Explorer's sessions, and the one-time links that start one. */
export class Sessions {
  readonly #store: Store;
  readonly #credentials: Options["credentials"];
  readonly #clock: () => number;

  constructor({ dataDir, credentials, onProblem, storage, clock = Date.now }: Options) {
    this.#store = dataDir === undefined ? new InMemory() : fileOf(dataDir, onProblem, storage);
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** A new session of a client whose secret has been verified. It replaces the session of the browser, if it has one. */
  start(clientId: string, secret: string, replaced?: string): Promise<Started> {
    return this.#start({ clientId, secretHash: hashOf(secret) }, replaced);
  }

  /** A link that starts one session. */
  offer(holder: Holder): Promise<string> {
    return this.#store.change((content) => {
      const token = newSecret();
      const { sessions, links } = this.#alive(content);
      const link = { ...pick(holder), hash: hashOf(token), createdAt: this.#now() };
      return { content: { sessions, links: [...links, link] }, result: token };
    });
  }

  /** The session that a one-time link starts; undefined if it does not work, or no longer. */
  async redeem(token: string, replaced?: string): Promise<Started | undefined> {
    const hash = hashOf(token);
    // A link is often used as soon as another process has made it.
    const isKnown = this.#alive(await this.#store.latest()).links.some((link) => isSame(link.hash, hash));
    if (!isKnown) return undefined;
    // The second of two simultaneous requests finds no link.
    const link = await this.#store.change((content) => {
      const { sessions, links } = this.#alive(content);
      const found = links.find((one) => isSame(one.hash, hash));
      return { content: { sessions, links: links.filter((one) => one !== found) }, result: found };
    });
    if (!link || !(await this.#credentials.holds(link.clientId, link.secretHash))) return undefined;
    return this.#start(pick(link), replaced);
  }

  /** The client of a session. It must not be revoked, and the secret that signed in must still work. */
  async find(token: string): Promise<Verified | undefined> {
    const hash = hashOf(token);
    const { sessions } = await this.#store.current();
    const found = sessions.find((session) => session.hash === hash);
    const isFound = isSame(hash, found?.hash ?? NO_HASH);
    if (!found || !isFound || !this.#works(found)) return undefined;
    const client = await this.#credentials.holds(found.clientId, found.secretHash);
    const isDue = client && this.#clock() - Date.parse(found.usedAt) >= USE_MS;
    // A full disk must not refuse a request that only reads: the session then ends earlier.
    if (isDue) await this.#used(hash).catch(() => undefined);
    return client;
  }

  /** Ends the session of a token. */
  async end(token: string): Promise<void> {
    const hash = hashOf(token);
    if (!(await this.#store.current()).sessions.some((session) => session.hash === hash)) return;
    await this.#store.change((content) => ({ content: without(this.#alive(content), hash), result: undefined }));
  }

  #start(holder: Holder, replaced: string | undefined): Promise<Started> {
    return this.#store.change((content) => {
      const token = newSecret();
      const now = this.#now();
      const kept = without(this.#alive(content), replaced === undefined ? "" : hashOf(replaced));
      const own = kept.sessions.filter(({ clientId }) => clientId === holder.clientId);
      const surplus = own.slice(0, Math.max(0, own.length + 1 - MOST_SESSIONS));
      const session = { ...pick(holder), hash: hashOf(token), createdAt: now, usedAt: now };
      const sessions = [...kept.sessions.filter((one) => !surplus.includes(one)), session];
      const expiresAt = new Date(this.#clock() + SESSION_MS);
      return { content: { ...kept, sessions }, result: { clientId: holder.clientId, token, expiresAt } };
    });
  }

  #used(hash: string): Promise<void> {
    return this.#store.change((content) => {
      const { sessions, links } = this.#alive(content);
      const usedAt = this.#now();
      const changed = sessions.map((session) => (session.hash === hash ? { ...session, usedAt } : session));
      return { content: { sessions: changed, links }, result: undefined };
    });
  }

  #now(): string {
    return new Date(this.#clock()).toISOString();
  }

  #works({ createdAt, usedAt }: Session): boolean {
    return this.#isWithin(createdAt, SESSION_MS) && this.#isWithin(usedAt, IDLE_MS);
  }

  /** False also for a time that is no date, or in the future: nothing lasts longer because a clock was wrong. */
  #isWithin(time: string, milliseconds: number): boolean {
    const age = this.#clock() - Date.parse(time);
    return age < milliseconds && age > -HOUR_MS;
  }

  #alive({ sessions, links }: Content): Content {
    return {
      sessions: sessions.filter((session) => this.#works(session)),
      links: links.filter(({ createdAt }) => this.#isWithin(createdAt, LINK_MS)),
    };
  }
}

const pick = ({ clientId, secretHash }: Holder): Holder => ({ clientId, secretHash });

const without = ({ sessions, links }: Content, hash: string): Content => ({
  sessions: sessions.filter((session) => session.hash !== hash),
  links,
});

const fileOf = (dataDir: string, onProblem: Options["onProblem"], storage: Options["storage"]): Document<Content> =>
  coordinationOf(dataDir).documents.open<Content>({
    file: paths.sessions(dataDir),
    lock: paths.sessionsLock(dataDir),
    command: "serve",
    schema: SCHEMA,
    nothing: NOTHING,
    onProblem,
    storage,
  });
