import { readFile, rm } from "node:fs/promises";
import { changeDelivery, readDeliveries } from "../../core/coordination/deliveries.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { Version } from "./event.ts";

/** One request to a webhook. */
export interface Attempt {
  readonly at: string;
  readonly id: string;
  /** Which try of this event it was, from 1. */
  readonly attempt: number;
  readonly outcome: "delivered" | "gone" | "failed";
  readonly status: number | null;
  readonly reason: string | null;
}

/** Deliveries of an organization's webhook. */
export interface WebhookState {
  /** The last version that the receiver has accepted an event of; null if that is unknown. */
  readonly delivered: Version | null;
  /** The event under way. Its target is a hash of address and secret: another one begins again. */
  readonly pending: {
    readonly id: string;
    readonly target: string;
    readonly attempts: number;
    /** Null: it is not tried again. */
    readonly nextAt: string | null;
    readonly reason: string;
  } | null;
  /** The newest last. */
  readonly attempts: readonly Attempt[];
}

export const MOST_ATTEMPTS_KEPT = 20;

const UNKNOWN: WebhookState = { delivered: null, pending: null, attempts: [] };

/** Its name among the deliveries of the organization. */
const WEBHOOK = "webhook";

const stateIn = (found: Partial<WebhookState> | undefined): WebhookState | undefined =>
  Array.isArray(found?.attempts) ? { ...UNKNOWN, ...found } : undefined;

/** What is missing or damaged gives an unknown state: then an event is sent rather than lost. */
export async function webhookState(folders: OrganizationFolders): Promise<WebhookState> {
  const { dataDir, organization } = folders;
  const deliveries = await readDeliveries(dataDir, organization);
  return stateIn(deliveries?.[WEBHOOK]) ?? (deliveries && (await formerState(folders))) ?? UNKNOWN;
}

/** The state that an earlier version kept in a file of one machine. */
async function formerState({ webhook }: OrganizationFolders): Promise<WebhookState | undefined> {
  const content = await readFile(webhook, "utf8").catch(() => "");
  try {
    return stateIn(JSON.parse(content));
  } catch {
    return undefined;
  }
}

/** Moves the state of an earlier version. Whatever interrupts it, one of the two has the state. */
export async function moveFormerState(folders: OrganizationFolders): Promise<void> {
  const former = await formerState(folders);
  if (!former) return;
  await change(folders, (known) => known ?? former);
}

export const keepState = (folders: OrganizationFolders, state: WebhookState): Promise<void> =>
  change(folders, () => state);

/** At the first `webhooks set`: only later changes are delivered. A state that exists stays. */
export async function beginState(folders: OrganizationFolders, delivered: Version | undefined): Promise<void> {
  const former = await formerState(folders);
  await change(folders, (known) => known ?? former ?? { ...UNKNOWN, delivered: delivered ?? null });
}

export const endState = (folders: OrganizationFolders): Promise<void> => change(folders, () => undefined);

async function change(
  folders: OrganizationFolders,
  stateOf: (known: WebhookState | undefined) => WebhookState | undefined,
): Promise<void> {
  await changeDelivery<WebhookState, void>(folders.dataDir, folders.organization, WEBHOOK, (known) => ({
    entry: stateOf(stateIn(known)),
    result: undefined,
  }));
  await rm(folders.webhook, { force: true });
}
