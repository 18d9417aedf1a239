import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** The bytes of the files in a folder that are chosen by name. */
export async function bytesIn(folder: string, isChosen: (file: string) => boolean = () => true): Promise<number> {
  const files = (await readdir(folder)).filter(isChosen);
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
