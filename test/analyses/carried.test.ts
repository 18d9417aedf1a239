import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { literal, type Row } from "../../src/core/engine/database.ts";
import { readMacros, readSql } from "../../src/core/engine/sql.ts";
import { AURORA, exportsOf, oneStore, ROOT, STOREA, STOREB, withData } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";

const AT = "2025-02-10T02:30:00Z";

/** Name and group of storea's payments → the way of paying. */
const STOREA_PAYMENTS: readonly (readonly [name: string, group: string, expected: string | null])[] = [
  ["Visa", "creditCard", "credit_card"],
  ["Visa", "CREDITCARDPaymentGroup", "credit_card"],
  ["", "debitCard", "debit_card"],
  ["Boleto Bancário", "bankInvoicePaymentGroup", "boleto"],
  ["", "instantPayment", "pix"],
  ["Vale", "", "gift_card"],
  ["Vale do Sol", "", "other"],
  ["Débito Itau", "", "debit_card"],
  ["Visa Electron", "promissory", "debit_card"],
  ["", "promissory", "other"],
  ["", "Pagaleve Transparente", "other"],
  ["", "MercadoPagoWallet", "wallet"],
  ["Nubank", "Nubank", "wallet"],
  // The cell of a download names several.
  ["Vale presente, Visa", "", "credit_card"],
  ["Vale, Cartão presente", "", "gift_card"],
  // A rule of the settings comes first, also before the store's own group; it matches the name only.
  ["Clube Aurora", "creditCard", "pix"],
  ["", "", null],
];

/** Names of gateways of storeb → the way of paying. */
const GATEWAYS: readonly (readonly [names: readonly string[], expected: string | null])[] = [
  [["Pix (3% de desconto)"], "pix"],
  [["Appmax - Cartão de Crédito"], "credit_card"],
  [["Cash on Delivery (COD)"], "other"],
  [["mercado_pago"], "wallet"],
  [["Mercado Crédito"], "other"],
  [["bogus"], "other"],
  [["gift_card", "shopify_payments"], "credit_card"],
  [["Crédito na loja", "gift_card"], "gift_card"],
  [["MB WAY"], "other"],
  [["AME"], "wallet"],
  [["Loja ame"], "other"],
  [["Yampi"], "other"],
  [["Pagar.me"], "other"],
  [["epsilon"], "other"],
  [[" "], null],
  [[], null],
];

const sale = (gateway: string, amount: string, more: object = {}): object => ({
  ...{ kind: "sale", status: "success", gateway, amount, currency: "BRL" },
  ...more,
});

/** Transactions of an order of storeb whose first gateway is PayPal → the way of paying. */
const TRANSACTIONS: Readonly<Record<string, readonly [expected: string, transactions: readonly object[]]>> = {
  1: ["pix", [sale("gift_card", "50.00"), sale("pix", "30.00"), sale("pix", "30.00", { kind: "capture" })]],
  2: ["gift_card", [sale("gift_card", "50.00"), sale("pix", "50.00")]],
  3: ["credit_card", [sale("Yampi", "10.00", { payment_details: { credit_card_company: "Visa" } })]],
  4: ["boleto", [sale("Yampi", "10.00", { payment_details: { payment_method_name: "boleto" } })]],
  // Amounts of the buyer's currency, authorizations and failures are no payments.
  5: ["pix", [sale("pix", "1.00"), sale("manual", "9.00", { currency: "USD" })]],
  6: ["pix", [sale("pix", "1.00"), sale("manual", "9.00", { kind: "authorization" })]],
  7: ["pix", [sale("pix", "1.00"), sale("manual", "9.00", { status: "failure" })]],
  // Without any the first gateway counts.
  8: ["wallet", [sale("pix", "1.00", { kind: "refund" })]],
};

/** City, state and country as exported → state, city, country, and the city's key. */
const PLACES: readonly (readonly [written: readonly [string, string, string], expected: readonly unknown[]])[] = [
  [
    ["  São   Paulo ", "são paulo", "BRA"],
    ["SP", "São Paulo", "BR", "SAO PAULO"],
  ],
  [
    ["Ilhéus", "BAHIA", ""],
    ["BA", "Ilhéus", null, "ILHEUS"],
  ],
  [
    ["Ilheus", "ba", "br"],
    ["BA", "Ilheus", "BR", "ILHEUS"],
  ],
  [
    ["", "Rio_Grande-do+Sul", "Brasil"],
    ["RIO GRANDE DO SUL", null, "BRASIL", null],
  ],
  [
    ["Montevideo", "Bahia", "URY"],
    ["BAHIA", "Montevideo", "UY", "MONTEVIDEO"],
  ],
  [
    ["", "", "Côte d’Ivoire"],
    [null, null, "CÔTE D’IVOIRE", null],
  ],
];

/** A table of storea with the payments and the places. */
function table(): string {
  const cells = (all: readonly string[]): string => all.map((one) => `"${one}"`).join(",");
  return [
    "order_id,creation_date,authorized_date,value,status,payment_method,payment_method_group,shipping_city,shipping_state,shipping_country",
    ...STOREA_PAYMENTS.map(([name, group], no) => `p${no},${AT},${AT},10,invoiced,${cells([name, group, "", "", ""])}`),
    ...PLACES.map(([written], no) => `s${no},${AT},${AT},10,invoiced,,,${cells(written)}`),
  ].join("\n");
}

/** Orders of storeb with gateways, transactions, and in an hour that comes twice. */
function documents(): object[] {
  const order = (id: string | number, more: object): object => ({
    ...{ id, created_at: AT, total_price: "10.00", financial_status: "paid", currency: "BRL" },
    ...more,
  });
  return [
    ...GATEWAYS.map(([payment_gateway_names], no) => order(100 + no, { payment_gateway_names })),
    ...Object.entries(TRANSACTIONS).map(([id, [, transactions]]) =>
      order(id, { payment_gateway_names: ["paypal"], transactions }),
    ),
    order(201, { created_at: "2025-11-02T05:30:00Z", financial_status: "pending" }),
    order(202, { created_at: "2025-11-02T06:30:00Z" }),
  ];
}

describe("What an order carries [D88]", () => {
  let laboratory: Laboratory;

  const settings = {
    ...oneStore(),
    integrations: [
      { id: STOREA, connector: "storea", name: "A", timezone: "America/Sao_Paulo" },
      { id: STOREB, connector: "storeb", name: "B", timezone: "America/New_York" },
    ],
    payments: [{ name: "clube*", group: "pix" }],
  } as const;

  /** All orders of these tests, by their ids, and the names of payments that nothing knows. */
  let orders: ReadonlyMap<unknown, Row>;
  let unknown: readonly Row[];

  before(async () => {
    laboratory = await Laboratory.open();
    await withData(settings, async (data) => {
      await data.write(`${exportsOf(STOREA, "orders")}/a.csv`, table());
      await data.write(`${exportsOf(STOREB, "orders")}/b.json`, JSON.stringify({ orders: documents() }));
      await data.sync();
      const { folder } = await new Landed(laboratory.database, data.path).generation(AURORA);
      await laboratory.database.use(async (session) => {
        for (const name of ["orders", "uncounted_orders", "order_payments", "integrations"]) {
          const view = `from read_parquet(${literal(`${folder}/${name}.*parquet`)}, hive_partitioning = false)`;
          await session.run(`create or replace temp view ${name} as ${view}`);
        }
        await session.run(readMacros("setup/rounding"));
        const columns = "order_id, payment_group, state, city, country, city_key, hour, weekday";
        const rows = await session.rows(
          `select ${columns} from orders union all select ${columns} from uncounted_orders`,
        );
        orders = new Map(rows.map((row) => [row.order_id, row]));
        unknown = await session.rows(readSql("doctor/unknown_payments"));
      });
    });
  });

  const groupOf = (id: string): unknown => orders.get(id)?.payment_group;

  it("is the way of paying, by the settings, the store's group, the table of names", () => {
    for (const [no, [name, group, expected]] of STOREA_PAYMENTS.entries())
      expect(groupOf(`p${no}`), `${name} ${group}`).to.equal(expected);
    for (const [no, [names, expected]] of GATEWAYS.entries())
      expect(groupOf(String(100 + no)), names.join()).to.equal(expected);
  });

  it("names payments that nothing knows, with their orders and revenue", () => {
    expect(
      unknown.map(({ integration, payment, orders, revenue }) => [integration, payment, orders, revenue]),
    ).to.deep.equal([
      ["A", "Vale do Sol", 1, 10],
      ["B", "Loja ame", 1, 10],
      ["B", "Pagar.me", 1, 10],
      ["B", "Yampi", 1, 10],
      ["B", "epsilon", 1, 10],
    ]);
  });

  it("is that of the larger payment, added up by name, and of a card where its company is known", () => {
    for (const [id, [expected]] of Object.entries(TRANSACTIONS)) expect(groupOf(id), id).to.equal(expected);
  });

  it("is the place, in one spelling", () => {
    for (const [no, [, expected]] of PLACES.entries()) {
      const { state, city, country, city_key } = orders.get(`s${no}`) ?? {};
      expect([state, city, country, city_key]).to.deep.equal(expected);
    }
  });

  it("is the time on the store's clock, on which an hour that comes twice is one", () => {
    const timeOf = (id: string): unknown[] => [orders.get(id)?.hour, orders.get(id)?.weekday];
    expect(timeOf("s0")).to.deep.equal([23, 7]);
    expect(timeOf("201")).to.deep.equal([1, 7]);
    expect(timeOf("202")).to.deep.equal([1, 7]);
  });

  it("has every state of Brazil, and the table of names that the rules have", () => {
    const macros = readSql("core/macros");
    const [, states = ""] = /'BR' then map \{([^}]*)\}/.exec(macros) ?? [];
    expect(new Set([...states.matchAll(/: '([A-Z]{2})'/g)].map(([, code]) => code))).to.have.lengthOf(27);
    const terms = [...macros.matchAll(/^ {8}\(\d, '(\w+)', ((?:'[^']*'(?:\n\s+\|\| )?)+)\)/gm)].map(
      ([, group, text = ""]) => [group, text.replaceAll(/'\n\s+\|\| '|^'|'$/g, "").replaceAll(/=([\w ]+)/g, '"$1"')],
    );
    const page = readFileSync(path.join(ROOT, "docs", "rules.md"), "utf8");
    const [, rows = ""] = /\| Group \| Terms \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
    const listed = rows
      .trim()
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()))
      .map(([, group = "", text]) => [/`(\w+)`/.exec(group)?.[1], text]);
    expect(listed).to.have.lengthOf(9);
    expect(terms).to.deep.equal(listed);
  });
});
