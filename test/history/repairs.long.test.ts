import { readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { History } from "../../src/core/marts/history.ts";
import { StateStore } from "../../src/core/marts/stateStore.ts";
import { deriveStateAlone } from "../../src/core/sync/sync.ts";
import { historyFindings } from "../../src/features/doctor/history.ts";
import { createPin } from "../../src/features/pins/create.ts";
import { AURORA, DataFolder, STOREA } from "../support/data.ts";
import { serviceAt } from "../support/histories.ts";
import { minute, ORDERS, orders, SHOP } from "../support/syncs.ts";

const CARDS = "/v1/profitability/cards";
const END = "2025-04-09T12:00:00.000Z";
const noon = (day: number): string => `2025-04-0${day}T12:00:00.000Z`;
const order = (no: number) => orders({ id: String(no), value: 10 ** (no - 1), at: "2025-03-10T12:00:00Z" });

/** What was known stays known, whatever was cut, damaged or lost. */
describe("Earlier states, after a fault,", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });
  afterEach(() => data.remove());

  const folders = () => foldersOf(data.path, AURORA);
  /** Lands one order on each of these days: 1, then 10, then 100 more. */
  const land = async (...days: number[]): Promise<void> => {
    for (const day of days) {
      await data.write(`${ORDERS}/${day}.json`, order(day), minute(day));
      await data.syncAt(noon(day));
    }
  };
  const withoutStates = async (): Promise<void> => {
    for (const name of await readdir(folders().mart))
      if (name.startsWith("state=")) await rm(path.join(folders().mart, name), { recursive: true });
  };
  const landed = async (pattern: RegExp): Promise<string> => {
    const lake = folders().lake({ connector: "storea", name: "orders" });
    return path.join(lake, (await readdir(lake)).find((name) => pattern.test(name)) ?? "");
  };
  const asked = async (knownAt: string): Promise<Record<string, unknown> & { status: number }> => {
    const service = await serviceAt(data, END);
    const { status, body } = await service.get(`${CARDS}?knownAt=${knownAt}`);
    await service.close();
    return { ...body, status };
  };

  it("have the entry that a killed process did not write, with its time", async () => {
    await land(1);
    const { size } = await stat(folders().history);
    await land(2);
    await truncate(folders().history, size);
    await land(4);
    expect((await asked(noon(3))).revenue).to.equal(11);
    expect((await asked("2025-04-02T11:59:59Z")).revenue).to.equal(1);
    expect((await History.of(folders())).length).to.equal(3);
  });

  it("are refused by a pin whose history is another one", async () => {
    await land(1, 2, 3);
    for (const day of [1, 3])
      await createPin(data.config, { organization: AURORA, name: `p${day}`, knownAt: noon(day), createdBy: "command" });
    expect((await asked("p1")).revenue).to.equal(1);
    await rm(folders().history);
    await data.syncAt(noon(4));
    expect([(await asked("p1")).status, (await asked("p3")).status]).to.deep.equal([503, 503]);
  });

  it("are refused by a damaged pin, which the doctor reports and which keeps no other state on disk", async () => {
    await land(1, 2, 3);
    await createPin(data.config, { organization: AURORA, name: "p", knownAt: noon(1), createdBy: "command" });
    await writeFile(path.join(folders().pins, "p.json"), "x");
    expect((await asked("p")).status).to.equal(503);
    expect((await historyFindings(folders())).map(({ kind }) => kind)).to.deep.equal(["damagedHistory"]);
    await withoutStates();
    const derive = (organization: string, wanted: Parameters<typeof deriveStateAlone>[2]) =>
      deriveStateAlone(data.config, organization, wanted);
    const failures: unknown[] = [];
    const store = new StateStore(data.path, { bytes: 1, derive, onFailure: (_, error) => failures.push(error) });
    for (const day of [1, 2]) await (await store.known(AURORA, { at: noon(day) })).ready();
    for (let n = 0; n < 100 && (await statesLeft()) > 1; n++) await new Promise((done) => setTimeout(done, 50));
    expect([await statesLeft(), failures]).to.deep.equal([1, []]);
  });
  const statesLeft = async (): Promise<number> =>
    (await readdir(folders().mart)).filter((name) => name.startsWith("state=")).length;

  it("lack a revoked landing that was damaged, and say so", async () => {
    await land(1, 2);
    expect((await data.lucra(["landings", "revoke", "1"], { LUCRA_NOW: noon(3) })).status).to.equal(0);
    const whole = await asked(noon(2));
    expect(whole.revenue).to.equal(11);
    await withoutStates();
    const file = await landed(/\.000001\..*\.parquet$/);
    const bytes = await readFile(file);
    bytes[100] = (bytes[100] ?? 0) ^ 255;
    await writeFile(file, bytes);
    expect((await asked(noon(2))).status).to.equal(503);
    await land(4);
    const after = await asked(noon(2));
    expect([after.status, after.revenue]).to.deep.equal([200, 10]);
    expect(after.knownState).to.not.equal(whole.knownState);
  });

  it("are known although the first manifest is damaged", async () => {
    await land(1, 2);
    await writeFile(await landed(/\.000001\.json$/), "x");
    expect((await asked(noon(2))).revenue).to.equal(11);
  });

  it("are derived although the description of an old generation is damaged", async () => {
    await land(1, 2, 3);
    await withoutStates();
    const [oldest = ""] = (await readdir(folders().mart)).filter((name) => name.startsWith("gen=")).sort();
    await writeFile(path.join(folders().mart, oldest, "derived.json"), '{"state":');
    expect((await asked(noon(1))).revenue).to.equal(1);
  });

  it("are one folder, whoever derives them at the same time", async () => {
    await land(1, 2);
    for (let n = 0; n < 5; n++) {
      await withoutStates();
      const wanted = { landings: "1", settings: "1" };
      await Promise.all([1, 2].map(() => deriveStateAlone(data.config, AURORA, wanted)));
      expect(await statesLeft()).to.equal(1);
    }
  });

  it("answer a product whole once they are derived again: a part in error is not kept", async () => {
    const shop = await DataFolder.fixtures();
    try {
      await shop.sync();
      await shop.settings({ ...JSON.parse(await shop.text(`organizations/${AURORA}.json`)), name: "other" });
      await shop.syncAt(noon(2));
      const service = await serviceAt(shop, END);
      const address = `/v1/products/501?integrationId=${STOREA}&knownAt=2025-04-01`;
      const { mart } = foldersOf(shop.path, AURORA);
      const first = await service.get(`${CARDS}?knownAt=2025-04-01`);
      expect(first.status).to.equal(200);
      const [state = ""] = (await readdir(mart)).filter((name) => name.startsWith("state="));
      await rm(path.join(mart, state, "product_sales.parquet"));
      const partly = await service.get(address);
      expect(JSON.stringify(partly.body)).to.include('"state":"error"');
      for (let n = 0; n < 60; n++) {
        const { body, status } = await service.get(address);
        if (status === 200 && !JSON.stringify(body).includes('"state":"error"')) return void (await service.close());
        await new Promise((done) => setTimeout(done, 500));
      }
      throw new Error("the errors are still answered");
    } finally {
      await shop.remove();
    }
  });
}).timeout(600_000);
