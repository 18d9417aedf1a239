import { isDeepStrictEqual } from "node:util";
import type { Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { firstZone } from "../../core/params/fromSettings.ts";
import { addDays } from "../../core/time/days.ts";
import { named } from "../mail/mail.ts";
import type { AlertLine } from "./alerts.ts";
import { attempt, contentOf, type Delivered, isReached, languageOf, type Sending, settled } from "./deliver.ts";
import type { LettersDependencies } from "./dependencies.ts";
import { momentIn } from "./due.ts";
import { formatsOf } from "./formats.ts";
import type { Letter } from "./letter.ts";
import { alertIdOf, changeState, type LetterState, letterStates, nameOf, type Receiver } from "./state.ts";
import { type Language, WORDS } from "./words.ts";

/** How long an alert that is over is remembered after its last day beyond the limit. */
const DAYS_KEPT = 120;

/** Alerts that are sent when they begin go to everybody who gets a letter, once each. */
export function alertReceivers({ alerts = [], letters = [] }: Organization): Receiver[] {
  if (!alerts.some(({ atOnce, ...one }) => atOnce && !("off" in one && one.off))) return [];
  const receivers = new Map<string, Receiver>();
  for (const { to, channel, language } of letters) {
    const key = `${channel} ${to?.toLowerCase()}`;
    const one = { channel, on: "alert", ...(to ? { to } : {}), ...(language ? { language } : {}) } as const;
    if (!receivers.has(key)) receivers.set(key, one);
  }
  return [...receivers.values()];
}

/** What the answers of now, and the settings, make alerts say: with the same key they say the same. */
export async function alertsKey(deps: LettersDependencies, settings: Organization): Promise<string | undefined> {
  const state = await deps.stateOf(settings.organizationId);
  if (state === undefined) return undefined;
  const { alerts, letters, notes } = settings;
  return JSON.stringify([state, momentIn(firstZone(settings), deps.config.now()).day, alerts, letters, notes]);
}

type Lines = readonly AlertLine[];
type LinesOf = (language: Language) => Promise<Lines>;

/** What the alerts of an organization say today, asked once for each language. */
export function linesToday(deps: LettersDependencies, settings: Organization, signal: AbortSignal): LinesOf {
  const { day } = momentIn(firstZone(settings), deps.config.now());
  const asked = new Map<Language, Promise<Lines>>();
  return (language) => {
    const ask = deps.askOf(settings.organizationId, signal);
    const lines = asked.get(language) ?? deps.alerts({ settings, day, language, ask });
    asked.set(language, lines);
    return lines;
  };
}

interface Spoken {
  /** Whether everything that the alerts say now was looked at. */
  readonly isJudged: boolean;
  readonly delivered?: Delivered | undefined;
}

/**
 * Sends the alerts that began since the last look, in one message, or tries again the one under way. `linesOf`: undefined if they say
 * what they said. The first look sends nothing: what holds then began before.
 */
export async function deliverAlerts(sending: Sending, linesOf: LinesOf | undefined): Promise<Spoken> {
  const { deps, settings, letter } = sending;
  const { config } = deps;
  const folders = foldersOf(config.dataDir, settings.organizationId);
  if (!(await isReached(sending))) return { isJudged: true };
  const known = (await letterStates(folders))?.[nameOf(letter)];
  const open = known && (await settled(sending, known));
  if (open) return { isJudged: false, delivered: open.isDue ? await attempt(sending, open.state) : undefined };
  if (!linesOf) return { isJudged: true };
  const language = await languageOf(sending);
  const lines = (await linesOf(language)).filter(({ isOver }) => !isOver);
  const at = config.now();
  const { day } = momentIn(firstZone(settings), at);
  const spoken = spokenAfter(known?.spoken, lines, day);
  const begun = known ? lines.filter((line) => line.atOnce && isNew(known.spoken, line)) : [];
  const [since, before] = [known?.since ?? at.toISOString(), known?.day ?? null];
  const expected = (found: LetterState | undefined): boolean =>
    isDeepStrictEqual([found?.day, found?.stage, found?.spoken], [known?.day, known?.stage, known?.spoken]);
  const change = (next: LetterState): Promise<boolean> =>
    changeState(folders, letter, (found) => (expected(found) ? next : undefined));
  if (begun.length === 0) {
    const next: LetterState = { ...known, since, day: before, stage: known?.stage ?? "sent", spoken };
    if (isDeepStrictEqual(known?.spoken, spoken)) return { isJudged: true };
    return { isJudged: await change(next) };
  }
  const messageId = alertIdOf(
    settings.organizationId,
    letter,
    begun.map(({ about, since: from }) => [about, from]),
  );
  const made = messageOf(settings, begun, day, language);
  const content = await contentOf(sending, made, messageId, day);
  const state: LetterState = {
    since,
    day,
    stage: "waiting",
    messageId,
    content,
    begunAt: at.toISOString(),
    attempts: 0,
    unknowns: 0,
    spoken,
  };
  if (!(await change(state))) return { isJudged: false };
  return { isJudged: true, delivered: await attempt(sending, state) };
}

/** A cause is the same while it begins no later than the last day beyond the limit that was seen of its alert. */
const isNew = (spoken: LetterState["spoken"] = {}, { about, since }: AlertLine): boolean => {
  const last = Object.hasOwn(spoken, about) ? spoken[about] : undefined;
  return last === undefined || since > last;
};

/** What is remembered of alerts after they have said something. */
function spokenAfter(before: LetterState["spoken"] = {}, lines: Lines, day: string): Record<string, string> {
  const spoken = new Map(Object.entries(before));
  for (const { about, to } of lines) if (to > (spoken.get(about) ?? "")) spoken.set(about, to);
  const oldest = addDays(day, -DAYS_KEPT);
  const held = new Set(lines.map(({ about }) => about));
  return Object.fromEntries([...spoken].filter(([about, last]) => held.has(about) || last >= oldest));
}

function messageOf(settings: Organization, lines: Lines, day: string, language: Language): Letter {
  const words = WORDS[language];
  const names = [...new Set(lines.map(({ name }) => name))].join(", ");
  const title = words.alertTitle(named(settings.name), names);
  return {
    language,
    subject: title,
    title,
    beside: words.alertLead(formatsOf(language, settings.currency).day(day)),
    first: [],
    figures: [],
    blocks: [{ name: "alerts", title: words.alerts, lines }],
    address: `/${settings.organizationId}/overview`,
    foot: words.alertFoot,
    endsAll: true,
  };
}
