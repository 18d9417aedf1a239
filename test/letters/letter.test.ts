import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import type { EndpointHandler } from "../../src/core/http/handler.ts";
import type { AlertLine } from "../../src/features/letters/alerts.ts";
import { type Ask, askOf } from "../../src/features/letters/ask.ts";
import { type Letter, letterOf } from "../../src/features/letters/letter.ts";
import { htmlOf, slackOf, textOf } from "../../src/features/letters/render.ts";
import { named } from "../../src/features/mail/mail.ts";
import { AURORA, type DataFolder, STOREB } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

interface Others {
  readonly lines: readonly AlertLine[];
  readonly language: "en" | "pt-BR";
  readonly name: string;
}

const PLACES = { explorer: "https://lucra.example.com/explorer", end: "https://lucra.example.com/letters/x/y" };

describe("What a letter says [D95]", () => {
  let data: DataFolder;
  let service: Service;
  let handler: EndpointHandler;
  let settings: Organization;
  let today = "";

  before(async () => {
    data = await landedFixtures();
    settings = JSON.parse(await data.text(`organizations/${AURORA}.json`));
    const features = [{ begin: (http: { readonly handler: EndpointHandler }) => (handler = http.handler) }];
    service = await openService(data.config, AURORA, { now, platform: { mail: false, features } });
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  const now = (): Date => new Date(`${today}T12:00:00.000Z`);
  const letter = (
    on: "daily" | "weekly" | "monthly",
    day: string,
    { lines: alerts = [], language = "en", name = settings.name }: Partial<Others> = {},
    asked: (ask: Ask) => Ask = (ask) => ask,
  ): Promise<Letter> => {
    today = day;
    const parts = {
      answers: { dataState: async () => ({ version: "1" }) },
      organizations: { settings: async () => settings },
      now,
      log: undefined as never,
    };
    const ask = asked(askOf(handler, parts, AURORA, new AbortController().signal));
    return letterOf({ settings: { ...settings, name }, on, day, language, ask, alerts: async () => alerts });
  };
  const figure = ({ figures }: Letter, name: string) => figures.find((one) => one.name === name);
  const lines = ({ blocks }: Letter, name: string): string[] =>
    blocks.find((one) => one.name === name)?.lines.map(({ text }) => text) ?? [];

  it("compares nothing with days before the first data", async () => {
    const first = await letter("monthly", "2025-02-01");
    expect(first.figures.map(({ before, change }) => [before, change])).to.deep.equal(
      first.figures.map(() => [null, undefined]),
    );
    expect(figure(first, "revenue")?.value).to.equal(1_000);
    expect(lines(first, "changed")).to.deep.equal([]);
  });

  it("has no CAC without spend, and no amount of a month that begins today", async () => {
    const quiet = await letter("daily", "2025-01-10");
    expect(figure(quiet, "cac")).to.include({ value: null, before: 40, note: "No ad spend in the period." });
    expect(lines(quiet, "missing"), "what its own figures lack").to.deep.equal([]);
    const first = await letter("monthly", "2025-02-01");
    const unknown = await letter("monthly", "2025-03-01");
    expect(lines(unknown, "missing")[1], "nothing of what is left, which is not known").to.equal(
      "Not entered: payment fees, other costs. What is not entered counts as 0.",
    );
    expect(first.blocks[0]?.title).to.equal("Pace of February");
    expect(lines(first, "pace")[0]).to.equal("Revenue: not known yet; target R$5,000.00");
  });

  it("says whether a cost rose, and an amount where a percentage says little", async () => {
    const strong = await letter("daily", "2025-01-10");
    expect(lines(strong, "changed")).to.deep.equal([
      "Revenue: −R$200.00",
      "Cost of goods: +R$80.00 (less than before)",
      "Ads: +R$40.00 (less than before)",
    ]);
    const sold = await letter("daily", "2025-02-01");
    expect(sold.figures.map(({ before, change }) => [before, change]).slice(0, 3)).to.deep.equal([
      [0, "+R$250.00"],
      [0, "+1"],
      [0, "+R$118.00"],
    ]);
  });

  it("asks for no action because of what is not known, and says once what is late", async () => {
    const late = (subject: string, isOver = false): AlertLine => ({
      text: "late",
      address: "/",
      name: "Data are late",
      about: subject,
      builtIn: "lateData",
      subject,
      since: "2025-03-22",
      to: "2025-03-25",
      isOver,
      atOnce: false,
    });
    const made = await letter("daily", "2025-03-26", { lines: [late(STOREB), late(STOREB, true), late("other")] });
    expect(made.figures.map(({ shown }) => shown.text)).to.deep.equal(made.figures.map(() => "N/A"));
    expect(lines(made, "actions")).to.deep.equal([
      "5 sources have no new data; Social Aurora is furthest behind, by 22 days.",
    ]);
    expect(lines(await letter("daily", "2025-04-26"), "pace")[0], "no data since March").to.equal(
      "Revenue: not known yet; target R$5,000.00",
    );
    expect(made.first[0]).to.include("Aurora Outlet has data up to Mar 21, 2025");
    expect(lines(made, "alerts"), "one that is over, and one of another source").to.have.length(2);
  });

  it("names a week by its ends, and texts of data make no link, mention or markup", async () => {
    const evil = `<img src=x>"'&\u202ewww.evil.example *b* @ana\u0000\u001b[31m https://evil.example/<!channel> ${"x".repeat(300)}`;
    const renamed =
      (ask: Ask): Ask =>
      async <T>(path: string, params: Readonly<Record<string, string>>): Promise<T> => {
        const answer = await ask<T>(path, params);
        return JSON.parse(JSON.stringify(answer), (key, value) =>
          ["breakLabel", "productName"].includes(key) && typeof value === "string" ? evil : value,
        );
      };
    const made = await letter("weekly", "2025-02-10", { name: evil, language: "pt-BR" }, renamed);
    expect(made.beside).to.equal("Comparado com a semana anterior, 27 de janeiro – 2 de fevereiro de 2025.");
    expect(lines(made, "actions").join(), "the name of a campaign").to.include("img");
    expect(named(`${"y".repeat(99)}😀`), "no half of a character").to.equal(`${"y".repeat(99)} `);
    const [html, text, slack] = [htmlOf(made, PLACES), textOf(made, PLACES), slackOf(made, PLACES)];
    expect(html).to.not.match(/<img|<!channel/);
    for (const one of [made.subject, html, text, JSON.parse(slack).text]) {
      expect(one.replaceAll("\n", "")).to.not.match(/(?!\u200b)\p{C}|x{200}/u);
      expect(one, "an invisible break in each address").to.not.match(/www\.evil|evil\.example|https:\/\/evil/);
    }
    expect(JSON.parse(slack).text).to.not.match(/<img|<!channel|\*b\*/);
  });
});
