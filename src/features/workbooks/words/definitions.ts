import type { Locale } from "../../../core/contract/dialect.ts";
import FIGURES from "./figures.json" with { type: "json" };
import PORTUGUESE from "./portuguese.json" with { type: "json" };

/** The Portuguese of a text of a declaration, which is English; undefined if there is none. */
export const inPortuguese = (text: string): string | undefined => of(PORTUGUESE, text) ?? of(FIGURES, text);

const of = (texts: Readonly<Record<string, string>>, text: string): string | undefined =>
  Object.hasOwn(texts, text) ? texts[text] : undefined;

/** A text of a declaration in a language; unchanged if it is not translated. */
export const translated = (text: string, locale: Locale): string =>
  locale === "pt-BR" ? (inPortuguese(text) ?? text) : text;
