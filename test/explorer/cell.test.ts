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
const { labelOf, rowName } = await import("../../explorer/src/views/customers/breaks.ts");
const { breakText, isBreak, isPaid, spotlit } = await import("../../explorer/src/views/customers/choices.ts");
const { fileName } = await import("../../explorer/src/fileName.ts");
const { rough } = await import("../../explorer/src/format.ts");
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

  it("is of a week by its Monday, and of two attributes by both values", () => {
    language.value = "pt";
    const week = cellOf("2025-02-03:RJ", "months.2.absolute", { groupBy: "week" });
    expect(week).to.deep.equal({ cohortMonth: "2025-02-03", groupBy: "week", breakKey: "RJ", step: 2 });
    expect(week && titleOf(week)).to.equal("sem. 3 fev, semana 2");
    const row = { cohortMonth: "2025-02-03", breakKey: ["a:b", null], breakLabel: ["A", null] } as const;
    expect(rowName(row, true, "week")).to.equal("2025-02-03:a%3Ab:");
    expect(rowName({ cohortMonth: "2025-02-01", breakKey: "a:b" }, true)).to.equal("2025-02:a:b");
    expect([isBreak("origem,pagamento"), isBreak("origem,origem"), isBreak("x"), isBreak("")]).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
    expect([isPaid("loja,estado"), isPaid("origem,marca"), isPaid("")]).to.deep.equal([true, false, true]);
    expect(breakText("origem,pagamento")).to.equal("Canal e pagamento");
    const pair = { breakKey: ["searchads", "pix"], breakLabel: ["Busca", "Pix"] } as const;
    language.value = "en";
    expect(labelOf(pair, ["origem", "pagamento"])).to.equal("Paid search · Pix");
    expect(labelOf({ breakKey: [null, "boleto"], breakLabel: [null, "Boleto"] }, ["cupom", "pagamento"])).to.match(
      /^\S.* · Boleto$/,
    );
    language.value = "pt";
  });

  it("is that of the chosen value of a breakdown", () => {
    const cell = cellOf("2024-04:direct:x", "months.4.absolute");
    expect(cell?.breakKey).to.equal("direct:x");
    expect(cell && sentenceOf(answer("logo", "direct:x"), cell)).to.include("261");
    expect(cell && sentenceOf(answer("logo", "email"), cell)).to.equal("");
  });
});

describe("The lines of cohorts", () => {
  const line = (key: string, values: readonly (number | null)[]) => ({
    key,
    name: key,
    as: "line" as const,
    color: "accent" as const,
    values,
  });

  it("have the three newest with a course in colors of their own, and the others behind them", () => {
    const lines = ["a", "b", "c", "d", "e"].map((key) => line(key, [1, 2]));
    const shown = spotlit([...lines, line("just begun", [1, null])]);
    expect(shown.filter(({ isBehind }) => !isBehind).map(({ key }) => key)).to.deep.equal(["c", "d", "e"]);
    expect(new Set(shown.filter(({ isBehind }) => !isBehind).map(({ color }) => color)).size).to.equal(3);
    expect(shown).to.have.length(6);
  });

  it("are only the newest, where very many would be an area", () => {
    const lines = Array.from({ length: 107 }, (_, n) => line(String(n), [1, 2, 3]));
    expect(spotlit(lines).map(({ key }) => key)).to.deep.equal(["104", "105", "106"]);
  });
});

describe("A file's name", () => {
  it("says whose it is, what it has, and of which days", () => {
    const days = { startDate: "2025-03-01", endDate: "2025-03-20" };
    expect(fileName("Açaí & Cia. 2", "trend", days)).to.equal("acai-cia-2_trend_2025-03-01_2025-03-20");
    expect(fileName("Loja", "products", { dateFrom: "2025-01-01", dateTo: "2025-01-31" })).to.equal(
      "loja_products_2025-01-01_2025-01-31",
    );
    expect(fileName(undefined, "forecast", {})).to.equal("forecast");
    expect(fileName("../../x", "y", {})).to.equal("x_y");
  });
});

describe("A value that may be far off", () => {
  it("has two digits", () => {
    language.value = "pt";
    expect(rough(54_888, "count").replaceAll("\u00a0", " ")).to.equal("≈ 55 mil");
    expect(rough(493.6, "count")).to.equal("≈ 490");
  });
});
