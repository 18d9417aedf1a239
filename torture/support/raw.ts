import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** One answer as received over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The answer states the length of its body; otherwise the body ends with the connection. */
  readonly isMeasured: boolean;
}

export interface Exchange {
  readonly answers: readonly Answer[];
  /** Whether the server closed the connection, as it must after a request that asks for it. */
  readonly closed: boolean;
}

interface Request {
  readonly port: number;
  readonly bytes: string | Buffer;
  /** Whether the first answer must have no body, whatever its headers say. */
  readonly isHead?: boolean;
  readonly patienceMs?: number;
}

/** Writes bytes unchanged to a port, and reads until the connection is closed. */
export async function exchange({ port, bytes, isHead = false, patienceMs = 20_000 }: Request): Promise<Exchange> {
  const { heard, closed } = await new Promise<{ heard: Buffer; closed: boolean }>((done, fail) => {
    const parts: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const end = (closed: boolean): void => {
      clearTimeout(patience);
      socket.destroy();
      done({ heard: Buffer.concat(parts), closed });
    };
    const patience = setTimeout(() => end(false), patienceMs);
    socket.on("data", (part) => parts.push(part));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") fail(error);
      else end(true);
    });
    socket.on("close", () => end(true));
  });
  return { answers: answersIn(heard, isHead), closed };
}

/** All answers in the bytes; fails on anything else. */
export function answersIn(bytes: Buffer, isHead = false): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.subarray(0, Math.max(end, 0)).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
    if (end < 0 || !status)
      throw new Error(`no answer of HTTP: ${JSON.stringify(rest.toString("latin1").slice(0, 200))}`);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    rest = rest.subarray(end + 4);
    if (status < 200) continue;
    // A request too broken to parse may be answered as if it were no HEAD; the judge decides.
    const isBare = rest.length === 0 || rest.subarray(0, 5).toString("latin1") === "HTTP/";
    const bodiless = (isHead && answers.length === 0 && isBare) || status === 304 || status === 204;
    const isMeasured = bodiless || "content-length" in headers || headers["transfer-encoding"] === "chunked";
    const { body, after } = bodiless ? { body: Buffer.alloc(0), after: rest } : bodyOf(headers, rest);
    const plain = unpacked(body, bodiless ? undefined : headers["content-encoding"]);
    answers.push({ status, headers, body: plain, isMeasured });
    rest = after;
  }
  return answers;
}

function bodyOf(headers: Readonly<Record<string, string>>, rest: Buffer): { body: Buffer; after: Buffer } {
  if (headers["transfer-encoding"] === "chunked") return chunksOf(rest);
  const length = Number(headers["content-length"] ?? rest.length);
  if (!(length <= rest.length)) throw new Error(`a body of ${headers["content-length"]} bytes came as ${rest.length}`);
  return { body: rest.subarray(0, length), after: rest.subarray(length) };
}

function chunksOf(bytes: Buffer): { body: Buffer; after: Buffer } {
  const parts: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const line = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.subarray(0, Math.max(line, 0)).toString("latin1"), 16);
    if (line < 0 || Number.isNaN(size)) throw new Error("a chunked body is cut");
    parts.push(rest.subarray(line + 2, line + 2 + size));
    rest = rest.subarray(line + 2 + size + 2);
    if (size === 0) return { body: Buffer.concat(parts), after: rest };
  }
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(body);
  if (encoding === "deflate") return inflateSync(body);
  return encoding === "br" ? brotliDecompressSync(body) : body;
}
