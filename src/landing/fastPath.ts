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

/** A key as its bytes in a document, with quotes, and as text without them. */
interface Name {
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * The fast path for NDJSON: recognizes a line that is one object and not an envelope, as nearly every line is. The
 * scanner would find the same row ten times as slowly; it reads all other lines.
 */
export class NdjsonFastPath {
  readonly #names: readonly Name[];
  /** For each container around the present byte: 1 if it is an array. */
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

  /** Compares every top-level string, key or value: a false match only costs the slow path. */
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
