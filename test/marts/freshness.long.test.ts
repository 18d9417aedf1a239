import { mkdir, rename, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { deriveAll } from "../../src/core/sync/sync.ts";
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

  it("has the results of settings that were changed meanwhile, even if the change was not noticed", async () => {
    await data.settings({ ...SHOP, margin: { percent: 25 } });
    await sleep(IDLE_MS);
    const [one, other] = await Promise.all([service.get(CARDS), service.get(`${CARDS}?startDate=2025-02-01`)]);
    expect([one?.body.marginPercent, other?.body.marginPercent]).to.deep.equal([25, 25]);
  });

  it("uses the old settings only while the new figures are being derived, and comes at once", async () => {
    const { promise: ended, end } = gate();
    const generations = new GenerationStore(
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
    // Noticed when it changes: the derivation begins before any request.
    await generations.settingsChanged(AURORA);
    await sleep(IDLE_MS);
    const began = performance.now();
    expect(await percent()).to.equal(undefined);
    expect(performance.now() - began).to.be.below(500);
    end();
    for (let margin = await percent(); margin === undefined; margin = await percent()) await sleep(20);
    expect(await percent()).to.deep.equal({ percent: 25 });
  });

  /** Generations whose derivations the test ends; `failures` of them are reported, not thrown. */
  const controlled = (derive: () => Promise<void>, failures: unknown[] = [], waitMs?: number) => {
    const report = (_: string, error: unknown): unknown => failures.push(error);
    const generations = new GenerationStore(data.path, settings, report, derive, { waitMs });
    return { generations, margin: async () => (await generations.current(AURORA)).settings.margin };
  };
  const deriveNow = async (): Promise<void> => deriveAll(data.config, [await settings()]);
  const percent = (wanted: number): Promise<void> => data.settings({ ...SHOP, margin: { percent: wanted } });

  it("waits for a late derivation once; later answers come at once from the old files until it has ended", async () => {
    const { promise: ended, end } = gate();
    const { margin } = controlled(
      async () => {
        await ended;
        await deriveNow();
      },
      [],
      1_500,
    );
    expect(await margin()).to.equal(undefined);
    await percent(25);
    await sleep(IDLE_MS);
    const spans: number[] = [];
    for (let no = 0; no < 3; no++) {
      const began = performance.now();
      expect(await margin()).to.equal(undefined);
      spans.push(performance.now() - began);
      await sleep(600);
    }
    expect(spans[0]).to.be.above(1_000);
    expect(Math.max(...spans.slice(1))).to.be.below(500);
    end();
    while ((await margin()) === undefined) await sleep(20);
  });

  it("follows settings that changed again during the derivation, without a request", async () => {
    const { promise: ended, end } = gate();
    let derivations = 0;
    const { generations, margin } = controlled(async () => {
      const isFirst = derivations++ === 0;
      await deriveNow();
      if (isFirst) await ended;
    });
    await margin();
    await percent(25);
    await generations.settingsChanged(AURORA);
    while ((await currentGeneration(foldersOf(data.path, AURORA)))?.settings.margin === undefined) await sleep(20);
    await percent(40);
    await generations.settingsChanged(AURORA);
    end();
    for (let found: unknown; JSON.stringify(found) !== '{"percent":40}'; await sleep(20))
      found = (await currentGeneration(foldersOf(data.path, AURORA)))?.settings.margin;
    expect(derivations).to.equal(2);
  });

  it("follows the new settings after a derivation that failed", async () => {
    let derivations = 0;
    const failures: unknown[] = [];
    const { margin } = controlled(async () => {
      if (derivations++ === 0) throw new Error("killed");
      await deriveNow();
    }, failures);
    await margin();
    await percent(25);
    await sleep(IDLE_MS);
    expect(await margin()).to.equal(undefined);
    await sleep(2_100);
    expect(await margin()).to.deep.equal({ percent: 25 });
    expect(failures.map(String)).to.deep.equal(["Error: killed"]);
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

  it("fails while the files in force cannot be read, and has them as soon as they can", async () => {
    const { generations } = controlled(() => expect.fail("nothing is to be derived"));
    const { state } = await generations.current(AURORA);
    await land(data, 2);
    expect((await data.lucra(["sync"])).status).to.equal(0);
    const file = path.join((await currentGeneration(foldersOf(data.path, AURORA)))?.folder ?? "", "derived.json");
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

/** A promise and its `resolve`. */
function gate(): { promise: Promise<void>; end: () => void } {
  let end = (): void => {};
  const promise = new Promise<void>((done) => {
    end = done;
  });
  return { promise, end };
}
