import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { readChecked } from "../files/checked.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { PIN_NAME } from "../params/known.ts";
import type { Moment } from "./moments.ts";

/** A name for what was known at an instant [D83]. It stays what it was, whatever is written into the history later. */
interface Pin {
  readonly name: string;
  readonly knownAt: string;
  readonly moment: Moment;
  readonly createdAt: string;
  readonly createdBy: "command" | "monthly" | "page";
  /** A removed pin keeps its name, so that an address never comes to mean something else. */
  readonly removedAt?: string;
}

const fileOf = (folders: OrganizationFolders, name: string): string => path.join(folders.pins, `${name}.json`);

/** Every pin that an organization ever had, also removed ones, by name. */
async function allPins(folders: OrganizationFolders): Promise<Pin[]> {
  const names = await readdir(folders.pins).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [] as string[];
    throw error;
  });
  const pins: Pin[] = [];
  for (const file of names.filter((one) => one.endsWith(".json")).sort()) {
    const pin = await readChecked<Pin>(path.join(folders.pins, file));
    if (!pin) throw new OperatorError(`${path.join(folders.pins, file)} is damaged: put it back from a backup`);
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
  const pin = PIN_NAME.test(name) ? await readChecked<Pin>(fileOf(folders, name)) : undefined;
  return pin?.removedAt === undefined ? pin : undefined;
}
