import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { watchErrors } from "./opened.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";
const STORE = "a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01";
const OUTLET = "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02";
const SEARCH = "d40af301-3e81-4c6d-9f44-51c27d9ea004";
/** No whole month: one is compared with the month before, which the service has no name for. */
const DAYS = "from=2025-02-02&to=2025-03-01&compare=previous";

type Answer = Readonly<Record<string, unknown>>;
interface Row {
  readonly key: string | null;
  readonly [figure: string]: unknown;
}

describe("Stores, channels and what orders carry, in the Explorer", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let admin: BrowserContext;
  const problems: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess();
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    browser = await startBrowser(executable);
    admin = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
      locale: "pt-BR",
    });
    const page = await admin.newPage();
    await page.goto((await service.lucra("people", "link", ANA)).trim());
    await page.locator(".sign-in-who").waitFor({ timeout: 60_000 });
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor({ timeout: 60_000 });
    await page.close();
  });

  afterEach(async () => {
    for (const page of admin.pages()) await page.close();
    expect(problems.splice(0)).to.deep.equal([]);
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** A page of the organization, with all of its answers. */
  async function open(hash: string, width = 1280): Promise<Page> {
    const page = await admin.newPage();
    page.setDefaultTimeout(60_000);
    watchErrors(page, (text) => problems.push(text));
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${service.base}/explorer#/${AURORA}/${hash}`);
    await on.settled(page);
    return page;
  }

  /** What the service answers the admin. */
  const ask = (page: Page, path: string, params: Readonly<Record<string, string>>): Promise<Answer> =>
    page.evaluate(
      async (address) => {
        const response = await fetch(address, { headers: { "x-lucra-page": "1" } });
        if (!response.ok) throw new Error(await response.text());
        return response.json();
      },
      `${path}?${new URLSearchParams({ organizationId: AURORA, ...params })}`,
    );

  const PERIOD = { startDate: "2025-02-02", endDate: "2025-03-01", compare: "previous" };

  it("are chosen beside the period, kept over all pages that follow them, and removed by a click", async () => {
    const page = await open(`overview?${DAYS}`);
    const asked: URL[] = [];
    page.on("request", (sent) => asked.push(new URL(sent.url())));
    await page.getByRole("button", { name: "Lojas e canais" }).click();
    await page.locator(".popover:popover-open").getByRole("button", { name: "Aurora Outlet" }).click();
    await on.settled(page);
    expect(page.url()).to.include(`onlyStore=${OUTLET}`);
    const cards = await ask(page, "/v1/profitability/cards", { ...PERIOD, integrationId: OUTLET });
    const statement = await ask(page, "/v1/profit/statement", { ...PERIOD, integrationId: OUTLET });
    expect(await on.figureText(page, "cards", "orders", ".figure-value")).to.equal(on.whole(Number(cards.orders)));
    for (const name of ["averageTicket", "investment", "ltv"])
      expect(await on.figureText(page, "cards", name, ".figure-value"), name).to.equal(on.brl(Number(cards[name])));
    const { contribution3 } = statement.statement as Record<string, { amount: number }>;
    expect(await on.figureText(page, "cards", "contribution3", ".figure-value")).to.equal(
      on.brl(contribution3?.amount ?? 0),
    );
    expect(await page.locator("[data-picture=cards] [data-metric=profit]").count()).to.equal(0);

    await page.locator(".top-nav").getByRole("link", { name: "Aquisição" }).click();
    await on.settled(page);
    const summary = await ask(page, "/v1/acquisition/summary", {
      startDate: "2025-02-02",
      endDate: "2025-03-01",
      integrationId: OUTLET,
    });
    const { value } = summary.investment as { value: number };
    expect(await on.figureText(page, "summary", "investment", ".figure-value")).to.equal(on.brl(value));
    await page.getByRole("button", { name: /^Loja e canal/ }).click();
    await page.locator(".popover:popover-open").getByRole("button", { name: "Direto" }).click();
    for (const view of ["Clientes", "Por…", "Visão geral"]) {
      await page.locator(".top-nav").getByRole("link", { name: view }).click();
      await on.settled(page);
      expect(page.url(), view).to.include(`onlyStore=${OUTLET}&onlyChannel=direct`);
      expect(await page.locator(".toolbar-wide .filter-pill").innerText(), view).to.include("Aurora Outlet · Direto");
    }
    const filtered = asked.filter(({ pathname }) =>
      /^\/v1\/(profitability\/(cards|trend|bridge|cohort|payback|new-vs-recurring)|profit\/statement|acquisition\/)/.test(
        pathname,
      ),
    );
    expect(filtered).to.have.length.above(10);
    for (const { pathname, searchParams } of filtered)
      expect(searchParams.get("integrationId"), pathname).to.equal(OUTLET);

    await page.getByRole("button", { name: "Remover o filtro: Aurora Outlet · Direto" }).click();
    await on.settled(page);
    expect(page.url()).to.not.match(/only(Store|Channel)/);
    const whole = await ask(page, "/v1/profitability/cards", PERIOD);
    expect(await on.figureText(page, "cards", "orders", ".figure-value")).to.equal(on.whole(Number(whole.orders)));
    await page.goBack();
    await on.settled(page);
    expect(page.url()).to.include(`onlyStore=${OUTLET}`);
  });

  it("are said not to hold on the pages that do not follow them, and explain the filtered figure", async () => {
    const page = await open(`data?onlyStore=${OUTLET}`);
    await page.getByText("Esta página não tem filtro de loja e canal").waitFor();
    await on.show(page, `${AURORA}/products?onlyStore=${OUTLET}`);
    expect(await page.locator("[data-picture=products] select").last().inputValue()).to.equal(OUTLET);
    await on.show(page, `${AURORA}/overview?${DAYS}&onlyStore=${OUTLET}`);
    await page.locator("[data-picture=cards] [data-metric=orders] button").click();
    const drawer = page.locator(".explanation");
    await drawer.waitFor();
    const cards = await ask(page, "/v1/profitability/cards", { ...PERIOD, integrationId: OUTLET });
    expect(await drawer.locator(".explanation-value").innerText()).to.equal(on.whole(Number(cards.orders)));
    await drawer.locator("tbody tr").first().waitFor();
    expect(await drawer.locator("tbody tr").count()).to.equal(cards.orders);
  });

  it("lead from a store whose spend is unknown to the account that hides it", async () => {
    const file = path.join(service.data.path, "organizations", `${AURORA}.json`);
    const settings = JSON.parse(await readFile(file, "utf8"));
    for (const integration of settings.integrations)
      if (integration.id === SEARCH) integration.stores = [STORE, OUTLET];
    await writeFile(file, JSON.stringify(settings, null, 2));
    await service.lucra("sync");
    const page = await open(`overview?${DAYS}&onlyStore=${OUTLET}`);
    const cards = await ask(page, "/v1/profitability/cards", { ...PERIOD, integrationId: OUTLET });
    expect(cards.investment).to.equal(null);
    for (const name of ["investment", "cac", "roi", "contribution3"])
      expect(await on.figureText(page, "cards", name), name).to.include("não se sabe quanto foi gasto");
    const banner = page.locator(".banner", { hasText: "Não se sabe quanto foi gasto em anúncios para Aurora Outlet" });
    await banner.waitFor();
    expect(await banner.locator("li").allInnerTexts()).to.deep.equal(["Busca Aurora: Dizer de que loja é"]);
    await banner.getByRole("link").click();
    const form = page.locator("[data-connection='Busca Aurora'] [data-form=connection]");
    await form.waitFor();
    expect(await form.getByLabel("Loja Aurora").isChecked()).to.equal(true);
    await form.getByLabel("Loja Aurora").uncheck();
    await form.getByRole("button", { name: "Salvar" }).click();
    await form.waitFor({ state: "detached" });
    const saved = JSON.parse(await readFile(file, "utf8"));
    expect(saved.integrations.find(({ id }: { id: string }) => id === SEARCH).stores).to.deep.equal([OUTLET]);
    await service.lucra("sync");
  });

  it("have a page of their own, whose values are the service's", async () => {
    const page = await open(`breakdown?${DAYS}&of=payment_group`);
    for (const more of [{}, { channel: "direct" }] as Readonly<Record<string, string>>[]) {
      const channel = more.channel ? `&onlyChannel=${more.channel}` : "";
      for (const of of ["payment_group", "state", "weekday", "new_or_recurring", "coupon"]) {
        await on.show(page, `${AURORA}/breakdown?${DAYS}&of=${of}${channel}`);
        const api = await ask(page, "/v1/profitability/breakdown", { ...PERIOD, by: of, ...more });
        const rows = await page
          .locator("[data-picture=values] tbody tr")
          .evaluateAll((all) =>
            all.map((row) =>
              Object.fromEntries(
                [...row.querySelectorAll<HTMLElement>("td[data-column]")].map((cell) => [
                  cell.dataset.column ?? "",
                  cell.firstChild?.textContent ?? "",
                ]),
              ),
            ),
          );
        const data = api.data as readonly Row[];
        expect(rows, of).to.have.length(data.length);
        const shownOf = (name: string) => rows.map((row) => row[name]?.replace(/^N\/D: .*/, "N/D")).sort();
        const apiOf = (name: string, unit: (value: number) => string) =>
          data.map((row) => (row[name] === null ? "N/D" : unit(Number(row[name])))).sort();
        for (const [name, unit] of [
          ["revenue", on.brl],
          ["orders", on.whole],
          ["newCustomers", on.whole],
          ["recurringOrders", on.whole],
          ["discount", on.brl],
          ["contribution2", on.brl],
        ] as const)
          expect(shownOf(name), `${of}.${name}`).to.deep.equal(apiOf(name, unit));
        const total = api.total as Row;
        const foot = page.locator("[data-picture=values] tfoot td[data-column=revenue]");
        expect(await foot.innerText(), of).to.equal(on.brl(Number(total.revenue)));
      }
    }
  });

  it("show hours and weekdays in their order, two attributes as a map, and why and whose a row is", async () => {
    const page = await open(`breakdown?from=2025-01-01&to=2025-03-31&compare=none&of=weekday,hour`);
    const names = await page.locator("[data-picture=breakdown] tbody th").allInnerTexts();
    const all = ["Segunda-feira", "Terça-feira", "Quarta-feira", "Quinta-feira", "Sexta-feira", "Sábado", "Domingo"];
    expect(names).to.deep.equal(all.filter((name) => names.includes(name)));
    expect(await page.locator("[data-picture=breakdown] thead th").count()).to.equal(25);
    await on.show(page, `${AURORA}/breakdown?from=2025-01-01&to=2025-03-31&compare=none&of=payment_group`);
    const days = { startDate: "2025-01-01", endDate: "2025-03-31", compare: "none", by: "payment_group" };
    const { data } = await ask(page, "/v1/profitability/breakdown", days);
    const pix = (data as readonly Row[]).find(({ key }) => key === "pix");
    await page.locator("[data-picture=values]").getByRole("button", { name: "Pix", exact: true }).click();
    const drawer = page.locator(".explanation");
    await drawer.waitFor();
    expect(await drawer.locator(".explanation-value").innerText()).to.equal(on.brl(Number(pix?.revenue)));
    await drawer.locator("tbody tr").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Ver os pedidos: Pix" }).click();
    await on.settled(page);
    expect(page.url()).to.include("paymentGroup=pix");
    const orders = await on.tableTexts(page, "orders");
    expect(orders).to.have.length(Number(pix?.orders));
    expect(orders.every((row) => row.includes("Pix"))).to.equal(true);
    const state = page.getByRole("textbox", { name: "Estado" });
    await state.fill("rj");
    await state.press("Tab");
    await on.settled(page);
    const found = await ask(page, "/v1/profitability/orders", {
      startDate: "2025-01-01",
      endDate: "2025-03-31",
      paymentGroup: "pix",
      state: "rj",
    });
    expect((await on.tableTexts(page, "orders")).map(([id]) => id)).to.deep.equal(
      (found.data as readonly Row[]).map(({ orderId }) => orderId),
    );
  });

  it("say where Pix customers of the South come back, as SQL, the API and the tools do", async () => {
    const page = await open("breakdown?from=2024-01-01&to=2025-03-31&compare=none&of=payment_group,state");
    const south = await page
      .locator("[data-picture=values] tbody tr")
      .evaluateAll((all) =>
        all
          .map((row) => [
            row.querySelector("th")?.textContent ?? "",
            row.querySelector("td[data-column=recurringOrders]")?.firstChild?.textContent ?? "",
          ])
          .filter(([name]) => /^Pix.*(PR|RS|SC)/.test(name ?? "")),
      );
    expect(south.map(([_, orders]) => orders)).to.deep.equal(["1"]);
    expect(south[0]?.[0]).to.include("PR");
  });

  it("are read on a phone and by screen readers, in both languages and themes", async () => {
    const filter = `onlyStore=${OUTLET}&onlyChannel=direct`;
    for (const hash of [
      `overview?${DAYS}&${filter}`,
      `acquisition?${DAYS}&${filter}`,
      `customers?group=week&${filter}`,
      `breakdown?${DAYS}&of=state`,
      `breakdown?${DAYS}&of=hour&${filter}&lang=en`,
      `breakdown?${DAYS}&of=weekday,hour`,
      `breakdown?${DAYS}&tab=orders&state=SP&coupon=X`,
    ]) {
      for (const width of [390, 1920]) {
        const page = await open(hash, width);
        await page.emulateMedia({ colorScheme: width === 390 ? "dark" : "light" });
        expect(await on.overflow(page), `${hash}, ${width}`).to.equal(0);
        expect(await on.axeFindings(page), `${hash}, ${width}`).to.deep.equal([]);
        if (width === 390 && hash.includes(filter) && !hash.includes("lang=en"))
          await page.getByRole("button", { name: "Remover o filtro: Direto" }).click();
        await page.close();
      }
    }
  });

  it("have their settings: the ways of paying of names", async () => {
    const page = await admin.newPage();
    page.setDefaultTimeout(60_000);
    watchErrors(page, (text) => problems.push(text));
    await page.goto(`${service.base}/explorer#/${AURORA}/settings/payments`);
    await page.locator("[data-part=payments]").waitFor();
    const { data } = await ask(page, `/platform/organizations/${AURORA}/payments`, {});
    const names = await page
      .locator("[data-payment]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-payment")));
    expect(names).to.deep.equal((data as readonly Row[]).map(({ payment }) => payment));
    expect(await on.axeFindings(page)).to.deep.equal([]);
    const form = page.locator("[data-form=payment]");
    await form.getByLabel("Nome no pedido").fill("appmax*");
    await form.getByLabel("Forma de pagamento").selectOption("pix");
    await form.getByRole("button", { name: "Acrescentar" }).click();
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("Salvo.").waitFor();
    const file = path.join(service.data.path, "organizations", `${AURORA}.json`);
    expect(JSON.parse(await readFile(file, "utf8")).payments).to.deep.equal([{ name: "appmax*", group: "pix" }]);
  });
});
