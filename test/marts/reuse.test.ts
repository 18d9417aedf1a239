import { rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database } from "../../src/core/engine/database.ts";
import { foldersOf, type OrganizationFolders } from "../../src/core/files/organizationFolders.ts";
import { derive } from "../../src/core/marts/derive.ts";
import type { PartitionPolicy } from "../../src/core/marts/partitions.ts";
import { keepState } from "../../src/features/pull/state.ts";
import {
  AURORA,
  type DataFolder,
  exportsOf,
  oneStore,
  STOREA,
  STOREB,
  storeaOrder,
  withData,
} from "../support/data.ts";
import { landAll } from "../support/increments.ts";
import { storebOrder } from "../support/margin.ts";

/** The newest partition has 10 orders. */
const POLICY: PartitionPolicy = {
  partOrders: 160,
  mostTouched: 1,
  mostGrown: 4,
  mostDivided: Number.POSITIVE_INFINITY,
};

const INTEGRATIONS: NonNullable<Organization["integrations"]> = [
  { id: STOREA, connector: "storea", name: "a" },
  { id: STOREB, connector: "storeb", name: "b" },
];
const SETTINGS: Organization = { ...oneStore(), integrations: INTEGRATIONS };

const storeaExport = (values: Readonly<Record<string, number>>, changed: string): string =>
  JSON.stringify(Object.entries(values).map(([id, value]) => storeaOrder({ id, value, changed })));

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

  const land = (folders: OrganizationFolders, landing: number): Promise<void> =>
    landAll(database, folders, INTEGRATIONS, { landing, landedAt: `2025-03-0${landing}T12:00:00.000Z` });

  /** The items of storea's orders, each with its price. */
  const items = (folder: string): Promise<string[]> =>
    database.use((session) =>
      session.texts(
        `select order_id || ' ' || selling_price::decimal(9, 1) from read_parquet('${folder}/storea_item_rows*.parquet') order by all`,
      ),
    );

  const write = (data: DataFolder, store: string, name: string, content: string): Promise<unknown> =>
    data.write(`${exportsOf(store, "orders")}/${name}.json`, content);

  it("has rows of all stores in the partitions that the orders of one of them have divided", () =>
    withData(SETTINGS, async (data) => {
      const folders = foldersOf(data.path, AURORA);
      const derived = () => derive(database, folders, SETTINGS, { policy: POLICY });
      await write(data, STOREA, "a", storeaExport({ "1001x": 10, "1015x": 20, "2": 30 }, "2025-02-11T00:00:00.000Z"));
      await land(folders, 1);
      expect((await derived()).generation.basis?.bounds).to.deep.equal({ days: [], ids: [] });

      await write(data, STOREB, "b", storebExport(40));
      await land(folders, 2);
      const divided = await derived();
      expect(divided.mode).to.equal("full");
      expect(divided.fallbackReason).to.equal(undefined);
      const parts = Object.keys(divided.generation.checksums).filter((name) => name.startsWith("storea_item_rows"));
      expect(parts.length)
        .to.equal((divided.generation.basis?.bounds.ids.length ?? 0) + 1)
        .and.to.be.greaterThan(1);

      await write(data, STOREA, "c", storeaExport({ "1001x": 11, "1015x": 21, "2": 31 }, "2025-02-12T00:00:00.000Z"));
      await land(folders, 3);
      const { mode, generation, fallbackReason } = await derived();
      expect([mode, fallbackReason]).to.deep.equal(["incremental", undefined]);
      expect(await items(generation.folder)).to.deep.equal(["1001x 11.0", "1015x 21.0", "2 31.0"]);
    }));

  it("is made if only the last day of a pull is new", () => {
    const pull = { since: "2025-01-01", account: { account: "a" } };
    const settings = { ...oneStore(), integrations: INTEGRATIONS.map((one) => ({ ...one, pull })) };
    return withData(settings, async (data) => {
      const folders = foldersOf(data.path, AURORA);
      await write(data, STOREA, "a", storeaExport({ a: 10 }, "2025-02-11T00:00:00.000Z"));
      await land(folders, 1);
      await derive(database, folders, settings);
      const records = { orders: { completeAt: "2025-02-15T01:00:00.000Z" } };
      await keepState(folders, STOREA, { version: 1, records });
      const { mode, generation, fallbackReason } = await derive(database, folders, settings);
      expect([mode, fallbackReason]).to.deep.equal(["full", undefined]);
      expect(generation.basis?.pulled).to.have.property(STOREA);
    });
  });

  it("is replaced by a complete one, with the reason, if a file cannot be linked", () =>
    withData(SETTINGS, async (data) => {
      const folders = foldersOf(data.path, AURORA);
      await write(data, STOREA, "a", storeaExport({ a: 10 }, "2025-02-11T00:00:00.000Z"));
      await land(folders, 1);
      const first = await derive(database, folders, SETTINGS);
      await write(data, STOREA, "c", storeaExport({ b: 20 }, "2025-02-12T00:00:00.000Z"));
      await land(folders, 2);
      // It was there when the files were checked.
      const checked = Promise.resolve({ current: first.generation, isIntact: true });
      await rm(path.join(first.generation.folder, "campaigns.parquet"));
      const { mode, generation, fallbackReason } = await derive(database, folders, SETTINGS, { checked });
      expect(mode).to.equal("full");
      expect(fallbackReason).to.match(/ENOENT|no such file/i);
      expect(await items(generation.folder)).to.deep.equal(["a 10.0", "b 20.0"]);
    }));
});
