import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { Database } from "../src/engine/database.ts";
import { ROOT } from "./support/data.ts";

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

/** Channel → source, medium and campaign of orders that came through it, as [D15] has them. */
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
  // Paid, in a network that has no connector.
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

describe("The channel of an order [D15]", () => {
  it("is told by the first test that holds of its source, medium and campaign", async () => {
    const macros = await readFile(path.join(ROOT, "sql", "core", "macros.sql"), "utf8");
    const database = await Database.open();
    try {
      await database.use(async (session) => {
        await session.run(macros);
        for (const [channel, orders] of ORDERS)
          for (const order of orders) {
            const told = await session.texts("select channel_of($1::varchar, $2::varchar, $3::varchar)", [...order]);
            expect([...order, told[0]]).to.deep.equal([...order, channel]);
          }
      });
    } finally {
      database.close();
    }
  });
});
