import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../src/contract/settings.ts";
import { CurrentGenerations } from "../src/marts/current.ts";
import { deriveAll } from "../src/sync.ts";
import { AURORA, DataFolder, exportsOf, STOREA, storeaOrder } from "./support/data.ts";
import { openService, type Service } from "./support/service.ts";

const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  integrations: [{ id: STOREA, connector: "storea", name: "Store" }],
};
const CARDS = "/v1/profitability/cards";
const OF_PRODUCT = `integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;
const DETAIL = `/v1/products/500?${OF_PRODUCT}`;
const SERIES = `/v1/products/500/series?${OF_PRODUCT}`;
/** Longer than anything may be old. */
const IDLE_MS = 1_100;

type Answer = Awaited<ReturnType<Service["get"]>>;

describe("The first answer after an idle spell", () => {
  let first: DataFolder;
  let data: DataFolder;
  let service: Service;

  const land = async (folder: DataFolder, value: number): Promise<void> => {
    const orders = [storeaOrder({ id: "o", value, changed: `2025-03-01T00:00:${10 + value}.000Z` })];
    await folder.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(orders));
  };
  const settings = async (): Promise<Organization> => JSON.parse(await data.text(`organizations/${AURORA}.json`));

  before(async () => {
    first = await DataFolder.empty();
    await first.settings(SHOP);
    await land(first, 1);
    await first.sync();
  });

  after(() => first?.remove());

  beforeEach(async () => {
    data = await DataFolder.copyOf(first);
    service = await openService(data.config, AURORA);
    for (const address of [CARDS, DETAIL, SERIES]) expect((await service.get(address)).status).to.equal(200);
  });

  afterEach(async () => {
    await service.close();
    await data.remove();
  });

  it("has what another process landed meanwhile, whoever asks, and however many at once", async () => {
    await land(data, 2);
    expect((await data.lucra(["sync"])).status).to.equal(0);
    await sleep(IDLE_MS);
    const [cards, again, detail, series] = await Promise.all(
      [CARDS, CARDS, DETAIL, SERIES].map((it) => service.get(it)),
    );
    expect([cards?.body.revenue, again?.body.revenue]).to.deep.equal([2, 2]);
    expect((detail as Answer).body.summary).to.include({ netSales: 2 });
    const points = (series as Answer).body.data as { netSales: number }[];
    expect(points.reduce((sum, { netSales }) => sum + netSales, 0)).to.equal(2);
  });

  it("has what follows from settings that were changed meanwhile, also when nobody noticed the change", async () => {
    await data.settings({ ...SHOP, margin: { percent: 25 } });
    await sleep(IDLE_MS);
    const [one, other] = await Promise.all([service.get(CARDS), service.get(`${CARDS}?startDate=2025-02-01`)]);
    expect([one?.body.marginPercent, other?.body.marginPercent]).to.deep.equal([25, 25]);
  });

  it("is of the old settings while the new figures are being derived, no longer, and comes at once", async () => {
    let end = (): void => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    const generations = new CurrentGenerations(
      data.path,
      settings,
      (_, error) => expect.fail(String(error)),
      async () => {
        await ended;
        await deriveAll(data.config, [await settings()]);
      },
    );
    const percent = async (): Promise<unknown> => (await generations.current(AURORA)).settings.margin;
    expect(await percent()).to.equal(undefined);
    await data.settings({ ...SHOP, margin: { percent: 25 } });
    // Noticed as it changes: the derivation begins before anybody asks.
    await generations.settingsChanged(AURORA);
    await sleep(IDLE_MS);
    const began = performance.now();
    expect(await percent()).to.equal(undefined);
    expect(performance.now() - began).to.be.below(500);
    end();
    for (let margin = await percent(); margin === undefined; margin = await percent()) await sleep(20);
    expect(await percent()).to.deep.equal({ percent: 25 });
  });
});
