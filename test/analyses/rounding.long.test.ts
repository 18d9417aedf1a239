import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { AURORA, type DataFolder, exportsOf, oneStore, ROOT, STOREA, storeaOrder, withData } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";
import { asked } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const SQL = path.join(ROOT, "sql");

type Answer = Record<string, unknown>;

describe("Rounding [D8]", () => {
  /** The row and the listing of one order whose lines are of product 500. */
  const ofLines = async (
    lines: readonly { total: number; quantity: number; kept: number }[],
  ): Promise<{ order: Answer; product: Answer }> => {
    const found: { order: Answer; product: Answer } = { order: {}, product: {} };
    await withData(oneStore(), async (data) => {
      const order = storeaOrder({ id: "a", value: 3, items: lines.length }) as { items: object[] };
      const items = order.items.map((item, no) => ({
        ...item,
        productId: "500",
        quantity: lines[no]?.quantity,
        priceDefinition: { total: lines[no]?.total },
      }));
      const returned = lines.map(({ quantity, kept }, itemIndex) => ({
        itemIndex,
        quantity: quantity - kept,
        price: 0,
      }));
      const packages = [{ type: "Input", items: returned.filter(({ quantity }) => quantity > 0) }];
      await data.write(
        `${exportsOf(STOREA, "orders")}/a.json`,
        JSON.stringify([{ ...order, items, packageAttachment: { packages } }]),
      );
      const rows = await asked(data, "/v1/storea/orders");
      const listed = await asked(data, `/v1/products?integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`);
      Object.assign(found, { order: (rows.data as Answer[])[0], product: (listed.data as Answer[])[0] });
    });
    return found;
  };

  it("of the amount of some of a line's units does not start from a rounded part", async () => {
    // 1.00 for three, of which one is kept, three times over: a third each, together 1.00.
    const thirds = await ofLines(Array(3).fill({ total: 100, quantity: 3, kept: 1 }));
    expect(thirds.order).to.include({ net_revenue: 1 });
    expect(thirds.product).to.include({ netSales: 1, grossSales: 3, ltvToDate: 1 });
    // 0.05 for six, of which one is kept, three times over: 0.00833… each, together exactly 0.025.
    const sixths = await ofLines(Array(3).fill({ total: 5, quantity: 6, kept: 1 }));
    expect(sixths.order).to.include({ net_revenue: 0.03 });
    expect(sixths.product).to.include({ netSales: 0.03, grossSales: 0.15, ltvToDate: 0.03 });
  });

  it("of an order of billions is exact too", async () => {
    const billions = await ofLines(Array(3).fill({ total: 900_000_000_000, quantity: 2, kept: 1 }));
    expect(billions.order).to.include({ net_revenue: 13_500_000_000 });
    expect(billions.product).to.include({ netSales: 13_500_000_000, grossSales: 27_000_000_000 });
  });

  it("of sums is that of sums: only DECIMAL is called money", async () => {
    const data: DataFolder = await landedFixtures();
    try {
      const laboratory = await Laboratory.open();
      const { folder } = await new Landed(laboratory.database, data.path).generation(AURORA);
      const period =
        "{'start_date': date '2025-02-01', 'end_date': date '2025-02-28', 'view': 'revenue', 'group_by': 'month', 'break_by': 'origem', 'compare_start_date': null, 'compare_end_date': null, 'today': date '2025-04-01', 'now': timestamptz '2025-04-01 12:00:00Z'";
      const store = `'integration_id': '${STOREA}', 'product_id': '501', 'date_from': date '2025-01-01', 'date_to': date '2025-03-31', 'granularity': 'day', 'page': 1, 'page_size': 25, 'sort_by': 'netSales', 'sort_order': 'desc', 'status': 'all', 'search': null::varchar, 'category_ids': null::varchar`;
      const ranges = ["net_sales", "margin_total", "margin_average", "available_stock"]
        .flatMap((name) => [`'min_${name}': null::varchar`, `'max_${name}': null::varchar`])
        .join(", ");
      const files = readdirSync(SQL, { recursive: true, encoding: "utf8" }).filter((name) =>
        /^(profitability|acquisition|products)\/.*\.sql$/.test(name),
      );
      await laboratory.database.use(async (session) => {
        await session.set("marts", folder);
        await session.run(`set variable p = ${period}, ${store}, ${ranges}}`);
        await session.run(
          `create temp macro money(amount) as
            case when typeof(amount) like 'DECIMAL%' then round(amount, 2)::double else error('no sum: ' || typeof(amount)) end`,
        );
        for (const name of files.filter((file) => !file.includes("listing-head"))) {
          const sql = readFileSync(path.join(SQL, name), "utf8");
          await session.rows(sql).catch((error: Error) => expect.fail(`${name}: ${error.message}`));
        }
      });
    } finally {
      await data.remove();
    }
  });
});
