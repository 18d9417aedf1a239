import type { IncomingMessage } from "node:http";
import type { Exchange } from "../../core/http/exchange.ts";
import { headerOf } from "../../core/http/exchange.ts";
import { isLoopbackName } from "../../core/http/local.ts";
import { received, Unreceived } from "../../core/http/received.ts";
import { PlatformError } from "./errors.ts";

const MOST_BYTES = 65_536;
const MOST_MS = 30_000;

/** The header that the page adds to its requests: other pages cannot, without a permission that the service never gives. */
const PAGE_HEADER = "x-lucra-page";

/**
 * Whether the Explorer sent the request. The cookie alone is no proof: a browser adds it to the requests of every page of
 * the same site, such as another port of the same host.
 */
export const isFromPage = (request: IncomingMessage): boolean =>
  headerOf(request, PAGE_HEADER) === "1" || headerOf(request, "sec-fetch-site") === "same-origin";

export const isEnglish = ({ request }: Exchange): boolean => request.acceptsLanguages("pt-BR", "pt", "en") === "en";

/** Where the platform is: `origin` of LUCRA_PUBLIC_URL; undefined: at the loopback names of this machine. */
export interface Place {
  readonly origin: string | undefined;
}

/** Fails with `elsewhere` unless the request is for the place of the platform. */
export function assertHere(request: IncomingMessage, { origin }: Place): void {
  if (origin === undefined && !isLoopbackName(request)) throw new PlatformError("elsewhere");
}

/** Fails unless the request can only come from the page: its header, and the origin, which no page can forge. */
export function assertFromPage(request: IncomingMessage, { origin }: Place, isBytes = false): void {
  if (headerOf(request, PAGE_HEADER) !== "1") throw new PlatformError("notFromPage");
  const sent = headerOf(request, "origin");
  const own = origin ?? `http://${request.headers.host ?? ""}`;
  if (sent.toLowerCase() !== own.toLowerCase()) throw new PlatformError("notFromPage");
  const type = isBytes ? /^application\/octet-stream$/i : /^application\/json\s*(;|$)/i;
  if (!type.test(headerOf(request, "content-type"))) throw new PlatformError(isBytes ? "notBytes" : "notJson");
}

/** The JSON of a body; undefined for an empty one. */
export async function bodyOf(exchange: Exchange, most = MOST_BYTES): Promise<unknown> {
  const text = (await bytesOf(exchange, most)).toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new PlatformError("invalid");
    throw error;
  }
}

export async function bytesOf({ request, response }: Exchange, most = MOST_BYTES): Promise<Buffer> {
  try {
    return await received(request, { bytes: most, milliseconds: MOST_MS });
  } catch (error) {
    if (!(error instanceof Unreceived)) throw error;
    // The rest of the body would follow.
    response.setHeader("Connection", "close");
    throw new PlatformError(error.reason === "large" ? "tooLarge" : "invalid");
  }
}
