import type { Session } from "./database.ts";

interface Shared {
  readonly session: Promise<Session>;
  /** Settles with the last work so far. */
  last: Promise<unknown>;
}

/** The sessions of one request: work for the same one is done one after the other. A session is opened with its first work. */
export class SharedSessions {
  readonly #open: () => Promise<Session>;
  readonly #signal: AbortSignal;
  readonly #shared = new Map<string, Shared>();

  constructor(open: () => Promise<Session>, signal: AbortSignal) {
    this.#open = open;
    this.#signal = signal;
  }

  /** Runs the work in the session of this name; it is interrupted when the signal aborts. */
  use<T>(name: string, work: (session: Session) => Promise<T>): Promise<T> {
    const shared = this.#shared.get(name) ?? { session: this.#open(), last: Promise.resolve() };
    this.#shared.set(name, shared);
    const result = shared.last.then(async () => {
      const session = await shared.session;
      return session.answerUntil(this.#signal, () => work(session));
    });
    shared.last = result.catch(() => undefined);
    return result;
  }

  /** Closes the sessions when their work has ended. */
  async close(): Promise<void> {
    for (const { session, last } of this.#shared.values()) {
      await last;
      await session.then(
        (opened) => opened.close(),
        () => undefined,
      );
    }
  }
}
