import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT, SOURCES, SQL } from "./paths.ts";

let version: string | undefined;

/**
 * A hash of all that an answer depends on besides data, settings and question: the SQL files, this program's modules, and
 * the versions of the packages.
 */
export function programVersion(): string {
  if (version === undefined) {
    const hash = createHash("sha256");
    for (const folder of [SQL, SOURCES]) {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
        if (/\.(sql|ts)$/.test(name)) hash.update(`${name}\0`).update(readFileSync(path.join(folder, name)));
      }
    }
    version = hash.update(readFileSync(path.join(PROJECT, "package.json"))).digest("hex");
  }
  return version;
}
