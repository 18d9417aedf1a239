import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { NextFunction, Request, Response } from "express";

const compress = promisify(gzip);

/** The conditions and ranges that `sendFile` answers. */
const CONDITIONS = ["range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];

interface Compressed {
  readonly version: string;
  readonly body: Promise<Buffer>;
}

/** Responses that are not compressed on their way. */
export const isPrecompressed = (response: Response): boolean => response.locals.isPrecompressed === true;

/**
 * Sends a file that is compressed once. Compressing it for each request, which needs no credentials, would occupy the
 * threads that run the queries. Calls `next` for a missing file and for requests with conditions.
 */
export function precompressed(file: string) {
  let kept: Compressed | undefined;
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    response.locals.isPrecompressed = true;
    response.vary("Accept-Encoding");
    const found = await stat(file).catch(() => undefined);
    if (!found || !request.acceptsEncodings("gzip") || CONDITIONS.some((name) => request.headers[name])) return next();
    const version = `${found.size} ${found.mtimeMs}`;
    if (kept?.version !== version) {
      const body = readFile(file).then((content) => compress(content));
      kept = { version, body };
      // The next request tries again.
      body.catch(() => {
        kept = undefined;
      });
    }
    const body = await kept.body;
    response.set({ "Last-Modified": found.mtime.toUTCString(), "Content-Encoding": "gzip" });
    response.type(path.extname(file)).send(body);
  };
}
