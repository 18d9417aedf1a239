import type { Children } from "../processes/children.ts";

/** Brings an organization's derived files up to date. */
export type Derive = (organization: string) => Promise<void>;

/** How soon a derivation that failed is tried again for the same reason: the pause doubles up to the longest. */
const RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

/** One derivation, waiting or running. `ended` resolves with whether it succeeded. */
interface Turn {
  isUrgent: boolean;
  readonly begin: () => void;
  readonly ended: Promise<boolean>;
}

interface Failure {
  readonly reason: string;
  readonly pauseMs: number;
  readonly at: number;
}

/** The derivations of a service: one at a time, as there is one writer; those that a request waits for run first. */
export class Derivations {
  readonly #derive: Derive;
  readonly #onFailure: (organization: string, error: unknown) => void;
  /** By organization, in the order of the requests for them. */
  readonly #turns = new Map<string, Turn>();
  readonly #failures = new Map<string, Failure>();
  #isRunning = false;

  constructor(derive: Derive, onFailure: (organization: string, error: unknown) => void) {
    this.#derive = derive;
    this.#onFailure = onFailure;
  }

  /** Whether a derivation of the organization is waiting or running. */
  has(organization: string): boolean {
    return this.#turns.has(organization);
  }

  /** Moves the organization's derivation to the front, because a request waits for it. */
  hurry(organization: string): void {
    const turn = this.#turns.get(organization);
    if (turn) turn.isUrgent = true;
  }

  /**
   * Derives, unless that failed recently for the same reason; joins a derivation that is waiting or running.
   * Resolves with whether it succeeded.
   */
  ask(organization: string, reason: string): Promise<boolean> {
    const under = this.#turns.get(organization);
    if (under) return under.ended;
    const failure = this.#failures.get(organization);
    if (failure?.reason === reason && performance.now() - failure.at < failure.pauseMs) return Promise.resolve(false);
    let begin = (): void => {};
    const begun = new Promise<void>((done) => {
      begin = done;
    });
    const turn: Turn = { isUrgent: false, begin, ended: begun.then(() => this.#run(organization, reason)) };
    this.#turns.set(organization, turn);
    this.#next();
    return turn.ended;
  }

  #next(): void {
    if (this.#isRunning) return;
    const turns = [...this.#turns.values()];
    const next = turns.find(({ isUrgent }) => isUrgent) ?? turns[0];
    if (!next) return;
    this.#isRunning = true;
    next.begin();
  }

  async #run(organization: string, reason: string): Promise<boolean> {
    try {
      await this.#derive(organization);
      this.#failures.delete(organization);
      return true;
    } catch (error) {
      const before = this.#failures.get(organization);
      const pauseMs = before?.reason === reason ? Math.min(2 * before.pauseMs, LONGEST_RETRY_MS) : RETRY_MS;
      this.#failures.set(organization, { reason, pauseMs, at: performance.now() });
      this.#onFailure(organization, error);
      return false;
    } finally {
      this.#turns.delete(organization);
      this.#isRunning = false;
      this.#next();
    }
  }
}

/** Derives in a separate process, so that it does not use the service's memory and processor time. */
export const deriveInChild =
  (children: Children): Derive =>
  async (organization) => {
    const { code, stderr } = await children.run(["derive", "--organization", organization]);
    if (code !== 0) throw new Error(stderr || `derive ended with ${code}`);
  };

/** For a read-only service: the process that lands also derives. */
export const deriveNothing: Derive = async () => {};
