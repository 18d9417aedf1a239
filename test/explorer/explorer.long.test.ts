import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { Server } from "node:http";
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

/** An organization that never landed anything, and one that these credentials do not open. */
const NEWCOMER = "0bbbbbbb-0000-4000-8000-000000000001";
const THEIRS = "0bbbbbbb-0000-4000-8000-000000000002";
const SECRET = "the-secret-that-stays-in-the-tab";
/** Requests of a credential in a minute. */
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

  /** Messages that must not appear in a test of a working page. */
  const strangers: string[] = [];
  let complaints: string[] = [];
  let asked: string[] = [];
  let clients = 0;
  /** Whether any test may continue in the tab. */
  let isOrdinary = false;

  before(async function () {
    const executable = findBrowser();
    if (!executable) {
      console.log("      The Explorer is not tried in a browser: there is no chromium or google-chrome on the PATH.");
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
    server = service.app.listen(0, "127.0.0.1");
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
    expect(strangers, "requests to other hosts").to.deep.equal([]);
    complaints = [];
    if (this.currentTest?.state === "failed") isOrdinary = false;
  });

  const newKeys = (organizationId = AURORA): on.Keys => ({
    clientId: `client-${clients++}`,
    clientSecret: SECRET,
    organizationId,
  });

  /** A new tab, at the form for the credentials. */
  async function openTab(options: BrowserContextOptions = {}): Promise<void> {
    await context?.close();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("request", (sent) => {
      const address = new URL(sent.url());
      if (address.origin !== base && address.protocol !== "blob:") strangers.push(sent.url());
      if (address.pathname.startsWith("/v1/")) asked.push(address.pathname + address.search);
    });
    page.on("console", (said) => ["error", "warning"].includes(said.type()) && complaints.push(said.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${base}/explorer`);
  }

  /**
   * The organization of the fixtures, open in a view with unused credentials. Without options in the tab of the test
   * before, whose session is ended.
   */
  async function openView(hash: string, options?: BrowserContextOptions): Promise<on.Keys> {
    if (options || !isOrdinary) await openTab(options);
    isOrdinary = options === undefined;
    const keys = newKeys();
    const signOut = page.getByRole("button", { name: "Sair" });
    if ((await signOut.count()) > 0) await signOut.click();
    await on.goTo(page, hash);
    asked = [];
    await on.signIn(page, keys);
    await on.settled(page);
    return keys;
  }

  const api = async <T = Body>(address: string): Promise<T> => {
    const { status, body } = await service.get(`/v1/${address}`);
    expect(status, address).to.equal(200);
    return body as T;
  };

  /** The same in another format, as a client gets it. */
  const csv = async (address: string): Promise<string> => {
    const { clientId, clientSecret } = newKeys();
    const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
    return (await fetch(`${base}/v1/${address}&organizationId=${AURORA}&format=csv`, { headers })).text();
  };

  const noComplaints = () => expect(complaints, "the browser's console").to.deep.equal([]);

  describe("asks for credentials", () => {
    it("and says which are wrong, in the page's language", async () => {
      isOrdinary = false;
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
      const kept = await page.evaluate(async () => ({
        address: location.href,
        state: JSON.stringify(history.state),
        cookies: document.cookie,
        local: localStorage.length,
        session: sessionStorage.length,
        databases: (await indexedDB.databases()).length,
        caches: (await caches.keys()).length,
        page: document.documentElement.outerHTML,
      }));
      expect(kept).to.include({ cookies: "", local: 0, session: 0, databases: 0, caches: 0, state: "null" });
      for (const secret of [keys.clientId, keys.clientSecret]) {
        expect(asked.join(), "sent in an address").to.not.include(secret);
        expect(kept.address + kept.page, "in the page").to.not.include(secret);
      }
      expect(kept.address).to.not.include(keys.organizationId);
      await page.reload();
      await page.locator("[name=clientSecret]").waitFor();
      expect(await page.inputValue("[name=clientSecret]")).to.equal("");
      noComplaints();
    });

    it("again after signing out, and forgets what it fetched", async () => {
      await openView("overview");
      const before = asked.length;
      await page.getByRole("button", { name: "Sair" }).click();
      await on.signIn(page, newKeys());
      await on.settled(page);
      expect(asked.slice(before)).to.have.members(asked.slice(0, before));
      noComplaints();
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
      noComplaints();
    });

    it("without a change of LTV, since the answer's is of all customers acquired so far and the figure of the period's customers", async () => {
      await openView("overview?from=2025-02-01&to=2025-02-28");
      for (const metric of ["ltv", "retentionLtv"]) {
        expect(await on.figureText(page, "cards", metric, ".before")).to.equal("até hoje, de quem chegou no período");
      }
      noComplaints();
    });

    it("with N/D where nothing was spent or no customer came, though the answer has 0", async () => {
      await openView("overview?from=2024-11-01&to=2024-11-30");
      const cards = await api<Record<string, number>>("profitability/cards?startDate=2024-11-01&endDate=2024-11-30");
      expect([cards.investment, cards.cac, cards.roi, cards.ltvCacRatio]).to.deep.equal([0, 0, 0, 0]);
      for (const metric of ["cac", "roi", "ltvCacRatio", "cpv"]) {
        expect(await on.figureText(page, "cards", metric, ".value"), metric).to.match(/^N\/D/);
      }
      noComplaints();
    });

    it("with months as lines, and as a table", async () => {
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
      noComplaints();
    });

    it("with the parts of the margin, and the missing ones", async () => {
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
      noComplaints();
    });

    it("without inventing figures: nothing before the whole history, no value where it is missing", async () => {
      await openView("overview?from=2024-11-01&to=2024-11-30");
      const payback = page.locator("[data-picture=cards] [data-metric=payback] .nd");
      expect(await payback.getAttribute("data-reason")).to.equal("nenhum mês com investimento se pagou");
      expect(await payback.innerText()).to.match(/^N\/D/);
      await page.locator(".period").getByLabel("Período").selectOption("all");
      await on.settled(page);
      expect(await on.figureText(page, "cards", "revenue", ".before")).to.equal("sem período anterior");
      expect(asked.at(-1)).to.not.include("startDate");
      noComplaints();
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

    it("with every cell of the answer, unfinished ones marked", async () => {
      await openView("cohorts?period=all");
      const { data: cohorts } = await api<{ data: Row[] }>("profitability/cohort?view=logo");
      const texts = await page
        .locator("[data-picture=map] tbody tr")
        .evaluateAll((rows) =>
          rows.map((row) => [...row.querySelectorAll(".cell")].map((cell) => cell.firstChild?.textContent)),
        );
      expect(texts).to.deep.equal(cohorts.map(shares));
      const open = await page.locator("[data-picture=map] .cell.open").count();
      expect(open, "the last of each").to.equal(cohorts.length);
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
      noComplaints();
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
      noComplaints();
    });

    it("by the values of a break, the largest first and selected", async () => {
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
      noComplaints();
    });

    it("with the step that pays each back", async () => {
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
      noComplaints();
    });

    it("without a curve where nothing was spent", async () => {
      await openView("cohorts?period=all&break=cupom");
      expect(await page.locator("[data-picture=payback]").innerText()).to.include("Sem custo de aquisição");
      noComplaints();
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
      noComplaints();
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
      noComplaints();
    });

    it("of the last year of a longer period, and says so", async () => {
      await openView("acquisition?period=all");
      expect(await page.locator(".cut").innerText()).to.include("no máximo 365 dias");
      expect(asked.at(-1)).to.include("startDate=2024-03-22").and.to.include("endDate=2025-03-21");
      noComplaints();
    });
  });

  describe("shows products", () => {
    type Product = Record<string, number | null> & { productName: string; ndReasons: Record<string, string | null> };

    it("as the service sorts and filters them, with the reason for a missing figure", async () => {
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
      expect(asked.at(-1)).to.match(/columns=grossSales/);
      noComplaints();
    });

    it("and keeps what is typed while an answer is on its way", async () => {
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
      noComplaints();
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
      noComplaints();
    });

    it("one by one, with all its blocks and the period before", async () => {
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
      noComplaints();
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
      noComplaints();
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
      noComplaints();
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
        expect(asked.at(-1)).to.include(`all=true&format=${format.toLowerCase()}`);
        if (format !== "CSV") continue;
        expect(saved.toString("utf8")).to.equal(await csv("storea/orders/items?all=true"));
        expect(download.suggestedFilename()).to.equal("storea-orders-items.csv");
      }
      noComplaints();
    });
  });

  describe("offers other ways to the data", () => {
    it("as a command without secrets, which makes the request of the chart", async () => {
      const keys = await openView(`cohorts?${PERIOD}&group=quarter`);
      await page.locator("[data-picture=map]").getByRole("button", { name: "Copiar curl" }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).to.match(
        /^curl -s -H "x-client-id: \$LUCRA_CLIENT_ID" -H "x-client-secret: \$LUCRA_CLIENT_SECRET" "http/,
      );
      for (const secret of Object.values(keys)) expect(copied).to.not.include(secret);
      const address = /"(http[^"]+)"$/.exec(copied)?.[1]?.replace("$LUCRA_ORGANIZATION", keys.organizationId) ?? "";
      expect(asked).to.include(address.replace(base, ""));
      noComplaints();
    });

    it("as CSV, and by the name of its SQL file", async () => {
      await openView(`acquisition?${PERIOD}`);
      const channels = page.locator("[data-picture=channels]");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        channels.getByRole("button", { name: "CSV" }).click(),
      ]);
      expect(await readFile(await download.path(), "utf8")).to.equal(await csv(`acquisition/channels?${DAYS}`));
      expect(await channels.locator(".source").innerText()).to.equal("sql/acquisition/channels.sql");
      noComplaints();
    });

    it("of every chart", async () => {
      await openView(`overview?${PERIOD}`);
      for (const view of ["overview", "cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        const pictures = page.locator("[data-picture]");
        const count = await pictures.count();
        expect(count, view).to.be.above(0);
        expect(await page.locator("[data-picture] [data-curl]").count(), view).to.equal(count);
        expect(await page.locator("[data-picture] .source").count(), view).to.equal(count);
      }
      noComplaints();
    });
  });

  describe("is accessible", () => {
    it("by keyboard only", async () => {
      isOrdinary = false;
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
      noComplaints();
    });

    for (const colorScheme of ["light", "dark"] as const) {
      it(`without serious findings of axe, ${colorScheme}`, async () => {
        isOrdinary = false;
        await openTab({ colorScheme });
        // The elements do not depend on the colors.
        const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
        expect(await on.barriers(page, rules), "the form").to.deep.equal([]);
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
          expect(await on.barriers(page, rules), view).to.deep.equal([]);
        }
        noComplaints();
      });
    }

    it("on a phone, without scrolling sideways", async () => {
      await openView("overview", { viewport: { width: 390, height: 844 } });
      for (const view of ["overview", "cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        expect(await on.overflow(page), view).to.equal(0);
      }
      noComplaints();
    });

    it("in English, too", async () => {
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
      noComplaints();
    });

    it("in the chosen colors, whatever the system has", async () => {
      await openView("overview", {});
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await page.getByLabel("Tema").selectOption("dark");
      expect(await ground()).to.not.equal(light);
      await page.getByLabel("Tema").selectOption("light");
      expect(await ground()).to.equal(light);
      noComplaints();
    });
  });

  describe("explains errors", () => {
    afterEach(async () => {
      await page.unrouteAll();
    });

    it("when credentials end meanwhile (401), and asks for others", async () => {
      await openView("overview");
      await page.route("**/v1/profitability/cohort*", (route) =>
        route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"Unauthorized"}' }),
      );
      await on.goTo(page, "cohorts");
      await page.getByRole("alert").getByText("As credenciais não foram aceitas").waitFor();
      expect(await page.locator("[name=clientSecret]").count()).to.equal(1);
      expect(await on.barriers(page)).to.deep.equal([]);
    });

    it("when the limit is reached (429), counts the seconds, and asks no more meanwhile", async () => {
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
      const before = asked.length;
      await on.goTo(page, "products");
      await page.locator("[data-picture=products] .countdown").waitFor();
      expect(asked.length, "requests that would be refused").to.equal(before);
      expect(await on.barriers(page)).to.deep.equal([]);
    });

    it("and continues when the wait is over", async () => {
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

    it("when the service is busy (503), and tries again at a click", async () => {
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
      expect(await on.barriers(page)).to.deep.equal([]);
      await map.getByRole("button", { name: "Tentar agora" }).click();
      await map.locator(".cell").first().waitFor();
    });

    it("when the network is gone, and recovers with it", async () => {
      await openView("overview");
      await context.setOffline(true);
      await on.goTo(page, "cohorts");
      await page.locator("[data-picture=map]").getByText("Sem conexão com o serviço.").waitFor();
      await context.setOffline(false);
      await page.locator("[data-picture=map] .cell").first().waitFor();
    });

    it("when the service fails (500), with the request's id", async () => {
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

    it("when a choice is refused (400), by its name", async () => {
      await openView(`products?${PERIOD}&minNetSales=5&maxNetSales=1`);
      const alert = page.locator("[data-picture=products]").getByRole("alert");
      expect(await alert.innerText()).to.include("minNetSales não pode ser maior que maxNetSales");
    });

    it("when there is no such product (404)", async () => {
      await openView(`products?${PERIOD}&product=nothing`);
      expect(await page.locator("[data-picture=summary]").innerText()).to.include("Isto não existe.");
    });

    it("when there is no data yet, and what to do about it", async () => {
      isOrdinary = false;
      await openTab();
      await on.signIn(page, newKeys(NEWCOMER));
      await page.getByRole("heading", { name: "Ainda não há dados" }).waitFor();
      expect(await page.innerText("main")).to.include("npm run lucra -- sync");
      expect(await on.barriers(page)).to.deep.equal([]);
      noComplaints();
    });
  });

  it("shows how many requests are left, and asks nothing twice", async () => {
    await openView("overview");
    const left = async () => Number((await page.locator(".quota [aria-hidden]").innerText()).split("/")[0]);
    expect(await left()).to.equal(LIMIT - asked.length);
    const before = asked.length;
    await on.show(page, "cohorts");
    await on.show(page, "overview");
    expect(asked.length).to.equal(before + 1);
    await page.getByRole("button", { name: "Atualizar" }).click();
    await on.settled(page);
    expect(asked.length).to.be.above(before + 1);
    noComplaints();
  });

  it("shows the same again by its address", async () => {
    await openView("cohorts?period=all");
    await page.getByRole("button", { name: "Trimestre" }).click();
    await page.getByLabel("Quebrar por").selectOption("cupom");
    await on.settled(page);
    await page.reload();
    await on.signIn(page, newKeys());
    await on.settled(page);
    expect(asked.at(-1)).to.match(/groupBy=quarter&breakBy=cupom$/);
    await page.locator(".period").getByLabel("Período").selectOption("custom");
    await page.getByLabel("De", { exact: true }).fill("2025-02-01");
    await on.settled(page);
    expect(page.url()).to.include("from=2025-02-01").and.to.include("to=2025-03-21");
    noComplaints();
  });
});
