import path from "node:path";

/** Control characters, marks that change the direction of text, and halves of characters. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const LONGEST_LABEL = 200;
/** Bytes of a name in the folder of exports, where more is added to it while it is written. */
const LONGEST_NAME = 120;
const ENDING = /(?:\.[\p{L}\p{N}]{1,10}){1,2}$/u;

/** What is shown of a file's own name: its last part, without what could be taken for something else. */
export function labelOf(name: string): string {
  const last =
    name
      .replaceAll("\\", "/")
      .split("/")
      .findLast((part) => part.trim() !== "") ?? "";
  const shown = last.normalize("NFC").replaceAll(/\s+/gu, " ").replaceAll(UNSHOWN, "").trim();
  return /^[. ]*$/.test(shown) ? "file" : shortened(shown, (text) => text.length, LONGEST_LABEL);
}

/** The name of an upload as an export: below a folder of its own, so that it is new and keeps what its name says. */
export function exportName({ id, name }: { readonly id: string; readonly name: string }): string {
  const safe = name.replaceAll(/[^\p{L}\p{M}\p{N} ._()+-]/gu, "_").replace(/^[.\s-]+/, "");
  return path.posix.join(`upload-${id.slice(0, 12)}`, shortened(safe || "file", Buffer.byteLength, LONGEST_NAME));
}

/** The beginning of a text and its ending, such as `.csv.gz`. */
function shortened(text: string, lengthOf: (text: string) => number, most: number): string {
  if (lengthOf(text) <= most) return text;
  const ending = ENDING.exec(text)?.[0] ?? "";
  const characters = [...text.slice(0, most)];
  while (lengthOf(`${characters.join("")}…${ending}`) > most) characters.pop();
  return `${characters.join("").trimEnd()}…${ending}`;
}
