import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, oneStore, STOREA, seeded, storeaOrder } from "../../test/support/data.ts";
import { answersOf } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";

const SEQUENCES: Record<Scale, number> = { short: 2, long: 1000 };
/** So many sequences land in one folder, each with its own orders: a sync takes the files of all of them. */
const TOGETHER = 40;

const YEAR = "startDate=2025-01-01&endDate=2025-12-31";
/** Some endpoints refuse a period that is not yet over. */
const ITS_END = "2025-12-31T12:00:00.000Z";
const ORDERS_ASKED = "/v1/storea/orders?limit=5000";
const QUESTIONS = [
  `/v1/profitability/cards?${YEAR}`,
  "/v1/profitability/cohort?breakBy=produto",
  `/v1/acquisition/channels?${YEAR}`,
  `/v1/acquisition/new-customers?${YEAR}`,
  ORDERS_ASKED,
  "/v1/storea/orders/items?limit=5000",
];

const ORDERS = 12;
const VERSIONS = 3;
const worth = (n: number, version: number): number => 10 * n + version + 1;

/** Every version of each order of a sequence, by the vendor's own time of change. */
const historyOf = (no: number): readonly Record<string, unknown>[] =>
  Array.from({ length: ORDERS * VERSIONS }, (_, place) => {
    const [n, version] = [Math.floor(place / VERSIONS), place % VERSIONS];
    return storeaOrder({
      id: `${no}-${n}`,
      value: worth(n, version),
      at: new Date(Date.UTC(2025, n % 6, 1 + n, 0, no)).toISOString(),
      changed: new Date(Date.UTC(2025, 6, 1 + version, n)).toISOString(),
      // Some customers buy in several sequences.
      email: `customer${(n % 4) + (no % 3)}@example.com`,
      items: 1 + ((n + version) % 3),
    });
  });

export const replays: Part = {
  name: "replays",
  promise: "The same exports give the same answers, even if they are repeated, reordered, split, overlapping or late.",
  method:
    "Three versions of each order are spread over random files: some are in several files, some files come again " +
    "under another name or packed in another order, older versions come after newer ones, over one to four syncs. The " +
    "answers must equal, to the byte, those of one file that holds everything. Forty sequences land in one folder at " +
    "a time, each with its own orders, which the answers list one by one: a sync takes the files of all of them.",
  async run(scale, seed) {
    const counts = { files: 0, syncs: 0 };
    const together = Math.min(TOGETHER, SEQUENCES[scale]);
    const { answers: right } = await answersAfter(Array.from({ length: together }, (_, no) => [[historyOf(no)]]));
    expectNewest(right[ORDERS_ASKED] ?? "", together);
    for (let first = 0; first < SEQUENCES[scale]; first += together) {
      const sequences = Array.from({ length: together }, (_, no) => replay(historyOf(no), seeded(seed + first + no)));
      counts.files += sequences.flat(2).length;
      const { answers, syncs } = await answersAfter(sequences);
      counts.syncs += syncs;
      const wrong = QUESTIONS.find((question) => answers[question] !== right[question]);
      if (wrong) throw new Error(`seed ${seed + first}: ${wrong} ${difference(answers[wrong], right[wrong])}`);
    }
    return [
      { what: "random sequences with the same answers", value: SEQUENCES[scale].toLocaleString("en-US") },
      { what: "files in them", value: counts.files.toLocaleString("en-US") },
      { what: `syncs, each of up to ${together} of them`, value: counts.syncs.toLocaleString("en-US") },
    ];
  },
};

type File = readonly Record<string, unknown>[];
/** The files of each sync. */
type Sequence = readonly (readonly File[])[];

/** The files of each sync: together they hold every version of every order at least once. */
function replay(history: File, random: () => number): File[][] {
  const below = (most: number): number => Math.floor(random() * most);
  const shuffled = <T>(of: readonly T[]): T[] =>
    of
      .map((one) => ({ one, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  const files: Record<string, unknown>[][] = Array.from({ length: 1 + below(6) }, () => []);
  for (const order of history) {
    for (let times = 1 + below(2); times > 0; times--) files[below(files.length)]?.push(order);
  }
  const again = files.filter(() => random() < 0.4).map((file) => file.filter(() => random() < 0.7));
  const all = shuffled([...files, ...again].map(shuffled)).filter((file) => file.length > 0);
  const syncs: File[][] = Array.from({ length: 1 + below(4) }, () => []);
  for (const file of all) syncs[below(syncs.length)]?.push(file);
  return syncs;
}

interface After {
  readonly answers: Record<string, string>;
  readonly syncs: number;
}

/** The answers after all syncs of all sequences. */
async function answersAfter(sequences: readonly Sequence[]): Promise<After> {
  const data = await DataFolder.empty({ LUCRA_NOW: ITS_END });
  try {
    await data.settings(oneStore());
    const syncs = Math.max(...sequences.map(({ length }) => length));
    for (let step = 0; step < syncs; step++) {
      for (const [no, sequence] of sequences.entries()) {
        for (const [n, file] of (sequence[step] ?? []).entries()) {
          const modified = new Date(Date.UTC(2025, 7, 1 + step, n));
          await data.write(`${exportsOf(STOREA, "orders")}/${step}-${no}-${n}.json`, JSON.stringify(file), modified);
        }
      }
      const report = await data.sync();
      if (failed(report)) throw new Error(JSON.stringify(report));
    }
    return { answers: await answersOf(data.config, AURORA, QUESTIONS, Number.POSITIVE_INFINITY), syncs };
  } finally {
    await data.remove();
  }
}

/**
 * The reference answers show every order of every sequence in its last version, so that a fault in any of them is seen.
 */
function expectNewest(answer: string, sequences: number): void {
  const { data } = JSON.parse(answer.replace(/^200 /, "")) as { data: readonly { order_id: string; value: number }[] };
  const values = new Map(data.map(({ order_id, value }) => [order_id, value]));
  for (let no = 0; no < sequences; no++) {
    for (let n = 0; n < ORDERS; n++) {
      const [is, should] = [values.get(`${no}-${n}`), worth(n, VERSIONS - 1)];
      if (is !== should) throw new Error(`order ${no}-${n} of one file has the value ${is}, not ${should}`);
    }
  }
  if (data.length !== sequences * ORDERS) throw new Error(`${data.length} orders are shown, not ${sequences * ORDERS}`);
}

/** Where two answers differ. */
function difference(is = "", should = ""): string {
  const at = [...is].findIndex((letter, n) => letter !== should[n]);
  const around = (text: string): string => text.slice(Math.max(0, at - 100), at + 100);
  return `has ${around(is)} where it should have ${around(should)}`;
}
