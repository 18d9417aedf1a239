import { computed } from "@preact/signals";
import { browserLanguage, LANGUAGES, type Language, language } from "../preferences.ts";
import { arg } from "../route.ts";
import { organization } from "../session.ts";
import { en, pt } from "./dictionaries.ts";
import type { Dictionary } from "./dictionary.ts";

/** The language of an address (`lang=en`), which a link can name, or the chosen one, or that of the organization. */
export const lang = computed<Language>(
  () => LANGUAGES.find((name) => name === arg("lang")) ?? language.value ?? ofOrganization() ?? browserLanguage,
);

function ofOrganization(): Language | undefined {
  const locale = organization.value?.locale;
  return locale && (locale === "en" ? "en" : "pt");
}

/** The texts in the chosen language. */
export const t = (): typeof pt => (lang.value === "pt" ? pt : en);

/** The texts of a part that is loaded when it is opened, in the chosen language. */
export const said = <Text extends object>(words: Dictionary<Text>): Text => words[lang.value];
