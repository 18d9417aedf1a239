import { gzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import type { Row } from "../../../src/core/engine/database.ts";
import { type Files, landedBy, lines, parquetOf } from "../../support/tools.ts";
import {
  airbyte,
  airbyteFlat,
  csv,
  dlt,
  extracted,
  extractedIso,
  fivetranOrders,
  type Members,
  orders,
} from "./objects.ts";

const RECORD = "storeb/orders";

const raw = async (all: readonly Members[]): Promise<Row[]> =>
  (await landedBy(RECORD, { "a.jsonl": lines(...all) })).rows;

/** What Fivetran's tables do not say. */
const withoutCurrent = (rows: readonly Row[]): Row[] =>
  rows.map(({ payment_gateway_names: _, ...row }) => ({
    ...row,
    items: (row.items as Row[]).map((item) => ({ ...item, current_quantity: null })),
  }));

const paymentsOf = (all: readonly Members[]): Members[] => all.flatMap(({ transactions }) => transactions as Members[]);

const messages = (all: readonly Members[]): string =>
  lines(
    { type: "SCHEMA", stream: "orders", schema: {}, key_properties: ["id"] },
    ...all.map((record) => ({ type: "RECORD", stream: "orders", record, time_extracted: extractedIso(0) })),
    { type: "STATE", value: { bookmarks: {} } },
  );

const LAYOUTS: Readonly<Record<string, (all: readonly Members[]) => Files>> = {
  "Airbyte, wrapped": (all) => ({ "orders/2025_03_01_1_0.jsonl.gz": gzipSync(lines(...airbyte(all))) }),
  "Airbyte, wrapped as text": (all) => ({
    "x.jsonl": lines(...airbyte(all).map((row) => ({ ...row, _airbyte_data: JSON.stringify(row._airbyte_data) }))),
  }),
  "Airbyte, wrapped in CSV": (all) => ({ "a/orders.csv": csv(airbyte(all)) }),
  "Airbyte, flat in lines": (all) => ({ "acme_orders/1.jsonl": lines(...airbyteFlat(all)) }),
  "Airbyte, flat in CSV": (all) => ({ "orders/1.csv": csv(airbyteFlat(all)) }),
  "Airbyte, payments apart": (all) => ({
    "orders/1.jsonl": lines(...airbyteFlat(all.map(({ transactions: _, ...order }) => order))),
    "transactions/1.jsonl": lines(...airbyteFlat(paymentsOf(all))),
  }),
  "Singer, payments apart": (all) => ({
    "orders.jsonl": lines(
      { type: "SCHEMA", stream: "orders", schema: {}, key_properties: ["id"] },
      ...all.map(({ transactions: _, ...record }) => ({ type: "RECORD", stream: "orders", record })),
      { type: "SCHEMA", stream: "transactions", schema: {}, key_properties: ["id"] },
      ...paymentsOf(all).map((record) => ({ type: "RECORD", stream: "transactions", record })),
    ),
  }),
  "Airbyte, local JSON": (all) => ({
    "_airbyte_raw_orders.jsonl": lines(
      ...all.map((_airbyte_data, at) => ({
        _airbyte_ab_id: `${at}`,
        _airbyte_emitted_at: extracted(0) * 1000,
        _airbyte_data,
      })),
    ),
  }),
  "Airbyte, protocol": (all) => ({
    "x/records.jsonl": lines(...all.map((data) => ({ stream: "orders", data, emitted_at: extracted(0) * 1000 }))),
  }),
  "Singer, lines": (all) => ({ "orders/orders-20250301T120000.jsonl": lines(...all) }),
  "Singer, lines with metadata": (all) => ({
    "orders.jsonl": lines(...all.map((row) => ({ ...row, _sdc_extracted_at: extractedIso(0), _sdc_deleted_at: null }))),
  }),
  "Singer, messages": (all) => ({ "any.jsonl": messages(all) }),
  dlt: (all) => dlt("orders", all),
};

/** Two samples, so that the API's rows are landed only once for all layouts. */
const SAMPLES = fc.sample(orders, { numRuns: 2, seed: 7 });

describe("Orders from EL tools", () => {
  let expected: Row[][] = [];
  before(async () => {
    expected = [];
    for (const all of SAMPLES) expected.push(await raw(all));
  });

  async function landAlike(layout: (all: readonly Members[]) => Files | Promise<Files>, of = (rows: Row[]) => rows) {
    for (const [at, all] of SAMPLES.entries()) {
      const { rows, outcomes, rejects } = await landedBy(RECORD, await layout(all));
      expect(rejects).to.deep.equal([]);
      expect(outcomes[0]?.refused).to.deep.equal([]);
      expect(rows).to.deep.equal(of(expected[at] ?? []));
    }
  }

  for (const [name, layout] of Object.entries(LAYOUTS)) {
    it(`land as those of the API do: ${name}`, () => landAlike(layout));
  }

  it("land as those of the API do: Airbyte, Parquet", () =>
    landAlike(async (all) => ({
      "orders/0.parquet": await parquetOf(
        airbyteFlat(all),
        "replace (make_timestamp(_airbyte_extracted_at * 1000) as _airbyte_extracted_at)",
      ),
    })));

  it("land as those of the API do: Fivetran, but for the quantity that is left and the payments", () =>
    landAlike(fivetranOrders, withoutCurrent));
});
