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
 * Sends a file that was compressed once and not for each request: that would occupy the threads of the queries, and
 * nobody needs credentials for it.
 */
export function precompressed(file: string) {
  let kept: Compressed | undefined;
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    response.locals.isPrecompressed = true;
    response.vary("Accept-Encoding");
    const found = await stat(file).catch(() => undefined);
    if (!found || !request.acceptsEncodings("gzip") || CONDITIONS.some((name) => request.headers[name])) return next();
    const version = `${found.size} ${found.mtimeMs}`;
    if (kept?.version !== version) kept = { version, body: readFile(file).then((content) => compress(content)) };
    const body = await kept.body;
    response.set({ "Last-Modified": found.mtime.toUTCString(), "Content-Encoding": "gzip" });
    response.type(path.extname(file)).send(body);
  };
}
