import { expect } from "chai";
import type { Statement } from "../../explorer/src/answers.ts";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["pt-BR"] }, configurable: true });
const { currency } = await import("../../explorer/src/format.ts");
const { language } = await import("../../explorer/src/preferences.ts");
const { furtherOf, headlineOf, missingCosts, nameOf, whenOf } = await import(
  "../../explorer/src/views/report/reportText.ts"
);

const statement = (
  amounts: { netRevenue: number; contribution3: number | null; profit: number | null },
  more: { change?: number; pct?: number | null; source?: string | null; missing?: readonly object[] } = {},
): Statement => {
  const { source = "rules", change, pct = null, missing = [] } = more;
  const line = (amount: number | null) => ({ amount, share: amount === null ? null : amount / amounts.netRevenue });
  const changes = { netRevenue: null, contribution3: null, profit: null };
  return {
    statement: {
      // Without anything else, goods that have no cost make the result unknown.
      contribution2: line(amounts.contribution3),
      media: line(0),
      ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, line(amount)])),
      fixed: { amount: 0, source },
    },
    changes:
      change === undefined
        ? null
        : Object.fromEntries(Object.keys(changes).map((name) => [name, { amount: change, pct }])),
    missing,
  } as unknown as Statement;
};
const OCTOBER = ["2026-10-01", "2026-10-31"] as const;
const spaced = (text: string | undefined): string => (text ?? "").replaceAll(/[\u00a0\u202f\u2009]/g, " ");

describe("The words of the report [D94]", () => {
  before(() => {
    currency.value = "BRL";
  });
  beforeEach(() => {
    language.value = "pt";
  });
  after(() => {
    currency.value = undefined;
    language.value = undefined;
  });

  it("name months, quarters and years of the calendar, and other days by their dates", () => {
    const names = (...days: readonly [string, string][]): string[] => days.map((two) => spaced(whenOf(nameOf(...two))));
    const asked = [
      OCTOBER,
      ["2026-07-01", "2026-09-30"],
      ["2026-01-01", "2026-12-31"],
      ["2026-11-28", "2026-11-28"],
      ["2026-10-02", "2026-10-31"],
      ["2025-12-01", "2026-01-31"],
      ["2026-02-01", "2026-04-30"],
    ] as [string, string][];
    expect(names(...asked)).to.deep.equal([
      "Em outubro de 2026",
      "No 3º trimestre de 2026",
      "Em 2026",
      "Em 28 de nov. de 2026",
      "No período de 2 – 31 de out. de 2026",
      "No período de 1 de dez. de 2025 – 31 de jan. de 2026",
      "No período de 1 de fev. – 30 de abr. de 2026",
    ]);
    language.value = "en";
    expect(names(...asked.slice(0, 5))).to.deep.equal([
      "In October 2026",
      "In Q3 2026",
      "In 2026",
      "On Nov 28, 2026",
      "From Oct 2 – 31, 2026",
    ]);
  });

  it("say first what the shop made, up to the last total that is known", () => {
    const first = (...args: Parameters<typeof statement>): string =>
      spaced(headlineOf(statement(...args), nameOf(...OCTOBER)));
    const amounts = { netRevenue: 1000, contribution3: 250, profit: 90.5 };
    expect(first(amounts)).to.equal("Em outubro de 2026 a loja lucrou R$ 90,50.");
    expect(first({ ...amounts, profit: -3 })).to.equal("Em outubro de 2026 a loja perdeu R$ 3,00.");
    expect(first({ ...amounts, profit: 0 })).to.include("nem prejuízo");
    expect(first(amounts, { source: "pending" })).to.include("sobraram R$ 250,00 para a loja depois dos anúncios");
    expect(first({ ...amounts, contribution3: -250 }, { source: null })).to.include("faltaram R$ 250,00");
    const unknown = { netRevenue: 1000, contribution3: null, profit: null };
    expect(first(unknown)).to.equal("Em outubro de 2026 a loja teve R$ 1.000,00 de receita líquida.");
    language.value = "en";
    expect(first(amounts)).to.equal("In October 2026 the shop made a profit of R$90.50.");
  });

  it("say then how that compares, and never what is not known", () => {
    const further = (...args: Parameters<typeof statement>): string =>
      spaced(furtherOf(statement(...args), nameOf("2026-09-01", "2026-09-30")).join(" "));
    const amounts = { netRevenue: 1000, contribution3: 250, profit: 90 };
    expect(further(amounts, { change: 45, pct: 100 })).to.equal(
      "São R$ 45,00 a mais do que em setembro de 2026 (+100%). De cada R$ 100 de receita líquida ficaram R$ 25 depois dos anúncios, e R$ 9 depois dos custos fixos.",
    );
    expect(further(amounts, { change: -45 })).to.include("São R$ 45,00 a menos do que em setembro de 2026. ");
    expect(further(amounts, { change: 0 })).to.include("É o mesmo que em setembro de 2026.");
    expect(further(amounts)).to.match(/^De cada/);
    expect(further(amounts, { source: "pending" })).to.include("Os custos fixos não foram informados");
    expect(further({ netRevenue: 1000, contribution3: null, profit: null })).to.equal(
      "Não se sabe quanto sobrou: falta o custo de mercadorias vendidas.",
    );
    // The spend of a store may be unknown [D86].
    const ofStore = statement({ netRevenue: 1000, contribution3: null, profit: null });
    const hidden = {
      ...ofStore,
      statement: {
        ...ofStore.statement,
        contribution2: { amount: 300, share: 0.3 },
        media: { amount: null, share: null },
      },
    } as unknown as Statement;
    expect(spaced(furtherOf(hidden, undefined).join(" "))).to.equal(
      "Antes dos anúncios: R$ 300,00. Quanto a loja gastou em anúncios não se sabe.",
    );
  });

  it("name every cost of which something is not known, however small", () => {
    const missing = [
      { item: "goods", orders: 3, revenue: 30, units: 3 },
      { item: "shipping", orders: 2, revenue: 0.5 },
      { item: "fixed", orders: null, revenue: null },
    ];
    const texts = missingCosts(statement({ netRevenue: 1, contribution3: 1, profit: 1 }, { missing }));
    expect(texts.map(spaced)).to.deep.equal([
      "Frete: não informado para 2 pedidos, com R$ 0,50 de receita. Conta como zero, e a sobra parece maior.",
      "Custos fixos: não informado. Conta como zero, e o lucro parece maior.",
    ]);
  });
});
