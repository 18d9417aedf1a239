import { expect } from "chai";
import fc from "fast-check";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { MOST_BYTES } from "../../src/features/mcp/reduce.ts";
import { tools } from "../../src/features/mcp/tools/index.ts";
import { FakeAnswers, makeApp, OURS, SECRET, THEIRS } from "../support/app.ts";
import { opened } from "../support/mcp.ts";

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "x-client-id": "good",
  "x-client-secret": SECRET,
};
const CALLS = 10_000;
const AT_ONCE = 8;

/** Values that are no good for most arguments, and a few that are. */
const value = fc.oneof(
  fc.constantFrom(
    ...[
      "2025-02",
      "last_30_days",
      "all",
      "2025-02-30",
      "true",
      "asc",
      "desc",
      "origem",
      "cac",
      "../../etc/passwd",
      "\0",
      "__proto__",
    ],
    ...["' or 1=1 --", "{{7*7}}", "%00", "\u202e", "a".repeat(30_000), "🦆".repeat(500), THEIRS, OURS, "shop"],
    `/v1/profitability/cards?organizationId=${THEIRS}`,
    "/v1/explain?endpoint=/v1/explain&figure=value",
    "//evil.example/v1/profitability/cards?a=%zz",
  ),
  fc.anything({ maxDepth: 3, withNullPrototype: false }),
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
);

const call = fc.constantFrom(...tools).chain(({ name, input }) =>
  fc.record({
    name: fc.oneof({ weight: 50, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: fc.string() }),
    arguments: fc.oneof(
      {
        weight: 20,
        arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(input)), fc.string()), value, { maxKeys: 5 }),
      },
      { weight: 1, arbitrary: value },
    ),
  }),
);

describe("Hostile calls of tools", () => {
  it("get one answer of the protocol each, no unexpected error, and ask for no organization but their own", async function () {
    this.timeout(1_200_000);
    const answers = new FakeAnswers(() =>
      JSON.stringify({ data: [{ sourceIntegrationId: OURS, integrationName: "store" }] }),
    );
    const made = makeApp(answers, {
      tools: { views: [{ name: "orders", grain: "order" }] },
      limit: new SlidingLog(1_000_000),
    });
    const { address, close } = await opened(made.app);
    const bodies = fc.sample(call, { numRuns: CALLS, seed: 20261123 }).map((params, id) => {
      try {
        return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
      } catch {
        return "{";
      }
    });
    const statuses = new Map<number, number>();
    let refused = 0;
    const queue = bodies.entries();
    const worker = async (): Promise<void> => {
      for (const [no, body] of queue) {
        const response = await fetch(address, { method: "POST", headers: HEADERS, body });
        const text = await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        expect(response.status, body.slice(0, 500)).to.be.oneOf([200, 400]);
        const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
        const { jsonrpc, id, result, error } = JSON.parse(data);
        expect(jsonrpc, body.slice(0, 500)).to.equal("2.0");
        if (response.status === 200) expect(id).to.equal(no);
        expect(error !== undefined || result !== undefined, data.slice(0, 500)).to.equal(true);
        const shown = String(result?.content?.[0]?.text ?? error?.message);
        expect(shown, body.slice(0, 500)).to.not.match(/^500|node:internal|at .*\.ts:|\/src\//);
        if (result?.isError || error) refused++;
        else expect(Buffer.byteLength(shown)).to.be.at.most(MOST_BYTES);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    } finally {
      close();
    }
    expect(made.log.filter((line) => line.includes('"unforeseen"')).slice(0, 3)).to.deep.equal([]);
    expect([...new Set(answers.asked.map(({ organization }) => organization))]).to.deep.equal([OURS]);
    expect(refused).to.be.above(CALLS / 3);
  });
});
