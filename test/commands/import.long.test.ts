import { expect } from "chai";
import { CONNECTORS, titleOf } from "../../src/contract/record.ts";
import { examplePath } from "../../src/files/paths.ts";
import { exported } from "../../src/records/index.ts";
import { command } from "../support/command.ts";
import { AURORA, DataFolder, STOREA } from "../support/data.ts";

describe("`lucra import`", () => {
  let data: DataFolder;

  before(async () => {
    data = await DataFolder.empty();
    const integrations = CONNECTORS.map((connector, n) => ({ id: STOREA.replace(/.$/, String(n)), connector }));
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
});
