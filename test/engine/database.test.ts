import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import fc from "fast-check";
import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { failureText } from "../../src/core/contract/error.ts";
import type { Accepted } from "../../src/core/contract/param.ts";
import { type ServedRecord, servedFields } from "../../src/core/contract/record.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { Database, identifier, literal, type Row, type Session } from "../../src/core/engine/database.ts";
import { setParameters } from "../../src/core/engine/parameters.ts";
import { pageSql } from "../../src/core/engine/rows.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA, DataFolder, seeded } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

/** The message of a promise's failure; empty if it succeeds. */
const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => error.message,
  );

describe("The engine", () => {
  let folder: DataFolder;
  let database: Database;

  before(async () => {
    folder = await DataFolder.empty();
    database = await Database.open({ threads: 2 });
  });

  after(async () => {
    database?.close();
    await folder?.remove();
  });

  describe("after an internal error", () => {
    /** It asks for 32 GB again and again, more than a process can address. */
    const BREAKS = "select reservoir_quantile(range::hugeint, 0.5, 2147483647) from range(5000) group by range";
    const value = (session: Session): Promise<string[]> => session.texts("select twice(21)");
    let made = 0;
    const setup = async (use: Database["use"]): Promise<void> => {
      made++;
      await use((session) => session.run("create macro twice(a) as a * 2"));
    };

    it("is replaced by one that is prepared and locked alike, in which sessions answer", async () => {
      const serving = await Database.open({ threads: 2 }, setup);
      await serving.lockDown(folder.path);
      const kept = await serving.session();
      expect(await failure(serving.use((session) => session.run(BREAKS)))).to.match(/^INTERNAL Error/);
      expect(await serving.use(value)).to.deep.equal(["42"]);
      expect([made, serving.isUsable]).to.deep.equal([2, true]);
      expect(await failure(serving.use((session) => session.run("from glob('/*')")))).to.match(/Permission Error/);
      // A session of the broken engine fails, and its failure replaces nothing again.
      expect(await failure(kept.run("select 1"))).to.match(/invalidated/);
      kept.close();
      expect(await serving.use(value)).to.deep.equal(["42"]);
      expect(made).to.equal(2);
      serving.close();
    });

    it("is not usable while it cannot be replaced, and is replaced at the next failure", async () => {
      let isPossible = true;
      const serving = await Database.open({ threads: 2 }, async (use) => {
        if (!isPossible) throw new Error("no file to bind to");
        await setup(use);
      });
      isPossible = false;
      await failure(serving.use((session) => session.run(BREAKS)));
      expect(await failure(serving.use(value))).to.match(/invalidated/);
      expect(serving.isUsable).to.equal(false);
      isPossible = true;
      // The attempt that this failure starts succeeds, if the one before did not yet.
      await failure(serving.use(value));
      expect(await serving.use(value)).to.deep.equal(["42"]);
      expect(serving.isUsable).to.equal(true);
      serving.close();
    });
  });

  describe("asked for the first row of each group", () => {
    interface Reading {
      readonly key: number;
      readonly at: number | null;
      readonly place: number;
      readonly value: string | null;
    }
    const random = seeded(11);
    const readings: Reading[] = Array.from({ length: 20_000 }, (_, place) => ({
      key: Math.floor(random() * 3000),
      at: random() < 0.4 ? null : Math.floor(random() * 20),
      place,
      value: random() < 0.3 ? null : `v${place}`,
    }));
    /** The newest of each key: a row without a time is older than any other, and the last of equals wins. */
    const winners = new Map<number, Reading>();
    for (const reading of readings) {
      const before = winners.get(reading.key);
      if (!before || (reading.at ?? -1) >= (before.at ?? -1)) winners.set(reading.key, reading);
    }
    const right = [...winners.values()]
      .sort((a, b) => a.key - b.key)
      .map(({ key, place, value }) => ({ key, place, value }));
    let file: string;

    before(async () => {
      file = literal(`${folder.path}/readings.parquet`);
      await folder.write("readings.json", readings.map((reading) => JSON.stringify(reading)).join("\n"));
      await database.use((session) =>
        session.run(`copy (select "key"::int as "key", "at"::int as "at", place::int as place, value
          from read_json(${literal(`${folder.path}/readings.json`)}, columns = {"key": 'int', "at": 'int', place: 'int', value: 'varchar'}))
          to ${file} (format parquet, row_group_size 3000)`),
      );
    });

    const order = '"at" desc nulls last, place desc';
    const ways: Record<string, string> = {
      "by qualify": `select "key", place, value from FILE qualify row_number() over (partition by "key" order by ${order}) = 1`,
      "by qualify over a union with an empty relation": `select "key", place, value
        from (select null::int as "key", null::int as "at", null::int as place, null::varchar as value where false
          union all by name from FILE)
        qualify row_number() over (partition by "key" order by ${order}) = 1`,
      "by a filter on the number": `select "key", place, value
        from (select *, row_number() over (partition by "key" order by ${order}) as n from FILE) where n = 1`,
      "by a filter on the number, of all columns as one": `select r."key", r.place, r.value
        from (select t as r, row_number() over (partition by t."key" order by ${order}) as n from FILE as t) where n = 1`,
      "by arg_max of a struct": `select "key", best.place, best.value
        from (select "key", arg_max({place: place, value: value}, {"at": coalesce("at", -1), place: place}) as best from FILE group by "key")`,
    };
    for (const [way, sql] of Object.entries(ways)) {
      it(`returns it ${way}, with nulls in any column`, async () => {
        expect(await rows(sql)).to.deep.equal(right);
      });
    }

    it("does not treat null as the smallest", async () => {
      const least = new Map<number, number | null>();
      for (const { key, at, place } of readings) {
        const stamp = at === null ? null : place;
        const before = least.get(key) ?? null;
        least.set(key, before === null ? stamp : stamp === null ? before : Math.min(before, stamp));
      }
      const sql = `select "key", stamp from (select "key", case when "at" is not null then place end as stamp from FILE)
        qualify row_number() over (partition by "key" order by stamp nulls last) = 1`;
      const right = [...least].sort(([a], [b]) => a - b).map(([key, stamp]) => ({ key, stamp }));
      expect(await rows(sql)).to.deep.equal(right);
      await database.use(async (session) => {
        await session.run(`copy (select "key", case when "at" is not null then place end as stamp from read_parquet(${file}))
          to ${literal(`${folder.path}/stamps.parquet`)} (format parquet)`);
        const stamps = `read_parquet(${literal(`${folder.path}/stamps.parquet`)})`;
        const found = await session.rows(`from (select "key", stamp from ${stamps}
          qualify row_number() over (partition by "key" order by stamp nulls last) = 1) order by "key"`);
        expect(found).to.deep.equal(right);
      });
    });

    it("loses no row whose sort column is null", async () => {
      const sizes = new Map<number, number>();
      for (const { key } of readings) sizes.set(key, (sizes.get(key) ?? 0) + 1);
      const sql = `select "key", count(*)::int as n
        from (from FILE qualify row_number() over (partition by "key" order by nullif(place % 3, 0) desc nulls last) <= 3) group by "key"`;
      const right = [...sizes].sort(([a], [b]) => a - b).map(([key, size]) => ({ key, n: Math.min(3, size) }));
      expect(await rows(sql)).to.deep.equal(right);
    });

    const rows = (sql: string): Promise<Row[]> =>
      database.use((session) =>
        session.rows(`from (${sql.replaceAll("FILE", `read_parquet(${file})`)}) order by "key"`),
      );
  });

  describe("with variables", () => {
    it("keeps them within the session that set them", async () => {
      await database.use(async (one) => {
        await database.use(async (other) => {
          await one.set("marts", "one");
          await one.setStruct("p", [{ name: "start_date", type: "date", value: "2025-01-01" }]);
          expect(await other.rows("select getvariable('marts') as m, getvariable('p') as p")).to.deep.equal([
            { m: null, p: null },
          ]);
          await other.set("marts", "other");
          expect(await one.texts("select getvariable('marts')")).to.deep.equal(["one"]);
        });
      });
      await database.use(async (next) => {
        expect(await next.rows("select getvariable('marts') as m, getvariable('p') as p")).to.deep.equal([
          { m: null, p: null },
        ]);
      });
    });

    it("reads them again each time", async () => {
      await database.use(async (session) => {
        for (const value of ["a", "b", "it's"]) {
          await session.set("marts", value);
          expect(await session.texts("select getvariable('marts') || '.'")).to.deep.equal([`${value}.`]);
        }
      });
    });

    it("types a struct's members even if they are null", async () => {
      const types = { day: "date", at: "timestamptz", word: "varchar", page: "bigint" } as const;
      await database.use(async (session) => {
        const members = Object.entries(types).map(([name, type]) => ({ name, type, value: null }));
        await session.setStruct("p", members);
        const [row] = await session.rows("select typeof(getvariable('p')) as type");
        expect(row?.type).to.equal('STRUCT("day" DATE, "at" TIMESTAMP WITH TIME ZONE, word VARCHAR, page BIGINT)');
        await session.setStruct("p", [
          { name: "day", type: "date", value: "2025-02-28" },
          { name: "at", type: "timestamptz", value: "2025-02-28T23:59:59.999999Z" },
          { name: "word", type: "varchar", value: "'; drop table x; --" },
          { name: "page", type: "bigint", value: Number.MAX_SAFE_INTEGER },
        ]);
        const [set] = await session.rows("select unnest(getvariable('p'))");
        expect(set).to.include({ day: "2025-02-28", word: "'; drop table x; --", page: "9007199254740991" });
        expect(await failure(session.setStruct("p", [{ name: "day", type: "date", value: "2025-02-30" }]))).to.match(
          /2025-02-30/,
        );
      });
    });
  });

  it("has one thread during some work, also if that fails, and then its own number again", async () => {
    const three = await Database.open({ threads: 3 });
    try {
      const threads = (): Promise<string[]> =>
        three.use((session) => session.texts("select current_setting('threads')"));
      expect(await three.onOneThread(threads)).to.deep.equal(["1"]);
      const failed = await three
        .onOneThread(() => Promise.reject(new Error("no")))
        .catch((error: Error) => error.message);
      expect([failed, ...(await threads())]).to.deep.equal(["no", "3"]);
    } finally {
      three.close();
    }
  });

  it("keeps nothing in memory of a file that was read, which may be gone later", async () => {
    const file = `${folder.path}/read.parquet`;
    await database.use(async (session) => {
      await session.run(`copy (select hash(n) as n from range(200_000) as numbers(n)) to ${literal(file)}`);
      await session.rows(`select sum(n) as total from ${literal(file)}`);
      expect(await session.rows("from duckdb_external_file_cache()")).to.deep.equal([]);
      expect(await session.rows("from duckdb_memory() where memory_usage_bytes > 0")).to.deep.equal([]);
    });
  });

  describe("work of a request", () => {
    const ENDLESS = "select count(*) from range(100000000000) as a(i) where hash(i) = 1";

    it("ends with its signal, also if that aborts while the session is opened", async () => {
      for (const waitMs of [0, 100]) {
        const stop = new AbortController();
        const began = performance.now();
        const running = database.useUntil(stop.signal, (session) => session.texts(ENDLESS)).catch((error) => error);
        if (waitMs > 0) await sleep(waitMs);
        stop.abort();
        expect(await running, `${waitMs} ms`).to.include({ kind: "timeout" });
        expect(performance.now() - began).to.be.below(10_000);
      }
    });

    it("leaves nothing of its signal in a session that goes on", async () => {
      setFlagsFromString("--expose-gc");
      const collect = runInNewContext("gc") as () => void;
      await database.use(async (session) => {
        const signals = await Promise.all(
          Array.from({ length: 20 }, async () => {
            const { signal } = new AbortController();
            await session.answerUntil(signal, async () => {});
            return new WeakRef(signal);
          }),
        );
        await sleep(0);
        collect();
        expect(signals.filter((signal) => signal.deref() !== undefined)).to.be.empty;
        expect(await session.texts("select 1")).to.deep.equal(["1"]);
      });
    });
  });

  it("stops a query that is interrupted, and the session continues", async () => {
    await database.use(async (session) => {
      const endless = failure(session.rows("select count(*) from range(1000000000) a, range(1000000000) b"));
      let ended = false;
      void endless.then(() => {
        ended = true;
      });
      while (!ended) {
        session.interrupt();
        await sleep(10);
      }
      expect(await endless).to.match(/interrupt/i);
      expect(await session.texts("select 1")).to.deep.equal(["1"]);
    });
  });

  it("stops work that is cancelled between two of its queries", async () => {
    const off = new AbortController();
    const work = database.useUntil(off.signal, async (session) => {
      await session.rows("select 1");
      off.abort();
      await session.rows("select count(*) from range(1000000000) a, range(1000000000) b");
    });
    expect(await failure(work)).to.equal("timeout");
  });

  it("out of memory reports when the spill disk is full", async () => {
    const spill = await DataFolder.empty();
    const small = await Database.open({ threads: 1, memoryLimit: "24MB", temporary: spill.path });
    try {
      await small.use(async (session) => {
        await session.run("set global max_temp_directory_size = '1MB'");
        const sorting = session.rows("select hash(range) as h from range(8000000) order by h offset 7999999");
        const error = await sorting.catch((reason: unknown) => reason);
        expect(failureText(error)).to.match(/^out of memory, and the disk .* is full/);
      });
    } finally {
      small.close();
      await spill.remove();
    }
  });

  it("locked down opens nothing outside its folder, writes nothing anywhere and accepts no setting", async () => {
    const locked = await Database.open({ threads: 1 });
    try {
      const inside = await folder.write("marts/rows.csv", "a\n1\n");
      const outside = await folder.write("secret.csv", "a\n2\n");
      const foreign = await folder.write("marts-of-others/rows.csv", "a\n3\n");
      await locked.lockDown(`${folder.path}/marts`);
      await locked.use(async (session) => {
        const read = (file: string): string => `select * from read_csv(${literal(file)}, header = true)`;
        expect(await session.texts(read(inside))).to.deep.equal(["1"]);
        const forbidden = [
          read(outside),
          read(foreign),
          read(`${folder.path}/marts/../secret.csv`),
          `select * from read_text(${literal(outside)})`,
          `select * from glob(${literal(`${folder.path}/*`)})`,
          `from ${identifier(outside)}`,
          "select * from read_csv('https://localhost:1/x.csv')",
          `copy (select 1) to ${literal(`${folder.path}/out.csv`)}`,
          `attach ${literal(`${folder.path}/db.duckdb`)} as db`,
          `export database ${literal(`${folder.path}/db`)}`,
          "install httpfs",
          "load httpfs",
          "set enable_external_access = true",
          "set global memory_limit = '99GB'",
          "set allowed_directories = ['/']",
          "reset lock_configuration",
          "pragma memory_limit = '99GB'",
        ];
        for (const sql of forbidden) {
          const message = await failure(session.rows(sql));
          expect(message, sql).to.match(/Permission Error|disabled|locked|not allowed|Cannot|cannot|does not exist/);
        }
      });
      expect(await folder.files()).to.not.include.members(["out.csv"]);
    } finally {
      locked.close();
    }
  });
});

describe("A page of rows", () => {
  let data: DataFolder;
  let database: Database;
  let session: Session;
  const pages = endpoints.flatMap((endpoint) => {
    const { record } = endpoint.parts.data ?? {};
    return record ? [{ ...endpoint, record }] : [];
  });

  before(async () => {
    data = await landedFixtures();
    database = await openServing(data.config, AURORA);
    session = await database.session();
    await session.set("marts", (await currentGeneration(foldersOf(data.path, AURORA)))?.folder ?? "");
  });

  after(async () => {
    session?.close();
    database?.close();
    await data?.remove();
  });

  /** A page as the service returns it: its rows, and whether there is another. */
  async function page(
    endpoint: Endpoint & { readonly record: ServedRecord },
    accepted: Accepted,
  ): Promise<{ rows: Row[]; more: boolean }> {
    await setParameters(session, endpoint.params, accepted);
    const rows = (await session.texts(pageSql(endpoint.record, accepted))).map((text) => JSON.parse(text) as Row);
    const limit = Number(accepted.limit);
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }

  for (const endpoint of pages) {
    const fields = endpoint.record.served.sortable ? servedFields(endpoint.record) : [];
    it(`of ${endpoint.path} is a part of the whole, in order, with each document once`, async () => {
      const orderBy = fc.constantFrom(null, ...fields);
      const direction = fc.constantFrom("ASC", "DESC");
      const request = fc.record({ limit: fc.integer({ min: 1, max: 20 }), orderBy, direction });
      await fc.assert(
        fc.asyncProperty(request, async ({ limit, orderBy, direction }) => {
          const sorting = fields.length > 0 ? { orderBy, orderDirection: direction } : {};
          const { rows: whole } = await page(endpoint, { ...sorting, page: 1, limit: 5000 });
          const seen: Row[] = [];
          for (let number = 1, more = true; more; number++) {
            const part = await page(endpoint, { ...sorting, page: number, limit });
            seen.push(...part.rows);
            more = part.more;
            expect(more, "hasNextPage").to.equal(seen.length < whole.length);
          }
          expect(seen).to.deep.equal(whole);
          expect(new Set(seen.map((row) => row.document_id)).size).to.equal(whole.length);
          const past = await page(endpoint, { ...sorting, page: 1000, limit });
          expect(past).to.deep.equal({ rows: [], more: false });
          const by = orderBy ?? endpoint.record.served.order;
          expect(whole.map((row) => row.document_id)).to.deep.equal(
            sorted(whole, by, fields.length > 0 && direction === "DESC").map((row) => row.document_id),
          );
        }),
        { numRuns: fields.length > 0 ? 15 : 3, seed: 1 },
      );
    });
  }
});

/** Nulls last in either direction; equals by document. */
function sorted(rows: readonly Row[], by: string, descending: boolean): Row[] {
  const compare = (a: unknown, b: unknown): number => {
    if (a === b || (a === null && b === null)) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    const less =
      typeof a === "string" && typeof b === "string"
        ? Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
        : Number(a) < Number(b);
    return less === descending ? 1 : -1;
  };
  const id = (row: Row): string => String(row.document_id);
  return [...rows].sort((a, b) => compare(a[by], b[by]) || (id(a) < id(b) ? -1 : 1));
}
