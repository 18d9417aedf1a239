import { rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { Database } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { derive } from "../../src/core/marts/derive.ts";
import { keepState } from "../../src/features/pull/state.ts";
import { AURORA, oneStore, STOREA, withData } from "../support/data.ts";
import { INTEGRATIONS, items, land, SETTINGS, storeaExport, write } from "../support/reuse.ts";

describe("A generation that reuses files of the previous one", () => {
  let database: Database;
  before(async () => {
    database = await Database.open();
  });
  after(() => database.close());

  it("is made if only the last day of a pull is new", () => {
    const pull = { since: "2025-01-01", account: { account: "a" } };
    const settings = { ...oneStore(), integrations: INTEGRATIONS.map((one) => ({ ...one, pull })) };
    return withData(settings, async (data) => {
      const folders = foldersOf(data.path, AURORA);
      await write(data, STOREA, "a", storeaExport({ a: 10 }, "2025-02-11T00:00:00.000Z"));
      await land(database, folders, 1);
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
      await land(database, folders, 1);
      const first = await derive(database, folders, SETTINGS);
      await write(data, STOREA, "c", storeaExport({ b: 20 }, "2025-02-12T00:00:00.000Z"));
      await land(database, folders, 2);
      // It was there when the files were checked.
      const checked = Promise.resolve({ current: first.generation, isIntact: true });
      await rm(path.join(first.generation.folder, "campaigns.parquet"));
      const { mode, generation, fallbackReason } = await derive(database, folders, SETTINGS, { checked });
      expect(mode).to.equal("full");
      expect(fallbackReason).to.match(/ENOENT|no such file/i);
      expect(await items(database, generation.folder)).to.deep.equal(["a 10.0", "b 20.0"]);
    }));
});
