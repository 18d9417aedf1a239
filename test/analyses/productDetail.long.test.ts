import { expect } from "chai";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, storeaOrder } from "../support/data.ts";
import { BLOCKS, type Block, invented, lines, NOW, PERIOD, STORE } from "../support/productDetail.ts";
import { openService, type Service } from "../support/service.ts";

describe("product detail", () => {
  let folder: DataFolder;
  let service: Service;
  const detail = async (product: string, query = PERIOD, store = STORE, from = service) => {
    const { status, body } = await from.get(`/v1/products/${product}?integrationId=${store}&${query}`);
    return { status, body, block: (name: string): Block => body[name] as Block };
  };
  const states = (body: Block): unknown[] => BLOCKS.map((name) => (body[name] as Block).state);
  const rows = (block: Block): unknown[][] => (block.rows as object[]).map((row) => Object.values(row));

  before(async () => {
    folder = await invented();
  });
  after(() => folder.remove());
  beforeEach(async () => {
    service = await openService(folder.config, AURORA);
  });
  afterEach(() => service.close());

  /** A detail of a store in Tokyo, where days begin nine hours earlier. */
  async function inTokyo(
    now: string,
    bought: readonly { id: string; at: string; email: string }[],
    period: string,
  ): Promise<Awaited<ReturnType<typeof detail>>> {
    const tokyo = await DataFolder.empty({ LUCRA_NOW: now });
    try {
      const integrations = [{ id: STORE, connector: "storea", name: "Loja", timezone: "Asia/Tokyo" } as const];
      await tokyo.settings({ organizationId: AURORA, name: "Loja", integrations });
      const orders = bought.map((order) => storeaOrder({ ...order, value: 10, productId: "100" }));
      await tokyo.write(`${exportsOf(STORE, "orders")}/orders.ndjson`, lines(orders));
      expect(failed(await tokyo.sync())).to.equal(false);
      const later = await openService(tokyo.config, AURORA);
      return await detail("100", period, STORE, later).finally(() => later.close());
    } finally {
      await tokyo.remove();
    }
  }

  it("observes no month that has not begun by the as-of day, even if it has in the store's zone [D34]", async () => {
    const { block } = await inTokyo(
      "2025-03-31T23:30:00.000Z",
      [
        { id: "a1", at: "2025-01-10T14:00:00.000Z", email: "ana@example.com" },
        { id: "b1", at: "2025-02-10T14:00:00.000Z", email: "bia@example.com" },
        // In Tokyo it is April.
        { id: "b2", at: "2025-03-31T16:00:00.000Z", email: "bia@example.com" },
      ],
      "dateFrom=2025-01-01&dateTo=2025-03-31",
    );
    // March is month 2 only of Ana, who did not come back; Bia's month 2 is April.
    expect(rows(block("retention"))).to.deep.equal([
      [0, 0, 2, 0],
      [1, 0, 2, 0],
      [2, 0, 1, 0],
    ]);
  });

  it("ends the window of entries on the latest day, if the store's day is ahead of today", async () => {
    const { block } = await inTokyo(
      "2025-03-15T23:30:00.000Z",
      [
        { id: "a1", at: "2025-03-10T14:00:00.000Z", email: "ana@example.com" },
        // In Tokyo it is the 16th.
        { id: "b1", at: "2025-03-15T16:00:00.000Z", email: "bia@example.com" },
      ],
      "dateFrom=2025-03-01&dateTo=2025-03-15",
    );
    expect(block("entryCohort").window).to.deep.equal({ from: "2025-03-01", to: "2025-03-16" });
  });

  it("has the last twelve months with entry customers [D40]", async () => {
    const months = Array.from({ length: 14 }, (_, no) => new Date(Date.UTC(2024, no, 10, 14)).toISOString());
    const { block } = await inTokyo(
      "2025-06-15T12:00:00.000Z",
      // No entry customers in April.
      months
        .filter((at) => !at.startsWith("2024-04"))
        .map((at, no) => ({ id: `o${no}`, at, email: `p${no}@example.com` })),
      "dateFrom=2025-01-01&dateTo=2025-03-15",
    );
    const cohort = block("entryCohort");
    const kept = ["02", "03", "05", "06", "07", "08", "09", "10", "11", "12"].map((month) => `2024-${month}-01`);
    expect(rows(cohort).map(([month]) => month)).to.deep.equal([...kept, "2025-01-01", "2025-02-01"]);
    expect(cohort.window).to.deep.equal({ from: "2024-02-01", to: "2025-02-28" });
  });

  it("is stale once the store has not been synced for a day, funnel included", async () => {
    const late = await DataFolder.copyOf(folder, { LUCRA_NOW: "2025-06-16T12:00:00.001Z" });
    const later = await openService(late.config, AURORA);
    try {
      const { body, block } = await detail("100", PERIOD, STORE, later);
      expect(new Set(states(body))).to.deep.equal(new Set(["stale"]));
      expect(block("coupons")).to.include({ reason: "stale_source", asOf: NOW });
      expect(rows(block("coupons"))).to.have.length(1);
    } finally {
      later.close();
      await late.remove();
    }
  });
});
