import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import type { Param } from "../../src/core/contract/param.ts";
import { callTool } from "../../src/features/mcp/call.ts";
import { MOST_BYTES } from "../../src/features/mcp/reduce.ts";
import { outputSchema } from "../../src/features/mcp/schema.ts";
import { tools } from "../../src/features/mcp/tools/index.ts";
import { AURORA, KNOTS, NOW, STOREA } from "../support/data.ts";
import { type Agent, connect, isPartOf, opened } from "../support/mcp.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures, landedKnots } from "../support/shared.ts";

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Values of a parameter that a call varies. */
function valuesOf(param: Param): string[] {
  if (param.kind === "choice") return [...param.of];
  return param.kind === "flag" ? ["true", "false"] : [];
}

const PERIODS = [
  { period: "2025-02" },
  { from: "2025-01-01", to: "2025-03-31" },
  { period: "2025" },
  { period: "last_30_days" },
];

/** Calls of each tool: each value of each argument, for several periods. */
function calls(store: string, product: string): [tool: string, args: Record<string, unknown>][] {
  const base: Record<string, Record<string, unknown>> = {
    describe_metrics: { search: "revenue" },
    breakdown: { by: "payment_group,state" },
    sql: { query: "select o.*, repeat('é', 500) as padding from orders as o order by all", rows: 1000 },
    products: { store },
    product: { store, product },
    what_changed: { known_at: NOW },
    explain: { address: "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28", figure: "cac" },
  };
  return tools.flatMap(({ name, input }) => {
    const own = base[name] ?? {};
    const periods = input.period ? PERIODS : [{}];
    const varied = Object.entries(input).flatMap(([argument, param]) =>
      valuesOf(param).map((value) => ({ ...own, ...periods[0], [argument]: value })),
    );
    return [...periods.map((period) => ({ ...own, ...period })), ...varied].map(
      (args): [string, Record<string, unknown>] => [name, args],
    );
  });
}

/** Calls that an argument's values exclude each other in. */
const REFUSED = /does not exist with|It must be one of these/;

describe("The results of tools", () => {
  for (const [name, organization, landed, product] of [
    ["the fixtures", AURORA, landedFixtures, "501"],
    ["the cases that are easily computed wrongly", KNOTS, landedKnots, ""],
  ] as const) {
    describe(`over ${name}`, () => {
      let service: Service;
      let agent: Agent;
      let close: () => void;
      let store: string = STOREA;

      before(async () => {
        const data = await landed();
        service = await openService(data.config, organization);
        const { address, close: end } = await opened(service.app);
        close = end;
        agent = await connect(address, { "x-client-id": "test", "x-client-secret": "x" });
        const { body } = await service.get("/v1/products/integrations");
        store = (body.data as { sourceIntegrationId: string }[])[0]?.sourceIntegrationId ?? STOREA;
      });
      after(async () => {
        await agent.close();
        close();
        await service.close();
      });

      it("equal the endpoints', fit their schemas and the size, and name period, freshness, units and definitions", async () => {
        const some =
          product ||
          (((await service.get(`/v1/products?integrationId=${store}`)).body.data as { productId: string }[])[0]
            ?.productId ??
            "1");
        let checked = 0;
        for (const [tool, args] of calls(store, some)) {
          const what = `${tool} ${JSON.stringify(args)}`;
          const { isError, text, structured } = await agent.call(tool, args);
          if (isError && REFUSED.test(text)) continue;
          expect(isError, `${what}: ${text}`).to.equal(false);
          expect(Buffer.byteLength(text), what).to.be.at.most(MOST_BYTES);
          expect(JSON.parse(text), what).to.deep.equal(structured);
          const declared = tools.find((one) => one.name === tool);
          const validate = ajv.compile(outputSchema(declared as (typeof tools)[number]));
          expect(validate(structured), `${what}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
          if (!declared || "output" in declared) continue;
          for (const section of Object.keys(declared.sections)) {
            const { address, ...part } = (structured[section] ?? {}) as Record<string, unknown>;
            if (address === undefined) continue;
            const { status, body } = await service.get(String(address));
            expect(status, `${what}: ${address}`).to.equal(200);
            expect(isPartOf(part, body), `${what}: ${address}`).to.equal(true);
            expect(body, what).to.have.property("asOf");
            expect(part, what).to.have.property("asOf");
            const defined = Object.keys(structured.definitions as object);
            const hasFigures = /":-?\d/.test(JSON.stringify(part));
            expect(!hasFigures || defined.some((path) => path.startsWith(`${section}.`)), what).to.equal(true);
            checked++;
          }
        }
        expect(checked).to.be.above(60);
      });
    });
  }

  it("of 2,000 rows with long texts are cut to the size, and say what is left out and where it is", async () => {
    const rows = Array.from({ length: 2_000 }, (_, no) => ({
      channel: "direct",
      label: `a long name ${no} ${"é".repeat(5_000)}`,
      investment: no,
      orders: no,
    }));
    const acquisition = tools.find(({ name }) => name === "acquisition") as (typeof tools)[number];
    const result = await callTool(
      acquisition,
      { period: "2025-02", top: 100, campaigns: false, sort_by: "orders" },
      {
        now: () => new Date("2025-03-10"),
        leave: new AbortController().signal,
        views: [],
        names: async () => [{ id: AURORA, name: "Aurora" }],
        organizations: async () => [{ id: AURORA, name: "Aurora", currency: null, lastDay: null }],
        known: async () => {
          throw new Error("nothing earlier is asked");
        },
        ask: async (_, { path }) => ({
          body: Buffer.from(JSON.stringify(path.endsWith("channels") ? { asOf: null, data: rows } : { asOf: null })),
          incomplete: [],
        }),
        query: async () => ({ columns: [], rows: [], truncated: false, milliseconds: 0 }),
      },
    );
    expect(Buffer.byteLength(JSON.stringify(result))).to.be.at.most(MOST_BYTES);
    const { data } = result.channels as { data: { orders: number }[] };
    expect(data[0]?.orders).to.equal(1_999);
    expect(result.more).to.deep.equal([
      {
        list: "channels.data",
        shown: data.length,
        of: 2_000,
        rest: "send a larger `top` or other filters; or GET the section's `address`",
      },
    ]);
  });
});
