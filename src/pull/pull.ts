import type { Config } from "../config.ts";
import { OperatorError } from "../contract/error.ts";
import type { Connector } from "../contract/record.ts";
import type { Integration } from "../contract/settings.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { paths } from "../files/paths.ts";
import { type Account, type PulledIntegration, pulledRecords } from "./accounts.ts";
import { Client, type Counts, type Limits } from "./client.ts";
import { PULLS } from "./connectors/index.ts";
import {
  addDays,
  beginningOf,
  dayIn,
  daysBetween,
  earlierOf,
  laterOf,
  type Span,
  windowStart,
  windowsOf,
} from "./days.ts";
import {
  ENDED,
  type Page,
  PullError,
  type RecordPull,
  type SecretSet,
  type Session,
  type Window,
} from "./declaration.ts";
import { type KeptSecrets, keptSecrets, setOf } from "./secrets.ts";
import { keepState, type PullState, pullState, type RecordState, type Sweep } from "./state.ts";
import { PullFolder } from "./write.ts";

/** What a pull did with one record [D62]. */
export interface RecordReport {
  readonly organization: string;
  readonly integration: string;
  readonly connector: Connector;
  readonly record: string;
  readonly requests: number;
  /** Seconds. */
  readonly waited: number;
  readonly objects: number;
  readonly bytes: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly complete: boolean;
  /** What is missing and what to do, or a remark of the vendor. */
  readonly message: string | null;
}

export interface PullRequest {
  /** Only these records. */
  readonly records?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly signal: AbortSignal;
  readonly limits?: Limits;
  readonly progress?: (progress: PullProgress) => void;
  /** Called when a record has ended. */
  readonly onRecord?: (report: RecordReport) => void;
}

/** How far a record has come. */
export interface PullProgress {
  readonly organization: string;
  readonly integration: string;
  readonly record: string;
  /** The window that is asked for. */
  readonly from: string;
  readonly to: string;
  /** The share of the span's windows that are done. */
  readonly share: number;
  readonly requests: number;
  readonly waitedMs: number;
  readonly objects: number;
}

/** Days that ads and analytics restate [D63]. */
const RESTATED_DAYS = 28;
const END_OF_DAYS = "9999-12-31";
/** A pull by change begins so many days before the last complete one. */
const OVERLAP_DAYS = 1;

const earlierInstant = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? a : b);

interface Context {
  readonly config: Pick<Config, "dataDir" | "now">;
  readonly organization: string;
  readonly integration: PulledIntegration;
  readonly request: PullRequest;
}

/**
 * Asks for all records of one integration and writes what the vendor answers into its folders of exports; lands nothing.
 * A record that fails does not stop the others, unless the credentials are refused.
 */
export async function pullIntegration(context: Context): Promise<RecordReport[]> {
  const { config, organization, integration } = context;
  const lock = paths.pullLock(config.dataDir, organization, integration.id);
  const refusal = (holder: string): string => `another pull of this integration is running (${holder})`;
  try {
    return await coordinationOf(config.dataDir).turns.exclusively(lock, { waitMs: 0, refusal }, () =>
      pullLocked(context),
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return wantedRecords(context).map((record) => reportOf(context, record, { message: error.message }));
  }
}

const wantedRecords = ({ integration, request }: Context): string[] =>
  pulledRecords(integration).filter((name) => request.records?.includes(name) ?? true);

const NOTHING = { requests: 0, waited: 0, objects: 0, bytes: 0, from: null, to: null, complete: false, message: null };

const reportOf = (
  { organization, integration }: Context,
  record: string,
  more: Partial<RecordReport>,
): RecordReport => ({
  organization,
  integration: integration.id,
  connector: integration.connector,
  record,
  ...NOTHING,
  ...more,
});

async function pullLocked(context: Context): Promise<RecordReport[]> {
  const { config, organization, integration, request } = context;
  const opened = await openClient(context);
  if (typeof opened === "string")
    return wantedRecords(context).map((record) => reportOf(context, record, { message: opened }));
  const { client } = opened;
  const keeper = new StateKeeper(context, await pullState(config.dataDir, organization, integration.id));
  const reports: RecordReport[] = [];
  let refused: string | undefined;
  try {
    for (const record of wantedRecords(context)) {
      if (refused !== undefined) {
        reports.push(reportOf(context, record, { message: refused }));
        continue;
      }
      const report = await new RecordRun(context, opened, keeper, record).run();
      reports.push(report);
      request.onRecord?.(report);
      if (keeper.state.refused) refused = report.message ?? "";
    }
  } finally {
    await client.close();
  }
  return reports;
}

/** The client of an integration, and its secrets. */
interface Opened {
  readonly client: Client;
  readonly kept: KeptSecrets;
  readonly set: SecretSet;
}

/** The client of an integration, or why there is none. */
async function openClient({ config, organization, integration, request }: Context): Promise<Opened | string> {
  const { connector, id, pull } = integration;
  const declaration = PULLS[connector];
  const kept = await keptSecrets(config.dataDir, organization, id);
  const set = kept && setOf(connector, kept.secrets);
  if (!kept || !set) {
    const what = kept ? "the secrets are incomplete" : "there are no secrets";
    return `${what}: lucra secrets set --organization ${organization} --integration ${id}`;
  }
  const account = pull.account ?? {};
  const client = new Client({
    declaration,
    account,
    secrets: kept.secrets,
    set,
    baseUrl: (pull.baseUrl ?? declaration.baseUrl(account)).replace(/\/+$/, ""),
    tokenUrl: pull.tokenUrl ?? declaration.tokenUrl,
    signal: request.signal,
    ...(request.limits ? { limits: request.limits } : {}),
  });
  return { client, kept, set };
}

/** Integrations that are pulled at once: their vendors' limits have nothing to do with each other. */
const AT_ONCE = 4;

/** Pulls several integrations; the reports are in their order. */
export async function pullAll(
  config: Context["config"],
  accounts: readonly Account[],
  request: PullRequest & { readonly check?: boolean },
): Promise<RecordReport[]> {
  const reports = await inOrder(accounts, AT_ONCE, async (account) =>
    request.check
      ? [await checkIntegration({ config, ...account, request })]
      : pullIntegration({ config, ...account, request }),
  );
  return reports.flat();
}

/** Asks the account one cheap question [D62]; writes nothing. */
export async function checkIntegration(context: Context): Promise<RecordReport> {
  const { integration, config } = context;
  const opened = await openClient(context);
  if (typeof opened === "string") return reportOf(context, "", { message: opened });
  const { client } = opened;
  try {
    const session = sessionOf(context, client, undefined, () => {});
    const name = await PULLS[integration.connector].check(session);
    return reportOf(context, "", { ...costOf(client.counts), complete: true, message: client.clean(name) });
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    const message = adviceOn(cleaned(error, client), integration, config.now());
    return reportOf(context, "", { ...costOf(client.counts), message });
  } finally {
    await client.close();
  }
}

const costOf = (counts: Counts): Pick<RecordReport, "requests" | "waited" | "bytes"> => ({
  requests: counts.requests,
  waited: Math.round(counts.waitedMs) / 1000,
  bytes: counts.bytes,
});

/** Connectors quote the vendor too. */
const cleaned = ({ kind, message, status, retryAt }: PullError, client: Client): PullError =>
  new PullError(kind, client.clean(message), {
    ...(status === undefined ? {} : { status }),
    ...(retryAt === undefined ? {} : { retryAt }),
  });

const FULL = ["ENOSPC", "EDQUOT", "EFBIG"];

const failureOf = (message: string, { code = "" }: NodeJS.ErrnoException): string =>
  FULL.includes(code) ? `the disk is full (${message}): make room, and the next pull goes on from here` : message;

/** What the vendor says, and what to do about it. */
function adviceOn({ kind, message }: PullError, { id }: Integration, _now: Date): string {
  if (kind === "credentials")
    return `the credentials are refused: ${message}; set new ones (lucra secrets set --integration ${id}), or repair the rights at the vendor, then lucra pull --check`;
  if (kind === "refused") return `the vendor refuses the request: ${message}; see docs/connectors.md for the rights`;
  if (kind === "tooMuch") return `the vendor refuses even the smallest request as too large: ${message}`;
  if (kind === "transient") return `the vendor does not answer: ${message}; the next pull goes on from here`;
  return message;
}

function sessionOf(
  context: Context,
  client: Client,
  folder: PullFolder | undefined,
  note: (text: string) => void,
): Session {
  const { config, integration, request } = context;
  const timezone = integration.timezone ?? "UTC";
  const now = config.now();
  let files = 0;
  const workFile = (name: string): string => {
    if (!folder) throw new Error("a check writes no files");
    return folder.workFile(name);
  };
  return {
    account: integration.pull.account ?? {},
    today: dayIn(timezone, now),
    timezone,
    now,
    signal: request.signal,
    get: (where, options) => client.json("GET", where, undefined, options),
    post: (where, body, options) => client.json("POST", where, body, options),
    download: async (where, options) => {
      const path = workFile(`download-${++files}`);
      return { path, objects: await client.lines(where, path, options) };
    },
    each: (items, work) => inOrder(items, PULLS[integration.connector].concurrent, work),
    wait: (ms) => client.wait(ms),
    note,
    workFile,
  };
}

/** Runs work for items, so many at a time. The first error ends it, after the work that is under way. */
async function inOrder<T, R>(items: Iterable<T>, most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = [...items].entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const [n, item] of entries) {
      if (failure) return;
      try {
        results[n] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failure) throw failure.error;
  return results;
}

/** Whose data an integration pulls; a prefix and capitals make no difference. */
function accountOf({ connector, pull }: PulledIntegration): string {
  const keys = Object.entries(PULLS[connector].account).filter(([, { isManner }]) => !isManner);
  return keys.map(([key]) => pull.account?.[key]?.toLowerCase().replace(/^act_/, "") ?? "").join(" ");
}

/** The state of one integration, written after every page. */
class StateKeeper {
  readonly #context: Context;
  #isEndKnown = false;
  state: PullState;

  /** Why the state that was kept does not count. */
  readonly remark: string | undefined;

  constructor(context: Context, state: PullState) {
    this.#context = context;
    const { account = accountOf(context.integration) } = state;
    const isOther = account !== accountOf(context.integration);
    this.state = isOther ? { version: 1, records: {} } : state;
    if (isOther)
      this.remark =
        "the settings name another account than before: everything is asked for again; what the earlier one gave stays in the lake";
  }

  record(name: string): RecordState {
    return this.state.records[name] ?? {};
  }

  async keep(name: string, record: RecordState, refused?: PullState["refused"]): Promise<void> {
    const { refused: _, ...others } = this.state;
    const records = { ...others.records, [name]: record };
    await this.#write({
      ...others,
      account: accountOf(this.#context.integration),
      records,
      ...(refused ? { refused } : {}),
    });
  }

  /** When the secrets end, for the doctor: asked by the first record of a run that is complete. */
  async learnEnd({ client, kept, set }: Opened, session: Session): Promise<void> {
    if (this.#isEndKnown) return;
    this.#isEndKnown = true;
    try {
      const end = (await set.end?.(session, kept.secrets)) ?? client.secretsEnd;
      const { secrets: _, ...others } = this.state;
      await this.#write(end ? { ...others, secrets: { setAt: kept.setAt, endAt: end.toISOString() } } : others);
    } catch (error) {
      // What is known stays; the records are there, so nothing has failed.
      if (!(error instanceof PullError)) throw error;
    }
  }

  #write(state: PullState): Promise<void> {
    this.state = state;
    const { config, organization, integration } = this.#context;
    return keepState(config.dataDir, organization, integration.id, state);
  }
}

/** The pull of one record. */
class RecordRun {
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
  readonly #timezone: string;
  #objects = 0;
  #span: { from: string; to: string } | undefined;

  constructor(context: Context, opened: Opened, keeper: StateKeeper, name: string) {
    const { client } = opened;
    const { config, organization, integration } = context;
    this.#context = context;
    this.#opened = opened;
    this.#client = client;
    this.#keeper = keeper;
    this.#name = name;
    this.#pull = PULLS[integration.connector].records[name] as RecordPull;
    this.#folder = new PullFolder(paths.exports(config.dataDir, organization, integration.id, name));
    this.#session = sessionOf(context, client, this.#folder, (text) => this.#notes.add(client.clean(text)));
    this.#before = { ...client.counts };
    this.#timezone = this.#session.timezone;
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
      const { integration, config } = this.#context;
      if (!(error instanceof PullError)) {
        const message = failureOf(this.#client.clean((error as Error).message), error as NodeJS.ErrnoException);
        await this.#fail({ at, message });
        return this.#report({ message });
      }
      const message = adviceOn(cleaned(error, this.#client), integration, config.now());
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
    const since = this.#sinceAllowed(this.#context.integration.pull.since);
    let state = this.#keeper.record(this.#name);
    // Days that no complete pull had asked for: everything is asked for once more.
    if (state.since !== undefined && since < state.since) state = {};
    const { sweep } = state;
    if (sweep && (sweep.first ? sweep.from <= since : state.completeAt !== undefined)) {
      state = await this.#sweep(state, sweep, since);
      if (dayIn(this.#timezone, new Date(sweep.began)) === this.#session.today) return;
    }
    await this.#sweep(state, this.#newSweep(state, since), since);
  }

  #newSweep({ completeAt, until, again }: RecordState, since: string): Sweep {
    const { today, now } = this.#session;
    const { mode, windowDays, dayOf, againDays = RESTATED_DAYS } = this.#pull;
    const began = now.toISOString();
    const first = completeAt === undefined;
    if (first || mode === "whole") return { began, from: since, to: today, first };
    const last = dayIn(this.#timezone, new Date(until === undefined ? completeAt : earlierInstant(until, completeAt)));
    if (mode === "days") {
      // Without a row ever, nothing is known to be complete.
      const seen = dayOf ? (again ?? since) : last;
      const day = earlierOf(seen, addDays(last, -againDays));
      return { began, from: laterOf(since, windowStart(day, windowDays)), to: today, first };
    }
    return { began, from: laterOf(since, addDays(last, -OVERLAP_DAYS)), to: today, first };
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
    const again = done.again ?? state.again;
    const complete: RecordState = {
      since: earlierOf(since, state.since ?? since),
      completeAt: done.began,
      ...(done.until === undefined ? {} : { until: done.until }),
      ...(again === undefined ? {} : { again }),
      ...(done.keep === undefined ? {} : { keep: done.keep }),
      ...(this.#notes.size > 0 ? { notes: [...this.#notes] } : {}),
    };
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
    const isWhole = this.#pull.mode === "whole";
    const { dayOf } = this.#pull;
    const spans = windowsOf(sweep.from, sweep.to, isWhole ? undefined : this.#longestWindow(sweep));
    if (dayOf) spans.reverse();
    this.#span = { from: earlierOf(sweep.from, this.#span?.from ?? sweep.from), to: sweep.to };
    let present = sweep;
    for (const [n, span] of spans.entries()) {
      if (dayOf ? span.from >= (present.backTo ?? END_OF_DAYS) : span.to <= (present.through ?? "")) continue;
      const progress = (): void => this.#progress(span, n / spans.length);
      present = await this.#window(present, span, since, keep, progress);
    }
    return present;
  }

  #longestWindow({ first, from, to }: Sweep): number | undefined {
    const { dayOf, windowDays, firstWindowDays = windowDays } = this.#pull;
    // An account without rows for long is asked for its whole history again.
    const isLong = dayOf && daysBetween(from, to) > 2 * (firstWindowDays ?? 0);
    return first || isLong ? firstWindowDays : windowDays;
  }

  async #window(
    sweep: Sweep,
    span: Span,
    since: string,
    keep: (sweep: Sweep) => Promise<void>,
    progress: () => void,
  ): Promise<Sweep> {
    const name = this.#nameOf(sweep, span);
    const going = sweep.window?.from === span.from && sweep.window.resume !== undefined ? sweep.window : undefined;
    let { window: _, ...present } = sweep;
    let pages = going?.pages ?? 0;
    progress();
    for await (const page of this.#pull.pages(this.#session, this.#askedFor(sweep, span, since, going?.resume))) {
      if (page.objects?.length || page.file) {
        if (page.name === undefined) pages++;
        this.#objects += (await this.#folder.write(name, pages, page)).objects;
      }
      const again = present.again ?? this.#again(page, span);
      if (again !== undefined) present = { ...present, again };
      const { resume, until } = page;
      if (page.keep !== undefined) present = { ...present, keep: page.keep };
      if (until !== undefined) present = { ...present, until: earlierInstant(until, present.until ?? until) };
      if (resume !== undefined) await keep({ ...present, window: { from: span.from, pages, resume } });
      progress();
      if (this.#context.request.signal.aborted) throw new PullError("ended", ENDED);
    }
    await this.#folder.end(name, pages);
    const done: Sweep = { ...present, ...(this.#pull.dayOf ? { backTo: span.from } : { through: span.to }) };
    await keep(done);
    return done;
  }

  /**
   * The first day that the next pull asks for again, by the newest window with rows: its figures may have appeared while it
   * was read, and those before it were read later.
   */
  #again({ objects = [] }: Page, { from }: Span): string | undefined {
    const { dayOf, againDays = RESTATED_DAYS } = this.#pull;
    const newest = dayOf && objects.reduce<string>((day, row) => laterOf(day, dayOf(row) ?? ""), "");
    return newest ? earlierOf(from, addDays(newest, -againDays)) : undefined;
  }

  /** The same name for the same window, so that a pull of it later replaces its files. */
  #nameOf({ first }: Sweep, { from, to, end }: Span): string {
    const { mode } = this.#pull;
    if (mode === "whole") return "whole";
    const last = to === this.#session.today ? end : to;
    return mode === "days" ? `${from}_${last}` : `${first ? "created" : "changed"}-${from}_${last}`;
  }

  #askedFor({ first, keep }: Sweep, { from, to }: Span, since: string, resume: unknown): Window {
    const end = beginningOf(addDays(to, 1), this.#timezone).getTime();
    return {
      from,
      to,
      fromInstant: beginningOf(from, this.#timezone).toISOString(),
      toInstant: new Date(Math.min(end, this.#session.now.getTime())).toISOString(),
      first,
      sinceInstant: beginningOf(since, this.#timezone).toISOString(),
      ...(resume === undefined ? {} : { resume }),
      ...(keep === undefined ? {} : { kept: keep }),
    };
  }

  #progress({ from, to }: Span, share: number): void {
    const { organization, integration, request } = this.#context;
    const { requests, waitedMs } = this.#client.counts;
    const record = this.#name;
    const objects = this.#objects;
    request.progress?.({
      organization,
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
