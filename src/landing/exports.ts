import { lstat, readdir } from "node:fs/promises";
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

const TWICE = "is there twice: in folders that spell one id in small letters and in capitals; give it another name";

/** The folders below one whose name is an id, in small letters or capitals, the former first. Links are none. */
export async function spellings(home: string, id: string): Promise<string[]> {
  const entries = (await readdir(home, { withFileTypes: true }).catch(orGone)) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === id);
  return folders
    .map(({ name }) => path.join(home, name))
    .sort()
    .reverse();
}

/**
 * Every export of a record, oldest first, then by path. Names that start with a dot are an upload under way. Links are
 * not followed: they could lead to another organization's data.
 */
export async function listExports(
  dataDir: string,
  organization: string,
  integration: string,
  record: string,
): Promise<{ files: ExportFile[]; odd: Odd[] }> {
  const named = new Map<string, ExportFile>();
  const odd: Odd[] = [];
  for (const home of await spellings(paths.exports(dataDir), organization)) {
    for (const folder of await spellings(home, integration)) {
      const found = await filesBelow(path.join(folder, record));
      odd.push(...found.odd);
      for (const file of found.files) {
        if (named.has(file.name)) odd.push({ name: file.name, reason: TWICE });
        else named.set(file.name, file);
      }
    }
  }
  const files = [...named.values()];
  files.sort((a, b) => (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : a.name < b.name ? -1 : 1));
  return { files, odd };
}

async function filesBelow(folder: string): Promise<{ files: ExportFile[]; odd: Odd[] }> {
  const files: ExportFile[] = [];
  const odd: Odd[] = [];
  const isLink = (await lstat(folder).catch(orGone))?.isSymbolicLink() ?? false;
  if (isLink) return { files, odd };
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
  return { files, odd };
}

function orGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
