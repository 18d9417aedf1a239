import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect } from "chai";
import { parse } from "csv-parse/sync";
import request from "supertest";
import { Credentials } from "../../src/core/access/credentials.ts";
import { AURORA, DataFolder, ROOT } from "../support/data.ts";
import { type Serving, startServing } from "../support/serving.ts";

const CHANNELS = "/v1/acquisition/channels?startDate=2025-01-01&endDate=2025-03-31";
const DAYS = "/v1/profitability/cmv-evolution?startDate=2025-02-01&endDate=2025-02-28";

/** Sends a request and waits without returning to the event loop, as Google's services do. */
const FETCH = `
const { url, headers } = JSON.parse(process.argv[1]);
fetch(url, { headers }).then(async (answer) =>
  process.stdout.write(JSON.stringify({ status: answer.status, text: await answer.text() })));
`;

/** `read_csv` of a file in memory, as a list of rows. */
const PANDAS = `
import csv, io
def read_csv(file):
    return list(csv.DictReader(io.StringIO(file.read().decode("utf-8"))))
`;

/** Writes the statements instead of running them. */
const DUCKDB = `
import json, sys
class Result:
    def fetchall(self):
        return []
class Connection:
    def execute(self, sql):
        sys.stderr.write(json.dumps(sql) + "\\n")
        return Result()
connect = Connection
`;

type Row = Record<string, unknown>;

describe("The pieces of docs/connect.md", function () {
  this.timeout(300_000);
  let data: DataFolder;
  let serving: Serving;
  let home: string;
  let page: string;
  let base: string;
  let keys: { readonly id: string; readonly secret: string };

  before(async () => {
    data = await DataFolder.empty();
    expect((await data.lucra(["demo", "--keep-days"])).status).to.equal(0);
    const created = await new Credentials(data.path).create({ organizations: [AURORA], name: "x" });
    keys = { id: created.client_id, secret: created.client_secret };
    serving = await startServing(data, [], undefined, { LUCRA_SHARE_LINKS: "on" });
    base = `http://127.0.0.1:${serving.port}`;
    home = await mkdtemp(path.join(tmpdir(), "lucra-connect-"));
    await symlink(path.join(ROOT, "node_modules"), path.join(home, "node_modules"));
    page = await readFile(path.join(ROOT, "docs", "connect.md"), "utf8");
  });

  after(async () => {
    serving.child.kill("SIGKILL");
    await rm(home, { recursive: true, force: true });
    await data.remove();
  });

  /** Script properties have the names of the placeholders: such a piece reads its credentials from them. */
  const filled = (text: string): string =>
    (text.includes("getScriptProperties")
      ? text
      : text.replaceAll("CLIENT_ID", keys.id).replaceAll("CLIENT_SECRET", keys.secret)
    )
      .replaceAll("https://lucra.example.com", base)
      .replaceAll("ORGANIZATION_ID", AURORA)
      .replaceAll("/srv/lucra/data", data.path)
      .replaceAll("/srv/lucra/lucra.duckdb", path.join(home, "lucra.duckdb"));
  /** The blocks of a language below a heading, with the service's values. */
  const blocks = (heading: string, language: string): string[] => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? expect.fail(heading);
    const found = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, named]) => named === language);
    expect(found, `${heading}: ${language}`).to.not.deep.equal([]);
    return found.map(([, , text = ""]) => filled(text));
  };
  const run = (command: string, args: readonly string[], cwd = home) =>
    promisify(execFile)(command, args, { cwd, env: { ...process.env, PYTHONPATH: home } });
  const basic = (id: string, secret: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
  });
  const rowsOf = async (address: string): Promise<Row[]> => (await serving.get(address)).body.data as Row[];
  const csvOf = (text: string): Row[] => parse(text, { columns: true, bom: true });
  /** Google's services, of which only those are here that the pieces use. */
  const google = (extra: object = {}) =>
    createContext({
      PropertiesService: {
        getScriptProperties: () => ({ getProperties: () => ({ CLIENT_ID: keys.id, CLIENT_SECRET: keys.secret }) }),
      },
      UrlFetchApp: {
        fetch: (url: string, { headers }: { headers: Record<string, string> }) => {
          const sent = JSON.stringify({ url, headers });
          const { status, text } = JSON.parse(
            execFileSync(process.execPath, ["-e", FETCH, sent], { encoding: "utf8" }),
          );
          return { getResponseCode: () => status, getContentText: () => text };
        },
      },
      ...extra,
    });

  it("are all run or replayed here: a new one has no test yet", () => {
    const found = page
      .split(/^## /m)
      .flatMap((section) =>
        [...section.matchAll(/^```(\w+)$/gm)].map(([, language]) => `${section.split("\n")[0]}: ${language}`),
      );
    expect(found).to.deep.equal([
      "curl: sh",
      "Excel and Power BI: powerquery",
      "Excel and Power BI: powerquery",
      "Google Sheets: js",
      "Google Sheets: sh",
      "Looker Studio: js",
      "Grafana: yaml",
      "Grafana: json",
      "Metabase and DBeaver: js",
      "pandas: python",
      "R: r",
      "DuckDB: mjs",
      "DuckDB: py",
    ]);
  });

  it("for curl", async function () {
    if (spawnSync("curl", ["--version"]).status !== 0) this.skip();
    const { stdout } = await run("sh", ["-ec", blocks("curl", "sh")[0] ?? ""]);
    const { body } = await serving.get("/v1/profitability/cards?startDate=2025-01-01&endDate=2025-03-31");
    expect(JSON.parse(stdout)).to.deep.equal(body);
    const rows = csvOf(await readFile(path.join(home, "orders.csv"), "utf8"));
    const headers = await readFile(path.join(home, "orders.headers"), "utf8");
    expect(rows.length)
      .to.equal(Number(/^x-row-count: (\d+)/im.exec(headers)?.[1]))
      .and.to.be.above(10);
  });

  it("for Excel and Power BI ask with Basic, after a refusal that offers it, or with headers", async () => {
    for (const piece of blocks("Excel and Power BI", "powerquery")) {
      const record = (name: string): Record<string, string> =>
        Object.fromEntries(
          [
            ...(new RegExp(`${name} = \\[(.*)\\]`).exec(piece)?.[1] ?? "").matchAll(
              /(?:#"([^"]+)"|(\w+)) = "([^"]*)"/g,
            ),
          ].map(([, quoted, plain, value = ""]) => [quoted ?? plain ?? "", value]),
        );
      const [, address = ""] = /Web\.Contents\("([^"]+)"/.exec(piece) ?? [];
      const [, relative = ""] = /RelativePath = "([^"]+)"/.exec(piece) ?? [];
      const url = new URL(relative, `${address}/`);
      for (const [name, value] of Object.entries(record("Query"))) url.searchParams.set(name, value);
      const headers = record("Headers");
      if (!piece.includes("Headers = ")) {
        // Unlike `fetch`, without the headers of a browser, to which no password is offered.
        const { status, headers: offered } = await request(base).get(url.pathname + url.search);
        expect([status, offered["www-authenticate"]]).to.deep.equal([
          401,
          'Bearer realm="lucra", Basic realm="lucra", charset="UTF-8"',
        ]);
      }
      const answer = await fetch(url, {
        headers: piece.includes("Headers = ") ? headers : basic(keys.id, keys.secret),
      });
      expect(answer.status, await answer.clone().text()).to.equal(200);
      expect(answer.headers.get("content-type")).to.match(/^text\/csv; charset=utf-8/);
      const rows = csvOf(await answer.text());
      expect(rows.length)
        .to.equal(Number(answer.headers.get("x-row-count")))
        .and.to.be.above(0);
      for (const [, column = ""] of piece.matchAll(/\{"(\w+)", /g)) {
        for (const row of rows) expect(Number(row[column]), column).to.be.finite;
      }
    }
  });

  it("for Google Sheets fill a sheet with numbers", async () => {
    let written: unknown[][] = [];
    const sheet = {
      clearContents: () => {},
      getRange: (row: number, column: number, rows: number, columns: number) => ({
        setValues: (values: unknown[][]) => {
          expect([row, column, rows, columns]).to.deep.equal([1, 1, values.length, values[0]?.length]);
          written = values;
        },
      }),
    };
    const spreadsheet = { getActive: () => ({ getSheetByName: (name: string) => name === "Lucra" && sheet }) };
    const [piece = ""] = blocks("Google Sheets", "js");
    runInContext(`${piece}\nrefreshChannels();`, google({ SpreadsheetApp: spreadsheet }));
    const [columns = [], ...values] = JSON.parse(JSON.stringify(written)) as string[][];
    const rows = await rowsOf(CHANNELS);
    expect(values).to.deep.equal(rows.map((row) => columns.map((name) => row[name] ?? "")));
    expect(values.length).to.be.above(2);
  });

  it("for Google Sheets make a link that IMPORTDATA reads", async () => {
    const [, ...args] = [...(blocks("Google Sheets", "sh")[0] ?? "").matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    );
    const { status, stdout, stderr } = await data.lucra(args);
    expect(status, stderr).to.equal(0);
    const [, link = ""] = /(\/links\/\S+)/.exec(stdout) ?? expect.fail(stdout);
    let answer = await fetch(base + link);
    // Until the service has seen the new link.
    for (let tries = 0; tries < 50 && answer.status === 404; tries++) {
      await new Promise((done) => setTimeout(done, 200));
      answer = await fetch(base + link);
    }
    expect(answer.status).to.equal(200);
    const text = await answer.text();
    expect(text.split("\r\n")[0]?.split(",")).to.include.members(["channel", "label", "investment"]);
    expect(csvOf(text).length).to.equal(Number(answer.headers.get("x-row-count")));
  });

  it("for Looker Studio answer a report's days and fields", async () => {
    const context = google();
    runInContext(blocks("Looker Studio", "js")[0] ?? "", context);
    const ask = (call: string): Record<string, unknown> =>
      JSON.parse(runInContext(`JSON.stringify(${call})`, context) as string);
    expect(ask("[getAuthType().type, getConfig().dateRangeRequired, isAdminUser()]")).to.deep.equal([
      "NONE",
      true,
      false,
    ]);
    const { schema } = ask("getSchema()") as { schema: { name: string }[] };
    const report = {
      dateRange: { startDate: "2025-02-01", endDate: "2025-02-28" },
      fields: [...schema].reverse().map(({ name }) => ({ name })),
    };
    const answer = ask(`getData(${JSON.stringify(report)})`) as { schema: object[]; rows: { values: unknown[] }[] };
    expect(answer.schema).to.deep.equal([...schema].reverse());
    const rows = await rowsOf(DAYS);
    expect(answer.rows.map(({ values }) => values)).to.deep.equal(
      rows.map((row) =>
        [...schema].reverse().map(({ name }) => (name === "date" ? String(row.date).replaceAll("-", "") : row[name])),
      ),
    );
    expect(rows.length).to.equal(28);
  });

  it("for Grafana ask what its configuration says, from an allowed host", async () => {
    const [source = ""] = blocks("Grafana", "yaml");
    const [query = ""] = blocks("Grafana", "json");
    const setting = (name: string): string => new RegExp(`${name}: "(.*)"`).exec(source)?.[1] ?? expect.fail(name);
    const { url, url_options, root_selector, columns } = JSON.parse(query);
    expect(source).to.include(`allowedHosts: ["${new URL(url).origin}"]`);
    const address = new URL(url);
    for (const { key, value } of url_options.params as { key: string; value: string }[]) {
      const day = { "${__from:date:YYYY-MM-DD}": "2025-02-01", "${__to:date:YYYY-MM-DD}": "2025-02-28" }[value];
      address.searchParams.set(key, day ?? value);
    }
    const headers = basic(setting("basicAuthUser"), setting("basicAuthPassword"));
    const answer = await fetch(address, { method: url_options.method, headers });
    expect(answer.status).to.equal(200);
    const rows = ((await answer.json()) as Record<string, Row[]>)[root_selector] ?? [];
    expect(rows).to.deep.equal(await rowsOf(DAYS));
    for (const row of rows) {
      for (const { selector, type } of columns as { selector: string; type: string }[]) {
        if (type === "number") expect(row[selector], selector).to.be.a("number");
        else expect(Date.parse(String(row[selector])), selector).to.be.finite;
      }
    }
  });

  const inNode = async (text: string): Promise<string> => {
    await writeFile(path.join(home, "main.mjs"), text);
    return (await run(process.execPath, [path.join(home, "main.mjs")], ROOT)).stdout;
  };

  it("for Metabase and DBeaver write a file that is opened read-only, again after each sync", async () => {
    const [piece = ""] = blocks("Metabase and DBeaver", "js");
    await inNode(piece);
    await inNode(piece);
    const file = path.join(home, "lucra.duckdb");
    const before = await stat(file);
    const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" });
    const connection = await instance.connect();
    const orders = await connection.runAndReadAll("select count(*), sum(revenue) from daily_totals");
    expect(Number(orders.getRowsJS()[0]?.[0])).to.be.above(0);
    const refused = await connection.run("create table t (i integer)").catch(({ message }: Error) => message);
    expect(refused).to.match(/read-only/);
    connection.closeSync();
    instance.closeSync();
    expect((await stat(file)).mtimeMs).to.equal(before.mtimeMs);
  });

  it("for pandas count the rows", async function () {
    if (spawnSync("python3", ["--version"]).status !== 0) this.skip();
    await writeFile(path.join(home, "pandas.py"), PANDAS);
    await writeFile(path.join(home, "main.py"), blocks("pandas", "python")[0] ?? "");
    const { stdout } = await run("python3", ["main.py"]);
    expect(Number(stdout)).to.equal((await rowsOf("/v1/profitability/orders?limit=1000")).length);
  });

  it("for R ask for whole tables with Basic", async () => {
    const [piece = ""] = blocks("R", "r");
    const texts = (call: string): string[] =>
      [...(new RegExp(`${call}\\((.*)\\)`).exec(piece)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
    const url = new URL(texts("request")[0] ?? "");
    for (const [, name = "", value = ""] of piece.matchAll(/(\w+) = "([^"]*)"/g)) url.searchParams.set(name, value);
    const [id = "", secret = ""] = texts("req_auth_basic");
    const answer = await fetch(url, { headers: basic(id, secret) });
    expect(answer.status).to.equal(200);
    expect(csvOf(await answer.text()).length).to.equal(Number(answer.headers.get("x-row-count")));
  });

  it("for DuckDB compute the API's figures", async () => {
    const expected = (await rowsOf(CHANNELS)).map(({ label, newCustomers }) => [label, newCustomers]);
    const rows = JSON.parse(await inNode(blocks("DuckDB", "mjs")[0] ?? "")) as Row[];
    const names = Object.keys(rows[0] ?? {});
    const value = (row: Row, name: string) =>
      row[names.find((one) => one.replaceAll("_", "").toLowerCase() === name) ?? ""];
    expect(rows.map((row) => [value(row, "label"), Number(value(row, "newcustomers"))])).to.deep.equal(expected);
  });

  it("for DuckDB in Python run the same statements", async function () {
    if (spawnSync("python3", ["--version"]).status !== 0) this.skip();
    await writeFile(path.join(home, "duckdb.py"), DUCKDB);
    await writeFile(path.join(home, "main.py"), blocks("DuckDB", "py")[0] ?? "");
    const { stderr } = await run("python3", [path.join(home, "main.py")], ROOT);
    const connection = await (await DuckDBInstance.create()).connect();
    let rows = 0;
    for (const line of stderr.trim().split("\n")) {
      rows = (await connection.runAndReadAll(JSON.parse(line))).currentRowCount;
    }
    expect(rows).to.equal((await rowsOf(CHANNELS)).length);
  });
});
