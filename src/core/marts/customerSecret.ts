import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeNew } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";

const SECRET = /^[0-9a-f]{64}\n$/;

/**
 * The secret under which an organization's customer ids are hashed [D51]. It is random, so that nobody can test an e-mail
 * against an id, and made only once, so that ids stay the same. Undefined until then.
 */
export async function customerSecret(folders: OrganizationFolders): Promise<string | undefined> {
  const file = folders.customerSecret;
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (content === undefined) return undefined;
  if (!SECRET.test(content)) {
    throw new Error(`${file} is damaged: restore it from a copy, or remove it, which gives all customers other ids`);
  }
  return content.trimEnd();
}

/** Makes the secret if there is none. */
export async function makeCustomerSecret(folders: OrganizationFolders): Promise<void> {
  if ((await customerSecret(folders)) !== undefined) return;
  const secret = randomBytes(32).toString("hex");
  const file = folders.customerSecret;
  // Another process may have made it, also where shared storage did not show it yet: the first one stays.
  await writeNew(file, `${secret}\n`, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
