import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Small enough that other work of the process does not wait. */
const CHUNK_BYTES = 256 * 1024;

/** The SHA-256 of a file in hexadecimal digits, as `sha256sum` prints it. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), hash);
  return hash.digest("hex");
}

export const sha256OfText = (text: string): string => createHash("sha256").update(text).digest("hex");
