import { readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { StateStore } from "../../src/core/marts/stateStore.ts";
import { endState } from "../../src/core/marts/states.ts";
import { deriveStateAlone } from "../../src/core/sync/sync.ts";
import { shownPins } from "../../src/features/pins/shown.ts";
import { AURORA, DataFolder } from "../support/data.ts";
import { minute, ORDERS, orders, SHOP } from "../support/syncs.ts";

const DAYS = ["2025-04-01", "2025-04-02", "2025-04-03", "2025-04-04"];
const noon = (day: string): string => `${day}T12:00:00.000Z`;

describe("Earlier states", () => {
  let data: DataFolder;
  let home: string;

  before(async () => {
    data = await DataFolder.empty();
    home = foldersOf(data.path, AURORA).mart;
    for (const [no, day] of DAYS.entries()) {
      await data.settings({ ...SHOP, name: `Shop ${no}` });
      await data.write(`${ORDERS}/${no}.json`, orders({ id: String(no), value: no }), minute(no));
      await data.syncAt(noon(day));
    }
  });

  after(() => data.remove());

  beforeEach(async () => {
    for (const name of await statesIn()) await rm(path.join(home, name), { recursive: true });
  });

  const statesIn = async (): Promise<string[]> => (await readdir(home)).filter((name) => name.startsWith("state="));
  const failures: string[] = [];
  const storeOf = (options: Partial<ConstructorParameters<typeof StateStore>[1]>): StateStore =>
    new StateStore(data.path, {
      bytes: 1e9,
      // A busy machine is no failure.
      waitMs: 120_000,
      derive: (organization, wanted) => deriveStateAlone(data.config, organization, wanted),
      onFailure: (_, error) => failures.push((error as Error).message),
      ...options,
    });
  const kindOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "answered",
      (error) => (error instanceof ApiError ? error.kind : String(error)),
    );

  it("are kept as what was replaced: the last ones without a derivation", async () => {
    await data.settings({ ...SHOP, name: "Shop again" });
    await data.syncAt("2025-04-05T12:00:00.000Z");
    const store = storeOf({ derive: undefined });
    const known = await store.known(AURORA, { at: noon(DAYS[3] ?? "") });
    expect(await kindOf(known.ready())).to.equal("answered");
    expect(await kindOf((await store.known(AURORA, { at: noon(DAYS[0] ?? "") })).ready())).to.equal("stateElsewhere");
  });

  it("are derived one after the other: one waits, and a request for a third is refused at once", async () => {
    let begin = (): void => {};
    const gate = new Promise<void>((done) => {
      begin = done;
    });
    const begun: string[] = [];
    const store = storeOf({
      waitMs: 30,
      derive: async (organization, wanted) => {
        begun.push(wanted.landings);
        await gate;
        await deriveStateAlone(data.config, organization, wanted);
      },
    });
    const asked = await Promise.all(DAYS.slice(0, 3).map((day) => store.known(AURORA, { at: noon(day) })));
    const [first, second, third] = asked;
    expect(await kindOf(first?.ready() as Promise<void>)).to.equal("stateUnderived");
    expect(await kindOf(second?.ready() as Promise<void>)).to.equal("stateUnderived");
    expect(await kindOf(third?.ready() as Promise<void>)).to.equal("stateBusy");
    expect(begun).to.deep.equal(["1"]);
    begin();
    const patient = storeOf({});
    for (const day of DAYS.slice(0, 2))
      expect(await kindOf((await patient.known(AURORA, { at: noon(day) })).ready())).to.equal("answered");
  });

  it("stay within their bytes but for the one that was asked last and those that are read", async () => {
    const store = storeOf({ bytes: 1 });
    const read = await store.known(AURORA, { at: noon(DAYS[0] ?? "") });
    const { folder } = await read.files.current(AURORA);
    const release = read.files.hold?.(AURORA);
    for (const day of DAYS.slice(1, 3)) await (await store.known(AURORA, { at: noon(day) })).ready();
    // What is removed is removed after the request is answered.
    await until(async () => (await statesIn()).length <= 2);
    expect(await statesIn()).to.include(path.basename(folder));
    release?.();
    await (await store.known(AURORA, { at: noon(DAYS[1] ?? "") })).ready();
    await until(async () => (await statesIn()).length === 1);
    expect(await kindOf(read.ready())).to.equal("answered");
  });

  it("are noted as asked for by cached answers, too", async () => {
    const store = storeOf({});
    const known = await store.known(AURORA, { at: noon(DAYS[0] ?? "") });
    const { folder } = await known.files.current(AURORA);
    const description = path.join(folder, "state.json");
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(description, longAgo, longAgo);
    await (await storeOf({}).known(AURORA, { at: known.knownAt })).asked();
    expect((await stat(description)).mtimeMs).to.be.above(Date.now() - 60_000);
  });

  it("that were ended are read on by other processes, and answer again if they are asked for meanwhile", async () => {
    const writer = storeOf({});
    const reader = storeOf({ derive: undefined });
    for (const day of DAYS.slice(0, 2)) await (await writer.known(AURORA, { at: noon(day) })).ready();
    const known = await reader.known(AURORA, { at: noon(DAYS[0] ?? "") });
    await known.ready();
    const small = storeOf({ bytes: (await bytesIn(home)) - 1 });
    await (await small.known(AURORA, { at: noon(DAYS[2] ?? "") })).ready();
    const ended = async (): Promise<string[]> => {
      const names = await readdir(home, { recursive: true });
      return names.filter((name) => path.basename(name) === "ended.json").map((name) => path.dirname(name));
    };
    await until(async () => (await ended()).length > 0);
    const { folder } = await known.files.current(AURORA);
    expect(await ended()).to.include(path.basename(folder));
    expect(await readdir(folder)).to.include("orders.parquet");
    const later = storeOf({ derive: undefined });
    expect(await kindOf((await later.known(AURORA, { at: known.knownAt })).ready())).to.equal("stateElsewhere");
    expect(await kindOf((await storeOf({}).known(AURORA, { at: known.knownAt })).ready())).to.equal("answered");
    expect(await ended()).to.not.include(path.basename(folder));
    // What was ended long ago goes with the next sync.
    await endState(foldersOf(data.path, AURORA), path.basename(folder).slice("state=".length));
    await utimes(folder, new Date(), new Date(Date.now() - 11 * 60_000));
    await data.syncAt("2025-04-06T12:00:00.000Z");
    expect(await statesIn()).to.not.include(path.basename(folder));
  });

  it("and pins are not known where only a copy of the newest files is", async () => {
    const copy = await DataFolder.empty();
    try {
      const store = new StateStore(copy.path, { bytes: 1e9, onFailure: () => {} });
      expect(await kindOf(store.known(AURORA, { at: noon(DAYS[0] ?? "") }))).to.equal("stateElsewhere");
      expect(await kindOf(store.known(AURORA, { pin: "abril" }))).to.equal("stateElsewhere");
      expect(await kindOf(shownPins(copy.path, AURORA))).to.equal("stateElsewhere");
    } finally {
      await copy.remove();
    }
  });

  it("that cannot be derived are refused, and tried again", async () => {
    const store = storeOf({ derive: () => Promise.reject(new Error("no room")) });
    const known = await store.known(AURORA, { at: noon(DAYS[0] ?? "") });
    expect(await kindOf(known.ready())).to.equal("stateFailed");
    expect(await kindOf(known.ready())).to.equal("stateFailed");
    expect(failures.splice(0)).to.deep.equal(["no room"]);
  });
});

/** Of the states, each file once, without those of generations. */
async function bytesIn(home: string): Promise<number> {
  const sizes = new Map<number, number>();
  const names = await readdir(home, { recursive: true });
  const isOf = (prefix: string) => (name: string) => name.startsWith(prefix);
  for (const name of [...names.filter(isOf("state=")), ...names.filter(isOf("gen="))]) {
    const found = await stat(path.join(home, name));
    if (found.isFile()) sizes.set(found.ino, name.startsWith("gen=") ? 0 : found.size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); performance.now() - began < 10_000; ) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error("it does not come to that");
}
