import { STATE_FILE, STATE_FOLDER } from "../../../core/marts/stateNames.ts";

/** What the description of a generation or a state says: a line of JSON. */
interface Description {
  readonly checksums: Readonly<Record<string, string>>;
  readonly settings: { readonly organizationId: string };
}

export const described = (text: string): Description => JSON.parse(text.split("\n")[0] ?? "");

/** The file of a folder with its description. */
export const descriptionIn = (name: string): string => (name.startsWith(STATE_FOLDER) ? STATE_FILE : "derived.json");
