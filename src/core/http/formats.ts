import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import Negotiator from "negotiator";
import { type AnyEndpoint, isTabular, type TableFile } from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { endingOf, FORMAT_NAMES, FORMATS, type Format, SQL_FORMATS } from "../contract/format.ts";
import type { Known } from "../contract/generations.ts";
import type { Accepted } from "../contract/param.ts";
import { programVersion } from "../files/program.ts";
import type { Made } from "./cache.ts";

/** A client that reads nothing for this long is gone. */
const STALLED_MS = 60_000;
/** The longest time that sending a file may take. */
const LONGEST_MS = 3_600_000;

/** Some clients add a charset to the type. */
const typesOf = (formats: readonly Format[]): string[] =>
  formats.flatMap((format) => [FORMATS[format], `${FORMATS[format]}; charset=utf-8`]);

interface Offer {
  readonly formats: readonly Format[];
  readonly types: readonly string[];
}

const OF_TABLES: Offer = { formats: FORMAT_NAMES, types: typesOf(FORMAT_NAMES) };
const OF_SQL: Offer = { formats: SQL_FORMATS, types: typesOf(SQL_FORMATS) };
const OF_OTHERS: Offer = { formats: ["json"], types: typesOf(["json"]) };

/** The format that `format` names, else the best match of the Accept header, else JSON. */
export function formatOf(request: Pick<IncomingMessage, "headers">, endpoint: AnyEndpoint, accepted: Accepted): Format {
  const offer = endpoint.by === "adhoc" ? OF_SQL : isTabular(endpoint) ? OF_TABLES : OF_OTHERS;
  const named = accepted.format as Format | null | undefined;
  const format = named ?? likedOf(request, offer);
  if (!format || !offer.formats.includes(format)) throw new ApiError("notAcceptable");
  return format;
}

function likedOf(request: Pick<IncomingMessage, "headers">, { formats, types }: Offer): Format | undefined {
  const { accept = "*/*" } = request.headers;
  if (accept === "*/*") return formats[0];
  const liked = new Negotiator(request).mediaType(types) ?? "";
  return formats.find((name) => liked.startsWith(FORMATS[name]));
}

/** Headers for what a table's bytes cannot carry. */
function headersOf({ rows, page, rowsLeftOut }: TableFile): Record<string, string> {
  return {
    "X-Row-Count": String(rows),
    ...(page
      ? { "X-Page": String(page.page), "X-Limit": String(page.limit), "X-Has-Next-Page": String(page.hasNextPage) }
      : {}),
    ...(rowsLeftOut ? { "X-Rows-Left-Out": String(rowsLeftOut) } : {}),
  };
}

/** The whole `Content-Type` where it is more than the format's media type. */
const CONTENT_TYPES: Readonly<Partial<Record<Format, string>>> = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
};

/**
 * Sets the type and, except for JSON, the file name: `/v1/storea/orders/items` → `storea-orders-items.csv`. It says what was
 * known, as headers are lost when a file is saved: `storea-orders-known-2026-05-02T23-59-59.999Z.csv`.
 */
export function setType(
  response: ServerResponse,
  {
    endpoint: { path },
    format,
    known,
  }: { readonly endpoint: AnyEndpoint; readonly format: Format; readonly known?: Known | undefined },
): void {
  response.setHeader("Content-Type", CONTENT_TYPES[format] ?? FORMATS[format]);
  if (format === "json") return;
  const words = path.split("/").filter((word) => word !== "" && word !== "v1" && !word.startsWith(":"));
  if (known) words.push("known", known.knownAt.replaceAll(":", "-"));
  response.setHeader("Content-Disposition", `attachment; filename=${words.join("-")}.${endingOf(format)}`);
}

/** The headers with which every format says what was known. */
export function setKnown(response: ServerResponse, known: Known | undefined): void {
  if (!known) return;
  response.setHeader("X-Known-At", known.knownAt);
  response.setHeader("X-Settings-Since", known.settingsSince);
  response.setHeader("X-Known-State", known.knownState);
}

/** Whether compression makes its bytes fewer, in a page of ordinary size. */
export const isCompressible = (format: Format): boolean => format === "json" || format === "csv";

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

/** A weak tag: it names what an export depends on, data, settings, question and code, not its bytes. */
export const exportTag = (key: string, program = programVersion()): string =>
  `W/"${createHash("sha256")
    .update(JSON.stringify([program, key]))
    .digest("base64url")
    .slice(0, 27)}"`;

/**
 * Sends a finished file with its length, so that the client notices a truncated one. Compression would remove the
 * length, so it is off.
 */
export async function send(response: ServerResponse, file: TableFile, isHead: boolean): Promise<void> {
  const deadline = setTimeout(() => response.destroy(), LONGEST_MS).unref();
  try {
    for (const [name, value] of Object.entries(headersOf(file))) response.setHeader(name, value);
    response.setHeader("Content-Length", String(file.bytes));
    response.setHeader("Cache-Control", "private, no-cache, no-transform");
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
