import type { Organization } from "../../core/contract/settings.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import { dueEvent } from "./deliver.ts";
import { webhookSecret } from "./secret.ts";

/** The state of an organization's webhook. `wrong`: it delivers nothing more by itself. */
export interface WebhookStatus {
  readonly level: "good" | "notice" | "wrong";
  readonly text: string;
}

/** Undefined for an organization without a webhook. */
export async function webhookStatus(dataDir: string, settings: Organization): Promise<WebhookStatus | undefined> {
  if (!settings.webhook) return undefined;
  try {
    if (!(await webhookSecret(foldersOf(dataDir, settings.organizationId))))
      return { level: "wrong", text: "it has no secret: lucra webhooks set" };
    const due = await dueEvent(dataDir, settings);
    if (!due) return { level: "good", text: "delivered" };
    const { attempts, dueAt, state } = due;
    const reason = state.pending?.reason ?? "";
    if (attempts === 0) return { level: "notice", text: "an event waits: a service delivers it, or the next sync" };
    if (dueAt !== undefined)
      return { level: "notice", text: `${reason}; next try ${new Date(dueAt).toISOString()}, attempt ${attempts + 1}` };
    const isGone = state.attempts.at(-1)?.outcome === "gone";
    const end = isGone ? "the receiver wants no more events" : `given up after ${attempts} attempts`;
    return { level: "wrong", text: `${reason}: ${end}; lucra webhooks set begins again` };
  } catch (error) {
    return { level: "wrong", text: (error as Error).message };
  }
}
