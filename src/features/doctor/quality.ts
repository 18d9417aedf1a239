import { setMaxListeners } from "node:events";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../core/contract/error.ts";
import type { Generations } from "../../core/contract/generations.ts";
import { QUALITY_KINDS } from "../../core/contract/quality.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { unlessAborted, withinTime } from "../../core/engine/aborting.ts";
import { Database, type Row } from "../../core/engine/database.ts";
import { held, versionOf } from "../../core/engine/generations.ts";
import { readSql } from "../../core/engine/sql.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { currentGeneration } from "../../core/marts/generations.ts";
import { lastResults } from "../../core/sync/status.ts";
import { runChecks } from "./checks.ts";
import {
  derivationFindings,
  folderFindings,
  landingFindings,
  lastResultFindings,
  missingFindings,
  stalenessFindings,
  timezoneFindings,
} from "./findings.ts";
import { integrationStates } from "./integrations.ts";
import { type Landed, landedOf } from "./landed.ts";
import { missingFiles } from "./missing.ts";
import { type Finding, type IntegrationState, withoutEmails } from "./report.ts";

/** Rejected rows have a list of their own, which is longer than the examples of a finding. */
const MOST_REASONS = 10;
const MOST_EXAMPLES = 5;
/** How long the state of the files is kept, and how long examining one organization may take. */
const KEPT_MS = 60_000;
const LONGEST_MS = 30_000;
const MOST_KEPT = 1_000;

interface Options {
  readonly dataDir: string;
  /** The serving engine, which may read derived files only. */
  readonly database: Database;
  readonly generations: Pick<Generations, "hold"> & {
    current(organizationId: string): Promise<{ readonly folder: string; readonly state: string }>;
  };
  readonly now: () => Date;
}

/** Facts from the derived files. */
interface Derived {
  readonly overview: Row;
  readonly freshness: readonly Row[];
  readonly looks: readonly Finding[];
}

type Report = Readonly<Record<string, unknown>>;

/**
 * The quality of organizations' data, from their derived files, their landed files and their last syncs. What the derived
 * files say is kept as long as these are in force, the rest for a minute; one organization at a time is examined.
 */
export class DataQuality {
  readonly #options: Options;
  readonly #derived = new LRUCache<string, Promise<Derived>>({ max: MOST_KEPT });
  readonly #reports = new LRUCache<string, Promise<Report>>({ max: MOST_KEPT, ttl: KEPT_MS });
  readonly #ending = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    setMaxListeners(0, this.#ending.signal);
  }

  /** A request that is aborted does not end the examination: the next one finds the result. */
  async of(settings: Organization, signal: AbortSignal): Promise<Report> {
    const { organizationId } = settings;
    const { generations } = this.#options;
    return held(generations, organizationId, async () => {
      const current = await generations.current(organizationId).catch(ifUnreadable);
      const key = `${organizationId} ${current ? versionOf(current) : ""}`;
      const known = this.#reports.get(key);
      const running = known ?? this.#inTurn(() => this.#report(settings, key, current?.folder));
      if (!known) {
        this.#reports.set(key, running);
        running.catch(() => this.#reports.delete(key));
      }
      return unlessAborted(running, signal, "timeout");
    });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#last;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => {});
    return running;
  }

  async #report(settings: Organization, key: string, folder: string | undefined): Promise<Report> {
    return withinTime(LONGEST_MS, [this.#ending.signal], async (signal) => {
      const derived = folder === undefined ? undefined : await this.#derivedOf(key, folder, signal);
      return unlessAborted(this.#examined(settings, derived), signal, "timeout");
    });
  }

  #derivedOf(key: string, folder: string, signal: AbortSignal): Promise<Derived> {
    const known = this.#derived.get(key);
    if (known) return known;
    const running = this.#options.database.useUntil(signal, async (session) => {
      await session.set("marts", folder);
      const [overview = {}] = await session.rows(readSql("doctor/overview"));
      return { overview, freshness: await session.rows(readSql("doctor/freshness")), looks: await runChecks(session) };
    });
    this.#derived.set(key, running);
    running.catch(() => this.#derived.delete(key));
    return running;
  }

  /** Reads the landed files with an engine of its own: the serving engines may not open them. */
  async #examined(settings: Organization, derived: Derived | undefined): Promise<Report> {
    const { dataDir, now: clock } = this.#options;
    const folders = foldersOf(dataDir, settings.organizationId);
    const now = clock();
    const database = await Database.open({ threads: 1 });
    const landed = await database
      .use((session) => landedOf(session, folders, settings))
      .finally(() => database.close());
    const generation = await currentGeneration(folders);
    const results = await lastResults(folders);
    const integrations = integrationStates(settings, results, landed, derived?.freshness ?? [], now);
    const findings = [
      ...missingFindings(await missingFiles(folders, settings, generation)),
      ...derivationFindings(generation, derived !== undefined, undefined, landed),
      ...(await folderFindings(folders, settings)),
      ...lastResultFindings(integrations),
      ...landingFindings(landed, integrations, now),
      ...stalenessFindings(integrations, now),
      ...timezoneFindings(settings, integrations),
      ...(derived?.looks ?? []),
    ].filter(({ kind }) => QUALITY_KINDS.includes(kind));
    const { currency = null, orders = null, revenue = null, firstDay = null, lastDay = null } = derived?.overview ?? {};
    return {
      examinedAt: now.toISOString(),
      currency,
      orders,
      revenue,
      firstDay: dayOf(firstDay),
      lastDay: dayOf(lastDay),
      integrations: integrations.map((one) => shownIntegration(one, settings, dataDir)),
      rejects: landed.flatMap(rejectsOf),
      findings: [...findings.filter(isWrong), ...findings.filter((one) => !isWrong(one))].map(shownFinding),
    };
  }
}

const isWrong = ({ level }: Finding): boolean => level === "wrong";

const dayOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

/** Organizations that are being derived or repaired are examined without their derived files. */
function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof ApiError) || (error.kind !== "underived" && error.kind !== "damaged")) throw error;
}

function shownIntegration(one: IntegrationState, { organizationId }: Organization, dataDir: string) {
  const { integrationId, name, connector, schedule, lastLandedAt, lastResult, records } = one;
  const reason = lastResult?.outcome === "rejected" ? null : (lastResult?.reason ?? null);
  const without = [dataDir, organizationId, integrationId];
  return {
    integrationId,
    name,
    connector,
    schedule,
    lastLandedAt,
    lastSync: lastResult && {
      endedAt: lastResult.ended,
      outcome: lastResult.outcome,
      reason: reason && withoutPlaces(reason, without),
    },
    records: records.map(({ record, lastLandedAt, newestDay, files, rows, rejected, waiting }) => ({
      record,
      lastLandedAt,
      newestDay: newestDay?.slice(0, 10) ?? null,
      files,
      waiting: waiting.length,
      rows,
      rejected,
    })),
  };
}

const rejectsOf = ({ integrationId, record, reasons }: Landed) =>
  reasons.slice(0, MOST_REASONS).map(({ reason, rows, file, position }) => ({
    integrationId,
    record,
    ...withoutEmails({ reason, file: path.basename(file) }),
    rows,
    position,
  }));

/** The columns of findings' rows that name what they are about, the most telling first. */
const NAMES = [
  "campaignName",
  "campaignId",
  "utmCampaign",
  "name",
  "productId",
  "orderId",
  "status",
  "payment",
  "item",
  "alias",
  "categories",
  "column",
  "missing",
  "folder",
  "file",
  "record",
];
const COUNTS = ["orders", "rows", "files", "days", "units"];

function shownFinding({ kind, level, title, count, total, rows }: Finding) {
  const number = (row: Row, names: readonly string[]): number | null => {
    const found = names.map((name) => row[name]).find((value) => typeof value === "number");
    return typeof found === "number" ? found : null;
  };
  const text = (row: Row, names: readonly string[]): string | null => {
    const found = names.map((name) => row[name]).find((value) => value !== null && value !== undefined);
    return found === undefined ? null : String(found);
  };
  return {
    kind,
    level,
    title,
    count,
    orders: number(total, ["orders"]),
    revenue: number(total, ["revenue"]),
    spend: number(total, ["spend"]),
    examples: rows.slice(0, MOST_EXAMPLES).map((row) => ({
      integration: text(row, ["integration"]),
      what: shortened(text(row, kind === "foreignCurrencies" ? ["currency"] : NAMES)),
      reason: kind === "lastSync" ? null : text(row, ["reason"]),
      count: wholeOf(number(row, COUNTS)),
      revenue: number(row, ["revenue"]),
      spend: number(row, ["spend"]),
    })),
  };
}

const wholeOf = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** Folders and files by their last names: where they are is the operator's business. */
const shortened = (text: string | null): string | null => (text?.startsWith("exports/") ? path.basename(text) : text);

/** A message without folders of this machine and without ids. */
function withoutPlaces(text: string, names: readonly string[]): string {
  const plain = names.reduce((left, name) => left.replaceAll(`${name}/`, "").replaceAll(name, "…"), text);
  return plain.replaceAll(/(?<![\w.:…])\/(?:[\w.@ -]+\/)+/g, "…/");
}
