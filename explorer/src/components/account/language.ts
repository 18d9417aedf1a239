import { read, replace } from "../../platform/request.ts";
import { LANGUAGE_CODES } from "../../preferences.ts";
import { person } from "../../session.ts";
import { lang } from "../../text.ts";

const PATH = "/platform/me/language";

/** Keeps the language of the page as the person's, in which the mails to the person are. */
export async function storeLanguage(): Promise<void> {
  const language = LANGUAGE_CODES[lang.peek()];
  const { data, tag } = await read<{ language: string | null }>(PATH);
  if (data.language !== language) await replace(PATH, { language }, tag);
  if (person.peek()) person.value = { ...person.peek(), language } as typeof person.value;
}
