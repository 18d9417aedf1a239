import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMIT } from "../../src/core/http/rateLimit.ts";
import { OTHER_COLUMN, otherVersion } from "../../test/support/otherVersion.ts";
import { startRedis } from "../../test/support/redis.ts";
import type { Serving } from "../../test/support/serving.ts";
import type { Figure } from "../part.ts";
import { ASKED, type Machines } from "../support/machines.ts";

const uncached = (n: number): string =>
  ASKED.replace("startDate=2025-01-01", `startDate=2024-${10 + (n % 3)}-${10 + (n % 18)}`);

/** How many requests of one client the replicas accept together. */
async function accepted(machines: Machines, replicas: readonly Serving[], requests: number): Promise<number> {
  const client = await machines.client();
  for (const { port } of replicas) await machines.until(port);
  await sleep(1_000);
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, n) => machines.ask(replicas[n % replicas.length]?.port ?? 0, ASKED, client)),
  );
  const refused = answers.find(({ status }) => status !== 200 && status !== 429);
  if (refused) throw new Error(`${refused.status} by the limits: ${refused.text.slice(0, 300)}`);
  return answers.filter(({ status }) => status === 200).length;
}

/** Redis answers, is emptied, is slow, is killed, and comes back. */
export async function limits(machines: Machines, replicas: readonly Serving[]): Promise<Figure[]> {
  const requests = 3 * LIMIT;
  const bound = replicas.length * LIMIT;
  const exact = await accepted(machines, replicas, requests);
  if (exact !== LIMIT) throw new Error(`${exact} requests were accepted instead of ${LIMIT}`);
  const disturbed = async (disturb: () => unknown): Promise<number> => {
    const counting = accepted(machines, replicas, requests);
    await sleep(1_100);
    await disturb();
    const count = await counting;
    if (count > bound) throw new Error(`${count} requests were accepted, more than ${bound}`);
    return count;
  };
  const emptied = await disturbed(() => machines.redis.command("FLUSHALL"));
  const slow = await disturbed(() => void machines.redis.command("DEBUG", "SLEEP", "2"));
  const killed = await disturbed(() => machines.redis.kill());
  machines.redis = await startRedis(machines.redis.port);
  await sleep(4_000);
  const back = await accepted(machines, replicas, requests);
  if (back !== LIMIT) throw new Error(`${back} requests were accepted after Redis was back, instead of ${LIMIT}`);
  return [
    {
      what: `accepted of ${requests} by ${replicas.length} replicas: with Redis, and after its return`,
      value: `${exact}, ${back}`,
    },
    { what: `with Redis emptied, slow, killed: at most ${bound}`, value: `${emptied}, ${slow}, ${killed}` },
  ];
}

/** The storage is slow by 20 ms, hangs, and is gone; and the files of a publication are withheld. */
export async function storage(machines: Machines, { port }: Serving): Promise<Figure[]> {
  const { storage: stored } = machines;
  const known = await machines.until(port);
  let answers = 0;
  const answersAsBefore = async (): Promise<void> => {
    for (let n = 0; n < 8; n++) {
      const { status, text } = await machines.ask(port);
      if (status !== 200 || text !== known) throw new Error(`${status}: ${text.slice(0, 300)}`);
      const other = await machines.ask(port, uncached(n));
      if (other.status !== 200) throw new Error(`${other.status}: ${other.text.slice(0, 300)}`);
      answers += 2;
      await sleep(150);
    }
    const { status } = await machines.ask(port, "/readyz");
    if (status !== 200) throw new Error(`/readyz is ${status} although the copy answers`);
  };
  stored.before = async () => sleep(20);
  await answersAsBefore();
  let isHanging = true;
  stored.before = async () => {
    while (isHanging) await sleep(50);
  };
  await answersAsBefore();
  isHanging = false;
  stored.down();
  await answersAsBefore();
  stored.down(false);
  let isWithheld = true;
  stored.before = async (method, key) => {
    while (isWithheld && method === "GET" && key.includes("/marts/")) await sleep(50);
  };
  await machines.drop();
  const syncing = machines.sync().finally(() => {
    isWithheld = false;
  });
  await answersAsBefore();
  isWithheld = false;
  await syncing;
  await machines.until(port, (text) => text !== known);
  stored.before = async () => {};
  return [
    {
      what: "answers over storage that is slow, hangs, is gone, or withholds a publication: wrong, refused",
      value: `${answers}, 0, 0`,
    },
  ];
}

/** Clients ask through the balancer while new data are published; then the replica that answers is killed amid its pages. */
export async function balanced(
  machines: Machines,
  port: number,
  replicas: readonly Serving[],
  publications: number,
): Promise<Figure[]> {
  let isOver = false;
  let answers = 0;
  const client = async (): Promise<string[]> => {
    const seen: string[] = [];
    for (; !isOver; await sleep(100)) {
      const { status, text } = await machines.ask(port);
      if (status !== 200) throw new Error(`${status} through the balancer: ${text.slice(0, 300)}`);
      answers++;
      if (text !== seen.at(-1)) seen.push(text);
    }
    return seen;
  };
  const clients = Promise.all([client(), client()]);
  clients.catch(() => {});
  let before = await machines.until(port);
  for (let n = 0; n < publications; n++) {
    await machines.drop();
    await machines.sync();
    // Its own sync: once seen, it stays.
    const old = before;
    before = await machines.until(port, (text) => text !== old);
  }
  isOver = true;
  for (const seen of await clients)
    if (new Set(seen).size !== seen.length) throw new Error("a client saw new data, and then old data again");
  const page = (n: number): string => `/v1/storea/orders?limit=2&page=${n}`;
  const pages = async (move: () => Promise<void>): Promise<string[]> => {
    const found: string[] = [];
    for (let n = 1; n <= 3; n++) {
      found.push((await machines.until(port, undefined)) && (await paged(machines, port, page(n))));
      if (n === 1) await move();
    }
    return found;
  };
  const whole = await pages(async () => {});
  const moved = await pages(async () => {
    const [first] = replicas;
    first?.child.kill("SIGKILL");
    if (first && first.child.exitCode === null) await once(first.child, "exit");
  });
  if (JSON.stringify(whole) !== JSON.stringify(moved)) throw new Error("pages differ after a move to another replica");
  return [
    {
      what: "answers through the balancer across publications, of an older state than the one before",
      value: `${answers}, 0`,
    },
    { what: "pages after a replica was killed amid them, different", value: `${moved.length}, 0` },
  ];
}

async function paged(machines: Machines, port: number, address: string): Promise<string> {
  const { status, text } = await machines.ask(port, address);
  if (status !== 200) throw new Error(`${address}: ${status} ${text.slice(0, 300)}`);
  return JSON.stringify((JSON.parse(text) as { data: unknown }).data);
}

/** Two versions with different derived schemas, over one storage and database: one upgrades, and goes back. */
export async function versions(machines: Machines, before: Serving): Promise<Figure[]> {
  const other = await otherVersion();
  try {
    const after = await machines.replica({}, other.instead);
    const asked = async ({ port }: Serving): Promise<string> => {
      const { status, text } = await machines.ask(port, OTHER_COLUMN);
      if (status !== 200 && status !== 503) throw new Error(`${status} in an upgrade: ${text.slice(0, 300)}`);
      return `${status} ${text.replaceAll(/"(requestId|generatedAt)":"[^"]*"/g, "")}`;
    };
    let answers = 0;
    const untilLike = async (serving: Serving, holds: (text: string) => boolean): Promise<string> => {
      for (const began = performance.now(); ; await sleep(250)) {
        const text = await asked(serving);
        answers++;
        if (holds(text)) return text;
        if (performance.now() - began > 60_000) throw new Error(`an upgrade does not get on: ${text.slice(0, 500)}`);
      }
    };
    const old = await untilLike(before, (text) => text.startsWith("200"));
    await machines.sync({}, other.instead);
    await untilLike(after, (text) => text === old);
    await machines.drop();
    await machines.sync({}, other.instead);
    const latest = await untilLike(after, (text) => text.startsWith("200") && text !== old);
    if ((await asked(before)) !== old) throw new Error("the old version answers data that it did not derive");
    await machines.sync();
    await untilLike(before, (text) => text === latest);
    await untilLike(after, (text) => text === latest);
    await after.stop();
    return [{ what: "answers of two versions in an upgrade and back, of 500 or wrong", value: `${answers}, 0` }];
  } finally {
    await other.remove();
  }
}
