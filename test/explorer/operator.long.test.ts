import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { DataFolder } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const OLGA = "olga@example.com";

/** A folder without organizations, whose operator makes the first one in the page. */
async function withOperator(): Promise<DataFolder> {
  const data = await DataFolder.empty();
  await data.lucra(["people", "add", OLGA, "--operator"]);
  return data;
}

describe("An operator of a service without organizations, in a browser", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let page: Page;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess({}, withOperator, ["--no-demo"]);
    browser = await startBrowser(executable);
    page = await browser.newPage({ locale: "pt-BR", viewport: { width: 390, height: 844 } });
    page.setDefaultTimeout(120_000);
    await page.goto((await service.lucra("people", "link", OLGA)).trim());
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  it("is offered no page that has nothing to show, and makes the first organization", async () => {
    await page.locator(".settings-title, .settings-list").first().waitFor();
    expect(await page.locator(".top-nav").count()).to.equal(0);
    await page.locator(".main-menu").click();
    const offered = await page.locator(":popover-open a").allInnerTexts();
    expect(offered.join()).to.match(/Configurações/);
    expect(offered.join()).to.not.match(/Relatório|Visões|Compartilhar/);
    await page.keyboard.press("Escape");
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await page.goto(`${service.base}/explorer#/settings/organizations`);
    await page.getByLabel("Nome", { exact: true }).fill("Primeira");
    await page.getByRole("button", { name: "Criar organização" }).click();
    await page.locator("[data-step=source]").waitFor();
    await page.locator(".top-nav").waitFor();
  });
});
