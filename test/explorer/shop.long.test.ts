import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { generate, NOW, type Shop } from "../../bench/shop/shop.ts";
import type {
  Cohorts,
  Contribution,
  Contributions,
  Forecast,
  NewByChannel,
  Paybacks,
  Source,
  Summary,
} from "../../explorer/src/answers.ts";
import { confidenceOf } from "../../explorer/src/confidence.ts";
import { averageOf } from "../../explorer/src/views/customers/curves.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { isLoss, lossOf, resultOf } from "../../src/features/actions/loss.ts";
import { DataFolder } from "../support/data.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

/** Three years of orders: the fixtures have too few cohorts, campaigns and customers to show what a shop shows. */
const SHOP: Shop = { organizationId: "be9c0000-0000-4000-8000-000000004000", orders: 4000, products: 40, seed: 7 };

const YEAR = "startDate=2024-01-01&endDate=2024-12-30";
const MAY = "startDate=2024-05-01&endDate=2024-05-31";
const MAY_SHOWN = "from=2024-05-01&to=2024-05-31&compare=weekdays";
/** The same weekdays a year before. */
const MAY_BEFORE = "startDate=2023-05-03&endDate=2023-06-02";

interface List<Row> {
  readonly data: readonly Row[];
}

describe("The Explorer of a shop with three years of orders", function () {
  this.timeout(300_000);
  let opened: Opened;
  let page: Page;
  let errors: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) {
      console.log("      The Explorer is not tested in a browser: the PATH has no chromium or google-chrome.");
      this.skip();
    }
    const data = await DataFolder.empty({ LUCRA_NOW: NOW });
    await generate(data.path, SHOP);
    const report = await data.sync();
    if (failed(report)) throw new Error(`the shop did not land whole: ${JSON.stringify(report)}`);
    opened = await openExplorer(executable, data, SHOP.organizationId);
    await openTab();
  });
  after(() => opened?.close());

  afterEach(() => {
    const seen = errors;
    errors = [];
    expect(seen, "the browser's console").to.deep.equal([]);
  });

  async function openTab(options: BrowserContextOptions = {}): Promise<void> {
    await page?.context().close();
    page = await opened.openTab(options, (tab) => watchErrors(tab, (text) => errors.push(text)));
  }

  const api = async <T>(address: string): Promise<T> => {
    const { status, body } = await opened.service.get(`/v1/${address}`, SHOP.organizationId);
    expect(status, address).to.equal(200);
    return body as T;
  };
  const rowsOf = async <Row>(address: string): Promise<readonly Row[]> => (await api<List<Row>>(address)).data;

  const exact = (picture: string, metric: string): Promise<string> =>
    page
      .locator(`${picture} [data-metric=${metric}] .figure-value`)
      .first()
      .locator("[data-exact], .nd")
      .getAttribute("data-exact")
      .then((text) => text ?? "N/D");
  const times = (value: number): string =>
    `${new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)}×`;
  const months = (value: number): string => `${on.plain(value)} ${value === 1 ? "mês" : "meses"}`;
  const FORMS: Readonly<Record<string, (value: number) => string>> = {
    investment: on.brl,
    revenue: on.brl,
    newCustomersRevenue: on.brl,
    cac: on.brl,
    ltv: on.brl,
    orders: on.whole,
    newCustomers: on.whole,
    roi: on.percent,
    ltvCacRatio: times,
    paybackMonths: months,
    acquisitionNewCustomers: on.whole,
    acquisitionInvestment: on.brl,
    acquisitionAvgLtv: on.brl,
    acquisitionLtvCacRatio: times,
    acquisitionRoi: on.percent,
  };
  const formed = (name: string, value: unknown): string =>
    typeof value === "number" ? (FORMS[name]?.(value) ?? String(value)) : "N/D";

  /** The cells of a table by column, without the changes below the values. */
  const cellsOf = (picture: string): Promise<Record<string, string>[]> =>
    page.locator(`[data-picture=${picture}] tbody tr`).evaluateAll((rows) =>
      rows.map((row) => ({
        name: row.querySelector("th")?.textContent?.trim() ?? "",
        ...Object.fromEntries(
          [...row.querySelectorAll<HTMLElement>("td[data-column]")].map((cell) => {
            const copy = cell.cloneNode(true) as HTMLElement;
            for (const extra of copy.querySelectorAll("small, .cell-bar, .unseen")) extra.remove();
            return [cell.dataset.column, copy.textContent?.trim()];
          }),
        ),
      })),
    );

  const COLUMNS = [
    "investment",
    "roi",
    "newCustomers",
    "cac",
    "ltv",
    "ltvCacRatio",
    "paybackMonths",
    "revenue",
    "orders",
  ];
  const expected = (row: Source, name: string) => ({
    name,
    ...Object.fromEntries(COLUMNS.map((key) => [key, formed(key, row[key as keyof Source])])),
  });
  const totals = (picture: string): Promise<string[]> =>
    page.locator(`[data-picture=${picture}] tfoot td`).allInnerTexts();

  describe("on the page of products", () => {
    interface Stocked {
      readonly productName: string;
      readonly availableStock: number | null;
      readonly velocity30d: number | null;
      readonly daysOfStock: number | null;
    }

    it("answers what to reorder: what ends first, and the units for the chosen days", async () => {
      await page.clock.setFixedTime(new Date(NOW));
      await page.reload();
      await on.settled(page);
      await on.show(page, "products?list=restock&cover=45&lead=15&buy=all");
      const { data: stores } = await api<List<{ sourceIntegrationId: string }>>("products/integrations");
      const rows = await rowsOf<Stocked>(
        `products?integrationId=${stores[0]?.sourceIntegrationId}&dateFrom=2024-12-01&dateTo=2024-12-30&sortBy=daysOfStock&sortOrder=asc&pageSize=25`,
      );
      expect(rows.some(({ daysOfStock }) => daysOfStock !== null)).to.equal(true);
      const shown = await page
        .locator("[data-picture=products] tbody tr")
        .evaluateAll((all) =>
          all.map((row) => [
            row.querySelector("a")?.textContent,
            (row.querySelector("[data-column=suggestedOrder]")?.textContent ?? "").replace(/:.*/s, "").trim(),
          ]),
        );
      expect(shown).to.deep.equal(
        rows.map(({ productName, availableStock, velocity30d, daysOfStock }) => [
          productName,
          daysOfStock === null
            ? "N/D"
            : on.whole(Math.max(0, Math.ceil((velocity30d ?? 0) * 60 - (availableStock ?? 0) - 0.005))),
        ]),
      );
      await page
        .locator("[data-picture=products]")
        .getByRole("button", { name: /Mais opções/ })
        .click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".popover:popover-open").getByText("Baixar CSV").click(),
      ]);
      expect(file.suggestedFilename()).to.equal("loja-de-4000-pedidos_reposicao_2024-12-01_2024-12-30.csv");
      const [head = "", ...lines] = (await readFile(await file.path(), "utf8"))
        .replace("\ufeff", "")
        .trimEnd()
        .split("\r\n");
      const at = head.split(";").indexOf("Sugestão de compra");
      expect(at, head).to.be.above(0);
      const suggested = lines.map((line) => line.split(";")).map((cells) => [cells[1], cells[at] || "N/D"]);
      expect(suggested.length, "the whole list, not a page").to.be.above(rows.length);
      expect(
        suggested.slice(0, rows.length).map(([name, units]) => [name, units?.replace(/\D/g, "") || "N/D"]),
      ).to.deep.equal(shown.map(([name, units]) => [name, units?.replace(/\D/g, "") || "N/D"]));
    });

    it("has bars of one scale on all pages", async () => {
      await on.show(page, "products?page=2");
      const { data: stores } = await api<List<{ sourceIntegrationId: string }>>("products/integrations");
      const asked = `products?integrationId=${stores[0]?.sourceIntegrationId}&dateFrom=2024-12-01&dateTo=2024-12-30&columns=netSales`;
      const [first] = await rowsOf<{ netSales: number }>(`${asked}&pageSize=1`);
      const [second] = await rowsOf<{ netSales: number }>(`${asked}&pageSize=25&page=2`);
      const share = (100 * (second?.netSales ?? 0)) / (first?.netSales ?? 1);
      const bar = page.locator("[data-picture=products] [data-column=netSales] .cell-bar span").first();
      await bar.waitFor({ state: "attached" });
      await page.waitForFunction((width) => {
        const found = document.querySelector<HTMLElement>("[data-column=netSales] .cell-bar span");
        return Math.abs(Number.parseFloat(found?.style.width ?? "") - width) < 0.1;
      }, share);
    });

    it("selects what to buy, with its cost", async () => {
      await on.show(page, "products?list=restock&cover=60");
      const units = await page.locator("[data-picture=products] [data-column=suggestedOrder]").allInnerTexts();
      expect(units).to.have.length.above(0);
      for (const text of units) expect(Number.parseInt(text, 10)).to.be.above(0);
      const sentence = await page.locator("[data-part=orderTotals]").innerText();
      expect(sentence).to.match(/^\d+ produtos? a comprar, por R\$/);
    });
  });

  describe("on the page of acquisition", () => {
    it("shows the figures of the period, and those of the compared one", async () => {
      await on.show(page, `acquisition?${MAY_SHOWN}`);
      const summary = await api<Summary>(`acquisition/summary?${MAY}&compare=weekdays`);
      const before = await api<Summary>(`acquisition/summary?${MAY_BEFORE}`);
      expect(summary.previousPeriod).to.deep.equal({ startDate: "2023-05-03", endDate: "2023-06-02" });
      for (const name of [
        "newCustomers",
        "cac",
        "acquisitionLtvCacRatio",
        "acquisitionRoi",
        "paybackMonths",
        "acquisitionAvgLtv",
        "acquisitionNewCustomers",
        "acquisitionInvestment",
        "investment",
      ] as const) {
        expect(await exact("[data-picture=summary]", name), name).to.equal(formed(name, summary[name].value));
      }
      const cac = page.locator("[data-picture=summary] [data-metric=cac]");
      expect(await cac.innerText(), "no other figure of the page is called so").to.include(
        "CAC das campanhas de aquisição",
      );
      expect(await cac.locator(".before").innerText()).to.include(on.share((summary.cac.changePct ?? 0) / 100));
      expect(await cac.locator(".before [title]").getAttribute("title")).to.equal(on.brl(before.cac.value ?? 0));
      const ltv = page.locator("[data-picture=summary] [data-metric=acquisitionAvgLtv] .before");
      expect(await ltv.innerText(), "older customers had more time: no change").to.not.match(/%|antes/);
    });

    it("shows each channel with all figures, and exact totals", async () => {
      const channels = await rowsOf<Source>(`acquisition/channels?${MAY}`);
      const names = {
        searchads: "Busca paga",
        socialads: "Social pago",
        organic_search: "Busca orgânica",
        direct: "Direto",
        email: "E-mail",
      };
      const shown = await cellsOf("channels");
      expect(shown).to.have.deep.members(
        channels.map((row) => expected(row, names[row.channel as keyof typeof names] ?? "")),
      );
      const cards = await api<Record<string, number>>(`profitability/cards?${MAY}`);
      const [investment, , customers, cac] = await totals("channels");
      expect([investment, customers]).to.deep.equal([on.brl(cards.investment ?? 0), on.whole(cards.newCustomers ?? 0)]);
      expect(cac, "that of all customers is another figure").to.equal("");
      for (const row of channels.filter(({ roi }) => roi !== null)) {
        const cell = page.locator("[data-picture=channels] tbody tr", {
          hasText: names[row.channel as keyof typeof names],
        });
        // Of new customers only: whether it lost money is said once, in the card of results.
        expect(await cell.locator("[data-column=roi]").getAttribute("class")).to.not.match(/bad|good/);
      }
    });

    it("shows the new customers of each day by channel, and their sums by week", async () => {
      const points = await rowsOf<NewByChannel>(`acquisition/new-customers?${MAY}`);
      const card = page.locator("[data-picture=newCustomers]");
      await card.getByRole("button", { name: "Tabela" }).click();
      const days = await on.tableTexts(page, "newCustomers");
      expect(days.map((row) => Number(row[1]))).to.deep.equal(points.map(({ newCustomers }) => newCustomers));
      await card.getByRole("button", { name: "Semana", exact: true }).click();
      const weeks = (await on.tableTexts(page, "newCustomers")).map((row) => Number(row[1]));
      const total = points.reduce((sum, { newCustomers }) => sum + newCustomers, 0);
      expect(weeks).to.have.length(5);
      expect(weeks.reduce((sum, value) => sum + value, 0)).to.equal(total);
      expect(page.url()).to.include("by=week");
      await page.goBack();
      expect(page.url()).to.not.include("by=");
      await card.getByRole("button", { name: "Gráfico" }).click();
    });

    it("answers which campaign lost money in May, and what is behind it; back undoes each step", async () => {
      const all = await rowsOf<Source>(`acquisition/campaigns?${MAY}`);
      await on.show(page, `acquisition?${MAY_SHOWN}`);
      const { data: results, total } = await api<Contributions>(`acquisition/contribution?${MAY}`);
      const lost = results
        .filter((row) => row.breakKey !== null && isLoss(row, total.investment))
        .toSorted((a, b) => lossOf(b) - lossOf(a));
      expect(lost, "the shop has such campaigns").to.have.length.above(1);
      await page.locator("[data-picture=results]").getByRole("button", { name: "Perderam dinheiro" }).click();
      expect(page.url()).to.include("result=loss");
      const card = page.locator("[data-picture=results]");
      expect(await card.locator("h2").innerText()).to.equal("Campanhas que perderam dinheiro");
      const shown = await cellsOf("results");
      expect(shown.map((row) => row.result)).to.deep.equal(lost.map((row) => on.brl(resultOf(row) ?? Number.NaN)));
      const largest = lost.reduce((sum, row) => sum + lossOf(row), 0);
      expect(await card.locator(".sentence").innerText()).to.include(on.brl(largest));
      await card.locator("tbody th button").first().click();
      const drawer = page.locator(".drawer");
      await drawer.locator(".banner").first().waitFor();
      const verdict = await drawer.locator(".banner").first().innerText();
      expect(verdict).to.include(`Perdeu ${on.brl(lossOf(lost[0] as Contribution))}`);
      await page.goBack();
      // Of the others the drawer says that they earned, with the same amount as the table.
      await card.getByRole("button", { name: "Todos", exact: true }).click();
      const sorted = results.toSorted(
        (a, b) => (resultOf(a) ?? Number.POSITIVE_INFINITY) - (resultOf(b) ?? Number.POSITIVE_INFINITY),
      );
      const place = sorted.findIndex((one) => one.orders > 1 && one.connector !== null && (resultOf(one) ?? 0) > 0);
      const chosen = sorted[place] as Contribution;
      const worst = all.find(
        ({ campaignId, connector }) => campaignId === chosen.breakKey && connector === chosen.connector,
      );
      await card.locator("tbody th button").nth(place).click();
      await drawer.locator("[data-part=orders] tbody tr").first().waitFor();
      expect(await drawer.locator(".banner").first().innerText()).to.include(on.brl(resultOf(chosen) ?? Number.NaN));
      for (const name of COLUMNS) {
        expect(await exact(".drawer", name), name).to.equal(formed(name, worst?.[name as keyof Source]));
      }
      await drawer.getByRole("button", { name: "Todos", exact: true }).click();
      await page.waitForFunction(() => document.querySelectorAll(".drawer [data-part=orders] tbody tr").length > 0);
      const orders = await rowsOf<{ orderId: string; revenue: number }>(
        `profitability/orders?${MAY}&campaignId=${worst?.campaignId}`,
      );
      expect(orders).to.have.length(worst?.orders ?? 0);
      const listed = await drawer.locator("[data-part=orders] tbody th").allInnerTexts();
      expect(listed).to.deep.equal(orders.slice(0, 10).map(({ orderId }) => orderId));

      await drawer.locator("[data-metric=investment] button").first().click();
      const explanation = page.locator(".drawer", { has: page.locator(".explanation") });
      await explanation.locator(".explanation-value").waitFor();
      expect(await explanation.locator(".explanation-value").innerText()).to.equal(on.brl(worst?.investment ?? 0));
      await page.goBack();
      await page.locator(".explanation").waitFor({ state: "detached" });
      await page.reload();
      await page.locator(".drawer [data-part=orders] tbody tr").first().waitFor();
      expect(await page.locator(".drawer h2").first().innerText(), "the address has it").to.equal(worst?.campaignName);
      await page.goBack();
      await page.goBack();
      await page.locator(".drawer").waitFor({ state: "detached" });
      expect(page.url()).to.not.include("campaign=");
    });

    it("shows what each campaign earned or lost, the largest loss first, and the products behind it", async () => {
      await on.show(page, `acquisition?${MAY_SHOWN}`);
      const { data } = await api<Contributions>(`acquisition/contribution?${MAY}`);
      const results = data.toSorted(
        (a, b) => (resultOf(a) ?? Number.POSITIVE_INFINITY) - (resultOf(b) ?? Number.POSITIVE_INFINITY),
      );
      const written = (value: unknown): string => (typeof value === "number" ? on.brl(value) : "N/D");
      const shown = await cellsOf("results");
      expect(shown.map((row) => row.result)).to.deep.equal(results.slice(0, 25).map((row) => written(resultOf(row))));
      for (const name of ["costOfGoods", "variableCosts", "revenue"] as const) {
        expect(
          shown.map((row) => row[name]),
          name,
        ).to.deep.equal(results.slice(0, 25).map((row) => written(row[name])));
      }
      const before = (await cellsOf("results")).map((row) => Object.keys(row));
      // Campaigns that spent for nothing have no products.
      const place = results.findIndex(({ orders, connector }) => Number(orders) > 0 && connector !== null);
      const worst = results[place];
      await page.locator("[data-picture=results] tbody th button").nth(place).click();
      const products = page.locator(".drawer [data-part=products] tbody tr");
      await products.first().waitFor();
      const behind = await rowsOf<Record<string, string | number | null>>(
        `acquisition/products?${MAY}&campaignId=${worst?.breakKey}&connector=${worst?.connector}&sortBy=marginAfterAds&sortOrder=asc&limit=10`,
      );
      expect(behind).to.have.length.above(0);
      const cells = await products.locator("[data-column=marginAfterAds]").allInnerTexts();
      expect(cells.map((text) => text.trim())).to.deep.equal(behind.map((row) => written(row.marginAfterAds)));
      await page.reload();
      await products.first().waitFor();
      await on.show(page, `acquisition?${MAY_SHOWN}&results=channels`);
      const { data: channels } = await api<Contributions>(`acquisition/contribution?${MAY}&breakBy=origem`);
      const ofChannels = await cellsOf("results");
      const sorted = channels.toSorted(
        (a, b) => (resultOf(a) ?? Number.POSITIVE_INFINITY) - (resultOf(b) ?? Number.POSITIVE_INFINITY),
      );
      expect(ofChannels.map((row) => row.result)).to.deep.equal(sorted.map((row) => written(resultOf(row))));
      expect(Object.keys(ofChannels[0] ?? {}), "the same columns, whatever is known").to.deep.equal(before[0]);
    });

    it("finds campaigns by name and goal, and says what is outside of the acquisition figures", async () => {
      await on.show(page, `acquisition?${MAY_SHOWN}`);
      const all = await rowsOf<Source>(`acquisition/campaigns?${MAY}`);
      const card = page.locator("[data-picture=campaigns]");
      const without = all.filter(
        ({ strategy, campaignId, investment }) => !strategy && campaignId && (investment ?? 0) > 0,
      );
      const cents = without.reduce((sum, { investment }) => sum + Math.round((investment ?? 0) * 100), 0);
      expect(await card.locator(".banner").first().innerText())
        .to.include(`${without.length} campanhas`)
        .and.to.include(on.brl(cents / 100));
      await card.getByRole("link", { name: "Ver quais" }).first().click();
      expect((await cellsOf("campaigns")).map(({ name }) => name)).to.have.members(
        all.filter(({ strategy, campaignId }) => !strategy && campaignId).map(({ campaignName }) => campaignName),
      );
      await card.getByRole("combobox", { name: "Objetivo" }).selectOption("acquisition");
      await card.getByLabel("Buscar campanha").fill("busca 1");
      await card.getByLabel("Buscar campanha").press("Enter");
      expect((await cellsOf("campaigns")).map(({ name }) => name)).to.have.members(
        all
          .filter(({ strategy, campaignName }) => strategy === "acquisition" && /busca 1/i.test(campaignName ?? ""))
          .map(({ campaignName }) => campaignName),
      );
    });

    it("has no percentage against a period that the data cover only in part", async () => {
      await on.show(page, "acquisition?from=2022-01-05&to=2022-02-10&compare=previous");
      expect(await page.locator("[data-picture=summary] [data-metric=newCustomers] .before").innerText()).to.equal(
        "período anterior incompleto (4 de 37 dias)",
      );
      expect(await page.locator("[data-picture=channels] .cell-change").count()).to.equal(0);
      expect(await page.locator("[data-picture=channels] .note").innerText()).to.include("4 de 37 dias");
    });
  });

  describe("on the page of customers", () => {
    const cells = (): Promise<string[][]> =>
      page
        .locator("[data-picture=map] tbody tr:not(.average)")
        .evaluateAll((rows) =>
          rows.map((row) =>
            [...row.querySelectorAll(".cell-button")].map((cell) => cell.firstChild?.textContent ?? ""),
          ),
        );
    const averages = (): Promise<string[]> => page.locator("[data-picture=map] .average .cell").allInnerTexts();

    it("shows every cohort of twelve months, unless the address names a period, and their weighted average", async () => {
      await on.show(page, "customers");
      const { data: cohorts } = await api<Cohorts>(`profitability/cohort?${YEAR}&view=logo`);
      const later = cohorts.map(({ months: steps }) => Object.entries(steps).filter(([n]) => n !== "0"));
      expect(cohorts).to.have.length(12);
      expect(await cells()).to.deep.equal(later.map((steps) => steps.map(([, { pct }]) => on.percent(pct ?? 0))));
      expect(await page.locator("[data-picture=map] .cell.open").count(), "one step in progress per cohort").to.equal(
        11,
      );
      const complete = Array.from({ length: 10 }, (_, n) => {
        // The last cohort that completed step n + 1 began so many months before the last one.
        const rows = cohorts.slice(0, 12 - (n + 2));
        const part = rows.reduce((sum, { months: steps }) => sum + (steps[String(n + 1)]?.absolute ?? 0), 0);
        return on.percent(part / rows.reduce((sum, { initialValue }) => sum + initialValue, 0));
      });
      expect((await averages()).filter(Boolean)).to.deep.equal(complete);
    });

    it("explains the cell that is clicked: its value, the orders behind it, the SQL; back closes it", async () => {
      const { data: cohorts } = await api<Cohorts>(`profitability/cohort?${YEAR}&view=logo`);
      // A cell in which somebody bought.
      const [march] = cohorts.filter(({ cohortMonth }) => cohortMonth === "2024-03-01");
      const [n = "", cell] =
        Object.entries(march?.months ?? {}).find(([at, { absolute }]) => at !== "0" && absolute > 1) ?? [];
      await page.locator(`[data-row='2024-03-01'] [data-step='${n}'] button`).click();
      const drawer = page.locator(".drawer");
      await drawer.locator(".explanation-value").waitFor();
      expect(await drawer.locator(".explanation-value").innerText()).to.equal(on.whole(cell?.absolute ?? 0));
      expect(await drawer.locator("summary").first().innerText()).to.include("cohort");
      await drawer.locator("tbody tr").first().waitFor();
      const [from, to] = [0, 1].map((later) => new Date(Date.UTC(2024, 2 + Number(n) + later, 1 - later)));
      const days = `startDate=${from?.toISOString().slice(0, 10)}&endDate=${to?.toISOString().slice(0, 10)}`;
      const orders = await rowsOf<{ orderId: string; customerId: string }>(
        `profitability/orders?${days}&acquiredStart=2024-03-01&acquiredEnd=2024-03-31`,
      );
      expect(new Set(orders.map(({ customerId }) => customerId)).size).to.equal(cell?.absolute);
      const shown = await drawer.locator("tbody th").allInnerTexts();
      expect(orders.map(({ orderId }) => orderId)).to.include.members(shown);
      await page.goBack();
      await drawer.waitFor({ state: "detached" });
    });

    it("shows the margin of each step as values, and by quarter", async () => {
      await on.show(page, "customers?count=revenue&show=absolute&group=quarter");
      const { data: cohorts } = await api<Cohorts>(`profitability/cohort?${YEAR}&view=revenue&groupBy=quarter`);
      const sizes = await page.locator("[data-picture=map] tbody .size").allInnerTexts();
      expect(sizes).to.have.length(cohorts.length);
      await page.locator("[data-row='2024-01-01'] [data-step='1'] button").hover();
      const tip = await page.locator(".heat .chart-tip").innerText();
      expect(tip).to.include(on.brl(cohorts[0]?.months["1"]?.absolute ?? 0));
      expect(tip).to.include(on.whole(cohorts[0]?.months["1"]?.complementary ?? 0));
    });

    it("shows the cumulated value per customer, with an average that does not fall", async () => {
      await on.show(page, "customers?count=cumulative");
      const { data: rows } = await api<Paybacks>(`profitability/payback?${YEAR}`);
      const average = averageOf(rows);
      const rounded = (value: number): number => Math.round(value);
      const numbers = (texts: readonly string[]): number[] =>
        texts.filter(Boolean).map((text) => Math.round(Number(text.replace(/[^\d,]/g, "").replace(",", "."))));
      expect((await cells()).map(numbers)).to.deep.equal(
        rows.map(({ points }) => points.map(({ perCustomer }) => rounded(perCustomer))),
      );
      expect(numbers(await averages())).to.deep.equal(average.map(({ perCustomer }) => rounded(perCustomer)));
      for (const [n, { perCustomer }] of average.entries())
        expect(perCustomer).to.be.at.least(average[n - 1]?.perCustomer ?? 0);
    });

    it("says in which month each cohort pays back, and draws one with its interval", async () => {
      await on.show(page, "customers");
      const { data: rows } = await api<Paybacks>(`profitability/payback?${YEAR}`);
      await page.locator("[data-picture=payback] .paid summary").click();
      const sentences = await page.locator("[data-picture=payback] .paid li").allInnerTexts();
      const monthsIn = (text: string): number =>
        text.includes("no mesmo mês") ? 0 : Number(/em (\d+) m/.exec(text)?.[1] ?? -1);
      expect(sentences.map(monthsIn)).to.deep.equal(rows.map(({ paybackMonths }) => paybackMonths ?? -1));
      await page.locator("[data-picture=payback] .paid button").first().click();
      expect(page.url()).to.include("cohort=2024-01-01");
      expect(await page.locator("[data-picture=payback] .level").textContent()).to.include(on.brl(rows[0]?.cac ?? 0));
      expect(await page.locator("[data-picture=payback] .band").count()).to.equal(1);
      await page.locator("[data-picture=payback]").getByRole("button", { name: "Tabela" }).click();
      const texts = await on.tableTexts(page, "payback");
      expect(texts.map(([, customers, investment, cac]) => [customers, investment, cac])).to.deep.equal(
        rows.map(({ customers, investment, cac }) => [on.whole(customers), on.brl(investment ?? 0), on.brl(cac ?? 0)]),
      );
      await page.goBack();
    });

    it("shows what a breakdown's value did, and the largest without a choice", async () => {
      await on.show(page, "customers?break=origem");
      const { data: cohorts } = await api<Cohorts>(`profitability/cohort?${YEAR}&view=logo&breakBy=origem`);
      const counted = new Map<string, number>();
      for (const { breakKey, firstPurchaseCustomers } of cohorts) {
        counted.set(String(breakKey), (counted.get(String(breakKey)) ?? 0) + firstPurchaseCustomers);
      }
      const texts = await on.tableTexts(page, "values");
      expect(texts.map(([, customers]) => Number(customers?.replace(".", "")))).to.deep.equal(
        [...counted.values()].sort((a, b) => b - a),
      );
      await page.locator("[data-picture=values]").getByRole("button", { name: "Busca paga" }).click();
      await on.settled(page);
      const search = cohorts.filter(({ breakKey }) => breakKey === "searchads");
      const sizes = await page.locator("[data-picture=map] tbody .size").allInnerTexts();
      expect(sizes).to.deep.equal(search.map(({ initialValue }) => on.whole(initialValue)));
      expect(await page.locator("[data-picture=payback] h2").innerText()).to.equal("Payback: Busca paga");
      await page.locator("[data-row='2024-01-01'] [data-step='1'] button").click();
      await page.locator(".explanation-value").waitFor();
      expect(await page.locator(".explanation-value").innerText()).to.equal(
        on.whole(search[0]?.months["1"]?.absolute ?? 0),
      );
    });

    it("forecasts by cohort and in total, and says how wrong the same model was", async () => {
      await on.show(page, "customers?horizon=weeks26");
      const { total, holdOut, confidence, data: rows, state } = await api<Forecast>("profitability/forecast");
      expect(state).to.equal("ready");
      const card = "[data-picture=forecast]";
      expect(await exact(card, "purchases")).to.equal(on.whole(total?.weeks26.purchases ?? 0));
      expect(await exact(card, "revenue")).to.equal(on.brl(total?.weeks26.revenue ?? 0));
      expect(await exact(card, "contribution")).to.equal(on.brl(total?.weeks26.contribution ?? 0));
      expect(await exact(card, "ltvToDate")).to.equal(on.brl(total?.ltvToDate ?? 0));
      expect(await exact(card, "ltvPredicted")).to.equal(on.brl(total?.ltvPredicted ?? 0));
      const told = await page.locator(`${card} .banner`).innerText();
      const names = { high: "alta", medium: "média", low: "baixa" };
      expect(told).to.include(`Compras: confiança ${names[confidence ?? "low"]}`);
      expect(told).to.include(`Receita: confiança ${names[confidenceOf(holdOut?.revenue.errorPct ?? null)]}`);
      for (const text of [
        on.whole(holdOut?.purchases.predicted ?? 0),
        on.whole(holdOut?.purchases.actual ?? 0),
        on.brl(holdOut?.revenue.predicted ?? 0),
        on.brl(holdOut?.revenue.actual ?? 0),
        on.percent((holdOut?.purchases.errorPct ?? 0) / 100),
        on.percent((holdOut?.revenue.errorPct ?? 0) / 100),
      ]) {
        expect(told).to.include(text);
      }
      await page.locator(card).getByRole("button", { name: "Tabela" }).click();
      const texts = await on.tableTexts(page, "forecast");
      expect(texts.map((row) => row.slice(1))).to.deep.equal(
        rows?.map(({ customers, ltvToDate, ltvPredicted, weeks26 }) => [
          on.whole(customers),
          on.brl(ltvToDate),
          on.brl(ltvPredicted),
          on.whole(weeks26.purchases),
          on.brl(weeks26.revenue),
          on.brl(weeks26.contribution),
        ]),
      );
      await page.locator("[data-picture=calibration]").getByRole("button", { name: "Tabela" }).click();
      const groups = await on.tableTexts(page, "calibration");
      expect(groups.map((row) => row.slice(1))).to.deep.equal(
        holdOut?.byFrequency.map(({ customers, actual, predicted }) => [customers, actual, predicted].map(on.whole)),
      );
    });

    it("shows new and returning customers", async () => {
      await page.locator("[data-picture=newOrRecurring]").getByRole("button", { name: "Tabela" }).click();
      const points = await rowsOf<{ newCustomers: number; recurringCustomers: number; customers: number }>(
        `profitability/new-vs-recurring?${YEAR}`,
      );
      const texts = await on.tableTexts(page, "newOrRecurring");
      expect(texts.map((row) => row.slice(1))).to.deep.equal(
        points.map(({ newCustomers, recurringCustomers, customers }) =>
          [newCustomers, recurringCustomers, customers].map(on.whole),
        ),
      );
      expect(points.every((point) => point.newCustomers + point.recurringCustomers === point.customers)).to.equal(true);
    });
  });

  describe("everywhere", () => {
    const VIEWS = [
      "acquisition",
      "acquisition?period=12m&channel=searchads",
      "customers",
      "customers?period=all",
      "customers?period=all&count=cumulative",
      "customers?break=campanha&count=revenue&show=absolute",
    ];

    for (const width of [390, 768, 1280, 1920]) {
      it(`does not scroll sideways at ${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 900 });
        for (const view of VIEWS) {
          await on.show(page, view);
          expect(await on.overflow(page), view).to.equal(0);
        }
      });
    }

    for (const colorScheme of ["light", "dark"] as const) {
      it(`has no serious findings of axe, ${colorScheme}`, async () => {
        await openTab({ colorScheme });
        for (const view of VIEWS) {
          await on.show(page, view);
          if (view.includes("channel=")) await page.locator(".drawer tbody tr").first().waitFor();
          const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
          expect(await on.axeFindings(page, rules), view).to.deep.equal([]);
        }
      });
    }

    it("speaks English", async () => {
      await openTab({ locale: "en-US" });
      for (const view of ["acquisition", "customers", "customers?count=cumulative&break=origem"]) {
        await on.show(page, view);
        expect(await page.innerText("main"), view).to.not.match(/N\/D|Período|Clientes|Coorte|Mês|Canais|Previsão/);
      }
      expect(await page.innerText("main")).to.include("Cumulative per customer");
    });
  });
});
