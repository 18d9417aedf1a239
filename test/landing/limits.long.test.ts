import { appendFile, mkdir, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { Database } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { paths } from "../../src/core/files/paths.ts";
import { FileError } from "../../src/core/landing/bytes/scan.ts";
import { landRecord } from "../../src/core/landing/land.ts";
import { exported } from "../../src/core/records/index.ts";
import { lastResults } from "../../src/core/sync/status.ts";
import type { SyncReport } from "../../src/core/sync/sync.ts";
import { AURORA, DataFolder, ended, exportsOf, oneStore, STOREA, storeaOrder } from "../support/data.ts";
import { land, type Reject } from "../support/landing.ts";
import { landed, ROWS, refusal } from "../support/limits.ts";
import { parquet } from "../support/parquet.ts";

const FOLDER = exportsOf(STOREA, "orders");

const reasons = ({ outcomes }: SyncReport): string[] =>
  outcomes.flatMap(({ refused }) => refused.map(({ file, reason }) => `${file} ${reason}`));

describe("The cost of an export", function () {
  this.timeout(120_000);

  describe("as Parquet", () => {
    it("is measured by its unpacked size, whatever its columns are", async () => {
      const text = "repeat('a', 20000)";
      const bombs: Record<string, string> = {
        text: `${ROWS}, ${text} as utm_campaign`,
        blob: `${ROWS}, ${text}::blob as utm_campaign`,
        list: `${ROWS}, ['b', ${text}] as items`,
        struct: `${ROWS}, {a: 1, b: {c: ${text}}} as other`,
        map: `${ROWS}, map {'a': [${text}]} as other`,
        name: `${ROWS}, list_transform(range(100), lambda n: {${"n".repeat(300)}: 1}) as items`,
        null: `${ROWS}, case when range % 2 = 0 then ${text} end as utm_campaign`,
      };
      for (const [name, columns] of Object.entries(bombs)) {
        const content = await parquet(`select ${columns} from range(50000)`);
        expect(content.length, name).to.be.below(400_000);
        expect(await refusal("bomb.parquet", content), name).to.match(
          /^unpacks to (1,[05]|5)\d\d MB, from 0\.\d+ MB: at most 100 times its size is read, or 256 MB where/,
        );
      }
    });

    it("lands with columns that are named like those that the reader adds", async () => {
      for (const name of ["file_row_number", "FILE_ROW_NUMBER", "filename", "file_index", "columns"]) {
        const content = await parquet(`select ${ROWS}, {file_row_number: -range} as ${name} from range(5000)`);
        const { rows, outcome } = await land("storea", "orders", { [`${name}.parquet`]: content });
        expect(outcome.refused, name).to.deep.equal([]);
        expect(rows.map((row) => row.order_id)).to.deep.equal(Array.from({ length: 5000 }, (_, n) => `o${n}`));
        expect(rows.map((row) => row._position)).to.deep.equal(Array.from({ length: 5000 }, (_, n) => String(n + 1)));
      }
    });

    it("is measured by its footer if that is enough, also packed", async () => {
      const rows = await parquet("select null::varchar as order_id from range(20000000)");
      expect(await refusal("rows.parquet", rows)).to.match(/^unpacks to 660 MB, from 0\.\d+ MB/);
      expect(await refusal("rows.parquet.gz", gzipSync(rows))).to.match(/^unpacks to 660 MB, from 0\.\d+ MB/);
    });

    it("has a limit of nested levels, which the engine would follow until it crashes", async () => {
      const nested = (levels: number): Promise<Buffer> =>
        parquet(`select ${ROWS}, ${"{a: ".repeat(levels)}1${"}".repeat(levels)} as other from range(1)`);
      expect(await landed(await nested(20))).to.equal(1);
      expect(await refusal("deep.parquet", await nested(80))).to.match(/^has columns of more than 64 nested levels/);
    });

    it("has a limit of what its footer describes", async () => {
      const empty = Array.from({ length: 300 }, (_, n) => `null::int as c${n}`).join(", ");
      const groups = await parquet(`select ${ROWS}, ${empty} from range(400000)`, ", row_group_size 2048");
      expect(await refusal("footer.parquet", groups)).to.match(/^has a footer of \d MB, and at most 2 MB are read/);
    });

    it("is accepted if names repeat, columns are empty, or lists are long", async () => {
      const names = "'Casa e Cozinha > Utensilios > Panelas e Frigideiras ' || range % 30";
      const empty = Array.from({ length: 100 }, (_, n) => `null::varchar as empty_${n}`).join(", ");
      expect(await landed(await parquet(`select ${ROWS}, ${names} as utm_campaign from range(30000)`))).to.equal(
        30_000,
      );
      expect(await landed(await parquet(`select ${ROWS}, ${empty} from range(30000)`))).to.equal(30_000);
      const items = "list_transform(range(100), lambda n: {id: n::varchar, quantity: 1})";
      expect(await landed(await parquet(`select ${ROWS}, ${items} as items from range(500)`))).to.equal(500);
    });
  });

  it("has a limit of rows that cannot land, reported with the first of them", async () => {
    const short = `order_id,value\n${"x\n".repeat(250_001)}`;
    expect(await refusal("short.csv", short)).to.match(
      /^has more than 250,000 rows that cannot land, the first at 1 \(1 columns under 2 headings\)/,
    );
    // A status and a log must not hold what may be an e-mail.
    const shifted = `order_id,creation_date\n${"o,ana@example.com\n".repeat(250_001)}`;
    const reason = await refusal("shifted.csv", shifted);
    expect(reason).to.match(
      /^has more than 250,000 rows that cannot land, the first at 1 \(value: missing; creation_date: a value is not/,
    );
    expect(reason).to.not.include("ana@example.com");
    const missing = gzipSync(`{"orderId":"o"}\n${"{}\n".repeat(250_001)}`);
    expect(await refusal("missing.json.gz", missing)).to.match(
      /^has more than 250,000 rows that cannot land, the first at 1 \(.*creation_date: missing/,
    );
  });

  it("has a limit of columns, which is checked before the rows are read", async () => {
    const names = Array.from({ length: 60_000 }, (_, n) => `c${n}`);
    const table = `order_id,value,creation_date,${names.join()}\no,1,2025-01-01${",".repeat(names.length)}\n`;
    expect(await refusal("wide.csv", table)).to.match(/^has 60,003 columns, and at most 2,000 are read/);
    const columns = names.slice(0, 2000).map((name) => `1 as ${name}`);
    const wide = await parquet(`select ${ROWS}, ${columns.join()} from range(3)`);
    expect(await refusal("wide.parquet", wide)).to.match(/^has 2,003 columns, and at most 2,000 are read/);
    expect(await landed(await parquet(`select ${ROWS}, ${columns.slice(0, 300).join()} from range(3)`))).to.equal(3);
  });

  it("has a limit of a column's name, which a short row would repeat", async () => {
    const table = (length: number): string =>
      `order_id,${"\u0001".repeat(length)},value,creation_date\n${"o,,1,2025-01-01\n".repeat(500)}`;
    expect(await refusal("heading.csv.gz", gzipSync(table(1_040_000)))).to.equal(
      "CSV: the name of column 2 has 1,040,000 bytes, and at most 300 are read: shorten it",
    );
    expect(await landed(table(300))).to.equal(500);
  });

  it("has a limit of what its rows and contexts become as JSON", async () => {
    const row = `o,${"\u0001".repeat(1_000_000)},1,2025-01-01\n`;
    const table = gzipSync(`order_id,utm_campaign,value,creation_date\n${row.repeat(45)}`);
    expect(await refusal("control.csv.gz", table)).to.match(
      /^has rows that become more than 258 MB as JSON, from 0\.\d+ MB: at most 100 times its size is written, or 256 MB/,
    );
  });

  it("has a limit of context next to rows that is looked up for each", async () => {
    const report = (fields: number): string =>
      JSON.stringify({
        fieldMask: Array.from({ length: fields }, (_, n) => `metrics.m${n}`).join(),
        results: Array.from({ length: 20_000 }, () => ({})),
      });
    const { outcome } = await land("searchads", "campaigns", {
      "large.json": report(10_000),
      "good.json": report(1000),
    });
    expect(outcome.refused).to.deep.equal([
      { file: "large.json", reason: "has a fieldMask of 0.139 MB, and at most 0.016 MB are read" },
    ]);
    expect(outcome.rejected).to.equal(20_000);
  });

  it("has a limit of listed rejects, after which rows are counted by reason", async () => {
    const note = "x".repeat(3_000);
    const rows = Array.from({ length: 6000 }, (_, n) =>
      n % 3 === 0 ? `{"n":${n},"note":"${note}"}` : `{"orderId":"${n}`,
    );
    const text = `${rows.join("\n")}\n`;
    const half = Buffer.concat([Buffer.from('{"orderId":"\u0001"}\n'), Buffer.from([0x22, 0, 0xe9, 0x0a])]);
    const files = {
      "many.json": Buffer.concat([Buffer.from(text), half]),
      "one.json": Buffer.from('{"orderId":"\0\xe9"}', "latin1"),
    };
    const { outcome, rejects, bytes } = await land("storea", "orders", files);
    expect([outcome.rejected, outcome.landed]).to.deep.equal([6003, 0]);
    const one = { file: "one.json", position: 1, reason: "not UTF-8 text", row: '{"orderId":"\0\xe9"}' };
    expect(rejects.filter(({ file }) => file === "one.json")).to.deep.equal([one]);
    const listed = rejects.filter(({ file, unlisted }) => file === "many.json" && !unlisted);
    expect(listed.map(({ position }) => position)).to.deep.equal(listed.map((_, n) => n + 1));
    const { unlisted, ...last } = rejects.find((reject) => reject.unlisted) as Reject;
    const left = 6002 - listed.length;
    expect(last).to.deep.equal({
      file: "many.json",
      position: null,
      reason: `${left.toLocaleString("en-US")} more rows were rejected and are not listed`,
      row: null,
    });
    expect(unlisted?.rows).to.equal(left);
    const { reasons: kinds = {} } = unlisted ?? {};
    expect(Object.keys(kinds)).to.have.members([
      "order_id: missing; creation_date: missing; value: missing",
      "not a JSON object",
      "not UTF-8 text",
    ]);
    expect(Object.values(kinds).reduce((sum, n) => sum + n, 0)).to.equal(left);
    expect(bytes).to.be.within(3_900_000, 4_100_000);
  });

  it("is accepted for many versions of one object with many children, in bounded memory", async () => {
    const versions = Array.from({ length: 4000 }, (_, n) => `{"id":"gid://shopify/InventoryItem/1","n":${n}}`);
    const children = versions.map((_, n) => `{"id":"l${n}","__parentId":"gid://shopify/InventoryItem/1"}`);
    const { outcome } = await land("storeb", "inventory", { "b.jsonl": [...versions, ...children].join("\n") });
    expect([outcome.landed + outcome.rejected, outcome.refused]).to.deep.equal([4000, []]);
  });
});

describe("A damaged Parquet file", function () {
  this.timeout(120_000);

  it("that makes the engine unusable is refused, and the files after it land", async () => {
    const damaged = await parquet(`select ${ROWS}, range::variant as other from range(3)`);
    // The schema in the footer names the parts of a variant column. With another name the engine has an internal error.
    const footer = damaged.length - 8 - damaged.readUInt32LE(damaged.length - 8);
    const name = damaged.indexOf("metadata", footer);
    expect(name).to.be.above(0);
    damaged.write("n", name);
    const good = JSON.stringify(storeaOrder({ id: "good", value: 1 }));
    const { outcome } = await land("storea", "orders", { "a.parquet": damaged, "b.json": good });
    expect(outcome.refused.map(({ file }) => file)).to.deep.equal(["a.parquet"]);
    expect(outcome.refused[0]?.reason).to.match(/^is no whole Parquet file \(INTERNAL Error/);
    expect(outcome.landed).to.equal(1);
  });
});

describe("A sparse Parquet file", function () {
  this.timeout(120_000);

  it("is refused before it is copied if its footer does not describe its size; a good one next to it lands", async () => {
    const data = await DataFolder.empty();
    try {
      await data.settings(oneStore());
      const good = await parquet(`select ${ROWS} from range(3)`);
      await data.write(`${FOLDER}/a-cut.parquet`, "PAR1");
      await truncate(path.join(data.path, FOLDER, "a-cut.parquet"), 3e9);
      await data.write(`${FOLDER}/b-hole.parquet`, "PAR1");
      const hole = path.join(data.path, FOLDER, "b-hole.parquet");
      await truncate(hole, 3e9);
      await appendFile(hole, good.subarray(-8 - good.readUInt32LE(good.length - 8)));
      await data.write(`${FOLDER}/c.parquet`, good);
      const { outcomes } = await data.sync();
      expect(outcomes.map(({ landed: rows }) => rows)).to.deep.equal([3]);
      expect(outcomes.flatMap(({ refused }) => refused.map(({ reason }) => reason))).to.deep.equal([
        "is no whole Parquet file (its footer is cut)",
        "is no whole Parquet file (it has 3,000 MB, and its footer describes 0 MB)",
      ]);
    } finally {
      await data.remove();
    }
  });
});

describe("The reason of a refused file", function () {
  this.timeout(120_000);

  it("is short and names the place, whatever the value there is", async () => {
    const value = "\u0001".repeat(5_000_000);
    const table = gzipSync(`order_id,value,creation_date\n1,2,2025-01-01\n${value}"x,10,2025-03-01\n`);
    expect(await refusal("quote.csv.gz", table)).to.equal(
      "CSV: line 3, column 1: a quote in a value that does not begin with one",
    );
    expect(await refusal("text.csv", 'order_id,email\n1,"a@b.br"x\n')).to.equal(
      "CSV: line 2, column 2: text after the closing quote of a value",
    );
    expect(await refusal("open.csv", 'order_id,email\n1,"a@b.br')).to.match(
      /^CSV: line \d, column 2: a quote is never closed$/,
    );
  });

  it("contains no value of a row, even one with quotes and line ends", async () => {
    for (const value of ["ana@example.com Joao~", 'ana@example.com\n"Joao~', "'\nana@example.com Joao~"]) {
      const column = `'${value.replaceAll("'", "''")}' || range as email`;
      const damaged = await parquet(`select ${ROWS}, ${column} from range(3)`, ", compression uncompressed");
      for (let at = damaged.indexOf("Joao~"); at >= 0; at = damaged.indexOf("Joao~", at + 1)) damaged[at + 4] = 0xff;
      const reason = await refusal("utf8.parquet", damaged);
      expect(reason).to.match(/^is no whole Parquet file \(Invalid Input Error: .*Invalid string encoding/);
      expect(reason).to.not.match(/ana@example|Joao/);
    }
  });

  it("is cut if it is long", () => {
    expect(new FileError("x".repeat(10_000)).message).to.have.lengthOf(501);
  });
});

describe("A file for which there is no room", function () {
  this.timeout(120_000);

  it("is named, and the others land, wherever it is among them", async () => {
    const data = await DataFolder.empty();
    try {
      await data.settings(oneStore());
      const order = (id: string): string => JSON.stringify(storeaOrder({ id, value: 1 }));
      const large = `${order("large")}\n`.repeat(20_000);
      for (const [n, name] of ["a", "large-1", "b", "large-2", "c"].entries()) {
        const modified = new Date(Date.UTC(2025, 2, 1 + n));
        await data.write(`${FOLDER}/${name}.json`, name.startsWith("large") ? large : order(name), modified);
      }
      const { status, stderr } = await ended(data.start(["sync"], {}, "ulimit -f 2000"));
      expect(status).to.equal(1);
      const failed = stderr.split("\n").filter((line) => line.startsWith("failed: "));
      expect(failed).to.have.lengthOf(2);
      for (const n of [1, 2])
        expect(failed[n - 1])
          .to.match(new RegExp(`/orders.*large-${n}\\.json`))
          .and.contain("EFBIG: file too large");
      const { outcomes } = await data.sync();
      expect(outcomes.map(({ files, landed: rows }) => [files, rows])).to.deep.equal([[2, 40_000]]);
    } finally {
      await data.remove();
    }
  });
});

describe("The name of an export", () => {
  it("is reported and not read if it is too long or not UTF-8", async () => {
    const data = await DataFolder.empty();
    try {
      await data.settings(oneStore());
      await data.write(`${FOLDER}/good.json`, JSON.stringify([storeaOrder({ id: "a", value: 1 })]));
      await data.write(`${FOLDER}/${"n".repeat(200)}/${"n".repeat(200)}/${"n".repeat(200)}.json`, "[]");
      const folder = path.join(data.path, FOLDER);
      await writeFile(
        Buffer.concat([Buffer.from(`${folder}/relat`), Buffer.from([0xf3]), Buffer.from("rio.json")]),
        "[]",
      );
      const { outcomes } = await data.sync();
      expect(outcomes.map(({ landed: rows }) => rows)).to.deep.equal([1]);
      const refused = outcomes.flatMap((outcome) => outcome.refused.map(({ reason }) => reason));
      expect(refused).to.have.members([
        "its name, with its folders, is longer than 500 characters: rename it",
        "its name is not UTF-8: rename it",
      ]);
    } finally {
      await data.remove();
    }
  });
});

describe("A file that costs too much", function () {
  this.timeout(120_000);
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.settings(oneStore());
  });

  afterEach(() => data.remove());

  const touch = (name: string): Promise<void> =>
    utimes(path.join(data.path, FOLDER, name), new Date(), new Date("2025-03-03T00:00:00Z"));

  it("is reported at every sync and read again only once it is touched or replaced; other files land", async () => {
    const bomb = await parquet(`select ${ROWS}, repeat('a', 20000) as utm_campaign from range(50000)`);
    await data.write(`${FOLDER}/bomb.parquet`, bomb, new Date("2025-03-01T00:00:00Z"));
    await data.write(`${FOLDER}/good.json`, JSON.stringify(storeaOrder({ id: "good", value: 1 })));
    const first = await data.sync();
    expect(reasons(first).join()).to.match(/^bomb.parquet unpacks to 1,0\d\d MB[^(]*$/);
    expect(first.outcomes[0]?.landed).to.equal(1);
    const read: string[] = [];
    const again = await data.sync(undefined, ({ file }) => read.push(file));
    expect(reasons(again)).to.deep.equal([`${reasons(first)[0]} (not read again until it changes or is touched)`]);
    expect(read).to.deep.equal([]);
    await touch("bomb.parquet");
    const touched = await data.sync(undefined, ({ file }) => read.push(file));
    expect([reasons(touched), read]).to.deep.equal([reasons(first), ["bomb.parquet"]]);
    await data.write(`${FOLDER}/bomb.parquet`, await parquet(`select ${ROWS} from range(7)`));
    expect((await data.sync()).outcomes[0]?.landed).to.equal(7);
  });

  it("is remembered in a line of its own; the report lists a hundred and counts the others", async () => {
    const names = Array.from({ length: 300 }, (_, n) => `${1000 + n}.csv`);
    const headings = Array.from({ length: 2100 }, (_, n) => `c${n}`).join();
    for (const name of names) await data.write(`${FOLDER}/${name}`, `order_id,${headings}\n`, new Date("2025-03-01"));
    const first = await data.sync();
    const count = ({ outcomes: [outcome] }: SyncReport): unknown => [outcome?.refused.length, outcome?.refusedMore];
    expect(count(first)).to.deep.equal([100, 200]);
    const [result] = await lastResults(foldersOf(data.path, AURORA));
    expect([result?.outcome, result?.records[0]?.refused]).to.deep.equal(["refused", 300]);
    expect(result?.reason).to.match(/\(and 299 more\)$/);
    const list = `status/${AURORA}/refused/${STOREA}.orders.jsonl`;
    const lines = (await data.text(list)).split("\n");
    expect(lines.slice(0, -1).map((line) => JSON.parse(line).name)).to.deep.equal(names);
    // As after a crash in the middle of a line: only its file is read again.
    await data.write(list, lines.join("\n").slice(0, -20));
    const read: string[] = [];
    const again = await data.sync(undefined, ({ file }) => read.push(file));
    expect([count(again), read]).to.deep.equal([[100, 200], names.slice(-1)]);
    expect((await data.text(list)).split("\n")).to.deep.equal(lines);
    // Files that are gone are removed from the list.
    await rm(path.join(data.path, FOLDER), { recursive: true });
    await data.write(`${FOLDER}/good.json`, JSON.stringify(storeaOrder({ id: "good", value: 1 })));
    await data.sync();
    expect(await data.text(list)).to.equal("");
  });

  it("or takes too long is refused at its deadline, without the others, and not read again until it is touched", async () => {
    const record = exported.find(({ connector, name }) => connector === "storea" && name === "orders");
    if (!record) throw new Error("no such record");
    const integration = { id: STOREA, connector: "storea", name: "x" } as const;
    const place = { folders: foldersOf(data.path, AURORA), integration, record };
    const turn = { landing: 1, landedAt: "2025-04-01T00:00:00.000Z" };
    for (const name of ["a.json", "b.json", "c.json"]) {
      await data.write(`${FOLDER}/${name}`, JSON.stringify(storeaOrder({ id: name, value: 1 })));
    }
    await mkdir(paths.work(data.path), { recursive: true });
    const database = await Database.open({ threads: 1 });
    const read: string[] = [];
    const landing = (deadline?: { ms: number; msPerMB: number }, isOver?: () => boolean) =>
      landRecord(database, place, turn, ({ file }) => read.push(file), { deadline, isOver });
    try {
      const turnEnds = await landing({ ms: 1, msPerMB: 0 }, () => read.length === 2);
      // On a busy machine the timer of one may be late: it was read, and lands at the next sync, as the third one does.
      const { refused, postponed } = turnEnds.outcome;
      expect(["a.json", "b.json"]).to.include.members(refused.map(({ file }) => file));
      expect(refused.length + postponed, "the others may land at the next sync").to.equal(3);
      expect(refused.length).to.be.above(0);
      await rm(path.join(data.path, "status"), { recursive: true });
      read.length = 0;
      const late = await landing({ ms: 1, msPerMB: 0 });
      expect([late.outcome.landed, late.failures]).to.deep.equal([0, []]);
      // A file that was read within the time is refused later, when it lands.
      expect(late.outcome.refused.map(({ file }) => file)).to.have.members(["a.json", "b.json", "c.json"]);
      expect(late.outcome.refused[0]?.reason).to.match(
        /^was not read after 1 seconds, many times what an export takes/,
      );
      expect(await readdir(paths.work(data.path)), "nothing is left of the try").to.deep.equal([]);
      read.length = 0;
      const next = await landing();
      expect([next.outcome.landed, next.outcome.refused.length, read]).to.deep.equal([0, 3, []]);
      await sleep(10);
      await touch("b.json");
      const touched = await landing();
      expect([touched.outcome.landed, touched.outcome.refused.length, read]).to.deep.equal([1, 2, ["b.json"]]);
    } finally {
      database.close();
    }
  });
});
