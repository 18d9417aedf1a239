import { readFile } from "node:fs/promises";
import { writeNew, writeWhole } from "../../core/files/durable.ts";
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

/** A file that is missing or damaged gives an unknown state: then an event is sent rather than lost. */
export async function webhookState(folders: OrganizationFolders): Promise<WebhookState> {
  const content = await readFile(folders.webhook, "utf8").catch(() => "");
  try {
    const found = JSON.parse(content);
    return Array.isArray(found?.attempts) ? { ...UNKNOWN, ...found } : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

const textOf = (state: WebhookState): string => `${JSON.stringify(state, null, 2)}\n`;

export const keepState = (folders: OrganizationFolders, state: WebhookState): Promise<void> =>
  writeWhole(folders.webhook, textOf(state), 0o600);

/** At the first `webhooks set`: only later changes are delivered. A state that exists stays. */
export const beginState = (folders: OrganizationFolders, delivered: Version | undefined): Promise<void> =>
  writeNew(folders.webhook, textOf({ ...UNKNOWN, delivered: delivered ?? null }), 0o600).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
