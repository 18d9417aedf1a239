import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { watchErrors } from "./opened.ts";
import * as on from "./page.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";
const RUI = "rui@example.com";

describe("Saved views, in a browser [D92]", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  const errors: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess({});
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    await service.lucra("people", "add", RUI, "--organization", AURORA, "--role", "viewer");
    browser = await startBrowser(executable);
  });

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function signedIn(email: string): Promise<BrowserContext> {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", locale: "pt-BR" });
    const page = await context.newPage();
    await page.goto((await service.lucra("people", "link", email)).trim());
    await page.locator(".sign-in-who").waitFor({ timeout: 60_000 });
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor({ timeout: 60_000 });
    await page.close();
    return context;
  }

  async function open(context: BrowserContext, place: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    watchErrors(page, (text) => errors.push(text));
    await page.goto(`${service.base}/explorer#/${AURORA}/${place}`);
    await page.locator(".main-menu").waitFor();
    return page;
  }

  const listed = async (page: Page): Promise<string[]> => {
    await on.chooseInMenu(page, "Visões salvas");
    await page.locator("dialog [name=view-name]").waitFor();
    await page.waitForFunction(() => !document.querySelector("dialog .skeleton"));
    return page.locator("dialog li a").allInnerTexts();
  };

  async function save(page: Page, name: string, isForAll = false): Promise<void> {
    await page.fill("dialog [name=view-name]", name);
    if (isForAll) await page.check("dialog [name=for-all]");
    await page.locator("dialog form .primary").click();
    await page.locator("dialog li a", { hasText: name }).waitFor();
  }

  it("are a person's own, or by an admin the organization's, and open what was saved", async () => {
    const ana = await open(await signedIn(ANA), "acquisition?from=2025-02-01&to=2025-02-28&compare=previous");
    expect(await listed(ana)).to.deep.equal([]);
    await save(ana, "Só minha");
    await save(ana, "De todos", true);
    expect(await on.axeFindings(ana)).to.deep.equal([]);
    expect(await on.overflow(ana), "at 390 px").to.equal(0);

    const rui = await open(await signedIn(RUI), "overview");
    expect(await listed(rui)).to.deep.equal(["De todos"]);
    expect(await rui.locator("dialog [name=for-all]").count()).to.equal(0);
    expect(await rui.getByRole("button", { name: "Remover De todos" }).count()).to.equal(0);
    await rui.locator("dialog li a").click();
    await rui.waitForURL(/\/acquisition\?from=2025-02-01&to=2025-02-28&compare=previous$/);
    expect(await rui.locator("dialog").count()).to.equal(0);

    await ana.getByRole("button", { name: "Remover De todos" }).click();
    await ana.locator("dialog li a", { hasText: "De todos" }).waitFor({ state: "detached" });
    expect(await ana.locator("dialog li a").allInnerTexts()).to.deep.equal(["Só minha"]);
    expect(errors).to.deep.equal([]);
  });
});
