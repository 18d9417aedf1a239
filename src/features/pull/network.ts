import { Broken } from "./body.ts";

const TEXTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection within the deadline",
  UND_ERR_HEADERS_TIMEOUT: "no answer within the deadline",
  UND_ERR_BODY_TIMEOUT: "silence within the body",
  UND_ERR_SOCKET: "the connection ended within the answer",
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the server's name is unknown",
};

/** The cause of a failed request, which `fetch` wraps. */
export function failureOf(error: Error): string {
  if (error instanceof Broken) return error.message;
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  return TEXTS[cause.code ?? ""] ?? (cause.message || error.message);
}

/** An error of the file that is written, such as of a full disk: asking again would not help. `fetch` wraps its own. */
export const isOfFile = (error: NodeJS.ErrnoException): boolean =>
  typeof error.syscall === "string" && ["open", "write", "fsync", "close"].includes(error.syscall);
