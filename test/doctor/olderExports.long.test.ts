import path from "node:path";
import { expect } from "chai";
import { readConfig } from "../../src/core/config.ts";
import { array, type Field, type Fields, internal } from "../../src/core/contract/field.ts";
import type { RecordDeclaration } from "../../src/core/contract/record.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { landRecord } from "../../src/core/landing/land.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { exportedBy } from "../../src/core/records/index.ts";
import { diagnose } from "../../src/features/doctor/command.ts";
import { AURORA, DataFolder, exportsOf, NOW, STOREB } from "../support/data.ts";

const LATER = [
  "fulfillment_status",
  "source_name",
  "payment_method",
  "shipping_city",
  "shipping_state",
  "shipping_country",
  "shipping_postal_code",
  "payment_company",
];

const [orders] = exportedBy("storeb").filter(({ name }) => name === "orders") as [
  RecordDeclaration & { readonly fields: { readonly items: Field } },
];
const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const { array: lines } = orders.fields.items.unit as { readonly array: Fields };

/** The record of before it had these fields, and its lines a brand. */
const EARLIER: RecordDeclaration = {
  ...orders,
  fields: {
    ...without(orders.fields, LATER),
    ...internal({ items: array(without(lines, ["vendor"])) }),
  },
};

const EXPORT = JSON.stringify({
  orders: [
    {
      id: 1,
      email: "ana@example.com",
      financial_status: "paid",
      currency: "BRL",
      created_at: "2025-03-31T12:00:00Z",
      updated_at: "2025-03-31T12:00:00Z",
      total_price: "80.00",
      total_discounts: "20.00",
      source_name: "web",
      payment_gateway_names: ["Pix"],
      shipping_address: { city: "Santos", province_code: "SP", country_code: "BR" },
      line_items: [{ id: 2, product_id: 3, variant_id: 4, quantity: 1, price: "100.00", vendor: "Aurora" }],
    },
  ],
});

const CARRIED = "payment_group, state, city, country, discount, status, sales_channel, items, hour, weekday";
const KNOWN = { payment_group: "pix", discount: "20", status: "paid", items: "1", hour: "12", weekday: "1" };

describe("Exports that landed before Lucra read a field", () => {
  let data: DataFolder;
  let database: Database;
  const drop = (name: string): Promise<string> =>
    data.write(`${exportsOf(STOREB, "orders")}/${name}`, EXPORT, new Date(NOW));
  const known = async (query: string): Promise<Record<string, string>> => {
    const { stdout, stderr } = await data.lucra(["sql", "--query", query, "--format", "json"]);
    expect(stderr).to.equal("");
    const values = Object.entries(JSON.parse(stdout)).filter(([, value]) => value !== null);
    return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
  };
  const carried = (): Promise<unknown> => known(`select ${CARRIED} from orders`);
  const brand = async (): Promise<unknown> => {
    const { folder = "" } = (await currentGeneration(foldersOf(data.path, AURORA))) ?? {};
    const rows = `read_parquet(${literal(path.join(folder, "storeb_item_rows.parquet"))})`;
    return (await database.use((session) => session.rows(`select vendor from ${rows}`))).map(({ vendor }) => vendor);
  };
  const older = async (): Promise<unknown> => {
    const { organizations } = await diagnose(readConfig({ LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW }), AURORA);
    return organizations[0]?.findings.find(({ kind }) => kind === "olderExports")?.rows;
  };

  before(async () => {
    database = await Database.open();
    data = await DataFolder.empty();
    await data.settings({
      organizationId: AURORA,
      name: "x",
      integrations: [{ id: STOREB, connector: "storeb", name: "Outlet" }],
    });
    await drop("march.json");
    const [settings] = [JSON.parse(await data.text(`organizations/${AURORA}.json`))];
    const place = { folders: foldersOf(data.path, AURORA), integration: settings.integrations[0], record: EARLIER };
    const stamp = { landing: 1, landedAt: "2025-04-01T11:00:00.000Z" };
    const { failures, outcome } = await landRecord(database, place, stamp, () => {});
    expect([failures, outcome.refused, outcome.rejected]).to.deep.equal([[], [], 0]);
    const report = await data.sync();
    expect([report.failures, report.outcomes.map(({ files }) => files)]).to.deep.equal([[], [0]]);
  });

  after(async () => {
    database?.close();
    await data?.remove();
  });

  it("carries what the lake has of an order, and null for the rest [D88]", async () => {
    expect(await carried()).to.deep.equal(KNOWN);
    expect(await brand()).to.deep.equal([null]);
  });

  it("is what doctor lists, with the fields", async () => {
    expect(await older()).to.deep.equal([
      { integration: "Outlet", record: "orders", missing: LATER.join(", "), files: 1, first: "march.json" },
    ]);
  });

  it("has all of them once it has landed again under another name", async () => {
    await drop("march-again.json");
    await data.sync();
    const all = { ...KNOWN, state: "SP", city: "Santos", country: "BR", sales_channel: "web" };
    expect(await carried()).to.deep.equal(all);
    expect(await brand()).to.deep.equal(["Aurora"]);
    expect(await older()).to.equal(undefined);
  });
});
