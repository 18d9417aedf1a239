import { computed } from "@preact/signals";
import { language } from "../preferences.ts";
import { arg } from "../route.ts";
import { en, pt } from "./dictionaries.ts";

const LANGUAGES = ["pt", "en"] as const;

/** The language of an address (`lang=en`), which a link can name, or the remembered one. */
export const lang = computed(() => LANGUAGES.find((name) => name === arg("lang")) ?? language.value);

/** The texts in the chosen language. */
export const t = (): typeof pt => (lang.value === "pt" ? pt : en);
