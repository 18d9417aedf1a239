import { expect } from "chai";
import type { Connector, RecordDeclaration } from "../../src/core/contract/record.ts";
import { exportedBy } from "../../src/core/records/index.ts";
import { fittingHeadings, misfitsOf, onlyFitting, valuesOf } from "../../src/features/uploads/headings.ts";
import { likelyRecords } from "../../src/features/uploads/likely.ts";

const recordOf = (connector: Connector, name: string): RecordDeclaration =>
  exportedBy(connector).find((one) => one.name === name) as RecordDeclaration;
const ORDERS = recordOf("storea", "orders");

/** A table with its headings in the first line. */
function tableOf(text: string) {
  const [headings = [], ...rows] = text.split("\n").map((line) => line.split(";"));
  return { headings, rows, values: valuesOf(headings, rows) };
}

const OWN = tableOf(
  [
    "Pedido;Data da venda;Cliente;Valor total;Situação;Pagamento;Forma",
    "1;01/11/2026 10:00;ana@example.com;R$ 1.165,40;pago;01/11/2026;Pix",
    "2;02/11/2026 11:30;bia@example.com;R$ 80,00;cancelado;;Pix",
  ].join("\n"),
);

describe("Headings that may mean a column", () => {
  const fitting = (column: string, { headings, values } = OWN): string[] =>
    fittingHeadings(ORDERS, column, headings, values);

  it("have values that the column can have: dates, amounts, e-mail addresses", () => {
    expect(fitting("authorized_date")[0]).to.equal("Pagamento");
    expect(fitting("authorized_date")).to.not.include("Valor total");
    expect(fitting("email")).to.deep.equal(["Cliente"]);
    expect(fitting("value")[0]).to.equal("Valor total");
    const words = tableOf("Data do pagamento;Pago em\nem dia;01/11/2026\natrasado;02/11/2026");
    expect(fitting("authorized_date", words)).to.deep.equal(["Pago em"]);
    expect(misfitsOf(ORDERS, "authorized_date", words.headings, words.values)).to.deep.equal(["Data do pagamento"]);
  });

  it("are not ruled out where nothing is below them, nor for a text", () => {
    const empty = tableOf("Data do pagamento;Total\n;10,00");
    expect(fitting("authorized_date", empty)).to.deep.equal(["Data do pagamento"]);
    expect(misfitsOf(ORDERS, "status", OWN.headings, OWN.values)).to.deep.equal([]);
  });

  it("without a name that is alike are the only ones with such values", () => {
    const strange = tableOf("Nota;Quando;Comprador;Quanto\nA1;01/11/2026;ana@example.com;100,50");
    const only = (column: string, { headings, values } = strange): string[] =>
      onlyFitting(ORDERS, column, headings, values);
    expect(["creation_date", "value", "email", "order_id"].map((one) => only(one))).to.deep.equal([
      ["Quando"],
      ["Quanto"],
      ["Comprador"],
      [],
    ]);
    expect(only("creation_date", OWN)).to.deep.equal([]);
  });

  it("say what a table may be that nothing recognizes", () => {
    const likeliest = (text: string) => {
      const { headings, rows } = tableOf(text);
      const [first] = likelyRecords({ file: "", name: "", format: "table", headings, rows });
      return first && `${first.connector}/${first.record}`;
    };
    expect(likeliest("Data;Campanha;Investimento;Cliques;Impressões\n01/11/2026;Marca;37,51;40;1500")).to.equal(
      "socialads/campaigns",
    );
    expect(likeliest("Nº;Feito em;Contato;Total pago;Status\n1;01/11/2026;a@example.com;10,00;pago")).to.equal(
      "storea/orders",
    );
    expect(likeliest("x;y\nz;w")).to.equal(undefined);
  });
});
