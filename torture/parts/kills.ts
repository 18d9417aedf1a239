import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Database, literal } from "../../src/core/engine/database.ts";
import { paths } from "../../src/core/files/paths.ts";
import type { PartitionPolicy } from "../../src/core/marts/partitions.ts";
import {
  AURORA,
  DataFolder,
  ended,
  exportsOf,
  oneStore,
  STOREA,
  seeded,
  storeaOrders,
} from "../../test/support/data.ts";
import { openService, type Service } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";
import { minutes } from "../support/minutes.ts";
import { Syncer } from "../support/syncer.ts";

interface Size {
  readonly kills: number;
  /** Kills in one round, so that there is a second round with an earlier state that may be read. */
  readonly mostInRound: number;
  /**
   * Each round lands the remaining exports of the one before, corrected or extended, and is killed at most so often
   * after that.
   */
  readonly onceLanded: number;
  readonly orders: number;
  /** Pairs of folders, tested at the same time. */
  readonly lanes: number;
}

const SIZES: Record<Scale, Size> = {
  short: { kills: 5, mostInRound: 3, onceLanded: 2, orders: 100, lanes: 1 },
  long: { kills: 1000, mostInRound: 100, onceLanded: 8, orders: 200, lanes: 3 },
};

/** A partition is a few orders, and every increment is worthwhile. */
const FINE: PartitionPolicy = { partOrders: 240, mostTouched: 1, mostGrown: 4, mostDivided: Number.MAX_SAFE_INTEGER };
/** So many in three pairs derive increments when they are killed; the others derive everything each time. */
const INCREMENTAL = 2;

const FILES = 6;
/** A service notices a new generation within a second; a slow machine takes longer to read it through. */
const SEEN_MS = 30_000;
const YEAR = "startDate=2024-01-01&endDate=2024-12-31";
const CARDS = `/v1/profitability/cards?${YEAR}`;
const QUESTIONS = [
  "/v1/profitability/cards",
  CARDS,
  "/v1/profitability/cohort?breakBy=produto",
  `/v1/acquisition/campaigns?${YEAR}`,
  `/v1/acquisition/new-customers?${YEAR}`,
  `/v1/products?integrationId=${STOREA}&dateFrom=2024-10-01&dateTo=2024-12-31`,
  "/v1/storea/orders?limit=5000&page=1",
  "/v1/storea/orders?limit=5000&page=2",
  "/v1/storea/orders/items?limit=5000&page=1",
];

export const kills: Part = {
  name: "landing under kill -9",
  promise:
    "A sync that is killed leaves the lake either unchanged or complete; clients that read meanwhile never notice.",
  method:
    "Two folders get the same exports, round after round: some new, some corrected, some the same under another name. " +
    "In one folder the sync is killed again and again, at random moments of its work, while a service over it is " +
    "polled; then one sync may finish. In two of three pairs the killed folder derives increments and the other one " +
    "everything; in the third both derive everything. After each kill every landed file is read; each polled answer " +
    "is that of the previous round or of this one; after each round all answers are those of the other folder.",
  async run(scale, seed) {
    const { kills, lanes } = SIZES[scale];
    const syncer = await Syncer.make();
    try {
      const all = await Promise.all(
        Array.from({ length: lanes }, (_, no) =>
          killing(scale, Math.ceil(kills / lanes), seed + no, syncer, no % 3 < INCREMENTAL),
        ),
      );
      const total = (of: keyof Counts): number => all.reduce((n, one) => n + one[of], 0);
      const sum = (of: keyof Counts): string => total(of).toLocaleString("en-US");
      if (scale === "long" && (total("landed") === 0 || total("incremental") === 0))
        throw new Error("no kill met what had landed, or an increment: not all was tried");
      return [
        { what: "kills before the sync had ended", value: sum("kills") },
        { what: "of these after something had landed", value: sum("landed") },
        { what: "of these before an increment was in force", value: sum("incremental") },
        { what: "rounds of new, corrected and repeated exports", value: sum("rounds") },
        { what: "answers polled meanwhile, each of one state", value: sum("polls") },
      ];
    } finally {
      await syncer.remove();
    }
  },
};

interface Counts {
  kills: number;
  landed: number;
  incremental: number;
  rounds: number;
  polls: number;
}

async function killing(
  scale: Scale,
  kills: number,
  seed: number,
  syncer: Syncer,
  isIncremental: boolean,
): Promise<Counts> {
  const { mostInRound, onceLanded, orders } = SIZES[scale];
  const random = seeded(seed);
  const undisturbed = await Bench.open(syncer, {});
  const disturbed = await Bench.open(syncer, isIncremental ? FINE : {});
  const until = performance.now() + minutes(600) * 60_000;
  const counts: Counts = { kills: 0, landed: 0, incremental: 0, rounds: 0, polls: 0 };
  try {
    let before = "";
    while (counts.kills < kills && performance.now() < until) {
      const place = `round ${counts.rounds}, seed ${seed}`;
      for (const { data } of [undisturbed, disturbed]) await invent(data, counts.rounds, orders);
      const { took } = await undisturbed.finish(place);
      const landedBefore = counts.landed;
      const after = await undisturbed.cards((answer) => answer !== before, place);
      const polling = disturbed.poll(before ? [before, after] : undefined, place);
      const began = (await disturbed.landedFiles()).length;
      let manner = "none";
      for (let [n, late] = [0, 0]; late < onceLanded && n < mostInRound && counts.kills < kills; n++) {
        const isLanded = (await disturbed.landedFiles()).length > began;
        late += Number(isLanded);
        // Less work is left once it has landed; one kill in ten comes while the process starts.
        const outcome = await disturbed.kill(random() * took * (isLanded ? 0.6 : 0.7), n % 10 === 9, place);
        await disturbed.everyFileReadable(place);
        // It had ended: another sync has nothing to do.
        if (outcome !== "killed") {
          manner = outcome;
          break;
        }
        counts.kills++;
        counts.landed += Number(isLanded);
      }
      const last = await disturbed.finish(place);
      if (last.manner !== "none") manner = last.manner;
      if (isIncremental && counts.rounds > 0) {
        // `none`: the last killed sync had already put the increment in force.
        if (manner === "whole") throw new Error(`${place}: what was to be an increment derived everything`);
        counts.incremental += counts.landed - landedBefore;
      }
      counts.polls += await polling.stop();
      await same(disturbed, undisturbed, after, place);
      before = after;
      counts.rounds++;
    }
    if (counts.rounds > 1 && counts.polls === 0)
      throw new Error(`seed ${seed}: no client read while syncs were killed`);
    return counts;
  } finally {
    await undisturbed.close();
    await disturbed.close();
  }
}

/** The first round lands a year of orders; each later one corrects two files, adds one, and repeats one. */
async function invent(folder: DataFolder, round: number, orders: number): Promise<void> {
  const home = exportsOf(STOREA, "orders");
  const write = (name: string, seed: number, more: number): Promise<string> =>
    folder.write(
      `${home}/${name}.json`,
      JSON.stringify(storeaOrders(orders, seed).map((order) => ({ ...order, value: Number(order.value) + more }))),
      new Date(Date.UTC(2025, 2, 1, round, seed % 60)),
    );
  if (round === 0) for (let n = 0; n < FILES; n++) await write(`invented-${n}`, n, 0);
  else {
    // Few files in all, so that all rounds take the same time.
    await write(`invented-${round % FILES}`, round % FILES, round);
    await write(`invented-${(round + 1) % FILES}`, (round + 1) % FILES, round);
    await write(`another-${round}`, FILES + (round % 3), round);
    await write(`again-${round}`, (round + 2) % FILES, round - 1);
  }
}

/** A data folder, and a service over it from the first landing to the last. */
class Bench {
  readonly data: DataFolder;
  readonly #syncer: Syncer;
  readonly #cutting: Partial<PartitionPolicy>;
  readonly #database: Database;
  #service: Service | undefined;

  private constructor(data: DataFolder, syncer: Syncer, cutting: Partial<PartitionPolicy>, database: Database) {
    this.data = data;
    this.#syncer = syncer;
    this.#cutting = cutting;
    this.#database = database;
  }

  static async open(syncer: Syncer, cutting: Partial<PartitionPolicy>): Promise<Bench> {
    const data = await DataFolder.empty();
    await data.settings(oneStore());
    await mkdir(paths.work(data.path), { recursive: true });
    return new Bench(data, syncer, cutting, await Database.open());
  }

  async close(): Promise<void> {
    await this.#service?.close();
    this.#database.close();
    await this.data.remove();
  }

  /** Lets a sync finish; returns how long it worked, in milliseconds, and how it derived. */
  async finish(place: string): Promise<{ took: number; manner: string }> {
    const [child, working] = this.#sync();
    const end = ended(child);
    const began = await working.then(() => performance.now());
    const { status, stdout, stderr } = await end;
    if (status !== 0) throw new Error(`${place}: a sync that was not killed failed: ${stderr}`);
    return { took: performance.now() - began, manner: stdout.trim() };
  }

  /**
   * Kills a sync so long after it began to work, or after its process started. Returns how it derived if it had ended
   * before.
   */
  async kill(after: number, whileStarting: boolean, place: string): Promise<string> {
    const [child, working] = this.#sync();
    const end = ended(child);
    if (!whileStarting) await working;
    await sleep(after);
    child.kill("SIGKILL");
    const { signal, status, stdout, stderr } = await end;
    if (signal === "SIGKILL") return "killed";
    if (status !== 0) throw new Error(`${place}: a sync failed before it could be killed: ${stderr}`);
    return stdout.trim();
  }

  /** A sync, and when it begins to work, which is when it creates the folder of unfinished files. */
  #sync(): [ChildProcess, Promise<unknown>] {
    const watcher = watch(paths.work(this.data.path));
    const child = this.#syncer.start(this.data, this.#cutting);
    const working = Promise.race([once(watcher, "change"), once(child, "exit")]).finally(() => watcher.close());
    return [child, working];
  }

  async ask(question: string): Promise<string> {
    this.#service ??= await openService(this.data.config, AURORA);
    const { status, text } = await this.#service.get(question);
    return `${status} ${text}`;
  }

  /** The answers once the service has noticed the finished sync. */
  async cards(isSeen: (answer: string) => boolean, place: string): Promise<string> {
    for (const until = performance.now() + SEEN_MS; performance.now() < until; await sleep(100)) {
      const answer = await this.ask(CARDS);
      if (isSeen(answer)) return answer;
    }
    throw new Error(`${place}: the sync that ended is not seen`);
  }

  /** Asks repeatedly; each answer has to be one of these. */
  poll(allowed: readonly string[] | undefined, place: string): { stop(): Promise<number> } {
    let [on, polls] = [allowed !== undefined, 0];
    const polling = (async () => {
      for (; on; polls++) {
        const answer = await this.ask(CARDS);
        if (!allowed?.includes(answer))
          throw new Error(`${place}: answered what no whole state gives: ${answer.slice(0, 300)}`);
        await sleep(100);
      }
      return polls;
    })();
    polling.catch(() => {});
    return {
      stop: () => {
        on = false;
        return polling;
      },
    };
  }

  async landedFiles(): Promise<string[]> {
    return (await this.data.files("lake")).filter((file) => file.endsWith(".parquet") && !file.startsWith(".work"));
  }

  async everyFileReadable(place: string): Promise<void> {
    const files = await this.landedFiles();
    await this.#database.use(async (session) => {
      for (const file of files) {
        await session
          .rows(`select bit_xor(hash(t)) from read_parquet(${literal(`${this.data.path}/lake/${file}`)}) t`)
          .catch((error) => {
            throw new Error(`${place}: ${file} cannot be read: ${error.message}`);
          });
      }
    });
  }
}

async function same(disturbed: Bench, undisturbed: Bench, cards: string, place: string): Promise<void> {
  const { data } = disturbed;
  const unfinished = (await data.files("marts")).filter((file) => /(^|\/)\./.test(file));
  const left = [...(await data.files("lake/.work")), ...unfinished];
  if (left.length > 0) throw new Error(`${place}: left behind: ${left.join(", ")}`);
  await disturbed.cards((answer) => answer === cards, place);
  for (const question of QUESTIONS) {
    const [is, should] = [await disturbed.ask(question), await undisturbed.ask(question)];
    if (is !== should) {
      const first = [...is].findIndex((character, no) => character !== should[no]);
      const [got, wanted] = [is, should].map((text) => text.slice(Math.max(0, first - 300), first + 300));
      throw new Error(`${place}: ${question} answers at ${first}: …${got}… instead of …${wanted}…`);
    }
  }
}
