import { compress, type Encoding, encodingOf } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";

/** Sends a whole body as the end of the answer. */
export function sendBody({ response, timing }: Exchange, body: Buffer): void {
  timing.writeHeader(response);
  response.setHeader("Content-Length", body.length);
  response.end(body);
}

/** Sends a whole body of a type that compresses well, compressed if the client accepts that. */
export async function sendCompressible(
  exchange: Exchange,
  body: Buffer,
  compressed: (body: Buffer, encoding: Encoding) => Promise<Buffer> = compress,
): Promise<void> {
  const { request, response } = exchange;
  const encoding = encodingOf(request, body);
  const sent = encoding ? await compressed(body, encoding) : body;
  if (encoding) response.setHeader("Content-Encoding", encoding);
  addVary(exchange, "Accept-Encoding");
  sendBody(exchange, sent);
}

/** Answers that the client's copy is current. */
export function sendUnchanged({ response, timing }: Exchange): void {
  timing.writeHeader(response);
  response.writeHead(304).end();
}

export function addVary({ response }: Exchange, name: string): void {
  const before = response.getHeader("Vary");
  if (before !== name) response.setHeader("Vary", before === undefined ? name : `${before}, ${name}`);
}
