import type { RecordDeclaration } from "../../src/contract/record.ts";
import type { Organization } from "../../src/contract/settings.ts";
import { Database } from "../../src/engine/database.ts";
import { landRecord } from "../../src/landing/land.ts";
import { exportedBy } from "../../src/records/index.ts";
import { failed, sync } from "../../src/sync.ts";
import { DataFolder, exportsOf, seeded, storeaOrder } from "../../test/support/data.ts";
import { openService, type Service } from "../../test/support/service.ts";
import type { Part, Scale } from "../part.ts";
import { oneStore } from "../support/store.ts";

const SEQUENCES: Record<Scale, number> = { short: 2, long: 1000 };
/** So many sequences are landed side by side, each as an organization of its own. */
const TOGETHER = 50;
/** Of the syncs before the last of a sequence so many derive, too. */
const SYNCED = 0.1;

const YEAR = "startDate=2025-01-01&endDate=2025-12-31";
const QUESTIONS = [
  `/v1/profitability/cards?${YEAR}`,
  "/v1/profitability/cohort?breakBy=produto",
  `/v1/acquisition/channels?${YEAR}`,
  `/v1/acquisition/new-customers?${YEAR}`,
  "/v1/storea/orders?limit=5000",
  "/v1/storea/orders/items?limit=5000",
];

const ORDERS_RECORD = exportedBy("storea").find(({ name }) => name === "orders") as RecordDeclaration;
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
    "must be those of one file that holds everything, to the byte.",
  async run(scale, seed) {
    const counts = { files: 0, syncs: 0 };
    const together = Math.min(TOGETHER, SEQUENCES[scale]);
    const right = await answersAfter(
      Array.from({ length: together }, () => [[HISTORY.flat()]]),
      () => 0,
    );
    for (let first = 0; first < SEQUENCES[scale]; first += together) {
      const count = Math.min(together, SEQUENCES[scale] - first);
      const seeds = Array.from({ length: count }, (_, n) => seed + first + n);
      const sequences = seeds.map((one) => replay(seeded(one)));
      counts.syncs += sequences.flat(1).length;
      counts.files += sequences.flat(2).length;
      for (const [n, answers] of (await answersAfter(sequences, seeded(seed + first))).entries()) {
        const wrong = QUESTIONS.find((question) => answers[question] !== right[n]?.[question]);
        if (wrong) throw new Error(`seed ${seeds[n]}: ${wrong} ${difference(answers[wrong], right[n]?.[wrong])}`);
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
/** The files of each sync. */
type Sequence = readonly (readonly File[])[];

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

/** Of each sequence the answers, after all its syncs: an organization each, in one data folder. */
async function answersAfter(sequences: readonly Sequence[], random: () => number): Promise<Record<string, string>[]> {
  const data = await DataFolder.empty();
  try {
    const everyone = sequences.map((_, no) => oneStore(organization(no), store(no)));
    for (const settings of everyone) await data.settings(settings);
    const last = Math.max(...sequences.map(({ length }) => length)) - 1;
    for (let step = 0; step <= last; step++) {
      for (const [no, syncs] of sequences.entries()) await writeFiles(data, no, step, syncs[step] ?? []);
      // What is derived in between is derived anew by the next sync: most only land, which takes a tenth of the time.
      const synced = everyone.filter(() => step === last || random() < SYNCED);
      const report = await sync(data.config, { organizations: synced });
      if (failed(report)) throw new Error(JSON.stringify(report));
      await landOnly(
        data,
        everyone.filter((settings) => !synced.includes(settings)),
      );
    }
    const service = await openService(data.config, organization(0));
    try {
      const answers: Record<string, string>[] = [];
      for (const no of sequences.keys()) answers.push(await asked(service, no));
      return answers;
    } finally {
      await service.close();
    }
  } finally {
    await data.remove();
  }
}

async function writeFiles(data: DataFolder, no: number, step: number, files: readonly File[]): Promise<void> {
  const folder = exportsOf(store(no), ORDERS_RECORD.name, organization(no));
  for (const [n, file] of files.entries()) {
    const modified = new Date(Date.UTC(2025, 7, 1 + step, n));
    await data.write(`${folder}/${step}-${n}.json`, JSON.stringify(file), modified);
  }
}

/** As a sync does, but nothing is derived. */
async function landOnly({ config }: DataFolder, organizations: readonly Organization[]): Promise<void> {
  const database = await Database.open({ memoryLimit: config.memoryLimit, threads: config.threads });
  try {
    for (const { organizationId, integrations = [] } of organizations) {
      for (const integration of integrations) {
        const place = { dataDir: config.dataDir, organization: organizationId, integration, record: ORDERS_RECORD };
        const { outcome, failures } = await landRecord(database, place, config.now(), () => {});
        if (failures.length + outcome.refused.length + outcome.rejected > 0)
          throw new Error(JSON.stringify([failures, outcome]));
      }
    }
  } finally {
    database.close();
  }
}

const organization = (no: number): string => `0f000000-0000-4000-8000-${String(no).padStart(12, "0")}`;
const store = (no: number): string => `0f000000-0000-4000-9000-${String(no).padStart(12, "0")}`;

/** Where two answers part. */
function difference(is = "", should = ""): string {
  const at = [...is].findIndex((letter, n) => letter !== should[n]);
  const around = (text: string): string => text.slice(Math.max(0, at - 100), at + 100);
  return `has ${around(is)} where it should have ${around(should)}`;
}

/** The answers to the questions. */
async function asked(service: Service, no: number): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const question of QUESTIONS) {
    const { status, text } = await service.get(question, organization(no));
    answers[question] = `${status} ${text}`;
  }
  return answers;
}
