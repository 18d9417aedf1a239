import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { historyFindings } from "../../src/features/doctor/history.ts";
import { commandIn } from "../support/command.ts";
import { AURORA, oneStore, STOREA } from "../support/data.ts";
import { serviceAt } from "../support/histories.ts";
import { FIRST, landedTwo, SHOP } from "../support/syncs.ts";

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

describe("A history that is damaged", () => {
  it("is reported, answers nothing, and leaves the newest data alone", async () => {
    const data = await landedTwo(SHOP);
    try {
      const folders = foldersOf(data.path, AURORA);
      expect(await historyFindings(folders)).to.deep.equal([]);
      const text = await readFile(folders.history, "utf8");
      await writeFile(folders.history, text.replace(FIRST, "2025-03-01T12:00:00.000Z"));
      const service = await serviceAt(data, END);
      expect((await service.get(`${CARDS}?knownAt=2025-04-02`)).status).to.equal(503);
      expect((await service.get(CARDS)).body.revenue).to.equal(42);
      const reason = `lake/history/organization_id=${AURORA}/entries.ndjson is damaged in line 1, so it is not known`;
      expect(service.problems.join()).to.include(reason);
      await service.close();
      const [found] = await historyFindings(folders);
      expect([found?.kind, found?.level]).to.deep.equal(["damagedHistory", "wrong"]);
      expect(found?.title).to.include(reason);
      expect((await data.syncAt(END)).failures.map((failure) => failure.reason).join()).to.include(reason);
      await writeFile(folders.history, text);
      expect((await data.syncAt(END)).failures).to.deep.equal([]);
    } finally {
      await data.remove();
    }
  });
});
