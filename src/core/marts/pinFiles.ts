import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { checkedText, readChecked } from "../files/checked.ts";
import { writeNew, writeWhole } from "../files/durable.ts";
import { exists } from "../files/exists.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { PIN_NAME } from "../params/known.ts";

/** A name for what was known at an instant [D83]. It stays what it was, whatever is written into the history later. */
export interface Pin {
  readonly name: string;
  readonly knownAt: string;
  /** Of an entry of the history, or before the first one. */
  readonly moment: string;
  readonly createdAt: string;
  readonly createdBy: "command" | "monthly" | "page";
  /** A removed pin keeps its name, so that an address never comes to mean something else. */
  readonly removedAt?: string;
  readonly kept: PinChecks;
}

/** What a pin keeps of its state, so that it can be verified when the files are gone. */
export interface PinChecks {
  /** A hash of the code that computed it. */
  readonly version: string;
  /** The key of the files. */
  readonly state: string;
  /** A hash of the landings of its entry. */
  readonly landings: string;
  /** Those that the state lacked: lost ones, and those revoked for always. */
  readonly lacking: readonly string[];
  readonly relations: Readonly<Record<string, RelationCheck>>;
  readonly figures: readonly MonthFigures[];
}

/** The rows of a derived relation as a set, without surrogate numbers. */
export interface RelationCheck {
  readonly rows: number;
  readonly checksum: string;
}

export interface MonthFigures {
  /** Its first day. */
  readonly month: string;
  readonly figures: Readonly<Record<string, number | null>>;
}

const fileOf = (folders: OrganizationFolders, name: string): string => path.join(folders.pins, `${name}.json`);

/** Every pin that an organization ever had, also removed ones, by name. */
export async function allPins(folders: OrganizationFolders): Promise<Pin[]> {
  const names = await readdir(folders.pins).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    throw error;
  });
  const pins: Pin[] = [];
  for (const file of names.filter((one) => one.endsWith(".json") && !one.startsWith(".")).sort()) {
    const pin = await readChecked<Pin>(path.join(folders.pins, file));
    if (!pin) throw new OperatorError(damagedText(path.join(folders.pins, file)));
    pins.push(pin);
  }
  return pins;
}

/** The pin that ever had a name, also a removed one. */
export async function everNamed(folders: OrganizationFolders, name: string): Promise<Pin | undefined> {
  if (!PIN_NAME.test(name)) return undefined;
  const file = fileOf(folders, name);
  const pin = await readChecked<Pin>(file);
  if (!pin && (await exists(file))) throw new OperatorError(damagedText(file));
  return pin;
}

/** Fails with `EEXIST` if the name was ever taken: of two that take it at the same time, one gets it. */
export const addPin = (folders: OrganizationFolders, pin: Pin): Promise<void> =>
  writeNew(fileOf(folders, pin.name), checkedText(pin), 0o600);

/** The pin stays, so that its name is not used again. */
export const endPin = (folders: OrganizationFolders, pin: Pin, removedAt: string): Promise<void> =>
  writeWhole(fileOf(folders, pin.name), checkedText({ ...pin, removedAt }), 0o600);

const damagedText = (file: string): string => `${file} is damaged: put it back from a backup`;
