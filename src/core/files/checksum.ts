import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** Small enough that other work of the process does not wait. */
const CHUNK_BYTES = 256 * 1024;

/** The SHA-256 of a file in hexadecimal digits, as `sha256sum` prints it. One buffer, because a stream takes twice the time. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const handle = await open(file);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

export const sha256OfText = (text: string): string => createHash("sha256").update(text).digest("hex");
