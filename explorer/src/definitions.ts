import { signal } from "@preact/signals";
import { lang } from "./text.ts";

/** Loaded with the first definition that is shown in Portuguese: most visits need none. */
const words = signal<typeof import("./portuguese.ts") | undefined>(undefined);
let isAsked = false;

function load(): void {
  if (isAsked) return;
  isAsked = true;
  import("./portuguese.ts").then(
    (loaded) => {
      words.value = loaded;
    },
    () => {
      isAsked = false;
    },
  );
}

/** Names and signs only: the same in every language. */
const isOfSigns = (text: string): boolean => text !== "" && !/\p{L}{2,}[,.:;]? +\p{L}/u.test(text);

/** A text of the API document in the page's language; undefined while it loads, and if it has no translation. */
export function defined(text: string): string | undefined {
  if (lang.value === "en" || isOfSigns(text)) return text;
  load();
  return words.value?.inPortuguese(text);
}
