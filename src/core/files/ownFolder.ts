import { mkdtemp, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
/** Users may add to such a folder, but rename and remove only their own files. */
const STICKY = 0o1000;

/**
 * Makes a folder in `home` that only this process's user can open; its name begins with the prefix. Fails if another
 * user could replace it: if other users may change `home` or a folder above it, or if one of these belongs to a user
 * other than root, this process's user and the owner of the data folder.
 */
export async function ownFolder(home: string, prefix: string, dataDir = home): Promise<string> {
  const trusted = [0, process.getuid?.(), (await stat(dataDir)).uid];
  const first = await realpath(home);
  for (let folder = first; ; folder = path.dirname(folder)) {
    const { uid, mode } = await stat(folder);
    // Above `home`, a group that may write is the administrator's choice.
    const writers = folder === first ? OTHERS_WRITE | GROUP_WRITES : OTHERS_WRITE;
    const isOpen = (mode & writers) !== 0 && (mode & STICKY) === 0;
    if (isOpen || !trusted.includes(uid)) {
      const why = isOpen ? "other users may change it" : "it belongs to another user";
      throw new OperatorError(
        `${folder} cannot hold exports for clients: ${why}. Set LUCRA_SPOOL_DIR to a folder of the service's user`,
      );
    }
    if (folder === path.dirname(folder)) break;
  }
  return mkdtemp(path.join(home, prefix));
}
