import { expect } from "chai";
import type { Cohorts } from "../../explorer/src/answers.ts";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
  ...("navigator" in globalThis ? {} : { navigator: { languages: ["pt-BR"] } }),
});
const { cohortOf, sentenceOf, titleOf } = await import("../../explorer/src/views/customers/cell.ts");
const { language } = await import("../../explorer/src/preferences.ts");

const endpoint = "/v1/profitability/cohort";
const cellOf = (row: string | undefined, figure: string, params: Record<string, string> = {}) =>
  cohortOf({ endpoint, params, figure, row });
const answer = (view: "logo" | "revenue", breakKey?: string): Cohorts =>
  ({
    view,
    data: [
      { cohortMonth: "2024-03-01", initialValue: 9, months: { 4: { absolute: 9, pct: 1 } } },
      {
        cohortMonth: "2024-04-01",
        breakKey,
        initialValue: 261,
        months: { 4: { absolute: 6, complementary: 0, pct: 6 / 261, repurchaseRevenue: null } },
      },
    ],
  }) as unknown as Cohorts;

describe("The explanation of a cohort's cell", () => {
  before(() => {
    language.value = "pt";
  });

  it("names the cohort and the month", () => {
    const cell = cellOf("2024-04", "months.4.absolute");
    expect(cell).to.deep.equal({ cohortMonth: "2024-04-01", groupBy: "month", breakKey: undefined, step: 4 });
    expect(cell && titleOf(cell)).to.equal("abr/24, mês 4");
    const whole = cellOf("2024-04", "initialValue", { groupBy: "quarter" });
    expect(whole && titleOf(whole)).to.equal("T2 2024");
    expect(cellOf(undefined, "initialValue")).to.equal(undefined);
    expect(cohortOf({ endpoint: "/v1/profitability/trend", params: {}, figure: "revenue", row: "2024-04" })).to.equal(
      undefined,
    );
  });

  it("says how many of how many, with the share", () => {
    const cell = cellOf("2024-04", "months.4.absolute");
    expect(cell && sentenceOf(answer("logo"), cell)).to.equal("6 de 261 clientes voltaram a comprar (2,3%).");
    expect(cell && sentenceOf(answer("revenue"), cell)).to.include("(2,3%)");
    language.value = "en";
    expect(cell && sentenceOf(answer("logo"), cell)).to.equal("6 of 261 customers bought again (2.3%).");
    expect(cell && titleOf(cell)).to.equal("Apr 24, month 4");
  });

  it("is that of the chosen value of a breakdown", () => {
    const cell = cellOf("2024-04:direct:x", "months.4.absolute");
    expect(cell?.breakKey).to.equal("direct:x");
    expect(cell && sentenceOf(answer("logo", "direct:x"), cell)).to.include("261");
    expect(cell && sentenceOf(answer("logo", "email"), cell)).to.equal("");
  });
});
