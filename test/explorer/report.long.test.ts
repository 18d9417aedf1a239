import { expect } from "chai";
import type { Page } from "playwright-core";
import { AURORA, NOW } from "../support/data.ts";
import { landedTwice } from "../support/histories.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

const MARCH = "from=2025-03-01&to=2025-03-31";
const ASKED = "startDate=2025-03-01&endDate=2025-03-31";
type Amounts = Readonly<Record<string, { readonly amount: number | null; readonly share: number | null }>>;
interface Statement {
  readonly statement: Amounts;
  readonly previousPeriod: Readonly<Record<string, number | null>>;
  readonly changes: Readonly<Record<string, { readonly amount: number | null }>>;
}
type Rows = { readonly data: readonly Record<string, number & string>[] };

const plain = new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const amount = (value: number | null | undefined): string =>
  value === null || value === undefined ? "N/D" : plain.format(value).replace("-", "−");
const signed = (value: number | null | undefined): string => `${(value ?? 0) > 0 ? "+" : ""}${amount(value)}`;

describe("The report of a period [D94]", () => {
  let opened: Opened;
  let page: Page;
  let problems: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    opened = await openExplorer(executable, await landedTwice(), AURORA);
    page = await opened.openTab({}, async (tab) => watchErrors(tab, (text) => problems.push(text)));
  });
  after(() => opened?.close());
  beforeEach(() => {
    problems = [];
  });
  afterEach(() => expect(problems, "the browser's console").to.deep.equal([]));

  const api = async <T>(address: string): Promise<T> => {
    const { status, body } = await opened.service.get(`/v1/${address}`);
    expect(status, address).to.equal(200);
    return body as T;
  };
  const show = async (query: string): Promise<void> => {
    await on.goTo(page, `report?${query}`);
    await page.locator("[data-report=ready]").waitFor();
  };
  const cellsOf = (part: string, row: string): Promise<string[]> =>
    page.locator(`[data-part=${part}] tr[data-${row}] td`).allInnerTexts();

  it("is two clicks away, with the period of the overview, and prints once it is whole", async () => {
    await on.show(page, `overview?${MARCH}&compare=previous`);
    await page.locator(".page-link").click();
    await page.locator("[data-report=ready]").waitFor();
    expect(page.url()).to.match(/report\?.*from=2025-03-01&to=2025-03-31/);
    await page.evaluate(() => {
      Object.assign(globalThis, { printed: 0 });
      window.print = () => Object.assign(globalThis, { printed: 1 });
    });
    await page.getByRole("button", { name: "Imprimir / PDF" }).click();
    expect(await page.evaluate("printed")).to.equal(1);
    await on.show(page, "overview");
    await on.chooseInMenu(page, "Relatório do mês");
    await page.locator("[data-report=ready]").waitFor();
  });

  it("has the figures of the API, line by line", async () => {
    await show(`${MARCH}&compare=previous`);
    const { statement, previousPeriod, changes } = await api<Statement>(
      `profit/statement?${ASKED}&compareStartDate=2025-02-01&compareEndDate=2025-02-28`,
    );
    const lines = Object.keys(statement).filter((line) => (statement[line]?.amount ?? null) !== 0);
    expect(lines).to.have.length.above(6);
    for (const line of lines) {
      const cells = await cellsOf("statement", `line=${line}`);
      if (cells.length === 0) continue;
      expect([cells[0], cells[2], cells[3]], line).to.deep.equal([
        amount(statement[line]?.amount),
        amount(previousPeriod[line]),
        signed(changes[line]?.amount),
      ]);
    }
    expect(await page.locator("[data-part=statement] tbody tr").count()).to.be.above(6);
    const channels = await api<Rows>(`acquisition/contribution?${ASKED}&breakBy=origem`);
    const sold = channels.data.filter(({ orders, investment }) => (orders ?? 0) > 0 || (investment ?? 0) > 0);
    expect(await page.locator("[data-part=channels] tbody tr").count()).to.equal(sold.length);
    for (const row of sold) {
      const cells = await cellsOf("channels", `row="${row.breakKey}"`);
      expect([cells[0], cells[4]], row.breakKey).to.deep.equal([amount(row.revenue), amount(row.contributionAfterAds)]);
    }
  });

  it("says first what the shop made", async () => {
    await show(`${MARCH}&compare=previous`);
    const { statement } = await api<Statement>(`profit/statement?${ASKED}`);
    const first = await page.locator(".report-first").innerText();
    expect(first).to.match(/^Em março de 2025 a loja /);
    const total = statement.profit?.amount ?? statement.netRevenue?.amount ?? 0;
    expect(first).to.include(on.brl(Math.abs(total)));
    expect(await page.locator(".report h2").innerText()).to.equal("Relatório de março de 2025");
  });

  it("says how fresh its data are, and under a pin its name, instant and state", async () => {
    await show(`${MARCH}&compare=none`);
    const factOf = (name: string): Promise<string> => page.locator(`[data-fact=${name}] dd`).innerText();
    expect(await factOf("asOf")).to.match(/2025/);
    expect(await page.locator("[data-fact=pin]").count()).to.equal(0);
    await show(`${MARCH}&compare=none&known=closed`);
    const { data } = await api<{ data: { name: string; knownAt: string; knownState: string }[] }>("pins?");
    const pin = data.find(({ name }) => name === "closed");
    await page.locator("[data-fact=pin]").waitFor();
    expect(await factOf("pin")).to.equal("closed");
    expect(await factOf("state"))
      .to.equal(pin?.knownState.slice(0, 12))
      .and.match(/^[\da-f]{12}$/);
    expect(await factOf("known")).to.match(/^1 de abr\. de 2025/);
    expect(await page.locator("[data-fact=asOf]").count()).to.equal(0);
    const then = await api<Statement>(`profit/statement?${ASKED}&knownAt=${NOW}`);
    expect((await cellsOf("statement", "line=revenue"))[0]).to.equal(amount(then.statement.revenue?.amount));
  });

  it("names what is not known", async () => {
    await show(`${MARCH}&compare=none`);
    const { missing } = await api<{ missing: { item: string }[] }>(`profit/statement?${ASKED}`);
    const texts = await page.locator("[data-part=missing] li").allInnerTexts();
    expect(texts.length).to.be.at.least(missing.length);
    expect(missing).to.not.be.empty;
  });

  it("stays incomplete, and is not printed, while an answer is missing", async () => {
    const tab = await opened.openTab({}, async (one) => {
      await one.route("**/v1/acquisition/contribution?*", (route) => route.abort());
    });
    await on.goTo(tab, `report?${MARCH}&compare=none`);
    await tab.locator(".report .problem").first().waitFor();
    expect(await tab.locator(".report-bar button").isDisabled()).to.equal(true);
    expect(await tab.locator("[data-part=missing]").innerText()).to.include("Parte das respostas falhou");
    await tab.context().close();
  });

  it("is paper in print: pages of A4 with their number, black on white, without controls", async () => {
    await show(`${MARCH}&compare=previous`);
    const owner = await page.locator(".report-owner").innerText();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const shown = await page
      .locator(":is(.top, .toolbar, .page-head, .report-bar, .foot, .banner)")
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map(({ className }) => className));
    expect(shown).to.deep.equal([]);
    const [ink, ground] = await page
      .locator(".report")
      .evaluate((one) => [getComputedStyle(one).color, getComputedStyle(document.body).backgroundColor]);
    expect([ink, ground]).to.deep.equal(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    await page.emulateMedia({ media: null, colorScheme: null });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const sizes = [...pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, ...size]) => size.map(Number));
    expect(sizes).to.have.length.within(2, 4);
    for (const [width = 0, height = 0] of sizes) {
      expect(width).to.be.closeTo(595, 1.5);
      expect(height).to.be.closeTo(842, 1.5);
    }
    expect(await page.evaluate(() => document.documentElement.style.getPropertyValue("--report-foot"))).to.equal(
      JSON.stringify(`${owner} · março de 2025`),
    );
  });

  for (const [locale, width] of [
    ["pt-BR", 390],
    ["en-US", 390],
    ["pt-BR", 800],
    ["en-US", 1280],
    ["pt-BR", 1920],
  ] as const) {
    it(`fits on ${width} px in ${locale}, and has no obstacle`, async () => {
      const tab = await opened.openTab({ viewport: { width, height: 900 }, locale });
      for (const query of [`${MARCH}&compare=previous`, `${MARCH}&compare=none&known=closed`]) {
        await on.goTo(tab, `report?${query}`);
        await tab.locator("[data-report=ready]").waitFor();
        expect(await on.overflow(tab), query).to.equal(0);
        const beyond = await tab.locator(".report").evaluate((sheet) => {
          const { right } = sheet.getBoundingClientRect();
          return [...sheet.querySelectorAll("td, th, dd, p")]
            .filter((one) => one.getBoundingClientRect().right > right)
            .map(({ textContent }) => textContent);
        });
        expect(beyond, query).to.deep.equal([]);
        expect(await on.axeFindings(tab), query).to.deep.equal([]);
        const text = await tab.locator(".report-first").innerText();
        expect(text).to.match(locale === "pt-BR" ? /^Em março de 2025/ : /^In March 2025/);
      }
      await tab.context().close();
    });
  }
});
