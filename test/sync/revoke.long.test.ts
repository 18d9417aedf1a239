import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Database } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { historyOf } from "../../src/core/landing/ledger/history.ts";
import { Revocations, recordEvent } from "../../src/core/landing/ledger/revocations.ts";
import { derive } from "../../src/core/marts/derive.ts";
import type { PartitionPolicy } from "../../src/core/marts/partitions.ts";
import { exported } from "../../src/core/records/index.ts";
import { AURORA, DataFolder, ended, STOREA } from "../support/data.ts";
import { CAMPAIGNS, campaigns, minute, ORDERS, orders, rows, SHOP, values } from "../support/syncs.ts";

describe("A revocation", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(SHOP);
  });

  afterEach(() => data.remove());

  it("that is killed at any moment has happened completely or not at all; the next sync completes it", async () => {
    await data.write(`${ORDERS}/a.json`, orders({ id: "a", value: 1 }), minute(1));
    await data.sync();
    await data.write(`${ORDERS}/b.json`, orders({ id: "b", value: 2 }), minute(2));
    await data.write(`${CAMPAIGNS}/c.json`, campaigns(7), minute(2));
    await data.sync();
    const folder = foldersOf(data.path, AURORA).revocations;
    await mkdir(folder, { recursive: true });
    const orderRecord = exported.find(({ connector, name }) => connector === "storea" && name === "orders");
    let done = 0;
    for (const delay of [0, 1, 5, 40, 150, 300]) {
      const action = done % 2 === 0 ? "revoke" : "restore";
      const watcher = watch(folder);
      const child = data.start(["landings", action, "2"]);
      const end = ended(child);
      await Promise.race([once(watcher, "change"), once(child, "exit")]);
      watcher.close();
      await sleep(delay);
      child.kill("SIGKILL");
      await end;
      const revocations = await Revocations.of(foldersOf(data.path, AURORA));
      const isRevoked = orderRecord !== undefined && revocations.has(orderRecord, STOREA, 2);
      if (isRevoked === (action === "revoke")) done++;
      const report = await data.sync();
      expect(report.failures, `after ${delay} ms`).to.deep.equal([]);
      expect(await values(data), `after ${delay} ms`).to.deep.equal(isRevoked ? { a: 1 } : { a: 1, b: 2 });
      expect(await rows(data, "/v1/socialads/ads/campaigns")).to.have.lengthOf(isRevoked ? 0 : 1);
    }
    expect(done, "so late that the event was recorded").to.be.greaterThan(0);
  }).timeout(240_000);

  it("that is taken back does not make an old landing the newest, also where increments are derived", async () => {
    const small: PartitionPolicy = { partOrders: 8, mostTouched: 1, mostGrown: 100, mostDivided: 100_000 };
    const database = await Database.open();
    const deriveSmall = () => derive(database, foldersOf(data.path, AURORA), SHOP, { policy: small });
    const change = async (action: "revoke" | "restore"): Promise<void> => {
      const history = await database.use((session) => historyOf(session, foldersOf(data.path, AURORA)));
      const files = history.filter(({ landing }) => landing === 2);
      await recordEvent(foldersOf(data.path, AURORA), { action, at: data.config.now().toISOString(), files });
    };
    try {
      // Without a time of their own: the later landing wins.
      const some = Array.from({ length: 40 }, (_, n) => ({
        id: `o${n}`,
        value: 1,
        at: `2025-02-${String(1 + (n % 28)).padStart(2, "0")}T12:00:00Z`,
        changed: null,
      }));
      for (const [n, value] of [1, 2, 3].entries()) {
        const content = n === 0 ? orders(...some) : orders({ id: "o0", value, changed: null });
        await data.write(`${ORDERS}/${n}.json`, content, minute(n));
        await data.sync();
      }
      await rm(path.join(data.path, "marts"), { recursive: true });
      await deriveSmall();
      await change("revoke");
      expect((await deriveSmall()).mode).to.equal("full");
      await data.write(`${ORDERS}/4.json`, orders({ id: "new", value: 4 }), minute(4));
      await change("restore");
      expect((await deriveSmall()).mode).to.equal("full");
      expect((await values(data)).o0).to.equal(3);
    } finally {
      database.close();
    }
  });
});
