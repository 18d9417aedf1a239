import { lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** An export file as it lies in its folder. */
export interface ExportFile {
  /** Below the record's folder, with `/`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Nanoseconds: of two rows without a timestamp of their own the younger file's wins. */
  readonly modified: bigint;
}

/** What lies in an exports folder and is no export. */
export interface Odd {
  readonly name: string;
  readonly reason: string;
}

/**
 * Every file below a record's folder, oldest first, then by path. Names that start with a dot are an upload under way.
 * Links are not followed: they could lead to another organization's data.
 */
export async function listExports(folder: string): Promise<{ files: ExportFile[]; odd: Odd[] }> {
  const files: ExportFile[] = [];
  const odd: Odd[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, below), { withFileTypes: true })) {
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) await walk(name);
      else if (!entry.isFile())
        odd.push({ name, reason: entry.isSymbolicLink() ? "is a link: links are not followed" : "is no file" });
      else {
        const { size, mtimeNs } = await lstat(path.join(folder, name), { bigint: true });
        files.push({ name, path: path.join(folder, name), bytes: Number(size), modified: mtimeNs });
      }
    }
  };
  await walk("").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  files.sort((a, b) => (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : a.name < b.name ? -1 : 1));
  return { files, odd };
}
