import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { makeApp, onPort } from "../support/app.ts";

describe("The API document and its page", () => {
  it("are compressed once, and dated as without compression", async () => {
    const { app } = makeApp();
    await onPort(app, async (address) => {
      for (const path of ["/openapi.json", "/docs", "/docs/swagger-ui-bundle.js"]) {
        const plain = await raw(`${address}${path}`, "identity");
        for (const encoding of ["gzip", "br, gzip"]) {
          const packed = await raw(`${address}${path}`, encoding);
          expect(packed.headers.get("content-encoding"), encoding).to.equal("gzip");
          expect(gunzipSync(packed.body).equals(plain.body), path).to.equal(true);
          for (const name of ["content-type", "last-modified", "cache-control"])
            expect(packed.headers.get(name), name).to.equal(plain.headers.get(name));
        }
        const date = String(plain.headers.get("last-modified"));
        expect((await raw(`${address}${path}`, "gzip", { "if-modified-since": date })).status, path).to.equal(304);
        const only = await raw(`${address}${path}`, "br");
        expect(only.headers.get("content-encoding"), "not compressed for each request").to.equal(null);
      }
    });
  });
});

interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** The answer as it was sent: `fetch` would decompress it. */
async function raw(address: string, encoding: string, more: Readonly<Record<string, string>> = {}): Promise<Raw> {
  const { request } = await import("node:http");
  return new Promise((done, fail) => {
    const sent = request(address, { headers: { "accept-encoding": encoding, ...more } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
        done({ status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts) });
      });
    });
    sent.on("error", fail).end();
  });
}
