import { expect } from "chai";
import fc from "fast-check";
import type { Campaign, Rule } from "../../explorer/src/views/settings/campaigns/rules.ts";
import type { Cost, CostRule } from "../../explorer/src/views/settings/costs/rules.ts";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: {},
  localStorage: { getItem: () => null, setItem: () => {} },
  ...("navigator" in globalThis ? {} : { navigator: { languages: ["pt-BR"] } }),
});
const { classed, decidingRule, fits } = await import("../../explorer/src/views/settings/campaigns/rules.ts");
const { cronOf, scheduleOf } = await import("../../explorer/src/views/settings/connections/schedule.ts");
const { costIn, costsWith, emptyForm, faultsOf, formOf, sumsOf } = await import(
  "../../explorer/src/views/settings/costs/form.ts"
);
const { addingUp, allRulesOf, costsOf, keptOfMargin } = await import(
  "../../explorer/src/views/settings/costs/rules.ts"
);
const { mergedFields, mergedList } = await import("../../explorer/src/views/settings/merged.ts");
const { numberIn } = await import("../../explorer/src/views/settings/exact.ts");

const PIX: Cost = { item: "payment", where: { paymentMethod: "Pix" }, amounts: { percentOfRevenue: 1 } };

describe("Costs as people say them", () => {
  it("are rules that hold together, and become the same rules again", () => {
    const rules: CostRule[] = [
      { item: "payment", percentOfRevenue: 3.5, from: "2026-10-01" },
      { item: "payment", perOrder: 0.4, from: "2026-10-01" },
      { item: "payment", percentOfRevenue: 2, from: "2026-10-01" },
      { item: "fixed", none: true },
    ];
    const costs = costsOf(rules);
    expect(costs.map(({ amounts }) => amounts)).to.deep.equal([
      { percentOfRevenue: 3.5, perOrder: 0.4 },
      { percentOfRevenue: 2 },
      { none: true },
    ]);
    expect(allRulesOf(costs)).to.deep.equal(rules);
  });

  it("add up only where amounts of one kind hold for one order", () => {
    expect(addingUp({ ...PIX, from: "2026-01-01" }, [PIX])).to.deep.equal([PIX]);
    expect(addingUp({ ...PIX, where: { paymentMethod: "Boleto" } }, [PIX])).to.deep.equal([]);
    expect(addingUp({ ...PIX, amounts: { perOrder: 1 } }, [PIX])).to.deep.equal([]);
    expect(
      addingUp(PIX, [
        { ...PIX, until: "2025-01-01" },
        { ...PIX, item: "other" },
      ]),
    ).to.have.length(1);
  });

  it("are not saved while it is open what to do with a sum; a new one can take the place of an earlier one", () => {
    const form = { ...formOf(PIX), hasFrom: true, from: "2026-10-01", amounts: { percentOfRevenue: "3,5" } };
    expect(faultsOf(form, { others: [PIX], old: undefined })).to.deep.equal({ sum: "choose" });
    expect(costsWith({ ...form, sum: "both" }, [PIX], undefined)).to.deep.equal([PIX, costIn(form)]);
    expect(costsWith({ ...form, sum: "instead" }, [PIX], undefined)).to.deep.equal([
      { ...PIX, until: "2026-09-30" },
      costIn(form),
    ]);
  });

  it("that change from a day on stay what they were before it", () => {
    const form = { ...formOf(PIX), amounts: { percentOfRevenue: "2" } };
    expect(faultsOf(form, { others: [], old: PIX })).to.deep.equal({ change: "choose" });
    expect(costsWith({ ...form, change: "from", changeFrom: "2026-10-01" }, [PIX], PIX)).to.deep.equal([
      { ...PIX, until: "2026-09-30" },
      { ...PIX, from: "2026-10-01", amounts: { percentOfRevenue: 2 } },
    ]);
    expect(costsWith({ ...form, change: "always" }, [PIX], PIX)).to.deep.equal([
      { ...PIX, amounts: { percentOfRevenue: 2 } },
    ]);
    expect(sumsOf({ ...form, change: "from", changeFrom: "2026-10-01" }, { others: [], old: PIX })).to.deep.equal([]);
  });

  it("say what is wrong with what was typed", () => {
    const faults = (text: string) =>
      faultsOf({ ...emptyForm("payment"), amounts: { percentOfRevenue: text } }, { others: [], old: undefined });
    expect(faults("")).to.deep.equal({ amounts: "amount" });
    expect(faults("x")).to.deep.equal({ percentOfRevenue: "number" });
    expect(faults("101")).to.deep.equal({ percentOfRevenue: "percent" });
    expect(faults("-1")).to.deep.equal({ percentOfRevenue: "negative" });
    expect(faults("1,1234567")).to.deep.equal({ percentOfRevenue: "decimals" });
  });

  it("keep what the margin said before the first rule of an item", () => {
    const margin = { items: { gateway: { percent: 3 } } };
    const first: Cost = { ...PIX, from: "2026-10-01" };
    expect(keptOfMargin(first, [], margin)).to.deep.equal({
      item: "payment",
      until: "2026-09-30",
      amounts: { percentOfRevenue: 3 },
    });
    expect(keptOfMargin(first, [PIX], margin)).to.equal(undefined);
    expect(keptOfMargin(PIX, [], margin)).to.equal(undefined);
  });
});

describe("Numbers that people type", () => {
  it("are read with a comma or a point", () => {
    for (const [text, pt, en] of [
      ["3,5", 3.5, 3.5],
      ["3.5", 3.5, 3.5],
      ["R$ 1.234,56", 1234.56, 1234.56],
      ["1,234.56", 1234.56, 1234.56],
      ["1.500", 1500, 1.5],
      ["1,500", 1.5, 1500],
      ["10 %", 10, 10],
      ["a", undefined, undefined],
      ["1.2.3", 123, 123],
    ] as const) {
      expect(numberIn(text, true), `${text}, pt`).to.equal(pt);
      expect(numberIn(text, false), `${text}, en`).to.equal(en);
    }
  });
});

describe("What two people change at once", () => {
  it("keeps the changes of both", () => {
    expect(mergedList(["a", "b"], ["a", "c"], ["b", "d", "a"])).to.deep.equal(["d", "a", "c"]);
    expect(mergedFields<object>({ a: 1, b: 1 }, { a: 2 }, { a: 1, b: 1, c: 3 })).to.deep.equal({ a: 2, c: 3 });
  });

  it("is what the others have where nothing was changed, and the own where they changed nothing", () => {
    const list = fc.uniqueArray(fc.integer({ min: 0, max: 9 }));
    fc.assert(
      fc.property(list, list, (base, other) => {
        expect(mergedList(base, base, other)).to.have.members(other);
        expect(mergedList(base, other, base)).to.have.members(other);
      }),
    );
  });
});

describe("Classes of campaigns", () => {
  const campaign = (campaignId: string, campaignName: string): Campaign => ({
    ...{ campaignId, campaignName, connector: "socialads", spend: 1, firstDay: "2026-01-01", lastDay: "2026-01-01" },
    ...{ strategy: null, rule: null },
  });
  const rules: Rule[] = [
    { strategy: "brand", name: "*institucional*" },
    { strategy: "acquisition", name: "*" },
  ];

  it("are those of the first rule that fits, without case and accents", () => {
    expect(fits("*coleção*", "Nova COLECAO de verão")).to.equal(true);
    expect(fits("a.b", "axb")).to.equal(false);
    expect(decidingRule(rules, campaign("1", "Institucional"))).to.equal(0);
    expect(decidingRule(rules, campaign("2", "Outra"))).to.equal(1);
  });

  it("change by a rule before the one that decided, which leaves the other campaigns as they were", () => {
    const next = classed(rules, campaign("2", "Outra"), { strategy: "monetization", id: "2" });
    expect(next.map(({ strategy }) => strategy)).to.deep.equal(["brand", "monetization", "acquisition"]);
    expect(decidingRule(next, campaign("3", "Mais uma"))).to.equal(2);
    const again = classed(next, campaign("2", "Outra"), { strategy: "brand", id: "2" });
    expect(again).to.have.length(3);
  });
});

describe("Schedules that people choose", () => {
  it("are cron expressions, and those of others stay", () => {
    for (const cron of [null, "*/30 * * * *", "0 * * * *", "15 6 * * *", "0 3 * * 1"])
      expect(cronOf(scheduleOf(cron), cron)).to.equal(cron);
    expect(scheduleOf("15 6 * * *")).to.deep.equal({ kind: "daily", at: "06:15" });
  });
});
