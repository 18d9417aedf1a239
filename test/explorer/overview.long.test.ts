import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Organization } from "../../src/core/contract/settings.ts";
import { AURORA, FIXTURES, NOW } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

type Body = Readonly<Record<string, never>> & Record<string, number>;
type Rows = { readonly data: readonly Record<string, number & string>[] };

const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";
const TARGETS = { cac: 10, ltvCacRatio: 1, margin: 50, revenue: 1_000_000 };
const MOST_REQUESTS = 14;

describe("The overview in a browser", () => {
  let opened: Opened;
  let page: Page;
  let problems: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    const data = await landedFixtures();
    const file = path.join(FIXTURES, "organizations", `${AURORA}.json`);
    await data.settings({ ...(JSON.parse(readFileSync(file, "utf8")) as Organization), targets: TARGETS });
    opened = await openExplorer(executable, data, AURORA);
    page = await opened.openTab({}, async (tab) => {
      await tab.clock.setFixedTime(NOW);
      watchErrors(tab, (text) => problems.push(text));
    });
    await settled();
  });
  after(() => opened?.close());

  beforeEach(() => {
    problems = [];
  });
  afterEach(() => expect(problems, "the browser's console").to.deep.equal([]));

  async function settled(): Promise<void> {
    await on.settled(page);
    await page.locator("[data-actions]:not([data-actions=loading])").waitFor();
  }

  async function show(query: string): Promise<void> {
    await on.goTo(page, `overview${query}`);
    await settled();
  }

  const api = async <T = Body>(address: string): Promise<T> => {
    const { status, body } = await opened.service.get(`/v1/${address}`);
    expect(status, address).to.equal(200);
    return body as T;
  };

  const figureOf = (name: string) => page.locator(`[data-picture=cards] [data-metric=${name}]`);
  const exact = (name: string): Promise<string | null> =>
    figureOf(name).locator("[data-exact]").getAttribute("data-exact");
  const textOf = async (name: string, within: string): Promise<string> =>
    (await figureOf(name).locator(within).innerText()).replaceAll("\n", " ").trim();
  /** The rows of a waterfall, as screen readers have them. */
  const stepsOf = (picture: string): Promise<string[]> =>
    page
      .locator(`[data-picture=${picture}] .waterfall-rows .unseen`)
      .evaluateAll((rows) => rows.map((row) => row.textContent?.trim() ?? ""));

  interface Statement {
    readonly statement: Readonly<Record<string, { readonly amount: number | null; readonly source: string | null }>>;
    readonly previousPeriod: Readonly<Record<string, number | null>>;
    readonly changes: Readonly<Record<string, { readonly amount: number | null }>>;
  }
  const TOTALS = "netRevenue contribution1 contribution2 contribution3 profit".split(" ");

  const MONEY = "revenue contributionProfit cac averageTicket investment cpv ltv retentionLtv clv".split(" ");
  const COUNTS = "orders newCustomers recurringCustomers recurringOrders".split(" ");

  it("shows the figures of the cards exactly, each main one with its course", async () => {
    await show("?from=2025-02-01&to=2025-02-28&compare=previous");
    const cards = await api(`profitability/cards?${FEBRUARY}`);
    for (const name of MONEY) expect(await exact(name), name).to.equal(on.brl(cards[name] ?? Number.NaN));
    for (const name of COUNTS) expect(await exact(name), name).to.equal(on.whole(cards[name] ?? Number.NaN));
    expect(await exact("roi")).to.equal(on.percent(cards.roi ?? Number.NaN));
    const ratio = new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    expect(await exact("ltvCacRatio")).to.equal(`${ratio.format(cards.ltvCacRatio ?? Number.NaN)}×`);
    const { data: days } = await api<Rows>(`profitability/trend?${FEBRUARY}&granularity=day`);
    const known = days.filter(
      ({ investment, newCustomers }) => (investment ?? 0) > 0 && (newCustomers ?? 0) > 0,
    ).length;
    // Of scattered points there is no line.
    const lines = known * 2 >= days.length ? 2 : 1;
    expect(await page.locator("[data-picture=cards] .sparkline svg").count()).to.equal(lines);
  });

  it("shows no change of lifetime values, which compare unlike customers", async () => {
    await show("?from=2025-03-01&to=2025-03-20&compare=previous");
    for (const name of ["ltv", "retentionLtv", "ltvCacRatio", "clv"]) {
      expect(await figureOf(name).locator(".change").count(), name).to.equal(0);
    }
    expect(await page.locator("[data-picture=cards] .note:not([data-pace])").innerText()).to.include("Ainda crescem");
  });

  it("compares with a period that the data cover, and shows no percentage otherwise", async () => {
    await show("?from=2025-03-01&to=2025-03-20&compare=previous");
    const days = "startDate=2025-03-01&endDate=2025-03-20";
    const { changes } = await api<{ changes: Record<string, number> }>(`profitability/cards?${days}`);
    expect(await textOf("revenue", ".before")).to.include(on.share(Math.abs(changes.revenue ?? 0) / 100));
    await show("?from=2025-01-01&to=2025-03-31&compare=previous");
    expect(await textOf("revenue", ".before")).to.equal("período anterior incompleto (0 de 92 dias)");
    expect(await page.locator("[data-picture=cards] .change").count()).to.equal(0);
    expect(await page.locator("[data-picture=changes]").innerText()).to.include("0 de 92 dias");
    expect(await page.locator("[data-picture=channels] .change").count()).to.equal(0);
  });

  it("shows N/D with its reason on a day with sales and without spend, never 0", async () => {
    const { data: rows } = await api<Rows>(`profitability/trend?${FEBRUARY}`);
    const day = rows.find(({ revenue, investment }) => (revenue ?? 0) > 0 && investment === 0)?.date;
    expect(day, "a day of the fixtures with sales and without spend").to.be.a("string");
    await show(`?from=${day}&to=${day}`);
    for (const name of ["cac", "roi", "ltvCacRatio", "cpv", "clv"]) {
      expect(await textOf(name, ".value"), name).to.match(/^N\/D/);
      expect(await textOf(name, ".before"), name).to.match(/investimento|cliente/);
      expect(await figureOf(name).locator("[data-exact]").count(), name).to.equal(0);
    }
    await page.locator(".actions-all").click();
    expect(await page.locator("[data-advice=media]").count()).to.equal(1);
  });

  it("explains returning customers of the whole history", async () => {
    await show("?period=all");
    const cards = await api("profitability/cards");
    expect(cards.recurringCustomers).to.equal(0);
    expect(cards.recurringOrders).to.be.above(0);
    expect(await textOf("recurringCustomers", ".before")).to.include("começo do histórico");
    expect(await textOf("recurringOrders", ".before")).to.include("quem chegou no período");
    expect(await page.locator("[data-picture=changes]").innerText()).to.include("Escolha uma comparação");
  });

  it("shows the trend by day, week and month, equal to the API's", async () => {
    for (const by of ["day", "week", "month"]) {
      await show(`?from=2025-02-01&to=2025-02-28&by=${by}`);
      const { data: rows } = await api<Rows>(`profitability/trend?${FEBRUARY}&granularity=${by}`);
      const { data: steps } = await api<Rows>(`profit/statement?${FEBRUARY}&granularity=${by}`);
      await page.locator("[data-picture=evolution]").getByRole("button", { name: "Tabela" }).click();
      const texts = await on.tableTexts(page, "evolution");
      expect(
        texts.map(([_, revenue, left, ...row]) => [
          revenue,
          left?.slice(0, 3) === "N/D" ? "N/D" : left,
          ...row.slice(0, 5),
        ]),
        by,
      ).to.deep.equal(
        rows.map((row, at) => [
          on.brl(row.revenue ?? 0),
          steps[at]?.contribution3 == null ? "N/D" : on.brl(steps[at].contribution3),
          ...["contribution", "contributionProfit", "investment"].map((name) => on.brl(row[name] ?? 0)),
          on.whole(row.orders ?? 0),
          on.whole(row.newCustomers ?? 0),
        ]),
      );
      await page.locator("[data-picture=evolution]").getByRole("button", { name: "Gráfico" }).click();
    }
  });

  it("explains the change with the lines of the statement, in a waterfall and a sentence", async () => {
    await show("?from=2025-03-01&to=2025-03-20&compare=previous");
    const { statement, previousPeriod, changes } = await api<Statement>(
      "profit/statement?startDate=2025-03-01&endDate=2025-03-20",
    );
    const [total = ""] = ["profit", "contribution3", "netRevenue"].filter((line) => changes[line]?.amount != null);
    const lines = Object.keys(statement);
    const changed = lines
      .slice(0, lines.indexOf(total))
      .filter((line) => !TOTALS.includes(line))
      .map((line) => changes[line]?.amount ?? 0)
      .filter((amount) => amount !== 0);
    const amounts = (await stepsOf("changes")).map((text) => text.replace(/^.*: /, ""));
    const expected = [previousPeriod[total] ?? Number.NaN, ...changed, statement[total]?.amount ?? Number.NaN];
    expect(amounts).to.deep.equal(expected.map(on.brl));
    const sentence = await page.locator("[data-picture=changes] .sentence").innerText();
    expect(sentence).to.include((changes[total]?.amount ?? 0) < 0 ? "a menos, com" : "a mais, com");
    await page.locator("[data-picture=changes] .waterfall-rows button").nth(1).click();
    await page.locator("dialog[open]").waitFor();
    expect(page.url()).to.include("explain=");
    await page.goBack();
    await settled();
  });

  it("leads from revenue to profit by the lines of the statement, and shows none that is not known as 0", async () => {
    await show("?from=2025-01-01&to=2025-01-31&compare=none");
    const { statement } = await api<Statement>("profit/statement?startDate=2025-01-01&endDate=2025-01-31");
    const steps = (await stepsOf("statement")).map((text) => /: (N\/D|\S+\s?\S+)/.exec(text)?.[1] ?? "");
    const shown = Object.entries(statement).flatMap(([line, { amount, source }]) =>
      source === "pending" ? ["N/D"] : amount !== 0 || TOTALS.includes(line) ? [on.brl(amount ?? Number.NaN)] : [],
    );
    expect(steps).to.deep.equal(shown);
    expect(await exact("contribution3")).to.equal(on.brl(statement.contribution3?.amount ?? Number.NaN));
    expect(await exact("profit")).to.equal(on.brl(statement.profit?.amount ?? Number.NaN));
    const sentence = await page.locator("[data-picture=statement] [data-part=left]").innerText();
    expect(sentence).to.include("de receita líquida").and.to.include("custos fixos");
  });

  it("lists channels, categories, products and campaigns as the bridge's drivers", async () => {
    for (const by of ["origem", "categoria", "produto", "campanha"]) {
      const query = by === "origem" ? "" : `&break=${by}`;
      await show(`?from=2025-03-01&to=2025-03-20&compare=previous${query}`);
      const { drivers } = await api<{
        drivers: { key: string | null; before: number; after: number; change: number }[];
      }>(`profitability/bridge?startDate=2025-03-01&endDate=2025-03-20&breakBy=${by}`);
      const sold = drivers
        .filter(({ before, after }) => before !== 0 || after !== 0)
        .sort((a, b) => b.after - a.after || b.before - a.before);
      const picture = by === "origem" ? "channels" : "sources";
      const shown = await page
        .locator(`[data-picture=${picture}] .bar-list-value`)
        .evaluateAll((values) => values.map((value) => value.firstChild?.textContent ?? ""));
      expect(shown, by).to.deep.equal(sold.slice(0, 7).map(({ after }) => on.brl(after)));
      const links = await page
        .locator(`[data-picture=${picture}] .bar-list a`)
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      const target = { origem: "channel=", campanha: "search=", categoria: "category=", produto: "product=" }[by];
      const named = sold.slice(0, 7).filter(({ key }) => key !== null);
      expect(links.filter((link) => link.includes(target ?? "")).length, by).to.equal(named.length);
      const changes = page.locator(`[data-picture=${picture}] .change`);
      const titles = await changes.evaluateAll((all) => all.map((one) => one.getAttribute("title")));
      expect(titles, by).to.deep.equal(sold.slice(0, 7).map(({ change }) => on.brl(change)));
    }
  });

  it("offers the source of every card in its menu", async () => {
    await show("?from=2025-03-01&to=2025-03-20&compare=previous");
    const cards = page.locator("[data-picture]");
    const count = await cards.count();
    expect(count).to.equal(8);
    for (let n = 0; n < count; n += 1) {
      await cards.nth(n).locator(".card-tools .popover-button").last().click();
      const entries = await page.locator(".popover:popover-open .menu-entry").allInnerTexts();
      expect(entries, `card ${n}`).to.include("Copiar comando curl");
      await page.keyboard.press("Escape");
    }
  });

  it("shows targets at their figures and what misses them, and leads from an action to its page", async () => {
    await show("?from=2025-02-01&to=2025-02-28");
    expect(await textOf("revenue", ".target")).to.match(/^meta R\$\s1\smi/);
    expect(await textOf("cac", ".target")).to.include("meta R$");
    const actions = await page.locator(".actions li").evaluateAll((all) => all.map((one) => one.getAttribute("class")));
    expect(actions, "the urgent ones first").to.deep.equal(actions.toSorted());
    const revenue = page.locator(".actions [data-advice=target]").first();
    expect(await revenue.innerText()).to.include("abaixo da meta");
    await revenue.getByRole("link").click();
    await page.waitForFunction(() => location.hash.includes("/products"));
    await page.goBack();
    await settled();
  });

  it("opens with few requests and without a shift of what is shown, on a phone and a laptop", async () => {
    const tab = await page.context().newPage();
    await tab.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const width of [390, 1280]) {
      const sent: string[] = [];
      tab.removeAllListeners("request");
      tab.on("request", (request) => request.url().includes("/v1/") && sent.push(request.url()));
      await tab.setViewportSize({ width, height: 850 });
      await tab.goto(page.url().replace(/#.*/, `?${width}#/overview?from=2025-02-01&to=2025-02-27`));
      await tab.locator("[data-actions]:not([data-actions=loading])").waitFor();
      await on.settled(tab);
      expect(sent.length, `${width}`).to.be.within(6, MOST_REQUESTS);
      const moved = await tab.evaluate(() =>
        (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
      );
      expect(moved, `${width}`).to.be.below(0.05);
    }
    await tab.close();
  });

  it("says little about an empty period, and nothing wrong", async () => {
    await show("?from=2024-06-01&to=2024-06-30");
    expect(await exact("revenue")).to.equal(on.brl(0));
    expect(await textOf("averageTicket", ".value")).to.match(/^N\/D/);
    for (const picture of ["channels", "sources"]) {
      expect(await page.locator(`[data-picture=${picture}] .empty-small`).count(), picture).to.equal(1);
    }
    expect(await page.locator("main").innerText()).to.not.match(/NaN|undefined|null|Infinity/);
  });

  it("is accessible, and fits a phone, a tablet, a laptop and a large screen, in both themes and languages", async () => {
    for (const [width, colorScheme, lang] of [
      [390, "light", "pt"],
      [768, "dark", "en"],
      [1280, "dark", "pt"],
      [1920, "light", "en"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await show(`?from=2025-03-01&to=2025-03-20&compare=previous&lang=${lang}`);
      expect(await on.overflow(page), `${width}`).to.equal(0);
      expect(await on.axeFindings(page), `${width} ${colorScheme}`).to.deep.equal([]);
    }
    const texts = await page.locator(".ask, .figure-name, .sentence, .card-head, .missing").allInnerTexts();
    expect(texts.join()).to.not.match(/[ãõç]|Receita|Lucro/);
  });
});
