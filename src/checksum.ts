import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Small enough that whoever shares the process is not kept waiting. */
const PORTION_BYTES = 256 * 1024;

/** The SHA-256 of a file, in hexadecimal digits: what `sha256sum` says. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: PORTION_BYTES }), hash);
  return hash.digest("hex");
}

export const sha256OfText = (text: string): string => createHash("sha256").update(text).digest("hex");
