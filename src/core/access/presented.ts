import type { IncomingMessage } from "node:http";
import { SECRET } from "./secret.ts";

/** The path of addresses with a secret: below it is a token. It is not below `/v1`, where every request needs credentials. */
export const LINKS = "/links/";

/** The token in an address of this form, whatever follows it; empty in any other. */
export const tokenIn = (address: string): string =>
  address.startsWith(LINKS) ? (/^[^/?#]*/.exec(address.slice(LINKS.length))?.[0] ?? "") : "";

/** A client id and a secret, as a request sent them. */
export interface Presented {
  readonly clientId: string;
  readonly secret: string;
}

/** Empty credentials, verified like any others to keep the timing equal. */
const NOTHING: Presented = { clientId: "", secret: "" };

/**
 * The credentials of a request [D41]: the two headers or, if it has neither, `Authorization`. With the headers it is not
 * read: a proxy may use it for a password of its own.
 */
export function presented(request: IncomingMessage): Presented {
  const byHeaders = inHeaders(request);
  return byHeaders.clientId === "" && byHeaders.secret === "" ? inAuthorization(request) : byHeaders;
}

/** Shortest repeated part of a secret, or of encoded credentials, that counts as a leak. */
const TELLING = 8;

/** Whether a text has the form of a secret, alone or after an id, or has one that the request sends, or a part of it. */
export function hasSecret(text: string, request: IncomingMessage): boolean {
  if (SECRET.test(text.slice(text.lastIndexOf(".") + 1))) return true;
  const secrets = [inHeaders(request).secret, inAuthorization(request).secret, tokenIn(request.url ?? "")];
  return (
    secrets.some((secret) => secret !== "" && text.includes(secret)) ||
    (text.length >= TELLING && [request.headers.authorization, ...secrets].some((secret) => secret?.includes(text)))
  );
}

const inHeaders = ({ headers }: IncomingMessage): Presented => ({
  clientId: String(headers["x-client-id"] ?? ""),
  secret: String(headers["x-client-secret"] ?? ""),
});

/** A repeated header is ambiguous and counts as no credentials; Node would keep the first. */
function inAuthorization(request: IncomingMessage): Presented {
  if (request.headers.authorization === undefined) return NOTHING;
  const [sent = "", ...others] = request.headersDistinct.authorization ?? [];
  if (others.length > 0) return NOTHING;
  const [, scheme = "", token = ""] = /^(basic|bearer) +([\w.~+/-]+=*) *$/i.exec(sent) ?? [];
  return scheme.toLowerCase() === "basic" ? divided(decoded(token), ":") : divided(token, ".");
}

/** The id before the first separator, the secret after it. */
function divided(text: string, separator: string): Presented {
  const at = text.indexOf(separator);
  return at < 0 ? NOTHING : { clientId: text.slice(0, at), secret: text.slice(at + 1) };
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Base64 of UTF-8 [RFC 7617]; empty if it is not that. */
function decoded(token: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return "";
  try {
    return UTF8.decode(Buffer.from(token, "base64"));
  } catch {
    return "";
  }
}
