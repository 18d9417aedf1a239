import { rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { commandIn } from "../support/command.ts";
import { AURORA, oneStore, STOREA } from "../support/data.ts";
import { serviceAt } from "../support/histories.ts";
import { FIRST, landedTwo } from "../support/syncs.ts";

const END = "2025-04-05T12:00:00.000Z";
const CARDS = "/v1/profitability/cards";

describe("A data folder without a history", () => {
  it("knows when its landings came and were revoked", async () => {
    const data = await landedTwo(oneStore(AURORA, STOREA));
    try {
      await commandIn(data, { LUCRA_NOW: "2025-04-03T12:00:00.000Z" }, ["landings", "revoke", "1"]);
      // As an earlier version left it.
      await rm(path.join(data.path, "lake", "history"), { recursive: true });
      await data.syncAt("2025-04-04T12:00:00.000Z");
      const service = await serviceAt(data, END);
      const revenues: unknown[] = [];
      for (const at of [FIRST, "2025-04-02", "2025-04-03T11:59:59Z", "2025-04-03", "2025-04-04T13:00:00Z"]) {
        const { body } = await service.get(`${CARDS}?knownAt=${at}`);
        revenues.push(body.revenue);
        expect(body.settingsSince).to.equal("2025-04-03T12:00:00.000Z");
      }
      await service.close();
      expect(revenues).to.deep.equal([10, 42, 42, 32, 32]);
    } finally {
      await data.remove();
    }
  });
});
