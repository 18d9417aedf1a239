import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { Product } from "../../explorer/src/answers.ts";
import { type Neighbour, neighboursOf } from "../../explorer/src/views/product/neighbours.ts";
import { marginChanges } from "../../explorer/src/views/products/margins.ts";
import { AURORA } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors, watchForeign } from "./opened.ts";
import * as on from "./page.ts";

const PERIOD = "from=2025-01-01&to=2025-03-31&compare=previous";
const STORE = "integrationId=a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01&dateFrom=2025-01-01&dateTo=2025-03-31";
const REVENUES = "select channel, sum(revenue)::double as revenue from orders group by all order by channel";
const asked = (query: string): string => `query=${encodeURIComponent(query)}`;

type Body = Record<string, unknown>;

describe("The Explorer's products, data and SQL in a browser", () => {
  let opened: Opened;
  let page: Page;
  const foreign: string[] = [];
  const errors: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    opened = await openExplorer(executable, await landedFixtures(), AURORA);
    page = await opened.openTab({}, (tab) => {
      watchErrors(tab, (text) => errors.push(text));
      watchForeign(tab, opened.base, (address) => foreign.push(address));
    });
  });
  after(() => opened?.close());

  afterEach(() => expect({ foreign, errors: errors.splice(0) }).to.deep.equal({ foreign: [], errors: [] }));

  const api = async <T = Body>(address: string): Promise<T> => {
    const { status, body } = await opened.service.get(`/v1/${address}`);
    expect(status, address).to.equal(200);
    return body as T;
  };
  const exact = (metric: string, picture = "totals"): Promise<string | null> =>
    page.locator(`[data-picture=${picture}] [data-metric=${metric}] [data-exact]`).first().getAttribute("data-exact");

  describe("shows products", () => {
    type Listed = Record<string, number | null> & { productName: string };

    const listed = async (more: string): Promise<void> => {
      await on.settled(page);
      const { data: products } = await api<{ data: Listed[] }>(`products?${STORE}&${more}`);
      const names = await page.locator("[data-picture=products] tbody a").allInnerTexts();
      expect(names).to.deep.equal(products.map(({ productName }) => productName));
      for (const column of ["netSales", "marginTotal"]) {
        const texts = await page.locator(`[data-picture=products] tbody [data-column=${column}]`).allInnerTexts();
        expect(texts.map((text) => text.replace(/\s*:.*/s, "").trim())).to.deep.equal(
          products.map((product) => (product[column] === null ? "N/D" : on.brl(product[column] ?? Number.NaN))),
        );
      }
    };

    it("sorted and searched by the service, with the total of all of them", async () => {
      await on.show(page, `products?${PERIOD}`);
      await listed("");
      const { data: all } = await api<{ data: Listed[] }>(`products?${STORE}&pageSize=100`);
      const sum = all.reduce((total, { netUnits }) => total + (netUnits ?? 0), 0);
      expect(await exact("netUnits")).to.equal(on.plain(sum));
      expect(await page.locator("[data-picture=products] tfoot [data-column=netUnits]").innerText()).to.equal(
        on.plain(sum),
      );
      // A part of these sums is unknown, so they are.
      for (const metric of ["netSales", "marginTotal"]) {
        expect(all.some((product) => product[metric] === null)).to.equal(true);
        expect(await page.locator(`[data-picture=totals] [data-metric=${metric}] .nd`).innerText()).to.include("N/D");
      }
      expect(await page.locator("[data-picture=products] .page-bar span").first().innerText()).to.equal(
        `1–${all.length} de ${all.length}`,
      );
      await page.locator("[data-picture=products] thead").getByRole("button", { name: "Novos clientes" }).click();
      await listed("sortBy=newCustomers&sortOrder=desc");
      await page.getByLabel("Buscar pelo nome").fill("a");
      await page.getByLabel("Buscar pelo nome").press("Enter");
      await listed("sortBy=newCustomers&sortOrder=desc&search=a");
    });

    it("of a category that is picked from the bars, until the filters are cleared", async () => {
      await on.show(page, `products?${PERIOD}`);
      const { categories } = await api<{
        categories: { categoryId: string; depth: number; netSales: number | null }[];
      }>(`products/categories?${STORE}`);
      const department = categories.find(({ depth, netSales }) => depth === 0 && (netSales ?? 0) > 0);
      await page.locator(`[data-picture=categories] [data-row="${department?.categoryId}"] button`).click();
      await listed(`categoryIds=${department?.categoryId}`);
      await page.getByRole("button", { name: "Limpar filtros" }).click();
      await listed("");
    });

    it("and saves all of them, not those of the page", async () => {
      await on.show(page, `products?${PERIOD}`);
      await page.locator("[data-picture=products] .card-tools .popover-button").last().click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".popover:popover-open").getByText("Baixar CSV", { exact: true }).click(),
      ]);
      const { pagination } = await api<{ pagination: { total: number } }>(`products?${STORE}`);
      const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
      expect(lines).to.have.length(pagination.total + 1);
      expect(lines[0]).to.include(";");
    });

    it("one by one: figures, series with the comparison, and all blocks", async () => {
      await on.show(page, `products?${PERIOD}&by=week&product=501`);
      const detail = await api<Record<string, Record<string, number> & { rows: Record<string, unknown>[] }>>(
        `products/501?${STORE}`,
      );
      expect(await exact("netSales", "summary")).to.equal(on.brl(detail.summary?.netSales ?? 0));
      for (const [step, n] of ["views", "addToCarts", "checkouts", "purchases"].entries()) {
        const text = await page.locator(`[data-picture=funnel] [data-row=${n}] .bar-list-value`).innerText();
        expect(text.startsWith(on.whole(detail.funnel?.[n] ?? 0)), `${step} ${n}: ${text}`).to.equal(true);
      }
      for (const name of ["boughtTogether", "boughtAfter", "acquisitionChannels"]) {
        const all = (detail[name]?.rows ?? []) as unknown as Neighbour[];
        const rows = (name === "acquisitionChannels" ? all : neighboursOf(all)).length;
        expect(await page.locator(`[data-picture=${name}] [data-row]`).count(), name).to.equal(rows);
      }
      await page.locator("[data-picture=series]").getByRole("button", { name: "Tabela" }).click();
      const series = await api<{ data: { netSales: number }[]; previous: { state: string; data: unknown[] } }>(
        `products/501/series?${STORE}&granularity=week`,
      );
      // The data begin with the period: a 0 of the days before means nothing.
      expect(series.previous).to.include({ state: "no_base" });
      expect((await on.tableTexts(page, "series")).map((row) => row.slice(1))).to.deep.equal(
        series.data.map(({ netSales }) => [on.brl(netSales), "N/D: antes do primeiro dia dos dados"]),
      );
      await page.locator("[data-picture=summary] [data-metric=netSales] .figure-explain").click();
      await page.locator("dialog[open], .drawer").first().waitFor();
      await page.goBack();
    });
  });

  it("shows whose margin changed, the costliest fall first", async () => {
    await on.show(page, "products?from=2025-02-10&to=2025-02-28&compare=previous&list=margins");
    const [now = [], before = []] = await Promise.all(
      ["2025-02-10&dateTo=2025-02-28", "2025-01-22&dateTo=2025-02-09"].map(async (days) => {
        const path = `products?${STORE.replace(/&dateFrom.*/, "")}&dateFrom=${days}&all=true`;
        return (await api<{ data: Product[] }>(path)).data;
      }),
    );
    const expected = marginChanges(now, before);
    await page.locator("[data-picture=products] :is(tbody tr, .empty-small)").first().waitFor();
    const names = await page.locator("[data-picture=products] tbody a").allInnerTexts();
    expect(names).to.deep.equal(expected.map(({ productName }) => productName));
  });

  describe("shows the data", () => {
    it("with what the figures lack, and what to do about each", async () => {
      await on.show(page, `data?${PERIOD}`);
      const gaps = page.locator("[data-picture=findings] [data-gap]");
      const names = await gaps.evaluateAll((all) => all.map((one) => one.getAttribute("data-gap")));
      const texts = await gaps.evaluateAll((all) => all.map((one) => [one.getAttribute("data-gap"), one.textContent]));
      for (const [name, text] of texts) expect(text?.startsWith("No período:"), name ?? "").to.equal(name !== "stale");
      await on.show(page, `overview?${PERIOD}`);
      await page.locator("[data-actions]:not([data-actions=loading])").waitFor();
      await page.locator(".actions-all").click();
      const said = await page
        .locator(".actions .is-gap")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-advice")));
      expect(names).to.have.length.above(1).and.to.have.members(said);
    });

    it("with every finding, and every integration", async () => {
      await on.show(page, "data");
      const report = await api<{
        findings: { kind: string }[];
        integrations: { name: string; records: { rows: number }[] }[];
      }>("data-quality");
      const kinds = await page
        .locator("[data-finding]")
        .evaluateAll((items) => items.map((item) => item.getAttribute("data-finding")));
      expect(kinds).to.have.members(report.findings.map(({ kind }) => kind));
      const rows = await page
        .locator("[data-picture=integrations] > .card-body > section tbody [data-column=rows]")
        .allInnerTexts();
      expect(rows).to.deep.equal(
        report.integrations.map(({ records }) => on.whole(records.reduce((sum, record) => sum + record.rows, 0))),
      );
    });

    it("with the way from what landed to the sales of products", async () => {
      await on.show(page, `data?${PERIOD}`);
      const { stores } = await api<{ stores: Record<string, number>[] }>(
        "profitability/reconciliation?startDate=2025-01-01&endDate=2025-03-31",
      );
      await page.locator("[data-picture=reconciliation-0]").getByRole("button", { name: "Tabela" }).click();
      const amounts = Object.fromEntries(await on.tableTexts(page, "reconciliation-0"));
      expect(amounts["Pedidos recebidos"]).to.equal(on.brl(stores[0]?.landedValue ?? Number.NaN));
      expect(amounts.Receita).to.equal(on.brl(stores[0]?.revenue ?? Number.NaN));
      expect(amounts["Vendas líquidas de produtos"]).to.equal(on.brl(stores[0]?.netSales ?? Number.NaN));
    });

    it("row by row, sorted by the service, with the columns that have values first", async () => {
      await on.show(page, "data?tab=rows&table=/v1/socialads/ads/campaigns");
      await page.locator("[data-picture=rows] thead button", { hasText: /^spend$/ }).click();
      await on.settled(page);
      const { data: rows } = await api<{ data: { spend: number }[] }>(
        "socialads/ads/campaigns?orderBy=spend&orderDirection=DESC&limit=50",
      );
      expect(await page.locator("[data-picture=rows] [data-column=spend]").allInnerTexts()).to.deep.equal(
        rows.map(({ spend }) => on.plain(spend)),
      );
      const empty = await page.evaluate(() => {
        const body = [...document.querySelectorAll("[data-picture=rows] tbody tr")];
        const columns = body[0]?.children.length ?? 0;
        return [...Array(columns).keys()].filter((n) => body.every((row) => row.children[n]?.querySelector(".nd")));
      });
      expect(empty).to.deep.equal([]);
    });

    it("row by row, without a filter by e-mail for a key, which only reads", async () => {
      await on.show(page, "data?tab=rows&table=/v1/crm/contacts");
      await page.getByRole("button", { name: "Filtros", exact: true }).click();
      await page.getByRole("button", { name: "Aplicar", exact: true }).waitFor();
      expect(await page.locator(".popover:popover-open [name=email]").count()).to.equal(0);
    });
  });

  describe("runs the user's own query", () => {
    it("with Ctrl+Enter, into a table with the rows of the service and the address", async () => {
      await on.show(page, "sql");
      await page.getByLabel("Texto da consulta").fill(REVENUES);
      await page.getByLabel("Texto da consulta").press("Control+Enter");
      await page.locator("[data-picture=result] tbody tr").first().waitFor();
      const { rows } = await api<{ rows: [string, number][] }>(`sql?${asked(REVENUES)}`);
      const shown = await on.tableTexts(page, "result");
      expect(shown).to.deep.equal(rows.map(([channel, revenue]) => [channel, on.whole(revenue)]));
      expect(new URL(page.url()).hash).to.include("query=");
    });

    it("of a link only after a click", async () => {
      const sent: string[] = [];
      const note = (request: { url(): string }): unknown =>
        request.url().includes("/v1/sql?") && sent.push(request.url());
      page.on("request", note);
      const counting = "select count(*) as of_a_link from orders";
      await on.goTo(page, `sql?${asked(counting)}`);
      await page.locator(".empty-small").getByText("ainda não rodou").waitFor();
      expect(await page.getByLabel("Texto da consulta").inputValue()).to.equal(counting);
      expect(sent.filter((address) => address.includes("of_a_link"))).to.deep.equal([]);
      await page.getByRole("button", { name: "Executar" }).click();
      await page.locator("[data-picture=result] tbody tr").first().waitFor();
      expect(sent.filter((address) => address.includes("of_a_link"))).to.have.length(1);
      page.off("request", note);
    });

    it("as a chart, over the columns that the user chooses", async () => {
      await on.show(page, `sql?${asked(REVENUES)}&show=chart`);
      expect(await page.getByLabel("Eixo Y").inputValue()).to.equal("revenue");
      expect(await page.locator("[data-picture=result] .chart-svg rect.bar").count()).to.be.above(0);
    });

    it("and shows the engine's message where a query is wrong", async () => {
      await on.show(page, `sql?${asked("select nothing_such from orders")}`);
      await page.getByRole("button", { name: "Executar" }).click();
      await page.locator(".sql-failure").waitFor();
      expect(await page.locator(".sql-failure").innerText()).to.include("nothing_such");
      // The browser reports the refused request itself.
      errors.splice(0);
    });

    it("with the tables beside it, whose names a click inserts", async () => {
      await on.show(page, "sql");
      await page.locator("[data-table=orders] summary").click();
      await page.locator("[data-table=orders]").getByRole("button", { name: "Inserir revenue na consulta" }).click();
      expect(await page.getByLabel("Texto da consulta").inputValue()).to.include("revenue");
    });

    it("in an editor that the keyboard can leave", async () => {
      await on.show(page, "sql");
      const editor = page.getByLabel("Texto da consulta");
      await editor.fill("");
      await editor.press("Tab");
      expect(await editor.inputValue()).to.equal("  ");
      await editor.press("Escape");
      await editor.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.tagName)).to.not.equal("TEXTAREA");
    });
  });

  it("opens the data without a shift of what is shown, on a phone and a laptop", async () => {
    const tab = await page.context().newPage();
    await tab.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    // The verdict arrives after the page has been painted.
    await tab.route("**/v1/data-quality**", async (request) => {
      await sleep(500);
      await request.continue();
    });
    for (const width of [390, 1280]) {
      await tab.setViewportSize({ width, height: 850 });
      await tab.goto(page.url().replace(/#.*/, `?${width}#/data`));
      await on.settled(tab);
      const moved = await tab.evaluate(() =>
        (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
      );
      expect(moved, `${width}`).to.be.below(0.05);
    }
    await tab.close();
  });

  for (const width of [360, 390, 768, 1280, 1920]) {
    it(`is ${width} pixels wide without scrolling sideways, and has no serious finding of axe`, async () => {
      await page.setViewportSize({ width, height: 900 });
      const views = ["products", `products?${PERIOD}&product=501`, "data", "data?tab=rows", `sql?${asked(REVENUES)}`];
      for (const view of views) {
        await on.show(page, view);
        expect(await on.overflow(page), view).to.equal(0);
        // A card that has just received its answer is still fading in.
        await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
        if (width === 390 || width === 1280) expect(await on.axeFindings(page), view).to.deep.equal([]);
      }
    });
  }
});
