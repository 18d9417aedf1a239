import { appendFile, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { productDetail } from "../src/endpoints/productDetail.ts";
import { EngineAnswers } from "../src/engine/answers.ts";
import { CurrentGenerations } from "../src/marts/current.ts";
import { currentGeneration } from "../src/marts/generations.ts";
import { failed } from "../src/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, storeaOrder, WEBANALYTICS } from "./support/data.ts";
import { openService, type Service } from "./support/service.ts";

const STORE = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
const APP = "e51b0412-4f92-4d7e-8a55-62d38eafb106";
const NOW = "2025-06-15T12:00:00.000Z";
const PERIOD = "dateFrom=2024-07-01&dateTo=2025-06-15";
const BLOCKS = [
  "summary",
  "funnel",
  "entryCohort",
  "boughtTogether",
  "retention",
  "purchaseFrequency",
  "boughtAfter",
  "coupons",
  "acquisitionChannels",
];

const PRICES: Readonly<Record<string, number>> = { mug: 5000, plate: 3000, spoon: 1000 };
const IDS: Readonly<Record<string, string>> = { mug: "100", plate: "200", spoon: "300" };

interface Sale {
  readonly id: string;
  readonly on: string;
  readonly by?: string;
  readonly of: readonly string[];
  readonly coupon?: string;
  readonly source?: string;
}

/** Ana comes through a paid search, the others directly; the buyer of o6 is unknown. A split basket is o8 and o9. */
const SALES: readonly Sale[] = [
  { id: "o0", on: "2024-10-10", by: "dora", of: ["mug"] },
  { id: "o1", on: "2024-12-01", by: "dora", of: ["spoon"] },
  { id: "o2", on: "2025-01-10", by: "ana", of: ["mug", "plate"], coupon: "\toferta ", source: "google" },
  { id: "o3", on: "2025-02-05", by: "bia", of: ["mug"] },
  { id: "o4", on: "2025-02-20", by: "ana", of: ["plate", "spoon"] },
  { id: "o5", on: "2025-03-05", by: "bia", of: ["mug"] },
  { id: "o6", on: "2025-05-01", of: ["mug", "plate"] },
  { id: "o7", on: "2025-05-20", by: "dora", of: ["spoon"] },
  { id: "o8", on: "2025-06-01", by: "caio", of: ["plate"] },
  { id: "o9", on: "2025-06-01", by: "caio", of: ["spoon"] },
];

function exported({ id, on, by, of, coupon, source }: Sale): object {
  const at = `${on}T14:00:00.000Z`;
  const value = of.reduce((sum, name) => sum + (PRICES[name] ?? 0), 0);
  return {
    orderId: id,
    status: "invoiced",
    value,
    creationDate: at,
    lastChange: at,
    authorizedDate: at,
    invoicedDate: at,
    totals: [{ id: "Items", value }],
    clientProfileData: by ? { email: `${by}@example.com`, userProfileId: by } : {},
    marketingData: { coupon: coupon ?? null, utmSource: source ?? null, utmMedium: source ? "cpc" : null },
    storePreferencesData: { currencyCode: "BRL" },
    items: of.map((name, n) => ({
      uniqueId: `${id}-${n}`,
      id: `9${IDS[name]}`,
      productId: IDS[name],
      name: `${name} of ${on}`,
      quantity: 1,
      price: PRICES[name],
      sellingPrice: PRICES[name],
    })),
  };
}

const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

/** A store whose catalog lacks the spoon, and a site whose tag sends either the product's id or the SKU's. */
async function invented(): Promise<DataFolder> {
  const folder = await DataFolder.empty({ LUCRA_NOW: NOW });
  await folder.settings({
    organizationId: AURORA,
    name: "Loja inventada",
    integrations: [
      { id: STORE, connector: "storea", name: "Loja" },
      { id: WEBANALYTICS, connector: "webanalytics", name: "Site" },
      { id: APP, connector: "webanalytics", name: "App" },
    ],
  });
  await folder.write(`${exportsOf(STORE, "orders")}/orders.ndjson`, lines(SALES.map(exported)));
  await folder.write(
    `${exportsOf(STORE, "products")}/products.ndjson`,
    lines([
      { product_id: "100", sku_id: "9100", product_name: "Caneca", is_active: true },
      { product_id: "200", sku_id: "9200", product_name: "Prato", is_active: true },
      { product_id: "400", sku_id: "9400", product_name: "Luminária", is_active: false },
    ]),
  );
  const day = (date: string, item_id: string, [viewed, added, checkedOut, purchased]: readonly number[]): object => ({
    date,
    item_id,
    items_viewed: viewed,
    items_added_to_cart: added,
    items_checked_out: checkedOut,
    items_purchased: purchased,
  });
  await folder.write(
    `${exportsOf(WEBANALYTICS, "items")}/items.ndjson`,
    lines([
      day("2025-02-01", "100", [8, 3, 1, 1]),
      day("2025-02-02", "9100", [10, 1, 0, 0]),
      day("2025-02-02", "200", [99, 99, 99, 99]),
      day("2024-06-30", "100", [99, 99, 99, 99]),
    ]),
  );
  await folder.write(`${exportsOf(APP, "items")}/items.ndjson`, lines([day("2025-02-01", "100", [7, 1, 1, 1])]));
  expect(failed(await folder.sync())).to.equal(false);
  return folder;
}

type Block = Readonly<Record<string, unknown>>;

describe("product detail", () => {
  let folder: DataFolder;
  let service: Service;
  const detail = async (product: string, query = PERIOD, store = STORE, from = service) => {
    const { status, body } = await from.get(`/v1/products/${product}?integrationId=${store}&${query}`);
    return { status, body, block: (name: string): Block => body[name] as Block };
  };
  const states = (body: Block): unknown[] => BLOCKS.map((name) => (body[name] as Block).state);
  const rows = (block: Block): unknown[][] => (block.rows as object[]).map((row) => Object.values(row));

  before(async () => {
    folder = await invented();
  });
  after(() => folder.remove());
  beforeEach(async () => {
    service = await openService(folder.config, AURORA);
  });
  afterEach(() => service.close());

  it("has every block, each with its state, time and window [D40]", async () => {
    const { status, body, block } = await detail("100");
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(["productId", "integrationId", "asOf", "period", ...BLOCKS]);
    expect(body.asOf).to.equal(NOW);
    expect(body.period).to.deep.equal({ from: "2024-07-01", to: "2025-06-15" });
    for (const name of BLOCKS) expect(block(name), name).to.include({ state: "ready", reason: null, asOf: NOW });
    expect(block("coupons").window).to.deep.equal({ from: "2024-07-01", to: "2025-06-15" });
    expect(block("coupons").periodApplied).to.deep.equal({ basis: "requested" });
    expect(block("boughtAfter").window).to.deep.equal({ from: "2024-06-16", to: "2025-06-15" });
    expect(block("boughtAfter").periodApplied).to.deep.equal({ basis: "source_window" });
  });

  it("matches a hand count of what was bought together and after", async () => {
    const { block } = await detail("100");
    // 2 of 5 orders with a mug hold a plate, as do 4 of all 10: 0.4 / 0.4.
    expect(rows(block("boughtTogether"))).to.deep.equal([["200", "Prato", 2, 0.4, 1]]);
    // Two of Ana, Bia and Dora had a spoon next and one a plate; three and two of four buyers ever had.
    expect(rows(block("boughtAfter"))).to.deep.equal([
      ["300", "spoon of 2025-06-01", 2, 0.6667, 0.8889],
      ["200", "Prato", 1, 0.3333, 0.6667],
    ]);
  });

  it("has a base as soon as one customer entered", async () => {
    // Only Caio: his split basket began with the plate.
    const { block } = await detail("200", "dateFrom=2025-05-25&dateTo=2025-06-15");
    for (const name of ["entryCohort", "retention", "acquisitionChannels"]) {
      expect(block(name).state, name).to.equal("ready");
    }
    expect(rows(block("retention"))).to.deep.equal([[0, 0, 1, 0]]);
  });

  it("follows the customers who entered through the product, as counted by hand", async () => {
    const { block } = await detail("100");
    const cohort = block("entryCohort");
    // Dora's 60 in 180 days are 70 to date; Ana and Bia have not had 180 days.
    expect(rows(cohort)).to.deep.equal([
      ["2024-10-01", 1, 1, 60, 1, 70, 1, 180],
      ["2025-01-01", 1, 0, null, null, 120, 1, 156],
      ["2025-02-01", 1, 0, null, null, 100, 1, 130],
    ]);
    expect(cohort.window).to.deep.equal({ from: "2024-10-01", to: "2025-02-28" });
    expect(rows(block("retention"))).to.deep.equal([
      [0, 0, 3, 0],
      [1, 2, 3, 0.6667],
      [2, 1, 3, 0.3333],
      [3, 0, 3, 0],
      [4, 0, 3, 0],
      [5, 0, 2, 0],
      [6, 0, 1, 0],
      [7, 1, 1, 1],
      [8, 0, 1, 0],
    ]);
    expect(rows(block("acquisitionChannels"))).to.deep.equal([
      ["direct", "Direto", 2, 0.6667, 100],
      ["searchads", "Busca paga", 1, 0.3333, 50],
    ]);
  });

  /** A detail of a store in Tokyo, where days begin nine hours earlier. */
  async function inTokyo(
    now: string,
    bought: readonly { id: string; at: string; email: string }[],
    period: string,
  ): Promise<Awaited<ReturnType<typeof detail>>> {
    const tokyo = await DataFolder.empty({ LUCRA_NOW: now });
    try {
      const integrations = [{ id: STORE, connector: "storea", name: "Loja", timezone: "Asia/Tokyo" } as const];
      await tokyo.settings({ organizationId: AURORA, name: "Loja", integrations });
      const orders = bought.map((order) => storeaOrder({ ...order, value: 10, productId: "100" }));
      await tokyo.write(`${exportsOf(STORE, "orders")}/orders.ndjson`, lines(orders));
      expect(failed(await tokyo.sync())).to.equal(false);
      const later = await openService(tokyo.config, AURORA);
      return await detail("100", period, STORE, later).finally(() => later.close());
    } finally {
      await tokyo.remove();
    }
  }

  it("observes no month that has not begun by the as-of day, even if it has in the store's zone [D34]", async () => {
    const { block } = await inTokyo(
      "2025-03-31T23:30:00.000Z",
      [
        { id: "a1", at: "2025-01-10T14:00:00.000Z", email: "ana@example.com" },
        { id: "b1", at: "2025-02-10T14:00:00.000Z", email: "bia@example.com" },
        // In Tokyo it is April.
        { id: "b2", at: "2025-03-31T16:00:00.000Z", email: "bia@example.com" },
      ],
      "dateFrom=2025-01-01&dateTo=2025-03-31",
    );
    // March is month 2 only of Ana, who did not come back; Bia's month 2 is April.
    expect(rows(block("retention"))).to.deep.equal([
      [0, 0, 2, 0],
      [1, 0, 2, 0],
      [2, 0, 1, 0],
    ]);
  });

  it("ends the window of entries on the latest day, if the store's day is ahead of today", async () => {
    const { block } = await inTokyo(
      "2025-03-15T23:30:00.000Z",
      [
        { id: "a1", at: "2025-03-10T14:00:00.000Z", email: "ana@example.com" },
        // In Tokyo it is the 16th.
        { id: "b1", at: "2025-03-15T16:00:00.000Z", email: "bia@example.com" },
      ],
      "dateFrom=2025-03-01&dateTo=2025-03-15",
    );
    expect(block("entryCohort").window).to.deep.equal({ from: "2025-03-01", to: "2025-03-16" });
  });

  it("has the last twelve months with entry customers [D40]", async () => {
    const months = Array.from({ length: 14 }, (_, no) => new Date(Date.UTC(2024, no, 10, 14)).toISOString());
    const { block } = await inTokyo(
      "2025-06-15T12:00:00.000Z",
      // No entry customers in April.
      months
        .filter((at) => !at.startsWith("2024-04"))
        .map((at, no) => ({ id: `o${no}`, at, email: `p${no}@example.com` })),
      "dateFrom=2025-01-01&dateTo=2025-03-15",
    );
    const cohort = block("entryCohort");
    const kept = ["02", "03", "05", "06", "07", "08", "09", "10", "11", "12"].map((month) => `2024-${month}-01`);
    expect(rows(cohort).map(([month]) => month)).to.deep.equal([...kept, "2025-01-01", "2025-02-01"]);
    expect(cohort.window).to.deep.equal({ from: "2024-02-01", to: "2025-02-28" });
  });

  it("counts the orders of one instant as one purchase, and each of them as an order [D6]", async () => {
    const spoon = await detail("300");
    expect(rows(spoon.block("entryCohort"))).to.deep.equal([["2025-06-01", 1, 0, null, null, 40, 0, 14]]);
    expect(rows(spoon.block("boughtTogether"))).to.deep.equal([["200", "Prato", 1, 0.25, 0.625]]);
    expect(spoon.block("summary")).to.include({ productName: "spoon of 2025-06-01", status: "inactive" });
  });

  it("shows how often it is bought, with which coupons, and how visitors get there", async () => {
    const { block } = await detail("100");
    expect(rows(block("purchaseFrequency"))).to.deep.equal([
      [1, 2, 0.6667],
      [2, 1, 0.3333],
    ]);
    expect(block("purchaseFrequency").averageDaysBetween).to.equal(28);
    expect(rows(block("coupons"))).to.deep.equal([["OFERTA", 1, 0.2, 50]]);
    expect(block("funnel")).to.include({ views: 25, addToCarts: 5, checkouts: 2, purchases: 2 });
    expect(block("funnel")).to.include({ viewToCartRate: 0.2, cartToCheckoutRate: 0.4, viewToPurchaseRate: 0.08 });
  });

  it("says why a block has nothing to show", async () => {
    const { status, block } = await detail("400");
    expect(status).to.equal(200);
    expect(BLOCKS.map((name) => block(name).reason)).to.deep.equal([
      "no_period_sales",
      "no_period_data",
      "no_entry_customers",
      "no_period_sales",
      "no_entry_customers",
      "no_period_sales",
      "no_period_sales",
      "no_period_sales",
      "no_entry_customers",
    ]);
    expect(block("entryCohort")).to.deep.include({ window: null, rows: [] });
    // Its buyers are unknown, but it was sold.
    const may = await detail("100", "dateFrom=2025-05-01&dateTo=2025-05-01");
    expect(may.block("purchaseFrequency")).to.deep.include({ state: "ready", rows: [], averageDaysBetween: null });
  });

  it("is refused for an unknown product or store, naming the wrong parameter", async () => {
    expect((await detail("no-such-product")).status).to.equal(404);
    expect((await detail("100", PERIOD, WEBANALYTICS)).status).to.equal(404);
    expect((await detail("x".repeat(257))).status).to.equal(400);
    const { status, body } = await service.get("/v1/products/100?x=1");
    expect(status).to.equal(400);
    expect((body.details as { parameter: string }[]).map(({ parameter }) => parameter)).to.have.members([
      "integrationId",
      "x",
    ]);
  });

  it("is stale once the store has not been synced for a day, funnel included", async () => {
    const late = await DataFolder.copyOf(folder, { LUCRA_NOW: "2025-06-16T12:00:00.001Z" });
    const later = await openService(late.config, AURORA);
    try {
      const { body, block } = await detail("100", PERIOD, STORE, later);
      expect(new Set(states(body))).to.deep.equal(new Set(["stale"]));
      expect(block("coupons")).to.include({ reason: "stale_source", asOf: NOW });
      expect(rows(block("coupons"))).to.have.length(1);
    } finally {
      later.close();
      await late.remove();
    }
  });

  describe("when a source cannot be read", () => {
    const accepted = {
      organizationId: AURORA,
      integrationId: STORE,
      productId: "100",
      dateFrom: "2025-02-01",
      dateTo: "2025-02-28",
      today: "2025-06-15",
      now: NOW,
    };

    /** Takes derived files away during a request. */
    async function without<T>(names: readonly string[], ask: () => Promise<T>): Promise<T> {
      const { folder: derived } = await service.generations.current(AURORA);
      const files = names.map((name) => path.join(derived, name));
      for (const file of files) await rename(file, `${file}.away`);
      return ask().finally(async () => {
        for (const file of files) await rename(`${file}.away`, file);
      });
    }

    it("has only that block in error, and tries it again at the next request", async () => {
      const broken = await without(["site_items.parquet"], () => detail("100"));
      expect(broken.status).to.equal(200);
      expect(states(broken.body)).to.deep.equal(BLOCKS.map((name) => (name === "funnel" ? "error" : "ready")));
      expect(broken.block("funnel")).to.deep.include({
        reason: "source_unavailable",
        asOf: null,
        periodApplied: { basis: "requested" },
        window: { from: "2024-07-01", to: "2025-06-15" },
        views: null,
      });
      expect(broken.body.asOf).to.equal(NOW);
      const whole = await detail("100");
      expect(whole.block("funnel")).to.include({ state: "ready", views: 25 });
    });

    it("keeps the blocks that could be read", async () => {
      await without(["site_items.parquet"], () => detail("100"));
      const kept = await without(["product_sales.parquet", "sales.parquet"], () => detail("100"));
      expect(new Set(states(kept.body))).to.deep.equal(new Set(["ready"]));
    });

    it("answers with every block in error when nothing can be read", async () => {
      const { folder: derived } = await service.generations.current(AURORA);
      const files = (await readdir(derived)).filter((name) => name.endsWith(".parquet"));
      const { status, body } = await without(files, () => detail("100"));
      expect(status).to.equal(200);
      expect(new Set(states(body))).to.deep.equal(new Set(["error"]));
      expect(body.asOf).to.equal(null);
    });

    for (const [kind, spoil] of [
      ["underived", (folder: string) => rm(folder, { recursive: true })],
      ["damaged", (folder: string) => appendFile(path.join(folder, "sales.parquet"), "x")],
    ] as const)
      it(`answers with every block in error when nothing is available: ${kind}`, async () => {
        const data = await DataFolder.copyOf(folder);
        const generations = new CurrentGenerations(
          data.path,
          async () => (await currentGeneration(folder.path, AURORA))?.settings,
          () => {},
          async () => {
            throw new Error("nothing can be derived");
          },
        );
        try {
          await spoil((await currentGeneration(data.path, AURORA))?.folder ?? "");
          const fault = await generations.current(AURORA).catch((error: Error) => error);
          expect(fault).to.deep.include({ kind });
          const answers = new EngineAnswers(service.database, generations, 1_000_000);
          expect(await answers.version(AURORA)).to.equal(undefined);
          const text = await answers.answer(productDetail, AURORA, accepted, new AbortController().signal);
          expect(new Set(states(JSON.parse(text)))).to.deep.equal(new Set(["error"]));
        } finally {
          await data.remove();
        }
      });

    it("logs what failed, and shows the client nothing of it", async () => {
      const logged: string[] = [];
      const answers = new EngineAnswers(service.database, service.generations, 0, (endpoint, sql, error) =>
        logged.push(`${endpoint} ${sql} ${(error as Error).message}`),
      );
      const ask = () => answers.answer(productDetail, AURORA, accepted, new AbortController().signal);
      const text = await without(["site_items.parquet"], ask);
      expect(logged).to.have.length(1);
      expect(logged[0]).to.match(/^\/v1\/products\/:productId products\/detail\/funnel .*site_items\.parquet/);
      expect(text).to.not.include("parquet");
      expect(JSON.parse(text).funnel.state).to.equal("error");
      expect(JSON.parse(await ask()).funnel.state).to.equal("ready");
      expect(logged).to.have.length(1);
    });
  });
});
