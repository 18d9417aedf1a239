import { chmod, mkdir, readFile, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../core/contract/error.ts";
import type { Connector } from "../../core/contract/record.ts";
import type { Integration } from "../../core/contract/settings.ts";
import { writeWhole } from "../../core/files/durable.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { canonicalText } from "../../core/marts/history.ts";
import { type EnteredFor, placeOfSecrets } from "./accounts.ts";
import { pullOf } from "./connectors/index.ts";
import type { SecretSet, Secrets } from "./declaration.ts";

/** The secrets of one integration, as they are kept [D61]. */
export interface KeptSecrets {
  readonly secrets: Secrets;
  readonly setAt: string;
  /** Undefined: they were kept before this was noted, or before the settings named an account. */
  readonly enteredFor?: EnteredFor;
}

interface ReadSecrets {
  readonly secrets?: Secrets;
  readonly faults: readonly string[];
}

/** Checks the object that an operator gives; faults name keys and never repeat a value. */
export function checkedSecrets(connector: Connector, text: string): ReadSecrets {
  const given = parsed(text);
  if (!given) return { faults: ["one JSON object is expected on standard input"] };
  const sets = pullOf(connector).secrets;
  const set = bestSet(sets, given);
  const known = [...(set?.keys ?? []), ...(set?.others ?? [])];
  const keys = Object.keys(given);
  const missing = (set?.keys ?? []).filter((key) => !keys.includes(key));
  const unknown = keys.filter((key) => !known.includes(key));
  const wrong = keys.filter((key) => known.includes(key) && (typeof given[key] !== "string" || given[key] === ""));
  const unsendable = keys.filter((key) => known.includes(key) && !wrong.includes(key) && !isSendable(key, given[key]));
  const faults = [
    ...unsendable.map((key) => `${key}: has a line break, a space at an end, or a character that is not ASCII`),
    ...unknown.map((key) => `${JSON.stringify(key)}: unknown`),
    ...missing.map((key) => `${key}: missing`),
    ...wrong.map((key) => `${key}: a text is expected`),
  ];
  if (faults.length === 0) return { secrets: given as Secrets, faults };
  return { faults: [...faults, `expected: ${sets.map(({ keys }) => keys.join(", ")).join(", or ")}`] };
}

/** Secrets are sent in headers, which hold no line breaks; a private key has lines. */
const isSendable = (key: string, value: unknown): boolean =>
  key === "private_key" || /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(String(value));

/** The set that the keys belong to: the one with all its keys, else the one with the most of them. */
function bestSet(sets: readonly SecretSet[], given: Readonly<Record<string, unknown>>): SecretSet | undefined {
  const share = ({ keys }: SecretSet): number => keys.filter((key) => Object.hasOwn(given, key)).length / keys.length;
  return [...sets].sort((a, b) => share(b) - share(a))[0];
}

/** The set that kept secrets belong to. */
export const setOf = (connector: Connector, secrets: Secrets): SecretSet | undefined =>
  pullOf(connector).secrets.find(({ keys }) => keys.every((key) => typeof secrets[key] === "string"));

/** Undefined if there are none. The error of a damaged file has nothing of its content. */
export async function keptSecrets(folders: OrganizationFolders, integration: string): Promise<KeptSecrets | undefined> {
  const file = folders.pullSecrets(integration);
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw new OperatorError(`${file} cannot be read (${error.code})`);
  });
  if (content === undefined) return undefined;
  const found = parsed(content);
  if (found) {
    const secrets = Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === "string"));
    const { enteredFor } = found as { enteredFor?: EnteredFor };
    return {
      secrets: secrets as Secrets,
      setAt: (await stat(file)).mtime.toISOString(),
      ...(enteredFor ? { enteredFor } : {}),
    };
  }
  throw new OperatorError(`${file} is damaged: lucra secrets set`);
}

/** Whether secrets may be sent where the settings name an account and addresses now. */
export const areFor = ({ enteredFor }: KeptSecrets, integration: Integration): boolean =>
  enteredFor === undefined || canonicalText(enteredFor) === canonicalText(placeOfSecrets(integration));

/** Before an account may change: secrets of which it was not noted are those for the present one. */
export async function noteEnteredFor(folders: OrganizationFolders, integration: Integration): Promise<void> {
  const kept = await keptSecrets(folders, integration.id);
  if (!kept || kept.enteredFor) return;
  await keepSecrets(folders, integration.id, kept.secrets, placeOfSecrets(integration));
  const since = new Date(kept.setAt);
  await utimes(folders.pullSecrets(integration.id), since, since);
}

/** Keeps them for Lucra's own user only. */
export async function keepSecrets(
  folders: OrganizationFolders,
  integration: string,
  secrets: Secrets,
  enteredFor?: EnteredFor,
): Promise<void> {
  const file = folders.pullSecrets(integration);
  for (const folder of [path.dirname(path.dirname(file)), path.dirname(file)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  }
  await writeWhole(file, `${JSON.stringify({ ...secrets, ...(enteredFor ? { enteredFor } : {}) }, null, 2)}\n`, 0o600);
}

/** Returns whether there were any. */
export async function removeSecrets(folders: OrganizationFolders, integration: string): Promise<boolean> {
  const file = folders.pullSecrets(integration);
  try {
    await rm(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const found = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
