import { expect } from "chai";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { LATER, landedTwice } from "../support/histories.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { watchErrors } from "./opened.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";
const RUI = "rui@example.com";
const MARCH = "from=2025-03-01&to=2025-03-31&compare=previous";

type Amounts = Readonly<
  Record<string, { readonly amount: number | null; readonly source?: string | null } | undefined>
>;

const plain = new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const amount = (value: number | null | undefined): string =>
  value === null || value === undefined ? "N/D" : plain.format(value).replace("-", "−");

describe("A shared page, in a browser [D94]", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let admin: BrowserContext;
  let problems: string[] = [];
  const contexts: BrowserContext[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess({ LUCRA_NOW: LATER }, landedTwice);
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    await service.lucra("people", "add", RUI, "--organization", AURORA, "--role", "viewer");
    browser = await startBrowser(executable);
  });

  // Each with a session of its own: all of them together send more requests in a minute than one may.
  beforeEach(async () => {
    problems = [];
    admin = await signedIn(ANA);
  });

  afterEach(async () => {
    for (const context of contexts) for (const page of context.pages()) await page.close();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function begin(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const size = { width: 1280, height: 900 };
    const context = await browser.newContext({ viewport: size, reducedMotion: "reduce", locale: "pt-BR", ...options });
    contexts.push(context);
    return context;
  }

  async function signedIn(email: string): Promise<BrowserContext> {
    const context = await begin();
    const page = await context.newPage();
    await page.goto((await service.lucra("people", "link", email)).trim());
    await page.locator(".sign-in-who").waitFor({ timeout: 60_000 });
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor({ timeout: 60_000 });
    await page.close();
    return context;
  }

  async function reportIn(context: BrowserContext, query = MARCH): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${service.base}/explorer#/${AURORA}/report?${query}`);
    await page.locator("[data-report=ready]").waitFor();
    return page;
  }

  /** Shares the report by its button, and returns the address that is shown once. */
  async function share(name: string, query = MARCH, sections: readonly string[] = []): Promise<string> {
    const page = await reportIn(admin, query);
    await page.getByRole("button", { name: "Compartilhar" }).click();
    const dialog = page.locator("dialog.sheet");
    await dialog.locator("[name=name]").fill(name);
    for (const section of sections) await dialog.locator(`[name=${section}]`).check();
    expect(await dialog.locator("[name=days]").inputValue()).to.equal("30");
    await dialog.getByRole("button", { name: "Criar endereço" }).click();
    const url = await dialog.locator(".to-copy code").innerText();
    expect(url).to.match(/\/explorer#share=[\w-]{43}$/);
    await page.close();
    return url;
  }

  async function read(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await begin(options)).newPage();
    page.setDefaultTimeout(60_000);
    watchErrors(page, (text) => problems.push(text));
    await page.goto(url);
    return page;
  }

  async function opened(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await read(url, options);
    await page.locator("[data-report=ready]").waitFor();
    return page;
  }

  /** The statement, as the service answers an admin. */
  const statement = async (more = ""): Promise<Amounts> => {
    const page = await admin.newPage();
    await page.goto(`${service.base}/explorer`);
    const address = `/v1/profit/statement?organizationId=${AURORA}&startDate=2025-03-01&endDate=2025-03-31${more}`;
    const body = await page.evaluate(
      async (asked) => (await fetch(asked, { headers: { "x-lucra-page": "1" } })).json(),
      address,
    );
    await page.close();
    return (body as { statement: Amounts }).statement;
  };

  const cellOf = (page: Page, line: string): Promise<string> =>
    page.locator(`[data-part=statement] tr[data-line=${line}] td`).first().innerText();

  it("has the figures of the report for who has no account, without what is fixed and the profit", async () => {
    const url = await share("Março para a sócia");
    const page = await opened(url);
    expect(page.url()).to.not.include("share=");
    expect(await page.context().cookies()).to.deep.equal([]);
    const api = await statement();
    const lines = await page
      .locator("[data-part=statement] tr[data-line]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-line") ?? ""));
    expect(lines).to.include.members(["revenue", "netRevenue", "contribution3"]);
    expect(lines).to.not.include("fixed").and.to.not.include("profit");
    for (const line of lines) {
      // A cost of which nothing is known deducts nothing, and has no amount on the page.
      const known = api[line]?.source === "pending" ? null : api[line]?.amount;
      expect(await cellOf(page, line), line).to.equal(amount(known));
    }
    expect(await page.locator("[data-figure=profit]").count()).to.equal(0);
    expect(await page.locator(".report-lead").innerText()).to.not.match(/custos fixos|lucro/i);
    expect(await page.locator("h1").innerText()).to.equal("Março para a sócia");
    for (const gone of [".main-menu", ".toolbar", ".top-nav", ".page-link", ".banner"])
      expect(await page.locator(gone).count(), gone).to.equal(0);
    expect(await page.getByRole("button").allInnerTexts()).to.deep.equal(["Imprimir / PDF"]);
    expect(await page.locator("meta[name=robots]").getAttribute("content")).to.equal("noindex");
    await page.reload();
    await page.locator("[data-report=ready]").waitFor();
    expect(problems).to.deep.equal([]);
  });

  it("has them where they were chosen", async () => {
    const page = await opened(await share("Tudo", MARCH, ["fixed", "profit"]));
    const api = await statement();
    for (const line of ["fixed", "profit"]) expect(await cellOf(page, line)).to.equal(amount(api[line]?.amount));
  });

  it("stays what was known, under a pin", async () => {
    const page = await opened(await share("Fechado", `${MARCH}&known=closed`));
    const [then, now] = [await statement("&knownAt=closed"), await statement()];
    expect(then.revenue?.amount).to.not.equal(now.revenue?.amount);
    expect(await cellOf(page, "revenue")).to.equal(amount(then.revenue?.amount));
    expect(await page.locator("[data-fact=pin] dd").innerText()).to.equal("closed");
    expect(await page.locator("[data-fact=state] dd").innerText()).to.match(/^[\da-f]{12}$/);
    expect(problems).to.deep.equal([]);
  });

  it("keeps the store of the report, says so, and answers nothing of another one [D86]", async () => {
    const outlet = "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02";
    const url = await share("Outlet", `${MARCH}&onlyStore=${outlet}`);
    const page = await opened(url);
    const [whole, ofStore] = [await statement(), await statement(`&integrationId=${outlet}`)];
    expect(ofStore.revenue?.amount).to.not.equal(whole.revenue?.amount);
    expect(await cellOf(page, "revenue")).to.equal(amount(ofStore.revenue?.amount));
    expect(await page.locator(".page-head .note").innerText()).to.include("Aurora Outlet");
    expect(await page.locator(".report-owner").innerText()).to.match(/ · Aurora Outlet$/);
    const asked: string[] = [];
    page.on("request", (sent) => asked.push(new URL(sent.url()).searchParams.get("address") ?? ""));
    await page.reload();
    await page.locator("[data-report=ready]").waitFor();
    const cards = asked.find((address) => address.startsWith("/v1/profitability/cards?")) ?? "";
    expect(cards).to.include(`integrationId=${outlet}`);
    const [, token = ""] = url.split("#share=");
    const statusOf = async (address: string): Promise<number> => {
      const headers = { "x-lucra-share": token };
      return (await fetch(`${service.base}/shared/answer?address=${encodeURIComponent(address)}`, { headers })).status;
    };
    expect(await statusOf(cards)).to.equal(200);
    expect(await statusOf(cards.replace(outlet, "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01"))).to.equal(404);
    expect(await statusOf(cards.replace(/&?integrationId=[^&]*/, ""))).to.equal(404);
    expect(await statusOf(`${cards}&channel=direct`)).to.equal(404);
    expect(problems).to.deep.equal([]);
  });

  it("asks for the days of the page that was shared, however much later it is opened", async () => {
    for (const query of ["period=30d", "period=month", "period=lastMonth&compare=weekdays", "period=all"]) {
      const url = await share(query, query);
      const context = await begin();
      await context.clock.setFixedTime(Date.now() + 70 * 86_400_000);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(url);
      await page.locator("[data-report=ready]").waitFor();
      const admins = await reportIn(admin, query);
      const factsOf = (tab: Page): Promise<string> => tab.locator(".report-facts").innerText();
      expect(await factsOf(page), query).to.equal(await factsOf(admins));
    }
  });

  it("is for who reads it also where somebody is signed in, and leaves their session alone", async () => {
    const url = await share("Para todos");
    const page = await admin.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    await page.locator("[data-report=ready]").waitFor();
    expect(await page.getByRole("button").allInnerTexts()).to.deep.equal(["Imprimir / PDF"]);
    await page.goto(`${service.base}/explorer#/${AURORA}/overview`);
    await page.locator(".main-menu").waitFor();
  });

  it("is listed in the settings, and opens nothing within a second of being revoked there", async () => {
    const url = await share("Por pouco tempo");
    await opened(url);
    const settings = await admin.newPage();
    settings.setDefaultTimeout(60_000);
    await new Promise((done) => setTimeout(done, 1_500));
    await settings.goto(`${service.base}/explorer#/${AURORA}/settings/links`);
    const row = settings.locator("[data-share]").filter({ hasText: "Por pouco tempo" });
    await row.waitFor();
    expect(await row.innerText())
      .to.include(ANA)
      .and.to.include("Relatório")
      .and.to.include("aberta 1 vez");
    await row.getByRole("button", { name: /Revogar/ }).click();
    await row.locator(".danger").click();
    await settings.locator("[data-share=revoked]").filter({ hasText: "Por pouco tempo" }).waitFor();
    await new Promise((done) => setTimeout(done, 1_000));
    const page = await read(url);
    await page.locator("[data-shared=gone]").waitFor();
    const unknown = await read(`${service.base}/explorer#share=${"x".repeat(43)}`);
    await unknown.locator("[data-shared=gone]").waitFor();
    expect(await unknown.locator("main").innerText()).to.equal(await page.locator("main").innerText());
  });

  /** Shares another view by the menu. */
  async function shareView(place: string): Promise<string> {
    const page = await admin.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${service.base}/explorer#/${AURORA}/${place}`);
    await on.settled(page);
    await on.chooseInMenu(page, "Compartilhar esta página");
    const dialog = page.locator("dialog.sheet");
    await dialog.getByRole("button", { name: "Criar endereço" }).click();
    const url = await dialog.locator(".to-copy code").innerText();
    await page.close();
    return url;
  }

  for (const view of ["overview", "acquisition", "products"])
    it(`may be another view: ${view} is read whole, under a pin as of then, and leads nowhere else`, async () => {
      const url = await shareView(`${view}?${MARCH}&known=closed`);
      const page = await read(url);
      const refused: string[] = [];
      page.on("response", (answer) => answer.ok() || refused.push(`${answer.status()} ${answer.url()}`));
      await page.locator("main .page").waitFor();
      await on.settled(page);
      expect(refused).to.deep.equal([]);
      expect(await page.locator(".problem").count()).to.equal(0);
      expect(await page.locator("main [href]").count(), "links").to.equal(0);
      expect(await page.locator(".shared-view :is(button, input, select):not(:disabled)").count()).to.equal(0);
      const figures = await page
        .locator("[data-metric] [data-exact]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-exact")));
      const admins = await admin.newPage();
      await admins.goto(`${service.base}/explorer#/${AURORA}/${view}?${MARCH}&known=closed`);
      await on.settled(admins);
      const theirs = await admins
        .locator("main [data-metric] [data-exact]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-exact")));
      expect(figures.length).to.be.greaterThan(2);
      // Without the profit, which was not chosen.
      expect(theirs).to.include.members(figures);
      expect(await page.locator("[data-metric=profit]").count()).to.equal(0);
      await admins.goto(`${service.base}/explorer#/${AURORA}/${view}?${MARCH}`);
      await on.settled(admins);
      if (view === "overview") {
        const now = await admins.locator("[data-metric=revenue] [data-exact]").first().getAttribute("data-exact");
        expect(figures).to.not.include(now);
      }
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        // Charts are drawn again a moment later.
        await page.waitForFunction(() => document.documentElement.scrollWidth === document.documentElement.clientWidth);
      }
      expect(await on.axeFindings(page)).to.deep.equal([]);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/shared-${view}.png`, fullPage: true });
      expect(problems).to.deep.equal([]);
    });

  it("is no view of rows, orders, cohorts, queries or settings", async () => {
    for (const view of ["customers", "data", "sql", "settings"]) {
      const page = await admin.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${service.base}/explorer#/${AURORA}/${view}`);
      await page.locator(".main-menu").click();
      expect(await page.getByRole("button", { name: "Compartilhar esta página" }).count(), view).to.equal(0);
      await page.close();
    }
  });

  it("is made by admins only", async () => {
    const page = await reportIn(await signedIn(RUI));
    expect(await page.getByRole("button", { name: "Compartilhar" }).count()).to.equal(0);
  });

  it("fits, has no obstacle, and prints as the report does", async () => {
    const url = await share("Relatório de março de 2025");
    for (const width of [390, 1280]) {
      const page = await opened(url, { viewport: { width, height: 900 } });
      expect(await on.overflow(page), String(width)).to.equal(0);
      expect(await on.axeFindings(page), String(width)).to.deep.equal([]);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/shared-${width}.png` });
      await page.emulateMedia({ media: "print" });
      const shown = await page
        .locator(":is(.top, .page-head, .report-bar)")
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map(({ className }) => className));
      expect(shown).to.deep.equal([]);
    }
    for (const width of [390, 1280]) {
      const page = await reportIn(admin);
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole("button", { name: "Compartilhar" }).click();
      await page.locator("dialog.sheet [name=days]").waitFor();
      expect(await on.axeFindings(page), String(width)).to.deep.equal([]);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/dialog-${width}.png` });
    }
  });
});
