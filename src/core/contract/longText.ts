import { setImmediate } from "node:timers/promises";

/**
 * A text, whole or in pieces: one string of tens of megabytes takes longer to make than other requests may wait. Bytes are
 * UTF-8; no character is in two pieces.
 */
export type Text = string | Buffer | readonly Text[];

/** A text that is known to be short. */
export const wholeText = (text: Text): string => [...piecesOf(text)].join("");

function* piecesOf(text: Text): Generator<string | Buffer> {
  if (typeof text === "string" || Buffer.isBuffer(text)) yield text;
  else for (const piece of text) yield* piecesOf(piece);
}

/** How many characters or bytes are encoded, copied or hashed at once: a millisecond of work, as several answers share a turn of the event loop. */
export const PART = 1 << 18;

/** The text in UTF-8. Other requests are served between two parts. */
export async function encoded(text: Text): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const part of partsOf(text)) {
    if (parts.length > 0) await setImmediate();
    parts.push(typeof part === "string" ? Buffer.from(part) : part);
  }
  const [first = Buffer.alloc(0), ...others] = parts;
  if (others.length === 0) return first;
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    if (at > 0) await setImmediate();
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Short pieces together, long ones cut. Bytes are a part each. */
function* partsOf(text: Text): Generator<string | Buffer> {
  let pieces: string[] = [];
  let length = 0;
  for (const piece of piecesOf(text)) {
    if (typeof piece !== "string") {
      if (length > 0) yield pieces.join("");
      pieces = [];
      length = 0;
      yield piece;
      continue;
    }
    for (let from = 0; from < piece.length; ) {
      const to = partEnd(piece, from);
      pieces.push(piece.slice(from, to));
      length += to - from;
      from = to;
      if (length < PART) continue;
      yield pieces.join("");
      pieces = [];
      length = 0;
    }
  }
  if (length > 0) yield pieces.join("");
}

/** A surrogate pair is not cut. */
function partEnd(piece: string, from: number): number {
  const to = Math.min(from + PART, piece.length);
  const last = piece.charCodeAt(to - 1);
  return last >= 0xd800 && last <= 0xdbff && to < piece.length ? to + 1 : to;
}
