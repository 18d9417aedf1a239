import FIGURES from "../../src/features/workbooks/words/figures.json" with { type: "json" };
import PORTUGUESE from "../../src/features/workbooks/words/portuguese.json" with { type: "json" };
import { textKey } from "./textKey.ts";

// The build replaces the texts of both files by their keys.
const TEXTS: Readonly<Record<string, string>> = { ...FIGURES, ...PORTUGUESE };

/** The Portuguese of a text of the API document; undefined if there is none. */
export function inPortuguese(text: string): string | undefined {
  const key = textKey(text);
  return Object.hasOwn(TEXTS, key) ? TEXTS[key] : undefined;
}
