import { gzipSync } from "node:zlib";
import type { Row } from "../../../src/core/engine/database.ts";
import { lines } from "../../support/tools.ts";
import { airbyte, dlt, fivetranOrders } from "./objects.ts";
import { comparison, type Layout, paymentsOf } from "./orderLayouts.ts";

/** What Fivetran's tables do not say. */
const withoutCurrent = (rows: readonly Row[]): Row[] =>
  rows.map(({ payment_gateway_names: _, ...row }) => ({
    ...row,
    items: (row.items as Row[]).map((item) => ({ ...item, current_quantity: null })),
  }));

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "Airbyte, wrapped": (all) => ({ "orders/2025_03_01_1_0.jsonl.gz": gzipSync(lines(...airbyte(all))) }),
  "Singer, payments apart": (all) => ({
    "orders.jsonl": lines(
      { type: "SCHEMA", stream: "orders", schema: {}, key_properties: ["id"] },
      ...all.map(({ transactions: _, ...record }) => ({ type: "RECORD", stream: "orders", record })),
      { type: "SCHEMA", stream: "transactions", schema: {}, key_properties: ["id"] },
      ...paymentsOf(all).map((record) => ({ type: "RECORD", stream: "transactions", record })),
    ),
  }),
  dlt: (all) => dlt("orders", all),
};

describe("Orders from EL tools", () => {
  let landAlike: Awaited<ReturnType<typeof comparison>>;

  before(async () => {
    landAlike = await comparison();
  });

  for (const [name, layout] of Object.entries(LAYOUTS)) {
    it(`land as those of the API do: ${name}`, () => landAlike(layout));
  }

  it("land as those of the API do: Fivetran, but for the quantity that is left and the payments", () =>
    landAlike(fivetranOrders, withoutCurrent));
});
