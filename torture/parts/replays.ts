import { AURORA, DataFolder, exportsOf, STOREA, seeded, storeaOrder } from "../../test/support/data.ts";
import { answersOf } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";

const SEQUENCES: Record<Scale, number> = { short: 2, long: 1000 };

const YEAR = "startDate=2025-01-01&endDate=2025-12-31";
const QUESTIONS = [
  `/v1/profitability/cards?${YEAR}`,
  "/v1/profitability/cohort?breakBy=produto",
  `/v1/acquisition/channels?${YEAR}`,
  `/v1/acquisition/new-customers?${YEAR}`,
  "/v1/storea/orders?limit=5000",
  "/v1/storea/orders/items?limit=5000",
];

const ORDERS = 12;
const VERSIONS = 3;

/** Every version of each order, by the vendor's own time of change. */
const HISTORY: readonly (readonly Record<string, unknown>[])[] = Array.from({ length: ORDERS }, (_, n) =>
  Array.from({ length: VERSIONS }, (_, version) =>
    storeaOrder({
      id: `o${n}`,
      value: 10 * n + version + 1,
      at: new Date(Date.UTC(2025, n % 6, 1 + n)).toISOString(),
      changed: new Date(Date.UTC(2025, 6, 1 + version, n)).toISOString(),
      email: `customer${n % 4}@example.com`,
      items: 1 + ((n + version) % 3),
    }),
  ),
);

export const replays: Part = {
  name: "replays",
  promise: "However the same exports come, repeated, reordered, split, overlapping or late, the answers are the same.",
  method:
    "Three versions of each order are spread over random files: some of them in several files, some files again under " +
    "another name or packed in another order, older versions after newer ones, over one to four syncs. The answers " +
    "must be those of one file that holds everything.",
  async run(scale, seed) {
    const right = await answersAfter([[HISTORY.flat()]]);
    const counts = { files: 0, syncs: 0 };
    for (let sequence = 0; sequence < SEQUENCES[scale]; sequence++) {
      const syncs = replay(seeded(seed + sequence));
      counts.syncs += syncs.length;
      counts.files += syncs.flat().length;
      const answers = await answersAfter(syncs);
      const wrong = QUESTIONS.find((question) => answers[question] !== right[question]);
      if (wrong) {
        throw new Error(`seed ${seed + sequence}: ${wrong} answers ${answers[wrong]} instead of ${right[wrong]}`);
      }
    }
    return [
      { what: "random sequences with the same answers", value: SEQUENCES[scale].toLocaleString("en-US") },
      { what: "files in them", value: counts.files.toLocaleString("en-US") },
      { what: "syncs", value: counts.syncs.toLocaleString("en-US") },
    ];
  },
};

type File = readonly Record<string, unknown>[];

/** The files of each sync: together they hold every version of every order at least once. */
function replay(random: () => number): File[][] {
  const below = (most: number): number => Math.floor(random() * most);
  const shuffled = <T>(of: readonly T[]): T[] =>
    of
      .map((one) => ({ one, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  const files: Record<string, unknown>[][] = Array.from({ length: 1 + below(6) }, () => []);
  for (const order of HISTORY.flat()) {
    for (let times = 1 + below(2); times > 0; times--) files[below(files.length)]?.push(order);
  }
  const again = files.filter(() => random() < 0.4).map((file) => file.filter(() => random() < 0.7));
  const all = shuffled([...files, ...again].map(shuffled)).filter((file) => file.length > 0);
  const syncs: File[][] = Array.from({ length: 1 + below(4) }, () => []);
  for (const file of all) syncs[below(syncs.length)]?.push(file);
  return syncs;
}

async function answersAfter(syncs: readonly (readonly File[])[]): Promise<Record<string, string>> {
  const data = await DataFolder.empty();
  try {
    await data.settings({
      organizationId: AURORA,
      name: "x",
      integrations: [{ id: STOREA, connector: "storea", name: "x" }],
      margin: { items: { costOfGoods: "orders" } },
    });
    for (const [sync, files] of syncs.entries()) {
      for (const [n, file] of files.entries()) {
        const name = `${exportsOf(STOREA, "orders")}/${sync}-${n}.json`;
        await data.write(name, JSON.stringify(file), new Date(Date.UTC(2025, 7, 1 + sync, n)));
      }
      const { failures } = await data.sync();
      if (failures.length > 0) throw new Error(JSON.stringify(failures));
    }
    return await answersOf(data.config, AURORA, QUESTIONS, Number.POSITIVE_INFINITY);
  } finally {
    await data.remove();
  }
}
