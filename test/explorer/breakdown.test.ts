import { expect } from "chai";
import fc from "fast-check";
import type { Breakdown, Row } from "../../explorer/src/views/breakdown/rows.ts";
import { ORDER_ATTRIBUTE_NAMES, parametersOf } from "../../src/core/contract/attributes.ts";

Object.assign(globalThis, {
  location: { hash: "" },
  addEventListener: () => {},
  history: { pushState: () => {}, replaceState: () => {} },
  localStorage: { getItem: () => null, setItem: () => {} },
  ...("navigator" in globalThis ? {} : { navigator: { languages: ["pt-BR"] } }),
});
const { nameOf, ordersOf, rowNameOf, rowText } = await import("../../explorer/src/views/breakdown/attributes.ts");
const { ATTRIBUTES, areAttributes, attributesIn } = await import("../../explorer/src/views/breakdown/chosen.ts");
const { comparedTo, figureOf, inOrder } = await import("../../explorer/src/views/breakdown/rows.ts");
const { language } = await import("../../explorer/src/preferences.ts");

const row = (key: Row["key"], revenue: number, more: Partial<Row> = {}): Row => ({
  key,
  label: key,
  revenue,
  orders: 1,
  newCustomers: 0,
  recurringOrders: 1,
  averageTicket: revenue,
  discount: null,
  contribution2: revenue / 2,
  missing: [],
  share: null,
  previous: null,
  changes: null,
  ...more,
});
const keysOf = (rows: readonly Row[]) => rows.map(({ key }) => key);

describe("The breakdown of a period in the address", () => {
  it("is by one attribute or two, and by the first one if it names none", () => {
    expect(attributesIn("state")).to.deep.equal(["state"]);
    expect(attributesIn("hour,weekday")).to.deep.equal(["hour", "weekday"]);
    expect(attributesIn("state,state")).to.deep.equal(["state"]);
    for (const none of ["", "toString", "state,city,hour", ",state"])
      expect(attributesIn(none), none).to.deep.equal(["payment_group"]);
    expect(["state", "hour,weekday", "", "state,state", "x"].map(areAttributes)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("has the attributes of the service", () => {
    expect([...ATTRIBUTES].sort()).to.deep.equal([...ORDER_ATTRIBUTE_NAMES].sort());
  });

  it("names rows as the service does", () => {
    expect([rowNameOf("pix"), rowNameOf(null)]).to.deep.equal(["pix", ""]);
    expect(rowNameOf(["a:b", null])).to.equal("a%3Ab:");
  });

  it("leads to the orders by the parameters of the service", () => {
    const own: Readonly<Record<string, string>> = { store: "integrationId" };
    const key = fc.oneof(fc.string(), fc.constantFrom("07", "SP/SAO PAULO", "/BERLIM", "new", "1"));
    fc.assert(
      fc.property(fc.constantFrom(...ATTRIBUTES), key, (attribute, value) => {
        const selected = ordersOf([attribute], value);
        const sent =
          selected && Object.fromEntries(Object.entries(selected).map(([name, text]) => [own[name] ?? name, text]));
        expect(sent).to.deep.equal(parametersOf(attribute, value));
      }),
    );
    expect(ordersOf(["state", "hour"], ["SP", "07"])).to.deep.equal({ state: "SP", hour: "7" });
    expect(ordersOf(["state", "campaign"], ["SP", "1"])).to.equal(undefined);
    expect(ordersOf(["state"], null)).to.equal(undefined);
  });
});

describe("The rows of a breakdown", () => {
  it("are in the order of hours and weekdays, otherwise the largest first, without a value last", () => {
    const hours = [row("23", 9), row("01", 1), row("11", 5)];
    expect(keysOf(inOrder(hours, ["hour"], "revenue"))).to.deep.equal(["01", "11", "23"]);
    const states = [row(null, 9), row("RJ", 1), row("SP", 5)];
    expect(keysOf(inOrder(states, ["state"], "revenue"))).to.deep.equal(["SP", "RJ", null]);
    const both = [row(["2", "05"], 1), row(["1", "09"], 1), row(["1", "03"], 9)];
    expect(keysOf(inOrder(both, ["weekday", "hour"], "revenue"))).to.deep.equal([
      ["1", "03"],
      ["1", "09"],
      ["2", "05"],
    ]);
  });

  it("have no average of no orders", () => {
    expect(figureOf(row("x", 0, { orders: 0 }), "averageTicket")).to.equal(null);
    expect(figureOf(row("x", 0, { orders: 0 }), "revenue")).to.equal(0);
  });

  it("are compared with those of other dates, which may have others", () => {
    const of = (...data: Row[]) =>
      ({
        data,
        total: {
          ...row(
            "",
            data.reduce((sum, one) => sum + one.revenue, 0),
          ),
        },
      }) as unknown as Breakdown;
    const { data, total } = comparedTo(of(row("pix", 15), row("boleto", 3)), of(row("pix", 10), row("wallet", 4)));
    expect(keysOf(data)).to.deep.equal(["pix", "boleto", "wallet"]);
    expect(data.map(({ previous }) => previous?.revenue)).to.deep.equal([10, 0, 4]);
    expect(data.map(({ changes }) => changes?.revenue)).to.deep.equal([50, null, -100]);
    expect(total.previous?.revenue).to.equal(14);
  });
});

describe("The names of what orders carry", () => {
  const names = () => [
    nameOf("weekday", "1", "Segunda-feira"),
    nameOf("hour", "09", "09h"),
    nameOf("payment_group", "credit_card", "Cartão de crédito"),
    nameOf("new_or_recurring", "anonymous", "Anônimos"),
    nameOf("installments", "03", "3x"),
    nameOf("country", "BR", "BR"),
    nameOf("coupon", null, null),
    rowText(["city", "state"], ["SP/SAO PAULO", null], ["São Paulo/SP", null]),
  ];

  it("are in the page's language, whatever the service calls them", () => {
    language.value = "pt";
    expect(names()).to.deep.equal([
      "Segunda-feira",
      "09h",
      "Cartão de crédito",
      "Anônimos",
      "3x",
      "Brasil",
      "Sem cupom",
      "São Paulo/SP · Estado não informado",
    ]);
    language.value = "en";
    expect(names()).to.deep.equal([
      "Monday",
      "09:00",
      "Credit card",
      "Anonymous",
      "3x",
      "Brazil",
      "No coupon",
      "São Paulo/SP · State not given",
    ]);
    language.value = "pt";
  });
});
