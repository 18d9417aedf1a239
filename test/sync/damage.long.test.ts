import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { diagnose } from "../../src/commands/doctor.ts";
import { currentGeneration } from "../../src/marts/generations.ts";
import { LAKE, ORDERS, REVENUE, revenue, SHOP, worth } from "../support/damage.ts";
import { AURORA, DataFolder, NOW } from "../support/data.ts";
import { openService } from "../support/service.ts";

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

  it("of the lake without its export is named, the rest is derived, and the report says what to restore", async () => {
    const [first = ""] = await landed();
    await data.write(`${ORDERS}/first.json`, worth(30));
    await damage(`${LAKE}/${first}`);
    const { status, stderr } = await data.lucra(["sync"]);
    expect(status).to.equal(1);
    expect(stderr).to.match(
      new RegExp(`failed: Shop/Store/orders/first.json: ${LAKE}/${first} is damaged; it held first.json: `),
    );
    expect(stderr).to.match(/put the original first.json \(\d+ bytes, SHA-256 [0-9a-f]{64}\) back into exports\//);
    expect(await revenue(data), "the new version has landed").to.equal(30);
    expect((await data.sync()).failures, "until it is repaired").to.not.be.empty;
    await data.write(`${ORDERS}/again/first.json`, worth(10));
    const report = await data.sync();
    expect(report.failures).to.deep.equal([]);
    expect(report.repaired).to.deep.equal([`${LAKE}/${first}`]);
    expect(await revenue(data), "the newest export").to.equal(30);
    expect((await data.sync()).outcomes[0]?.files, "what a repair was made of is not new").to.equal(0);
  });

  it("is a file whose name has no checksum: it counts as damaged, and the report says what to do", async () => {
    const [first = ""] = await landed();
    await rename(path.join(data.path, LAKE, first), path.join(data.path, LAKE, first.replace(/\.[0-9a-f]{32}\./, ".")));
    const manifest = path.join(data.path, LAKE, first.replace(/\.[0-9a-f]{32}\.parquet$/, ".json"));
    await writeFile(manifest, "unreadable");
    const report = (await diagnose(data.config, AURORA, true)).organizations[0];
    expect(report?.files?.landed).to.include({ files: 2, damaged: 1 });
    const { failures, repaired } = await data.sync();
    expect(repaired).to.deep.equal([]);
    expect(failures[0]?.reason).to.match(
      /is damaged; it is not known which exports it held: land its data again, then: lucra landings revoke 1 /,
    );
  });

  it("is reported by the doctor when it is asked to read everything", async () => {
    const before = await data.lucra(["doctor", "--verify"]);
    expect(before.stdout).to.match(
      /read: 2 landed files \(0\.0 MB\), all as written; \d+ derived files .*all as written/,
    );
    const { folder = "" } = (await currentGeneration(data.path, AURORA)) ?? {};
    await damage(path.relative(data.path, path.join(folder, "orders.parquet")));
    await damage(`${LAKE}/${(await landed())[0]}`);
    const { status, stdout } = await data.lucra(["doctor", "--verify"]);
    expect(status).to.equal(1);
    expect(stdout).to.match(/2 landed files .*1 damaged; \d+ derived files .*1 damaged/);
    expect(stdout).to.match(/Store +orders +1 +damaged +first\.json/);
    expect(stdout).to.include("orders.parquet");
  });

  it("among the derived ones is noticed during service, once it cannot be read", async () => {
    const service = await openService(data.config, AURORA);
    try {
      expect((await service.get(REVENUE)).body.revenue).to.equal(20);
      const { folder = "" } = (await currentGeneration(data.path, AURORA)) ?? {};
      await writeFile(path.join(folder, "orders.parquet"), "damaged");
      let answer = await service.get(`${REVENUE}?startDate=2025-02-01&endDate=2025-02-28`);
      // Files that were checked a moment ago are not checked again at once.
      while (answer.status === 500) answer = await service.get(`${REVENUE}?startDate=2025-02-01&endDate=2025-02-28`);
      expect([200, 503]).to.include(answer.status);
      while (answer.status === 503) answer = await service.get(`${REVENUE}?startDate=2025-02-01&endDate=2025-02-28`);
      expect(answer.body.revenue).to.equal(20);
      expect(await service.generations.recheck(AURORA)).to.equal(false);
    } finally {
      service.close();
    }
  });
});
