import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";
import { type MailServer, type Process, serveProcess, startMailServer } from "./service.ts";

const ANA = "ana@example.com";
const RUI = "rui@example.com";

describe("Letters in the settings of the Explorer, in a browser [D95]", function () {
  this.timeout(600_000);
  let service: Process;
  let mails: MailServer;
  let browser: Browser;
  let page: Page;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    mails = await startMailServer();
    service = await serveProcess({ LUCRA_SMTP_URL: mails.url, LUCRA_MAIL_FROM: "lucra@example.com" });
    await service.lucra("people", "add", ANA, "--role", "admin", "--organization", AURORA);
    await service.lucra("people", "add", RUI, "--role", "viewer", "--organization", AURORA);
    browser = await startBrowser(executable);
    page = await signedIn(ANA);
    await page.goto(`${service.base}/explorer#/${AURORA}/settings/letters`);
    await page.locator("[data-form=letter]").waitFor();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
    await mails?.close();
  });

  async function signedIn(email: string): Promise<Page> {
    const context = await browser.newContext({
      reducedMotion: "reduce",
      locale: "pt-BR",
      viewport: { width: 1280, height: 900 },
    });
    const tab = await context.newPage();
    tab.setDefaultTimeout(90_000);
    await tab.goto((await service.lucra("people", "link", email)).trim());
    await tab.locator("form .primary").click();
    await tab.locator(".main-menu").waitFor();
    return tab;
  }

  const letters = async (): Promise<unknown> =>
    JSON.parse(await service.data.text(`organizations/${AURORA}.json`)).letters;
  const mine = (kind: string) => page.locator(`[data-part=my-letters] [data-letter=${kind}]`);
  const saved = () => page.locator("[data-part=my-letters] [role=status]", { hasText: "Salvo." }).waitFor();

  it("show the newest letter before one is chosen", async () => {
    await mine("monthly")
      .getByRole("button", { name: /Ver a carta/ })
      .click();
    const preview = page.locator(".letter-preview");
    await preview.waitFor();
    expect(await preview.innerText())
      .to.include("Receita")
      .and.include("O que")
      .and.include(`${service.base}/explorer#/${AURORA}/overview`);
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
  });

  it("are chosen and ended by each person", async () => {
    await mine("daily").getByRole("checkbox").click();
    await saved();
    const daily = { channel: "mail", to: ANA, on: "daily", at: "08:00" };
    expect(await letters()).to.deep.equal([daily]);
    await mine("daily")
      .getByLabel(/Até que horas/)
      .fill("07:30");
    await saved();
    await expectLater(async () => expect(await letters()).to.deep.equal([{ ...daily, at: "07:30" }]));
    await mine("daily").getByRole("checkbox").click();
    await expectLater(async () => expect(await letters()).to.equal(undefined));
  });

  it("of everybody are added and ended by admins; one without a receiver is not", async () => {
    const form = page.locator("[data-form=letter]");
    await form.getByRole("button", { name: "Acrescentar", exact: true }).click();
    expect(await form.locator(".setting-error").innerText()).to.equal("Falta para quem.");
    await form.getByLabel("Quando").selectOption("weekly");
    await form.getByLabel(/E-mail de uma pessoa/).fill(RUI);
    await form.getByRole("button", { name: "Acrescentar", exact: true }).click();
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.locator(".save-said .icon").waitFor();
    expect(await letters()).to.deep.equal([{ to: RUI, on: "weekly", at: "08:00", channel: "mail" }]);
    const row = page.locator("[data-part=letters] [data-letter]", { hasText: RUI });
    expect(await row.innerText()).to.include("ainda não enviada");
    await row.getByRole("button", { name: /Encerrar/ }).click();
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await expectLater(async () => expect((await letters()) ?? []).to.deep.equal([]));
  });

  it("of everybody and the own ones are the same, whoever changes them first", async () => {
    await mine("daily").getByRole("checkbox").click();
    await saved();
    const all = page.locator("[data-part=letters] [data-letter]");
    await all.filter({ hasText: ANA }).waitFor();
    const form = page.locator("[data-form=letter]");
    await form.getByLabel(/E-mail de uma pessoa/).fill(RUI);
    await form.getByRole("button", { name: "Acrescentar", exact: true }).click();
    await all
      .filter({ hasText: ANA })
      .getByRole("button", { name: /Encerrar/ })
      .click();
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.locator(".save-said .icon").waitFor();
    expect(await letters()).to.deep.equal([{ to: RUI, on: "weekly", at: "08:00", channel: "mail" }]);
    await page.waitForFunction(() => !document.querySelector<HTMLInputElement>("[data-letter=daily] input")?.checked);
  });

  it("keep an address of Slack, and never show it", async () => {
    const form = page.locator("[data-form=slack]");
    await form.getByLabel(/Nome/).fill("#vendas");
    await form.getByLabel("Endereço").fill("https://hooks.slack.com/services/T0/B0/k3Jx9Qw");
    await form.getByRole("button", { name: "Guardar", exact: true }).click();
    await page.locator("[data-part=slack] li", { hasText: "#vendas" }).waitFor();
    expect(await page.content()).to.not.include("k3Jx9Qw");
    expect(await service.data.text(`organizations/${AURORA}.json`)).to.not.include("k3Jx9Qw");
  });

  it("fit a phone, without an obstacle", async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await on.overflow(page), String(width)).to.equal(0);
      expect(await on.axeFindings(page), String(width)).to.deep.equal([]);
    }
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/letters.png`, fullPage: true });
  });

  it("of others are no viewer's", async () => {
    const viewer = await signedIn(RUI);
    await viewer.locator(".main-menu").click();
    expect(await viewer.locator(".popover:popover-open").innerText()).to.not.include("Configurações");
    await viewer.goto(`${service.base}/explorer#/${AURORA}/settings/letters`);
    await viewer.locator(".main-menu").waitFor();
    expect(await viewer.locator("[data-form=letter]").count()).to.equal(0);
  });
});

/** What is on disk a moment after the page says so. */
async function expectLater(check: () => Promise<unknown>): Promise<void> {
  for (let left = 60; ; left--) {
    try {
      return void (await check());
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
