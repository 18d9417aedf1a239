import type { Request } from "express";
import { ApiError } from "../contract/error.ts";
import { answerTo, wording } from "../contract/failures.ts";
import { sendCompressible } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestLog } from "./log.ts";

/** The answer to an address that cannot be read. */
const unreadable = (): ApiError => new ApiError("invalid", [{ parameter: "path", message: wording.address }]);

/** Answers a failed request [D42]. */
export async function fail(exchange: Exchange, error: unknown, log: RequestLog): Promise<void> {
  const { response, id } = exchange;
  // A malformed percent code in the address.
  const known = error instanceof URIError ? unreadable() : error;
  const { status, headers, body } = answerTo(known, id);
  // Logged because a 503 has several reasons.
  if (known instanceof ApiError) exchange.refusal = known.kind;
  if (status === 500) log.unforeseen(exchange, error);
  if (response.headersSent) return void response.destroy();
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  await sendCompressible(exchange, Buffer.from(JSON.stringify(body)));
}

export function refuseOtherMethods({ method }: Pick<Request, "method">): void {
  if (method !== "GET" && method !== "HEAD") throw new ApiError("methodNotAllowed");
}

/** Refuses a path that does not decode, or that contains NUL, which some libraries take for the end of a text. */
export function refuseUndecodable({ path }: Pick<Exchange, "path">): void {
  if (decodeURIComponent(path).includes("\0")) throw unreadable();
}
