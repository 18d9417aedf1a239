import { expect } from "chai";
import type { Browser } from "playwright-core";
import type { FigureRow, Letter } from "../../src/features/letters/letter.ts";
import { htmlOf } from "../../src/features/letters/render.ts";
import { AXE, findBrowser, startBrowser } from "./browser.ts";

const PLACES = { explorer: "https://lucra.example.com/explorer", end: "https://lucra.example.com/letters/x/y" };
const at = (text: string) => ({ text, address: "/x/overview" });
const row = (label: string, amount: string, others: Partial<FigureRow> = {}): FigureRow => ({
  name: "revenue",
  label,
  value: 1,
  shown: at(amount),
  before: 1,
  shownBefore: at(amount),
  change: "+1.234,5%",
  ...others,
});
const LETTER: Letter = {
  language: "pt-BR",
  subject: "Casa Aurora",
  title: "Casa Aurora de Utilidades Domésticas: semana de 27 de janeiro – 2 de fevereiro de 2025",
  beside: "Comparado com a semana anterior.",
  first: ["Ainda faltam dados, e os números podem mudar: Loja vai até 5 de mar. de 2025."],
  figures: [
    row("Receita", "R$\u00a0912.345.678,90"),
    row("Sobra após anúncios", "−R$\u00a012.345.678,90", { note: "Falta o custo de mercadorias vendidas." }),
  ],
  blocks: [{ name: "actions", title: "O que pede ação", lines: [at(`Campanha ${"palavra ".repeat(20)}`)] }],
  address: "/x/overview",
};

describe("The look of letters [D95]", function () {
  this.timeout(120_000);
  const executable = findBrowser();
  let browser: Browser;

  before(async () => {
    expect(executable, "a browser on the machine").to.be.a("string");
    browser = await startBrowser(executable as string);
  });

  after(() => browser?.close());

  for (const colorScheme of ["light", "dark"] as const)
    it(`fits a phone and can be read, ${colorScheme}`, async () => {
      const page = await browser.newPage({ colorScheme });
      await page.setContent(htmlOf(LETTER, PLACES));
      for (const width of [320, 390, 800]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate("document.documentElement.scrollWidth"), `at ${width} px`).to.be.at.most(width);
      }
      await page.evaluate(AXE);
      const { violations, passes } = (await page.evaluate(
        "axe.run(document, { runOnly: ['color-contrast', 'link-name', 'td-headers-attr', 'document-title'] })",
      )) as { violations: { id: string }[]; passes: { id: string }[] };
      expect(violations.map(({ id }) => id)).to.deep.equal([]);
      expect(passes.map(({ id }) => id)).to.include("color-contrast");
      await page.close();
    });
});
