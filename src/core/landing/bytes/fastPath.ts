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

/** For each byte: 1 if it begins or ends a text or a container. */
const MARKS = new Uint8Array(256);
for (const byte of [QUOTE, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY]) MARKS[byte] = 1;

/**
 * The fast path for NDJSON: recognizes a line that is one object and not an envelope, as nearly every line is. The
 * scanner would find the same row ten times as slowly; it reads all other lines.
 */
export class NdjsonFastPath {
  readonly #names: readonly Name[];
  /** 1 for each length that the bytes of a name have. */
  readonly #lengths: Uint8Array;
  /** For each container around the present byte: 1 if it is an array. */
  readonly #arrays = new Uint8Array(LARGEST_DEPTH);

  /** An envelope has one of these keys. */
  constructor(envelopeKeys: Iterable<string>) {
    this.#names = [...envelopeKeys].map((text) => ({ text, bytes: Buffer.from(JSON.stringify(text)) }));
    this.#lengths = new Uint8Array(Math.max(0, ...this.#names.map(({ bytes }) => bytes.length)) + 1);
    for (const { bytes } of this.#names) this.#lengths[bytes.length] = 1;
  }

  isPlainObject(line: Buffer): boolean {
    const last = line.length - 1;
    if (line[0] !== OPEN_OBJECT || line[last] !== CLOSE_OBJECT) return false;
    const arrays = this.#arrays;
    const lengths = this.#lengths;
    // An imported constant is read again for each byte.
    const [quote, backslash] = [QUOTE, BACKSLASH];
    arrays[0] = 0;
    let depth = 1;
    // The last byte is a mark: no loop goes beyond it.
    for (let at = 1; ; at++) {
      while (MARKS[line[at] as number] === 0) at++;
      const byte = line[at] as number;
      if (byte === quote) {
        const start = at++;
        let escaped = false;
        for (;;) {
          let inside = line[at];
          while (inside !== quote && inside !== backslash && at < last) inside = line[++at];
          if (inside !== backslash) break;
          escaped = true;
          at += 2;
        }
        if (at >= last) return false;
        const mayBeName = depth === 1 && (escaped || lengths[at + 1 - start] === 1);
        if (mayBeName && this.#isEnvelopeKey(line, start, at + 1, escaped)) return false;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (depth === LARGEST_DEPTH - 1) return false;
        arrays[depth++] = byte === OPEN_ARRAY ? 1 : 0;
      } else {
        if (arrays[--depth] !== (byte === CLOSE_ARRAY ? 1 : 0)) return false;
        if (depth === 0 || at === last) return depth === 0 && at === last;
      }
    }
  }

  /** Compares every top-level string, key or value: a false match only costs the slow path. */
  #isEnvelopeKey(line: Buffer, start: number, end: number, escaped: boolean): boolean {
    if (escaped) {
      const text = keyText(line.subarray(start, end));
      return this.#names.some((name) => name.text === text);
    }
    return this.#names.some(({ bytes }) => bytes.length === end - start && bytes.compare(line, start, end) === 0);
  }
}
