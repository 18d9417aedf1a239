import { expect } from "chai";
import type { DataFolder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { landedTable } from "../support/sums.ts";

describe("A sync of a table of expenses or fees [D71]", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await landedFixtures();
  });

  afterEach(() => data.remove());

  it("says nothing of others where a table repeats all rows of its days", async () => {
    const [notes] = await landedTable(
      data,
      "payment-fees",
      "integration_id,order_id,fee,date\nAurora Outlet,#1004,3,2025-02-17\n",
    );
    expect(notes).to.deep.equal(["replaces 2 rows of 3.80 by 3.00"]);
  });

  it("names a deleted line, which stays, where another line is of its days", async () => {
    const [notes] = await landedTable(
      data,
      "expenses",
      "Início;Fim;Categoria;Valor;Descrição;Moeda\n01/02/2025;28/02/2025;Aluguel;2.900,00;Galpão;brl\n",
    );
    expect(notes.join()).to.match(
      /^replaces 1 row of 2800.00 by 2900.00; 2 rows of these days, only in despesas.csv, still count: /,
    );
  });

  it("says nothing of other fees without a day", async () => {
    const table = (order: string): string => `integration_id,order_id,fee\nAurora Outlet,${order},3\n`;
    await landedTable(data, "payment-fees", table("#1001"));
    const [notes] = await landedTable(data, "payment-fees", table("#1002"));
    expect(notes).to.deep.equal(["adds 1 row of 3.00"]);
  });
});
