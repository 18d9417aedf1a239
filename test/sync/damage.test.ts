import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { ApiError } from "../../src/contract/error.ts";
import { GenerationStore } from "../../src/marts/current.ts";
import { currentGeneration } from "../../src/marts/generations.ts";
import { LAKE, ORDERS, revenue, SHOP, worth } from "../support/damage.ts";
import { AURORA, DataFolder, NOW } from "../support/data.ts";

describe("A damaged file", () => {
  let sound: DataFolder;
  let data: DataFolder;

  before(async () => {
    sound = await DataFolder.empty();
    await sound.settings(SHOP);
    // Times that a copy keeps exactly.
    await sound.write(`${ORDERS}/first.json`, worth(10), new Date(NOW));
    await sound.sync();
    await sound.write(`${ORDERS}/second.json`, worth(20), new Date(NOW));
    await sound.sync();
  });

  after(() => sound?.remove());

  beforeEach(async () => {
    data = await DataFolder.copyOf(sound);
  });

  afterEach(() => data.remove());

  const landed = async (): Promise<string[]> => (await data.files(LAKE)).filter((name) => name.endsWith(".parquet"));

  async function damage(file: string): Promise<void> {
    const bytes = await readFile(path.join(data.path, file));
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] as number) ^ 1;
    await writeFile(path.join(data.path, file), bytes);
  }

  it("of the lake is landed again in its place, and is no newer than before", async () => {
    const [first = "", second] = await landed();
    await damage(`${LAKE}/${first}`);
    const report = await data.sync();
    expect(report.failures).to.deep.equal([]);
    expect(report.repaired).to.deep.equal([`${LAKE}/${first}`]);
    expect(await landed(), "the same to the byte").to.deep.equal([first, second]);
    expect(await data.files(LAKE)).to.include(`${first}.damaged`);
    expect(await revenue(data)).to.equal(20);
    expect((await data.sync()).repaired, "once").to.deep.equal([]);
  });

  it("of the lake is noticed when it is missing, also the newest", async () => {
    const [, second = ""] = await landed();
    await rm(path.join(data.path, LAKE, second));
    await rename(path.join(data.path, ORDERS, "second.json"), path.join(data.path, "kept.json"));
    const [failure] = (await data.sync()).failures;
    expect(failure?.reason).to.include(`${LAKE}/${second} is missing; it held second.json`);
    await rename(path.join(data.path, "kept.json"), path.join(data.path, ORDERS, "second.json"));
    expect((await data.sync()).repaired).to.deep.equal([`${LAKE}/${second}`]);
    expect(await revenue(data)).to.equal(20);
  });

  it("among the derived ones is never served: the organization is derived again, and answered 503 meanwhile", async () => {
    const { folder = "" } = (await currentGeneration(data.path, AURORA)) ?? {};
    await damage(path.relative(data.path, path.join(folder, "orders.parquet")));
    const problems: string[] = [];
    const idle = new GenerationStore(
      data.path,
      async () => SHOP,
      (_, error) => problems.push(String(error)),
      async () => {},
    );
    const refused = await idle.current(AURORA).catch((error) => error);
    expect(refused).to.be.instanceOf(ApiError).with.property("kind", "damaged");
    expect(problems[0]).to.include("orders.parquet");
    expect(await revenue(data)).to.equal(20);
    expect((await currentGeneration(data.path, AURORA))?.folder).to.not.equal(folder);
  });
});
