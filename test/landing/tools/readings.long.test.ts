import { expect } from "chai";
import fc from "fast-check";
import { lines, RecordFolder } from "../../support/tools.ts";

const item = fc.record({
  kind: fc.constant("item"),
  id: fc.integer({ min: 1, max: 3 }),
  cost: fc.integer({ min: 1, max: 9 }),
});
const gone = fc.record({ kind: fc.constant("gone"), id: fc.integer({ min: 1, max: 3 }) });
const level = fc.record({
  kind: fc.constant("level"),
  id: fc.integer({ min: 1, max: 3 }),
  location: fc.integer({ min: 1, max: 2 }),
  units: fc.integer({ min: 0, max: 9 }),
});
type Change = { kind: string; id: number; cost?: number; location?: number; units?: number };

/** The rows of a sync, as Airbyte writes them, read at a time that grows with each change. */
function files(sync: readonly Change[], number: number): Record<string, string> {
  const row = (data: object, n: number): object => ({
    _airbyte_raw_id: `${number}-${n}`,
    _airbyte_extracted_at: 1_767_225_600_000 + number * 1000 + n,
    _airbyte_data: data,
  });
  const items = sync.flatMap(({ kind, id, cost }, n) => {
    if (kind === "level") return [];
    return [row(kind === "item" ? { id, tracked: true, cost } : { id, deleted_at: "2026-01-01T00:00:00Z" }, n)];
  });
  const levels = sync.flatMap(({ kind, id, location, units }, n) =>
    kind === "level"
      ? [row({ id: `${location}|${id}`, inventory_item_id: id, location_id: location, available: units }, n)]
      : [],
  );
  return {
    ...(items.length > 0 ? { [`inventory_items/${number}.jsonl`]: lines(...items) } : {}),
    ...(levels.length > 0 ? { [`inventory_levels/${number}.jsonl`]: lines(...levels) } : {}),
  };
}

describe("Readings of the stock that a tool exports", () => {
  it("are the same whether they are added sync by sync or made again from all parts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.oneof(item, level, level, gone), { minLength: 1, maxLength: 4 }), {
          minLength: 2,
          maxLength: 5,
        }),
        async (syncs: Change[][]) => {
          const folder = await RecordFolder.of("storeb/inventory");
          try {
            for (const [n, sync] of syncs.entries()) await folder.sync(files(sync, n + 1));
            const added = await folder.rows();
            await folder.forget();
            expect(added).to.deep.equal(await folder.rows());
          } finally {
            await folder.remove();
          }
        },
      ),
      { numRuns: 5 },
    );
  }).timeout(120_000);

  it("are one per item and landing that changed it, with its cost and stock of that time", async () => {
    const folder = await RecordFolder.of("storeb/inventory");
    try {
      await folder.sync(
        files(
          [
            { kind: "item", id: 1, cost: 5 },
            { kind: "level", id: 1, location: 1, units: 3 },
          ],
          1,
        ),
      );
      await folder.sync(files([{ kind: "level", id: 1, location: 2, units: 4 }], 2));
      await folder.sync(files([{ kind: "item", id: 2, cost: 8 }], 3));
      const seen = (await folder.rows()).map(({ inventory_item_id, unit_cost, available }) => [
        String(inventory_item_id).split("/").at(-1),
        Number(unit_cost),
        available === undefined ? null : Number(available),
      ]);
      expect(seen).to.have.deep.members([
        ["1", 5, 3],
        ["1", 5, 7],
        ["2", 8, null],
      ]);
      await folder.sync(files([{ kind: "gone", id: 1 }], 4));
      expect((await folder.rows()).map(({ inventory_item_id }) => inventory_item_id)).to.deep.equal([
        "gid://shopify/InventoryItem/2",
      ]);
    } finally {
      await folder.remove();
    }
  });
});
