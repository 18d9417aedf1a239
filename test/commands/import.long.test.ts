import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { CONNECTORS, titleOf } from "../../src/contract/record.ts";
import { examplePath } from "../../src/files/paths.ts";
import { exported } from "../../src/records/index.ts";
import { command } from "../support/command.ts";
import { AURORA, DataFolder, STOREA, storeaOrders } from "../support/data.ts";

const idOf = (n: number): string => STOREA.replace(/.$/, String(n));
const STORE = idOf(CONNECTORS.indexOf("storea"));

describe("`lucra import`", () => {
  let data: DataFolder;

  before(async () => {
    data = await DataFolder.empty();
    const integrations = CONNECTORS.map((connector, n) => ({ id: idOf(n), connector }));
    await data.settings({ organizationId: AURORA, name: "Shop", integrations });
  });

  after(() => data.remove());

  for (const format of ["csv", "json"] as const) {
    it(`recognizes the example of every record among those of all connectors: ${format}`, async function () {
      this.timeout(300_000);
      const wanted = exported.map((record) => [examplePath(record, format), titleOf(record)] as const);
      const { status, stdout, stderr } = await command(
        data,
        "import",
        ...wanted.map(([file]) => file),
        "--dry-run",
        "--json",
      );
      expect(status, stderr).to.equal(0);
      const reports = JSON.parse(stdout) as { file: string; record: string; state: string }[];
      expect(reports.map(({ file, record }) => [file, record])).to.deep.equal(wanted);
      expect(reports.filter(({ state }) => state !== "ready")).to.deep.equal([]);
    });
  }

  it("recognizes a large file by its beginning, and counts all its rows", async function () {
    this.timeout(300_000);
    const rows = storeaOrders(800, 7);
    const whole = JSON.stringify(rows);
    const lines = rows.map((row) => JSON.stringify(row)).join("\n");
    const table = [
      "order_id,creation_date,value,note",
      ...rows.map((_, n) => `t${n},2025-02-03,1,"${"x\n".repeat(300)}"`),
    ];
    const files = await Promise.all([
      data.write("list.json", whole),
      data.write("page.json", JSON.stringify({ list: rows, paging: { total: 800 } })),
      data.write("lines.ndjson", lines),
      data.write("packed.json.gz", gzipSync(whole)),
      data.write("table.csv", table.join("\n")),
    ]);
    const { stdout } = await command(data, "import", ...files, "--integration", STORE, "--dry-run", "--json");
    const reports = JSON.parse(stdout) as { record: string; preview: { rows: number } }[];
    expect(reports.map(({ record, preview }) => [record, preview.rows])).to.deep.equal(
      files.map(() => ["storea/orders", 800]),
    );
  });
});
