import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { checkedText, readChecked } from "../files/checked.ts";
import { sha256OfText } from "../files/checksum.ts";
import { writeNew, writeWhole } from "../files/durable.ts";
import { exists } from "../files/exists.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { PIN_NAME } from "../params/known.ts";
import { placeText } from "./history.ts";
import { inputsAt, type Moment } from "./moments.ts";

/** A name for what was known at an instant [D83]. It stays what it was, whatever is written into the history later. */
export interface Pin {
  readonly name: string;
  readonly knownAt: string;
  readonly moment: Moment;
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
async function allPins(folders: OrganizationFolders): Promise<Pin[]> {
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

/** The pins in force, newest first, then by name. */
export async function pinsOf(folders: OrganizationFolders): Promise<Pin[]> {
  const pins = (await allPins(folders)).filter(({ removedAt }) => removedAt === undefined);
  return pins.sort((a, b) =>
    a.createdAt === b.createdAt ? (a.name < b.name ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
  );
}

/** The pin of a name; undefined without one, and for a removed one. */
export async function pinNamed(folders: OrganizationFolders, name: string): Promise<Pin | undefined> {
  const pin = await everNamed(folders, name);
  return pin?.removedAt === undefined ? pin : undefined;
}

/** The pin that ever had a name, also a removed one. */
export async function everNamed(folders: OrganizationFolders, name: string): Promise<Pin | undefined> {
  if (!PIN_NAME.test(name)) return undefined;
  const file = fileOf(folders, name);
  const pin = await readChecked<Pin>(file);
  if (!pin && (await exists(file))) throw new OperatorError(damagedText(file));
  return pin;
}

const damagedText = (file: string): string => `${file} is damaged: put it back from a backup`;

/** The hash of the landings of an entry that a pin keeps. */
export const landingsHash = (landings: readonly string[]): string => sha256OfText(landings.join("\n"));

/** Fails if the history is not the one that the pin was made with: its entry would be another. */
export async function assertSameEntry(folders: OrganizationFolders, { name, moment, kept }: Pin): Promise<void> {
  if (landingsHash((await inputsAt(folders, moment)).landings) === kept.landings) return;
  throw new OperatorError(
    `the history is not the one that pin ${name} was made with: put back ${folders.history} from a backup`,
  );
}

/** Fails with `EEXIST` if the name was ever taken: of two that take it at the same time, one gets it. */
export const addPin = (folders: OrganizationFolders, pin: Pin): Promise<void> =>
  writeNew(fileOf(folders, pin.name), checkedText(pin), 0o600);

/** The pin stays, so that its name is not used again. */
export const endPin = (folders: OrganizationFolders, pin: Pin, removedAt: string): Promise<void> =>
  writeWhole(fileOf(folders, pin.name), checkedText({ ...pin, removedAt }), 0o600);

/** The pins in force whose entries have any of the landed files. */
export async function pinsWith(folders: OrganizationFolders, files: readonly LandedPlace[]): Promise<Pin[]> {
  const places = new Set(files.map(placeText));
  const having: Pin[] = [];
  for (const pin of await pinsOf(folders)) {
    const { landings } = await inputsAt(folders, pin.moment);
    if (landings.some((place) => places.has(place))) having.push(pin);
  }
  return having;
}
