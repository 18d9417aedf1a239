import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, deflate, gzip } from "node:zlib";
import Negotiator from "negotiator";

/** Smaller bodies are sent unchanged. */
const LEAST_BYTES = 1024;

const gzipped = promisify<Buffer, Buffer>(gzip);
const deflated = promisify<Buffer, Buffer>(deflate);
const brotli = promisify(brotliCompress);

const COMPRESSORS = {
  // Higher qualities take many times as long for a few bytes.
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: gzipped,
  deflate: deflated,
} as const;

export type Encoding = keyof typeof COMPRESSORS;

const OFFERED = [...Object.keys(COMPRESSORS), "identity"];
/** Among encodings that a client likes equally. */
const PREFERRED = ["br", "gzip"];

/** The package's types lack the second argument. */
interface Negotiation {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The encoding in which a body is sent; undefined: unchanged. The answer to HEAD has the length of the unchanged body. */
export function encodingOf(request: IncomingMessage, body: Buffer): Encoding | undefined {
  if (!request.headers["accept-encoding"] || request.method === "HEAD" || body.length < LEAST_BYTES) return undefined;
  const negotiation: Negotiation = new Negotiator(request);
  const encoding = negotiation.encoding(OFFERED, { preferred: PREFERRED });
  return encoding === "identity" ? undefined : (encoding as Encoding | undefined);
}

export const compress = (body: Buffer, encoding: Encoding): Promise<Buffer> => COMPRESSORS[encoding](body);
