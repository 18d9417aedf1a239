import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, DataFolder, FIXTURES, NOW } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

const FEBRUARY = "from=2025-02-01&to=2025-02-28";
const settings = JSON.parse(
  readFileSync(path.join(FIXTURES, "organizations", `${AURORA}.json`), "utf8"),
) as Organization;

describe("The Explorer does not mislead", () => {
  const executable = findBrowser();
  let opened: Opened;
  let page: Page;
  let problems: string[] = [];

  async function open(data: DataFolder): Promise<void> {
    opened = await openExplorer(executable ?? "", data, AURORA);
    page = await opened.openSignIn({}, async (tab) => {
      await tab.clock.setFixedTime(NOW);
      watchErrors(tab, (text) => problems.push(text));
    });
    await on.signIn(page, { clientId: "client", clientSecret: "secret" });
    await page.locator("main h1").waitFor();
  }

  const actions = () => page.locator("[data-actions]:not([data-actions=loading])");

  before(function () {
    if (!executable) this.skip();
  });
  beforeEach(() => {
    problems = [];
  });

  describe("with a margin and data", () => {
    before(async () => open(await landedFixtures()));
    after(() => opened?.close());
    afterEach(() => expect(problems, "the browser's console").to.deep.equal([]));

    it("names the profit by its margin, and shows the effects of prices and costs under their own name", async () => {
      await on.show(page, "overview?from=2025-03-01&to=2025-03-20&compare=previous");
      const profit = page.locator("[data-picture=cards] [data-metric=contributionProfit]");
      expect(await profit.innerText()).to.include("Lucro após anúncios (margem média)");
      expect(await profit.innerText()).to.include("margem média de todo o histórico");
      const { body } = await opened.service.get(
        "/v1/profitability/bridge?startDate=2025-03-01&endDate=2025-03-20&compare=previous",
      );
      const { effects } = (body as { productMargin: { effects: Record<string, number> } }).productMargin;
      for (const name of ["price", "cost"]) {
        const shown = page.locator(`[data-picture=changes] [data-part=productMargin] [data-effect=${name}] dd`);
        expect(await shown.getAttribute("data-exact"), name).to.equal(on.brl(effects[name] ?? Number.NaN));
      }
      expect(await page.locator("[data-picture=statement]").innerText()).to.include("Custo das mercadorias");
    });

    it("says how to know the cost of goods, and calls what would be left estimated until then", async () => {
      await on.show(page, `overview?${FEBRUARY}&compare=previous`);
      for (const line of ["contribution3", "profit"]) {
        const text = await page.locator(`[data-picture=cards] [data-metric=${line}]`).innerText();
        expect(text, line).to.include("N/D").and.to.include("falta o custo");
      }
      const { body } = await opened.service.get(`/v1/profit/unknown-goods?startDate=2025-02-01&endDate=2025-02-28`);
      const [unknown] = (body as { data: Record<string, string | number>[] }).data;
      const part = page.locator("[data-picture=statement] [data-part=unknownGoods]");
      expect(await part.innerText()).to.include("estimado");
      expect(await part.locator(".to-settings").innerText(), "a key changes nothing").to.include("Quem administra");
      const statement = await opened.service.get("/v1/profit/statement?startDate=2025-02-01&endDate=2025-02-28");
      const lines = statement.body.statement as Record<string, { amount: number; parts: { amount: number }[] }>;
      const amounts = [
        ...["netRevenue", "payment", "shipping", "fulfilment", "commission", "other", "media"].map(
          (name) => lines[name]?.amount ?? Number.NaN,
        ),
        ...(lines.goods?.parts.map(({ amount }) => amount) ?? []),
        Number(unknown?.goods),
      ];
      const left = Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100) / 100;
      expect(await part.locator("[data-estimate]").getAttribute("data-estimate")).to.equal(on.brl(left));
      const missing = page.locator("[data-picture=statement] [data-part=missing]");
      await missing.locator("summary").click();
      expect(await missing.locator("[data-item=payment]").innerText()).to.include("Quem administra");
    });

    it("lists three actions first, and the others on request", async () => {
      await on.show(page, `overview?${FEBRUARY}`);
      await actions().waitFor();
      const count = Number(await actions().getAttribute("data-actions"));
      expect(count).to.be.above(3);
      expect(await page.locator(".actions li").count()).to.equal(3);
      expect(await page.locator("h2").first().innerText()).to.equal("O que fazer agora?");
      await page.getByRole("button", { name: `ver todas (${count})` }).click();
      expect(await page.locator(".actions li").count()).to.equal(count);
    });

    it("leads from an action to its answer, which is scrolled to and titled", async () => {
      await on.show(page, `overview?${FEBRUARY}`);
      await actions().waitFor();
      await page.locator("[data-advice=losing] a").click();
      const results = page.locator("[data-picture=results]");
      await results.locator("tbody tr").first().waitFor();
      await on.settled(page);
      expect(await results.locator("h2").innerText()).to.equal("Campanhas que perderam dinheiro");
      await page.waitForFunction(() => {
        const { top } = document.querySelector("[data-picture=results]")?.getBoundingClientRect() ?? { top: -1 };
        return top >= 0 && top < innerHeight / 2;
      });
      expect(await page.evaluate(() => document.activeElement?.id)).to.equal("results-title");
    });

    it("names what a source lacks next to the figures of the days that it does not have", async () => {
      await on.show(page, "overview?from=2025-03-01&to=2025-03-20");
      const lacking = page.locator("[data-picture=cards] [data-lacking]");
      expect(await lacking.innerText()).to.match(
        /Social Aurora até 3 de mar\. de 2025: o investimento depois disso falta/,
      );
      await on.show(page, `acquisition?${FEBRUARY}`);
      expect(await page.locator("[data-lacking]").count(), "all sources go on after February").to.equal(0);
    });

    it("offers no period where the rows of all time are shown", async () => {
      await on.show(page, "data");
      expect(await page.locator(".toolbar").count()).to.equal(1);
      await on.show(page, "data?tab=rows");
      expect(await page.locator(".toolbar").count()).to.equal(0);
    });

    it("opens addresses with inherited names without an error", async () => {
      await on.goTo(page, "__proto__?__proto__=1&constructor=2&at=toString");
      await page.locator("[data-picture=cards]").waitFor();
      await on.goTo(page, "constructor/hasOwnProperty?explain=constructor");
      await page.locator("[data-picture=cards]").waitFor();
      await on.show(page, "overview");
    });

    it("keeps old figures under their old title for a moment, and then shows none", async () => {
      await on.show(page, `overview?${FEBRUARY}&compare=previous`);
      let release = (): void => {};
      const held = new Promise<void>((done) => {
        release = done;
      });
      await page.route("**/v1/profitability/cards?**", async (route) => {
        await held;
        await route.continue();
      });
      const card = page.locator("[data-picture=cards]");
      const question = await card.locator(".card-question").innerText();
      await on.goTo(page, "overview?from=2025-03-01&to=2025-03-19&compare=previous");
      const seen = await card.evaluate((box) => ({
        question: box.querySelector(".card-question")?.textContent,
        hasFigures: box.querySelector("[data-metric=revenue]") !== null,
      }));
      expect(seen.hasFigures ? seen.question : question, "the old figures have the old title").to.equal(question);
      await card.locator(".skeleton").waitFor();
      expect(await card.locator("[data-metric]").count()).to.equal(0);
      release();
      await page.unroute("**/v1/profitability/cards?**");
      await on.settled(page);
      expect(await card.locator(".card-question").innerText()).to.not.equal(question);
    });

    it("gives no verdict without all answers", async () => {
      await page.route("**/v1/acquisition/contribution?**", (route) => route.fulfill({ status: 500, json: {} }));
      await on.goTo(page, "overview?from=2025-02-01&to=2025-02-27");
      await page.locator("[data-actions=failed]").waitFor();
      expect(await page.locator("[data-actions]").innerText()).to.include("Não foi possível verificar tudo");
      await on.show(page, "data?from=2025-02-01&to=2025-02-27");
      const findings = page.locator("[data-picture=findings]");
      expect(await findings.innerText())
        .to.include("Não foi possível verificar tudo")
        .and.to.not.include("Nenhum problema");
      await page.unroute("**/v1/acquisition/contribution?**");
      // The browser reports the refused requests itself.
      problems.splice(0);
    });

    it("is red about data that have ended weeks ago, with their age", async () => {
      await on.show(page, "data");
      expect(await page.locator("[data-verdict]").getAttribute("data-verdict")).to.equal("bad");
      const ages = await page.locator("[data-picture=integrations] [data-column=newestDay] small.bad").allInnerTexts();
      expect(ages.length).to.be.above(0);
      for (const age of ages) expect(age).to.match(/^há \d+ dias$/);
      const crm = page.locator("[data-picture=integrations] tr", { hasText: "CRM Aurora" }).locator("[data-column]");
      expect(await crm.and(page.locator("[data-column=rows]")).innerText()).to.match(/[1-9]/);
      expect(await crm.and(page.locator("[data-column=newestDay]")).innerText(), "of rows without a day").to.equal(
        "sem datas",
      );
    });
  });

  describe("without a margin", () => {
    before(async () => {
      const data = await landedFixtures();
      const { margin: _, ...others } = settings as Organization & { margin?: unknown };
      await data.settings(others as Organization);
      await data.sync();
      await open(data);
    });
    after(() => opened?.close());
    afterEach(() => expect(problems, "the browser's console").to.deep.equal([]));

    it("shows no profit and says what to do, in all views", async () => {
      await on.show(page, `overview?${FEBRUARY}`);
      await actions().waitFor();
      for (const name of ["contributionProfit", "ltvCacRatio", "roi", "ltv", "clv"]) {
        const figure = page.locator(`[data-picture=cards] [data-metric=${name}]`);
        expect(await figure.innerText(), name)
          .to.match(/N\/D/)
          .and.to.include("a margem não foi informada");
      }
      await page.locator(".actions-all").click();
      expect(await page.locator("[data-advice=margin]").innerText()).to.include("defina-a");
      expect(await page.locator("[data-picture=changes] h2").innerText()).to.equal("O que mudou: Receita líquida");
      expect(await page.locator("[data-picture=cards] [data-metric=contribution3]").innerText()).to.include("N/D");

      await on.show(page, `acquisition?${FEBRUARY}`);
      for (const name of ["acquisitionRoi", "acquisitionAvgLtv"]) {
        expect(await page.locator(`[data-picture=summary] [data-metric=${name}]`).innerText(), name).to.include("N/D");
      }
      const cells = await page.locator("[data-column=roi], [data-column=ltv]").allInnerTexts();
      expect(cells.filter((text) => text.trim() !== "" && !text.startsWith("N/D"))).to.deep.equal([]);
      await on.show(page, `customers?${FEBRUARY}&count=cumulative`);
      expect(await page.locator("[data-picture=map]").innerText()).to.include("Sem a margem");
      await on.goTo(page, `overview?${FEBRUARY}&explain=${encodeURIComponent("/v1/profitability/cards?figure=roi")}`);
      await page.locator(".explanation-value").waitFor();
      expect(await page.locator(".explanation-value").innerText()).to.equal("N/D");
    });
  });

  describe("before anything has landed", () => {
    before(async () => {
      const data = await DataFolder.empty({ LUCRA_NOW: NOW });
      await data.settings(settings);
      await open(data);
    });
    after(() => opened?.close());

    it("is red, with the next step, and has checked nothing", async () => {
      await on.show(page, "data");
      const verdict = page.locator("[data-verdict]");
      expect(await verdict.getAttribute("data-verdict")).to.equal("bad");
      expect(await verdict.innerText())
        .to.include("Nada recebido ainda")
        .and.to.include("sincronize");
      const text = await page.locator("main").innerText();
      expect(text).to.not.match(/Nenhum problema|tudo recebido|fecham/);
    });
  });

  describe("with spend and no sales", () => {
    before(async () => {
      const data = await DataFolder.fixtures();
      const integrations = (settings.integrations ?? [])
        .filter(({ connector }) => /ads$/.test(connector))
        .map(({ stores: _, ...one }) => one);
      await data.settings({ ...settings, integrations, costs: [] });
      await data.sync();
      await open(data);
    });
    after(() => opened?.close());
    afterEach(() => expect(problems, "the browser's console").to.deep.equal([]));

    it("shows the spend where there is a place for it, and says elsewhere what is missing", async () => {
      for (const [view, picture, name] of [
        ["overview", "cards", "investment"],
        ["acquisition", "summary", "acquisitionInvestment"],
      ] as const) {
        await on.show(page, `${view}?from=2025-01-01&to=2025-03-20`);
        expect(await page.locator(".nothing").count(), view).to.equal(0);
        expect(await on.figureText(page, picture, name, ".figure-value"), view).to.match(/R\$\s*[1-9]/);
      }
      await on.goTo(page, "customers");
      expect(await page.locator(".nothing").innerText()).to.include("Há investimento em anúncios");
    });
  });
});
