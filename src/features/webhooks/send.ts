import { createHmac } from "node:crypto";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { retryAfterMs } from "../../core/contract/retryAfter.ts";
import { brief } from "../../core/contract/text.ts";
import type { Networks } from "./networks.ts";

/** A message, and where it goes. */
export interface Message {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  readonly body: string;
}

/** `gone`: the receiver wants no more messages. */
export interface Sent {
  readonly outcome: "delivered" | "gone" | "failed";
  /** Undefined without an answer. */
  readonly status?: number;
  readonly reason?: string;
  /** The beginning of the answer. */
  readonly text: string;
  /** How long the receiver asks to wait before the next attempt. */
  readonly waitMs?: number | undefined;
}

interface Deadlines {
  readonly connectMs: number;
  readonly totalMs: number;
}

const DEADLINES: Deadlines = { connectMs: 10_000, totalMs: 15_000 };
const MOST_READ = 64 * 1024;
const LONGEST_REASON = 200;

/** The prefix of a secret of Standard Webhooks; the rest is the key in base64. */
export const SECRET_PREFIX = "whsec_";

/** The signature of Standard Webhooks. */
export function signature({ secret, id, body }: Omit<Message, "url">, seconds: number): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}

/** Sends a message once. Redirects are not followed. Rejects only if the signal aborts. */
export async function send(
  message: Message,
  networks: Networks,
  signal: AbortSignal,
  deadlines = DEADLINES,
): Promise<Sent> {
  try {
    const { status = 0, text, waitMs } = await post(message, networks, signal, deadlines);
    if (status >= 200 && status < 300) return { outcome: "delivered", status, text };
    const advice = status >= 300 && status < 400 ? ": redirects are not followed" : "";
    const reason = `answered ${status}${advice}`;
    return { outcome: status === 410 ? "gone" : "failed", status, reason, text, waitMs };
  } catch (error) {
    signal.throwIfAborted();
    return { outcome: "failed", reason: brief(reasonOf(error as Error), LONGEST_REASON), text: "" };
  }
}

/** Several failed connections are one error without a message. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(({ message }) => message).join(", ") : error.message;

function post(
  message: Message,
  networks: Networks,
  signal: AbortSignal,
  { connectMs, totalMs }: Deadlines,
): Promise<{ status: number | undefined; text: string; waitMs: number | undefined }> {
  const url = new URL(message.url);
  networks.check(url);
  const seconds = Math.floor(Date.now() / 1000);
  const isSecure = url.protocol === "https:";
  return new Promise((done, fail) => {
    const request = (isSecure ? https : http).request(url, {
      method: "POST",
      // No connection is shared with other requests, or kept.
      agent: false,
      lookup: networks.lookup(url.protocol),
      signal,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(message.body),
        "User-Agent": "Lucra",
        "webhook-id": message.id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": signature(message, seconds),
      },
    });
    const within = (milliseconds: number, what: string): NodeJS.Timeout =>
      setTimeout(() => request.destroy(new Error(`${what} within ${milliseconds / 1000} seconds`)), milliseconds);
    const connecting = within(connectMs, "no connection");
    const answering = within(totalMs, "no answer");
    request.once("socket", (socket) =>
      socket.once(isSecure ? "secureConnect" : "connect", () => clearTimeout(connecting)),
    );
    let isAnswered = false;
    request.once("response", (response) => {
      isAnswered = true;
      const waitMs = retryAfterMs(response.headers["retry-after"]);
      read(response).then((text) => done({ status: response.statusCode, text, waitMs }), fail);
    });
    // After the response has begun, `read` gets errors.
    request.on("error", (error) => isAnswered || fail(error));
    request.once("close", () => {
      clearTimeout(connecting);
      clearTimeout(answering);
      if (!isAnswered) fail(new Error("the connection was closed without an answer"));
    });
    request.end(message.body);
  });
}

/** Reads an answer, or the beginning of a long or broken one: its status has decided already. */
async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop closes the connection.
      if (bytes >= MOST_READ) break;
    }
  } catch {}
  return Buffer.concat(chunks).toString("utf8").slice(0, MOST_READ);
}
