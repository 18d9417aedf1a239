import { createHash } from "node:crypto";
import { streamSets } from "../landing/read/partKinds.ts";
import { exported, records } from "../records/index.ts";
import { coreMacros, coreSql } from "./build.ts";
import { CORE } from "./relations.ts";
import { landedRecords } from "./staging.ts";

let version: string | undefined;

/**
 * A hash of the statements and records that derive. Another version of these derives other files, which the views of this
 * version may not fit.
 */
export function codeVersion(): string {
  if (version === undefined) {
    const hash = createHash("sha256").update(JSON.stringify([records, streamSets(), CORE]));
    hash.update(coreMacros());
    for (const { name } of CORE) hash.update(coreSql(name));
    hash.update(landedRecords(new Map(exported.map((record) => [record, [record.name]]))));
    version = hash.digest("hex");
  }
  return version;
}
