import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { type Endpoint, isTabular, type TableFile } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { endingOf, FORMAT_NAMES, FORMATS, type Format } from "../contract/format.ts";
import type { Accepted } from "../contract/param.ts";
import type { Made } from "./cache.ts";

/** A client that reads nothing for this long is gone. */
const STALLED_MS = 60_000;
/** The longest time that sending a file may take. */
const LONGEST_MS = 3_600_000;

/** The format that `format` names, else the best match of the Accept header, else JSON. */
export function formatOf(request: Request, endpoint: Endpoint, accepted: Accepted): Format {
  const offered: readonly Format[] = isTabular(endpoint) ? FORMAT_NAMES : ["json"];
  const named = accepted.format as Format | null | undefined;
  // Some clients add a charset to the type.
  const types = offered.flatMap((format) => [FORMATS[format], `${FORMATS[format]}; charset=utf-8`]);
  const liked = request.accepts(types) || "";
  const format = named ?? offered.find((name) => liked.startsWith(FORMATS[name]));
  if (!format || !offered.includes(format)) throw new ApiError("notAcceptable");
  return format;
}

/** Headers for what a table's bytes cannot carry. */
function headersOf({ rows, page }: TableFile): Record<string, string> {
  return {
    "X-Row-Count": String(rows),
    ...(page
      ? { "X-Page": String(page.page), "X-Limit": String(page.limit), "X-Has-Next-Page": String(page.hasNextPage) }
      : {}),
  };
}

/** Sets the type and, except for JSON, the file name: `/v1/storea/orders/items` → `storea-orders-items.csv`. */
export function setType(response: Response, { path }: Endpoint, format: Format): void {
  const words = path.split("/").filter((word) => word !== "" && word !== "v1" && !word.startsWith(":"));
  if (format !== "json") response.attachment(`${words.join("-")}.${endingOf(format)}`);
  response.type(format === "csv" ? "text/csv; charset=utf-8; header=present" : FORMATS[format]);
}

/** Reads a table that is small enough for memory. */
export async function whole(file: TableFile): Promise<Made> {
  try {
    const parts: Uint8Array[] = [];
    for await (const part of file.content) parts.push(part);
    return { body: Buffer.concat(parts), headers: headersOf(file) };
  } finally {
    await file.close();
  }
}

/** A weak tag: it names the inputs of an export, not its bytes. */
export const exportTag = (key: string): string =>
  `W/"${createHash("sha256").update(key).digest("base64url").slice(0, 27)}"`;

/**
 * Sends a finished file with its length, so that the client notices a truncated one. Compression would remove the
 * length, so it is off.
 */
export async function send(response: Response, file: TableFile, isHead: boolean): Promise<void> {
  const deadline = setTimeout(() => response.destroy(), LONGEST_MS).unref();
  try {
    response.set({ ...headersOf(file), "Content-Length": String(file.bytes) });
    response.set("Cache-Control", "private, no-cache, no-transform");
    if (isHead) return void response.end();
    response.setTimeout(STALLED_MS, () => response.destroy());
    await pipeline(file.content, response);
  } catch (error) {
    // A client that hangs up is not an error. In any other case the client sees fewer bytes than announced.
    response.destroy();
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  } finally {
    clearTimeout(deadline);
    await file.close();
  }
}
