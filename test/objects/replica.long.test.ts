import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { paths } from "../../src/core/files/paths.ts";
import { AURORA, DataFolder, type Ended, exportsOf, STOREA, storeaOrders } from "../support/data.ts";
import { CARDS, SHOP, version } from "../support/generations.ts";
import { TestStorage } from "../support/objects.ts";
import { type Serving, startServing } from "../support/serving.ts";

const ASKED = `${CARDS}?startDate=2025-01-01&endDate=2025-02-28`;

/** Organizations that only the test of the bound has data of. */
const OTHERS = ["1", "2", "3", "4"].map((digit) => AURORA.replace(/.$/, digit));

interface Key {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

describe("A replica over S3", function () {
  this.timeout(180_000);
  let storage: TestStorage;
  let writer: DataFolder;
  let copy: DataFolder;
  let keys: readonly Key[];
  let asked = 0;
  const running: Serving[] = [];

  beforeEach(async () => {
    storage = await TestStorage.start();
    writer = await DataFolder.empty();
    copy = await DataFolder.empty();
    await writer.settings(SHOP);
    await version(writer, 1);
    const clients = new Credentials(writer.path);
    const key = (n: number): Promise<Key> => clients.create({ organizations: [AURORA, ...OTHERS], name: `test ${n}` });
    keys = [await key(0), await key(1), await key(2), await key(3)];
    await sync();
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await storage.stop();
    await Promise.all([writer.remove(), copy.remove()]);
  });

  const lucra = (...args: string[]): Promise<Ended> => writer.lucra(args, storage.environment);
  const sync = async (): Promise<void> => {
    const { status, stderr } = await lucra("sync");
    expect(status, stderr).to.equal(0);
  };
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Serving> => {
    const serving = await startServing(copy, ["--read-only"], undefined, { ...storage.environment, ...more });
    running.push(serving);
    return serving;
  };
  /** Asks with the credentials of the writer's data folder, which take turns. */
  const get = async (serving: Serving, address = ASKED, organization = AURORA): Promise<Answer> => {
    const key = keys[asked++ % keys.length];
    const url = new URL(address, `http://127.0.0.1:${serving.port}`);
    if (address.startsWith("/v1/")) url.searchParams.set("organizationId", organization);
    const headers = { "x-client-id": key?.client_id ?? "", "x-client-secret": key?.client_secret ?? "" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const textOf = async (serving: Serving, address = ASKED): Promise<string> => {
    const { status, text } = await get(serving, address);
    expect(status, text).to.equal(200);
    return text;
  };
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    const began = performance.now();
    while (!(await holds())) {
      expect(performance.now() - began).to.be.below(30_000);
      await sleep(200);
    }
  };
  const answers = (serving: Serving) => async (): Promise<boolean> => (await get(serving)).status === 200;
  const readyz = async (serving: Serving): Promise<unknown> => JSON.parse((await get(serving, "/readyz")).text);
  const generations = async (): Promise<string[]> =>
    (await readdir(foldersOf(copy.path, AURORA).mart)).filter((name) => name.startsWith("gen=")).sort();
  /** The files that were fetched. */
  const fetched = (): string[] => storage.asked.filter((one) => /^GET .*files\//.test(one));

  it("answers what the writer derived, and a new generation within about a second", async () => {
    const replica = await start();
    const first = await get(replica);
    expect(first.status, first.text).to.equal(200);
    const local = await startServing(writer, ["--read-only"]);
    running.push(local);
    const own = await get(local);
    expect([first.headers.get("etag"), first.text]).to.deep.equal([own.headers.get("etag"), own.text]);
    await version(writer, 2);
    await sync();
    await until(async () => (await textOf(replica)) !== first.text);
    // What did not change is not fetched again, and what was replaced is removed.
    await until(async () => (await generations()).join() === "gen=000002");
    expect(new Set(fetched()).size).to.equal(fetched().length);
  });

  it("shows every client the new data from the first time on, across publications", async () => {
    const replica = await start();
    let isOver = false;
    const client = async (): Promise<string[]> => {
      const seen: string[] = [];
      while (!isOver) {
        const text = await textOf(replica);
        if (text !== seen.at(-1)) seen.push(text);
        await sleep(250);
      }
      return seen;
    };
    const clients = [client(), client(), client()];
    for (const number of [2, 3]) {
      await version(writer, number);
      await sync();
    }
    await sleep(2_000);
    isOver = true;
    for (const seen of await Promise.all(clients)) {
      expect(seen.length).to.be.above(1);
      expect(new Set(seen).size).to.equal(seen.length);
    }
  });

  it("fetches once for many questions at once", async () => {
    const replica = await start();
    const days = Array.from({ length: 20 }, (_, n) => `${CARDS}?startDate=2025-01-${10 + n}&endDate=2025-02-28`);
    const all = await Promise.all(days.map((one) => get(replica, one)));
    expect(all.map(({ status }) => status)).to.deep.equal(days.map(() => 200));
    expect(fetched()).to.not.be.empty;
    expect(new Set(fetched()).size).to.equal(fetched().length);
  });

  it("refuses a damaged object, fetches it again, and says that the data are damaged; repaired, it answers", async () => {
    const [object = ""] = (await storage.keys()).filter((key) => key.includes("/files/"));
    const repair = await storage.damage(object);
    const replica = await start();
    const { status, text, headers } = await get(replica);
    expect([status, headers.get("retry-after")], text).to.deep.equal([503, "5"]);
    expect(text).to.include("sendo recuperados");
    expect(storage.asked.filter((one) => one === `GET some/prefix/${object}`).length).to.be.above(1);
    expect(await generations()).to.deep.equal([]);
    await repair();
    await until(answers(replica));
  });

  it("fetches again what was damaged on its own disk", async () => {
    const replica = await start();
    const good = await textOf(replica);
    await replica.stop();
    const [name = ""] = await generations();
    const file = path.join(foldersOf(copy.path, AURORA).mart, name, "orders.parquet");
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    await writeFile(file, bytes);
    const again = await start();
    await until(answers(again));
    expect(await textOf(again)).to.equal(good);
  });

  it("goes on with what is here while the storage is down, also after a restart, and says so", async () => {
    let replica = await start();
    const good = await textOf(replica);
    expect(await readyz(replica)).to.deep.equal({ ready: true });
    storage.down();
    for (const day of ["02", "03"]) {
      await until(async () => Object.keys(Object(await readyz(replica))).join() === "ready,storage");
      expect(await textOf(replica)).to.equal(good);
      await textOf(replica, `${CARDS}?startDate=2025-01-${day}&endDate=2025-02-28`);
      expect((await get(replica, "/readyz")).status).to.equal(200);
      if (day === "03") break;
      await replica.stop();
      replica = await start();
    }
    storage.down(false);
    await until(async () => Object.keys(Object(await readyz(replica))).join() === "ready");
  });

  it("answers 503 without a copy while the storage is down, and answers once it is back", async () => {
    const replica = await start();
    storage.down();
    const { status, text, headers } = await get(replica);
    expect([status, headers.get("retry-after")], text).to.deep.equal([503, "5"]);
    storage.down(false);
    await until(answers(replica));
  });

  it("answers from the generation before while the next one arrives slowly", async () => {
    const replica = await start();
    const first = await textOf(replica);
    await version(writer, 2);
    let isSlow = true;
    storage.before = async (method, key) => {
      while (isSlow && method === "GET" && key.includes("/files/")) await sleep(100);
    };
    await sync();
    for (let n = 0; n < 8; n++) {
      expect(await textOf(replica)).to.equal(first);
      await sleep(300);
    }
    isSlow = false;
    await until(async () => (await textOf(replica)) !== first);
  });

  it("keeps the generation before in force when a writer is killed while it sends", async () => {
    const replica = await start();
    const first = await textOf(replica);
    await version(writer, 2);
    let puts = 0;
    let isStuck = true;
    const sending = new Promise<void>((done) => {
      storage.before = async (method, key) => {
        if (method === "PUT" && key.includes("/marts/") && ++puts === 3) done();
        while (isStuck && puts >= 3) await sleep(100);
      };
    });
    const child = writer.start(["sync"], storage.environment);
    await sending;
    child.kill("SIGKILL");
    await once(child, "exit");
    storage.before = async () => {};
    isStuck = false;
    expect((await storage.keys()).filter((key) => key.includes("gen=000002"))).to.deep.equal([]);
    for (let n = 0; n < 5; n++) {
      expect(await textOf(replica)).to.equal(first);
      await sleep(300);
    }
    await sync();
    await until(async () => (await textOf(replica)) !== first);
  });

  it("keeps its copies below the bound while answers are made, and fetches again what went", async () => {
    const all = [AURORA, ...OTHERS];
    for (const [n, organizationId] of OTHERS.entries()) {
      await writer.settings({ ...SHOP, organizationId });
      const orders = JSON.stringify(storeaOrders(1_200, n));
      await writer.write(`${exportsOf(STOREA, "orders", organizationId)}/orders.json`, orders);
    }
    await sync();
    const bound = 1024 * 1024;
    if (process.env.SHOW) console.log(await bytesBelow(paths.marts(writer.path)));
    expect(await bytesBelow(paths.marts(writer.path)), "all fits: nothing is tested").to.be.above(bound);
    const replica = await start({ LUCRA_STORAGE_CACHE_MB: "1" });
    let most = 0;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await bytesBelow(paths.marts(copy.path)));
        await sleep(20);
      }
    })();
    /** With less room than all need at once a question may have to come again. */
    const askUntil = async (address: string, id: string): Promise<number> => {
      for (;;) {
        const { status, headers, text } = await get(replica, address, id);
        if (status !== 503) return status;
        if (process.env.SHOW) console.log(performance.now() | 0, text);
        expect(headers.get("retry-after"), text).to.equal("5");
        await sleep(1_000);
      }
    };
    const statuses: number[] = [];
    for (let n = 1; n <= 5; n++) {
      const period = `startDate=2024-01-0${n}&endDate=2024-12-28`;
      const asked = all.flatMap((id) => [
        askUntil(`${CARDS}?${period}`, id),
        askUntil(`/v1/profitability/orders?${period}&all=true&format=csv`, id),
      ]);
      statuses.push(...(await Promise.all(asked)));
    }
    isOver = true;
    await watching;
    expect([...new Set(statuses)]).to.deep.equal([200]);
    expect(most).to.be.within(1, bound);
    expect(fetched().length, "nothing went").to.be.above(new Set(fetched()).size);
  });

  it("follows credentials and settings: a revoked client is refused within seconds", async () => {
    const replica = await start();
    await textOf(replica);
    const [revoked] = keys;
    keys = keys.slice(0, 1);
    expect((await lucra("keys", "revoke", revoked?.client_id ?? "")).status).to.equal(0);
    await until(async () => (await get(replica)).status === 401);
    // A change that the replicas do not get is no success.
    storage.down();
    const { status, stderr } = await lucra("keys", "create", "--organization", AURORA, "--json");
    expect([status, stderr.split(":")[1]]).to.deep.equal([
      1,
      " changed in the data folder, but not for the replicas, which go on with what they have",
    ]);
  });

  it("refuses to publish over another data folder, and to keep a copy in a writer's folder", async () => {
    await writeFile(paths.storageWriter(writer.path), "another\n");
    await version(writer, 2);
    const refused = await lucra("sync");
    expect(refused.status).to.equal(1);
    expect(refused.stdout + refused.stderr).to.include("another data folder has published");
    const { status, stderr } = await lucra("serve", "--read-only");
    expect(status).to.equal(1);
    expect(stderr).to.include("is the data folder of a writer");
  });
});

async function bytesBelow(folder: string): Promise<number> {
  const files = new Map<number, number>();
  for (const name of await readdir(folder, { recursive: true }).catch(() => [] as string[])) {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found?.isFile() && name.endsWith(".parquet")) files.set(found.ino, found.size);
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}
