import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { tableFromIPC } from "apache-arrow";
import { expect } from "chai";
import { endpoints } from "../src/endpoints/index.ts";
import { Database, literal } from "../src/engine/database.ts";
import { AURORA, DataFolder, type Ended, ended, ROOT } from "./support/data.ts";
import { openService, type Service } from "./support/service.ts";

/**
 * What an analyst does in a DuckDB shell, by the header of `sql/setup.sql`, with the driver alone. Statements go in as
 * they stand in the files; rows come out as the driver's own JSON.
 */
const SHELL = `
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
const { dataDir, organization, p, files } = JSON.parse(process.argv[2]);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
await connection.run("set variable data_dir = '" + dataDir + "'");
await connection.run("set variable organization_id = '" + organization + "'");
await connection.run(readFileSync("sql/setup.sql", "utf8"));
await connection.run("set variable p = " + p);
const answers = {};
for (const file of files) {
  const reader = await connection.runAndReadAll(readFileSync("sql/" + file, "utf8"));
  answers[file] = reader.getRowObjectsJson();
}
console.log(JSON.stringify(answers));
`;

const P = `{'start_date': date '2025-02-01', 'end_date': date '2025-02-28',
  'view': 'revenue', 'group_by': 'month', 'break_by': 'origem'}`;
const PERIOD = "startDate=2025-02-01&endDate=2025-02-28";
const ANALYSES = endpoints.flatMap((endpoint) => ("sql" in endpoint ? [endpoint] : []));
const FILES = ["profitability", "acquisition"].flatMap((folder) =>
  readdirSync(path.join(ROOT, "sql", folder)).map((file) => `${folder}/${file}`),
);

type Rows = Record<string, unknown>[];

describe("The SQL files, by themselves", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await DataFolder.fixtures();
    await data.sync();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  describe("in a DuckDB shell", () => {
    let answers: Record<string, Rows>;

    before(async () => {
      const task = { dataDir: data.path, organization: AURORA, p: P, files: FILES };
      const child = spawn(process.execPath, ["--input-type=module", "-", JSON.stringify(task)], { cwd: ROOT });
      const end = ended(child);
      child.stdin.end(SHELL);
      const { status, stdout, stderr } = await end;
      expect(status, stderr).to.equal(0);
      answers = JSON.parse(stdout);
    });

    for (const file of FILES) {
      it(`${file} gives what the service answers`, async () => {
        const endpoint = ANALYSES.find(({ sql }) => `${sql}.sql` === file);
        if (!endpoint) throw new Error(`no endpoint for ${file}`);
        const broken = "breakBy" in endpoint.params ? "&breakBy=origem" : "";
        const { body } = await service.get(`${endpoint.path}?${PERIOD}${broken}`);
        const rows = endpoint.shape === "series" ? body.data : [body];
        const shell = answers[file] ?? [];
        expect(shell).to.not.be.empty;
        const names = Object.keys(endpoint.figures);
        const picked = (rows as Rows).map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
        expect(picked.map((row, n) => like(shell[n] ?? null, row))).to.deep.equal(picked);
        expect(shell).to.have.lengthOf(picked.length);
      });
    }
  });

  describe("by `lucra sql`", () => {
    const ask = (...options: string[]): Promise<Ended> => data.lucra(["sql", ...options]);
    const cards = (format: string): Promise<Ended> =>
      ask(
        "profitability/cards",
        "--organization",
        AURORA,
        "--start-date",
        "2025-02-01",
        "--end-date",
        "2025-02-28",
        "--format",
        format,
      );

    it("give the same in every format", async () => {
      const { body } = await service.get(`/v1/profitability/cards?${PERIOD}`);
      const [json, csv, table, parquet, arrow] = await Promise.all(
        ["json", "csv", "table", "parquet", "arrow"].map(cards),
      );
      for (const end of [json, csv, table, parquet, arrow]) expect(end?.status, end?.stderr).to.equal(0);
      const row = JSON.parse(json?.stdout ?? "");
      const { period, asOf, marginPercent, marginConfigured, marginCompleteness, marginItemStatus, ...figures } = body;
      expect(row).to.deep.equal(figures);
      expect(csv?.stdout.split("\n")[0]).to.match(/^revenue,investment,orders,/);
      expect(csv?.stdout.split("\n")[1]).to.match(/^1350\.0,320\.0,9,/);
      expect(table?.stdout).to.match(/^figure +value\nrevenue +1350\n/);
      const rows = await rowsOf(await data.write("cards.parquet", parquet?.bytes ?? ""));
      expect(like(rows[0] ?? null, figures)).to.deep.equal(figures);
      const [fromArrow] = tableFromIPC(arrow?.bytes ?? Buffer.alloc(0)).toArray();
      expect(fromArrow?.toJSON()).to.include({ revenue: 1350, investment: 320, marginBasis: "mixed" });
    });

    it("give series, columns without a value and what is nested, also as Arrow", async () => {
      const [json, arrow, nulls, preset] = await Promise.all([
        ask("profitability/cohort", "--break-by", "campanha", "--format", "json"),
        ask("profitability/cohort", "--break-by", "campanha", "--format", "arrow"),
        ask("profitability/cards", "--format", "arrow"),
        ask("acquisition/summary", "--format", "json"),
      ]);
      for (const end of [json, arrow, nulls, preset]) expect(end?.status, end?.stderr).to.equal(0);
      const { body } = await service.get("/v1/profitability/cohort?breakBy=campanha");
      const data = body.data as Rows;
      expect((json?.stdout.trimEnd().split("\n") ?? []).map((line) => JSON.parse(line))).to.deep.equal(data);
      const rows = tableFromIPC(arrow?.bytes ?? Buffer.alloc(0)).toArray();
      expect(rows.map((row) => row.breakLabel)).to.deep.equal(data.map(({ breakLabel }) => breakLabel));
      const [whole] = tableFromIPC(nulls?.bytes ?? Buffer.alloc(0)).toArray();
      expect(whole.toJSON()).to.include({ revenue: 3000, previousPeriod: null });
      const summary = await service.get("/v1/acquisition/summary");
      expect(summary.body, "the same defaults").to.deep.include(JSON.parse(preset?.stdout ?? ""));
    });

    it("tell a wrong name, organization or format in one line, a wrong option as wrong usage", async () => {
      const [name, organization, format, option, day, choice] = await Promise.all([
        ask("../sql/profitability/cards"),
        ask("profitability/cards", "--organization", "nobody"),
        ask("profitability/cards", "--format", "xls"),
        ask("profitability/cards", "--begin-date", "2025-02-01"),
        ask("profitability/cards", "--start-date", "February"),
        ask("profitability/cohort", "--view", "customers"),
      ]);
      for (const end of [name, format, option, day, choice]) expect(end?.status, end?.stderr).to.equal(2);
      expect(organization?.status).to.equal(1);
      expect(name?.stderr).to.match(
        /^lucra: no SQL file \.\.\/sql\/profitability\/cards; there are .*profitability\/cards/,
      );
      expect(organization?.stderr).to.equal("lucra: no organization nobody\n");
      expect(format?.stderr).to.equal("lucra: --format xls: one of table, json, csv, parquet, arrow, xlsx\n");
      expect(option?.stderr).to.match(/unknown option '--begin-date'/);
      expect(day?.stderr).to.match(/^lucra: --start-date: .*\n$/);
      expect(choice?.stderr).to.match(/^lucra: --view: .*revenue, logo.*\n$/);
    });
  });
});

/** The engine's JSON form of a value, as the answer's kind: whole numbers come as text, maps as lists. */
function like(value: unknown, answer: unknown): unknown {
  if (typeof answer === "number" && typeof value === "string") return Number(value);
  if (typeof answer !== "object" || answer === null) return value;
  if (value === null || typeof value !== "object") return value;
  const members = answer as Record<string, unknown>;
  if (Array.isArray(value)) {
    // A map: the keys are data.
    return Object.fromEntries(value.map((entry) => [entry.key, like(entry.value, members[entry.key])]));
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, like(member, members[name])]));
}

async function rowsOf(file: string): Promise<Rows> {
  const database = await Database.open();
  try {
    return await database.use((session) => session.rows(`from read_parquet(${literal(file)})`));
  } finally {
    database.close();
  }
}
