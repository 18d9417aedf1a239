import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Mail, SmtpSettings } from "./mail.ts";

/** Mails in an hour, to everybody. */
const MOST_AN_HOUR = 300;
const HOUR_MS = 3_600_000;
/** Delays between the attempts to send one mail: within the time that its link works. */
const DELAYS_MS = [5_000, 30_000, 120_000];
/** Mails that wait; more are refused, so that a server that is down fills no memory. */
const MOST_WAITING = 1_000;

export interface Mailer {
  /** Queues a mail. False, and nothing is sent, if it is one too many. */
  send(mail: Mail): boolean;
  stop(): Promise<void>;
}

interface Options {
  readonly settings: SmtpSettings;
  readonly log: Logger;
  readonly clock?: () => number;
  readonly delaysMs?: readonly number[];
}

/**
 * Sends mails one after the other, so that a slow server keeps no request waiting. They are in memory only: they have links
 * that sign in.
 */
export class SmtpMailer implements Mailer {
  readonly #options: Options;
  readonly #queued: number[] = [];
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  send(mail: Mail): boolean {
    const { clock = Date.now, log } = this.#options;
    const now = clock();
    while (this.#queued[0] !== undefined && this.#queued[0] <= now - HOUR_MS) this.#queued.shift();
    if (this.#queued.length >= MOST_AN_HOUR || this.#waiting >= MOST_WAITING) {
      log.error({ anHour: this.#queued.length, waiting: this.#waiting }, "a mail was not sent: too many");
      return false;
    }
    this.#queued.push(now);
    this.#waiting++;
    this.#enqueue(mail, 0);
    return true;
  }

  /** One that the server does not take yet waits aside: it keeps no other one waiting. */
  async #attempt(mail: Mail, attempt: number): Promise<void> {
    const { settings, log, delaysMs = DELAYS_MS } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return this.#done();
    try {
      // Loaded only here: a service without mail starts without it.
      const { transmit } = await import("./smtp.ts");
      await transmit(settings, mail);
      this.#done();
    } catch (error) {
      const { code = "", responseCode = 0 } = error as { code?: string; responseCode?: number };
      const delay = responseCode >= 500 ? undefined : delaysMs[attempt];
      // Neither the address nor the server's text, which may repeat it.
      log.warn({ code, responseCode, attempt: attempt + 1, isLast: delay === undefined }, "a mail could not be sent");
      if (delay === undefined) return this.#done();
      sleep(delay, undefined, { signal, ref: false }).then(
        () => this.#enqueue(mail, attempt + 1),
        () => this.#done(),
      );
    }
  }

  #enqueue(mail: Mail, attempt: number): void {
    this.#last = this.#last.then(() => this.#attempt(mail, attempt));
  }

  #done(): void {
    this.#waiting--;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#last;
  }
}
