import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { deriveAll } from "../../src/core/sync/sync.ts";
import { effectOf, lastWholeMonth } from "../../src/features/settings/effectOf.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("The effect of settings [D92]", () => {
  let data: DataFolder;
  let settings: Organization;

  before(async () => {
    data = await landedFixtures();
    settings = JSON.parse(await data.text(`organizations/${AURORA}.json`));
  });
  after(() => data.remove());

  it("is of the last month that has ended on the day to which all sources reach", () => {
    for (const [day, startDate, endDate] of [
      ["2025-03-31", "2025-03-01", "2025-03-31"],
      ["2025-03-30", "2025-02-01", "2025-02-28"],
      ["2024-02-29", "2024-02-01", "2024-02-29"],
      ["2025-01-15", "2024-12-01", "2024-12-31"],
    ] as const)
      expect(lastWholeMonth(day), day).to.deep.equal({ startDate, endDate });
  });

  it("is what the answers say once the settings are saved, less what they say now, and leaves nothing", async () => {
    const before = await data.files("marts");
    const costs = [...(settings.costs ?? []), { item: "other" as const, perOrder: 7 }];
    const wanted = { ...settings, costs, margin: { percent: 30 } };
    const effect = await effectOf(data.config, AURORA, wanted);
    expect(await data.files("marts")).to.deep.equal(before);
    const { statement = {}, cards = {} } = effect.figures;
    expect(effect.period).to.not.equal(null);
    expect(statement.revenue?.change).to.equal(0);
    expect(statement.other?.change).to.be.below(0);
    expect(Number(statement.other?.change) % 7).to.equal(0);
    expect(statement.contribution2?.change ?? statement.other?.change).to.equal(statement.other?.change);
    expect(cards.marginPercent?.after).to.equal(30);
    await data.settings(wanted);
    await deriveAll(data.config, [wanted]);
    const saved = await effectOf(data.config, AURORA, wanted);
    for (const [family, figures] of Object.entries(saved.figures))
      for (const [name, { now, change }] of Object.entries(figures)) {
        expect(now, `${family}.${name}`).to.equal(effect.figures[family]?.[name]?.after);
        expect(change ?? 0).to.equal(0);
      }
  });
});
