import { expect } from "chai";
import { analysisFiles, makeReady } from "../../src/commands/sql.ts";
import { readSql } from "../../src/core/engine/sql.ts";
import { oneOrganization } from "../../src/core/organizations/named.ts";
import { AURORA, type DataFolder, NOW, STOREA } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";
import { landedFixtures } from "../support/shared.ts";

/** Parameters that some files require. */
const needs = (name: string): Record<string, string> => ({
  ...(/^products\/(?!integrations)/.test(name) ? { integrationId: STOREA } : {}),
  ...(/^products\/(detail\/|series)/.test(name) ? { productId: "501" } : {}),
  ...(name === "profitability/bridge" ? { startDate: "2025-02-01", endDate: "2025-02-28" } : {}),
  ...(/^profitability\/breakdown/.test(name) ? { by: "channel,state" } : {}),
});

describe("The SQL files that `lucra sql` offers", () => {
  let laboratory: Laboratory;
  let data: DataFolder;

  before(async () => {
    laboratory = await Laboratory.open();
    data = await landedFixtures();
  });

  after(() => data?.remove());

  it("all run", async () => {
    const files = analysisFiles();
    expect(files).to.have.length.above(50);
    const { folder } = await new Landed(laboratory.database, data.path).generation(AURORA);
    const settings = await oneOrganization(data.path, () => {}, AURORA);
    for (const name of files) {
      await laboratory.database.use(async (session) => {
        await session.set("marts", folder);
        await makeReady(session, name, settings, needs(name), new Date(NOW));
        const rows = await session
          .rows(readSql(name))
          .catch((error: Error) => expect.fail(`${name}: ${error.message}`));
        if (name.startsWith("integrity/")) expect(rows, name).to.deep.equal([]);
      });
    }
  });
});
