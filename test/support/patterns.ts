import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "acorn";
import { transformSync } from "esbuild";
import { ROOT } from "./data.ts";
import { WORST_TEXTS } from "./perMegabyte.ts";

export interface Found {
  readonly file: string;
  readonly pattern: RegExp;
}

/** Patterns that only meet short texts, or texts of our own. */
export const SHORT: Readonly<Record<string, string>> = {
  "documents/": "our own documents and SQL",
  "features/explain/files.ts": "our own SQL",
  "core/engine/reads.ts": "our own SQL",
  "core/engine/kept.ts": "our own SQL",
  "core/engine/lock.ts": "a message of the engine about a lock",
  "features/adhoc/own/child.ts": "our own SQL",
  "features/adhoc/own/values.ts": "a decimal of at most 40 digits",
  "core/landing/map/shape.ts": "our own SQL",
  "core/landing/read/events.ts": "a file's name, of at most 255 bytes",
  "features/tools/streams.ts": "a file's name",
  "core/landing/ledger/verify.ts": "a file's name",
  "core/landing/read/rejects.ts /\\.jsonl_*$/": "a file's name",
  "core/landing/read/rejects.ts /\\uFFFD+$/": "a file's name",
  "features/import/task.ts": "a file's name",
  "core/landing/read/xlsx.ts": "a number format of at most 255 characters",
  "core/config.ts": "a setting of the operator",
  "features/pull/session.ts": "an address in the settings",
  "features/pull/connectors/shopify.ts": "a header, of at most 16 kB",
  "features/cluster/objects/s3.ts": "an answer of the operator's own storage, of at most 1,000 keys",
  "features/erasure/verdict.ts": "an instant of at most 64 characters, or the words of a field's name",
  "features/cluster/postgres/": "a location of the operator's own",
};

/** All regular expressions of the source. */
export function patterns(): Found[] {
  const found: Found[] = [];
  const source = path.join(ROOT, "src");
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || file.endsWith(".d.ts")) continue;
    const { code } = transformSync(readFileSync(path.join(source, file), "utf8"), { loader: "ts", target: "es2024" });
    parse(code, {
      ecmaVersion: "latest",
      sourceType: "module",
      onToken: (token) => {
        const { type, value } = token as typeof token & { readonly value: { readonly value: RegExp } };
        if (type.label === "regexp") found.push({ file, pattern: value.value });
      },
    });
  }
  return found;
}

/** The entry of `SHORT` with which the pattern's file and text begin. */
export const reasonFor = ({ file, pattern }: Found): string | undefined =>
  Object.keys(SHORT).find((start) => `${file} ${pattern}`.startsWith(start));

/** Texts that could take a pattern long: those of any, and its own characters. */
export function worstTextsOf(pattern: RegExp): string[] {
  const own = String(pattern).replaceAll(/[\\^$()[\]{}|?*+]/g, "");
  return [...new Set([...WORST_TEXTS, ...own])].filter((text) => text !== "");
}
