import { tableFromIPC } from "apache-arrow";
import { expect } from "chai";
import { Database, literal } from "../../src/core/engine/database.ts";
import { command, type Said } from "../support/command.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";
import { analysesInShell, CHECKS, expectServiceAnswer, like, PERIOD, type Rows } from "../support/shell.ts";

describe("The SQL files, by themselves", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  const cards = (format: string): Promise<Said> =>
    command(
      data,
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
    const { body } = await service.get(`/v1/profitability/cards?${PERIOD}&marginItems=amounts`);
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
    const rows = await rowsOf(await data.write("cards.parquet", parquet?.bytes ?? ""));
    expect(like(rows[0] ?? null, figures)).to.deep.equal(figures);
    const [fromArrow] = tableFromIPC(arrow?.bytes ?? Buffer.alloc(0)).toArray();
    expect(fromArrow?.toJSON()).to.include({ revenue: 1350, investment: 320, marginBasis: "mixed" });
  });

  it("by `lucra sql` give columns without a value as Arrow, and the service's defaults", async () => {
    const [nulls, preset] = await Promise.all([
      command(data, "sql", "profitability/cards", "--format", "arrow"),
      command(data, "sql", "acquisition/summary", "--format", "json"),
    ]);
    for (const end of [nulls, preset]) expect(end.status, end.stderr).to.equal(0);
    const [whole] = tableFromIPC(nulls?.bytes ?? Buffer.alloc(0)).toArray();
    expect(whole.toJSON()).to.include({ revenue: 3000, previousPeriod: null });
    const summary = await service.get("/v1/acquisition/summary");
    expect(summary.body, "the same defaults").to.deep.include(JSON.parse(preset?.stdout ?? ""));
  });

  it(`in a DuckDB shell, ${CHECKS} gives the service's answer`, async () => {
    const { [CHECKS]: rows = [] } = await analysesInShell(data.path, [CHECKS]);
    await expectServiceAnswer(service, CHECKS, rows);
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
