import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { filesBelow, ROOT } from "./data.ts";

/** A question that reads the column that the other version names differently. */
export const OTHER_COLUMN = "/v1/profitability/cohort?startDate=2025-01-01&endDate=2025-03-31";

/** Lucra with another derived schema: one of its columns has another name. */
export interface OtherVersion {
  /** What the shell does before it becomes the process: it takes this version's program. */
  readonly instead: string;
  remove(): Promise<void>;
}

export async function otherVersion(): Promise<OtherVersion> {
  const other = await mkdtemp(path.join(tmpdir(), "lucra-other-version-"));
  for (const part of ["bin", "docs", "src", "sql", "package.json"])
    await cp(path.join(ROOT, part), path.join(other, part), { recursive: true });
  await symlink(path.join(ROOT, "node_modules"), path.join(other, "node_modules"));
  for (const folder of ["sql", "src"]) {
    for (const name of await filesBelow(path.join(other, folder))) {
      const file = path.join(other, folder, name);
      const text = await readFile(file, "utf8");
      if (/\bhorizon_on\b/.test(text)) await writeFile(file, text.replaceAll(/\bhorizon_on\b/g, "last_known_on"));
    }
  }
  return {
    instead: `set -- "$1" "${path.join(other, "bin", "lucra.cjs")}" "\${@:3}"`,
    remove: () => rm(other, { recursive: true, force: true }),
  };
}
