import { createHmac, randomBytes, randomInt } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../contract/error.ts";
import { checkedText, readChecked } from "../../files/checked.ts";
import { writeNew, writeWhole } from "../../files/durable.ts";
import { exists } from "../../files/exists.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";

/** What a kept hash is of. Ids are those of one integration. */
export type Erasable = "email" | "customer" | "order" | "phone" | "document";

/** A keyed hash of what was erased. */
export interface ErasedHash {
  readonly of: Erasable;
  /** The number in place of the store's customer id; none of phones and documents, which identify rows alone. */
  readonly number?: string;
  /**
   * Whether everything that has it is erased; otherwise another order of the same customer stays, under the number, until it
   * lands again.
   */
  readonly asked: boolean;
}

/** One erasure [D98]. */
export interface Erasure {
  readonly no: number;
  readonly at: string;
  /** Orders after it are a new customer's. */
  readonly until: string;
  /** When nothing was left; absent while it is under way. */
  readonly doneAt?: string;
  readonly hashes: Readonly<Record<string, ErasedHash>>;
}

interface Content {
  readonly erasures: readonly Erasure[];
}

/** The erasures of an organization, in their order. */
export async function erasuresOf(folders: OrganizationFolders): Promise<readonly Erasure[]> {
  const content = await readChecked<Content>(folders.erasures);
  if (content) return content.erasures;
  if (!(await exists(folders.erasures))) return [];
  throw new OperatorError(
    `${path.relative(folders.dataDir, folders.erasures)} is damaged, so it is not known what was erased: put it back from a backup`,
  );
}

export const keepErasures = (folders: OrganizationFolders, erasures: readonly Erasure[]): Promise<void> =>
  writeWhole(folders.erasures, checkedText({ erasures }), 0o600);

/** Whether anything was erased, so that what lands has to be looked through. */
export const hasErasures = (folders: OrganizationFolders): Promise<boolean> =>
  stat(folders.erasures).then(
    () => true,
    () => false,
  );

const KEY = /^[0-9a-f]{64}\n$/;

/** The key of the hashes; undefined if nothing was ever erased. */
export async function erasureKey({ erasureKey: file, dataDir }: OrganizationFolders): Promise<string | undefined> {
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (content === undefined) return undefined;
  if (!KEY.test(content))
    throw new OperatorError(`${path.relative(dataDir, file)} is damaged: put it back from a backup`);
  return content.trimEnd();
}

/** The key of the hashes, made if there is none. Without it, what was erased could not be found again. */
export async function makeErasureKey(folders: OrganizationFolders): Promise<string> {
  const there = await erasureKey(folders);
  if (there !== undefined) return there;
  if ((await erasuresOf(folders)).length > 0) throw new OperatorError(keyGone(folders));
  const key = randomBytes(32).toString("hex");
  await writeNew(folders.erasureKey, `${key}\n`, 0o600);
  return key;
}

export const keyGone = ({ dataDir, erasureKey: file }: OrganizationFolders): string =>
  `${path.relative(dataDir, file)} is gone, without which nobody finds again what was erased: put it back from a backup`;

/** The keyed hash of an e-mail, or of the id of an integration's customer or order. */
export const erasedHash = (key: string, of: Erasable, text: string): string =>
  createHmac("sha256", key).update(`${of} ${text}`).digest("base64url");

/**
 * A number in place of a customer's ids: its orders of all stores have the same. Its 16 digits pass through JSON and through
 * columns of numbers unchanged, and no store has ids like them; `sql/core/macros.sql` knows it by them, too.
 */
export function newNumber(taken: ReadonlySet<string>): string {
  for (;;) {
    const digits = [randomInt(1_000_000), randomInt(1_000_000)].map((part) => String(part).padStart(6, "0"));
    const number = `9000${digits.join("")}`;
    if (!taken.has(number)) return number;
  }
}

/** Whether a customer's id, with or without the beginning of a gid, is such a number. */
export const isErasedNumber = (id: string): boolean => /^(gid:\/\/shopify\/Customer\/)?9000\d{12}$/.test(id);
