import { mkdtemp, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "./contract/error.ts";

const OTHERS_WRITE = 0o002;
/** Others may add to such a folder, and neither rename nor remove what is not theirs. */
const STICKY = 0o1000;

/**
 * A new folder in `home` that this process's user alone can open, named with the prefix. Fails where somebody else could
 * put one of theirs in its place: where `home` or a folder above it may be changed by every user, or belongs to one who
 * is neither root, nor this process's user, nor the owner of the data folder.
 */
export async function ownFolder(home: string, prefix: string, dataDir = home): Promise<string> {
  const trusted = [0, process.getuid?.(), (await stat(dataDir)).uid];
  for (let folder = await realpath(home); ; folder = path.dirname(folder)) {
    const { uid, mode } = await stat(folder);
    const isOpen = (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
    if (isOpen || !trusted.includes(uid)) {
      const why = isOpen ? "every user may change it" : "it belongs to another user";
      throw new OperatorError(
        `${folder} cannot hold what clients are sent: ${why}. Set LUCRA_SPOOL_DIR to a folder of the service's user`,
      );
    }
    if (folder === path.dirname(folder)) break;
  }
  return mkdtemp(path.join(home, prefix));
}
