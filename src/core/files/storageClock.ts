import { mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";

/** The time of the storage in milliseconds, which may differ from that of this machine. */
type StorageClock = () => Promise<number>;

/** How the names of temporary folders in the folder of an organization's derived files begin. */
export const UNFINISHED = ".unfinished-";

/** The clock of the storage: the time of a folder that it makes when first called. */
export function clockOf(folder: string): StorageClock {
  let time: Promise<number> | undefined;
  const ask = async (): Promise<number> => {
    const probe = await mkdtemp(path.join(folder, UNFINISHED));
    const { mtimeMs } = await stat(probe).finally(() => rm(probe, { recursive: true, force: true }));
    return mtimeMs;
  };
  return () => {
    time ??= ask();
    return time;
  };
}

/** Milliseconds since a file changed; 0 if it does not exist. */
export async function ageOf(file: string, now: StorageClock): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found ? (await now()) - found.mtimeMs : 0;
}
