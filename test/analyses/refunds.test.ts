import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { literal } from "../../src/core/engine/database.ts";
import { violations } from "../../src/core/engine/integrity.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { runChecks } from "../../src/features/doctor/checks.ts";
import { Fraction } from "../independent/fraction.ts";
import { type Document, type OrderRefunds, storeaRefunds, storebRefunds } from "../independent/refunds.ts";
import { AURORA, DataFolder, exportsOf, STOREA, STOREB } from "../support/data.ts";
import { Laboratory } from "../support/exports.ts";
import { storeaOrder, storebOrder } from "../support/refundedOrders.ts";
import { cameBackRows, generationOf, refundRows, rowsOf } from "../support/refundRows.ts";
import { landedFixtures } from "../support/shared.ts";

const ZONE = "America/Sao_Paulo";
const ORDERS = Number(process.env.WORLDS ?? 1) * 150;
const SEED = Number(process.env.SEED ?? 20_250_301);

/** Data of both stores with these orders, landed and derived. */
async function landed(storea: readonly Document[], storeb: readonly Document[]): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.settings({
    organizationId: AURORA,
    name: "Refunds",
    integrations: [
      { id: STOREA, connector: "storea", name: "A", timezone: ZONE },
      { id: STOREB, connector: "storeb", name: "B", timezone: ZONE },
    ],
  });
  if (storea.length > 0) await data.write(`${exportsOf(STOREA, "orders")}/a.json`, JSON.stringify(storea));
  if (storeb.length > 0) await data.write(`${exportsOf(STOREB, "orders")}/b.json`, JSON.stringify(storeb));
  const report = await data.sync();
  expect(failed(report), JSON.stringify(report.outcomes)).to.equal(false);
  return data;
}

describe("The refunds of the fixtures [D73]", () => {
  let data: DataFolder;
  let folder: string;

  before(async () => {
    data = await landedFixtures();
    folder = await generationOf(data);
  });

  after(() => data.remove());

  it("are of their own days, and not above the revenue", async () => {
    const amounts = (await refundRows(folder)).map(({ order_id, day, amount }) => [order_id, day, Number(amount)]);
    // The return invoice of 110.00. Everything that #1003 cost: 175 + 5 tax + 10 shipping. Of #1004 the 60.00 paid back, of which
    // its lines are 20 + 40.
    expect(amounts).to.deep.equal([
      ["1400014-01", "2025-02-27", 110],
      ["7300000000003", "2025-02-15", 190],
      ["7300000000004", "2025-03-02", 60],
    ]);
  });

  it("gave back units, but none that were removed before shipping", async () => {
    const rows = (await cameBackRows(folder)).map(({ order_id, line, day, units }) => [order_id, line, day, units]);
    expect(rows).to.deep.equal([
      ["1400014-01", 0, "2025-02-27", 1],
      ["7300000000003", 0, "2025-02-15", 1],
      ["7300000000004", 1, "2025-03-02", 1],
    ]);
  });

  it("have lines with the store's own code of their SKU", async () => {
    const rows = await rowsOf(folder, "select sku_id, store_code from {order_lines} where order_id = '7300000000003'");
    expect(rows).to.deep.equal([{ sku_id: "gid://shopify/ProductVariant/4101000000011", store_code: "SAN-1" }]);
  });

  it("have orders with what costs are computed from: names of payments, units, sale value, gift cards", async () => {
    const rows = await rowsOf(
      folder,
      `select order_id, payment_names::varchar as names, units::int as units, sale_value::double as sold, shipping_charged::double as shipping,
          tax_charged::double as tax, ordered_gift_card_value::double as cards
        from {orders} where order_id in ('1400002-01', '1400009-01', '7300000000005') order by order_id`,
    );
    expect(rows.map((row) => Object.values(row))).to.deep.equal([
      ["1400002-01", "[Visa, creditCard]", 1, 270, 20, 10, 0],
      ["1400009-01", "[Pix, instantPayment]", 2, 160, 15, 5, 0],
      ["7300000000005", "[Yampi]", 1, 140, 10, 0, 100],
    ]);
  });
});

/** What was computed, as the rows have it: amounts to the cent. */
function expected(all: ReadonlyMap<string, OrderRefunds>) {
  const cent = (amount: Fraction | null): number | null => (amount === null ? null : amount.number(2));
  return {
    refunds: [...all].flatMap(([id, { refunds }]) =>
      refunds
        .toSorted((a, b) => a.no - b.no)
        .map(({ no, on, amount, excess }) => [id, no, on, cent(amount), cent(excess)]),
    ),
    cameBack: [...all].flatMap(([id, { cameBack }]) =>
      cameBack
        .filter(({ units, giftCards }) => units !== 0 || !giftCards.isZero)
        .toSorted((a, b) => a.line - b.line || a.entry - b.entry)
        .map(({ line, entry, refund, on, units, isRestocked, giftCards }) => [
          id,
          line,
          entry,
          refund,
          on,
          units,
          isRestocked,
          cent(giftCards),
        ]),
    ),
  };
}

/** To the cent as answers round it: shares are exact to 10 decimals. */
const cents = (amount: unknown): number | null =>
  amount === null ? null : Fraction.of(String(amount)).rounded(10).number(2);

describe("The refunds of any orders [D33], [D73]", function () {
  this.timeout(0);
  let data: DataFolder;
  let folder: string;
  let laboratory: Laboratory;
  const computed = new Map<string, OrderRefunds>();

  before(async () => {
    const of = (order: (number: number) => fc.Arbitrary<Document>, first: number): Document[] =>
      fc.sample(fc.tuple(...Array.from({ length: ORDERS }, (_, no) => order(first + no))), {
        numRuns: 1,
        seed: SEED,
      })[0] ?? [];
    const [storea, storeb] = [of(storeaOrder, 1000), of(storebOrder, 1000)];
    for (const order of storea) computed.set(String(order.orderId), storeaRefunds(order, ZONE));
    for (const order of storeb)
      computed.set(String(order.id).replace("gid://shopify/Order/", ""), storebRefunds(order, ZONE));
    data = await landed(storea, storeb);
    folder = await generationOf(data);
    laboratory = await Laboratory.open();
  });

  after(() => data?.remove());

  it("are what the vendors' documents say, by days and amounts", async () => {
    const rows = (await refundRows(folder)).map(({ order_id, no, day, amount, excess }) => [
      order_id,
      no,
      day,
      cents(amount),
      cents(excess),
    ]);
    expect(rows, `seed ${SEED}`).to.deep.equal(expected(computed).refunds);
    expect(rows.filter(([, , , amount]) => amount === null).length, "of unknown amount").to.be.greaterThan(0);
    expect(rows.filter(([, , , , excess]) => Number(excess) > 0).length, "cut").to.be.greaterThan(0);
  });

  it("give back the units and gift cards that came back first", async () => {
    const rows = (await cameBackRows(folder)).map(({ cards, ...row }) => [...Object.values(row), cents(cards)]);
    expect(rows, `seed ${SEED}`).to.deep.equal(expected(computed).cameBack);
    expect(rows.filter((row) => Number(row.at(-1)) > 0).length, "gift cards").to.be.greaterThan(0);
  });

  it("are reported where they are above the revenue of their order, or unknown", async () => {
    const findings = await laboratory.database.use(async (session) => {
      await session.set("marts", folder);
      return runChecks(session);
    });
    const found = (kind: string) => findings.find((one) => one.kind === kind);
    const ordersWith = (is: (amount: Fraction | null, excess: Fraction | null) => boolean): number =>
      [...computed.values()].filter(({ refunds }) => refunds.some(({ amount, excess }) => is(amount, excess))).length;
    expect(found("refundsAboveRevenue")?.total.orders).to.equal(
      ordersWith((_, excess) => excess !== null && !excess.isZero),
    );
    expect(found("refundsWithoutAmount")?.total.orders).to.equal(ordersWith((amount) => amount === null));
    for (const { refunded, revenue } of found("refundsAboveRevenue")?.rows ?? [])
      expect(Number(refunded)).to.be.greaterThan(Number(revenue));
  });

  it("contradict no other figure, and a contradiction is found", async () => {
    const problems = async (marts: string): Promise<unknown[]> =>
      laboratory.database.use(async (session) => {
        await session.set("marts", marts);
        const only = (query: string): boolean => query === "refunds-stay-below-revenue";
        const found = await violations(session, endpoints, { startDate: null, endDate: null }, { only });
        return [...new Set(found.flatMap(({ rows }) => rows.map(({ problem }) => problem)))].sort();
      });
    expect(await problems(folder)).to.deep.equal([]);
    const wrong = await mkdtemp(path.join(tmpdir(), "lucra-wrong-"));
    try {
      const broken = async (name: string, columns: string): Promise<unknown[]> => {
        await cp(folder, wrong, { recursive: true });
        const file = literal(path.join(wrong, `${name}.parquet`));
        const from = literal(path.join(folder, `${name}.parquet`));
        await rowsOf(
          wrong,
          `copy (select * replace (${columns}) from read_parquet(${from})) to ${file} (format parquet)`,
        );
        return problems(wrong);
      };
      expect(await broken("refunds", "(amount * 3)::decimal(38, 18) as amount")).to.include(
        "more refunds than revenue",
      );
      expect(await broken("refunds", "(-amount)::decimal(38, 18) as amount")).to.include(
        "a refund of less than nothing",
      );
      const others = "other units came back than the line has";
      expect(await broken("returned_units", "units + 1 as units")).to.deep.equal([others]);
      expect(await broken("returned_units", "(gift_card_value * 2)::decimal(38, 18) as gift_card_value")).to.deep.equal(
        [others],
      );
    } finally {
      await rm(wrong, { recursive: true });
    }
  });
});
