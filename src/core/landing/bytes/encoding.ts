import { isAscii, isUtf8 } from "node:buffer";

/** The characters of the bytes 0x80 to 0x9F in Windows-1252; five of them are not assigned. */
const C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Text whose bytes are those of the characters, as Windows-1252, which has all characters of Latin-1. */
const fromWindows = (latin1: string): string =>
  latin1.replaceAll(/[\x80-\x9f]/g, (character) => C1[character.charCodeAt(0) - 0x80] as string);

/** The bytes that Windows-1252 does not assign. */
const UNASSIGNED = /[\x81\x8d\x8f\x90\x9d]/;
/** The beginning of a character of several bytes, at the end of the text. */
const CUT = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;
/** So many rows are no UTF-8 for each row that is, besides ASCII, if the file is Windows-1252. */
const PREVAILS = 10;

/** Text that was read byte for byte as Latin-1, as UTF-8; undefined if it is not. */
function utf8Of(latin1: string): string | undefined {
  const bytes = Buffer.from(latin1, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** A heading, before the whole file has been read. */
export const likelyText = (latin1: string): string => utf8Of(latin1) ?? fromWindows(latin1);

/**
 * Decides for a whole file whether its text is UTF-8 or Windows-1252. A byte that is no UTF-8 makes it Windows-1252 only if
 * (almost) no row has a character of several bytes, which two or more accented letters in Windows-1252 hardly ever look
 * like: in a file of UTF-8 a damaged row is only a damaged row. A file that ends within a character was cut short.
 */
export class EncodingSurvey {
  #utf8 = 0;
  #other = 0;
  #unassigned = false;
  #isLastCut = false;

  /** A row as JSON, its bytes as Latin-1. */
  add(row: string, bytes: Buffer): void {
    this.#isLastCut = false;
    if (isAscii(bytes)) return;
    if (isUtf8(bytes)) {
      this.#utf8++;
      return;
    }
    this.#other++;
    this.#unassigned ||= UNASSIGNED.test(row);
    const text = row.replace(/"\]$/, "");
    this.#isLastCut = CUT.test(text) && utf8Of(text.replace(CUT, "")) !== undefined;
  }

  /** `endsInRow`: the file does not end with a line end. */
  decide(endsInRow: boolean): "utf-8" | "windows-1252" {
    if (this.#other === 0 || this.#unassigned) return "utf-8";
    if (endsInRow && this.#isLastCut && this.#other === 1) return "utf-8";
    return this.#other >= PREVAILS * this.#utf8 ? "windows-1252" : "utf-8";
  }
}

/** Decodes a row; undefined if it is not in the file's encoding. */
export const decode = (bytes: Buffer, encoding: "utf-8" | "windows-1252"): string | undefined => {
  if (encoding === "windows-1252") return fromWindows(bytes.toString("latin1"));
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
};
