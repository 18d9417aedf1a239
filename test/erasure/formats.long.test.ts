import { gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { eraseCustomer, findCustomer } from "../../src/features/erasure/erase.ts";
import { Uploads } from "../../src/features/uploads/store.ts";
import { AURORA, DataFolder, exportsOf, STOREA, STOREB, storeaOrder } from "../support/data.ts";
import { occurrences } from "../support/occurrences.ts";
import { parquet } from "../support/parquet.ts";
import { answersOf } from "../support/service.ts";
import { minute } from "../support/syncs.ts";
import { archive, workbook } from "../support/workbook.ts";

const CRM = "f62c1523-50a3-4e8f-9b66-73e49fb0c206";
const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [
    { id: STOREA, connector: "storea", name: "A" },
    { id: STOREB, connector: "storeb", name: "B" },
    { id: CRM, connector: "crm", name: "C" },
  ],
};
const WHO = "maria.souza@example.com";
const OTHER = "ana.maria.souza@example.com";

/** An order of the first store as its vendor writes it. */
const vendors = (id: string, email: string, more: object = {}): object => ({
  ...storeaOrder({ id, value: 10, email }),
  clientProfileData: {
    email,
    firstName: "Maria",
    lastName: "Souza",
    document: "12345678909",
    phone: "+5511987654321",
    userProfileId: `profile-${email}`,
  },
  shippingData: {
    address: {
      receiverName: "Maria Souza",
      street: "Rua A",
      number: "10",
      city: "Santos",
      state: "SP",
      postalCode: "11000-000",
    },
  },
  openTextField: { value: `ligar para ${email}` },
  ...more,
});

/** A table of orders of the second store, as people make one themselves. */
const TABLE = [
  "order_id",
  "created_at",
  "total_price",
  "financial_status",
  "email",
  "customer_id",
  "note",
  "landing_site",
];
const row = (id: string, email: string): (string | number)[] => [
  id,
  "2025-02-10T14:00:00Z",
  25,
  "paid",
  email,
  "",
  `de ${email.toUpperCase()}; "urgente"`,
  `/?utm_source=google&utm_campaign=x&e=${encodeURIComponent(email)}`,
];
const csv = (rows: readonly (readonly (string | number)[])[], mark = ","): string =>
  `${rows.map((cells) => cells.map((cell) => (/[",;\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(mark)).join("\r\n")}\r\n`;

const SHOPIFY =
  "Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Billing Street,Billing Address1,Billing Address2,Billing Company,Billing City,Billing Zip,Billing Province,Billing Country,Billing Phone,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes,Note Attributes,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Vendor,Outstanding Balance,Employee,Location,Device ID,Id,Tags,Risk Level,Source,Lineitem discount".split(
    ",",
  );
const shopify = (id: string, name: string, email: string): string[] => {
  const cells: Record<string, string> = {
    Name: name,
    Email: email,
    "Financial Status": "paid",
    "Paid at": "2025-02-11 10:00:00 -0300",
    Currency: "BRL",
    Subtotal: "30.00",
    Shipping: "0.00",
    Taxes: "0.00",
    Total: "30.00",
    "Discount Amount": "0.00",
    "Created at": "2025-02-11 10:00:00 -0300",
    "Lineitem quantity": "1",
    "Lineitem name": "Camisa",
    "Lineitem price": "30.00",
    "Billing Name": "Maria Souza",
    "Billing Street": "Rua A, 10",
    "Billing City": "Santos",
    "Billing Phone": "+5511987654321",
    Notes: "campainha quebrada",
    "Device ID": "abc-1",
    Id: id,
    "Refunded Amount": "0.00",
    "Outstanding Balance": "0.00",
    "Lineitem discount": "0.00",
  };
  return SHOPIFY.map((column) => cells[column] ?? "");
};

describe("An erasure in files of every format", function () {
  this.timeout(300_000);
  let data: DataFolder;
  const A = exportsOf(STOREA, "orders");
  const B = exportsOf(STOREB, "orders");

  beforeEach(async () => {
    data = await DataFolder.empty({ LUCRA_NOW: "2025-04-01T12:00:00.000Z" });
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  const answers = () =>
    answersOf(
      data.config,
      AURORA,
      [
        "/v1/profitability/cards",
        "/v1/profitability/cohort",
        "/v1/profitability/orders?counted=any",
        "/v1/storea/orders?limit=5000",
      ],
      Number.POSITIVE_INFINITY,
    );

  it("finds an e-mail in all of them, and leaves it in none; others are untouched [D98]", async () => {
    await data.write(`${A}/a.json`, JSON.stringify([vendors("a1", WHO), vendors("a2", OTHER)], null, 2), minute(1));
    await data.write(
      `${A}/b.ndjson.gz`,
      gzipSync(
        [vendors("a3", `${WHO}-123456b.ct.vtex.com.br`), vendors("a4", OTHER)]
          .map((one) => JSON.stringify(one))
          .join("\n"),
      ),
      minute(2),
    );
    await data.write(
      `${A}/c.zip`,
      archive({
        "um.json": JSON.stringify({ list: [vendors("a5", WHO.toUpperCase())] }),
        "dois/b.json": JSON.stringify([vendors("a6", OTHER)]),
      }),
      minute(3),
    );
    await data.write(`${B}/a.csv`, csv([TABLE, row("1", WHO), row("2", OTHER)], ";"), minute(4));
    await data.write(
      `${B}/b.xlsx`,
      workbook({ Orders: [TABLE, row("3", WHO), row("4", OTHER), row("14", "Maria")] }),
      minute(5),
    );
    await data.write(`${B}/c.xlsx`, workbook({ Orders: [TABLE, row("5", WHO), row("6", OTHER)] }, false), minute(6));
    await data.write(
      `${B}/d.parquet`,
      await parquet(
        `select * from (values ${[row("7", WHO), row("8", OTHER)].map((cells) => `(${cells.map((cell) => `'${cell}'`).join(", ")})`).join(", ")}) as t(${TABLE.join(", ")})`,
      ),
      minute(7),
    );
    await data.write(
      `${B}/shopify.csv`,
      csv([SHOPIFY, shopify("9001", "#1001", WHO), shopify("9002", "#1002", OTHER)]),
      minute(8),
    );
    await data.write(
      `${B}/utf16.csv`,
      Buffer.from(`\ufeff${csv([TABLE, row("10", WHO), row("11", OTHER)], "\t")}`, "utf16le"),
      minute(9),
    );
    await data.write(
      `${exportsOf(CRM, "contacts")}/c.json`,
      JSON.stringify({
        results: [WHO, OTHER].map((email, n) => ({
          id: String(n + 1),
          properties: { email, firstname: "Maria", phone: "11987654321", createdate: "2025-01-01T00:00:00Z" },
          createdAt: "2025-01-01T00:00:00Z",
          updatedAt: "2025-01-01T00:00:00Z",
          archived: false,
        })),
      }),
      minute(10),
    );
    await data.write(
      `${A}/rejected.json`,
      JSON.stringify([vendors("a9", WHO, { value: "x", creationDate: "never" })]),
      minute(11),
    );
    await data.write(`uploads/${AURORA}/1.csv`, csv([TABLE, row("12", WHO)]));
    const report = await data.sync();
    expect(report.failures).to.deep.equal([]);
    const before = await occurrences(data.path, WHO);
    const others = await occurrences(data.path, OTHER);
    expect(Object.keys(before).filter((file) => file.startsWith("exports/"))).to.have.lengthOf(11);
    expect(Object.keys(before).filter((file) => file.startsWith("rejects/"))).to.have.lengthOf(1);
    const figures = await answers();

    const { orders } = await eraseCustomer(data.config, SHOP, { email: WHO });

    expect(orders.map(({ order }) => order).sort()).to.include.members(["a1", "a3", "a5"]);
    expect(await occurrences(data.path, WHO)).to.deep.equal({});
    const left = await occurrences(data.path, OTHER);
    const exportsOnly = (all: Record<string, number>) =>
      Object.fromEntries(Object.entries(all).filter(([file]) => file.startsWith("exports/")));
    expect(exportsOnly(left)).to.deep.equal(exportsOnly(others));
    const personless = (text: string) => text.replaceAll(/"(email|shipping_postal_code)":("[^"]*"|null)/g, "");
    const after = await answers();
    for (const [probe, text] of Object.entries(after))
      expect(personless(text), probe).to.equal(personless(figures[probe] ?? ""));
    expect((await findCustomer(data.config, SHOP, { email: WHO })).files).to.deep.equal([]);

    const again = await data.sync();
    expect(again.outcomes.reduce((sum, one) => sum + one.files, 0)).to.equal(0);
    expect(again.repaired).to.deep.equal([]);
    expect(await answers()).to.deep.equal(after);
    void failed;
  });

  it("finds whose phone and document it is, other orders of the store's customer, and adds them with `with`", async () => {
    const account = { userProfileId: "p-1" };
    const of = (id: string, email: string, more: object): object => ({
      ...storeaOrder({ id, value: 10, email, at: `2025-01-1${id.slice(1)}T10:00:00Z` }),
      clientProfileData: { email, ...account, ...more },
    });
    await data.write(
      `${A}/a.json`,
      JSON.stringify([
        of("a1", WHO, { document: "123.456.789-09", phone: "(11) 98765-4321" }),
        of("a2", "maria@trabalho.example.com", { phone: "+551133334444" }),
        of("a3", "", {}),
        { ...of("a4", OTHER, {}), clientProfileData: { email: OTHER, userProfileId: "p-2" } },
      ]),
      minute(1),
    );
    expect((await data.sync()).failures).to.deep.equal([]);
    const ids = (orders: readonly { order: string }[]): string[] => orders.map(({ order }) => order).sort();
    for (const selector of [{ email: WHO }, { phone: "11 98765 4321" }, { document: "12345678909" }, { order: "a1" }]) {
      const { orders, others } = await findCustomer(data.config, SHOP, selector);
      expect([ids(orders), ids(others)], JSON.stringify(selector)).to.deep.equal([["a1"], ["a2", "a3"]]);
    }
    const all = await findCustomer(data.config, SHOP, { order: "a1", with: true });
    expect([ids(all.orders), all.others]).to.deep.equal([["a1", "a2", "a3"], []]);
    expect(ids((await findCustomer(data.config, SHOP, { customer: "p-1" })).orders)).to.deep.equal(["a1", "a2", "a3"]);

    const figures = await answers();
    await eraseCustomer(data.config, SHOP, { phone: "11 98765 4321" });
    expect(await occurrences(data.path, WHO)).to.deep.equal({});
    expect(await occurrences(data.path, "98765-4321")).to.deep.equal({});
    expect(await occurrences(data.path, "maria@trabalho.example.com")).to.not.deep.equal({});
    const after = await answers();
    const personless = (text: string): string => text.replaceAll(/"shipping_postal_code":("[^"]*"|null)/g, "");
    for (const [probe, text] of Object.entries(after))
      expect(personless(text), probe).to.equal(personless(figures[probe] ?? ""));
    await eraseCustomer(data.config, SHOP, { order: "a2", with: true });
    expect(await occurrences(data.path, "maria@trabalho.example.com")).to.deep.equal({});
    expect(await answers()).to.deep.equal(after);
  });

  it("empties a file that waits to land, and removes one that has not arrived whole [D93]", async () => {
    const uploads = new Uploads(data.path);
    const bytes = Buffer.from(csv([TABLE, row("12", WHO), row("13", OTHER)]));
    const whole = await uploads.create(AURORA, { name: "a.csv", bytes: bytes.length, by: "x@example.com" });
    await uploads.piece(AURORA, whole.id, 0, bytes);
    const part = await uploads.create(AURORA, { name: "b.csv", bytes: bytes.length + 10, by: "x@example.com" });
    await uploads.piece(AURORA, part.id, 0, bytes);
    await data.write(`${A}/a.json`, JSON.stringify([vendors("a1", OTHER)]), minute(1));
    await data.sync();
    const { files } = await findCustomer(data.config, SHOP, { email: WHO });
    expect(files.map(({ place }) => place)).to.deep.equal(["uploads", "uploads"]);
    await eraseCustomer(data.config, SHOP, { email: WHO });
    expect(await occurrences(data.path, WHO)).to.deep.equal({});
    expect((await uploads.list(AURORA)).map(({ id, state }) => [id, state])).to.deep.equal([[whole.id, "received"]]);
  });
});
