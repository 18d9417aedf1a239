import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../core/contract/error.ts";
import type { LetterSetting, Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import { alertReceivers, alertsKey, deliverAlerts, linesToday } from "./atOnce.ts";
import { type Delivered, deliverLetter } from "./deliver.ts";
import type { LettersDependencies } from "./dependencies.ts";

/** How often letters are looked at: one that is due goes out within this time. */
const LOOK_MS = 20_000;
const AT_ONCE = 3;

/** Sends letters while the service runs: one process of all at a time. */
export class LetterRun {
  readonly #deps: LettersDependencies;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** What alerts were last looked at with, by organization. */
  readonly #judged = new Map<string, string>();

  constructor(deps: LettersDependencies) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** What is being sent ends first. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { lookMs = LOOK_MS, log } = this.#deps;
    while (!signal.aborted) {
      await this.#asSender(() => this.look()).catch((error) => log.error({ err: error }, "letters"));
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #asSender(work: () => Promise<void>): Promise<void> {
    const { dataDir } = this.#deps.config;
    const taken = new OperatorError("another process sends letters");
    let isRun = false;
    const run = (): Promise<void> => {
      isRun = true;
      return work();
    };
    const waiting = { waitMs: 0, refusal: () => taken.message };
    const { turns } = coordinationOf(dataDir);
    await turns.exclusively(paths.lettersLock(dataDir), waiting, run).catch((error) => {
      if (isRun || !(error instanceof OperatorError)) throw error;
    });
  }

  /** Sends what is due now. */
  async look(): Promise<void> {
    const all = await this.#deps.organizations();
    const due = all.flatMap((settings) => (settings.letters ?? []).map((letter) => ({ settings, letter })));
    const next = async (): Promise<void> => {
      for (let one = due.shift(); one && !this.#stopping.signal.aborted; one = due.shift())
        await this.#deliver(one.settings, one.letter);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    for (const settings of all) {
      if (this.#stopping.signal.aborted) return;
      await this.#alert(settings);
    }
  }

  /** Sends the alerts that are to be sent when they begin [D96]. They are asked only when their answers may have changed. */
  async #alert(settings: Organization): Promise<void> {
    const { signal } = this.#stopping;
    const { organizationId: organization } = settings;
    const receivers = alertReceivers(settings);
    if (receivers.length === 0) return;
    try {
      const key = await alertsKey(this.#deps, settings);
      const isNew = key !== undefined && this.#judged.get(organization) !== key;
      const linesOf = isNew ? linesToday(this.#deps, settings, signal) : undefined;
      let isJudged = true;
      for (const letter of receivers) {
        const spoken = await deliverAlerts({ deps: this.#deps, settings, letter, signal }, linesOf);
        isJudged &&= spoken.isJudged;
        this.#report({ organization, channel: letter.channel, on: letter.on }, spoken.delivered);
      }
      if (isNew && isJudged) this.#judged.set(organization, key);
    } catch (error) {
      if (!signal.aborted) this.#deps.log.error({ organization, err: error }, "alerts could not be sent");
    }
  }

  #report(about: object, delivered: Delivered | undefined): void {
    const { log } = this.#deps;
    if (delivered) log[delivered.stage === "sent" ? "info" : "warn"]({ ...about, ...delivered }, "letter");
  }

  /** Reports without the receiver: it may be somebody's address. */
  async #deliver(settings: Organization, letter: LetterSetting): Promise<void> {
    const { log } = this.#deps;
    const { organizationId: organization } = settings;
    const about = { organization, channel: letter.channel, on: letter.on };
    try {
      const delivered: Delivered | undefined = await deliverLetter(this.#deps, settings, letter, this.#stopping.signal);
      this.#report(about, delivered);
    } catch (error) {
      if (!this.#stopping.signal.aborted) log.error({ ...about, err: error }, "a letter could not be sent");
    }
  }
}
