import { expect } from "chai";
import { matchedColumns, renamedColumns } from "../../src/core/landing/read/columns.ts";

describe("Columns of a table with other names", () => {
  it("are renamed as the settings say, the first heading that the file has, and copied for a second column", () => {
    const columns = {
      value: ["Montante", "Total"],
      creation_date: "Data",
      authorized_date: "Data",
      status: "Situação",
    };
    expect(renamedColumns(["Data", "Total", "Obs"], columns)).to.deep.equal({
      names: ["creation_date", "value", "Obs"],
      copies: [["authorized_date", 0]],
    });
  });

  it("are not renamed if the table has the column itself", () => {
    expect(renamedColumns(["value", "Total"], { value: "Total" })).to.deep.equal({
      names: ["value", "Total"],
      copies: [],
    });
  });

  it("match the words of a column or of its labels, without case, accents, punctuation and currency", () => {
    const columns = {
      campaign_id: [],
      spend: ["Amount spent", "Valor usado"],
      date_start: ["Início dos relatórios"],
      cpc: [],
    };
    const headings = ["CampaignID", "Valor usado (BRL)", "INICIO DOS RELATORIOS", "cpc", "Obs"];
    expect(matchedColumns(columns, headings)).to.deep.equal({
      campaign_id: "CampaignID",
      spend: "Valor usado (BRL)",
      date_start: "INICIO DOS RELATORIOS",
    });
  });
});
