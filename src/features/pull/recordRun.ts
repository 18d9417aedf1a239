import { ENDED, type RecordReport } from "../../core/sync/pulled.ts";
import { dayIn, earlierOf } from "../../core/time/days.ts";
import type { Client, Counts } from "./client.ts";
import { pullOf } from "./connectors/index.ts";
import { type Context, reportOf } from "./context.ts";
import type { Span } from "./days.ts";
import { PullError, type RecordPull, type Session } from "./declaration.ts";
import { adviceOn, cleaned, failureOf } from "./failure.ts";
import type { StateKeeper } from "./keeper.ts";
import { type Opened, sessionOf } from "./session.ts";
import type { PullState, RecordState, Sweep } from "./state.ts";
import {
  afterPage,
  afterWindow,
  completeState,
  isDone,
  isResumable,
  newSweep,
  windowAsked,
  windowName,
  windowsIn,
} from "./sweep.ts";
import { PullFolder } from "./write.ts";

/** The pull of one record. */
export class RecordRun {
  readonly #context: Context;
  readonly #opened: Opened;
  readonly #client: Client;
  readonly #keeper: StateKeeper;
  readonly #name: string;
  readonly #pull: RecordPull;
  readonly #folder: PullFolder;
  readonly #session: Session;
  readonly #notes = new Set<string>();
  readonly #before: Counts;
  #objects = 0;
  #span: { from: string; to: string } | undefined;

  constructor(context: Context, opened: Opened, keeper: StateKeeper, name: string) {
    const { client } = opened;
    const { folders, integration } = context;
    this.#context = context;
    this.#opened = opened;
    this.#client = client;
    this.#keeper = keeper;
    this.#name = name;
    this.#pull = pullOf(integration.connector).records[name] as RecordPull;
    this.#folder = new PullFolder(folders.exports(integration.id, name));
    this.#session = sessionOf(context, client, this.#folder, (text) => this.#notes.add(client.clean(text)));
    this.#before = { ...client.counts };
    if (keeper.remark) this.#notes.add(keeper.remark);
  }

  async run(): Promise<RecordReport> {
    const at = this.#session.now.toISOString();
    try {
      await this.#folder.open();
      await this.#sweeps();
      await this.#keeper.learnEnd(this.#opened, this.#session);
      return this.#report({ complete: true, message: [...this.#notes].join("; ") || null });
    } catch (error) {
      const { integration } = this.#context;
      if (!(error instanceof PullError)) {
        const message = failureOf(this.#client.clean((error as Error).message), error as NodeJS.ErrnoException);
        await this.#fail({ at, message });
        return this.#report({ message });
      }
      const message = adviceOn(cleaned(error, this.#client), integration);
      const retryAt = error.retryAt ? { retryAt: error.retryAt.toISOString() } : {};
      await this.#fail({ at, message, ...retryAt }, error.kind === "credentials" ? { at, message } : undefined);
      return this.#report({ message });
    } finally {
      await this.#folder.close();
    }
  }

  /** The report has the failure too: on a full disk there is no state of it. */
  #fail(failure: NonNullable<RecordState["failure"]>, refused?: PullState["refused"]): Promise<void> {
    return this.#keeper.keep(this.#name, { ...this.#keeper.record(this.#name), failure }, refused).catch(() => {});
  }

  #report(more: Pick<RecordReport, "message"> & Partial<RecordReport>): RecordReport {
    const { counts } = this.#client;
    return reportOf(this.#context, this.#name, {
      requests: counts.requests - this.#before.requests,
      waited: Math.round(counts.waitedMs - this.#before.waitedMs) / 1000,
      bytes: counts.bytes - this.#before.bytes,
      objects: this.#objects,
      from: this.#span?.from ?? null,
      to: this.#span?.to ?? null,
      ...more,
    });
  }

  /** Goes on with a sweep that was ended, and then up to today. */
  async #sweeps(): Promise<void> {
    const { request } = this.#context;
    if (request.since !== undefined || request.until !== undefined) return this.#askedSweep();
    const { today, timezone } = this.#session;
    const since = this.#sinceAllowed(this.#context.integration.pull.since);
    let state = this.#keeper.record(this.#name);
    // Days that no complete pull had asked for: everything is asked for once more.
    if (state.since !== undefined && since < state.since) state = {};
    const { sweep } = state;
    if (sweep && isResumable(sweep, state, since)) {
      state = await this.#sweep(state, sweep, since);
      if (dayIn(timezone, new Date(sweep.began)) === today) return;
    }
    await this.#sweep(state, newSweep(this.#pull, state, since, this.#session), since);
  }

  /** The first day that the vendor answers for. */
  #sinceAllowed(since: string): string {
    const earliest = this.#pull.earliest?.(this.#session.today);
    if (earliest === undefined || since >= earliest) return since;
    this.#notes.add(`the vendor answers from ${earliest} on only: earlier days are left out`);
    return earliest;
  }

  async #sweep(state: RecordState, sweep: Sweep, since: string): Promise<RecordState> {
    const done = await this.#windows({ ...sweep, keep: sweep.keep ?? state.keep }, since, (progress) => {
      const { failure: _, ...rest } = state;
      return this.#keeper.keep(this.#name, { ...rest, sweep: progress });
    });
    const complete = completeState(state, done, since, [...this.#notes]);
    await this.#keeper.keep(this.#name, complete);
    return complete;
  }

  /** The days that the options name; the state stays as it is. */
  async #askedSweep(): Promise<void> {
    const { request, integration } = this.#context;
    const { today, now } = this.#session;
    const from = this.#sinceAllowed(request.since ?? integration.pull.since);
    const to = earlierOf(request.until ?? today, today);
    const sweep: Sweep = { began: now.toISOString(), from, to, first: true };
    await this.#windows(sweep, from, async () => {});
  }

  async #windows(sweep: Sweep, since: string, keep: (sweep: Sweep) => Promise<void>): Promise<Sweep> {
    const spans = windowsIn(this.#pull, sweep);
    this.#span = { from: earlierOf(sweep.from, this.#span?.from ?? sweep.from), to: sweep.to };
    let present = sweep;
    for (const [n, span] of spans.entries()) {
      if (isDone(this.#pull, present, span)) continue;
      const progress = (): void => this.#progress(span, n / spans.length);
      present = await this.#window(present, span, since, keep, progress);
    }
    return present;
  }

  async #window(
    sweep: Sweep,
    span: Span,
    since: string,
    keep: (sweep: Sweep) => Promise<void>,
    progress: () => void,
  ): Promise<Sweep> {
    const session = this.#session;
    const name = windowName(this.#pull, sweep, span, session.today);
    const going = sweep.window?.from === span.from && sweep.window.resume !== undefined ? sweep.window : undefined;
    let { window: _, ...present } = sweep;
    let pages = going?.pages ?? 0;
    progress();
    const asked = windowAsked(sweep, span, since, going?.resume, session);
    for await (const page of this.#pull.pages(session, asked)) {
      if (page.objects?.length || page.file) {
        if (page.name === undefined) pages++;
        this.#objects += (await this.#folder.write(name, pages, page)).objects;
      }
      present = afterPage(this.#pull, present, span, page);
      const { resume } = page;
      if (resume !== undefined) await keep({ ...present, window: { from: span.from, pages, resume } });
      progress();
      if (session.signal.aborted) throw new PullError("ended", ENDED);
    }
    await this.#folder.end(name, pages);
    const done = afterWindow(this.#pull, present, span);
    await keep(done);
    return done;
  }

  #progress({ from, to }: Span, share: number): void {
    const { folders, integration, request } = this.#context;
    const { requests, waitedMs } = this.#client.counts;
    const record = this.#name;
    const objects = this.#objects;
    request.progress?.({
      organization: folders.organization,
      integration: integration.id,
      record,
      from,
      to,
      share,
      requests,
      waitedMs,
      objects,
    });
  }
}
