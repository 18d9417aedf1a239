import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Response } from "undici";
import { quantity } from "../../core/contract/text.ts";
import { linesIn } from "../../core/landing/bytes/lines.ts";
import { parseJson } from "../../core/landing/read/json.ts";
import { PullError } from "./declaration.ts";

/** Limits of a body after decompression [D64]. */
export interface BodyLimits {
  readonly bodyBytes: number;
  /** An answer that is parsed is held in memory. */
  readonly parsedBytes: number;
  /** Limit of a line of a body that is streamed to a file. */
  readonly lineBytes: number;
  /** The whole body: one that drips is never silent. */
  readonly bodyMs: number;
}

/** A body that is not what was asked for: the request has failed, and is tried again. */
export class Broken extends Error {}

/** `text`: the beginning of a body that is no JSON. */
export interface Body {
  readonly parsed: unknown;
  readonly text?: string;
}

/** So much of a body that is no JSON is looked at for a message. */
const TEXT_HEAD = 8_000;
const WRITTEN_AT_ONCE = 65_536;

/** The parsed body. Numbers that a double would change become texts. */
export async function readBody(
  response: Response,
  limits: BodyLimits,
  onBytes: (bytes: number) => void,
): Promise<Body> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of partsOf(response, limits, onBytes)) {
    bytes += part.length;
    if (bytes > limits.parsedBytes)
      throw new PullError("tooMuch", `an answer of more than ${quantity(limits.parsedBytes, "byte")}`);
    parts.push(part);
  }
  const whole = Buffer.concat(parts).toString("utf8");
  const text = whole.slice(0, TEXT_HEAD);
  if (!/json|javascript/i.test(response.headers.get("content-type") ?? "")) return { parsed: undefined, text };
  try {
    return { parsed: parseJson(whole) };
  } catch {
    // A refusal by status is one even if its body cannot be read.
    if (!response.ok) return { parsed: undefined, text };
    throw new Broken("JSON that cannot be parsed");
  }
}

/** Writes lines as they are, and checks that each is JSON; returns their number. An error of the file has a `syscall`. */
export async function writeLines(
  response: Response,
  file: string,
  limits: BodyLimits,
  onBytes: (bytes: number) => void,
): Promise<number> {
  if (/html/i.test(response.headers.get("content-type") ?? "")) throw new Broken("an HTML page, not JSON lines");
  let lines = 0;
  const checked = async function* (): AsyncGenerator<Buffer> {
    const decoder = new TextDecoder("utf8", { fatal: true });
    let waiting: Buffer[] = [];
    let bytes = 0;
    for await (const line of linesIn(partsOf(response, limits, onBytes), limits.lineBytes)) {
      if (line.length > limits.lineBytes) throw new Broken(`a line of more than ${quantity(limits.lineBytes, "byte")}`);
      if (!hasObject(line, decoder)) continue;
      lines++;
      waiting.push(line, NEW_LINE);
      bytes += line.length + 1;
      if (bytes < WRITTEN_AT_ONCE) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
    }
    if (bytes > 0) yield Buffer.concat(waiting);
  };
  await pipeline(checked(), createWriteStream(file, { mode: 0o600 }));
  return lines;
}

const NEW_LINE = Buffer.from("\n");

/** False for an empty line. */
function hasObject(line: Buffer, decoder: InstanceType<typeof TextDecoder>): boolean {
  try {
    const text = decoder.decode(line);
    if (text.trim() === "") return false;
    JSON.parse(text);
    return true;
  } catch {
    throw new Broken("a line that is no JSON");
  }
}

async function* partsOf(
  response: Response,
  { bodyBytes, bodyMs }: BodyLimits,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (!response.body) return;
  const end = performance.now() + bodyMs;
  let bytes = 0;
  for await (const part of response.body as ReadableStream<Uint8Array>) {
    bytes += part.length;
    onBytes(part.length);
    if (bytes > bodyBytes) throw new Broken(`a body of more than ${quantity(bodyBytes, "byte")}`);
    if (performance.now() > end) throw new Broken(`a body of more than ${quantity(bodyMs / 60_000, "minute")}`);
    yield Buffer.from(part.buffer, part.byteOffset, part.length);
  }
}
