import { expect } from "chai";
import { AURORA, STOREA } from "../support/data.ts";
import { orders, SHOP, values } from "../support/syncs.ts";
import { BY, Page } from "../support/uploads.ts";

describe("A file that is dropped on the page [D93]", function () {
  this.timeout(120_000);
  let page: Page;

  before(async () => {
    page = await Page.open(SHOP, false);
  });
  after(() => page.remove());

  it("is previewed, lands and is undone in child processes, and is no export before it lands", async () => {
    const id = await page.drop("../pedidos.json", orders({ id: "1", value: 10 }, { id: "2", value: 20.5 }));
    const seen = await page.preview(id);
    expect(seen).to.include({ name: "pedidos.json", state: "recognized", createdBy: BY });
    expect(seen.look).to.include({ outcome: "ready", vendor: "VTEX", record: "orders", integration: STOREA, rows: 2 });
    expect(seen.look).to.include({ firstDay: "2025-02-10", lastDay: "2025-02-10", rejected: 0, changes: null });
    expect(seen.look?.sums).to.deep.include({ field: "value", sum: "30.50" });
    expect(seen.look?.orders).to.deep.equal({ counted: 2, uncounted: {} });
    expect([await page.data.files("exports"), await page.data.files("lake")]).to.deep.equal([[], []]);

    const landed = await page.land(id);
    expect([landed.state, landed.landed?.rows, landed.landed?.rejected]).to.deep.equal(["landed", 2, 0]);
    expect(await values(page.data)).to.deep.equal({ 1: 10, 2: 20.5 });
    expect(await page.data.files("uploads")).to.deep.equal([]);
    const { files } = await page.work.arrived(AURORA, STOREA);
    expect(files).to.have.length(1);
    expect(files[0]).to.include({ rows: 2, firstDay: "2025-02-10", revokedAt: null, replaced: null });
    expect(files[0]?.file).to.equal(`upload-${id.slice(0, 12)}/pedidos.json`);

    const undone = await page.undo(id);
    expect(undone.state).to.equal("undone");
    expect(await values(page.data)).to.deep.equal({});
    expect((await page.work.arrived(AURORA, STOREA)).files[0]?.revokedAt).to.not.equal(null);
  });
});
