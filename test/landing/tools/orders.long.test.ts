import { lines, parquetOf } from "../../support/tools.ts";
import { airbyte, airbyteFlat, csv, extracted, extractedIso, type Members } from "./objects.ts";
import { comparison, type Layout, paymentsOf } from "./orderLayouts.ts";

const messages = (all: readonly Members[]): string =>
  lines(
    { type: "SCHEMA", stream: "orders", schema: {}, key_properties: ["id"] },
    ...all.map((record) => ({ type: "RECORD", stream: "orders", record, time_extracted: extractedIso(0) })),
    { type: "STATE", value: { bookmarks: {} } },
  );

const LAYOUTS: Readonly<Record<string, Layout>> = {
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
};

describe("Orders from EL tools", () => {
  let landAlike: Awaited<ReturnType<typeof comparison>>;

  before(async () => {
    landAlike = await comparison();
  });

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
});
