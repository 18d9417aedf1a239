import { appendFile, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { productDetail } from "../../src/core/endpoints/productDetail.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA, DataFolder, WEBANALYTICS } from "../support/data.ts";
import { BLOCKS, type Block, invented, NOW, PERIOD, STORE } from "../support/productDetail.ts";
import { openService, type Service } from "../support/service.ts";
import { asText, contextOf } from "../support/texts.ts";

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
    service = await openService(folder.config, AURORA);
  });
  after(async () => {
    await service?.close();
    await folder?.remove();
  });

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

  describe("when a source cannot be read", () => {
    // A service each, which has just verified the files: one that has not for some seconds would notice that they are away, and derive.
    beforeEach(async () => {
      await service.close();
      service = await openService(folder.config, AURORA);
    });
    const mug = () => detail("100");
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
      const broken = await without(["site_items.parquet"], mug);
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
      const whole = await mug();
      expect(whole.block("funnel")).to.include({ state: "ready", views: 25 });
    });

    it("has only the blocks in error that read a shared relation that is lost", async () => {
      const broken = await without(["product_entries.parquet"], mug);
      const lost = ["summary", "entryCohort", "retention", "acquisitionChannels"];
      expect(states(broken.body)).to.deep.equal(BLOCKS.map((name) => (lost.includes(name) ? "error" : "ready")));
      expect(new Set(states((await mug()).body))).to.deep.equal(new Set(["ready"]));
    });

    it("keeps the blocks that could be read", async () => {
      await without(["site_items.parquet"], mug);
      const kept = await without(["product_sales.parquet", "sales.parquet"], mug);
      expect(new Set(states(kept.body))).to.deep.equal(new Set(["ready"]));
    });

    it("answers with every block in error when nothing can be read", async () => {
      const { folder: derived } = await service.generations.current(AURORA);
      const files = (await readdir(derived)).filter((name) => name.endsWith(".parquet"));
      const { status, body } = await without(files, mug);
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
        const generations = new GenerationStore(
          data.path,
          async () => (await currentGeneration(foldersOf(folder.path, AURORA)))?.settings,
          () => {},
          async () => {
            throw new Error("nothing can be derived");
          },
        );
        try {
          await spoil((await currentGeneration(foldersOf(data.path, AURORA)))?.folder ?? "");
          const fault = await generations.current(AURORA).catch((error: Error) => error);
          expect(fault).to.deep.include({ kind });
          const answers = new EngineAnswers({ database: service.database, generations }, { keptBytes: 1_000_000 });
          expect(await answers.dataState(AURORA)).to.equal(undefined);
          const text = await asText(answers.answer(contextOf(productDetail, AURORA, accepted)));
          expect(new Set(states(JSON.parse(text)))).to.deep.equal(new Set(["error"]));
        } finally {
          await data.remove();
        }
      });

    it("logs what failed, and shows the client nothing of it", async () => {
      const logged: string[] = [];
      const answers = new EngineAnswers(service, {
        onBlockFailure: (endpoint, sql, error) => logged.push(`${endpoint} ${sql} ${(error as Error).message}`),
      });
      const ask = () => asText(answers.answer(contextOf(productDetail, AURORA, accepted)));
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
