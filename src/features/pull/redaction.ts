import { brief } from "../../core/contract/text.ts";

/** Shorter secrets are not redacted: they could be words. */
const SHORTEST = 4;
/** A vendor may repeat a part of a secret: any run of this many characters of one is redacted. */
const PART = 12;
/** Characters of a text that are examined. */
const LONGEST_TEXT = 8_000;
const LONGEST_MESSAGE = 500;
const TAKEN_OUT = "…";

/** Takes secrets out of texts that a vendor has written, whole or in part, as they are and as they are sent. */
export class Redaction {
  readonly #whole = new Set<string>();
  readonly #parts = new Set<string>();

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    for (const form of formsOf(secret)) {
      if (this.#whole.has(form)) continue;
      this.#whole.add(form);
      // The addresses in a key file are no secrets, and parts of them are in many texts.
      if (/^https?:/.test(secret)) continue;
      for (let at = 0; at + PART <= form.length; at++) this.#parts.add(form.slice(at, at + PART));
    }
  }

  /** The text without secrets and control characters, in one line of at most 500 characters. */
  of(text: string): string {
    let rest = text.slice(0, LONGEST_TEXT);
    for (const form of this.#whole) rest = rest.replaceAll(form, TAKEN_OUT);
    return brief(
      this.#withoutParts(rest)
        .replaceAll(/[\s\p{Cc}]+/gu, " ")
        .trim(),
      LONGEST_MESSAGE,
    );
  }

  #withoutParts(text: string): string {
    let kept = "";
    let from = 0;
    for (let at = 0; at + PART <= text.length; at++) {
      if (!this.#parts.has(text.slice(at, at + PART))) continue;
      let end = at + PART;
      while (end < text.length && this.#parts.has(text.slice(end + 1 - PART, end + 1))) end++;
      kept += text.slice(from, at) + TAKEN_OUT;
      from = end;
      at = end - 1;
    }
    return kept + text.slice(from);
  }
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ "": secret }).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll(/\s+/g, " "),
];
