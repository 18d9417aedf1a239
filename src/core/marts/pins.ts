import { OperatorError } from "../contract/error.ts";
import { sha256OfText } from "../files/checksum.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import type { LandedPlace } from "../landing/ledger/revocations.ts";
import { placeText } from "./history.ts";
import { inputsAt } from "./moments.ts";
import { pastOf } from "./past.ts";
import type { Pin } from "./pinFiles.ts";

/** The pins in force, newest first, then by name. */
export async function pinsOf(folders: OrganizationFolders): Promise<Pin[]> {
  const pins = (await (await pastOf(folders)).pins()).filter(({ removedAt }) => removedAt === undefined);
  return pins.sort((a, b) =>
    a.createdAt === b.createdAt ? (a.name < b.name ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
  );
}

/** The pin of a name; undefined without one, and for a removed one. */
export async function pinNamed(folders: OrganizationFolders, name: string): Promise<Pin | undefined> {
  const pin = await (await pastOf(folders)).pin(name);
  return pin?.removedAt === undefined ? pin : undefined;
}

/** The hash of the landings of an entry that a pin keeps. */
export const landingsHash = (landings: readonly string[]): string => sha256OfText(landings.join("\n"));

/** Fails if the history is not the one that the pin was made with: its entry would be another. */
export async function assertSameEntry(folders: OrganizationFolders, { name, moment, kept }: Pin): Promise<void> {
  if (landingsHash((await inputsAt(folders, moment)).landings) === kept.landings) return;
  throw new OperatorError(
    `the history is not the one that pin ${name} was made with: put back ${folders.history} from a backup`,
  );
}

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
