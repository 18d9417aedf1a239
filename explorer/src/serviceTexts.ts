import { inEnglish } from "../../src/core/contract/english.ts";
import { lang } from "./text.ts";

/** A message of the service in the page's language; empty in English if it is not known. */
export const saidBy = (message: string): string => (lang.value === "pt" ? message : (inEnglish(message) ?? ""));

/** What the service asks patience for, because it computes what was asked for the first time. */
export function computingOf(message: string): "computing" | "deriving" | undefined {
  if (message.startsWith("A projeção desta organização")) return "computing";
  return /^(O que era conhecido então está|Outros momentos)/.test(message) ? "deriving" : undefined;
}
