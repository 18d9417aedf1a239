import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import request from "supertest";
import { ApiError } from "../../src/core/contract/error.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { GenerationStore } from "../../src/core/marts/current.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import { failed, sync } from "../../src/core/sync/sync.ts";
import { diagnose } from "../../src/features/doctor/command.ts";
import { command } from "../support/command.ts";
import { LAKE, ORDERS, REVENUE, revenue, SHOP, worth } from "../support/damage.ts";
import { AURORA, DataFolder, NOW, SOCIALADS, STOREA, storeaOrder } from "../support/data.ts";
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

  /** The records that an answer names as incomplete, and its revenue. */
  async function answer(address: string): Promise<[string | undefined, unknown]> {
    const service = await openService(data.config, AURORA);
    try {
      const { headers, body } = await request(service.app)
        .get(`${address}${address.includes("?") ? "&" : "?"}organizationId=${AURORA}`)
        .set({ "x-client-id": "test", "x-client-secret": "x" })
        .expect(200);
      return [headers["x-incomplete-records"], body.revenue];
    } finally {
      service.close();
    }
  }

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
    const report = await data.sync();
    expect(report.failures[0]?.reason).to.include(`${LAKE}/${second} is missing; it held second.json`);
    expect(report.failures[0]?.reason).to.match(/or accept the loss: lucra landings revoke 2 --organization /);
    expect(report.derived, "what was derived from it is still right").to.deep.equal([]);
    expect(await revenue(data)).to.equal(20);
    await rename(path.join(data.path, "kept.json"), path.join(data.path, ORDERS, "second.json"));
    expect((await data.sync()).repaired).to.deep.equal([`${LAKE}/${second}`]);
    expect(await revenue(data)).to.equal(20);
  });

  it("of the lake blocks only itself: new exports are derived, and every answer names the records that lack rows", async () => {
    const [, second = ""] = await landed();
    await rm(path.join(data.path, LAKE, second));
    await rename(path.join(data.path, ORDERS, "second.json"), path.join(data.path, "kept.json"));
    const other = JSON.stringify([storeaOrder({ id: "2", value: 5 })]);
    await data.write(`${ORDERS}/third.json`, other, new Date(NOW));
    const report = await data.sync();
    expect([failed(report), report.derived]).to.deep.equal([true, [AURORA]]);
    expect(await answer(REVENUE)).to.deep.equal(["storea/orders", 15]);
    for (const rows of ["/v1/storea/orders?limit=5", "/v1/storea/orders?all=true&format=csv"]) {
      expect((await answer(rows))[0], rows).to.equal("storea/orders");
    }
    const [found] = (await diagnose(data.config, AURORA)).organizations[0]?.findings ?? [];
    expect(found).to.deep.include({ kind: "missingLake", level: "wrong" });
    expect(found?.rows[0]).to.deep.include({
      integration: "Store",
      record: "orders",
      landing: 2,
      figures: "without it",
    });
    expect(found?.rows[0]?.exports).to.match(/^second\.json \(\d+ bytes, SHA-256 [0-9a-f]{64}\)$/);
    const sql = await command(data, "sql", "profitability/cards", "--format", "json");
    expect(sql.stderr).to.match(/^lucra: without the rows of lost landed files: storea\/orders/);
    // Each sync says so, until it is back.
    expect(failed(await data.sync())).to.equal(true);
    await rename(path.join(data.path, "kept.json"), path.join(data.path, ORDERS, "second.json"));
    const repaired = await data.sync();
    expect([repaired.repaired, repaired.failures, repaired.derived]).to.deep.equal([
      [`${LAKE}/${second}`],
      [],
      [AURORA],
    ]);
    expect(await answer(REVENUE)).to.deep.equal([undefined, 25]);
  });

  it("of the lake that is not to be repaired is not missed any more once it is revoked", async () => {
    const [, second = ""] = await landed();
    await damage(`${LAKE}/${second}`);
    await rm(path.join(data.path, ORDERS, "second.json"));
    expect(failed(await data.sync())).to.equal(true);
    const { status, stdout } = await command(data, "landings", "revoke", "2");
    expect([status, /second\.json/.test(stdout)]).to.deep.equal([0, true]);
    expect(failed(await data.sync())).to.equal(false);
    expect(await answer(REVENUE)).to.deep.equal([undefined, 10]);
  });

  it("of the lake that only a derivation meets is put aside, and reported by a sync of any integration", async () => {
    const [first = ""] = await landed();
    await rm(path.join(data.path, ORDERS, "first.json"));
    const ads = { id: SOCIALADS, connector: "socialads" as const, name: "Ads" };
    await data.settings({ ...SHOP, integrations: [...(SHOP.integrations ?? []), ads] });
    await damage(`${LAKE}/${first}`);
    const organizations = await knownOrganizations(data.path, () => {});
    for (const _ of ["derived", "skipped"]) {
      const report = await sync(data.config, { organizations, integration: SOCIALADS });
      expect(report.failures.map(({ integration, record }) => [integration, record])).to.deep.equal([
        [STOREA, "orders"],
      ]);
      expect(report.failures[0]?.reason).to.match(/landing 1 is missing, and the figures lack its rows/);
    }
    expect(await data.files(LAKE)).to.include(`${first}.damaged`);
    expect(await answer(REVENUE)).to.deep.equal(["storea/orders", 20]);
  });

  it("among the derived ones is never served: the organization is derived again, and answered 503 meanwhile", async () => {
    const { folder = "" } = (await currentGeneration(foldersOf(data.path, AURORA))) ?? {};
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
    expect((await currentGeneration(foldersOf(data.path, AURORA)))?.folder).to.not.equal(folder);
  });

  it("among the derived ones is found while it can still be read: files are verified again and again", async () => {
    const problems: string[] = [];
    const serving = new GenerationStore(
      data.path,
      async () => SHOP,
      (_, error) => problems.push(String(error)),
      async () => {},
      { trustMs: 0 },
    );
    const { folder } = await serving.current(AURORA);
    await damage(path.relative(data.path, path.join(folder, "orders.parquet")));
    for (let refused: unknown; !(refused instanceof ApiError); await sleep(50)) {
      refused = await serving.current(AURORA).catch((error: unknown) => error);
    }
    expect(problems[0]).to.include("orders.parquet");
  });

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
    const { folder = "" } = (await currentGeneration(foldersOf(data.path, AURORA))) ?? {};
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
      const { folder = "" } = (await currentGeneration(foldersOf(data.path, AURORA))) ?? {};
      await writeFile(path.join(folder, "orders.parquet"), "damaged");
      let answer = await service.get(`${REVENUE}?startDate=2025-02-01&endDate=2025-02-28`);
      // From the first failure on: also what was verified a moment ago is verified again.
      expect([200, 503]).to.include(answer.status);
      while (answer.status === 503) answer = await service.get(`${REVENUE}?startDate=2025-02-01&endDate=2025-02-28`);
      expect(answer.body.revenue).to.equal(20);
      expect(await service.generations.recheck(AURORA)).to.equal(false);
    } finally {
      service.close();
    }
  });
});
