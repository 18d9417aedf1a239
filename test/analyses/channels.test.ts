import { expect } from "chai";
import { Database } from "../../src/core/engine/database.ts";
import { coreMacros } from "../../src/core/marts/build.ts";

type Parameter = string | null;

const PAID = [
  ...["cpc", "cpm", "xcpax", "ppc", "paid", "paid social", "retargeting", "remarketing", "ad", "ads", "display", "sem"],
  ...["pago", "midia paga", "midiapaga"],
];
const EMAIL = ["email", "e mail", "newsletter", "email marketing", "mail", "mailing"];
const AFFILIATE = ["affiliate", "affiliates", "afiliado", "afiliados"];
const NETWORKS = ["facebook", "instagram", "meta", "fb", "ig", "messenger", "tiktok"];
const SOCIAL = [...NETWORKS, "youtube", "pinterest", "linkedin", "twitter", "x", "whatsapp", "threads"];
const ENGINES = ["google", "bing", "yahoo", "duckduckgo", "ecosia", "baidu", "yandex"];

/** Channel → source, medium and campaign of its orders, as in [D15]. */
const ORDERS: readonly (readonly [channel: string, orders: readonly (readonly Parameter[])[]])[] = [
  ["direct", [[null, null, null]]],
  ["searchads", PAID.map((medium) => ["google", medium, null])],
  ["searchads", ["google", "bing", "adwords", "bing ads", "www.google.com"].map((source) => [source, "cpc", "promo"])],
  ["socialads", [...NETWORKS, "l.facebook.com", "ig stories"].map((source) => [source, "paid", "promo"])],
  ["email", EMAIL.map((medium) => ["loja", medium, null])],
  ["email", EMAIL.map((source) => [source, "cpc", null])],
  ["email", EMAIL.map((source) => [source, null, null])],
  ["affiliate", AFFILIATE.map((medium) => ["loja", medium, null])],
  ["affiliate", AFFILIATE.map((source) => [source, "cpc", null])],
  ["affiliate", AFFILIATE.map((source) => [source, null, "promo"])],
  ["other", PAID.map((medium) => ["loja", medium, null])],
  // Paid, in a network without a connector.
  ["other", ["youtube", "pinterest", "yahoo"].map((source) => [source, "cpc", null])],
  ["organic_social", [...SOCIAL, "m.youtube.com"].map((source) => [source, "referral", null])],
  ["organic_social", SOCIAL.map((source) => [source, null, null])],
  [
    "organic_social",
    ["social", "social network", "social media", "sm", "organic social"].map((medium) => ["google", medium, null]),
  ],
  ["organic_search", [...ENGINES, "google.com.br"].map((source) => [source, "referral", null])],
  ["organic_search", ["organic", "organic search", "seo"].map((medium) => ["loja", medium, null])],
  ["referral", ["referral", "link", "app"].map((medium) => ["loja", medium, "promo"])],
  [
    "direct",
    ["(direct)", "direct"].flatMap((source) => ["(none)", "none", "(not set)", null].map((m) => [source, m, null])),
  ],
  ["other", ["(direct)", "direct"].map((source) => [source, "(none)", "promo"])],
  [
    "other",
    [
      ["direct", "banner", null],
      [null, "(none)", null],
      [null, null, "promo"],
      ["loja", null, null],
    ],
  ],
  // Whole words, and whole texts.
  [
    "other",
    [
      ["googleplex", null, null],
      ["metal", "cp", null],
      ["loja", "adsense", null],
      ["e mails", null, null],
    ],
  ],
];

/** The results of a scalar macro of the core relations, for one text each. */
async function results(macro: string, texts: readonly string[]): Promise<string[]> {
  const database = await Database.open();
  try {
    return await database.use(async (session) => {
      await session.run(coreMacros());
      const all: string[] = [];
      for (const text of texts) all.push(...(await session.texts(`select ${macro}($1::varchar)`, [text])));
      return all;
    });
  } finally {
    database.close();
  }
}

describe("Text made comparable [D12]", () => {
  it("has its valid sequences decoded, even next to invalid ones", async () => {
    const texts: Readonly<Record<string, string>> = {
      "Promo%20de+Ver%C3%A3o": "promo de verão",
      "+yahoo%C2%A0AFILIADO%E3FB": "yahoo afiliado%e3fb",
      "Affiliate%C2%A0Facebook%E3MARKETING": "affiliate facebook%e3marketing",
      "%E0%80%80x%41": "%e0%80%80xa",
      "100%_%F0%9F%98%80%ff": "100% 😀%ff",
    };
    expect(await results("normalized", Object.keys(texts))).to.deep.equal(Object.values(texts));
  });
});

describe("A masked e-mail [D5]", () => {
  it("is the address below all its masks", async () => {
    const emails: Readonly<Record<string, string>> = {
      " Ana@Example.com-12b.ct.vtex.com.br\t": "ana@example.com",
      "u@ex.com-12b.ct.vtex.com.br-34.ct.vtex.com.br": "u@ex.com",
      "u@ex-5.com-12.ct.vtex.com.br": "u@ex-5.com",
      "a1b2@ct.vtex.com.br": "a1b2@ct.vtex.com.br",
    };
    expect(await results("unmasked", Object.keys(emails))).to.deep.equal(Object.values(emails));
  });
});

describe("The channel of an order [D15]", () => {
  it("is that of the first test that its source, medium and campaign meet", async () => {
    const macros = coreMacros();
    const database = await Database.open();
    try {
      await database.use(async (session) => {
        await session.run(macros);
        for (const [channel, orders] of ORDERS)
          for (const order of orders) {
            const actual = await session.texts("select channel_of($1::varchar, $2::varchar, $3::varchar)", [...order]);
            expect([...order, actual[0]]).to.deep.equal([...order, channel]);
          }
      });
    } finally {
      database.close();
    }
  });
});
