import { access, lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { paths } from "../paths.ts";

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

/** The folder of a record's exports, whether its ids are spelled in capitals or not. */
export async function exportFolder(
  dataDir: string,
  organization: string,
  integration: string,
  record: string,
): Promise<string> {
  return path.join(await spelled(await spelled(paths.exports(dataDir), organization), integration), record);
}

/** A folder by its id as whoever made it spelled it; as we do where there is none. */
export async function spelled(home: string, id: string): Promise<string> {
  const usual = path.join(home, id);
  if (
    await access(usual).then(
      () => true,
      () => false,
    )
  )
    return usual;
  const names = await readdir(home).catch(() => [] as string[]);
  return path.join(home, names.find((name) => name.toLowerCase() === id) ?? id);
}

/**
 * Every file below a record's folder, oldest first, then by path. Names that start with a dot are an upload under way.
 * Links are not followed: they could lead to another organization's data.
 */
export async function listExports(folder: string): Promise<{ files: ExportFile[]; odd: Odd[] }> {
  const files: ExportFile[] = [];
  const odd: Odd[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of (await readdir(path.join(folder, below), { withFileTypes: true }).catch(orGone)) ?? []) {
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) await walk(name);
      else if (!entry.isFile())
        odd.push({ name, reason: entry.isSymbolicLink() ? "is a link: links are not followed" : "is no file" });
      else {
        // One that is taken away meanwhile is none; the others are still listed.
        const found = await lstat(path.join(folder, name), { bigint: true }).catch(orGone);
        if (found)
          files.push({ name, path: path.join(folder, name), bytes: Number(found.size), modified: found.mtimeNs });
      }
    }
  };
  await walk("");
  files.sort((a, b) => (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : a.name < b.name ? -1 : 1));
  return { files, odd };
}

function orGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
