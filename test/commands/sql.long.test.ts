import { spawn } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import { command, type Said } from "../support/command.ts";
import { oneLine } from "../support/commandLine.ts";
import { AURORA, type DataFolder, ended, NOW, ROOT } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

const OTHER = "22222222-2222-4222-8222-222222222222";

describe("lucra sql", () => {
  let data: DataFolder;
  const sql = (...args: string[]): Promise<Said> => command(data, "sql", "--organization", "Casa Aurora", ...args);

  before(async () => {
    data = await landedFixtures();
    await data.settings({ organizationId: OTHER, name: "Other" });
    await data.sync();
  });

  after(() => data?.remove());

  it("runs a query of the operator's own, with the parameters of the analyses", async () => {
    const { status, stdout, stderr } = await sql("--query", "select count(*) as orders from orders;");
    expect([status, stderr]).to.deep.equal([0, ""]);
    expect(stdout).to.match(/^orders\r\n\d+\r\n$/);
    const period = await sql("--query", "select period_start() as day -- the first", "--start-date", "2025-02-01");
    expect(period.stdout).to.equal("day\r\n2025-02-01\r\n");
    const described = await sql("--query", "describe orders", "--format", "table");
    expect(described.stdout).to.match(/^order_id +VARCHAR/m);
  });

  it("leaves no listeners at the standard output, in whichever format", async () => {
    const count = (): number =>
      process.stdout.eventNames().reduce((sum, name) => sum + process.stdout.listenerCount(name), 0);
    await sql("--query", "select 1 as one", "--format", "csv");
    const before = count();
    for (const format of ["csv", "ndjson", "parquet"]) await sql("--query", "select 1 as one", "--format", format);
    expect(count()).to.equal(before);
  });

  it("says of an analysis that uses the margin that none is configured, not in its output [D16]", async () => {
    const asked = (name: string, organization: string): Promise<Said> =>
      command(
        data,
        "sql",
        name,
        "--organization",
        organization,
        "--start-date",
        "2025-02-01",
        "--end-date",
        "2025-02-28",
      );
    const without = await asked("profitability/cards", "Other");
    const configured = await asked("profitability/cards", "Casa Aurora");
    const other = await asked("acquisition/new-customers", "Other");
    expect(without.stderr).to.match(/^lucra: no "margin" in the settings: contribution, profit, LTV and ROI .* 100 %/);
    expect(`${configured.stderr}${other.stderr}`).not.to.contain("margin");
    expect(without.status).to.equal(0);
    expect(without.stdout.split("\r\n")[0]).to.equal(configured.stdout.split("\r\n")[0]);
  });

  it("runs a query of the standard input, which ndjson has one object per line of", async () => {
    const asked = (input: string, ...options: string[]) => {
      const program = [path.join(ROOT, "bin", "lucra.cjs"), "sql", "-", "--organization", AURORA, ...options];
      const env = { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW };
      const child = spawn(process.execPath, program, { env, stdio: ["pipe", "pipe", "pipe"] });
      child.stdin.end(input);
      return ended(child);
    };
    const { status, stdout, stderr } = await asked("-- an answer\nselect 42 as answer;\n", "--format", "ndjson");
    expect([status, stdout, stderr]).to.deep.equal([0, '{"answer":42}\n', ""]);
    const nothing = await asked("");
    expect([nothing.status, nothing.stdout]).to.deep.equal([1, ""]);
  });

  it("says that a query reads dates that are null, and not if they are sent or not read", async () => {
    const reads = "where ordered_on between getvariable('p').start_date and period_end()";
    const hints = async (condition: string, ...options: string[]): Promise<string[]> => {
      const said = await sql("--query", `select count(*) as n from orders ${condition}`, ...options);
      expect(said.status, said.stderr).to.equal(0);
      return said.stderr.split("\n").flatMap((line) => /reads the period's (\w+)/.exec(line)?.[1] ?? []);
    };
    expect(await hints(reads)).to.deep.equal(["start", "end"]);
    expect(await hints(reads, "--start-date", "2025-02-01")).to.deep.equal(["end"]);
    expect(await hints(reads, "--start-date", "2025-02-01", "--end-date", "2025-02-28")).to.deep.equal([]);
    expect(await hints("where is_in_period(ordered_on) -- start_date")).to.deep.equal([]);
    expect(await hints("where 'period_end' <> coupon")).to.deep.equal([]);
  });

  it("has the time on a store's clock", async () => {
    const { stdout } = await sql(
      "--query",
      "select local_time(timestamptz '2025-11-01 01:30:00+00', 'America/Sao_Paulo') as at, hour(local_time(timestamptz '2025-01-01 12:00:00+00', null)) as utc",
    );
    expect(stdout).to.equal("at,utc\r\n2025-10-31 22:30:00,12\r\n");
  });

  it("runs a file of the operator's own", async () => {
    const file = await data.write("mine.sql", "-- orders by day\nselect count(*) as orders\nfrom orders;\n");
    expect((await sql(file)).stdout).to.match(/^orders\r\n\d+\r\n$/);
  });

  it("only reads the organization's derived files", async () => {
    const marts = path.join(data.path, "marts");
    const lake = (await data.files("lake")).find((name) => name.endsWith(".parquet"));
    const before = await data.files("marts");
    const queries = [
      `from read_parquet('${marts}/organization_id=${OTHER}/*/orders.parquet')`,
      `from read_parquet('${path.join(data.path, "lake", String(lake))}')`,
      `from read_text('${path.join(data.path, "credentials.json")}')`,
      "from glob('/etc/*')",
      "from read_csv('https://example.com/x.csv')",
    ];
    for (const query of queries) {
      const { status, stdout, stderr } = await sql("--query", query);
      expect([status, stdout], query).to.deep.equal([1, ""]);
      expect(stderr, query).to.match(/^lucra: .*(Permission|permission|disabled)/);
    }
    const statements = [
      "copy (select 1) to '/tmp/x.csv'",
      `copy (select 1) to '${marts}/organization_id=${AURORA}/x.csv'`,
      "create table x as select 1",
      "set threads = 1",
      "select 1; select 2",
      "attach 'x.duckdb'",
      "",
    ];
    for (const statement of statements) {
      const { status, stdout, stderr } = await sql("--query", statement);
      expect(status, statement).to.be.oneOf([1, 2]);
      expect([stdout, stderr.startsWith("lucra: ")], statement).to.deep.equal(["", true]);
    }
    expect(await data.files("marts")).to.deep.equal(before);
  });

  it("reports an error in a query without a stack", async () => {
    const { status, stderr } = await sql("--query", "select nothing from orders");
    expect(status).to.equal(1);
    expect(stderr)
      .to.match(/^lucra: Binder Error: .*nothing/)
      .and.not.include("    at ");
  });

  it("lists the files with the options that they need, and runs the integrity queries", async () => {
    const { stdout } = await command(data, "sql", "--list");
    const lines = stdout.trimEnd().split("\n");
    expect(lines).to.include("profitability/cards");
    expect(lines).to.include("products/listing --integration-id <value>");
    // A process each: some of them.
    const some = lines.filter((line) => line.startsWith("integrity/")).filter((_, no) => no % 8 === 0);
    expect(some).to.not.be.empty;
    for (const name of some) {
      const { status, stderr } = await sql(name, "--format", "table");
      expect([status, stderr], name).to.deep.equal([0, ""]);
    }
  });

  it("returns all rows of a paged analysis, and refuses options that choose a page", async () => {
    const { status, stdout } = await sql("profitability/orders", "--counted", "false");
    expect([status, stdout.trimEnd().split("\r\n").length > 2]).to.deep.equal([0, true]);
    expect((await sql("profitability/orders", "--page", "2")).status).to.equal(2);
    expect((await sql("profitability/orders", "--limit", "1")).status).to.equal(2);
  });

  it("names the file that was probably meant", async () => {
    expect(oneLine(await sql("cards"))).to.match(/^lucra: no SQL file cards: did you mean profitability\/cards\?/);
    expect((await sql()).status).to.equal(2);
    expect((await sql("profitability/cards", "--query", "select 1")).status).to.equal(2);
  });

  it("ends where its reader ends", async () => {
    for (const more of ["--format table", "--format csv", "--format json"]) {
      const query = "select range as n, repeat('x', 100) as text from range(100000)";
      const program = `${process.execPath} ${path.join(ROOT, "bin", "lucra.cjs")} sql --organization ${AURORA} --query "${query}" ${more}`;
      const child = spawn("bash", ["-c", `set -o pipefail; ${program} | head -1`], {
        env: { PATH: process.env.PATH, LUCRA_DATA_DIR: data.path, LUCRA_NOW: NOW },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const { status, stdout, stderr } = await ended(child);
      expect([status, stderr, stdout.split("\n").length], more).to.deep.equal([0, "", 2]);
    }
  });
});
