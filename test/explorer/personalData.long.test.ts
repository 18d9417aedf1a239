import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { occurrences } from "../support/occurrences.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { watchErrors } from "./opened.ts";
import { axeFindings, overflow } from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";
const WHO = "rui.teles@example.com";

describe("The page of personal data, in a browser", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let context: BrowserContext;
  const errors: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess({});
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    browser = await startBrowser(executable);
    context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      reducedMotion: "reduce",
      locale: "pt-BR",
    });
    const page = await context.newPage();
    await page.goto((await service.lucra("people", "link", ANA)).trim());
    await page.locator(".sign-in-who").waitFor({ timeout: 60_000 });
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor({ timeout: 60_000 });
    await page.close();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    watchErrors(page, (text) => errors.push(text));
    await page.goto(`${service.base}/explorer#/${AURORA}/settings/personal-data`);
    await page.locator("[name=value]").waitFor();
    return page;
  }

  it("shows where the data are, hands them out, and erases them with progress [D98]", async () => {
    const page = await open();
    const addresses: string[] = [];
    page.on("request", (sent) => addresses.push(sent.url()));
    await page.fill("[name=value]", WHO);
    await page.locator("form .primary").click();
    const table = page.locator("[data-found]");
    await table.waitFor();
    expect(await table.innerText()).to.match(/Arquivos recebidos\s+\d+\s+\d+[\s\S]*Dados importados\s+\d+\s+\d+/);
    expect(await overflow(page), "at 390 px").to.equal(0);
    expect(await axeFindings(page)).to.deep.equal([]);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Baixar os dados" }).click(),
    ]);
    expect(download.suggestedFilename()).to.match(/_dados-do-cliente\.json$/);
    const { data } = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(JSON.stringify(data)).to.match(/rui\.teles@example\.com/i);

    await page.getByRole("button", { name: "Apagar", exact: true }).click();
    await page.locator(".settings-confirm", { hasText: "Nada traz os dados de volta" }).waitFor();
    expect(Object.keys(await occurrences(service.data.path, WHO))).to.have.length.greaterThan(0);
    await page.locator(".settings-confirm .danger").click();
    await page.locator("progress").waitFor();
    await page.locator("[data-erased]", { hasText: "Número no registro: 1" }).waitFor();
    expect(await occurrences(service.data.path, WHO)).to.deep.equal({});
    await page.locator(".settings-rows", { hasText: "Número 1" }).waitFor();
    expect(await axeFindings(page)).to.deep.equal([]);
    expect(addresses.filter((address) => /rui|teles/i.test(address))).to.deep.equal([]);

    await page.fill("[name=value]", WHO);
    await page.locator("form .primary").click();
    await page.getByText("Nada encontrado.").waitFor();

    await page.goto(`${service.base}/explorer#/${AURORA}/settings/log`);
    await page.locator(".settings-rows", { hasText: "apagou os dados de um cliente" }).waitFor();
    expect(await page.locator("main").innerText()).to.not.match(/rui|teles/i);
    expect(errors).to.deep.equal([]);
  });

  it("is loaded only when it is opened", async () => {
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on("request", (sent) => scripts.push(new URL(sent.url()).pathname));
    await page.goto(`${service.base}/explorer#/${AURORA}/settings/people`);
    await page.locator(".settings-rows").first().waitFor();
    expect(scripts.filter((name) => /PersonalData/.test(name))).to.deep.equal([]);
  });
});
