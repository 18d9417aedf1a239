import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { eraseCustomer } from "../../src/features/erasure/erase.ts";
import { DataFolder, exportsOf, STOREA } from "../support/data.ts";

const SHOP = "be9c0000-0000-4000-8000-000000002301";
const WHO = "ana@example.com";

const SETTINGS: Organization = {
  organizationId: SHOP,
  name: "Shop",
  currency: "BRL",
  integrations: [
    {
      id: STOREA,
      connector: "storea",
      allOrdersPaid: true,
      columns: { orders: { order_id: "Pedido", creation_date: "Data", email: "E-mail", item_quantity: "Qtd" } },
    },
  ],
};

const ORDERS = [
  "Pedido;Data;E-mail;item_sku;Qtd;item_price",
  `1;2025-02-03;${WHO};CAN;2;40,00`,
  `2;2025-02-04;bia@example.com;CAN;1;40,00`,
  `1;2025-02-03;${WHO};VAS;1;150,00`,
  // Only the first row of the order says whose it is.
  `3;2025-02-05;${WHO};CAN;1;40,50`,
  "3;2025-02-05;;VAS;1;150,00",
  `4;2025-02-05;${WHO};CAN;none;40,00`,
].join("\n");

describe("A customer in a table with a row for each product [D230]", function () {
  this.timeout(240_000);

  it("is erased from every row and every file, and the orders stay what they were [D98]", async () => {
    const data = await DataFolder.empty();
    try {
      await data.write(`organizations/${SHOP}.json`, JSON.stringify(SETTINGS));
      await data.write(`${exportsOf(STOREA, "orders", SHOP)}/pedidos.csv`, ORDERS);
      await data.sync();
      const before = await values(data);
      expect(before).to.deep.equal([230, 40, 190.5]);
      expect((await filesWith(data, WHO)).length).to.be.greaterThan(1);
      await eraseCustomer(data.config, SETTINGS, { email: WHO });
      expect(await filesWith(data, WHO)).to.deep.equal([]);
      await data.sync();
      expect(await filesWith(data, WHO)).to.deep.equal([]);
      expect(await values(data)).to.deep.equal(before);
    } finally {
      await data.remove();
    }
  });

  /** The amounts of the landed orders. */
  async function values(data: DataFolder): Promise<number[]> {
    const files = (await readdir(path.join(data.path, "lake"), { recursive: true }))
      .filter((name) => name.endsWith(".parquet"))
      .map((name) => literal(path.join(data.path, "lake", name)));
    return ask(`select "value"::double as v from read_parquet([${files.join(", ")}]) order by order_id`, "v");
  }

  async function ask(sql: string, column: string): Promise<number[]> {
    const database = await Database.open({ threads: 1 });
    try {
      return (await database.use((session) => session.rows(sql))).map((row) => Number(row[column]));
    } finally {
      database.close();
    }
  }

  /** The files with a text: tables of the engine are read as such. */
  async function filesWith(data: DataFolder, text: string): Promise<string[]> {
    const names = await readdir(data.path, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    const database = await Database.open({ threads: 1 });
    try {
      for (const one of names.filter((entry) => entry.isFile())) {
        const file = path.join(one.parentPath, one.name);
        const rows = file.endsWith(".parquet")
          ? (
              await database.use((session) =>
                session.rows(`select t::varchar as t from read_parquet(${literal(file)}) t`),
              )
            )
              .map(({ t }) => String(t))
              .join("\n")
          : await readFile(file, "latin1");
        if (rows.includes(text)) found.push(path.relative(data.path, file));
      }
    } finally {
      database.close();
    }
    return found;
  }
});
