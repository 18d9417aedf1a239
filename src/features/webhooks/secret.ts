import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { OperatorError } from "../../core/contract/error.ts";
import { writeWhole } from "../../core/files/durable.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { SECRET_PREFIX } from "./send.ts";

/** The key of an organization's signatures, and when its webhook was last set: this begins deliveries again. */
export interface WebhookSecret {
  readonly secret: string;
  readonly setAt: string;
}

const SECRET = new RegExp(`^${SECRET_PREFIX}[A-Za-z0-9+/]{32,}=*$`);

/** Undefined if there is none. The error of a damaged file has nothing of its content. */
export async function webhookSecret(folders: OrganizationFolders): Promise<WebhookSecret | undefined> {
  const file = folders.webhookSecret;
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (content === undefined) return undefined;
  const found = parsed(content);
  if (found) return found;
  throw new OperatorError(`${file} is damaged: lucra webhooks set --new-secret`);
}

function parsed(content: string): WebhookSecret | undefined {
  try {
    const found = JSON.parse(content);
    return SECRET.test(found?.secret) && typeof found.setAt === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}

export const newSecret = (): string => SECRET_PREFIX + randomBytes(32).toString("base64");

export const keepSecret = (folders: OrganizationFolders, secret: WebhookSecret): Promise<void> =>
  writeWhole(folders.webhookSecret, `${JSON.stringify(secret)}\n`, 0o600);
