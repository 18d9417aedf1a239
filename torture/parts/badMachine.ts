import { readFile, rm, statfs, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Database, literal } from "../../src/core/engine/database.ts";
import { sha256Of } from "../../src/core/files/checksum.ts";
import {
  AURORA,
  DataFolder,
  type Ended,
  ended,
  exportsOf,
  NOW,
  oneStore,
  STOREA,
  seeded,
  storeaOrder,
  storeaOrders,
} from "../../test/support/data.ts";
import { ANALYSES, answersOf } from "../../test/support/service.ts";
import { type Serving, startServing } from "../../test/support/serving.ts";
import { onSmallDisk } from "../../test/support/smallDisk.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { held } from "../support/process.ts";

/** Rounds in which every fault comes once. */
const ROUNDS: Record<Scale, number> = { short: 1, long: 8 };
/** Except at long only some of the faults, chosen by the seed: each needs a process for every try. */
const TRIED: Record<Scale, number> = { short: 2, long: 5 };
/** Syncs refused on the small disk. */
const TRIALS: Record<Scale, number> = { short: 1, long: 8 };
/** Landed before, so that the engine has more to write than the waiting exports hold. */
const BEFORE: Record<Scale, number> = { short: 200, long: 1500 };
const DISK = "48m";
const ORDERS = exportsOf(STOREA, "orders");
const CARDS = "/v1/profitability/cards";
const FAULTS = pathToFileURL(path.join(import.meta.dirname, "faults.mjs")).href;

/** A fault of the machine. A number says how early in a sync it is met, if at all: the lower, the earlier. */
interface MachineFault {
  readonly name: string;
  readonly least: number;
  /** The first number is drawn below. */
  readonly below: number;
  /** So many of the affected calls succeed first. */
  readonly fault?: string;
  readonly at?: (number: number) => {
    /** Shell commands that run before the program. */
    readonly limit?: string;
    readonly environment?: Readonly<Record<string, string>>;
  };
  /** Causes the fault; returns how to remove it. */
  readonly make?: (data: DataFolder, number: number) => Promise<() => Promise<void>>;
  /** Whose call met the fault, and what a sync has to report then. */
  readonly says: Readonly<Record<string, RegExp>>;
  /** Some of the waiting exports may land without the others, since fewer of them need less. */
  readonly halves?: true;
}

const MACHINE_FAULTS: readonly MachineFault[] = [
  {
    name: "full disk, made to fail (ENOSPC)",
    least: 0,
    below: 25,
    fault: "full",
    says: { Node: /(?<!\w)ENOSPC: made to fail/ },
    halves: true,
  },
  { name: "read-only disk, made to fail (EROFS)", least: 0, below: 35, fault: "readOnly", says: { Node: /EROFS/ } },
  { name: "fsync, made to fail (EIO)", least: 0, below: 60, fault: "fsync", says: { Node: /EIO/ } },
  {
    name: "files limited in size (EFBIG)",
    least: 4,
    below: 160,
    at: (kilobytes) => ({ limit: `ulimit -f ${kilobytes}` }),
    says: { Node: /EFBIG/, "the engine": /File too large/ },
    halves: true,
  },
  {
    name: "too little memory",
    least: 8,
    below: 160,
    at: (megabytes) => ({ environment: { LUCRA_MEMORY_LIMIT: `${megabytes}MB` } }),
    says: { "the engine": /out of memory/i },
    halves: true,
  },
];

/** A disk that has only so many KB left. */
const FULL: MachineFault = {
  name: "disk that is full indeed (ENOSPC)",
  least: 0,
  below: 1500,
  make: async (data, kilobytes) => {
    const filler = path.join(data.path, "filler");
    const { bavail, bsize } = await statfs(data.path);
    // The service may write meanwhile, and have taken the rest: the disk is full then, too.
    await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - kilobytes * 1024))).catch((error) => {
      if (error.code !== "ENOSPC") throw error;
    });
    return () => rm(filler);
  },
  says: { Node: /ENOSPC: no space left/, "the engine": /No space left/ },
  halves: true,
};

/** How the syncs ended under a fault. */
interface Count {
  /** Refused before the waiting exports landed, and after they landed but before all was derived. */
  before: number;
  after: number;
  /** The sync ended before it met the fault. */
  late: number;
  readonly by: Record<string, number>;
}
type Counts = Record<string, Count>;

export const badMachine: Part = {
  name: "bad machine",
  promise:
    "On a full or read-only disk, with a failing fsync or too little memory a sync fails with a clear message and " +
    "nothing is lost; the service keeps answering, even after it ran out of file handles.",
  method:
    "A service runs throughout. Five to nine exports wait; a fault begins at a random moment of the sync, in random " +
    "order. Three faults are caused within the process: from some call on Node's writes find no room (ENOSPC), its " +
    "changes meet a read-only disk (EROFS), or its fsyncs fail (EIO). A limit of the shell on the size of files " +
    "(EFBIG) affects Node and the engine; or the engine has too little memory. Where the system permits a mount, " +
    "everything is on a small disk that is really full, for both. Each sync must end with status 1 and name the " +
    "cause, once for the landing (with too little memory or space: for each file); a sync that ends before the fault " +
    "is drawn again, with an earlier fault. Files that were in the lake stay the same to the byte; the waiting " +
    "exports have all landed or not at all (with too little memory or space: each file); the service answers the " +
    "same, and shows everything after the next sync without the fault; at the end everything equals a folder that " +
    "never had a fault. The clock moves a year forward and back between landings, by LUCRA_NOW and as the process " +
    "itself sees it. A service with eighty file handles is flooded until it turns connections away, and answers the " +
    "same afterwards.",
  async run(scale, seed) {
    const random = seeded(seed);
    const data = await DataFolder.empty();
    try {
      const counts: Counts = {};
      const bench = await benchOn(data, random, counts, BEFORE[scale]);
      let clocks: number;
      let expected: Record<string, unknown>;
      try {
        for (let round = 0; round < ROUNDS[scale]; round++) {
          const faults = shuffled(MACHINE_FAULTS, random).slice(0, TRIED[scale]);
          for (const [n, machineFault] of faults.entries()) {
            await failUnder(bench, machineFault);
            if (n === faults.length - 1 || (scale === "long" && random() < 0.5)) await makeUp(bench, machineFault.name);
          }
        }
        if (scale === "long") await asWithoutTrouble(bench);
        clocks = await clock(bench, scale);
        expected = (await bench.serving.get(UNASKED)).body;
      } finally {
        await bench.close();
      }
      const disk = await onSmallDisk<Counts>(DISK, { module: import.meta.filename, name: "fillAgain" }, scale, seed);
      const turnedAway = await flooded(data, expected);
      return [
        ...[...MACHINE_FAULTS, FULL].flatMap(({ name }) => figure(name, { ...counts, ...disk }[name])),
        ...(disk ? [] : [{ what: FULL.name, value: "none to be had here" }]),
        { what: "landings with the clock a year forth or back", value: String(clocks) },
        { what: "connections turned away for want of a file handle", value: String(turnedAway) },
      ];
    } finally {
      await data.remove();
    }
  },
};

function figure(name: string, count: Count | undefined): Figure[] {
  if (!count) return [];
  const { before, after, late, by } = count;
  must(before + after > 0, `${name}: no sync was refused`);
  const whose = Object.entries(by).map(([who, times]) => `${times} by ${who}`);
  const detail = `${before} before the landing, ${after} after it; met ${whose.join(", ")}; ${late} drawn again as too late`;
  return [{ what: `${name}, syncs refused`, value: `${before + after} (${detail})` }];
}

/** A folder with a service over it, and what is known of it. */
interface Bench {
  readonly data: DataFolder;
  readonly serving: Serving;
  readonly database: Database;
  readonly random: () => number;
  readonly counts: Counts;
  /** Orders that the service shows. */
  shown: number;
  /** Orders in the exports. */
  exported: number;
  /** Exports written, each with orders of its own. */
  exports: number;
  close(): Promise<void>;
}

async function benchOn(data: DataFolder, random: () => number, counts: Counts, before: number): Promise<Bench> {
  await data.settings(oneStore());
  await data.write(`${ORDERS}/0.json`, JSON.stringify(storeaOrders(before, 0)));
  must((await data.lucra(["sync"])).status === 0, "the first sync failed");
  const serving = await startServing(data);
  const database = await Database.open({ threads: 1 });
  const close = async (): Promise<void> => {
    database.close();
    await serving.stop();
  };
  return { data, serving, database, random, counts, shown: before, exported: before, exports: 1, close };
}

const shuffled = <T>(all: readonly T[], random: () => number): T[] =>
  all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Writes several more exports, each of a few orders. */
async function wait(bench: Bench): Promise<void> {
  const files = 5 + Math.floor(bench.random() * 5);
  for (let n = 0; n < files; n++) {
    const orders = storeaOrders(1 + Math.floor(bench.random() * 40), bench.exports);
    await bench.data.write(`${ORDERS}/${bench.exports++}.json`, JSON.stringify(orders));
    bench.exported += orders.length;
  }
}

/** The state of the folder: the lake's files with their checksums, the orders in them, and the generation in force. */
interface State {
  readonly files: ReadonlyMap<string, string>;
  readonly orders: number;
  readonly current: string;
}

async function stateOf({ data, database }: Bench): Promise<State> {
  const files = new Map<string, string>();
  for (const name of await data.files("lake")) {
    if (!/(^|\/)\./.test(name)) files.set(name, await sha256Of(path.join(data.path, "lake", name)));
  }
  const parquet = [...files.keys()].filter((name) => name.endsWith(".parquet"));
  const list = parquet.map((name) => literal(path.join(data.path, "lake", name))).join(", ");
  const orders = await database.use((session) =>
    session.texts(`select count(distinct order_id) from read_parquet([${list}])`),
  );
  const current = await data.text(`marts/organization_id=${AURORA}/current`);
  return { files, orders: Number(orders[0]), current };
}

/** The orders of each export, with those of its file that have landed: all or none. */
async function wholeOrNot({ data, database }: Bench, name: string): Promise<void> {
  const landed = new Set(
    await database.use((session) =>
      session.texts(
        `select distinct order_id from read_parquet(${literal(`${data.path}/lake/storea/orders/*/*.parquet`)})`,
      ),
    ),
  );
  for (const file of await data.files(ORDERS)) {
    const ids = (JSON.parse(await data.text(`${ORDERS}/${file}`)) as { orderId: string }[]).map((o) => o.orderId);
    const there = ids.filter((id) => landed.has(id)).length;
    must(there === 0 || there === ids.length, `${name}: ${there} of ${ids.length} orders of ${file} landed`);
  }
}

/**
 * A sync of new exports that must fail; landed files stay unchanged, and each waiting export lands whole or not at all.
 */
async function failUnder(bench: Bench, machineFault: MachineFault): Promise<void> {
  const { name, least, halves } = machineFault;
  const count = bench.counts[name] ?? { before: 0, after: 0, late: 0, by: {} };
  bench.counts[name] = count;
  let below = machineFault.below;
  for (;;) {
    await wait(bench);
    const before = await stateOf(bench);
    const answer = await bench.serving.get(CARDS);
    must(answer.status === 200 && answer.body.orders === bench.shown, `${name}: ${JSON.stringify(answer)}`);
    // The landing comes first and is short compared with the derivation: half of the numbers are from the first eighth.
    const number = least + Math.floor(bench.random() ** 3 * (below - least));
    const at = `${name}, at ${number}`;
    const { stderr, stdout, status } = await syncUnder(bench.data, machineFault, number, async () => {
      const meanwhile = await bench.serving.get(unasked(bench));
      const isSame = meanwhile.status === 200 && meanwhile.body.orders === answer.body.orders;
      must(isSame, `${at}: before the sync ${JSON.stringify(meanwhile)}`);
    });
    const after = await stateOf(bench);
    for (const [file, sha256] of before.files) must(after.files.get(file) === sha256, `${at}: ${file} is another`);
    const landed = after.orders - before.orders;
    const waited = bench.exported - before.orders;
    if (halves) await wholeOrNot(bench, at);
    else must(landed === 0 || landed === waited, `${at}: ${landed} of ${waited} orders landed`);
    // A manifest that could not be written when its file landed is written now.
    const more = [...after.files.keys()].filter((file) => file.endsWith(".parquet") && !before.files.has(file));
    must(landed > 0 || more.length === 0, `${at}: nothing landed, and the lake has ${more}: ${stderr}`);
    if (after.current === before.current) {
      const [same, fresh] = [await bench.serving.get(CARDS), await bench.serving.get(unasked(bench))];
      must(isDeepStrictEqual(same, answer), `${at}: ${JSON.stringify(same)}`);
      must(fresh.status === 200 && isAsMuch(fresh.body, answer.body), `${at}: ${JSON.stringify(fresh)}`);
    } else {
      bench.shown = after.orders;
      await bench.serving.until(CARDS, (body) => body.orders === bench.shown);
    }
    const [, calls, struck] = /^fault: (\d+) calls, (struck|did not strike)$/m.exec(stderr) ?? [];
    must(machineFault.fault === undefined || calls !== undefined, `${at}: the fault was not there: ${stderr}`);
    if (status === 0) {
      must(landed === waited && after.current !== before.current, `${at}: said that all is well: ${stdout}`);
      must(number > least, `${at}: never felt: ${stdout}`);
      count.late++;
      below = struck === "did not strike" ? Math.min(number, Number(calls)) : number;
      continue;
    }
    must(status === 1, `${at}: ended with ${status}: ${stderr}`);
    must(struck !== "did not strike", `${at}: failed without it: ${stderr}`);
    const whose = Object.entries(machineFault.says).find(([, says]) => says.test(stderr));
    must(whose !== undefined, `${at}: does not say why: ${stderr}`);
    const reports = stderr.split("\n").filter((line) => /^failed: .*\/orders\b/.test(line));
    must(halves || reports.length <= 1, `${at}: reported more than once: ${stderr}`);
    count.by[whose[0]] = (count.by[whose[0]] ?? 0) + 1;
    count[landed === 0 ? "before" : "after"]++;
    return;
  }
}

/** Runs a sync under the fault; `first` runs before it, when the least space is left. */
async function syncUnder(
  data: DataFolder,
  { fault, at, make }: MachineFault,
  number: number,
  first: () => Promise<void>,
): Promise<Ended> {
  const undo = await make?.(data, number);
  try {
    await first();
    const { limit, environment } = at?.(number) ?? {};
    const faulty = fault ? { ...FAULTY, FAULT: fault, FAULT_AFTER: String(number) } : {};
    return await ended(data.start(["sync"], { ...faulty, ...environment }, limit));
  } finally {
    await undo?.();
  }
}

const FAULTY = { NODE_OPTIONS: `--import=${FAULTS}` };

let days = 0;
/** The cards of all orders, by an address that is new to the service, so that it has to read files for its answer. */
const unasked = ({ exports }: Bench): string => {
  days++;
  const first = new Date(Date.UTC(1990, 0, 1) + ((days + exports) % 9000) * 86_400_000).toISOString().slice(0, 10);
  return `${CARDS}?startDate=${first}&endDate=2026-12-31`;
};
const UNASKED = `${CARDS}?startDate=1980-01-01&endDate=2026-12-31`;

/** The answer without the parts that depend on the address. */
function isAsMuch(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const all = { period: 0, coverage: 0, previousPeriod: 0, changes: 0 };
  return isDeepStrictEqual({ ...one, ...all }, { ...other, ...all });
}

/** Without a fault every waiting export lands, and the service shows it. */
async function makeUp(bench: Bench, name: string): Promise<void> {
  const { status, stderr } = await bench.data.lucra(["sync"]);
  must(status === 0, `${name}: not made up for: ${stderr}`);
  const { orders } = await stateOf(bench);
  must(orders === bench.exported, `${name}: ${orders} orders have landed, not ${bench.exported}`);
  bench.shown = orders;
  await bench.serving.until(CARDS, (body) => body.orders === orders);
}

/** All answers are those of a folder in which the same exports landed at once. */
async function asWithoutTrouble({ data }: Bench): Promise<void> {
  const other = await DataFolder.empty();
  try {
    for (const name of await data.files("exports"))
      await other.write(`exports/${name}`, await data.text(`exports/${name}`));
    await other.settings(oneStore());
    await other.sync();
    const [is, right] = [
      await answersOf(data.config, AURORA, ANALYSES),
      await answersOf(other.config, AURORA, ANALYSES),
    ];
    const wrong = ANALYSES.find((probe) => is[probe] !== right[probe]);
    must(wrong === undefined, `${wrong}: ${is[wrong ?? ""]}, and without a fault ${right[wrong ?? ""]}`);
  } finally {
    await other.remove();
  }
}

/** The latest landing wins, whatever the clock said at the time; returns the number of landings. */
async function clock({ data, serving, random }: Bench, scale: Scale): Promise<number> {
  const year = 365 * 86_400_000;
  const clocks = [year, -year].flatMap((by) => [
    { now: "", by },
    ...(scale === "long" ? [{ now: new Date(Date.parse(NOW) + by).toISOString(), by }] : []),
  ]);
  // The last landing leaves the clock to the system.
  const all = [...shuffled(clocks, random), { now: "", by: 0 }];
  for (const [n, { now, by }] of all.entries()) {
    const at = `clock ${by / year} years off, ${now || "by the process"}`;
    const order = storeaOrder({ id: "clock", value: 100 + n, at: "2023-05-01T12:00:00.000Z", changed: null });
    const right = (): number => (now ? Date.parse(now) : Date.now() + by);
    await data.write(`${ORDERS}/clock.json`, JSON.stringify([order]), new Date(right()));
    const moved = { ...FAULTY, FAULT_CLOCK: String(by / 86_400_000) };
    const { status, stderr } = await data.lucra(["sync"], { LUCRA_NOW: now, ...(now ? {} : moved) });
    must(status === 0, `${at}: ${stderr}`);
    const note = (await data.files("lake")).filter((name) => name.endsWith(".json")).at(-1);
    const { landedAt } = JSON.parse((await data.text(`lake/${note}`)).split("\n")[0] ?? "") as { landedAt: string };
    must(Math.abs(Date.parse(landedAt) - right()) < 120_000, `${at}: landed at ${landedAt}`);
    await serving.until(`${CARDS}?startDate=2023-05-01&endDate=2023-05-01`, (body) => body.revenue === 100 + n);
  }
  return clocks.length;
}

/** In that process: fills the disk again and again. */
export async function fillAgain(folder: string, scale: Scale, seed: number): Promise<Counts> {
  process.env.TMPDIR = folder;
  const counts: Counts = {};
  const data = await DataFolder.empty();
  const bench = await benchOn(data, seeded(seed), counts, BEFORE[scale]);
  try {
    for (let trial = 0; trial < TRIALS[scale]; trial++) {
      await failUnder(bench, FULL);
      await makeUp(bench, FULL.name);
    }
    if (scale === "long") await asWithoutTrouble(bench);
  } finally {
    await bench.close();
    await data.remove();
  }
  return counts;
}

/** Twice as many as the service opens at start-up, when its modules are read side by side. */
const HANDLES = 256;

/**
 * Opens so many clients that no file handle is left; when they are gone the service answers as before. Returns how many
 * clients it turned away.
 */
async function flooded(data: DataFolder, expected: Record<string, unknown>): Promise<number> {
  const serving = await startServing(data, [], `ulimit -n ${HANDLES}`);
  const sockets: Socket[] = [];
  try {
    const before = await serving.get(CARDS);
    must(before.status === 200, `before the flood: ${before.status}`);
    let [turnedAway, most] = [0, 0];
    for (let n = 0; n < 2 * HANDLES; n++) {
      const socket = connect(serving.port, "127.0.0.1").on("error", () => {});
      sockets.push(socket.on("close", () => turnedAway++));
    }
    for (let n = 0; n < 10; n++) {
      await sleep(100);
      most = Math.max(most, (await held(serving.child)).files);
    }
    const away = turnedAway;
    const limit = await readFile(`/proc/${serving.child.pid}/limits`, "utf8");
    must(new RegExp(`^Max open files +${HANDLES} `, "m").test(limit), `another limit: ${limit}`);
    // The runtime reserves one handle to turn away clients that it cannot accept.
    must(most >= HANDLES - 1, `the flood left handles: ${most} of ${HANDLES} were taken`);
    must(away > 0, "the flood was let in whole");
    for (const socket of sockets) socket.destroy();
    // One answer that it has given before, and one for which it has to read files.
    await serving.until(CARDS, (body) => isDeepStrictEqual(body, before.body));
    await serving.until(UNASKED, (body) => isDeepStrictEqual(body, expected));
    must(serving.child.exitCode === null, "the flood ended the service");
    return away;
  } finally {
    for (const socket of sockets) socket.destroy();
    await serving.stop();
  }
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
