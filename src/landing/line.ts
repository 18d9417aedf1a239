import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  keyText,
  LARGEST_DEPTH,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "./scan.ts";

/** A key as it stands in a document, quotes and all; `text` without them. */
interface Name {
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * Tells lines that are one object and no envelope: what nearly every line of an NDJSON file is. The scanner would find
 * the same row in such a line, ten times as slowly; whatever else a line may be is left to it.
 */
export class LineGlance {
  readonly #names: readonly Name[];
  /** Of each container around the present byte, whether it is an array. */
  readonly #arrays = new Uint8Array(LARGEST_DEPTH);

  /** An envelope has one of these keys. */
  constructor(envelopeKeys: Iterable<string>) {
    this.#names = [...envelopeKeys].map((text) => ({ text, bytes: Buffer.from(JSON.stringify(text)) }));
  }

  isPlainObject(line: Buffer): boolean {
    const end = line.length;
    if (line[0] !== OPEN_OBJECT) return false;
    const arrays = this.#arrays;
    arrays[0] = 0;
    let depth = 1;
    for (let at = 1; at < end; at++) {
      const byte = line[at] as number;
      if (byte === QUOTE) {
        const start = at;
        let escaped = false;
        for (at++; line[at] !== QUOTE; at++) {
          if (at >= end) return false;
          if (line[at] === BACKSLASH) {
            escaped = true;
            at++;
          }
        }
        if (depth === 1 && this.#isEnvelopeKey(line, start, at + 1, escaped)) return false;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (depth === LARGEST_DEPTH - 1) return false;
        arrays[depth++] = byte === OPEN_ARRAY ? 1 : 0;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (arrays[--depth] !== (byte === CLOSE_ARRAY ? 1 : 0)) return false;
        if (depth === 0) return at === end - 1;
      }
    }
    return false;
  }

  /** Of any text in the outermost object, so that what is a key need not be known. */
  #isEnvelopeKey(line: Buffer, start: number, end: number, escaped: boolean): boolean {
    if (escaped) {
      const text = keyText(line.subarray(start, end));
      return this.#names.some((name) => name.text === text);
    }
    for (const { bytes } of this.#names) {
      if (bytes.length === end - start && bytes.compare(line, start, end) === 0) return true;
    }
    return false;
  }
}
