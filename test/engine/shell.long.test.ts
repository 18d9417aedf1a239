import { tableFromIPC } from "apache-arrow";
import { expect } from "chai";
import { Database, literal } from "../../src/core/engine/database.ts";
import { command, type Said } from "../support/command.ts";
import { AURORA } from "../support/data.ts";
import { serveFixtures } from "../support/service.ts";
import { analysesInShell, CHECKS, expectServiceAnswer, like, PERIOD, type Rows } from "../support/shell.ts";

describe("The SQL files, by themselves", () => {
  const of = serveFixtures();

  const cards = (format: string): Promise<Said> =>
    command(
      of.data,
      "sql",
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

  it("by `lucra sql` give the same in every format", async () => {
    const { body } = await of.service.get(`/v1/profitability/cards?${PERIOD}&marginItems=amounts`);
    const [json, csv, table, parquet, arrow] = await Promise.all(
      ["json", "csv", "table", "parquet", "arrow"].map(cards),
    );
    for (const end of [json, csv, table, parquet, arrow]) expect(end?.status, end?.stderr).to.equal(0);
    const row = JSON.parse(json?.stdout ?? "");
    const {
      period,
      asOf,
      coverage,
      marginPercent,
      marginConfigured,
      marginCompleteness,
      marginItemStatus,
      ...figures
    } = body;
    expect(row).to.deep.equal(figures);
    expect(csv?.stdout.split("\n")[0]).to.match(/^revenue,investment,orders,/);
    expect(csv?.stdout.split("\n")[1]).to.match(/^1350\.0,320\.0,9,/);
    expect(table?.stdout).to.match(/^figure +value\nrevenue +1350\n/);
    const rows = await rowsOf(await of.data.write("cards.parquet", parquet?.bytes ?? ""));
    expect(like(rows[0] ?? null, figures)).to.deep.equal(figures);
    const [fromArrow] = tableFromIPC(arrow?.bytes ?? Buffer.alloc(0)).toArray();
    expect(fromArrow?.toJSON()).to.include({ revenue: 1350, investment: 320, marginBasis: "mixed" });
  });

  it("by `lucra sql` give columns without a value as Arrow, and the service's defaults", async () => {
    const [nulls, preset] = await Promise.all([
      command(of.data, "sql", "profitability/cards", "--format", "arrow"),
      command(of.data, "sql", "acquisition/summary", "--format", "json"),
    ]);
    for (const end of [nulls, preset]) expect(end.status, end.stderr).to.equal(0);
    const [whole] = tableFromIPC(nulls?.bytes ?? Buffer.alloc(0)).toArray();
    expect(whole.toJSON()).to.include({ revenue: 3000, previousPeriod: null });
    const summary = await of.service.get("/v1/acquisition/summary");
    expect(summary.body, "the same defaults").to.deep.include(JSON.parse(preset?.stdout ?? ""));
  });

  it(`in a DuckDB shell, ${CHECKS} gives the service's answer`, async () => {
    const { [CHECKS]: rows = [] } = await analysesInShell(of.data.path, [CHECKS]);
    await expectServiceAnswer(of.service, CHECKS, rows);
  });
});

async function rowsOf(file: string): Promise<Rows> {
  const database = await Database.open();
  try {
    return await database.use((session) => session.rows(`from read_parquet(${literal(file)})`));
  } finally {
    database.close();
  }
}
