import { expect } from "chai";
import { Database } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { derive } from "../../src/core/marts/derive.ts";
import type { PartitionPolicy } from "../../src/core/marts/partitions.ts";
import { AURORA, STOREA, STOREB, withData } from "../support/data.ts";
import { storebOrder } from "../support/margin.ts";
import { items, land, SETTINGS, storeaExport, write } from "../support/reuse.ts";

/** The newest partition has 10 orders. */
const POLICY: PartitionPolicy = {
  partOrders: 160,
  mostTouched: 1,
  mostGrown: 4,
  mostDivided: Number.POSITIVE_INFINITY,
};

/** One order a day. */
const storebExport = (count: number): string =>
  JSON.stringify({
    orders: Array.from({ length: count }, (_, no) => {
      const at = new Date(Date.UTC(2025, 0, 1 + no, 15)).toISOString();
      return { ...storebOrder(), id: 1000 + no, created_at: at, processed_at: at, updated_at: at };
    }),
  });

describe("A generation that reuses files of the previous one", () => {
  let database: Database;
  before(async () => {
    database = await Database.open();
  });
  after(() => database.close());

  it("has rows of all stores in the partitions that the orders of one of them have divided", () =>
    withData(SETTINGS, async (data) => {
      const folders = foldersOf(data.path, AURORA);
      const derived = () => derive(database, folders, SETTINGS, { policy: POLICY });
      await write(data, STOREA, "a", storeaExport({ "1001x": 10, "1015x": 20, "2": 30 }, "2025-02-11T00:00:00.000Z"));
      await land(database, folders, 1);
      expect((await derived()).generation.basis?.bounds).to.deep.equal({ days: [], ids: [] });

      await write(data, STOREB, "b", storebExport(40));
      await land(database, folders, 2);
      const divided = await derived();
      expect(divided.mode).to.equal("full");
      expect(divided.fallbackReason).to.equal(undefined);
      const parts = Object.keys(divided.generation.checksums).filter((name) => name.startsWith("storea_item_rows"));
      expect(parts.length)
        .to.equal((divided.generation.basis?.bounds.ids.length ?? 0) + 1)
        .and.to.be.greaterThan(1);

      await write(data, STOREA, "c", storeaExport({ "1001x": 11, "1015x": 21, "2": 31 }, "2025-02-12T00:00:00.000Z"));
      await land(database, folders, 3);
      const { mode, generation, fallbackReason } = await derived();
      expect([mode, fallbackReason]).to.deep.equal(["incremental", undefined]);
      expect(await items(database, generation.folder)).to.deep.equal(["1001x 11.0", "1015x 21.0", "2 31.0"]);
    }));
});
