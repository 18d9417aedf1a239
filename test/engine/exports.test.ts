import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { unzipSync } from "fflate";
import type { TableFile, Tables } from "../../src/core/contract/endpoint.ts";
import { ApiError } from "../../src/core/contract/error.ts";
import { Database } from "../../src/core/engine/database.ts";
import { type Form, writeRows } from "../../src/core/engine/formats/write.ts";
import { Spool } from "../../src/core/engine/spool.ts";
import { paths } from "../../src/core/files/paths.ts";
import { writeWorkbook } from "../../src/features/workbooks/workbook.ts";
import { ask, CONTACTS, FakeAnswers, makeApp, onPort, SECRET, until, withOrganization } from "../support/app.ts";
import { DataFolder, filesBelow, ROOT } from "../support/data.ts";
import { readers } from "../support/readers.ts";
import { openWriters } from "../support/writers.ts";

const EXPORT = `${CONTACTS}?all=true&format=csv`;
const CREDENTIALS = { "x-client-id": "good", "x-client-secret": SECRET };

/** A table of so many bytes, which may end early; records when it was closed. */
class FakeTable implements TableFile {
  readonly rows = 3;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
  closed = 0;

  constructor(bytes: number, content: AsyncIterable<Uint8Array>) {
    this.bytes = bytes;
    this.content = content;
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

const giving = (table: TableFile): Tables => ({ table: async () => table });

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a,b\r\n");
  // The sent bytes have been handed to the network.
  await new Promise((done) => setTimeout(done, 50));
  throw new Error("disk on fire");
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536, "x");
}

describe("An export", () => {
  it("that fails before its first byte is an error with its status, in JSON", async () => {
    for (const [error, status] of [
      [new ApiError("doesNotFit"), 406],
      [new ApiError("busy"), 503],
      [new Error("x"), 500],
    ] as const) {
      const { app } = makeApp(new FakeAnswers(), { tables: { table: () => Promise.reject(error) } });
      const answer = await ask(app, EXPORT);
      expect(answer.status).to.equal(status);
      expect(answer.headers["content-type"]).to.equal("application/json; charset=utf-8");
      expect(answer.headers).to.not.have.any.keys("content-disposition", "x-row-count");
      expect(answer.body.message).to.be.a("string").that.is.not.empty;
    }
  });

  it("that is stopped at its deadline is 503, and its work is cancelled", async () => {
    let received: AbortSignal | undefined;
    const tables: Tables = {
      table: ({ signal }) => {
        received = signal;
        return new Promise(() => {});
      },
    };
    const config = { slots: 1, queue: 0, timeoutMs: 30_000, slowMs: 1000, exportTimeoutMs: 20, cacheBytes: 0 };
    expect((await ask(makeApp(new FakeAnswers(), { tables, config }).app, EXPORT)).status).to.equal(503);
    expect(received?.aborted).to.equal(true);
  });

  it("that fails during sending ends short of its length, and is closed", async () => {
    const table = new FakeTable(1000, broken());
    const { app, log } = makeApp(new FakeAnswers(), { tables: giving(table) });
    await onPort(app, async (address) => {
      const answer = await fetch(address + withOrganization(EXPORT), { headers: CREDENTIALS });
      expect([answer.status, answer.headers.get("content-length")]).to.deep.equal([200, "1000"]);
      const failed = await answer.text().then(
        () => false,
        () => true,
      );
      expect(failed, "the client notices").to.equal(true);
    });
    expect(table.closed).to.equal(1);
    expect(log.some((line) => line.includes("disk on fire"))).to.equal(true);
  });

  it("whose client hangs up is closed, and is not a failure", async () => {
    const table = new FakeTable(2 ** 40, endless());
    const { app, log } = makeApp(new FakeAnswers(), { tables: giving(table) });
    await onPort(app, async (address) => {
      const hangUp = new AbortController();
      const answer = await fetch(address + withOrganization(EXPORT), { headers: CREDENTIALS, signal: hangUp.signal });
      await answer.body?.getReader().read();
      hangUp.abort();
      await until(() => table.closed > 0);
    });
    expect(table.closed).to.equal(1);
    expect(log.filter((line) => line.includes("unforeseen"))).to.deep.equal([]);
  });

  it("answers HEAD with only its headers", async () => {
    const table = new FakeTable(12, broken());
    const { app } = makeApp(new FakeAnswers(), { tables: giving(table) });
    await onPort(app, async (address) => {
      const answer = await fetch(address + withOrganization(EXPORT), { method: "HEAD", headers: CREDENTIALS });
      expect([answer.status, answer.headers.get("content-length"), answer.headers.get("x-row-count")]).to.deep.equal([
        200,
        "12",
        "3",
      ]);
    });
    expect(table.closed).to.equal(1);
  });

  it("takes no place from the queries, and a third waits for the first two", async () => {
    const waiting: ((table: TableFile) => void)[] = [];
    const tables: Tables = { table: () => new Promise((done) => void waiting.push(done)) };
    const config = { slots: 1, queue: 0, timeoutMs: 30_000, slowMs: 1000, exportTimeoutMs: 30_000, cacheBytes: 0 };
    const { app } = makeApp(new FakeAnswers(), { tables, config });
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    const exports = ["a", "b", "c"].map((email) => ask(app, `${EXPORT}&email=${email}`).then(({ status }) => status));
    await until(() => waiting.length === 2);
    expect((await ask(app, CONTACTS)).status).to.equal(200);
    expect(waiting).to.have.lengthOf(2);
    for (const n of [0, 1, 2]) {
      await until(() => waiting.length > n);
      waiting[n]?.(new FakeTable(0, nothing()));
    }
    expect(await Promise.all(exports)).to.deep.equal([200, 200, 200]);
  });
});

/** The files of a spool, without the lock of its process. */
const spooledBelow = async (home: string): Promise<string[]> =>
  (await filesBelow(home)).filter((file) => path.basename(file) !== ".owner");

describe("The spool", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
  });

  afterEach(() => data.remove());

  const home = (): string => path.join(data.path, "spool");
  const spooled = (): Promise<string[]> => spooledBelow(home());

  it("keeps a file readable and nameless until it is closed", async () => {
    const spool = await Spool.open(home());
    const { made, file } = await spool.file((name) => writeFile(name, "hello").then(() => 5));
    expect([made, file.bytes]).to.deep.equal([5, 5]);
    expect(await spooled()).to.deep.equal([]);
    expect(await file.handle.readFile("utf8")).to.equal("hello");
    await file.close();
    await file.close();
    await spool.close();
    expect(await readdir(home())).to.deep.equal([]);
  });

  it("keeps nothing of a file that could not be written", async () => {
    const spool = await Spool.open(home());
    const write = async (name: string): Promise<void> => {
      await writeFile(name, "half");
      throw new Error("disk full");
    };
    for (let n = 0; n < 20; n++) {
      const failure = await spool.file(write).catch((error: Error) => error.message);
      expect(failure, "and takes no place for it").to.equal("disk full");
    }
    expect(await spooled()).to.deep.equal([]);
    await spool.close();
  });

  it("is full when too many files are open", async () => {
    const spool = await Spool.open(home());
    const one = (): Promise<{ file: { close(): Promise<void> } }> => spool.file((name) => writeFile(name, "x"));
    const open = await Promise.all(Array.from({ length: 64 }, one));
    expect(await one().catch((error: ApiError) => error.kind)).to.equal("busy");
    await open[0]?.file.close();
    const { file } = await one();
    await Promise.all([...open.map((each) => each.file.close()), file.close()]);
    await spool.close();
  });

  it("is in no folder that another user could replace", async () => {
    await mkdir(home());
    expect(((await stat((await Spool.open(home())).folder)).mode & 0o777).toString(8)).to.equal("700");
    const place = path.join(home(), "here");
    const failureAt = (): Promise<string> =>
      Spool.open(place, data.path).then(
        () => "none",
        ({ message }) => message,
      );
    for (const [mode, failure] of [
      [0o700, /none/],
      [0o777, /other users may change it/],
      [0o1777, /none/],
    ] as const) {
      await mkdir(place, { recursive: true });
      await chmod(place, mode);
      expect(await failureAt(), mode.toString(8)).to.match(failure);
      await chmod(home(), 0o777);
      expect(await failureAt(), "the folder above").to.match(/other users may change it/);
      await chmod(home(), 0o700);
    }
    if (process.getuid?.() !== 0) return;
    await chown(place, 4343, 4343);
    expect(await failureAt()).to.match(/belongs to another user/);
  });

  it("removes the files of a killed process, and keeps those of a running one", async () => {
    const killed = await spoolOf([]);
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    const living = await spoolOf([]);
    await mkdir(path.join(home(), "lucra-spool-1-unlocked"));
    await writeFile(path.join(home(), "notes.txt"), "somebody's");
    const other = await Spool.open(home());
    const spool = await Spool.open(home());
    expect((await readdir(home())).sort()).to.deep.equal(
      [living.name, path.basename(other.folder), path.basename(spool.folder), "notes.txt"].sort(),
    );
    living.child.kill("SIGKILL");
    await once(living.child, "exit");
    await other.close();
    await spool.close();
  });

  it("keeps the files of a process in another namespace of process numbers", async function () {
    const unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
    if (spawnSync(unshare[0] ?? "", [...unshare.slice(1), "true"]).status !== 0) this.skip();
    const inside = await spoolOf(unshare);
    const spool = await Spool.open(home());
    expect((await readdir(home())).sort()).to.deep.equal([inside.name, path.basename(spool.folder)].sort());
    // And the other way round: the number of this process means nothing there.
    const later = await spoolOf(unshare);
    expect(await readdir(home())).to.include.members([inside.name, later.name, path.basename(spool.folder)]);
    for (const { child } of [inside, later]) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await spool.close();
  });

  /** A process with a spool, started by the words of `before`. */
  async function spoolOf(before: readonly string[]): Promise<{ child: ChildProcess; name: string }> {
    const script = `
      import { Spool } from ${JSON.stringify(path.join(ROOT, "src", "core", "engine", "spool.ts"))};
      const spool = await Spool.open(${JSON.stringify(home())});
      console.log(spool.folder);
      setInterval(() => {}, 1000);`;
    const typescript = path.join(ROOT, "bin", "typescript.mjs");
    const [command = "", ...args] = [...before, process.execPath, "--import", typescript, "--input-type=module"];
    const child = spawn(command, [...args, "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    const [folder] = await once(child.stdout, "data");
    return { child, name: path.basename(String(folder).trim()) };
  }
});

describe("The writers", () => {
  let data: DataFolder;
  let database: Database;

  before(async () => {
    data = await DataFolder.empty();
    database = await openWriters();
  });

  after(async () => {
    database.close();
    await data.remove();
  });

  const write = (sql: string, format: Parameters<typeof writeRows>[2]): Promise<number> =>
    database.use((session) => writeRows(session, sql, format, path.join(data.path, `rows.${format}`)));
  const bytes = async (format: string): Promise<Buffer> => Buffer.from(await data.text(`rows.${format}`), "utf8");

  it("refuse content that a sheet cannot hold instead of cutting it", async () => {
    const kind = (sql: string): Promise<unknown> => write(sql, "xlsx").catch((error: ApiError) => error.kind);
    expect(await kind("select repeat('x', 32767) as a, 1 as b")).to.equal(1);
    expect(await kind("select repeat('x', 32768) as a, 1 as b")).to.equal("doesNotFit");
    // A cell's characters count as in UTF-16.
    expect(await kind("select repeat('😀', 16383) || 'x' as a, 1 as b")).to.equal(1);
    expect(await kind("select repeat('😀', 16384) as a, 1 as b")).to.equal("doesNotFit");
    expect(await kind("select [repeat('é', 32760)] as a, 1 as b")).to.equal(1);
    expect(await kind("select 1 as a from range(1048576)")).to.equal("doesNotFit");
  });

  it("have the style that a reader of workbooks derives all others from, with and without a book", async () => {
    const definitions = { name: "Definitions", lines: [{ cells: ["a"], isHeading: true }] };
    const made = { locale: "pt-BR", currency: "BRL", name: "Rows", further: [], definitions } as const;
    const book: Form["book"] = (session, rows, file) => writeWorkbook(session, rows, made, file);
    const file = path.join(data.path, "styled.xlsx");
    for (const form of [{}, { book }]) {
      await database.use((session) => writeRows(session, "select 1 as a", "xlsx", file, form));
      const styles = Buffer.from(unzipSync(await readFile(file))["xl/styles.xml"] ?? "").toString();
      expect(styles).to.match(/<\/cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"\/>/);
      expect(styles).to.match(/<cellStyleXfs count="1">/);
    }
  });

  it("fail when a row fails in the middle, in every format", async () => {
    const sql = "select case when i = 9000 then error('broken') else i end as a from range(10000) as r(i)";
    for (const format of ["json", "csv", "ndjson", "parquet", "arrow", "xlsx"] as const) {
      const failure = await write(sql, format).catch((error: Error) => error.message);
      expect(failure, format).to.match(/broken/);
    }
  });

  it("keep every row in its order over many batches", async () => {
    const sql =
      "select i as a, case when i % 7 = 0 then null else 'ç' || i end as b from range(50000) as r(i) order by i desc";
    expect(await write(sql, "arrow")).to.equal(50_000);
    expect(await write(sql, "ndjson")).to.equal(50_000);
    const { rows } = await readers.ndjson(await bytes("ndjson"));
    expect([rows[0]?.a, rows[1]?.a, rows.at(-1)?.a]).to.deep.equal([49_999, 49_998, 0]);
  });
});

describe("A query that is stopped while it writes", () => {
  it("times out, and leaves nothing in the spool", async () => {
    const data = await DataFolder.empty();
    const spool = await Spool.open(paths.spool(data.config.dataDir));
    const database = await Database.open();
    const leave = new AbortController();
    try {
      const written = database.useUntil(leave.signal, (session) =>
        spool.file((file) => writeRows(session, "select i, i * 2 as j from range(100000000000) as r(i)", "csv", file)),
      );
      const kind = written.catch((error: ApiError) => error.kind);
      await until(async () => (await spooledBelow(paths.spool(data.config.dataDir))).length > 0);
      leave.abort();
      expect(await kind).to.equal("timeout");
      expect(await spooledBelow(paths.spool(data.config.dataDir))).to.deep.equal([]);
    } finally {
      await spool.close();
      database.close();
      await data.remove();
    }
  });
});
