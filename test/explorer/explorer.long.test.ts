import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { build } from "../../explorer/build.ts";
import { SlidingLog } from "../../src/http/rateLimit.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";

/** An organization without landed data, and one that the credentials have no access to. */
const NEWCOMER = "0bbbbbbb-0000-4000-8000-000000000001";
const THEIRS = "0bbbbbbb-0000-4000-8000-000000000002";
const SECRET = "the-secret-that-stays-in-the-tab";
/** Requests per credential and minute. */
const LIMIT = 100;

/** The period contains all data of the fixtures. */
const FIRST_QUARTER = { from: "2025-01-01", to: "2025-03-31" };
const PERIOD = `from=${FIRST_QUARTER.from}&to=${FIRST_QUARTER.to}`;
const DAYS = `startDate=${FIRST_QUARTER.from}&endDate=${FIRST_QUARTER.to}`;
const STORE = "integrationId=a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01&dateFrom=2025-01-01&dateTo=2025-03-31";

type Body = Record<string, number>;

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lucra-explorer-"));
  await build(folder);
});
after(() => rm(folder, { recursive: true, force: true }));

describe("The Explorer in a browser", () => {
  let data: DataFolder;
  let service: Service;
  let server: Server;
  let browser: Browser;
  let base: string;
  let context: BrowserContext;
  let page: Page;
  const limit = new SlidingLog(LIMIT);

  /** Requests to other hosts, which no test may cause. */
  const foreignRequests: string[] = [];
  /** Errors and warnings of the browser's console. */
  let consoleErrors: string[] = [];
  let requested: string[] = [];
  let clients = 0;
  /** Whether the next test may reuse the tab. */
  let isTabReusable = false;

  before(async function () {
    const executable = findBrowser();
    if (!executable) {
      console.log("      The Explorer is not tested in a browser: the PATH has no chromium or google-chrome.");
      this.skip();
    }
    data = await landedFixtures();
    await data.settings({ organizationId: NEWCOMER, name: "Nova", integrations: [] });
    await data.sync(NEWCOMER);
    service = await openService(data.config, AURORA, {
      explorer: folder,
      limit,
      credentials: {
        verify: async (clientId, secret) => {
          // The tests' own requests have no limit.
          if (clientId === "test") return { clientId: `test-${clients++}`, organizations: [AURORA] };
          return secret === SECRET ? { clientId, organizations: [AURORA, NEWCOMER] } : undefined;
        },
      },
    });
    server = createServer(service.app).listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await startBrowser(executable);
  });

  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    limit.shutdown();
    await service?.close();
    await data?.remove();
  });

  afterEach(function () {
    expect(foreignRequests, "requests to other hosts").to.deep.equal([]);
    consoleErrors = [];
    if (this.currentTest?.state === "failed") isTabReusable = false;
  });

  const newKeys = (organizationId = AURORA): on.Keys => ({
    clientId: `client-${clients++}`,
    clientSecret: SECRET,
    organizationId,
  });

  /** Opens a new tab, which shows the login form. */
  async function openTab(options: BrowserContextOptions = {}): Promise<void> {
    await context?.close();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("request", (sent) => {
      const address = new URL(sent.url());
      if (address.origin !== base && address.protocol !== "blob:") foreignRequests.push(sent.url());
      if (address.pathname.startsWith("/v1/")) requested.push(address.pathname + address.search);
    });
    page.on(
      "console",
      (message) => ["error", "warning"].includes(message.type()) && consoleErrors.push(message.text()),
    );
    page.on("pageerror", (error) => consoleErrors.push(error.message));
    await page.goto(`${base}/explorer`);
  }

  /**
   * Opens a view of the fixtures' organization with unused credentials. Without options it reuses the previous test's
   * tab if possible, and signs out first.
   */
  async function openView(hash: string, options?: BrowserContextOptions): Promise<on.Keys> {
    if (options || !isTabReusable) await openTab(options);
    isTabReusable = options === undefined;
    const keys = newKeys();
    const signOut = page.getByRole("button", { name: "Sair" });
    if ((await signOut.count()) > 0) await signOut.click();
    await on.goTo(page, hash);
    requested = [];
    await on.signIn(page, keys);
    await on.settled(page);
    return keys;
  }

  const api = async <T = Body>(address: string): Promise<T> => {
    const { status, body } = await service.get(`/v1/${address}`);
    expect(status, address).to.equal(200);
    return body as T;
  };

  /** The answer as CSV, as a client receives it. */
  const csv = async (address: string): Promise<string> => {
    const { clientId, clientSecret } = newKeys();
    const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
    return (await fetch(`${base}/v1/${address}&organizationId=${AURORA}&format=csv`, { headers })).text();
  };

  const expectNoConsoleErrors = () => expect(consoleErrors, "the browser's console").to.deep.equal([]);

  describe("asks for credentials", () => {
    it("and explains a refusal, in the page's language", async () => {
      isTabReusable = false;
      await openTab();
      await on.signIn(page, { ...newKeys(), clientSecret: "wrong" });
      await page.getByRole("alert").getByText("As credenciais não foram aceitas").waitFor();
      await on.signIn(page, newKeys(THEIRS));
      await page.getByRole("alert").getByText("não dão acesso a esta organização").first().waitFor();
      await on.signIn(page, newKeys("no-uuid"));
      await page.getByRole("alert").getByText("deve ser um UUID").first().waitFor();
      await on.signIn(page, newKeys());
      await on.settled(page);
      expect(await page.getByRole("alert").count()).to.equal(0);
    });

    it("keeps them only in the tab's memory", async () => {
      const keys = await openView("overview");
      for (const view of ["cohorts", "acquisition", "products", "data"]) await on.show(page, view);
      const stored = await page.evaluate(async () => ({
        address: location.href,
        state: JSON.stringify(history.state),
        cookies: document.cookie,
        local: localStorage.length,
        session: sessionStorage.length,
        databases: (await indexedDB.databases()).length,
        caches: (await caches.keys()).length,
        page: document.documentElement.outerHTML,
      }));
      expect(stored).to.include({ cookies: "", local: 0, session: 0, databases: 0, caches: 0, state: "null" });
      for (const secret of [keys.clientId, keys.clientSecret]) {
        expect(requested.join(), "secrets in an address").to.not.include(secret);
        expect(stored.address + stored.page, "secrets in the page").to.not.include(secret);
      }
      expect(stored.address).to.not.include(keys.organizationId);
      await page.reload();
      await page.locator("[name=clientSecret]").waitFor();
      expect(await page.inputValue("[name=clientSecret]")).to.equal("");
      expectNoConsoleErrors();
    });

    it("again after signing out, and clears the fetched data", async () => {
      await openView("overview");
      const before = requested.length;
      await page.getByRole("button", { name: "Sair" }).click();
      await on.signIn(page, newKeys());
      await on.settled(page);
      expect(requested.slice(before)).to.have.members(requested.slice(0, before));
      expectNoConsoleErrors();
    });
  });

  describe("shows the overview", () => {
    it("with the figures of the cards, their previous values and their changes", async () => {
      await openView("overview?from=2025-02-01&to=2025-02-28");
      const cards = await api("profitability/cards?startDate=2025-02-01&endDate=2025-02-28");
      const value = (metric: string) => on.figureText(page, "cards", metric, ".value");
      const inMoney = [
        "revenue",
        "investment",
        "cac",
        "ltv",
        "averageTicket",
        "contribution",
        "contributionProfit",
        "cpv",
        "clv",
      ];
      for (const metric of inMoney) expect(await value(metric), metric).to.equal(on.brl(cards[metric] ?? Number.NaN));
      for (const metric of ["orders", "newCustomers", "recurringCustomers", "recurringOrders"]) {
        expect(await value(metric), metric).to.equal(on.whole(cards[metric] ?? Number.NaN));
      }
      expect(await value("roi")).to.equal(on.percent(cards.roi ?? Number.NaN));
      const { previousPeriod, changes } = cards as unknown as Record<string, Record<string, number>>;
      const before = await on.figureText(page, "cards", "revenue", ".before");
      expect(before).to.include(`antes ${on.brl(previousPeriod?.revenue ?? Number.NaN)}`);
      expect(before).to.include(`+${on.percent((changes?.revenue ?? 0) / 100, 1)}`);
      expectNoConsoleErrors();
    });

    it("without a change of LTV, because the change is about all customers and the value about the period's [D25]", async () => {
      await openView("overview?from=2025-02-01&to=2025-02-28");
      for (const metric of ["ltv", "retentionLtv"]) {
        expect(await on.figureText(page, "cards", metric, ".before")).to.equal("até hoje, de quem chegou no período");
      }
      expectNoConsoleErrors();
    });

    it("with N/D without spend or new customers, although the answer has 0", async () => {
      await openView("overview?from=2024-11-01&to=2024-11-30");
      const cards = await api<Record<string, number>>("profitability/cards?startDate=2024-11-01&endDate=2024-11-30");
      expect([cards.investment, cards.cac, cards.roi, cards.ltvCacRatio]).to.deep.equal([0, 0, 0, 0]);
      for (const metric of ["cac", "roi", "ltvCacRatio", "cpv"]) {
        expect(await on.figureText(page, "cards", metric, ".value"), metric).to.match(/^N\/D/);
      }
      expectNoConsoleErrors();
    });

    it("with the months as a chart and as a table", async () => {
      await openView(`overview?${PERIOD}`);
      expect(await page.locator("[data-picture=cards] .spark").count()).to.equal(4);
      await page.locator("[data-picture=evolution]").getByRole("button", { name: "Tabela" }).click();
      const { data: months } = await api<{ data: Record<string, number>[] }>(
        `profitability/metrics-evolution?startDate=2024-04-01&endDate=2025-03-31`,
      );
      const texts = await on.tableTexts(page, "evolution");
      expect(texts).to.have.length(12);
      expect(texts.slice(-3).map((row) => row.slice(1, 6))).to.deep.equal(
        months
          .slice(-3)
          .map(({ totalRevenue, totalInvestment, totalOrders, newCustomers, cac }) => [
            on.brl(totalRevenue ?? 0),
            on.brl(totalInvestment ?? 0),
            on.whole(totalOrders ?? 0),
            on.whole(newCustomers ?? 0),
            on.brl(cac ?? 0),
          ]),
      );
      expectNoConsoleErrors();
    });

    it("with the items of the margin and the missing data", async () => {
      await openView(`overview?${PERIOD}`);
      const cards = await api(`profitability/cards?${DAYS}`);
      expect(await on.figureText(page, "margin", "marginPercent", "strong")).to.equal(
        on.percent((cards.marginPercent ?? Number.NaN) / 100),
      );
      expect(await page.locator("[data-picture=margin] .margin-items .chip").allInnerTexts()).to.deep.equal([
        "configurado",
        "dos pedidos",
        "dos pedidos",
        "dos pedidos",
      ]);
      expect(await on.figureText(page, "margin", "revenueWithoutCmv")).to.equal(
        on.brl(cards.revenueWithoutCmv ?? Number.NaN),
      );
      const missing = await page.locator("[data-picture=missing] li").allInnerTexts();
      expect(missing.join()).to.match(/10% da receita não tem custo \(R\$\s300,00\)/);
      expect(missing.join()).to.match(/5,5% do investimento \(R\$\s40,00\)/);
      expectNoConsoleErrors();
    });

    it("without invented figures: the whole history has no previous period, and a missing value stays missing", async () => {
      await openView("overview?from=2024-11-01&to=2024-11-30");
      const payback = page.locator("[data-picture=cards] [data-metric=payback] .nd");
      expect(await payback.getAttribute("data-reason")).to.equal("nenhum mês com investimento se pagou");
      expect(await payback.innerText()).to.match(/^N\/D/);
      await page.locator(".period").getByLabel("Período").selectOption("all");
      await on.settled(page);
      expect(await on.figureText(page, "cards", "revenue", ".before")).to.equal("sem período anterior");
      expect(requested.at(-1)).to.not.include("startDate");
      expectNoConsoleErrors();
    });
  });

  describe("shows the cohorts", () => {
    type Cells = Record<string, { pct: number | null; absolute: number; complementary: number }>;
    type Row = {
      breakLabel: string;
      initialValue: number;
      firstPurchaseCustomers: number;
      repurchaseCustomers: number;
      acquisitionInvestment: number;
      months: Cells;
    };

    const shares = ({ months }: Row): string[] => Object.values(months).map(({ pct }) => on.percent(pct ?? 0, 1));

    it("with every cell of the answer, and marks those in progress", async () => {
      await openView("cohorts?period=all");
      const { data: cohorts } = await api<{ data: Row[] }>("profitability/cohort?view=logo");
      const texts = await page
        .locator("[data-picture=map] tbody tr")
        .evaluateAll((rows) =>
          rows.map((row) => [...row.querySelectorAll(".cell")].map((cell) => cell.firstChild?.textContent)),
        );
      expect(texts).to.deep.equal(cohorts.map(shares));
      const open = await page.locator("[data-picture=map] .cell.open").count();
      expect(open, "one open step per cohort").to.equal(cohorts.length);
      await page.getByRole("button", { name: "Valores" }).click();
      await page.getByRole("button", { name: "Receita", exact: true }).click();
      await on.settled(page);
      const { data: revenue } = await api<{ data: Row[] }>("profitability/cohort");
      await page.locator("[data-cell='0:1']").hover();
      const cell = revenue[0]?.months["1"];
      const tip = await page.getByRole("tooltip").innerText();
      expect(tip)
        .to.include(on.percent(cell?.pct ?? 0))
        .and.to.include(on.brl(cell?.absolute ?? 0));
      expect(tip).to.include(`Clientes\n${on.whole(cell?.complementary ?? 0)}`);
      expectNoConsoleErrors();
    });

    it("with arrow keys to move between them", async () => {
      await openView("cohorts?period=all");
      await page.locator("[data-cell='0:0']").focus();
      for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown"]) await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement?.getAttribute("data-cell"))).to.equal("1:1");
      expect(await page.getByRole("tooltip").innerText()).to.include("ainda em curso");
      await page.keyboard.press("ArrowRight");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("data-cell")), "no such cell").to.equal(
        "1:1",
      );
      await page.keyboard.press("Escape");
      expect(await page.getByRole("tooltip").count()).to.equal(0);
      expectNoConsoleErrors();
    });

    it("by the values of a breakdown, with the largest first and selected", async () => {
      await openView("cohorts?period=all&break=origem");
      const { data: cohorts } = await api<{ data: Row[] }>("profitability/cohort?view=logo&breakBy=origem");
      const counted = new Map<string, number>();
      for (const { breakLabel, firstPurchaseCustomers } of cohorts) {
        counted.set(breakLabel, (counted.get(breakLabel) ?? 0) + firstPurchaseCustomers);
      }
      const texts = await on.tableTexts(page, "values");
      expect(texts.map(([label, customers]) => [label, Number(customers)])).to.have.deep.members([...counted]);
      await page.getByRole("button", { name: "Direto" }).click();
      const direct = cohorts.filter(({ breakLabel }) => breakLabel === "Direto");
      const cells = await page
        .locator("[data-picture=map] .cell")
        .evaluateAll((all) => all.map((it) => it.firstChild?.textContent));
      expect(cells).to.deep.equal(direct.flatMap(shares));
      expect(page.url()).to.include("value=");
      expectNoConsoleErrors();
    });

    it("with the step that pays back each cohort", async () => {
      await openView("cohorts?period=all");
      const { data: cohorts } = await api<{ data: Row[] }>("profitability/cohort");
      const paid = cohorts.map(({ months, acquisitionInvestment }) => {
        let sum = 0;
        const sums = Object.values(months).map(({ absolute }) => (sum += absolute));
        return sums.findIndex((it) => it >= acquisitionInvestment);
      });
      const shown = await page.locator("[data-picture=payback] .paid li").allInnerTexts();
      expect(shown.map((text) => Number(/mês (\d+)$/.exec(text)?.[1] ?? -1))).to.deep.equal(paid);
      await page.locator("[data-picture=payback]").getByRole("button", { name: "Tabela" }).click();
      const [first] = await on.tableTexts(page, "payback");
      expect(first?.[1]).to.equal(on.brl(cohorts[0]?.acquisitionInvestment ?? 0));
      expectNoConsoleErrors();
    });

    it("without a payback curve if there was no spend", async () => {
      await openView("cohorts?period=all&break=cupom");
      expect(await page.locator("[data-picture=payback]").innerText()).to.include("Sem custo de aquisição");
      expectNoConsoleErrors();
    });
  });

  describe("shows acquisition", () => {
    it("with every channel and campaign, sorted by the clicked column", async () => {
      await openView(`acquisition?${PERIOD}`);
      for (const kind of ["channels", "campaigns"]) {
        const { data: rows } = await api<{ data: Record<string, number>[] }>(`acquisition/${kind}?${DAYS}`);
        const money = (value: number | undefined | null) =>
          value === null || value === undefined ? "N/D" : on.brl(value);
        const shown = await page
          .locator(`[data-picture=${kind}] tbody tr`)
          .evaluateAll((lines) =>
            lines.map((line) =>
              ["investment", "revenue", "cac", "ltv"].map((key) =>
                line.querySelector(`[data-column=${key}]`)?.textContent?.replace(/^(N\/D).*/, "$1"),
              ),
            ),
          );
        expect(shown, kind).to.have.deep.members(
          rows.map(({ investment, revenue, cac, ltv }) => [investment, revenue, cac, ltv].map(money)),
        );
      }
      const channels = page.locator("[data-picture=channels]");
      await channels.getByRole("button", { name: "LTV / CAC" }).click();
      const ratios = await channels.locator("[data-column=ltvCacRatio]").allInnerTexts();
      const known = ratios
        .filter((text) => text.includes("×"))
        .map((text) => Number(text.replace(",", ".").replace("×", "")));
      expect(known).to.deep.equal([...known].sort((a, b) => b - a));
      expect(
        ratios.slice(known.length).every((text) => text.startsWith("N/D")),
        "those without come last",
      ).to.equal(true);
      expect(await channels.getByRole("columnheader", { name: "LTV / CAC" }).getAttribute("aria-sort")).to.equal(
        "descending",
      );
      expect(await channels.locator(".nd").first().getAttribute("data-reason")).to.match(/\w/);
      expectNoConsoleErrors();
    });

    it("with the summary and the new customers of each point", async () => {
      await openView(`acquisition?${PERIOD}`);
      const summary = await api<Record<string, { value: number }>>(`acquisition/summary?${DAYS}`);
      expect(await on.figureText(page, "summary", "cac", ".value")).to.equal(on.brl(summary.cac?.value ?? 0));
      expect(await on.figureText(page, "summary", "newCustomers", ".value")).to.equal(
        on.whole(summary.newCustomers?.value ?? 0),
      );
      await page.locator("[data-picture=newCustomers]").getByRole("button", { name: "Tabela" }).click();
      const { data: points } = await api<{ data: { newCustomers: number }[] }>(`acquisition/new-customers?${DAYS}`);
      const texts = await on.tableTexts(page, "newCustomers");
      expect(texts.map((row) => Number(row[1]))).to.deep.equal(points.map(({ newCustomers }) => newCustomers));
      expectNoConsoleErrors();
    });

    it("for the last year of a longer period, with a note", async () => {
      await openView("acquisition?period=all");
      expect(await page.locator(".cut").innerText()).to.include("no máximo 365 dias");
      expect(requested.at(-1)).to.include("startDate=2024-03-22").and.to.include("endDate=2025-03-21");
      expectNoConsoleErrors();
    });
  });

  describe("shows products", () => {
    type Product = Record<string, number | null> & { productName: string; ndReasons: Record<string, string | null> };

    it("sorted and filtered by the service, with the reason for a missing figure", async () => {
      await openView(`products?${PERIOD}`);
      const compare = async (more: string): Promise<void> => {
        const { data: products } = await api<{ data: Product[] }>(`products?${STORE}&${more}`);
        const texts = await page.locator("[data-picture=products] tbody a").allInnerTexts();
        expect(texts).to.deep.equal(products.map(({ productName }) => productName));
        const margins = await page.locator("[data-picture=products] [data-column=marginTotal]").allInnerTexts();
        expect(margins.map((text) => text.replace(/\s*:.*/s, ""))).to.deep.equal(
          products.map(({ marginTotal }) =>
            marginTotal === null || marginTotal === undefined ? "N/D" : on.brl(marginTotal),
          ),
        );
      };
      await compare("");
      const without = page
        .locator("[data-picture=products] tr", { hasText: "Cinto Corda" })
        .locator("[data-column=marginTotal] .nd");
      expect(await without.getAttribute("data-reason")).to.equal("falta o custo de alguma unidade");
      await page.getByRole("button", { name: "Novos clientes" }).click();
      await on.settled(page);
      await compare("sortBy=newCustomers&sortOrder=desc");
      await page.getByLabel("Situação").selectOption("active");
      await page.getByLabel("Nome contém").fill("a");
      await page.getByLabel("Nome contém").press("Enter");
      await page.getByText("Faixas").click();
      await page.getByRole("group", { name: "Vendas líquidas" }).getByLabel("mín.").fill("250");
      await page.getByRole("group", { name: "Vendas líquidas" }).getByLabel("mín.").press("Enter");
      await on.settled(page);
      await compare("sortBy=newCustomers&sortOrder=desc&status=active&search=a&minNetSales=250");
      await page.getByRole("button", { name: "Limpar filtros" }).click();
      await page.getByText("Colunas").click();
      await page.getByLabel("Vendas brutas").check();
      await on.settled(page);
      expect(requested.at(-1)).to.match(/columns=grossSales/);
      expectNoConsoleErrors();
    });

    it("and keeps the typed text while an answer loads", async () => {
      await openView(`products?${PERIOD}`);
      let release = (): void => {};
      const held = new Promise<void>((done) => {
        release = done;
      });
      await page.route("**/v1/products?*", async (asking) => {
        await held;
        await asking.continue();
      });
      await page.getByLabel("Situação").selectOption("active");
      const search = page.getByLabel("Nome contém");
      await search.pressSequentially("bol");
      release();
      await on.settled(page);
      expect(await search.inputValue()).to.equal("bol");
      await search.press("Enter");
      await on.settled(page);
      expect(await page.locator("[data-picture=products] tbody a").allInnerTexts()).to.deep.equal(["Bolsa Areia"]);
      await page.unroute("**/v1/products?*");
      expectNoConsoleErrors();
    });

    it("with the categories, which filter them", async () => {
      await openView(`products?${PERIOD}`);
      await page.locator("[data-picture=categories]").getByRole("button", { name: "Tabela" }).click();
      const { categories } = await api<{
        categories: { categoryId: string; categoryName: string | null; netSales: number | null }[];
      }>(`products/categories?${STORE}`);
      const texts = await on.tableTexts(page, "categories");
      expect(texts.map(([, sales]) => sales?.replace(/:.*/, ""))).to.have.members(
        categories.map(({ netSales }) => (netSales === null ? "N/D" : on.brl(netSales))),
      );
      await page.getByRole("button", { name: "Bolsas" }).click();
      await on.settled(page);
      expect(await page.locator("[data-picture=products] tbody a").allInnerTexts()).to.deep.equal(["Bolsa Areia"]);
      expectNoConsoleErrors();
    });

    it("one by one, with all blocks and the previous period", async () => {
      await openView(`products?${PERIOD}`);
      await page.getByRole("link", { name: "Vestido Lua" }).click();
      await page.locator("[data-picture=funnel]").waitFor();
      await on.settled(page);
      const detail = await api<Record<string, Record<string, number> & { rows: Record<string, number>[] }>>(
        `products/501?${STORE}`,
      );
      expect(await on.figureText(page, "summary", "netSales", "dd")).to.equal(on.brl(detail.summary?.netSales ?? 0));
      for (const step of ["views", "addToCarts", "checkouts", "purchases"]) {
        expect(await on.figureText(page, "funnel", step, ".funnel-value")).to.equal(
          on.whole(detail.funnel?.[step] ?? 0),
        );
      }
      const tables = [
        "retention",
        "purchaseFrequency",
        "entryCohort",
        "boughtTogether",
        "boughtAfter",
        "coupons",
        "acquisitionChannels",
      ];
      for (const name of tables) {
        expect(await on.tableTexts(page, name), name).to.have.length(detail[name]?.rows.length ?? -1);
      }
      expect((await on.tableTexts(page, "retention")).map((row) => row[3])).to.deep.equal(
        detail.retention?.rows.map(({ pct }) => on.percent(pct ?? 0)),
      );
      expect(await page.locator("[data-picture=boughtAfter] .source").innerText()).to.equal(
        "sql/products/detail/bought-after.sql",
      );
      const series = await api<{ data: { netSales: number }[]; previous: { data: { netSales: number }[] } }>(
        `products/501/series?${STORE}`,
      );
      await page.locator("[data-picture=series]").getByRole("button", { name: "Tabela" }).click();
      const points = await on.tableTexts(page, "series");
      expect(points.map((row) => row.slice(1))).to.deep.equal(
        series.data.map(({ netSales }, n) => [
          on.brl(netSales),
          on.brl(series.previous.data[n]?.netSales ?? Number.NaN),
        ]),
      );
      await page.getByRole("link", { name: /Todos os produtos/ }).click();
      await page.locator("[data-picture=products]").waitFor();
      expectNoConsoleErrors();
    });
  });

  describe("shows landed rows", () => {
    it("of every record, filtered and sorted by the service", async () => {
      await openView("data?table=/v1/socialads/ads/campaigns");
      const options = await page.getByLabel("Tabela", { exact: true }).locator("option").count();
      expect(options).to.equal(16);
      const columns = page.locator("[data-picture=rows] thead button");
      await columns.filter({ hasText: /^spend$/ }).click();
      await on.settled(page);
      const { data: rows } = await api<{ data: { spend: number }[] }>(
        "socialads/ads/campaigns?orderBy=spend&orderDirection=DESC&limit=50",
      );
      const shown = await page.locator("[data-picture=rows] [data-column=spend]").allInnerTexts();
      expect(shown).to.deep.equal(rows.map(({ spend }) => on.plain(spend)));
      expectNoConsoleErrors();
    });

    it("without putting typed text into the page's address", async () => {
      await openView("data?table=/v1/crm/contacts");
      const email = "diego.prado@example.com";
      await page.locator("form.filters [name=email]").fill(email);
      await page.getByRole("button", { name: "Filtrar" }).click();
      await on.settled(page);
      await page.waitForFunction(() => document.querySelectorAll("[data-picture=rows] tbody tr").length === 1);
      expect(decodeURIComponent(page.url())).to.not.include(email);
      expect(await page.locator("[data-picture=rows] tbody").innerText()).to.include(email);
      expectNoConsoleErrors();
    });

    it("and saves all of them in every format", async () => {
      await openView("data?table=/v1/storea/orders/items");
      const formats = ["JSON", "CSV", "NDJSON", "ARROW", "PARQUET", "XLSX"];
      expect(await page.locator(".export button").allInnerTexts()).to.deep.equal(formats);
      for (const format of formats) {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.locator(".export").getByRole("button", { name: format, exact: true }).click(),
        ]);
        const saved = await readFile(await download.path());
        expect(saved.length, format).to.be.above(100);
        expect(requested.at(-1)).to.include(`all=true&format=${format.toLowerCase()}`);
        if (format !== "CSV") continue;
        expect(saved.toString("utf8")).to.equal(await csv("storea/orders/items?all=true"));
        expect(download.suggestedFilename()).to.equal("storea-orders-items.csv");
      }
      expectNoConsoleErrors();
    });
  });

  describe("offers other ways to the data", () => {
    it("as a command without secrets that sends the request of the chart", async () => {
      const keys = await openView(`cohorts?${PERIOD}&group=quarter`);
      await page.locator("[data-picture=map]").getByRole("button", { name: "Copiar curl" }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).to.match(
        /^curl -s -H "x-client-id: \$LUCRA_CLIENT_ID" -H "x-client-secret: \$LUCRA_CLIENT_SECRET" "http/,
      );
      for (const secret of Object.values(keys)) expect(copied).to.not.include(secret);
      const address = /"(http[^"]+)"$/.exec(copied)?.[1]?.replace("$LUCRA_ORGANIZATION", keys.organizationId) ?? "";
      expect(requested).to.include(address.replace(base, ""));
      expectNoConsoleErrors();
    });

    it("as CSV, and with the name of its SQL file", async () => {
      await openView(`acquisition?${PERIOD}`);
      const channels = page.locator("[data-picture=channels]");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        channels.getByRole("button", { name: "CSV" }).click(),
      ]);
      expect(await readFile(await download.path(), "utf8")).to.equal(await csv(`acquisition/channels?${DAYS}`));
      expect(await channels.locator(".source").innerText()).to.equal("sql/acquisition/channels.sql");
      expectNoConsoleErrors();
    });

    it("for every chart", async () => {
      await openView(`overview?${PERIOD}`);
      for (const view of ["overview", "cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        const pictures = page.locator("[data-picture]");
        const count = await pictures.count();
        expect(count, view).to.be.above(0);
        expect(await page.locator("[data-picture] [data-curl]").count(), view).to.equal(count);
        expect(await page.locator("[data-picture] .source").count(), view).to.equal(count);
      }
      expectNoConsoleErrors();
    });
  });

  describe("is accessible", () => {
    it("with only the keyboard", async () => {
      isTabReusable = false;
      await openTab();
      const keys = newKeys();
      for (const value of Object.values(keys)) {
        await page.keyboard.press("Tab");
        await page.keyboard.type(value);
      }
      await page.keyboard.press("Enter");
      await on.settled(page);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
      await page.keyboard.press("Tab");
      expect(await focused()).to.equal("Pular para o conteúdo");
      const walked: string[] = [];
      for (let n = 0; n < 7; n++) {
        await page.keyboard.press("Tab");
        walked.push(await focused());
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
        expect(outline, `${walked.at(-1)} shows that it has the focus`).to.equal("solid");
      }
      expect(walked).to.deep.equal(["Visão geral", "Coortes", "Aquisição", "Produtos", "Dados", "Atualizar", "Sair"]);
      for (let n = 0; n < 4; n++) await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Aquisição" }).waitFor();
      expect(await focused(), "what a screen reader reads next").to.equal("Aquisição");
      await on.settled(page);
      expectNoConsoleErrors();
    });

    for (const colorScheme of ["light", "dark"] as const) {
      it(`without serious findings of axe, ${colorScheme}`, async () => {
        isTabReusable = false;
        await openTab({ colorScheme });
        // Only the contrast depends on the colors.
        const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
        expect(await on.axeFindings(page, rules), "the form").to.deep.equal([]);
        await on.signIn(page, newKeys());
        await on.settled(page);
        for (const view of [
          "overview",
          "cohorts",
          "cohorts?break=origem",
          "acquisition",
          "products",
          "products?product=501",
          "data",
        ]) {
          await on.show(page, view);
          expect(await on.axeFindings(page, rules), view).to.deep.equal([]);
        }
        expectNoConsoleErrors();
      });
    }

    it("on a phone, without scrolling sideways", async () => {
      await openView("overview", { viewport: { width: 390, height: 844 } });
      for (const view of ["overview", "cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        expect(await on.overflow(page), view).to.equal(0);
      }
      expectNoConsoleErrors();
    });

    it("in English too", async () => {
      await openView(`overview?${PERIOD}`);
      await page.getByLabel("Idioma").selectOption("en");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      expect(await page.getAttribute("html", "lang")).to.equal("en");
      expect(await on.figureText(page, "cards", "revenue", ".value")).to.equal("R$3,000.00");
      expect(await page.title()).to.equal("Overview · Lucra Explorer");
      for (const view of ["cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, `${view}${view.includes("?") ? "&" : "?"}lang=en`);
        expect(await page.innerText("main"), view).to.not.match(/N\/D|Período|Copiar|Tabela/);
      }
      expectNoConsoleErrors();
    });

    it("in the chosen color scheme, regardless of the system's", async () => {
      await openView("overview", {});
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await page.getByLabel("Tema").selectOption("dark");
      expect(await ground()).to.not.equal(light);
      await page.getByLabel("Tema").selectOption("light");
      expect(await ground()).to.equal(light);
      expectNoConsoleErrors();
    });
  });

  describe("explains errors", () => {
    afterEach(async () => {
      await page.unrouteAll();
    });

    it("when credentials are no longer valid (401), and asks for new ones", async () => {
      await openView("overview");
      await page.route("**/v1/profitability/cohort*", (route) =>
        route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"Unauthorized"}' }),
      );
      await on.goTo(page, "cohorts");
      await page.getByRole("alert").getByText("As credenciais não foram aceitas").waitFor();
      expect(await page.locator("[name=clientSecret]").count()).to.equal(1);
      expect(await on.axeFindings(page)).to.deep.equal([]);
    });

    it("when the limit is reached (429), counts the seconds down, and sends nothing meanwhile", async () => {
      const { clientId, clientSecret } = await openView("overview");
      const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
      const spend = () => fetch(`${base}/v1/products/integrations?organizationId=${AURORA}`, { headers });
      while ((await spend()).status !== 429);
      await on.goTo(page, "acquisition");
      await page.locator("[data-picture=summary] .countdown").waitFor();
      const seconds = Number(/(\d+) s/.exec(await page.locator("[data-picture=summary] .countdown").innerText())?.[1]);
      expect(seconds).to.be.within(50, 60);
      expect(await page.locator("[data-picture=summary]").innerText()).to.include(
        "Limite de 100 requisições por minuto excedido",
      );
      const before = requested.length;
      await on.goTo(page, "products");
      await page.locator("[data-picture=products] .countdown").waitFor();
      expect(requested.length, "requests that would be refused").to.equal(before);
      expect(await on.axeFindings(page)).to.deep.equal([]);
    });

    it("and retries after the wait", async () => {
      await openView("overview");
      let refusals = 0;
      await page.route("**/v1/acquisition/channels*", (route) =>
        refusals++ > 0
          ? route.continue()
          : route.fulfill({
              status: 429,
              headers: { "retry-after": "1" },
              contentType: "application/json",
              body: '{"message":"Limite"}',
            }),
      );
      await on.goTo(page, "acquisition");
      await page.locator("[data-picture=channels] .countdown").waitFor();
      await page.locator("[data-picture=channels] tbody tr").first().waitFor();
      expect(refusals).to.be.above(1);
    });

    it("when the service is busy (503), and retries on a click", async () => {
      await openView("overview");
      let refusals = 0;
      await page.route("**/v1/profitability/cohort*", (route) =>
        refusals++ > 0
          ? route.continue()
          : route.fulfill({
              status: 503,
              headers: { "retry-after": "30" },
              contentType: "application/json",
              body: '{"error":"Service Unavailable","message":"O serviço está ocupado. Tente novamente em instantes."}',
            }),
      );
      await on.goTo(page, "cohorts");
      const map = page.locator("[data-picture=map]");
      await map.getByText("O serviço está ocupado.", { exact: true }).waitFor();
      await map.getByText(/Nova tentativa em \d+ s/).waitFor();
      expect(await on.axeFindings(page)).to.deep.equal([]);
      await map.getByRole("button", { name: "Tentar agora" }).click();
      await map.locator(".cell").first().waitFor();
    });

    it("when the network is down, and recovers with it", async () => {
      await openView("overview");
      await context.setOffline(true);
      await on.goTo(page, "cohorts");
      await page.locator("[data-picture=map]").getByText("Sem conexão com o serviço.").waitFor();
      await context.setOffline(false);
      await page.locator("[data-picture=map] .cell").first().waitFor();
    });

    it("when the service fails (500), with the request id", async () => {
      await openView("overview");
      await page.route("**/v1/profitability/cohort*", (route) =>
        route.fulfill({
          status: 500,
          headers: { "x-request-id": "abc-123" },
          contentType: "application/json",
          body: "{}",
        }),
      );
      await on.goTo(page, "cohorts");
      await page.locator("[data-picture=map]").getByText("abc-123").waitFor();
    });

    it("when a parameter is refused (400), with its name", async () => {
      await openView(`products?${PERIOD}&minNetSales=5&maxNetSales=1`);
      const alert = page.locator("[data-picture=products]").getByRole("alert");
      expect(await alert.innerText()).to.include("minNetSales não pode ser maior que maxNetSales");
    });

    it("when the product does not exist (404)", async () => {
      await openView(`products?${PERIOD}&product=nothing`);
      expect(await page.locator("[data-picture=summary]").innerText()).to.include("Isto não existe.");
    });

    it("when there is no data yet, with instructions", async () => {
      isTabReusable = false;
      await openTab();
      await on.signIn(page, newKeys(NEWCOMER));
      await page.getByRole("heading", { name: "Ainda não há dados" }).waitFor();
      expect(await page.innerText("main")).to.include("npm run lucra -- sync");
      expect(await on.axeFindings(page)).to.deep.equal([]);
      expectNoConsoleErrors();
    });
  });

  it("shows the number of remaining requests, and sends no request twice", async () => {
    await openView("overview");
    const left = async () => Number((await page.locator(".quota [aria-hidden]").innerText()).split("/")[0]);
    expect(await left()).to.equal(LIMIT - requested.length);
    const before = requested.length;
    await on.show(page, "cohorts");
    await on.show(page, "overview");
    expect(requested.length).to.equal(before + 1);
    await page.getByRole("button", { name: "Atualizar" }).click();
    await on.settled(page);
    expect(requested.length).to.be.above(before + 1);
    expectNoConsoleErrors();
  });

  it("shows the same view again from its address", async () => {
    await openView("cohorts?period=all");
    await page.getByRole("button", { name: "Trimestre" }).click();
    await page.getByLabel("Quebrar por").selectOption("cupom");
    await on.settled(page);
    await page.reload();
    await on.signIn(page, newKeys());
    await on.settled(page);
    expect(requested.at(-1)).to.match(/groupBy=quarter&breakBy=cupom$/);
    await page.locator(".period").getByLabel("Período").selectOption("custom");
    await page.getByLabel("De", { exact: true }).fill("2025-02-01");
    await on.settled(page);
    expect(page.url()).to.include("from=2025-02-01").and.to.include("to=2025-03-21");
    expectNoConsoleErrors();
  });
});
