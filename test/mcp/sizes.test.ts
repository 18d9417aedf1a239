import { expect } from "chai";
import fc from "fast-check";
import request from "supertest";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { MOST_BYTES } from "../../src/features/mcp/reduce.ts";
import { tools } from "../../src/features/mcp/tools/index.ts";
import { FakeAnswers, makeApp, OURS, SECRET } from "../support/app.ts";

/** Texts of which few characters are many bytes, in UTF-8 or in JSON, up to some ten thousand bytes. */
const long = fc
  .tuple(fc.constantFrom("a", "ã", "€", "🦆", "\u0001", '"', "\ud800"), fc.integer({ min: 1, max: 9_000 }))
  .map(([unit, times]) => unit.repeat(times));
const value = fc.oneof(
  long,
  fc.array(long, { maxLength: 3 }),
  fc.jsonValue(),
  fc.constantFrom("2025-02", "shop", OURS, "all"),
);

const call = fc.constantFrom(...tools).chain(({ name, input }) =>
  fc.record({
    method: fc.constant("tools/call"),
    params: fc.record({
      name: fc.oneof({ weight: 9, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: long }),
      arguments: fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(input)), long), value, { maxKeys: 3 }),
    }),
  }),
);
const message = fc.oneof(
  { weight: 8, arbitrary: call },
  { weight: 1, arbitrary: fc.record({ method: long, params: fc.jsonValue() }) },
  { weight: 1, arbitrary: fc.record({ method: fc.constant("resources/read"), params: fc.record({ uri: long }) }) },
);

/** Answers of endpoints whose texts and lists are long in every member that tools read. */
const answers = new FakeAnswers(({ path }) => {
  const name = "🦆".repeat(200);
  const row = {
    sourceIntegrationId: OURS,
    integrationName: name,
    organizationId: OURS,
    name,
    productId: name,
    productName: name,
  };
  const data = Array.from({ length: 60 }, (_, n) => ({
    ...row,
    campaignId: `${n}`,
    campaignName: name,
    channel: name,
  }));
  return JSON.stringify({ path, data, rows: data, lines: data, months: data, points: data, missing: [{ item: name }] });
});

describe("An answer of /mcp", () => {
  const { app } = makeApp(answers, {
    tools: { views: [{ name: "orders", grain: "order" }] },
    limit: new SlidingLog(1_000_000),
  });
  const headers = {
    accept: "application/json, text/event-stream",
    "x-client-id": "good",
    "x-client-secret": SECRET,
  };

  it("has at most 25 kB that an agent reads, whatever is sent", async function () {
    this.timeout(60_000);
    const kinds = new Set<string>();
    const property = fc.asyncProperty(message, fc.oneof(fc.nat(), long), async (sent, id) => {
      const { text, status } = await request(app)
        .post("/mcp")
        .set(headers)
        .send({ jsonrpc: "2.0", id, ...sent });
      const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
      const { result, error } = JSON.parse(data);
      kinds.add(error ? "refused" : result?.isError ? "failed" : "answered");
      for (const read of [result?.content, result?.structuredContent, result?.contents, error])
        expect(Buffer.byteLength(read?.[0]?.text ?? JSON.stringify(read ?? null)), `${status}`).at.most(MOST_BYTES);
    });
    await fc.assert(property, { numRuns: 60, seed: 20261128 });
    expect([...kinds].sort()).deep.equal(["answered", "failed", "refused"]);
  });

  it("says what failed in English, or in Portuguese to a client that prefers it", async () => {
    const asked = async (language: string | undefined, params: object): Promise<string> => {
      const test = request(app).post("/mcp").set(headers);
      if (language !== undefined) test.set("accept-language", language);
      const { text } = await test.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.content[0].text;
    };
    const own = { name: "profit_of_a_period", arguments: { period: "2025-02", from: "2025-02-01" } };
    const ofApi = { name: "profit_of_a_period", arguments: { periods: "2025-02" } };
    for (const language of [undefined, "*", "en-US,en;q=0.9", "de", "en,pt;q=0.5"]) {
      expect(await asked(language, own), language).contain("but not both");
      expect(await asked(language, ofApi), language).contain("Unknown parameter. Did you mean period?");
    }
    for (const language of ["pt-BR", "pt", "pt-BR,en;q=0.5"]) {
      expect(await asked(language, own), language).contain("mas não os dois");
      expect(await asked(language, ofApi), language).contain("Você quis dizer period?");
    }
  });

  it("of a door that is shut is in that language, too", async () => {
    const shut = async (language: string) =>
      (
        await request(app)
          .post("/mcp")
          .set({ ...headers, "content-encoding": "gzip", "accept-language": language })
          .send("{}")
      ).body;
    expect(JSON.stringify(await shut("en"))).contain("Content-Encoding");
    const { app: full } = makeApp(answers, { tools: { views: [] }, limit: new SlidingLog(0) });
    const tooMany = async (language: string) =>
      (
        await request(full)
          .post("/mcp")
          .set({ ...headers, "accept-language": language })
          .send({ jsonrpc: "2.0", id: 1, method: "ping" })
      ).body.error.message;
    expect(await tooMany("en")).contain("limit of 100 requests");
    expect(await tooMany("pt-BR")).contain("Limite de 100");
  });
});
