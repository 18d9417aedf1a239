import { expect } from "chai";
import { AURORA, type DataFolder, exportsOf, FINANCE } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("A sync of a table of expenses or fees [D71]", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await landedFixtures();
  });

  afterEach(() => data.remove());

  /** The notes of the sync of a table, and how many rows it replaced. */
  async function landed(record: string, table: string): Promise<[notes: string[], replaced: number]> {
    await data.write(`${exportsOf(FINANCE, record, AURORA)}/later.csv`, table);
    const { outcomes } = await data.sync();
    const own = outcomes.filter((one) => one.record === record);
    return [own.flatMap(({ notes }) => notes.map(({ note }) => note)), own.reduce((sum, one) => sum + one.replaced, 0)];
  }

  it("says what it adds and replaces, and which rows of the same days stay", async () => {
    const [notes, replaced] = await landed(
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

  it("says nothing of others where a table repeats all rows of its days", async () => {
    const [notes] = await landed(
      "payment-fees",
      "integration_id,order_id,fee,date\nAurora Outlet,#1004,3,2025-02-17\n",
    );
    expect(notes).to.deep.equal(["replaces 2 rows of 3.80 by 3.00"]);
  });

  it("names a deleted line, which stays, where another line is of its days", async () => {
    const [notes] = await landed(
      "expenses",
      "Início;Fim;Categoria;Valor;Descrição;Moeda\n01/02/2025;28/02/2025;Aluguel;2.900,00;Galpão;brl\n",
    );
    expect(notes.join()).to.match(
      /^replaces 1 row of 2800.00 by 2900.00; 2 rows of these days, only in despesas.csv, still count: /,
    );
  });

  it("says nothing of other fees without a day", async () => {
    const table = (order: string): string => `integration_id,order_id,fee\nAurora Outlet,${order},3\n`;
    await landed("payment-fees", table("#1001"));
    const [notes] = await landed("payment-fees", table("#1002"));
    expect(notes).to.deep.equal(["adds 1 row of 3.00"]);
  });

  it("compares the tables of one sync, too", async () => {
    const table = (...amounts: number[]): string =>
      ["date,amount,description", ...amounts.map((amount, n) => `2025-03-0${n + 1},${amount},Café`)].join("\n");
    await data.write(`${exportsOf(FINANCE, "expenses", AURORA)}/first.csv`, table(1, 2));
    const [notes] = await landed("expenses", table(4));
    expect(notes.toSorted()).to.deep.equal(["adds 2 rows of 3.00", "replaces 1 row of 1.00 by 4.00"]);
  });
});
