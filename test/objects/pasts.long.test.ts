import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { checkedIn, checkedText } from "../../src/core/files/checked.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { removeStates } from "../../src/core/marts/states.ts";
import { AURORA, DataFolder, type Ended } from "../support/data.ts";
import { comparable, type Recorded, recordedHistory } from "../support/histories.ts";
import { TestStorage } from "../support/objects.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { ORDERS, orders } from "../support/syncs.ts";

const DAYS = "startDate=2025-01-01&endDate=2025-03-31";
const ADDRESSES = [
  `/v1/profitability/cards?${DAYS}`,
  "/v1/profitability/cards?period=30d",
  `/v1/profitability/new-vs-recurring?${DAYS}`,
  `/v1/acquisition/summary?${DAYS}`,
  `/v1/profit/statement?${DAYS}&granularity=month`,
  "/v1/storea/orders?limit=20",
  "/v1/storea/orders?all=true&format=csv",
  `/v1/profitability/cards?${DAYS}&format=csv`,
  "/v1/explain?endpoint=/v1/profitability/cards&figure=revenue",
  "/v1/sql?query=select%20*%20from%20integrations%20order%20by%20all",
];
const ROUNDS = 4;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | null>>;
}

const SHOWN = ["etag", "x-known-at", "x-known-state", "x-settings-since", "x-incomplete-records", "content-type"];

describe("Earlier states on a replica over S3", function () {
  this.timeout(400_000);
  let storage: TestStorage;
  let writer: DataFolder;
  let copy: DataFolder;
  let recorded: readonly Recorded[];
  let end: string;
  /** The instants of the rounds. */
  let instants: readonly string[];
  const running: Serving[] = [];

  before(async () => {
    storage = await TestStorage.start();
    const history = await recordedHistory(Number(process.env.SEED ?? 7), ROUNDS, ADDRESSES);
    ({ data: writer, recorded, end } = history);
    instants = [...new Set(recorded.map(({ at }) => at))];
    copy = await DataFolder.empty();
    await lucra("sync");
  });

  after(async () => {
    await storage.stop();
    await Promise.all([writer.remove(), copy.remove()]);
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    storage.before = async () => {};
  });

  const lucra = async (...args: string[]): Promise<Ended> => {
    const found = await writer.lucra(args, { ...storage.environment, LUCRA_NOW: end });
    expect(found.status, found.stderr + found.stdout).to.equal(0);
    return found;
  };
  const pin = (name: string, at: string): Promise<Ended> =>
    lucra("pins", "create", "--organization", AURORA, "--name", name, "--at", at);
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Serving> => {
    const keys = (await ownService()).keys;
    const environment = { ...storage.environment, LUCRA_NOW: end, ...more };
    const serving = await startServing(copy, ["--read-only"], undefined, environment, keys);
    running.push(serving);
    return serving;
  };
  /** The writer's own service, which answers from its folder. */
  const ownService = async (): Promise<Serving> => {
    const [first] = running;
    if (first) return first;
    const own = await startServing(writer, [], undefined, { ...storage.environment, LUCRA_NOW: end });
    running.push(own);
    return own;
  };
  let asked = 0;
  const ask = async ({ port, keys }: Serving, address: string): Promise<Answer> => {
    const key = keys[asked++ % keys.length];
    const url = new URL(address, `http://127.0.0.1:${port}`);
    url.searchParams.set("organizationId", AURORA);
    const headers = { "x-client-id": key?.client_id ?? "", "x-client-secret": key?.client_secret ?? "" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
    const shown = Object.fromEntries(SHOWN.map((name) => [name, response.headers.get(name)]));
    return { status: response.status, text: await response.text(), headers: shown };
  };
  /** Without the id of an error's request. */
  const same = ({ text, ...others }: Answer) => ({ ...others, text: text.replace(/"requestId":"[^"]*"/, "") });
  const knownAt = (address: string, at: string): string =>
    `${address}${address.includes("?") ? "&" : "?"}knownAt=${at}`;
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (const began = performance.now(); !(await holds()); await sleep(200))
      expect(performance.now() - began).to.be.below(30_000);
  };
  const statesOfCopy = async (): Promise<string[]> =>
    (await readdir(foldersOf(copy.path, AURORA).mart)).filter((name) => name.startsWith("state="));

  it("are answered byte for byte as by the writer, and as they were, by instant and by pin", async () => {
    for (const [no, at] of instants.entries()) await pin(`round-${no}`, at);
    let replica = await start();
    const own = await ownService();
    for (const [no, { at, address, status, text }] of recorded.entries()) {
      if (no === recorded.length >> 1) {
        await replica.stop();
        for (const state of await statesOfCopy())
          await rm(path.join(foldersOf(copy.path, AURORA).mart, state), { recursive: true });
        replica = await start();
      }
      const then = await ask(replica, knownAt(address, at));
      expect([then.status, comparable(then.text)], `${address} at ${at}`).to.deep.equal([status, comparable(text)]);
      const pinned = knownAt(address, `round-${instants.indexOf(at)}`);
      expect(same(await ask(replica, pinned)), pinned).to.deep.equal(same(await ask(own, pinned)));
    }
    const pins = "/v1/pins";
    expect(same(await ask(replica, pins))).to.deep.equal(same(await ask(own, pins)));
    expect(JSON.parse((await ask(replica, pins)).text).data).to.have.length(ROUNDS);
    for (const wrong of ["2001-01-01", "2999-01-01", "never-pinned", "", "2025-13-01"]) {
      const address = knownAt(ADDRESSES[0] ?? "", wrong);
      expect(same(await ask(replica, address)), address).to.deep.equal(same(await ask(own, address)));
    }
  });

  it("are compared, and asked for by tools, as by the writer", async () => {
    await pin("compared", instants[1] ?? "");
    const replica = await start();
    const own = await ownService();
    const later = instants[2] ?? "";
    await pin("later", later);
    for (const address of [
      "/v1/restatements?knownAt=compared",
      "/v1/restatements?knownAt=compared&granularity=none",
      `/v1/restatements/orders?knownAt=compared&comparedAt=${later}&startDate=2025-01-01&endDate=2025-03-31`,
      `/v1/restatements/orders?knownAt=compared&comparedAt=${later}&all=true&format=csv`,
    ]) {
      // The third state, of the later landings under the earlier settings, is kept once the writer was asked.
      const expected = await ask(own, address);
      expect(expected.status, expected.text).to.equal(200);
      await until(async () => (await ask(replica, address)).status === 200);
      expect(same(await ask(replica, address)), address).to.deep.equal(same(expected));
    }
    const tool = async (serving: Serving): Promise<unknown> => {
      const { client_id, client_secret } = serving.keys[0] ?? {};
      const call = {
        name: "what_changed",
        arguments: { organization: AURORA, known_at: "compared", period: "all", orders: "true" },
      };
      const response = await fetch(`http://127.0.0.1:${serving.port}/mcp`, {
        method: "POST",
        headers: {
          "x-client-id": client_id ?? "",
          "x-client-secret": client_secret ?? "",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
      });
      const text = await response.text();
      expect(response.status, text).to.equal(200);
      return JSON.parse(text.replace(/^[^{]*/, "").trim());
    };
    const [there, here] = [await tool(replica), await tool(own)];
    expect(JSON.stringify(here)).to.include(instants[1]).and.not.include('"isError":true');
    expect(there).to.deep.equal(here);
  });

  it("that are not kept are refused, unless they are the newest one; pins are seen within about a second", async () => {
    const { stdout } = await lucra("pins", "list", "--organization", AURORA, "--json");
    for (const { name } of JSON.parse(stdout)) await lucra("pins", "remove", name, "--organization", AURORA);
    await removeStates(foldersOf(writer.path, AURORA));
    await lucra("sync");
    const replica = await start();
    const [address = ""] = ADDRESSES;
    const newest = await ask(replica, knownAt(address, end));
    expect([newest.status, comparable(newest.text)]).to.deep.equal([200, (await ask(replica, address)).text]);
    expect(await statesOfCopy()).to.deep.equal([]);
    const earlier = await ask(replica, knownAt(address, instants[0] ?? ""));
    expect([earlier.status, earlier.text.includes("pins create")], earlier.text).to.deep.equal([503, true]);
    expect(JSON.parse((await ask(replica, "/v1/pins")).text)).to.deep.equal({ data: [] });
    await pin("again", instants[0] ?? "");
    await until(async () => (await ask(replica, "/v1/pins")).text.includes("again"));
    const again = await ask(replica, knownAt(address, "again"));
    const was = recorded.find((one) => one.at === instants[0] && one.address === address);
    expect([again.status, comparable(again.text)]).to.deep.equal([was?.status, was?.text]);
  });

  it("are answered while the storage is down, fetched again when damaged, and refused when they cannot be had", async () => {
    await pin("kept", instants[0] ?? "");
    await pin("other", instants[2] ?? "");
    let replica = await start();
    const [address = ""] = ADDRESSES;
    const good = await ask(replica, knownAt(address, "kept"));
    expect(good.status, good.text).to.equal(200);
    await replica.stop();
    const [state = ""] = await statesOfCopy();
    const file = path.join(foldersOf(copy.path, AURORA).mart, state, "orders.parquet");
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    await rm(file);
    await writeFile(file, bytes);
    replica = await start();
    await until(async () => (await ask(replica, knownAt(address, "kept"))).status === 200);
    expect(same(await ask(replica, knownAt(address, "kept")))).to.deep.equal(same(good));
    storage.down();
    expect(same(await ask(replica, knownAt(address, "kept")))).to.deep.equal(same(good));
    const other = await ask(replica, knownAt(address, "other"));
    expect(other.status, other.text).to.equal(503);
    await replica.stop();
    replica = await start();
    expect(same(await ask(replica, knownAt(address, "kept")))).to.deep.equal(same(good));
    expect((await ask(replica, "/v1/pins")).text).to.include("kept");
    storage.down(false);
    await until(async () => (await ask(replica, knownAt(address, "other"))).status === 200);
  });

  it("of a landing that is revoked for always go from replicas and, after a while, from the storage", async () => {
    await pin("had", instants[1] ?? "");
    const replica = await start();
    const [address = ""] = ADDRESSES;
    expect((await ask(replica, knownAt(address, "had"))).status).to.equal(200);
    const before = await statesOfCopy();
    expect(before).to.not.be.empty;
    const { stdout } = await lucra("landings", "list", "--organization", AURORA, "--json");
    const landing = Math.min(...JSON.parse(stdout).map((one: { landing: number }) => one.landing));
    await lucra("landings", "revoke", String(landing), "--organization", AURORA, "--always", "--yes");
    await until(async () => (await ask(replica, knownAt(address, "had"))).status === 503);
    const left = await statesOfCopy();
    expect(left.filter((one) => before.includes(one))).to.deep.equal([]);
    // Replicas may still fetch them for ten minutes.
    const described = async (): Promise<string[]> =>
      (await storage.keys()).flatMap((key) => /(state=[0-9a-f]+)\.[0-9a-f]+\.json$/.exec(key)?.[1] ?? []);
    expect(await described()).to.include.members(before);
    const pointer = `marts/organization_id=${AURORA}/past`;
    const past = checkedIn<{ ended: Record<string, { at: string }> }>(await storage.text(pointer));
    expect(Object.keys(past?.ended ?? {})).to.include.members(before.map((name) => name.slice("state=".length)));
    const longAgo = (one: { at: string }) => ({ ...one, at: new Date(Date.now() - 11 * 60_000).toISOString() });
    const ended = Object.fromEntries(Object.entries(past?.ended ?? {}).map(([key, one]) => [key, longAgo(one)]));
    await storage.rewrite(pointer, checkedText({ ...past, ended }));
    await storage.age(11 * 60_000);
    await writer.write(`${ORDERS}/more.json`, orders({ id: "more", value: 5 }));
    await lucra("sync");
    expect((await described()).filter((one) => before.includes(one))).to.deep.equal([]);
    const files = new Set<string>();
    for (const key of (await storage.keys()).filter((one) => /\/(gen|state)=[^/]*\.json$/.test(one)))
      for (const sum of Object.values(checksumsIn(await storage.text(key)))) files.add(sum);
    const there = (await storage.keys()).flatMap((key) => /\/files\/([0-9a-f]+)$/.exec(key)?.[1] ?? []);
    expect(there.sort(), "what nothing describes is gone, and nothing else").to.deep.equal([...files].sort());
  });

  it("are sent again by `storage repair` where the storage has damaged them, and stay below the bound of the copy", async () => {
    for (const no of [1, 2, 3]) await pin(`bound-${no}`, instants[no] ?? "");
    await lucra("sync");
    const home = `marts/organization_id=${AURORA}`;
    const past = checkedIn<{ parts: Record<string, string>; states: Record<string, string> }>(
      await storage.text(`${home}/past`),
    );
    const [[state = "", checksum = ""] = []] = Object.entries(past?.states ?? {});
    const damaged = [`${home}/past/${past?.parts.pins}`, `${home}/state=${state}.${checksum.slice(0, 32)}.json`];
    for (const key of damaged) await storage.damage(key);
    const examined = await writer.lucra(["doctor", "--verify"], { ...storage.environment, LUCRA_NOW: end });
    expect(examined.stdout).to.include("lucra storage repair");
    expect((await lucra("storage", "repair")).stdout.trim().split("\n").at(-1)).to.equal("sent again: 2");
    expect((await lucra("storage", "repair")).stdout.trim()).to.equal("sent again: 0");
    await copy.remove();
    copy = await DataFolder.empty();
    const replica = await start({ LUCRA_STORAGE_CACHE_MB: "1" });
    const [address = ""] = ADDRESSES;
    for (const no of [1, 2, 3, 1]) {
      const { status, text } = await ask(replica, `${knownAt(address, `bound-${no}`)}`);
      expect(status, text).to.equal(200);
    }
  });
});

const checksumsIn = (text: string): Record<string, string> => JSON.parse(text.split("\n")[0] ?? "").checksums;
