import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { literal } from "../../src/core/engine/database.ts";
import { sha256Of } from "../../src/core/files/checksum.ts";
import { landedName } from "../../src/core/landing/ledger/verify.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { cameBackRows, generationOf, refundRows, rowsOf } from "../support/refundRows.ts";
import { landedFixtures } from "../support/shared.ts";

describe("Orders that landed before the amounts of refunds were read", () => {
  let data: DataFolder;

  /** Takes columns, and members of lists, out of the landed file of a store. */
  async function age(connector: string, columns: string): Promise<void> {
    const folder = path.join(data.path, `lake/${connector}/orders/organization_id=${AURORA}`);
    const names = await readdir(folder);
    const [integration = "", landing] = names[0]?.split(".") ?? [];
    const [landed, aged] = [
      path.join(folder, names.find((name) => name.endsWith(".parquet")) ?? ""),
      path.join(folder, "aged"),
    ];
    const [metadata] = await rowsOf(
      "",
      `select string_agg(format('{}: ''{}''', decode(key), decode(value)), ', ') as of from parquet_kv_metadata(${literal(landed)})`,
    );
    await rowsOf(
      "",
      `copy (select ${columns} from read_parquet(${literal(landed)}, hive_partitioning = false))
        to ${literal(aged)} (format parquet, kv_metadata {${metadata?.of}})`,
    );
    await rename(aged, path.join(folder, landedName(integration, Number(landing), await sha256Of(aged))));
    await rm(landed);
    await rm(path.join(folder, names.find((name) => name.endsWith(".json")) ?? ""));
  }

  before(async () => {
    data = await landedFixtures();
    await age(
      "storea",
      `* exclude (return_packages) replace (list_transform(returns, lambda r: {
        item_no: r.item_no, sku_id: r.sku_id, quantity: r.quantity, price: r.price, returned_at: r.returned_at
      }) as returns)`,
    );
    await age(
      "storeb",
      `* exclude (refund_totals, payment_gateway_names) replace (list_transform(refunds, lambda r: {
        refund_id: r.refund_id, line_id: r.line_id, quantity: r.quantity, restock_type: r.restock_type, created_at: r.created_at
      }) as refunds)`,
    );
    await rm(path.join(data.path, "marts"), { recursive: true });
    expect(failed(await data.sync())).to.equal(false);
  });

  after(() => data?.remove());

  it("have their units, refunds of their value, and others of an unknown amount", async () => {
    const folder = await generationOf(data);
    expect(await refundRows(folder)).to.deep.equal([
      {
        order_id: "1400014-01",
        no: 0,
        day: "2025-02-27",
        amount: "110.000000000000000000",
        excess: "0.000000000000000000",
      },
      { order_id: "7300000000003", no: 0, day: "2025-02-15", amount: null, excess: null },
      { order_id: "7300000000004", no: 0, day: "2025-03-02", amount: null, excess: null },
    ]);
    expect((await cameBackRows(folder)).map(({ order_id, units }) => [order_id, units])).to.deep.equal([
      ["1400014-01", 1],
      ["7300000000003", 1],
      ["7300000000004", 1],
    ]);
  });
});
