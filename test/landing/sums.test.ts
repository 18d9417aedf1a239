import { expect } from "chai";
import { AURORA, type DataFolder, exportsOf, FINANCE } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { landedTable } from "../support/sums.ts";

describe("A sync of a table of expenses or fees [D71]", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await landedFixtures();
  });

  afterEach(() => data.remove());

  it("says what it adds and replaces, and which rows of the same days stay", async () => {
    const [notes, replaced] = await landedTable(
      data,
      "expenses",
      [
        "date_start,date_stop,item,amount,description,integration_id",
        "2025-02-10,2025-02-10,fulfilment,50,Caixas,Loja Aurora",
        "2025-02-01,2025-02-28,fixed,2900,Galpão novo,",
        "2025-03-01,2025-03-31,fixed,10,Café,",
        "2025-03-01,2025-03-31,fixed,5,Café,",
      ].join("\n"),
    );
    expect(notes).to.deep.equal([
      "adds 2 rows of 2915.00, replaces 2 rows of 40.00 by 50.00; 1 row of these days, only in despesas.csv, still counts: " +
        `if this table is instead of that one, run \`lucra landings revoke 1 --integration ${FINANCE} --record expenses --file despesas.csv\``,
    ]);
    expect(replaced).to.equal(1);
  });

  it("compares the tables of one sync, too", async () => {
    const table = (...amounts: number[]): string =>
      ["date,amount,description", ...amounts.map((amount, n) => `2025-03-0${n + 1},${amount},Café`)].join("\n");
    await data.write(`${exportsOf(FINANCE, "expenses", AURORA)}/first.csv`, table(1, 2));
    const [notes] = await landedTable(data, "expenses", table(4));
    expect(notes.toSorted()).to.deep.equal(["adds 2 rows of 3.00", "replaces 1 row of 1.00 by 4.00"]);
  });
});
