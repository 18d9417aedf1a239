import { retryAfterMs } from "../../core/contract/retryAfter.ts";
import type { Answer, Verdict } from "./declaration.ts";

/** The usual meaning of an answer, by its status and the headers of HTTP. */
export function usualVerdict({ status, headers, body, text }: Answer): Verdict {
  const message = vendorText(status, body, text);
  const waitMs = retryAfterMs(headers.get("retry-after"));
  if (status === 429 || (status === 503 && waitMs !== undefined))
    return { is: "throttled", message, ...(waitMs === undefined ? {} : { waitMs }) };
  if (status >= 500 || status === 408 || status === 425) return { is: "transient", message };
  if (status === 401) return { is: "credentials", message };
  if (status >= 300 && status < 400) return { is: "refused", message: `${message}: redirects are not followed` };
  return status >= 400 ? { is: "refused", message } : { is: "fine" };
}

/**
 * The status with the vendor's own text: the first of the places in which the vendors have it. Not shortened: a part of a
 * secret could not be recognised.
 */
export function vendorText(status: number, body: unknown, text = ""): string {
  const found = messageIn(body) ?? (/^\s*</.test(text) ? "an HTML page" : text);
  return `answered ${status}${found ? `: ${found}` : ""}`;
}

function messageIn(body: unknown): string | undefined {
  if (Array.isArray(body)) return messageIn(body[0]);
  if (typeof body !== "object" || body === null) return typeof body === "string" ? body : undefined;
  const { error, errors, message, error_description: description } = body as Record<string, unknown>;
  if (typeof description === "string") return typeof error === "string" ? `${error}: ${description}` : description;
  for (const one of [error, message, errors]) {
    if (typeof one === "string") return one;
    const inner = one === undefined ? undefined : messageIn(one);
    if (inner !== undefined) return inner;
  }
  return errors === undefined ? undefined : JSON.stringify(errors);
}
