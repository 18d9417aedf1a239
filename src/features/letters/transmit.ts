import http from "node:http";
import https from "node:https";
import type { SmtpSettings } from "../mail/mail.ts";
import { transmit } from "../mail/smtp.ts";
import type { Networks } from "../webhooks/networks.ts";
import { send } from "../webhooks/send.ts";
import type { Content } from "./state.ts";

/**
 * How an attempt ended. `failed`: it did not arrive. `refused`: it did not, and never will. `unknown`: the connection ended
 * after its text and before the answer.
 */
export interface Attempted {
  readonly outcome: "sent" | "failed" | "refused" | "unknown";
  /** Nothing of an address. */
  readonly reason?: string;
  readonly waitMs?: number | undefined;
}

/** Notes that the text begins to go out; rejects if another process sends it. */
export type Begin = () => Promise<void>;

/** Another process was faster. */
export class NotOurs extends Error {}

const codeOf = (error: unknown): string => {
  const {
    code = "",
    responseCode = 0,
    command = "",
  } = error as {
    code?: string;
    responseCode?: number;
    command?: string;
  };
  return [responseCode > 0 ? `answered ${responseCode}` : code || "failed", command].filter(Boolean).join(" at ");
};

export async function sendMail(
  settings: SmtpSettings,
  to: string,
  messageId: string,
  { subject, text, html, headers = {} }: Content,
  begin: Begin,
): Promise<Attempted> {
  let isOut = false;
  let kept: unknown;
  const mail = { to, subject, text, html, headers, messageId };
  const watching = {
    begin: () =>
      begin().catch((error: unknown) => {
        kept = error;
        throw error;
      }),
    ended: () => {
      isOut = true;
    },
  };
  try {
    await transmit(settings, mail, watching);
    return { outcome: "sent" };
  } catch (error) {
    // The library wraps it.
    if (kept !== undefined) throw kept;
    const { responseCode = 0 } = error as { responseCode?: number };
    const reason = codeOf(error);
    if (responseCode >= 500) return { outcome: "refused", reason };
    return { outcome: isOut && responseCode === 0 ? "unknown" : "failed", reason };
  }
}

/** To the organization's webhook, with a `webhook-id` by which it knows one that comes twice. */
export async function sendEvent(
  hook: { readonly url: string; readonly secret: string },
  id: string,
  { body = "" }: Content,
  networks: Networks,
  signal: AbortSignal,
): Promise<Attempted> {
  const sent = await send({ ...hook, id, body }, networks, signal);
  if (sent.outcome === "delivered") return { outcome: "sent" };
  const reason = sent.reason ?? "failed";
  return sent.outcome === "gone" ? { outcome: "refused", reason } : { outcome: "failed", reason, waitMs: sent.waitMs };
}

const ANSWER_MS = 15_000;

/** To an incoming webhook of Slack: what may have arrived is not sent again. */
export async function sendSlack(
  address: string,
  { body = "" }: Content,
  networks: Networks,
  signal: AbortSignal,
): Promise<Attempted> {
  let isOut = false;
  try {
    const url = new URL(address);
    networks.check(url);
    const status = await posted(url, body, networks, signal, () => {
      isOut = true;
    });
    if (status >= 200 && status < 300) return { outcome: "sent" };
    const isOver = status >= 400 && status < 500 && status !== 429 && status !== 408;
    return { outcome: isOver ? "refused" : "failed", reason: `answered ${status}` };
  } catch (error) {
    const { code = "failed" } = error as { code?: string };
    return { outcome: isOut ? "unknown" : "failed", reason: isOut ? "no answer" : code };
  }
}

function posted(url: URL, body: string, networks: Networks, signal: AbortSignal, out: () => void): Promise<number> {
  return new Promise((done, fail) => {
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      agent: false,
      lookup: networks.lookup(url.protocol),
      signal,
      headers: { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(body) },
    });
    const timer = setTimeout(() => request.destroy(new Error("no answer")), ANSWER_MS);
    request.once("socket", (socket) =>
      // From now on its bytes may be on their way.
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", out),
    );
    request.once("response", (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    request.once("error", fail);
    request.once("close", () => {
      clearTimeout(timer);
      fail(new Error("closed"));
    });
    request.end(body);
  });
}
