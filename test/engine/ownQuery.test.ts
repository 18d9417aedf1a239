import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { QueryError } from "../../src/core/contract/error.ts";
import { Database } from "../../src/core/engine/database.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { PROJECT } from "../../src/core/files/paths.ts";
import { AURORA } from "../support/data.ts";
import { refusedSql } from "../support/hostileSql.ts";
import { CANARY, ENDLESS, failure, kindOf, QueriedFixtures } from "../support/ownQueries.ts";

describe("OwnQueries", function () {
  this.timeout(240_000);
  let fixtures: QueriedFixtures;

  before(async () => {
    fixtures = await QueriedFixtures.landed();
  });

  after(() => fixtures?.close());

  it("returns columns and rows, with the macros and parameters of the analyses", async () => {
    const { columns, rows, truncated } = await fixtures.run(
      "select channel, count(*) as orders from orders group by all order by all -- x",
    );
    expect(columns).to.deep.equal([
      { name: "channel", type: "VARCHAR" },
      { name: "orders", type: "BIGINT" },
    ]);
    expect([rows.length > 2, truncated]).to.deep.equal([true, false]);
    expect((await fixtures.run("select 1; -- the end")).rows).to.deep.equal([[1]]);
    const period = { startDate: "2025-01-01", endDate: "2025-03-31" };
    expect((await fixtures.run("from acquisition_figures('channel')", { accepted: period })).rows).to.not.be.empty;
    expect(
      (
        await fixtures.run(
          "with windows as (from bridge_windows()) select count(*) > 0 from drivers_by_campaign('windows')",
          {
            accepted: period,
          },
        )
      ).rows,
    ).to.deep.equal([[true]]);
    expect((await fixtures.run("select getvariable('p').compare, period_start()")).rows).to.deep.equal([
      ["previous", null],
    ]);
    expect((await fixtures.run("show tables")).rows.flat()).to.include("orders");
    expect((await fixtures.run("describe orders")).rows[0]).to.include("integration_id");
    expect((await fixtures.run("select distinct table_name from information_schema.columns")).rows.flat()).to.include(
      "orders",
    );
    expect(
      (await fixtures.run("with t as (from orders) select count(*) = (select count(*) from orders) from t")).rows,
    ).to.deep.equal([[true]]);
    const recursive =
      "with recursive t as (select 1 as n union all select n + 1 from t where n < 3) select list(n) from t";
    expect((await fixtures.run(recursive)).rows).to.deep.equal([[[1, 2, 3]]]);
  });

  it("gives numbers only where they are exact, and ISO texts", async () => {
    const values: [sql: string, json: unknown][] = [
      ["9007199254740991", 9007199254740991],
      ["9007199254740993", "9007199254740993"],
      ["-9007199254740993::hugeint", "-9007199254740993"],
      ["1.50::decimal(9, 2)", 1.5],
      ["-0.5::decimal(18, 6)", -0.5],
      ["0::decimal(38, 18)", 0],
      ["1000000000000000000000::decimal(38, 0)", "1000000000000000000000"],
      ["123456789012345.67::decimal(20, 2)", "123456789012345.67"],
      ["0.1::double", 0.1],
      ["'nan'::double", "NaN"],
      ["'-infinity'::float", "-Infinity"],
      ["null", null],
      ["true", true],
      ["date '2025-02-01'", "2025-02-01"],
      ["timestamptz '2025-02-01 10:00:00.5-03'", "2025-02-01T13:00:00.5Z"],
      ["timestamp '2025-02-01 10:00:00'", "2025-02-01T10:00:00"],
      ["time '10:00:00'", "10:00:00"],
      ["{a: 1, b: [1.5, null]}", { a: 1, b: [1.5, null] }],
      ["map {'k': date '2025-02-01'}", [{ key: "k", value: "2025-02-01" }]],
      ["'ação'", "ação"],
    ];
    const { rows } = await fixtures.run(`select ${values.map(([sql]) => sql).join(", ")}`);
    expect(rows[0]).to.deep.equal(values.map(([_, json]) => json));
  });

  it("returns no more rows and bytes than asked for", async () => {
    const cut = await fixtures.run("from range(100000000)", { rows: 3 });
    expect([cut.rows, cut.truncated]).to.deep.equal([[[0], [1], [2]], true]);
    expect((await fixtures.run("from range(3)", { rows: 3 })).truncated).to.equal(false);
    const large = await fixtures.run("select repeat('x', 1000) from range(100000)", { rows: 10_000, bytes: 20_000 });
    expect([large.rows.length, large.truncated]).to.deep.equal([19, true]);
    expect(await kindOf(fixtures.run("select repeat('x', 2000000)"))).to.equal("size");
    expect(await kindOf(fixtures.run("select range(1000000)"))).to.equal("size");
  });

  it("refuses each family of hostile statements, and shows no path and nothing of another organization", async () => {
    for (const [family, statements] of Object.entries(
      refusedSql({ dataDir: fixtures.data.path, own: fixtures.folder, other: fixtures.other }),
    ))
      for (const sql of statements) {
        const error = await failure(fixtures.run(sql));
        expect(error, `${family}: ${sql}: ${error.message}`)
          .to.be.instanceOf(QueryError)
          .with.property("kind", "refused");
        for (const secret of [fixtures.data.path, PROJECT, CANARY])
          if (!sql.includes(secret)) expect(error.message, sql).to.not.include(secret);
      }
    expect(await fixtures.data.files(path.relative(fixtures.data.path, fixtures.folder))).to.not.include("x.csv");
  });

  it("opens none of the engine's table functions but those that read their arguments", async () => {
    const database = await Database.open();
    const names = await database.use((session) =>
      session.texts(
        "select distinct function_name from duckdb_functions() where function_type in ('table', 'pragma') order by 1",
      ),
    );
    database.close();
    const kinds: string[] = [];
    for (const name of names) kinds.push(`${name}: ${await kindOf(fixtures.run(`from "${name}"(nothing)`))}`);
    expect(kinds.filter((kind) => !kind.endsWith("refused")).map((kind) => kind.split(":")[0])).to.deep.equal([
      "generate_series",
      "json_each",
      "json_tree",
      "range",
      "unnest",
    ]);
  });

  it("checks the arguments of every macro that reads a relation by name, since all of these are tables", async () => {
    const database = await openServing(fixtures.data.config, AURORA);
    const types = await database.use((session) =>
      session.texts(
        `select distinct function_type from duckdb_functions()
        where not internal and regexp_matches(macro_definition, '\\bquery(_table)?\\(')`,
      ),
    );
    database.close();
    expect(types).to.deep.equal(["table_macro"]);
  });

  it("locks the engine behind it to the files of the views", async () => {
    const database = await Database.open();
    const [orders, contacts] = ["orders.parquet", "crm_contacts.parquet"].map((file) =>
      path.join(fixtures.folder, file),
    );
    await database.lockToFiles([String(orders)]);
    await database.use(async (session) => {
      expect(await session.rows(`from '${orders}' limit 1`)).to.have.length(1);
      for (const sql of [
        `from '${contacts}'`,
        `from read_parquet('${fixtures.folder}/*.parquet')`,
        `from glob('${fixtures.folder}/*')`,
        `from read_text('${fixtures.other}/derived.json')`,
        `copy (select 1) to '${fixtures.folder}/x.csv'`,
        "set memory_limit = '1GB'",
      ])
        expect((await failure(session.rows(sql))).message, sql).to.match(/disabled by configuration|has been locked/);
    });
    database.close();
  });

  it("reports the faults of a query in the engine's words, at the places of its text", async () => {
    const unknown = await failure(fixtures.run("select nothing\nfrom orders"));
    expect(unknown).to.have.property("kind", "failed");
    expect(unknown.message).to.match(/^Binder Error: .*nothing[\s\S]*LINE 1: select nothing/);
    expect((await failure(fixtures.run("selec 1"))).message).to.match(/^Parser Error: syntax error at or near "selec"/);
    const { message } = await failure(fixtures.run("select 'çã',\n1 frm x y"));
    expect(message.split("\n").slice(-2)).to.deep.equal(["LINE 2: 1 frm x y", "              ^"]);
    expect((await failure(fixtures.run("select error(repeat('x', 100000))"))).message.length).to.be.below(1_100);
    expect((await failure(fixtures.run("from nosuch"))).message).to.match(/no relation nosuch.*orders/);
  });

  it("says that it cannot return a member that would be lost", async () => {
    expect((await failure(fixtures.run("select {'__proto__': {'x': 1}} as s"))).message).to.match(
      /^s has a member __proto__/,
    );
    expect((await fixtures.run("select {'constructor': 1, 'toString': 2} as s")).rows).to.deep.equal([
      [{ constructor: 1, toString: 2 }],
    ]);
  });

  it("refuses functions that describe the engine", async () => {
    for (const name of ["version", "pg_postmaster_start_time"])
      expect(await kindOf(fixtures.run(`select ${name}()`)), name).to.equal("refused");
  });

  it("writes a result as text, of at most so many bytes as they are sent", async () => {
    const text = async (sql: string, bytes: number) => {
      const { body, ...rest } = await fixtures.own.written(
        {
          organizationId: AURORA,
          folder: fixtures.folder,
          sql,
          bytes,
          rows: 10_000,
          signal: new AbortController().signal,
        },
        { format: "json" },
      );
      return { ...rest, text: Buffer.from(body).toString() };
    };
    const { text: body, rowCount } = await text("select 'a\"b' as a, [1, 2] as b union all select null, null", 1_000);
    expect(rowCount).to.equal(2);
    expect(JSON.parse(body)).to.deep.include({
      rows: [
        ['a"b', [1, 2]],
        [null, null],
      ],
      rowCount: 2,
      truncated: false,
    });
    // A control character has one byte in the engine and six as it is sent.
    const escaped = await text("select repeat(chr(1), 100) from range(100)", 20_000);
    expect([escaped.rowCount, escaped.truncated]).to.deep.equal([33, true]);
    expect(escaped.text.length).to.be.within(19_000, 21_000);
    expect(await kindOf(text("select repeat(chr(1), 4000)", 20_000))).to.equal("size");
  });

  it("ends the process of a query whose client is gone", async () => {
    const queries = fixtures.open();
    const gone = new AbortController();
    await fixtures.run("select 1", {}, queries);
    const running = kindOf(fixtures.run(ENDLESS, { signal: gone.signal, timeoutMs: 60_000 }, queries));
    await sleep(200);
    gone.abort();
    expect(await running).to.equal("timeout");
    await until(() => queries.pids.length === 0);
    await queries.close();
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 300; n++) {
    if (holds()) return;
    await sleep(100);
  }
  expect.fail("not within 30 seconds");
}
