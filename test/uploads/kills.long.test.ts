import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, DataFolder, type Ended, ROOT, STOREA } from "../support/data.ts";
import { values } from "../support/syncs.ts";
import { BY, Page } from "../support/uploads.ts";

const FAULTS = pathToFileURL(path.join(ROOT, "torture", "parts", "faults.mjs")).href;
const SHOP: Organization = {
  organizationId: AURORA,
  name: "Shop",
  currency: "BRL",
  integrations: [{ id: STOREA, connector: "socialads", name: "Ads" }],
};
const TABLE = "order_id,status,Total,creation_date\n1,invoiced,10.00,2025-02-10\n2,invoiced,20.00,2025-02-11\n";
const WISH = { record: "orders", columns: { value: "Total" }, name: "Loja" };
/** How many of the places of a task are killed at, evenly. */
const MOST_KILLS = 24;

describe("A task with a dropped file that is killed between any two writes [D93]", function () {
  this.timeout(1_200_000);
  const folders: DataFolder[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await folder.remove();
  });

  const copyOf = async (data: DataFolder): Promise<DataFolder> => {
    const copy = await DataFolder.copyOf(data);
    folders.push(copy);
    return copy;
  };

  async function prepared(): Promise<{ page: Page; id: string }> {
    const page = await Page.open(SHOP);
    folders.push(page.data);
    const id = await page.drop("vendas.csv", TABLE);
    expect((await page.preview(id, WISH)).look).to.include({ outcome: "ready", integration: null });
    return { page, id };
  }

  /** Runs a task in a process that is killed before its change after so many; undefined if it ends before. */
  const killed = async (data: DataFolder, task: object, after: number): Promise<Ended | undefined> => {
    const environment = { NODE_OPTIONS: `--import ${FAULTS}`, FAULT: "kill", FAULT_AFTER: String(after) };
    const end = await data.lucra(["uploads", "--organization", AURORA, "--task", JSON.stringify(task)], environment);
    return end.signal === "SIGKILL" ? end : undefined;
  };

  /** How many changes a task makes. */
  async function changesOf(data: DataFolder, task: object): Promise<number> {
    const environment = { NODE_OPTIONS: `--import ${FAULTS}`, FAULT: "kill", FAULT_AFTER: "1000000" };
    const end = await data.lucra(["uploads", "--organization", AURORA, "--task", JSON.stringify(task)], environment);
    expect(end.status, end.stderr).to.equal(0);
    return Number(/fault: (\d+) calls/.exec(end.stderr)?.[1]);
  }

  const places = (count: number): number[] => [
    ...new Set(Array.from({ length: MOST_KILLS }, (_, n) => Math.floor((n * count) / MOST_KILLS))),
  ];

  it("lands all the same, once, and leaves nothing", async () => {
    const { page, id } = await prepared();
    await page.uploads.change(AURORA, id, (one) => ({
      ...one,
      ...{ state: "landing", attempts: 0, landedBy: BY },
      ...(one.look?.target ? { target: { ...one.look.target, integration: randomUUID() } } : {}),
    }));
    const task = { do: "land", upload: id };
    const count = await changesOf(await copyOf(page.data), task);
    expect(count).to.be.greaterThan(50);
    const steps = new Set<string>();
    for (const after of places(count)) {
      const data = await copyOf(page.data);
      expect(await killed(data, task, after), `after ${after}`).to.not.equal(undefined);
      const kept = Page.over(data);
      const found = await kept.work.get(AURORA, id);
      const isLanded = (await data.files("lake/storea")).some((name) => name.endsWith(".parquet"));
      steps.add(`${found.state} ${(await data.files("exports")).length} ${isLanded}`);
      await kept.work.look();
      await kept.settled(kept.work.get(AURORA, id));
      const landed = await kept.work.get(AURORA, id);
      expect([landed.state, landed.reason, landed.landed?.rows], `after ${after}`).to.deep.equal(["landed", null, 2]);
      expect(await values(data), `after ${after}`).to.deep.equal({ 1: 10, 2: 20 });
      const { integrations = [] } = await kept.settings();
      expect(integrations.map(({ connector, name, columns }) => [connector, name, columns])).to.deep.equal([
        ["socialads", "Ads", undefined],
        ["storea", "Loja", { orders: { value: "Total" } }],
      ]);
      expect(await data.files("exports"), `after ${after}`).to.have.length(1);
      await kept.uploads.tidy();
      expect(await data.files("uploads"), `after ${after}`).to.deep.equal([]);
      await data.remove();
    }
    // The kills met all steps: before the export, with it, landed, noted.
    expect([...steps].sort()).to.include.members(["landing 0 false", "landing 1 false", "landing 1 true"]);
  });

  it("undoes all the same", async () => {
    const { page, id } = await prepared();
    const { landed, reason } = await page.land(id);
    expect(reason).to.equal(null);
    const exports = landed?.exports.map((one) => ({ ...one, integration: landed.integration, record: landed.record }));
    const task = { do: "undo", exports };
    const count = await changesOf(await copyOf(page.data), task);
    for (const after of places(count)) {
      const data = await copyOf(page.data);
      expect(await killed(data, task, after), `after ${after}`).to.not.equal(undefined);
      const kept = Page.over(data);
      if ((await kept.work.get(AURORA, id)).state === "landed") await kept.undo(id);
      expect((await kept.work.get(AURORA, id)).state, `after ${after}`).to.equal("undone");
      await data.sync();
      expect(await values(data), `after ${after}`).to.deep.equal({});
      await data.remove();
    }
  });

  it("is looked at again", async () => {
    const { page, id } = await prepared();
    const task = { do: "look", upload: id, wish: WISH };
    const count = await changesOf(await copyOf(page.data), task);
    for (const after of places(count).filter((_, n) => n % 4 === 0)) {
      const data = await copyOf(page.data);
      expect(await killed(data, task, after), `after ${after}`).to.not.equal(undefined);
      const kept = Page.over(data);
      expect((await kept.preview(id, WISH)).look, `after ${after}`).to.include({ outcome: "ready", rows: 2 });
      expect([await data.files("exports"), await data.files("lake/.work")]).to.deep.equal([[], []]);
      await data.remove();
    }
  });

  it("arrives whole, of 200 MB, although its sender and the service are killed again and again", async () => {
    const bytes = Buffer.alloc(200_000_000);
    for (let at = 0; at < bytes.length; at += 1_000) bytes.writeUInt32LE(at, at);
    const page = await Page.open(SHOP);
    folders.push(page.data);
    const file = path.join(page.data.path, "sent");
    await writeFile(file, bytes);
    const { id } = await page.work.create(AURORA, { name: "large.csv", bytes: bytes.length, by: BY });
    const place = path.join(page.data.path, "uploads", AURORA, id);
    let kills = 0;
    for (let after = 40; (await page.uploads.find(AURORA, id)).state === "receiving"; after += 150) {
      const before = (await page.uploads.find(AURORA, id)).received;
      await sending(page.data, { id, file, from: before, kill: after });
      kills++;
    }
    expect(kills).to.be.greaterThan(2);
    const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
    expect(sha256(await readFile(place))).to.equal(sha256(bytes));
  });
});

/** A process that sends pieces from where it broke off, and is killed before the change after so many. */
async function sending(
  data: DataFolder,
  { id, file, from, kill }: { id: string; file: string; from: number; kill: number },
): Promise<void> {
  const program = `
    import { open } from "node:fs/promises";
    import { Uploads } from "./src/features/uploads/store.ts";
    const room = async () => ({ free: 9e11, total: 1e12 });
    const uploads = new Uploads(process.env.LUCRA_DATA_DIR, { room });
    const handle = await open(${JSON.stringify(file)});
    for (let at = ${from}; ; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(1_000_000), 0, 1_000_000, at);
      if (bytesRead === 0) break;
      ({ received: at } = await uploads.piece("${AURORA}", "${id}", at, buffer.subarray(0, bytesRead)));
    }`;
  const child = spawn(
    process.execPath,
    [`--import=${FAULTS}`, "--import=./bin/typescript.mjs", "--input-type=module", "--eval", program],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, FAULT: "kill", FAULT_AFTER: String(kill) },
    },
  );
  await once(child, "exit");
}
