import { OperatorError } from "../../core/contract/error.ts";
import { canonicalId } from "../../core/contract/param.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { sha256OfText } from "../../core/files/checksum.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { paths } from "../../core/files/paths.ts";
import { changedEvent, currentVersion, type Version, type WebhookEvent } from "./event.ts";
import type { Networks } from "./networks.ts";
import { type WebhookSecret, webhookSecret } from "./secret.ts";
import { send } from "./send.ts";
import { type Attempt, keepState, MOST_ATTEMPTS_KEPT, type WebhookState, webhookState } from "./state.ts";

/** The waits before each further attempt, in seconds; then the event is given up. */
const WAITS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Each wait is longer by up to this share, at random, so that receivers do not get all retries at once. */
const JITTER = 0.2;
const LONGEST_MS = Math.max(...WAITS_S) * 1000 * (1 + JITTER);

/** An address without its path, which may contain a token. */
export const originOf = (url: string): string => new URL(url).origin;

const targetOf = (url: string, secret: WebhookSecret): string =>
  sha256OfText(JSON.stringify([url, secret])).slice(0, 32);

/** An event that waits for its delivery. */
interface Due {
  readonly url: string;
  readonly secret: string;
  readonly target: string;
  readonly state: WebhookState;
  readonly event: WebhookEvent;
  readonly version: Version;
  /** Attempts of this event so far. */
  readonly attempts: number;
  /** When the next attempt is due; undefined if there is none. */
  readonly dueAt: number | undefined;
}

/** The event that waits for an organization's receiver: the difference between the current version and the accepted one. */
export async function dueEvent(dataDir: string, settings: Organization): Promise<Due | undefined> {
  const { webhook } = settings;
  const folders = foldersOf(dataDir, canonicalId(settings.organizationId));
  const secret = webhook && (await webhookSecret(folders));
  const version = secret && (await currentVersion(folders));
  if (!version) return undefined;
  const state = await webhookState(folders);
  const event = changedEvent(settings, state.delivered ?? undefined, version);
  if (!event) return undefined;
  const target = targetOf(webhook.url, secret);
  const { pending } = state;
  const isGone = pending?.target === target && isRefusing(state);
  const before = pending?.target === target && (pending.id === event.id || isGone) ? pending : undefined;
  const dueAt = before ? (before.nextAt === null ? undefined : Date.parse(before.nextAt)) : 0;
  const attempts = before?.attempts ?? 0;
  return { url: webhook.url, secret: secret.secret, target, state, event, version, attempts, dueAt };
}

/** Whether the receiver wants nothing more: that holds for later events too. */
const isRefusing = ({ attempts }: WebhookState): boolean => attempts.at(-1)?.outcome === "gone";

export interface Delivery extends Attempt {
  readonly organization: string;
  /** Null: this event is not tried again. */
  readonly nextAt: string | null;
}

/** How deliveries are made, and where each is reported. */
export interface Delivering {
  readonly dataDir: string;
  readonly networks: Networks;
  readonly onAttempt: (delivery: Delivery) => void;
}

/**
 * Tries the organization's event once if that is due; only for the process that holds the lock. Returns when to try
 * again; undefined: when something has changed.
 */
export async function deliver(
  { dataDir, networks, onAttempt }: Delivering,
  settings: Organization,
  signal: AbortSignal,
): Promise<number | undefined> {
  const due = await dueEvent(dataDir, settings);
  if (!due) return undefined;
  const now = Date.now();
  // A longer wait was written by another clock.
  if (due.dueAt === undefined || (due.dueAt > now && due.dueAt - now <= LONGEST_MS)) return due.dueAt;
  const { url, secret, event, state } = due;
  const sent = await send({ url, secret, ...event }, networks, signal);
  const attempt: Attempt = {
    at: new Date().toISOString(),
    id: event.id,
    attempt: due.attempts + 1,
    outcome: sent.outcome,
    status: sent.status ?? null,
    reason: sent.reason ?? null,
  };
  const attempts = [...state.attempts, attempt].slice(-MOST_ATTEMPTS_KEPT);
  const nextMs = sent.outcome === "failed" ? nextAttempt(due.attempts, sent.waitMs) : undefined;
  const nextAt = nextMs === undefined ? null : new Date(nextMs).toISOString();
  const pending = { id: event.id, target: due.target, attempts: attempt.attempt, nextAt, reason: sent.reason ?? "" };
  const organization = canonicalId(settings.organizationId);
  const isDelivered = sent.outcome === "delivered";
  await keepState(foldersOf(dataDir, organization), {
    delivered: isDelivered ? due.version : state.delivered,
    pending: isDelivered ? null : pending,
    attempts,
  });
  onAttempt({ ...attempt, organization, nextAt });
  // A version that came meanwhile is delivered at the next look.
  return isDelivered ? undefined : nextMs;
}

/** Not before the receiver's own `Retry-After`, unless that is longer than the longest wait. */
function nextAttempt(failures: number, askedMs = 0): number | undefined {
  const wait = WAITS_S[failures];
  if (wait === undefined) return undefined;
  const waitMs = wait * 1000 * (1 + JITTER * Math.random());
  return Date.now() + Math.min(Math.max(waitMs, askedMs), LONGEST_MS);
}

/** Resolving names takes threads of Node's pool, of which there are four: one is left for everything else. */
export const AT_ONCE = 3;

/** Runs work for every organization, a few at a time. */
async function eachOf(
  organizations: Iterable<Organization>,
  work: (settings: Organization) => Promise<void>,
): Promise<void> {
  const rest = organizations[Symbol.iterator]();
  const next = async (): Promise<void> => {
    for (let { value, done } = rest.next(); !done; { value, done } = rest.next()) await work(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Runs work as the only process that delivers; false if there is another one. */
export async function asDeliverer(dataDir: string, work: () => Promise<void>): Promise<boolean> {
  const taken = new OperatorError("another process delivers");
  const refusal = (): string => taken.message;
  let isRun = false;
  try {
    await coordinationOf(dataDir).turns.exclusively(paths.webhooksLock(dataDir), { waitMs: 0, refusal }, () => {
      isRun = true;
      return work();
    });
  } catch (error) {
    if (isRun || !(error instanceof OperatorError)) throw error;
  }
  return isRun;
}

/** At the end of a command: tries what is due once, unless a service does that. */
export async function deliverOnce(
  delivering: Delivering,
  organizations: readonly Organization[],
  onFailure: (organization: string, error: unknown) => void,
): Promise<void> {
  const hooked = organizations.filter(({ webhook }) => webhook);
  if (hooked.length === 0) return;
  const { signal } = new AbortController();
  await asDeliverer(delivering.dataDir, () =>
    eachOf(hooked, async (settings) => {
      await deliver(delivering, settings, signal).catch((error) => onFailure(settings.organizationId, error));
    }),
  ).catch((error) => onFailure("", error));
}
