import type { LetterSetting, Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { firstZone } from "../../core/params/fromSettings.ts";
import { lastResults } from "../../core/sync/status.ts";
import { addDays } from "../../core/time/days.ts";
import { webhookSecret } from "../webhooks/secret.ts";
import type { LettersDependencies } from "./dependencies.ts";
import { dayBefore, daysBetweenLetters, dueDay, momentIn } from "./due.ts";
import { letterOf } from "./letter.ts";
import { dataOf, htmlOf, slackOf, textOf } from "./render.ts";
import { endToken, slackAddress } from "./secrets.ts";
import {
  type Content,
  changeState,
  type LetterState,
  letterStates,
  messageIdOf,
  nameOf,
  type Receiver,
} from "./state.ts";
import { type Attempted, type Begin, NotOurs, sendEvent, sendMail, sendSlack } from "./transmit.ts";
import type { Language } from "./words.ts";

/** How long a letter that is refused or reaches nobody is tried again. */
const TRIES_MS = 12 * 3_600_000;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 30 * 60_000;
/** Longer than any attempt: one that is older has ended without its process. */
const SENDING_MS = 5 * 60_000;

/** What became of an attempt, for the log. */
export interface Delivered {
  readonly day: string;
  readonly stage: LetterState["stage"];
  readonly attempts: number;
  readonly reason?: string | undefined;
}

export interface Sending<R extends Receiver = Receiver> {
  readonly deps: LettersDependencies;
  readonly settings: Organization;
  readonly letter: R;
  readonly signal: AbortSignal;
}

/** Whether there is a way to the receiver. Letters of a person without a role end. */
export async function isReached({ deps, settings, letter }: Sending): Promise<boolean> {
  if (letter.channel !== "mail") return true;
  if (deps.config.smtp === undefined) return false;
  if (await hasRole(deps, settings, letter)) return true;
  await deps.end(settings.organizationId, { to: letter.to ?? "" });
  return false;
}

const hasRole = async (
  { personOf }: LettersDependencies,
  { organizationId }: Organization,
  { to = "" }: Receiver,
): Promise<boolean> => (await personOf(organizationId, to)) !== undefined;

/** Makes the letter that is due, or tries again the one that was not sent. Undefined: there is nothing to do now. */
export async function deliverLetter(
  deps: LettersDependencies,
  settings: Organization,
  letter: LetterSetting,
  signal: AbortSignal,
): Promise<Delivered | undefined> {
  const { config } = deps;
  const folders = foldersOf(config.dataDir, settings.organizationId);
  const sending = { deps, settings, letter, signal };
  if (!(await isReached(sending))) return undefined;
  const now = config.now();
  const states = await letterStates(folders);
  const known = states?.[nameOf(letter)];
  if (!known) {
    const first: LetterState = { since: now.toISOString(), day: null, stage: "sent" };
    await changeState(folders, letter, (found) => (found ? undefined : first));
    return undefined;
  }
  const open = await settled(sending, known);
  if (open) return open.isDue ? attempt(sending, open.state) : undefined;
  const made = await madeLetter(sending, known);
  return made && attempt(sending, made);
}

/** The letter under way, if there is one. A process that ended while it sent one leaves it to the next. */
export async function settled(
  { deps, settings, letter }: Sending,
  known: LetterState,
): Promise<{ readonly state: LetterState; readonly isDue: boolean } | undefined> {
  if (known.stage !== "waiting" && known.stage !== "sending") return undefined;
  const now = deps.config.now().getTime();
  if (known.stage === "waiting")
    return { state: known, isDue: known.nextAt === undefined || Date.parse(known.nextAt) <= now };
  const age = now - Date.parse(known.sendingAt ?? "");
  if (!isOrphaned(known) && age >= 0 && age < SENDING_MS) return { state: known, isDue: false };
  const folders = foldersOf(deps.config.dataDir, settings.organizationId);
  const next = afterAttempt(deps, letter, known, { outcome: "unknown", reason: "the process that sent it ended" });
  const isChanged = await changeState(folders, letter, (found) => (sameTry(found, known) ? next : undefined));
  return isChanged && next.stage === "waiting" ? { state: next, isDue: true } : { state: next, isDue: false };
}

/** The attempts of this process: it holds the lock, so that one of another process has ended. */
const ours = new Set<string>();
const isOrphaned = ({ messageId = "" }: LetterState): boolean => !ours.has(messageId);

const sameTry = (a: LetterState | undefined, b: LetterState): boolean =>
  a !== undefined && a.day === b.day && a.stage === b.stage && a.attempts === b.attempts && a.sendingAt === b.sendingAt;

/** Makes the letter of the day that is due, and keeps it: whenever it goes out it says the same. */
async function madeLetter(sending: Sending<LetterSetting>, known: LetterState): Promise<LetterState | undefined> {
  const { deps, settings, letter, signal } = sending;
  const { config } = deps;
  const folders = foldersOf(config.dataDir, settings.organizationId);
  const at = config.now();
  const zone = firstZone(settings);
  const now = momentIn(zone, at);
  const since = momentIn(zone, new Date(known.since));
  const isDue = (isReady: boolean): string | undefined => dueDay(letter, now, { since, last: known.day }, isReady);
  const early = isDue(true);
  if (early === undefined) return undefined;
  const notRun = await unrun(settings, config.dataDir, zone, now.day);
  const ask = deps.askOf(settings.organizationId, signal);
  let day = isDue(false);
  if (day === undefined) {
    if (notRun.length > 0 || !(await isCovered(ask, addDays(now.day, -1)))) return undefined;
    day = early;
  }
  const language = await languageOf(sending);
  const after = known.sentDay ?? dayBefore(letter.on, since.day);
  const missed = known.sentDay === undefined ? [] : daysBetweenLetters(letter.on, after, day);
  const made = await letterOf({ settings, on: letter.on, day, language, ask, alerts: deps.alerts, missed, notRun });
  const messageId = messageIdOf(settings.organizationId, letter, day);
  const content = await contentOf(sending, made, messageId, day);
  const { sentDay } = known;
  const state: LetterState = {
    since: known.since,
    day,
    stage: "waiting",
    messageId,
    content,
    begunAt: at.toISOString(),
    attempts: 0,
    unknowns: 0,
    ...(sentDay === undefined ? {} : { sentDay }),
  };
  const isOurs = await changeState(folders, letter, (found) =>
    found?.day === known.day && found?.stage === known.stage ? state : undefined,
  );
  return isOurs ? state : undefined;
}

export async function languageOf({ deps, settings, letter }: Sending): Promise<Language> {
  const person = letter.channel === "mail" ? await deps.personOf(settings.organizationId, letter.to ?? "") : undefined;
  return letter.language ?? person?.language ?? settings.locale ?? "pt-BR";
}

/** The integrations whose scheduled sync has not ended well since midnight. */
async function unrun(
  { organizationId, integrations = [] }: Organization,
  dataDir: string,
  zone: string,
  today: string,
): Promise<string[]> {
  const scheduled = integrations.filter(({ schedule }) => schedule !== undefined);
  if (scheduled.length === 0) return [];
  const results = await lastResults(foldersOf(dataDir, organizationId));
  return scheduled
    .filter(({ id }) => {
      const last = results.find(({ integration }) => integration === id);
      return last === undefined || last.outcome === "failed" || momentIn(zone, new Date(last.ended)).day < today;
    })
    .map(({ id }) => id);
}

interface Covered {
  readonly coverage: { readonly stores: readonly object[]; readonly accounts: readonly object[] };
}

async function isCovered(ask: ReturnType<LettersDependencies["askOf"]>, day: string): Promise<boolean> {
  const days = { startDate: day, endDate: day, compare: "none" };
  const { coverage } = await ask<Covered>("/v1/profit/statement", days);
  return coverage.stores.length === 0 && coverage.accounts.length === 0;
}

export async function contentOf(
  { deps, settings, letter }: Sending,
  made: Awaited<ReturnType<typeof letterOf>>,
  id: string,
  day: string,
): Promise<Content> {
  const { config } = deps;
  const { organizationId, name } = settings;
  const folders = foldersOf(config.dataDir, organizationId);
  const end =
    letter.channel === "mail"
      ? `${config.publicUrl}/letters/${organizationId}/${await endToken(folders, letter)}`
      : undefined;
  const places = { explorer: `${config.publicUrl}/explorer`, end };
  const content = { subject: made.subject, text: textOf(made, places), html: htmlOf(made, places) };
  if (letter.channel === "mail")
    return end === undefined
      ? content
      : {
          ...content,
          headers: { "List-Unsubscribe": `<${end}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
        };
  if (letter.channel === "slack") return { subject: content.subject, text: "", html: "", body: slackOf(made, places) };
  const type = letter.on === "alert" ? "alert" : "letter";
  const kind = letter.on === "alert" ? {} : { on: letter.on };
  const data = { organizationId, name, ...kind, day, language: made.language, ...dataOf(made, places) };
  const timestamp = config.now().toISOString();
  return {
    subject: content.subject,
    text: "",
    html: "",
    body: JSON.stringify({ id: `msg_${id}`, type, timestamp, data }),
  };
}

/** Sends it once. *Being sent* is on disk before its text goes out, and what became of it afterwards. */
export async function attempt(sending: Sending, state: LetterState): Promise<Delivered | undefined> {
  const { deps, settings, letter } = sending;
  const folders = foldersOf(deps.config.dataDir, settings.organizationId);
  const { messageId = "", content } = state;
  if (!content) return undefined;
  const tried: LetterState = {
    ...state,
    stage: "sending",
    attempts: (state.attempts ?? 0) + 1,
    sendingAt: deps.config.now().toISOString(),
  };
  ours.add(messageId);
  try {
    let hasBegun = false;
    const begin: Begin = async () => {
      // A role that ended since then takes the letter along.
      if (letter.channel === "mail" && !(await hasRole(deps, settings, letter)))
        throw new NotOurs("its person has no role any more");
      if (!(await changeState(folders, letter, (found) => (sameTry(found, state) ? tried : undefined))))
        throw new NotOurs("another process sends this letter");
      hasBegun = true;
    };
    const attempted = await transmitted(sending, messageId, content, begin);
    const next = afterAttempt(deps, letter, tried, attempted);
    const expected = (): LetterState => (hasBegun ? tried : state);
    await changeState(folders, letter, (found) => (sameTry(found, expected()) ? next : undefined));
    return {
      day: next.day ?? "",
      stage: next.stage,
      attempts: next.attempts ?? 0,
      ...(next.reason === undefined ? {} : { reason: next.reason }),
    };
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  } finally {
    ours.delete(messageId);
  }
}

async function transmitted(
  { deps, settings, letter, signal }: Sending,
  messageId: string,
  content: Content,
  begin: Begin,
): Promise<Attempted> {
  const { config, networks } = deps;
  const folders = foldersOf(config.dataDir, settings.organizationId);
  if (letter.channel === "mail") {
    if (config.smtp === undefined) return { outcome: "failed", reason: "no mail is set up" };
    const domain = new URL(config.publicUrl).hostname;
    return sendMail(config.smtp, letter.to ?? "", `${messageId}@${domain}`, content, begin);
  }
  if (letter.channel === "slack") {
    const address = await slackAddress(folders, letter.to ?? "");
    if (address === undefined) return { outcome: "failed", reason: "its address is not kept: lucra letters slack" };
    await begin();
    return sendSlack(address, content, networks, signal);
  }
  const secret = await webhookSecret(folders);
  if (!settings.webhook || !secret) return { outcome: "failed", reason: "the organization has no webhook" };
  await begin();
  return sendEvent({ ...settings.webhook, secret: secret.secret }, `msg_${messageId}`, content, networks, signal);
}

/** What an attempt makes of a letter. */
function afterAttempt(
  { config }: LettersDependencies,
  { channel }: Receiver,
  tried: LetterState,
  { outcome, reason, waitMs = 0 }: Attempted,
): LetterState {
  const now = config.now().getTime();
  const { content, nextAt: _, reason: __, sendingAt: ___, ...others } = tried;
  const why = reason === undefined ? {} : { reason };
  const ended = { ...others, ...why };
  if (outcome === "sent") {
    const day = tried.day ?? "";
    return { ...others, stage: "sent", sentAt: new Date(now).toISOString(), sentDay: day };
  }
  if (outcome === "refused") return { ...ended, stage: "failed" };
  const unknowns = (tried.unknowns ?? 0) + (outcome === "unknown" ? 1 : 0);
  // A webhook knows what comes twice by its id; a mail goes once more; Slack does not.
  const isOver = outcome === "unknown" && (channel === "slack" || (channel === "mail" && unknowns > 1));
  if (isOver) return { ...ended, unknowns, stage: "unknown" };
  if (now - Date.parse(tried.begunAt ?? "") > TRIES_MS)
    return { ...ended, unknowns, stage: unknowns > 0 ? "unknown" : "failed" };
  const wait = Math.min(FIRST_WAIT_MS * 2 ** ((tried.attempts ?? 1) - 1), LONGEST_WAIT_MS);
  const nextAt = new Date(now + (outcome === "unknown" ? 0 : Math.max(wait, waitMs))).toISOString();
  return { ...others, ...why, unknowns, stage: "waiting", nextAt, ...(content ? { content } : {}) };
}
