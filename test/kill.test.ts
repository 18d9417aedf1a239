import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Database, literal } from "../src/engine/database.ts";
import { AURORA, DataFolder, ended, exportsOf, STOREA, storeaOrders } from "./support/data.ts";
import { answersOf } from "./support/service.ts";

/** How often the sync is killed, over the whole suite. */
const KILLS = Number(process.env.KILLS ?? 4);
const FILES = 6;
const ORDERS = 1500;
const YEAR = "startDate=2024-01-01&endDate=2024-12-31";
const QUESTIONS = [
  "/v1/profitability/cards",
  `/v1/profitability/cards?${YEAR}`,
  "/v1/profitability/cohort?breakBy=produto",
  `/v1/acquisition/campaigns?${YEAR}`,
  `/v1/acquisition/new-customers?${YEAR}`,
  "/v1/storea/orders?limit=5000&page=1",
  "/v1/storea/orders?limit=5000&page=2",
  "/v1/storea/orders/items?limit=5000&page=3",
];

describe("A sync that is killed", function () {
  this.timeout(120_000);
  let undisturbed: DataFolder;
  let disturbed: DataFolder;

  before(async () => {
    undisturbed = await DataFolder.empty();
    await undisturbed.settings({
      organizationId: AURORA,
      name: "x",
      integrations: [{ id: STOREA, connector: "storea", name: "x" }],
      margin: { items: { costOfGoods: "orders" } },
    });
    await invent(undisturbed, 1);
    disturbed = await DataFolder.copyOf(undisturbed);
  });

  after(async () => {
    await undisturbed?.remove();
    await disturbed?.remove();
  });

  it("leaves the lake as it was or as it should be, and the next one finishes the work", async () => {
    const took = await finish(undisturbed);
    await disturb(disturbed, Math.ceil(KILLS / 2), took);
    await finish(disturbed);
    await sameAsUndisturbed();
  });

  it("does no other harm to data that has landed before", async () => {
    for (const folder of [undisturbed, disturbed]) await invent(folder, 2);
    const took = await finish(undisturbed);
    await disturb(disturbed, Math.floor(KILLS / 2), took);
    await finish(disturbed);
    await sameAsUndisturbed();
  });

  async function sameAsUndisturbed(): Promise<void> {
    await everyFileReadable(disturbed);
    expect(await leftovers(disturbed)).to.deep.equal([]);
    const right = await answersOf(undisturbed.config, AURORA, QUESTIONS);
    expect(await answersOf(disturbed.config, AURORA, QUESTIONS)).to.deep.equal(right);
  }
});

/** A year of orders. The second version corrects the first two files and adds another. */
async function invent(folder: DataFolder, version: number): Promise<void> {
  const numbers = version === 1 ? Array.from({ length: FILES }, (_, n) => n) : [0, 1, FILES];
  for (const n of numbers) {
    const orders = storeaOrders(ORDERS, n).map((order) => ({ ...order, value: Number(order.value) + version }));
    const at = new Date(Date.UTC(2025, 2, version, n));
    await folder.write(`${exportsOf(STOREA, "orders")}/invented-${n}.json`, JSON.stringify(orders), at);
  }
}

/** How long a whole sync takes, in milliseconds. */
async function finish(folder: DataFolder): Promise<number> {
  const started = performance.now();
  const { status, stderr } = await folder.lucra(["sync"]);
  expect(status, stderr).to.equal(0);
  return performance.now() - started;
}

async function disturb(folder: DataFolder, times: number, took: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const child = folder.start(["sync"]);
    const end = ended(child);
    // From the start of the process on, with one moment in each part of the time a sync takes.
    await sleep(((n + Math.random()) / times) * took);
    child.kill("SIGKILL");
    await end;
    await everyFileReadable(folder);
  }
}

async function everyFileReadable(folder: DataFolder): Promise<void> {
  const files = (await folder.files("lake")).filter((file) => file.endsWith(".parquet") && !file.startsWith(".work"));
  const database = await Database.open();
  try {
    await database.use(async (session) => {
      for (const file of files) {
        await session.rows(`select bit_xor(hash(t)) from read_parquet(${literal(`${folder.path}/lake/${file}`)}) t`);
      }
    });
  } finally {
    database.close();
  }
}

async function leftovers(folder: DataFolder): Promise<string[]> {
  const unfinished = (await folder.files("marts")).filter((file) => /(^|\/)\./.test(file));
  return [...(await folder.files("lake/.work")), ...unfinished];
}
