import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { tableFromIPC } from "apache-arrow";
import { expect } from "chai";
import { command, type Said } from "../support/command.ts";
import { AURORA, type DataFolder, ended, ROOT } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";
import {
  ANALYSIS_FILES,
  analysesInShell,
  CHECKS,
  expectServiceAnswer,
  inShell,
  PERIOD,
  type Rows,
} from "../support/shell.ts";

/** The commands of the analysts' guide, and their expected results: a table below each question's SQL. */
const TEXT = readFileSync(path.join(ROOT, "docs", "analysts.md"), "utf8");
const GUIDE = TEXT.split(/^(?=##)/m).flatMap((section) =>
  [...section.matchAll(/^```sql\n(.*?)^```\n\n?((?:\|[^\n]*\n)*)/gms)].map(([, sql = "", table = ""]) => {
    const question = /^### (.*)/.exec(section)?.[1];
    const commands = sql
      .replaceAll(/^\.read \S+$/gm, "$&;")
      .split(/;\s*(?:\n|$)/)
      .filter(Boolean);
    // As text, as the shell shows it.
    const last = question ? `select columns(*)::varchar from (${commands.pop()})` : [];
    return { question, commands: commands.concat(last), shown: table.trimEnd().split("\n") };
  }),
);
const LOOKS = [
  "select view_name from duckdb_views() where not internal order by all",
  "select table_name, column_name from duckdb_columns() where column_name in ('organization_id', 'gen') and not internal",
  "select current_setting('disabled_optimizers') as value",
  "select count(*)::int as orders from orders",
];

describe("The SQL files, by themselves", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    service?.close();
    await data?.remove();
  });

  describe("in a DuckDB shell", () => {
    const files = ANALYSIS_FILES.filter((file) => file !== CHECKS);
    let answers: Record<string, Rows>;

    before(async () => {
      answers = await analysesInShell(data.path, files);
    });

    for (const file of files)
      it(`${file} gives the service's answer`, () => expectServiceAnswer(service, file, answers[file] ?? []));
  });

  describe("as in docs/analysts.md", () => {
    let project: string;
    let results: Rows[];

    before(async () => {
      // Where the folder `data` is next to `sql`, so that every command runs unchanged.
      project = await mkdtemp(path.join(tmpdir(), "lucra-project-"));
      for (const name of ["sql", "node_modules"]) await symlink(path.join(ROOT, name), path.join(project, name));
      await symlink(data.path, path.join(project, "data"));
      results = await inShell([...GUIDE.flatMap(({ commands }) => commands), ...LOOKS], project);
    });

    after(() => rm(project, { recursive: true }));

    it("opens in two lines, without folder names as columns and without the known wrong rewrite", () => {
      expect(GUIDE[0]?.commands).to.have.lengthOf(2);
      const [views, leaked, disabled] = results.slice(-LOOKS.length);
      const documented = [...TEXT.matchAll(/^\| `(\w+)` \|/gm)].map(([, view]) => view);
      expect(views?.map(({ view_name }) => view_name)).to.deep.equal(documented.sort());
      const own = ["expenses", "organization", "payment_fees", "product_costs"];
      expect(leaked).to.deep.equal(own.map((table_name) => ({ table_name, column_name: "organization_id" })));
      expect(disabled).to.deep.equal([{ value: "top_n_window_elimination" }]);
    });

    it("opens in Node, in one call", async () => {
      const script = /^```js\n(.*?)^```$/ms.exec(TEXT)?.[1] ?? "";
      const count =
        'console.log((await connection.runAndReadAll("select count(*)::int from orders")).getRows()[0][0]);';
      const child = spawn(process.execPath, ["--input-type=module", "-"], { cwd: project });
      const end = ended(child);
      child.stdin.end(`${script}${count}`);
      const { status, stdout, stderr } = await end;
      expect(status, stderr).to.equal(0);
      expect(Number(stdout)).to.equal(results.at(-1)?.[0]?.orders);
    });

    it("runs the service's own analyses", async () => {
      const { body } = await service.get(`/v1/profitability/cards?${PERIOD}`);
      const [cards] = results[GUIDE.slice(0, 2).flatMap(({ commands }) => commands).length - 1] ?? [];
      expect(cards).to.include({ revenue: body.revenue, payback: body.payback });
    });

    it("asks five questions", () => {
      expect(GUIDE.filter(({ question }) => question)).to.have.lengthOf(5);
    });

    for (const [n, { question, shown }] of GUIDE.entries()) {
      if (!question) continue;
      it(question, () => {
        const rows = results[GUIDE.slice(0, n + 1).flatMap(({ commands }) => commands).length - 1] ?? [];
        const names = Object.keys(rows[0] ?? {});
        const lines = [names, names.map(() => "---"), ...rows.map((row) => names.map((name) => row[name] ?? ""))];
        expect(lines.map((cells) => `| ${cells.join(" | ")} |`)).to.deep.equal(shown);
      });
    }
  });

  describe("by `lucra sql`", () => {
    const ask = (...options: string[]): Promise<Said> => command(data, "sql", ...options);

    it("give series and nested values, also as Arrow", async () => {
      const [json, arrow] = await Promise.all([
        ask("profitability/cohort", "--break-by", "campanha", "--format", "json"),
        ask("profitability/cohort", "--break-by", "campanha", "--format", "arrow"),
      ]);
      for (const end of [json, arrow]) expect(end?.status, end?.stderr).to.equal(0);
      const { body } = await service.get("/v1/profitability/cohort?breakBy=campanha");
      const data = (body.data as Rows).map((row) => ({
        ...row,
        breakKey: [row.breakKey],
        breakLabel: [row.breakLabel],
      }));
      expect((json?.stdout.trimEnd().split("\n") ?? []).map((line) => JSON.parse(line))).to.deep.equal(
        data.map((row) => ({ ...row, rowsLeftOut: 0 })),
      );
      const rows = tableFromIPC(arrow?.bytes ?? Buffer.alloc(0)).toArray();
      expect(rows.map((row) => JSON.parse(row.breakLabel))).to.deep.equal(data.map(({ breakLabel }) => breakLabel));
    });

    it("report a wrong name, organization or format in one line, a wrong option as wrong usage", async () => {
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
        /^lucra: no SQL file \.\.\/sql\/profitability\/cards: did you mean profitability\/cards\?/,
      );
      expect(organization?.stderr).to.match(/^lucra: no organization nobody in .*: there are Casa Aurora/);
      expect(format?.stderr).to.equal("lucra: --format xls: one of table, json, ndjson, csv, parquet, arrow, xlsx\n");
      expect(option?.stderr).to.match(/unknown option '--begin-date'/);
      expect(day?.stderr).to.match(/^lucra: --start-date: .*\n$/);
      expect(choice?.stderr).to.match(/^lucra: --view: .*revenue, logo.*\n$/);
    });
  });
});
