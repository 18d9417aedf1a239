import https from "node:https";
import type { Networks } from "../webhooks/networks.ts";

const MOST_BYTES = 64 * 1024;
const MOST_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const LONGEST_ID = 300;

/** A document, and how long it may be kept. */
export interface Fetched {
  readonly content: unknown;
  readonly keptMs: number;
}

/** Why a client's document is not used, for the person who is to let it in. */
export class NoDocument extends Error {}

/** Whether a client's id is an address of a document: with a path, and as it would be sent. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith("https://") || clientId.length > LONGEST_ID) return false;
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  return (
    url !== undefined &&
    url.href === clientId &&
    url.pathname !== "/" &&
    url.username === "" &&
    url.password === "" &&
    !clientId.includes("#")
  );
}

/** Gets a client's metadata document: from public addresses alone, without redirects. */
export function fetchDocument(
  address: string,
  networks: Networks,
  { ca, mostMs = MOST_MS }: { readonly ca?: string; readonly mostMs?: number } = {},
): Promise<Fetched> {
  const url = new URL(address);
  return new Promise((done, fail) => {
    try {
      networks.check(url);
    } catch (error) {
      return fail(error);
    }
    const request = https.get(url, {
      agent: false,
      lookup: networks.lookup(url.protocol),
      headers: { Accept: "application/json", "User-Agent": "Lucra" },
      ...(ca === undefined ? {} : { ca }),
    });
    const late = setTimeout(() => request.destroy(new NoDocument(`no answer within ${mostMs / 1000} seconds`)), mostMs);
    request.once("close", () => clearTimeout(late));
    request.on("error", fail);
    request.once("response", (response) => {
      const { statusCode = 0, headers } = response;
      const type = String(headers["content-type"] ?? "");
      if (statusCode !== 200) return void request.destroy(new NoDocument(`it answers ${statusCode}`));
      if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) return void request.destroy(new NoDocument("it is no JSON"));
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > MOST_BYTES) return void request.destroy(new NoDocument(`it has more than ${MOST_BYTES} bytes`));
        parts.push(part);
      });
      response.once("error", fail);
      response.once("end", () => {
        try {
          const content: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
          done({ content, keptMs: keptMs(String(headers["cache-control"] ?? "")) });
        } catch {
          fail(new NoDocument("it is no JSON"));
        }
      });
    });
  });
}

/** How long the document's server lets it be kept: a minute at least, so that consents are of what was shown, a day at most. */
function keptMs(cacheControl: string): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MINUTE_MS;
  const [, seconds] = /\bmax-age\s*=\s*(\d{1,9})/i.exec(cacheControl) ?? [];
  const asked = seconds === undefined ? HOUR_MS : Number(seconds) * 1000;
  return Math.min(DAY_MS, Math.max(MINUTE_MS, asked));
}
