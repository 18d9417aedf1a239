import { mkdir, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/contract/settings.ts";
import { GenerationStore } from "../../src/marts/current.ts";
import { currentGeneration } from "../../src/marts/generations.ts";
import { AURORA, DataFolder, exportsOf, STOREA, storeaOrder } from "../support/data.ts";
import { CARDS, DETAIL, IDLE_MS, SERIES, SHOP } from "../support/freshness.ts";
import { openService, type Service } from "../support/service.ts";

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

  it("has what another process landed meanwhile, for every client, and however many ask at once", async () => {
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

  /** Generations whose derivations the test ends; `failures` of them are reported, not thrown. */
  const controlled = (derive: () => Promise<void>, failures: unknown[] = [], waitMs?: number) => {
    const report = (_: string, error: unknown): unknown => failures.push(error);
    const generations = new GenerationStore(data.path, settings, report, derive, waitMs);
    return { generations, margin: async () => (await generations.current(AURORA)).settings.margin };
  };
  it("fails while the files in force cannot be read, and has them as soon as they can", async () => {
    const { generations } = controlled(() => expect.fail("nothing is to be derived"));
    const { state } = await generations.current(AURORA);
    await land(data, 2);
    expect((await data.lucra(["sync"])).status).to.equal(0);
    const file = path.join((await currentGeneration(data.path, AURORA))?.folder ?? "", "derived.json");
    await rename(file, `${file}.aside`);
    await mkdir(file);
    await sleep(IDLE_MS);
    const failure = await generations.current(AURORA).then(
      () => "none",
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failure).to.equal("EISDIR");
    await rmdir(file);
    await rename(`${file}.aside`, file);
    expect((await generations.current(AURORA)).state).to.not.equal(state);
  });
});
