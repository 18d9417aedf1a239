import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { knownSettings, type Organization } from "../../core/contract/settings.ts";
import { LINES } from "../../core/endpoints/profit.ts";
import { openServing } from "../../core/engine/serving.ts";
import { readSql } from "../../core/engine/sql.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { currentGeneration, type Generation } from "../../core/marts/generations.ts";
import { canonicalText } from "../../core/marts/history.ts";
import { inputsOf } from "../../core/marts/sources.ts";
import { withDerivedAgain } from "../../core/marts/states.ts";
import { besideWriters } from "../../core/sync/sync.ts";
import { addDays, addMonths } from "../../core/time/days.ts";
import { type Ask, withAnswersOf } from "../pins/answersOf.ts";

/** A figure as it is answered now, and as it would be. */
interface Moved {
  readonly now: number | null;
  readonly after: number | null;
  /** Null where one of them is. */
  readonly change: number | null;
}

type Figures = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

/** What settings would change in the answers of a month; without a month that all sources cover nothing is known of it. */
export interface Effect {
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  /** By family (`cards`, `statement`, `acquisition`) and figure. */
  readonly figures: Readonly<Record<string, Readonly<Record<string, Moved>>>>;
}

const NOTHING: Effect = { period: null, figures: {} };
const OF_CARDS = ["revenue", "contributionProfit", "marginPercent", "cac", "ltv", "ltvCacRatio", "roi"];

/**
 * What the API would answer of the last whole month that all sources cover under other settings, less what the files in force
 * answer. The files of the other settings are derived in a folder that is removed afterwards.
 */
export async function effectOf(config: Config, organization: string, wanted: Organization): Promise<Effect> {
  const folders = foldersOf(config.dataDir, organization);
  const current = await currentGeneration(folders);
  if (!current) return NOTHING;
  return besideWriters(config, async (database, spill) => {
    const period = await monthOf(config, path.join(spill, "month"), current, organization);
    if (!period) return NOTHING;
    const knownAt = config.now().toISOString();
    const figures = (name: string, folder: string): Promise<Figures> =>
      withAnswersOf(config, path.join(spill, name), { organization, folder, state: name, knownAt }, (ask) =>
        figuresOf(ask, period),
      );
    const now = await figures("now", current.folder);
    const settings = knownSettings(wanted);
    const isSame = canonicalText(settings) === canonicalText(knownSettings(current.settings));
    if (isSame) return { period, figures: moved(now, now) };
    const inputs = { ...inputsOf(current), settings };
    return withDerivedAgain(database, folders, inputs, async ({ folder, damaged }) => {
      if (damaged.length > 0) throw new OperatorError(`landed files are damaged: ${damaged.join(", ")}`);
      return { period, figures: moved(now, await figures("after", folder)) };
    });
  });
}

interface SourceDay {
  readonly lastDay: string | null;
}

/** The last whole calendar month that all stores and ad accounts cover; undefined if one of them has no data. */
async function monthOf(
  config: Config,
  spill: string,
  { folder }: Generation,
  organization: string,
): Promise<Effect["period"] | undefined> {
  await mkdir(spill);
  const database = await openServing({ ...config, threads: 1 }, organization, spill, folder);
  try {
    const [row] = await database.use(async (session) => {
      await session.set("marts", folder);
      return session.rows(readSql("settings/sources"));
    });
    const sources = [...((row?.stores ?? []) as SourceDay[]), ...((row?.accounts ?? []) as SourceDay[])];
    const days = sources.map(({ lastDay }) => lastDay ?? "").sort();
    const [first = ""] = days;
    return first === "" ? undefined : lastWholeMonth(String(first).slice(0, 10));
  } finally {
    database.close();
  }
}

/** The last month that ends on a day or before it. */
export function lastWholeMonth(day: string): { startDate: string; endDate: string } {
  const firstOf = `${addDays(day, 1).slice(0, 7)}-01`;
  return { startDate: addMonths(firstOf, -1), endDate: addDays(firstOf, -1) };
}

async function figuresOf(ask: Ask, period: { startDate: string; endDate: string }): Promise<Figures> {
  const cards = await ask("/v1/profitability/cards", period);
  const { statement } = await ask("/v1/profit/statement", { ...period, compare: "none", refundsOn: "refund" });
  const summary = await ask("/v1/acquisition/summary", period);
  const lines = statement as Readonly<Record<string, { readonly amount: number | null }>>;
  return {
    cards: Object.fromEntries(OF_CARDS.map((name) => [name, numberIn(cards[name])])),
    statement: Object.fromEntries(Object.keys(LINES).map((line) => [line, lines[line]?.amount ?? null])),
    acquisition: Object.fromEntries(
      Object.entries(summary).flatMap(([name, one]) =>
        one !== null && typeof one === "object" && "value" in one ? [[name, numberIn(one.value)]] : [],
      ),
    ),
  };
}

const numberIn = (value: unknown): number | null => (typeof value === "number" ? value : null);

const moved = (before: Figures, later: Figures): Effect["figures"] =>
  Object.fromEntries(
    Object.entries(before).map(([family, figures]) => [
      family,
      Object.fromEntries(
        Object.entries(figures).map(([name, now]) => {
          const after = later[family]?.[name] ?? null;
          // The amounts shown have at most 4 decimals.
          const change = now === null || after === null ? null : Number((after - now).toFixed(4));
          return [name, { now, after, change }];
        }),
      ),
    ]),
  );
