import { readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { withLock, withWriterLock } from "../engine/lock.ts";
import { replaceWhole } from "../files/durable.ts";
import { foldersOf } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { ageOf, clockOf } from "../files/storageClock.ts";
import { type Coordination, CURRENT, type Documents, type Numbers, type Pointers, type Turns } from "./coordination.ts";
import { FileLogs } from "./fileLogs.ts";
import { GuardedFile } from "./guardedFile.ts";

/** The coordination by files and locks of the data folder: one writer. */
export const fileCoordination = (dataDir: string): Coordination => ({
  turns: turnsOf(dataDir),
  pointers: pointersOf(dataDir),
  numbers,
  documents,
  logs: new FileLogs(paths.audit(dataDir)),
  jobs: undefined,
  knownMs: Number.POSITIVE_INFINITY,
  downSince: () => undefined,
  close: async () => {},
});

const turnsOf = (dataDir: string): Turns => ({
  writing: (waitMs, work) =>
    withWriterLock(dataDir, waitMs, () => work((organization, inTurn) => inTurn({ organization, isLost: false }))),
  // The operating system releases the lock only when the process ends.
  assertHeld: async () => {},
  exclusively: (name, waiting, work) => withLock(name, waiting, work),
});

/** The listing of the files under the lock gives a free number. */
const numbers: Numbers = { claim: async (_organization, _kind, atLeast) => atLeast };

const documents: Documents = { isShared: false, open: (options) => new GuardedFile(options) };

const isPointer = (name: string): boolean => name === CURRENT || /^current\.[0-9a-f]{16}$/.test(name);

function pointersOf(dataDir: string): Pointers {
  const fileOf = (organization: string, name: string): string => path.join(foldersOf(dataDir, organization).mart, name);
  const text = (organization: string, name: string): Promise<string | undefined> =>
    readFile(fileOf(organization, name), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
  const found = (organization: string) => stat(fileOf(organization, CURRENT), { bigint: true }).catch(() => undefined);
  return {
    text,
    version: async (organization) => {
      const file = await found(organization);
      return file && `${file.ino}-${file.mtimeNs}`;
    },
    changedAt: async (organization) => (await found(organization))?.mtime,
    all: async (organization) => {
      const home = foldersOf(dataDir, organization).mart;
      const names = (await readdir(home)).filter(isPointer).sort();
      const now = clockOf(home);
      return Promise.all(
        names.map(async (name) => ({
          name,
          text: (await text(organization, name)) ?? "",
          ageMs: () => ageOf(path.join(home, name), now),
        })),
      );
    },
    put: (organization, name, content, options = {}) => {
      const isUnchanged = async (): Promise<boolean> =>
        !("expected" in options) || (await text(organization, name)) === options.expected;
      return replaceWhole(fileOf(organization, name), content, 0o644, isUnchanged, options.aside);
    },
    remove: (organization, name) => rm(fileOf(organization, name), { force: true }),
  };
}
