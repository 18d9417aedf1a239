import { randomBytes } from "node:crypto";
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
/** A sign-in is recent enough, for what asks for that, this long. */
const RECENT_MS = 12 * HOUR_MS;
/** The last use is written at most this often. */
const USE_MS = HOUR_MS;
/** Sessions of one client or person; further ones end the oldest. */
const MOST_SESSIONS = 100;

/** The client that signed in, and the hash of the secret: a session works as long as both do. */
interface ClientHolder {
  readonly clientId: string;
  readonly secretHash: string;
}

/** A person by the e-mail address. */
interface PersonHolder {
  readonly person: string;
  /** The only organization that it reads, if an admin of that one was shown its link. */
  readonly only?: string;
}

type Holder = ClientHolder | PersonHolder;

/** Only the hashes of tokens are kept. */
type Session = Holder & {
  readonly hash: string;
  /** Names it in lists. */
  readonly id?: string;
  readonly createdAt: string;
  readonly usedAt: string;
  /** The browser, as it calls itself. */
  readonly agent?: string;
};

interface Content {
  readonly sessions: readonly Session[];
}

const SCHEMA = {
  type: "object",
  required: ["sessions"],
  properties: {
    sessions: {
      type: "array",
      items: {
        type: "object",
        required: ["hash", "createdAt", "usedAt"],
        anyOf: [{ required: ["clientId", "secretHash"] }, { required: ["person"] }],
        properties: {
          hash: HASH,
          id: { type: "string" },
          clientId: { type: "string" },
          secretHash: HASH,
          person: { type: "string" },
          only: { type: "string" },
          createdAt: { type: "string" },
          usedAt: { type: "string" },
          agent: { type: "string" },
        },
      },
    },
  },
} as const;

const NOTHING: Content = { sessions: [] };

interface Store {
  current(): Promise<Content>;
  /** As it is now: `current` may be half a second old. */
  latest(): Promise<Content>;
  change<R>(change: (content: Content) => { readonly content: Content; readonly result: R }): Promise<R>;
}

/**
 * For a service that writes nothing into the data folder: those of a writer work there too, and its own, of clients, end
 * with the process.
 */
class InMemory implements Store {
  readonly #written: Store | undefined;
  #content = NOTHING;

  constructor(written?: Store) {
    this.#written = written;
  }

  async current(): Promise<Content> {
    return this.#with(await this.#written?.current());
  }

  async latest(): Promise<Content> {
    return this.#with(await this.#written?.latest());
  }

  #with({ sessions }: Content = NOTHING): Content {
    return { sessions: [...sessions, ...this.#content.sessions] };
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
  /** New sessions are kept in memory only; those in the data folder work. */
  readonly writesNothing?: boolean;
  readonly credentials: { holds(clientId: string, secretHash: string): Promise<Verified | undefined> };
  /** The person now, as the client of a request; undefined without any role. */
  readonly people?: { verified(email: string, only?: string): Promise<Verified | undefined> };
  readonly onProblem?: (problem: string) => void;
  readonly storage?: Storage;
  readonly clock?: () => number;
}

export interface Started {
  /** Goes into the cookie; it is not kept. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** A session as the person who has it sees it. */
export interface Listed {
  readonly id: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly agent: string | null;
}

/** The Explorer's sessions, of people and of clients. */
export class Sessions {
  readonly #store: Store;
  readonly #options: Options;
  readonly #clock: () => number;

  constructor(options: Options) {
    const { dataDir, writesNothing = false, onProblem, storage, clock = Date.now } = options;
    const file = dataDir === undefined ? undefined : fileOf(dataDir, onProblem, storage);
    this.#store = file && !writesNothing ? file : new InMemory(file);
    this.#options = options;
    this.#clock = clock;
  }

  /** A new session of a client whose secret has been verified. It replaces the session of the browser, if it has one. */
  start(clientId: string, secret: string, replaced?: string): Promise<Started> {
    return this.#start({ clientId, secretHash: hashOf(secret) }, replaced);
  }

  /** A new session of a person whose link has been redeemed. */
  startOf({ person, only }: PersonHolder, agent: string, replaced?: string): Promise<Started> {
    const holder = { person, ...(only === undefined ? {} : { only }) };
    return this.#start(holder, replaced, agent.slice(0, 200));
  }

  /** The client of a session. It must not be revoked, and the secret that signed in must still work; a person has a role. */
  async find(token: string): Promise<Verified | undefined> {
    const hash = hashOf(token);
    const { sessions } = await this.#store.current();
    const found = sessions.find((session) => session.hash === hash);
    const isFound = isSame(hash, found?.hash ?? NO_HASH);
    if (!found || !isFound || !this.#works(found)) return undefined;
    const client = await this.#clientOf(found);
    const isDue = client && this.#clock() - Date.parse(found.usedAt) >= USE_MS;
    // A full disk must not refuse a request that only reads: the session then ends earlier.
    if (isDue) await this.#used(hash).catch(() => undefined);
    return client;
  }

  async #clientOf(session: Session): Promise<Verified | undefined> {
    const { credentials, people } = this.#options;
    if ("clientId" in session) return credentials.holds(session.clientId, session.secretHash);
    const client = await people?.verified(session.person, session.only);
    const { id = "", createdAt } = session;
    const isRecent = this.#isWithin(createdAt, RECENT_MS);
    return (
      client?.person && { ...client, clientId: `session ${id}`, person: { ...client.person, session: id, isRecent } }
    );
  }

  /** The sessions of a person that work, the newest first; of one that reads a single organization only such. */
  async of(person: string, only?: string): Promise<Listed[]> {
    const { sessions } = this.#alive(await this.#store.latest());
    return sessions
      .filter((one) => "person" in one && one.person === person && (only === undefined || one.only === only))
      .map(({ id = "", createdAt, usedAt, agent = null }) => ({ id, createdAt, usedAt, agent }))
      .reverse();
  }

  /** Ends the session of a token. */
  async end(token: string): Promise<void> {
    const hash = hashOf(token);
    if (!(await this.#store.current()).sessions.some((session) => session.hash === hash)) return;
    await this.#store.change((content) => ({ content: without(this.#alive(content), hash), result: undefined }));
  }

  /** Ends a session of a person, or all of them. */
  endOf(person: string, id?: string): Promise<void> {
    return this.#store.change((content) => {
      const isEnded = (one: Session): boolean =>
        "person" in one && one.person === person && (id === undefined || one.id === id);
      return { content: { sessions: this.#alive(content).sessions.filter((one) => !isEnded(one)) }, result: undefined };
    });
  }

  #start(holder: Holder, replaced: string | undefined, agent?: string): Promise<Started> {
    return this.#store.change((content) => {
      const token = newSecret();
      const now = new Date(this.#clock()).toISOString();
      const kept = without(this.#alive(content), replaced === undefined ? "" : hashOf(replaced));
      const own = kept.sessions.filter((one) => isOf(one, holder));
      const surplus = own.slice(0, Math.max(0, own.length + 1 - MOST_SESSIONS));
      const id = randomBytes(9).toString("base64url");
      const session: Session = {
        ...holder,
        hash: hashOf(token),
        id,
        createdAt: now,
        usedAt: now,
        ...(agent ? { agent } : {}),
      };
      const sessions = [...kept.sessions.filter((one) => !surplus.includes(one)), session];
      const expiresAt = new Date(this.#clock() + SESSION_MS);
      return { content: { sessions }, result: { token, expiresAt } };
    });
  }

  #used(hash: string): Promise<void> {
    return this.#store.change((content) => {
      const { sessions } = this.#alive(content);
      const usedAt = new Date(this.#clock()).toISOString();
      const changed = sessions.map((session) => (session.hash === hash ? { ...session, usedAt } : session));
      return { content: { sessions: changed }, result: undefined };
    });
  }

  #works({ createdAt, usedAt }: Session): boolean {
    return this.#isWithin(createdAt, SESSION_MS) && this.#isWithin(usedAt, IDLE_MS);
  }

  /** False also for a time that is no date, or in the future: nothing lasts longer because a clock was wrong. */
  #isWithin(time: string, milliseconds: number): boolean {
    const age = this.#clock() - Date.parse(time);
    return age < milliseconds && age > -HOUR_MS;
  }

  #alive({ sessions }: Content): Content {
    return { sessions: sessions.filter((session) => this.#works(session)) };
  }
}

const isOf = (session: Session, holder: Holder): boolean =>
  "person" in holder
    ? "person" in session && session.person === holder.person
    : "clientId" in session && session.clientId === holder.clientId;

const without = ({ sessions }: Content, hash: string): Content => ({
  sessions: sessions.filter((session) => session.hash !== hash),
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
