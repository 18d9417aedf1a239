import { connect, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  DataFolder,
  ended,
  exportsOf,
  NOW,
  oneStore,
  STOREA,
  storeaOrder,
  storeaOrders,
} from "../../test/support/data.ts";
import { type Serving, startServing } from "../../test/support/serving.ts";
import type { Figure, Part, Scale } from "../part.ts";

const TIMES: Record<Scale, number> = { short: 1, long: 20 };
const CARDS = "/v1/profitability/cards";
const FAULTS = pathToFileURL(path.join(import.meta.dirname, "faults.mjs")).href;

/** A sync on a machine with something wrong, and what it must say. */
interface Trouble {
  readonly name: string;
  /** Commands of the shell before the program is run. */
  readonly limit?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly says: RegExp;
  /** It needs so many orders to be felt. */
  readonly orders?: number;
}

const TROUBLES: readonly Trouble[] = [
  {
    name: "disk full",
    limit: "ulimit -f 64",
    says: /EFBIG|File too large|file too large|Could not write/,
    orders: 3000,
  },
  { name: "read-only lake", environment: faulty("readOnly"), says: /^lucra: EROFS/m },
  { name: "failing fsync", environment: faulty("fsync"), says: /EIO/ },
  { name: "memory limit", environment: { LUCRA_MEMORY_LIMIT: "12MB" }, says: /Out of Memory/i, orders: 3000 },
];

function faulty(fault: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${FAULTS}`, FAULT: fault };
}

export const badMachine: Part = {
  name: "bad machine",
  promise:
    "On a full or read-only disk, with a failing fsync or too little memory a sync fails with a " +
    "clear message and nothing is lost; the service goes on answering, also after it ran out of file handles.",
  method:
    "A service is up throughout. Under each fault a sync of new exports must end with status 1 and name the cause, the " +
    "lake must be as it was and the service answer the same; without the fault the next sync lands them and the same " +
    "service shows them. The clock goes a year forth and back between landings. The service itself is flooded with " +
    "connections until no file handle is left.",
  async run(scale) {
    const figures: Figure[] = [];
    const data = await DataFolder.empty();
    try {
      await data.settings(oneStore());
      await data.write(`${exportsOf(STOREA, "orders")}/0.json`, JSON.stringify([storeaOrder({ id: "0", value: 1 })]));
      must((await data.lucra(["sync"])).status === 0, "the first sync failed");
      const serving = await startServing(data);
      try {
        await clock(data, serving);
        // The first one, and the clock's.
        let orders = 2;
        for (let time = 0; time < TIMES[scale]; time++) orders = await survive(data, serving, scale, orders);
        figures.push({
          what: "syncs on a bad machine, refused clearly and made up for",
          value: String(TIMES[scale] * TROUBLES.length),
        });
      } finally {
        await serving.stop();
      }
      await flooded(data);
      figures.push({ what: "clock a year forth and back, service without file handles", value: "recovered" });
    } finally {
      await data.remove();
    }
    return figures;
  },
};

/** One trouble after the other, each made up for, or at short all of them at once; how many orders there are afterwards. */
async function survive(data: DataFolder, serving: Serving, scale: Scale, before: number): Promise<number> {
  let [shown, waiting] = [before, 0];
  for (const [no, trouble] of TROUBLES.entries()) {
    waiting += await suffer(data, serving, trouble, shown, waiting);
    if (scale === "short" && no < TROUBLES.length - 1) continue;
    const { status, stderr } = await data.lucra(["sync"]);
    must(status === 0, `${trouble.name}: not made up for: ${stderr}`);
    [shown, waiting] = [shown + waiting, 0];
    await serving.until(CARDS, (body) => body.orders === shown);
  }
  return shown;
}

/** A sync of new exports that must fail and change nothing; how many orders wait now. */
async function suffer(
  data: DataFolder,
  serving: Serving,
  trouble: Trouble,
  shown: number,
  waiting: number,
): Promise<number> {
  const { name, limit, environment = {}, says, orders: more = 1 } = trouble;
  const lake = await data.files("lake");
  const before = await serving.get(CARDS);
  must(before.status === 200 && before.body.orders === shown, `${name}: ${JSON.stringify(before)}`);
  const no = shown + waiting;
  const made = more === 1 ? [storeaOrder({ id: String(no), value: 1 })] : storeaOrders(more, no);
  await data.write(`${exportsOf(STOREA, "orders")}/${no}.json`, JSON.stringify(made));
  const { status, stdout, stderr } = await ended(data.start(["sync"], environment, limit));
  must(status === 1, `${name}: ended with ${status}: ${stderr}`);
  must(says.test(stderr + stdout), `${name}: does not say why: ${stderr}`);
  const now = (await data.files("lake")).filter((found) => !/\.work|\.writer/.test(found));
  must(
    now.join() === lake.filter((found) => !/\.work|\.writer/.test(found)).join(),
    `${name}: the lake is another: ${now}`,
  );
  const meanwhile = await serving.get(CARDS);
  must(meanwhile.status === 200 && meanwhile.body.orders === shown, `${name}: ${JSON.stringify(meanwhile)}`);
  return more;
}

/** What landed last holds, whatever the clock said when it did. */
async function clock(data: DataFolder, serving: Serving): Promise<void> {
  const worth = [
    ["2026-04-01T12:00:00Z", 100],
    ["2024-04-01T12:00:00Z", 200],
    [NOW, 300],
  ] as const;
  for (const [now, value] of worth) {
    const order = storeaOrder({ id: "clock", value, at: "2023-05-01T12:00:00.000Z", changed: null });
    await data.write(`${exportsOf(STOREA, "orders")}/clock.json`, JSON.stringify([order]));
    const { status, stderr } = await data.lucra(["sync"], { LUCRA_NOW: now });
    must(status === 0, `clock at ${now}: ${stderr}`);
    await serving.until(`${CARDS}?startDate=2023-05-01&endDate=2023-05-01`, (body) => body.revenue === value);
  }
}

/** So many clients that no file handle is left; when they are gone the service answers as before. */
async function flooded(data: DataFolder): Promise<void> {
  const serving = await startServing(data, [], "ulimit -n 80");
  const sockets: Socket[] = [];
  try {
    const before = await serving.get(CARDS);
    must(before.status === 200, `before the flood: ${before.status}`);
    for (let n = 0; n < 150; n++) sockets.push(connect(serving.port, "127.0.0.1").on("error", () => {}));
    await sleep(1000);
    for (const socket of sockets) socket.destroy();
    await serving.until(`${CARDS}?startDate=2024-01-01&endDate=2024-12-31`, (body) => typeof body.orders === "number");
    must(serving.child.exitCode === null, "the flood ended the service");
  } finally {
    for (const socket of sockets) socket.destroy();
    await serving.stop();
  }
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
