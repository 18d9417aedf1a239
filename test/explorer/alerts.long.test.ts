import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";

describe("Alerts in the settings of the Explorer, in a browser [D96]", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let page: Page;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess();
    await service.lucra("people", "add", ANA, "--role", "admin", "--organization", AURORA);
    browser = await startBrowser(executable);
    const context = await browser.newContext({
      reducedMotion: "reduce",
      locale: "pt-BR",
      viewport: { width: 1280, height: 900 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto((await service.lucra("people", "link", ANA)).trim());
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor();
    await page.goto(`${service.base}/explorer#/${AURORA}/settings/alerts`);
    await page.locator("[data-form=alert]").waitFor();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const alerts = async (): Promise<readonly Record<string, unknown>[]> =>
    JSON.parse(await service.data.text(`organizations/${AURORA}.json`)).alerts;

  it("show what a rule would have said before it can be added, and keep it", async () => {
    const before = await alerts();
    const form = page.locator("[data-form=alert]");
    await form.getByRole("button", { name: "Ver o que teria dito" }).click();
    await form.locator(".setting-error").waitFor();
    expect(await form.getByRole("button", { name: "Acrescentar", exact: true }).count()).to.equal(0);
    await form.getByLabel("Nome").fill("Dia de mais de 150");
    await form.getByLabel("Avisar quando").selectOption("above");
    await form.getByLabel("Limite").fill("150");
    await form.getByRole("button", { name: "Ver o que teria dito" }).click();
    const replay = form.locator("[data-replay]");
    await replay.locator("tbody tr").first().waitFor();
    expect(await replay.innerText()).to.include("8 avisos em 63 dias julgados");
    expect(await replay.innerText()).to.include("anotação: Carnaval");
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await form.getByRole("button", { name: "Acrescentar", exact: true }).click();
    await page.locator('[data-alert="Dia de mais de 150"]').waitFor();
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.locator(".save-said .icon").waitFor();
    const rule = { name: "Dia de mais de 150", figure: "revenue", rule: "above", value: 150, over: "day" };
    expect(await alerts()).to.deep.equal([...before, rule]);
  });

  it("switch a built-in alert on and off, and say of one without a history that it has none", async () => {
    const loses = page.locator("[data-alert=campaignLoses]");
    await loses.getByLabel("Ligado").check();
    await page.locator("[data-alert=stock]").getByLabel("Ligado").uncheck();
    await page.locator("[data-alert=stock]").getByRole("button").click();
    expect(await page.locator("[data-alert=stock]").innerText()).to.include("não tem histórico");
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.locator(".save-said .icon").waitFor();
    const builtIn = (await alerts()).filter((one) => "builtIn" in one);
    expect(builtIn).to.deep.equal([{ builtIn: "stock", off: true }]);
  });

  it("fit a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(tooWide).to.be.at.most(0);
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await page.screenshot({ path: process.env.LUCRA_SCREENSHOT ?? "/dev/null", type: "png", fullPage: true });
  });
});
