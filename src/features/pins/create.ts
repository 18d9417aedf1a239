import type { Config } from "../../core/config.ts";
import { ApiError, OperatorError } from "../../core/contract/error.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { Inputs } from "../../core/marts/history.ts";
import { inputsAt, type Moment, momentAt } from "../../core/marts/moments.ts";
import { addPin, everNamed, type Pin, type PinChecks } from "../../core/marts/pinFiles.ts";
import { landingsHash } from "../../core/marts/pins.ts";
import { sendChangedPast } from "../../core/marts/sentPast.ts";
import { presentIn, sourcesThen } from "../../core/marts/sources.ts";
import { answerVersion, stateFiles } from "../../core/marts/states.ts";
import { besideWriters, deriveStateAlone } from "../../core/sync/sync.ts";
import { figuresOf } from "./figures.ts";
import { relationChecks } from "./relations.ts";

interface WantedPin extends Pick<Pin, "name" | "knownAt" | "createdBy"> {
  readonly organization: string;
}

/**
 * Pins what was known at an instant: derives the state, and keeps what it says. Fails if the name was ever taken, also by another
 * process meanwhile, or if nothing was known then.
 */
export async function createPin(config: Config, { organization, ...wanted }: WantedPin): Promise<Pin> {
  const folders = foldersOf(config.dataDir, organization);
  await assertFree(folders, wanted.name);
  const moment = await momentAt(folders, wanted.knownAt).catch(toOperator);
  const inputs = await inputsAt(folders, moment);
  const kept = await checksOf(config, folders, { moment, inputs, knownAt: wanted.knownAt });
  const pin: Pin = { ...wanted, moment, createdAt: config.now().toISOString(), kept };
  await addPin(folders, pin).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") await assertFree(folders, wanted.name);
    throw error;
  });
  await sendChangedPast(folders);
  return pin;
}

async function assertFree(folders: OrganizationFolders, name: string): Promise<void> {
  const taken = await everNamed(folders, name);
  if (!taken) return;
  throw new OperatorError(
    taken.removedAt === undefined
      ? `there is a pin ${name}, of what was known at ${taken.knownAt}`
      : `${name} was the name of a pin that was removed ${taken.removedAt}: an address never comes to mean something else, so take another name`,
  );
}

function toOperator(error: unknown): never {
  if (error instanceof ApiError && error.kind === "underived")
    throw new OperatorError("nothing is derived yet: run sync first");
  throw error;
}

interface Pinned {
  readonly moment: Moment;
  readonly inputs: Inputs;
  readonly knownAt: string;
}

/** What a pin keeps of its state, which is derived unless it is there. */
async function checksOf(
  config: Config,
  folders: OrganizationFolders,
  { moment, inputs, knownAt }: Pinned,
): Promise<PinChecks> {
  const { organization } = folders;
  const key = await deriveStateAlone(config, organization, { landings: moment, settings: moment });
  const files = await stateFiles(folders, key);
  if (!files) throw new OperatorError("its files were removed meanwhile, as LUCRA_STATES_MB is small: try again");
  const { folder } = files;
  const present = presentIn(await sourcesThen(folders, inputs));
  return besideWriters(config, async (database, spill) => ({
    version: answerVersion(),
    state: key,
    ...landingsKept(inputs, present),
    relations: await database.use((session) => relationChecks(session, folder)),
    figures: await figuresOf(config, spill, { organization, folder, state: key, knownAt }),
  }));
}

/** The landings of an entry, and those of them that its state lacks. */
export function landingsKept(
  { landings }: Inputs,
  present: readonly string[],
): Pick<PinChecks, "landings" | "lacking"> {
  const there = new Set(present);
  return { landings: landingsHash(landings), lacking: landings.filter((place) => !there.has(place)) };
}
