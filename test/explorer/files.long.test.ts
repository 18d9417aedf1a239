import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer } from "./opened.ts";
import * as on from "./page.ts";

const PERIOD = "from=2025-01-01&to=2025-03-31&compare=previous";
const STORE = "integrationId=a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01&dateFrom=2025-01-01&dateTo=2025-03-31";

describe("The Explorer's filters, files and pictures", () => {
  let opened: Opened;
  let page: Page;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    opened = await openExplorer(executable, await landedFixtures(), AURORA);
    page = await opened.openTab();
  });
  after(() => opened?.close());

  const api = async <T>(address: string): Promise<T> => {
    const { status, body } = await opened.service.get(`/v1/${address}`);
    expect(status, address).to.equal(200);
    return body as T;
  };

  /** Chooses an entry of a card's menu, and returns the bytes of the file that it saves. */
  async function saved(card: string, entry: string): Promise<Buffer> {
    await page
      .locator(
        `[data-picture=${card}] .card-tools > .popover .popover-button, [data-picture=${card}] .card-tools .popover-button`,
      )
      .last()
      .click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".popover:popover-open").getByText(entry, { exact: true }).click(),
    ]);
    return readFile(await download.path());
  }

  it("filter products by a range, and keep the text while it is typed", async () => {
    await on.show(page, `products?${PERIOD}`);
    await page.getByRole("button", { name: "Filtros", exact: true }).click();
    const field = page.locator(".popover:popover-open .filter-range input").first();
    await field.pressSequentially("100", { delay: 30 });
    expect(await field.inputValue()).to.equal("100");
    await field.press("Enter");
    await page.waitForFunction(() => location.hash.includes("minNetSales=100"));
    await on.settled(page);
    expect(await field.inputValue()).to.equal("100");
    await page.keyboard.press("Escape");
    const { data } = await api<{ data: { productName: string }[] }>(
      `products?${STORE}&minNetSales=100&sortBy=netSales`,
    );
    const names = await page.locator("[data-picture=products] tbody a").allInnerTexts();
    expect(names).to.deep.equal(data.map(({ productName }) => productName));
  });

  it("keep a search while its answers arrive", async () => {
    await on.show(page, `products?${PERIOD}`);
    const field = page.getByLabel("Buscar pelo nome");
    const answered: number[] = [];
    await page.route("**/v1/products**", async (request) => {
      await sleep(200);
      await request.continue();
      answered.push(request.request().url().length);
    });
    await field.pressSequentially("can", { delay: 20 });
    await field.press("Enter");
    await page.waitForFunction(() => location.hash.includes("search=can"));
    // The answers to the first search arrive between these letters.
    await field.pressSequentially("ecas", { delay: 150 });
    await on.settled(page);
    expect(answered).to.not.deep.equal([]);
    expect(await field.inputValue()).to.equal("canecas");
    await field.press("Enter");
    await page.waitForFunction(() => location.hash.includes("search=canecas"));
    await on.settled(page);
    expect(await field.inputValue()).to.equal("canecas");
    await page.unroute("**/v1/products**");
  });

  it("leave the focus in a field that receives it while the box opens", async () => {
    await on.show(page, `products?${PERIOD}`);
    const opener = page.getByRole("button", { name: "Filtros", exact: true });
    const isKept = await opener.evaluate(async (button) => {
      const box = document.getElementById(button.getAttribute("popovertarget") ?? "");
      const field = box?.querySelector<HTMLInputElement>(".filter-range input");
      (button as HTMLButtonElement).click();
      field?.focus();
      for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
      return field !== null && document.activeElement === field;
    });
    expect(isKept).to.equal(true);
    await page.keyboard.press("Escape");
  });

  it("save CSV in the dialect of the page's language, with its labels", async () => {
    await on.show(page, `acquisition?${PERIOD}`);
    const portuguese = String(await saved("channels", "Baixar CSV"));
    expect(portuguese).to.match(/^\ufeffCanal;/);
    await on.show(page, `acquisition?${PERIOD}&lang=en`);
    const english = String(await saved("channels", "Download CSV"));
    expect(english).to.match(/^Channel,/);
    expect(english.trim().split("\r\n")).to.have.length(portuguese.trim().split("\r\n").length);
  });

  it("save rows as CSV and XLSX, all of them", async () => {
    await on.show(page, "data?tab=rows&table=/v1/storea/orders&limit=25&lang=pt");
    const { data } = await api<{ data: unknown[] }>("storea/orders?all=true");
    const lines = String(await saved("rows", "Baixar CSV"))
      .trim()
      .split("\r\n");
    expect(lines).to.have.length(data.length + 1);
    expect(lines[0]).to.include(";");
    const workbook = await saved("rows", "Baixar Excel");
    expect(workbook.subarray(0, 2).toString()).to.equal("PK");
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`save charts as SVG and PNG, in resolved colors, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await on.show(page, `overview?${PERIOD}`);
      const svg = String(await saved("evolution", "Imagem SVG"));
      expect(svg)
        .to.match(/^<svg /)
        .and.to.include("Receita")
        .and.to.match(/<path /);
      expect(svg).to.not.match(/var\(|light-dark|NaN|undefined/);
      const ground = colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(24, 29, 27)";
      expect(svg).to.include(ground);
      const png = await saved("evolution", "Imagem PNG");
      expect(png.subarray(1, 4).toString()).to.equal("PNG");
      expect(png.readUInt32BE(16)).to.be.above(600);
    });
  }

  it("print in light colors, without controls", async () => {
    await on.show(page, `overview?${PERIOD}`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator(".card-tools").first().isVisible()).to.equal(false);
    expect(await page.locator(".top-nav").isVisible()).to.equal(false);
    const surface = await page
      .locator(".card-box")
      .first()
      .evaluate((card) => getComputedStyle(card).backgroundColor);
    expect(surface).to.equal("rgb(255, 255, 255)");
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
  });

  it("show the change against own dates", async () => {
    await on.show(
      page,
      "overview?from=2025-03-01&to=2025-03-31&compare=own&compareFrom=2025-02-01&compareTo=2025-02-28",
    );
    const [now, then] = await Promise.all(
      ["startDate=2025-03-01&endDate=2025-03-31", "startDate=2025-02-01&endDate=2025-02-28"].map((days) =>
        api<{ orders: number }>(`profitability/cards?${days}&compare=none`),
      ),
    );
    const change = Number(now?.orders) / Number(then?.orders) - 1;
    const text =
      (await page.locator("[data-picture=cards] [data-metric=orders] .change").innerText()).split("\n")[0] ?? "";
    expect(text.replace("+", "")).to.include(on.share(change).replace("+", ""));
  });

  it("explain figures in the page's language", async () => {
    await on.show(page, `overview?${PERIOD}`);
    await page.locator("[data-picture=cards] [data-metric=averageTicket] .figure-explain").click();
    await page.locator(".explanation").getByText("Valor médio de um pedido.").waitFor();
    expect(await page.locator(".explanation [lang=en]").count()).to.equal(0);
  });
});
