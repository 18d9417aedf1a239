import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { OperatorError } from "../../core/contract/error.ts";
import type { LetterSetting } from "../../core/contract/settings.ts";
import { writeNew, writeWhole } from "../../core/files/durable.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { Receiver } from "./state.ts";

/** The secrets of an organization's letters. */
interface LetterSecrets {
  /** Of the addresses that end a letter. */
  readonly key: string;
  /** The addresses of Slack by their names. */
  readonly slack: Readonly<Record<string, string>>;
}

async function read(folders: OrganizationFolders): Promise<LetterSecrets | undefined> {
  const text = await readFile(folders.letterSecrets, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (text === undefined) return undefined;
  try {
    const found = JSON.parse(text);
    if (typeof found?.key === "string" && typeof found.slack === "object") return found;
  } catch {}
  // Nothing of its content.
  throw new OperatorError(
    `${folders.letterSecrets} is damaged: restore a copy, or remove it and set the addresses again`,
  );
}

const textOf = (secrets: LetterSecrets): string => `${JSON.stringify(secrets)}\n`;

async function secretsOf(folders: OrganizationFolders): Promise<LetterSecrets> {
  const found = await read(folders);
  if (found) return found;
  const made = { key: randomBytes(32).toString("base64url"), slack: {} };
  await writeNew(folders.letterSecrets, textOf(made), 0o600).catch((error: NodeJS.ErrnoException) => {
    // Another process was faster.
    if (error.code !== "EEXIST") throw error;
  });
  return (await read(folders)) ?? made;
}

/** The address of Slack with this name. */
export const slackAddress = async (folders: OrganizationFolders, name: string): Promise<string | undefined> =>
  (await read(folders))?.slack[name];

export const slackNames = async (folders: OrganizationFolders): Promise<string[]> =>
  Object.keys((await read(folders))?.slack ?? {}).sort();

/** Keeps an address of Slack, or with undefined none. */
export async function keepSlackAddress(
  folders: OrganizationFolders,
  name: string,
  address: string | undefined,
): Promise<void> {
  const secrets = await secretsOf(folders);
  const { [name]: _, ...others } = secrets.slack;
  const slack = address === undefined ? others : { ...others, [name]: address };
  await writeWhole(folders.letterSecrets, textOf({ ...secrets, slack }), 0o600);
}

export type OfPerson = Pick<Receiver, "to" | "on">;

/** What ends a letter for a person: nobody guesses it, and it says nothing of whom it is about. */
export async function endToken(folders: OrganizationFolders, { to = "", on }: OfPerson): Promise<string> {
  const { key } = await secretsOf(folders);
  return createHmac("sha256", key)
    .update(JSON.stringify([folders.organization, to.toLowerCase(), on]))
    .digest("base64url");
}

/** What a token ends: a letter of a person, or, if it came with an alert, all letters that the person gets. */
export async function endedBy(
  folders: OrganizationFolders,
  letters: readonly LetterSetting[],
  token: string,
): Promise<OfPerson | undefined> {
  const sent = Buffer.from(token);
  for (const { to = "", on } of letters.filter(({ channel }) => channel === "mail"))
    for (const one of [
      { to, on },
      { to, on: "alert" as const },
    ]) {
      const own = Buffer.from(await endToken(folders, one));
      if (own.length === sent.length && timingSafeEqual(own, sent)) return one;
    }
  return undefined;
}
