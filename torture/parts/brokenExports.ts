import { symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Organization } from "../../src/core/contract/settings.ts";
import { Database, literal } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { lastResults } from "../../src/core/sync/status.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, exportsOf, NOW, SOCIALADS, STOREA, seeded, storeaOrder } from "../../test/support/data.ts";
import { parquet } from "../../test/support/parquet.ts";
import { ANALYSES, answersOf, openService, PROBES } from "../../test/support/service.ts";
import { landedFixtures } from "../../test/support/shared.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { boundedSync, ENGINE_MB, rejectedIn, SECONDS } from "../support/bounded.ts";
import { minutes } from "../support/minutes.ts";
import { startProcess, type Taken } from "../support/process.ts";

/** Random organizations of the fixtures, and the number of poisoned copies of each of their exports. */
const POISONED: Record<Scale, { readonly folders: number; readonly copies: number }> = {
  short: { folders: 1, copies: 2 },
  long: { folders: 12, copies: 20 },
};

/** The number of analyses asked, whose answers broken exports must not change; they may add rows to the lists. */
const ASKED: Record<Scale, number> = { short: 5, long: ANALYSES.length };

/** The fate of a file: it lands with so many rows rejected, or is refused for a reason like this. */
type Verdict = { readonly landed: number; readonly rejected: number } | { readonly refused: RegExp };

interface Broken {
  readonly name: string;
  readonly content: string | Buffer;
  readonly verdict: Verdict;
}

export const brokenExports: Part = {
  name: "broken exports",
  promise:
    "A broken export lands, is rejected row by row, or is refused whole with its reason, in bounded memory, disk and " +
    "time; everything else lands, and another organization's exports wait for it no longer than its deadline.",
  method:
    "Files broken in every known way are mixed with good ones; each must have the fate declared for it, and the " +
    "answers must be those of the good files only. The landed rows of each file are counted in the lake instead of " +
    "taken from the sync's report. Then every export of the fixtures, all of which have landed before, comes with " +
    "random poisoned values: all its rows land or are rejected, no file is refused whole; everything is derived and " +
    "answered. The syncs are separate processes whose memory, disk and time are watched. Last, a service lands for " +
    "two organizations by schedule: one has bombs in three integrations, the other a good export, which must land " +
    "meanwhile; the bombs are refused, and are not read a second time.",
  async run(scale, seed) {
    const { files, ...broken } = await catalogue(scale);
    const fates = { what: "broken files with the fate they should have", value: files.toLocaleString("en-US") };
    const { rows, ...poisoned } = await poison(POISONED[scale], seed);
    const { bombs } = await neighbours();
    const most = (of: keyof Taken): number => Math.ceil(Math.max(broken[of], poisoned[of]));
    return [
      fates,
      ...rows,
      {
        what: "bombs of one organization during the landing of another's good export",
        value: bombs.toLocaleString("en-US"),
      },
      { what: "most memory of a sync", value: `${most("megabytes")} MB` },
      { what: "most that a sync wrote outside the lake", value: `${most("written")} MB` },
      { what: "longest sync", value: `${most("seconds")} s` },
    ];
  },
};

const order = (id: string, more: object = {}): string =>
  JSON.stringify({ ...storeaOrder({ id, value: 10, changed: null }), ...more });
/** An order that does not count, so that the answers stay those of the good files. */
const idle = (id: string, more: object = {}): string => order(id, { status: "canceled", ...more });
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** Files that take seconds to make and to read. */
async function large(scale: Scale): Promise<Broken[]> {
  const longLine = (scale === "long" ? 200 : 40) * 1024 * 1024;
  return [
    { name: "bomb.parquet", content: await parquetBomb(), verdict: { refused: /unpacks to 20,\d+ MB, from 0/ } },
    { name: "rows.parquet", content: await parquet(NO_ROWS), verdict: { refused: /unpacks to 660 MB, from 0/ } },
    { name: "rows.json.gz", content: rowsBomb(), verdict: { refused: /unpacks to more than 256 MB/ } },
    { name: "headings.csv", content: headings(), verdict: { refused: /has 60,001 columns/ } },
    {
      name: "line.ndjson",
      content: `{"orderId":"l","a":"${"a".repeat(longLine)}"}\n${idle("l2")}\n`,
      verdict: { landed: 1, rejected: 1 },
    },
  ];
}

function small(): Broken[] {
  const lands: Verdict = { landed: 1, rejected: 0 };
  const rejects: Verdict = { landed: 0, rejected: 1 };
  const whole = `[${idle("w1")},${idle("w2")}]`;
  return [
    { name: "truncated.json", content: whole.slice(0, -40), verdict: { refused: /ends in the middle of a value/ } },
    {
      name: "truncated.json.gz",
      content: gzipSync(whole).subarray(0, -20),
      verdict: { refused: /gzip data ends early/ },
    },
    { name: "bomb.json.gz", content: bomb(), verdict: { refused: /unpacks to more than 256 MB/ } },
    { name: "utf16.json", content: Buffer.from(`\ufeff${whole}`, "utf16le"), verdict: { refused: /UTF-16/ } },
    { name: "latin1.json", content: Buffer.from(idle("é"), "latin1"), verdict: rejects },
    { name: "mark.json", content: `\ufeff${idle("b1")}`, verdict: lands },
    { name: "deep10.json", content: idle("d10", { more: JSON.parse(deep(10)) }), verdict: lands },
    {
      name: "deep1000.json",
      content: `{"orderId":"d","a":${deep(1000)}}`,
      verdict: { refused: /nested deeper than 500 levels/ },
    },
    { name: "twice.json", content: idle("t").replace("{", '{"orderId":"u",'), verdict: lands },
    { name: "numbersAsText.json", content: idle("n1", { value: "1000" }), verdict: lands },
    { name: "textAsNumbers.json", content: idle("n2", { orderId: 12345, value: "much" }), verdict: rejects },
    { name: "notANumber.json", content: idle("n3").replace('"value":1000', '"value":NaN'), verdict: rejects },
    { name: "year12020.json", content: idle("y", { creationDate: "12020-01-01T00:00:00Z" }), verdict: rejects },
    { name: "missing.json", content: '{"status":"canceled"}', verdict: rejects },
    { name: "extra.json", content: idle("e", { unheardOf: { of: [1, 2] } }), verdict: lands },
    { name: "empty.json", content: "", verdict: { refused: /is empty/ } },
    { name: "blank.json", content: " \n\n ", verdict: { refused: /nothing but white space/ } },
    { name: "nul.json", content: "\0".repeat(3000), verdict: { refused: /is binary data/ } },
    { name: "otherVendor.json", content: '{"data":[{"campaign_id":"1","spend":"3.2"}]}', verdict: rejects },
    {
      name: "otherVendor.csv",
      content: "campaign_id,spend\n1,3.2\n",
      verdict: { refused: /no column that is a field/ },
    },
    { name: "damaged.parquet", content: `PAR1${"x".repeat(200)}PAR1`, verdict: { refused: /no whole Parquet file/ } },
    {
      name: "barCode.json",
      content: idle("q", {
        items: [
          { uniqueId: "q", id: "9", quantity: 789_123_456_789, price: 5000, sellingPrice: 5000, costPrice: 5000 },
        ],
      }),
      verdict: lands,
    },
  ];
}

/** A gigabyte in a megabyte: one text without end. */
const bomb = (): Buffer => repeated('{"orderId":"', Buffer.alloc(10_000_000, "a"), 30);
/** Ten million empty rows. */
const rowsBomb = (): Buffer => repeated("", Buffer.from("{}\n".repeat(1_000_000)), 10);
const NO_ROWS = "select null::varchar as order_id from range(20000000)";
/** A million rows with one text of 20 kB. */
const parquetBomb = (): Promise<Buffer> =>
  parquet("select 'o' as order_id, repeat('a', 20000) as utm_campaign from range(1000000)");
const headings = (): string =>
  `order_id,${Array.from({ length: 60_000 }, (_, n) => `c${n}`).join()}\n${`o${",".repeat(60_000)}\n`.repeat(3)}`;

function repeated(start: string, bytes: Buffer, times: number): Buffer {
  const packed = gzipSync(bytes);
  return Buffer.concat([gzipSync(start), ...Array.from({ length: times }, () => packed)]);
}

async function catalogue(scale: Scale): Promise<{ files: number } & Taken> {
  const data = await landedFixtures();
  try {
    const folder = exportsOf(STOREA, "orders");
    const asked = ANALYSES.slice(0, ASKED[scale]);
    const right = await answersOf(data.config, AURORA, asked);
    const cases = [...small(), ...(await large(scale))];
    for (const { name, content } of cases) await data.write(`${folder}/broken/${name}`, content, new Date(NOW));
    await data.write(`${folder}/broken/folder.json/within.json`, idle("f"), new Date(NOW));
    await writeFile(path.join(data.path, "outside.json"), order("outside"));
    await symlink(path.join(data.path, "outside.json"), path.join(data.path, folder, "broken", "link.json"));
    await data.write(`${exportsOf(SOCIALADS, "campaigns")}/good.json`, '{"data":[]}', new Date(NOW));
    const growing = grow(path.join(data.path, folder, "broken", "growing.json"));
    const { report, taken } = await boundedSync(data);
    await growing.stop();
    const outcome = report.outcomes.find(({ record, integration }) => record === "orders" && integration === STOREA);
    if (!outcome || report.failures.length > 0) throw new Error(`failures: ${JSON.stringify(report.failures)}`);
    if (!failed(report)) throw new Error("the sync said that all is well");
    const refused = new Map(outcome.refused.map(({ file, reason }) => [file, reason]));
    const rejected = await rejectedIn(data, folder);
    const landed = await landedIn(data, "storea/orders", STOREA);
    const fates: Broken[] = [
      ...cases,
      { name: "folder.json/within.json", content: "", verdict: { landed: 1, rejected: 0 } },
      { name: "link.json", content: "", verdict: { refused: /is a link/ } },
    ];
    for (const { name, verdict } of fates) {
      const file = `broken/${name}`;
      const reason = refused.get(file);
      // A refused file has landed nothing, not even its name.
      const isRight =
        "refused" in verdict
          ? reason !== undefined && verdict.refused.test(reason) && !landed.has(file)
          : reason === undefined &&
            landed.get(file) === verdict.landed &&
            (rejected.get(file) ?? 0) === verdict.rejected;
      if (!isRight) {
        const rows = `landed: ${landed.get(file) ?? "none"}; rejected: ${rejected.get(file) ?? 0} rows`;
        throw new Error(`${name}: refused: ${reason}; ${rows}`);
      }
    }
    const expected = sum(fates.map(({ verdict }) => ("landed" in verdict ? verdict.landed : 0)));
    if (outcome.landed !== expected) throw new Error(`${outcome.landed} rows landed by the report, not ${expected}`);
    // A program that rewrites the file empties it first.
    if (
      !/cut short, or still being written|changed while it was read|is empty|nothing but white space/.test(
        refused.get("broken/growing.json") ?? "",
      )
    ) {
      throw new Error(`growing.json: ${refused.get("broken/growing.json")}`);
    }
    const answers = await answersOf(data.config, AURORA, asked);
    const wrong = Object.keys(answers).find((probe) => answers[probe] !== right[probe]);
    if (wrong) throw new Error(`broken exports changed the answer to ${wrong}`);
    return { files: fates.length + 1, ...taken };
  } finally {
    await data.remove();
  }
}

/** A file that is written slowly, for as long as the test needs. */
function grow(file: string): { stop(): Promise<void> } {
  let on = true;
  const writing = (async () => {
    let content = "[";
    for (let n = 0; on; n++) {
      content += `${idle(`g${n}`)},`;
      await writeFile(file, content);
      await utimes(file, new Date(), new Date());
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  return {
    stop: () => {
      on = false;
      return writing;
    },
  };
}

const sum = (all: readonly number[]): number => all.reduce((before, one) => before + one, 0);

/**
 * Rows in the lake by export, including exports that landed no row. A landed file names an export's number in its
 * landing; the rows are counted.
 */
async function landedIn(data: DataFolder, record: string, integration: string): Promise<Map<string, number>> {
  const all = `${data.path}/lake/${record}/organization_id=${AURORA}/${integration}.*.parquet`;
  const database = await Database.open({ threads: 1 });
  try {
    const rows = await database.use((session) =>
      session.rows(
        `with exports as (
            select file_name as filename, unnest(from_json(decode(value), '[{"name": "varchar", "fileNo": "int"}]')) as export
            from parquet_kv_metadata(${literal(all)}) where decode(key) = 'lucra'
          ),
          counted as (
            select filename, _file_no, count(*) as landed from read_parquet(${literal(all)}, filename = true) group by all
          )
          select export.name as name, coalesce(sum(landed), 0)::int as landed
          from exports left join counted on counted.filename = exports.filename and _file_no = export."fileNo"
          group by all`,
      ),
    );
    return new Map(rows.map(({ name, landed }) => [String(name), Number(landed)]));
  } finally {
    database.close();
  }
}

type Pick = <T>(of: readonly T[]) => T;

/** Values that vendors should never send, and raw JSON that can only be kept as text. */
const POISON: readonly unknown[] = [
  ..."| |NaN|Infinity|-Infinity|-0|1,5|R$ 10|1e5|0x10|true|[]|{}|[1|null|'; drop table x; --|12020-01-01T00:00:00Z".split(
    "|",
  ),
  ..."2025-02-30|0000-00-00|2200-12-31T23:59:59.999Z|1900-01-01|2025-01-01T00:00:00+99:00|2024-02-29T23:59:60Z".split(
    "|",
  ),
  ..."9999999999.999999|999999999999.0|9223372036854775807|9223372036854775808|gid://shopify/Order/".split("|"),
  ...[null, true, false, {}, [], [[]], [null], -1, 0, 0.1, 1e308, -1e308, 5e-324, 1e18],
  ...[-9999999999, 999999999999, -999999999999, JSON.parse(deep(10))],
  ...["\0", "a".repeat(20_000), "🙂".repeat(50), "\u202e", "\u2028"],
  ...["1e400", "-0", "123456789012345678901234567890", "1E+5", "NaN", '"\\ud800"'].map((raw) => `@raw:${raw}@`),
];

async function poison(
  { folders, copies }: (typeof POISONED)[Scale],
  seed: number,
): Promise<{ rows: Figure[] } & Taken> {
  const random = seeded(seed);
  const pick: Pick = (of) => of[Math.floor(random() * of.length)] as (typeof of)[number];
  const counts = { files: 0, landed: 0, rejected: 0 };
  const most = { megabytes: 0, written: 0, seconds: 0 };
  // Only rows of the poisoned files are counted below: the others have landed before.
  const clean = await landedFixtures();
  const until = performance.now() + minutes(600) * 60_000;
  try {
    for (let folder = 0; folder < folders && performance.now() < until; folder++) {
      const data = await DataFolder.copyOf(clean);
      try {
        const files = await poisonAll(data, copies, pick);
        counts.files += files;
        const { report, taken } = await boundedSync(data);
        for (const of of Object.keys(most) as (keyof Taken)[]) most[of] = Math.max(most[of], taken[of]);
        const place = `seed ${seed}, folder ${folder}`;
        if (report.failures.length > 0) throw new Error(`${place}: ${JSON.stringify(report.failures)}`);
        const refused = report.outcomes.flatMap((outcome) => outcome.refused);
        if (refused.length > 0) throw new Error(`${place}: refused whole: ${JSON.stringify(refused)}`);
        // Two identical copies under two names both land: neither disappears without a trace.
        const readFiles = sum(report.outcomes.map((outcome) => outcome.files));
        if (readFiles !== files) throw new Error(`${place}: ${readFiles} of ${files} poisoned files were taken`);
        counts.landed += sum(report.outcomes.map(({ landed }) => landed));
        counts.rejected += sum(report.outcomes.map(({ rejected }) => rejected));
        const service = await openService(data.config, AURORA);
        try {
          for (const probe of PROBES) {
            const { status } = await service.get(probe);
            if (status !== 200) throw new Error(`${place}: ${probe} answers ${status}`);
          }
        } finally {
          service.close();
        }
      } finally {
        await data.remove();
      }
    }
  } finally {
    await clean.remove();
  }
  if (counts.landed === 0 || counts.rejected === 0) throw new Error(`seed ${seed}: ${JSON.stringify(counts)}`);
  const rows = Object.entries(counts).map(([what, n]) => ({
    what: what === "files" ? "exports with poisoned values" : `of their rows ${what}`,
    value: n.toLocaleString("en-US"),
  }));
  return { rows, ...most };
}

const NEIGHBOUR = "6a1d3c2f-9b5e-4d48-8f32-8c7e1bad5f21";
const BOMBED = ["a", "b", "c"].map((letter) => `${letter}1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d77`);

const scheduled = (organizationId: string, integrations: readonly string[]): Organization => ({
  organizationId,
  name: "x",
  integrations: integrations.map((id) => ({ id, connector: "storea", name: "x", schedule: "* * * * * *" })),
});

/** An organization whose exports are all bombs is due at the same time as another one. */
async function neighbours(): Promise<{ bombs: number }> {
  const data = await DataFolder.empty();
  try {
    await data.settings(scheduled(AURORA, BOMBED));
    await data.settings(scheduled(NEIGHBOUR, [STOREA]));
    const bombs = { "bomb.json.gz": bomb(), "bomb.parquet": await parquetBomb(), "headings.csv": headings() };
    for (const integration of BOMBED) {
      for (const [name, content] of Object.entries(bombs)) {
        await data.write(`${exportsOf(integration, "orders")}/${name}`, content);
      }
    }
    await data.write(`${exportsOf(STOREA, "orders", NEIGHBOUR)}/good.json`, order("good"));
    const service = await startProcess(data, { LUCRA_MEMORY_LIMIT: `${ENGINE_MB}MB` });
    try {
      const until = performance.now() + SECONDS * 1000;
      while (!(await haveLanded(data))) {
        if (performance.now() > until) throw new Error(`not landed after ${SECONDS} seconds: ${service.said()}`);
        await new Promise((done) => setTimeout(done, 100));
      }
    } finally {
      await service.stop();
    }
    const results = await lastResults(foldersOf(data.path, AURORA));
    const wrong = results.find(({ outcome, records }) => outcome !== "refused" || records[0]?.refused !== 3);
    if (wrong) throw new Error(`the bombs were not refused: ${JSON.stringify(wrong)}`);
    return { bombs: BOMBED.length * Object.keys(bombs).length };
  } finally {
    await data.remove();
  }
}

/** The good export has landed, and no bomb is being read. */
async function haveLanded(data: DataFolder): Promise<boolean> {
  const good = (await data.files("lake")).some((name) => name.includes(NEIGHBOUR) && name.endsWith(".parquet"));
  const bombed = await lastResults(foldersOf(data.path, AURORA));
  return good && bombed.length === BOMBED.length && bombed.every(({ reason }) => /not read again/.test(reason ?? ""));
}

/** Writes so many poisoned copies next to each export; returns how many there are. */
async function poisonAll(data: DataFolder, copies: number, pick: Pick): Promise<number> {
  let files = 0;
  for (const file of (await data.files("exports")).filter((name) => /json/.test(name))) {
    const text = await data.text(`exports/${file}`);
    const documents = isDocument(text) ? [text] : text.trim().split("\n");
    for (let copy = 0; copy < copies; copy++) {
      const made = documents.map((document) => poisoned(document, pick)).join("\n");
      await data.write(`exports/${path.dirname(file)}/poisoned-${files}.json`, made);
      files++;
    }
  }
  return files;
}

function isDocument(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Replaces three values of a document, anywhere below its top; of a table's row any. */
function poisoned(document: string, pick: Pick): string {
  const value: unknown = JSON.parse(document);
  const places: [Record<string, unknown>, string][] = [];
  const walk = (within: Record<string, unknown>, depth: number): void => {
    for (const [key, member] of Object.entries(within)) {
      if (depth > 0) places.push([within, key]);
      if (typeof member === "object" && member !== null) walk(member as Record<string, unknown>, depth + 1);
    }
  };
  walk(value as Record<string, unknown>, 0);
  if (places.length === 0) walk(value as Record<string, unknown>, 1);
  for (let n = 0; n < 3; n++) {
    const [within, key] = pick(places);
    within[key] = structuredClone(pick(POISON));
  }
  return JSON.stringify(value).replaceAll(/"@raw:(.*?)@"/g, (_, raw) => JSON.parse(`"${raw}"`) as string);
}
