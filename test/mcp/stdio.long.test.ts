import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect } from "chai";
import { AURORA, type DataFolder, ROOT } from "../support/data.ts";
import { asked } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const CLIENT = { name: "test", version: "1.0.0" };
const ARGS = { period: "2025-02", why: false };

describe("lucra mcp", function () {
  this.timeout(300_000);
  let data: DataFolder;
  before(async () => {
    data = await landedFixtures();
  });

  const command = (...more: string[]) => ({
    command: process.execPath,
    args: [path.join(ROOT, "bin", "lucra.cjs"), "mcp", ...more],
    // The lines of slow queries have the parameters of the endpoint.
    env: {
      ...(process.env as Record<string, string>),
      ...{ LUCRA_DATA_DIR: data.path, LUCRA_NOW: "2025-04-01T12:00:00Z", LUCRA_SLOW_MS: "3600000" },
    },
    stderr: "pipe" as const,
  });

  it("answers clients of both generations from local data, with the numbers of the API, and logs to the standard error", async () => {
    const { revenue, cac } = await asked(data, "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28");
    const present = {
      client: new Client(CLIENT, { versionNegotiation: { mode: "auto" } }),
      transport: StdioClientTransport,
    };
    const former = { client: new FormerClient(CLIENT), transport: FormerTransport };
    for (const { client, transport: Transport } of [present, former]) {
      const transport = new Transport(command("--organization", "casa aurora"));
      let log = "";
      transport.stderr?.on("data", (part) => {
        log += part;
      });
      await client.connect(transport as never);
      const { tools } = await client.listTools();
      expect(tools.length).to.be.above(10);
      const result = await client.callTool({ name: "profit_of_a_period", arguments: ARGS });
      expect((result.structuredContent as { cards: object }).cards).to.deep.include({ revenue, cac });
      const { structuredContent } = await client.callTool({ name: "list_organizations", arguments: {} });
      expect(
        (structuredContent as { organizations: { id: string }[] }).organizations.map(({ id }) => id),
      ).to.deep.equal([AURORA]);
      await client.close();
      expect(log).to.include('"tool":"profit_of_a_period"').and.not.include("2025-02");
    }
  });
});
