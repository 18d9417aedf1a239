import { expect } from "chai";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { watchErrors } from "./opened.ts";
import * as on from "./page.ts";
import { linkIn, type MailServer, type Process, serveProcess, startMailServer } from "./service.ts";

const ANA = "ana@example.com";
const RUI = "rui@example.com";

/** Browsers at a service, each with cookies of its own. */
class Visits {
  readonly #browser: Browser;
  readonly #base: string;
  #contexts: BrowserContext[] = [];

  constructor(browser: Browser, base: string) {
    this.#browser = browser;
    this.#base = base;
  }

  async begin(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const all = {
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
      locale: "pt-BR",
      ...options,
    } as const;
    const context = await this.#browser.newContext(all);
    this.#contexts.push(context);
    return context;
  }

  async open(context: BrowserContext, address = "/explorer"): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(new URL(address, this.#base).href);
    return page;
  }

  async end(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    this.#contexts = [];
  }
}

const isIn = (page: Page): Promise<void> => page.locator(".main-menu").waitFor();
const whoWouldSignIn = (page: Page): Promise<string> => page.locator(".sign-in-who").innerText();
const press = (page: Page): Promise<void> => page.locator(".sign-in-card form:has(.primary) .primary").first().click();
const cookieOf = async (context: BrowserContext): Promise<string | undefined> =>
  (await context.cookies()).find(({ name }) => name === "lucra_session")?.value;
const wrongFor = (code: string): string => (code.startsWith("A") ? `B${code.slice(1)}` : `A${code.slice(1)}`);

/** Asks for a link in a page at the sign-in. */
async function askFor(page: Page, email: string): Promise<void> {
  await page.fill("[name=email]", email);
  await press(page);
  await page.locator("[name=code]").waitFor();
}

async function type(page: Page, code: string): Promise<void> {
  await page.fill("[name=code]", code);
  await page.locator("form:has([name=code]) .primary").click();
}

describe("The sign-in by mail, in browsers", function () {
  this.timeout(600_000);
  let service: Process;
  let mails: MailServer;
  let browser: Browser;
  let visits: Visits;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    mails = await startMailServer();
    service = await serveProcess({ LUCRA_SMTP_URL: mails.url, LUCRA_MAIL_FROM: "lucra@example.com" });
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    await service.lucra("people", "add", RUI, "--organization", AURORA, "--role", "viewer");
    browser = await startBrowser(executable);
    visits = new Visits(browser, service.base);
  });

  afterEach(() => visits?.end());

  after(async () => {
    await browser?.close();
    await service?.close();
    await mails?.close();
  });

  it("needs only the button in the browser that asked, once; the address keeps no token", async () => {
    const context = await visits.begin();
    await askFor(await visits.open(context), ANA);
    const { link } = linkIn(await mails.next(ANA));
    const page = await visits.open(context, link);
    expect(await whoWouldSignIn(page))
      .to.include(ANA)
      .and.to.include("Casa Aurora");
    expect(page.url()).to.not.include("signin");
    expect(await page.locator("[name=code]").count()).to.equal(0);
    expect(await cookieOf(context), "nothing happens before the button").to.equal(undefined);
    await press(page);
    await isIn(page);
    await page.locator(".main-menu").click();
    expect(await page.locator(".popover:popover-open").innerText()).to.include(ANA);
    await page.keyboard.press("Escape");
    await page.locator("a[href*='/acquisition']").first().click();
    await page.waitForURL(/acquisition/);
    expect(page.url(), "after a click, too").to.not.include("signin").and.to.not.include("%3D");
    const again = await visits.open(await visits.begin(), link);
    await again.getByText("já foi usado ou venceu").waitFor();
  });

  it("asks for the code in another browser: a wrong one costs a try, the right one signs in", async () => {
    await askFor(await visits.open(await visits.begin()), ANA);
    const { link, code } = linkIn(await mails.next(ANA));
    const context = await visits.begin();
    const page = await visits.open(context, link);
    await page.locator("[name=code]").waitFor();
    await type(page, "ABC");
    await page.getByText("O código tem 8 letras e números.").waitFor();
    await type(page, wrongFor(code));
    await page.getByText("4 tentativas restantes").waitFor();
    expect(await cookieOf(context)).to.equal(undefined);
    await type(page, code.toLowerCase().replace("-", " "));
    await isIn(page);
  });

  it("takes the code alone in the page that asked", async () => {
    const page = await visits.open(await visits.begin());
    await askFor(page, RUI);
    await type(page, linkIn(await mails.next(RUI)).code);
    await isIn(page);
  });

  it("says that a code was tried too often", async () => {
    await askFor(await visits.open(await visits.begin()), RUI);
    const { link, code } = linkIn(await mails.next(RUI));
    const page = await visits.open(await visits.begin(), link);
    await page.locator("[name=code]").waitFor();
    for (const said of ["4 tentativas", "3 tentativas", "2 tentativas", "1 tentativa", "vezes demais"]) {
      await type(page, wrongFor(code));
      await page.locator(".banner-bad", { hasText: said }).waitFor();
    }
    await type(page, code);
    await page.getByText("O link já foi usado ou venceu").waitFor();
  });

  it("answers the same to an address that nobody has, and sends nothing", async () => {
    const page = await visits.open(await visits.begin());
    await askFor(page, "nobody@example.com");
    expect(await page.locator(".banner-good").innerText()).to.include("Se nobody@example.com tem acesso");
    await page.waitForTimeout(3_000);
    expect(mails.waiting).to.deep.equal([]);
  });

  it("changes nothing for a mail scanner that opens the link, runs its scripts and presses its buttons", async () => {
    const asking = await visits.begin();
    await askFor(await visits.open(asking), RUI);
    const { link } = linkIn(await mails.next(RUI));
    const scanner = await visits.begin();
    const scanned = await visits.open(scanner, link);
    await scanned.locator(".sign-in-who").waitFor();
    for (const name of ["Entrar", "English", "Entrar de outra forma", "Sign in another way"]) {
      const button = scanned.getByRole("button", { name, exact: true });
      if ((await button.count()) > 0) await button.first().click();
      await scanned.waitForTimeout(200);
    }
    expect(await cookieOf(scanner), "the scanner is not signed in").to.equal(undefined);
    const page = await visits.open(asking, link);
    await page.locator(".sign-in-who").waitFor();
    await press(page);
    await isIn(page);
  });

  it("signs in a viewer without settings, who is told so at their address", async () => {
    const page = await visits.open(await visits.begin());
    await askFor(page, RUI);
    await type(page, linkIn(await mails.next(RUI)).code);
    await isIn(page);
    await page.locator(".main-menu").click();
    const menu = await page.locator(".popover:popover-open").innerText();
    expect(menu).to.include("Minhas sessões").and.to.not.include("Configurações");
    await page.keyboard.press("Escape");
    const asked: string[] = [];
    page.on("request", (sent) => asked.push(new URL(sent.url()).pathname));
    await on.goTo(page, "settings/people");
    await page.getByText("Só administradores desta organização veem as configurações").waitFor();
    expect(asked.filter((path) => path.startsWith("/platform/organizations"))).to.deep.equal([]);
  });

  it("lists the person's sessions, ends one of them, and all", async () => {
    const [first, second] = [await visits.begin(), await visits.begin({ locale: "en-US" })];
    const pages: Page[] = [];
    for (const context of [first, second]) {
      const page = await visits.open(context, (await service.lucra("people", "link", ANA)).trim());
      await page.locator(".sign-in-who").waitFor();
      await press(page);
      await isIn(page);
      pages.push(page);
    }
    const [one, other] = pages as [Page, Page];
    await on.chooseInMenu(one, "Minhas sessões");
    await one.locator(".account-sessions li").first().waitFor();
    expect(await one.locator(".account-this").count()).to.equal(1);
    expect(await on.axeFindings(one)).to.deep.equal([]);
    while ((await one.getByRole("button", { name: /^Encerrar/ }).count()) > 0) {
      const before = await one.locator(".account-sessions li").count();
      await one
        .getByRole("button", { name: /^Encerrar/ })
        .first()
        .click();
      await one.waitForFunction((n) => document.querySelectorAll(".account-sessions li").length < n, before);
    }
    await other.reload();
    await other.locator("[name=email]").waitFor();
    await one.getByRole("button", { name: "Sair de todos", exact: true }).click();
    await one.getByRole("button", { name: "Sair de todos", exact: true }).click();
    await one.getByText("Você saiu.").waitFor();
    expect(await cookieOf(first)).to.equal(undefined);
  });

  it("keeps the language of the page as the person's", async () => {
    const context = await visits.begin();
    const page = await visits.open(context, (await service.lucra("people", "link", ANA)).trim());
    await page.locator(".sign-in-who").waitFor();
    await press(page);
    await isIn(page);
    const stored = page.waitForResponse((sent) => sent.request().method() === "PUT");
    await on.chooseInMenu(page, "English");
    expect((await stored).status()).to.equal(200);
    const other = await visits.open(await visits.begin(), (await service.lucra("people", "link", ANA)).trim());
    await other.locator(".sign-in-who").waitFor();
    await press(other);
    await other.locator(".top-nav", { hasText: "Overview" }).waitFor();
    await on.chooseInMenu(other, "Português");
    await other.locator(".top-nav", { hasText: "Visão geral" }).waitFor();
  });

  it("has the key behind a disclosure, which works as ever, and only reads", async () => {
    const made = await service.lucra("keys", "create", "--organization", AURORA, "--name", "test", "--json");
    const { client_id: clientId, client_secret: clientSecret } = JSON.parse(made);
    const page = await visits.open(await visits.begin());
    await page.locator("summary").click();
    await page.fill("[name=key]", `${clientId} ${clientSecret}`);
    await page.locator("form:has([name=key]) .primary").click();
    await isIn(page);
    await on.goTo(page, "settings");
    await page.getByText("Quem entrou com uma chave só lê").waitFor();
  });

  for (const [locale, width] of [
    ["pt-BR", 1280],
    ["en-US", 390],
  ] as const)
    it(`can be read and reached at ${width} px in ${locale}`, async () => {
      const errors: string[] = [];
      const context = await visits.begin({ locale, viewport: { width, height: 844 } });
      const page = await visits.open(context);
      watchErrors(page, (text) => errors.push(text));
      await page.locator("[name=email]").waitFor();
      for (const step of ["mail", "code", "link"]) {
        if (step === "code") await askFor(page, "nobody@example.com");
        if (step === "link") {
          await page.goto("about:blank");
          await page.goto((await service.lucra("people", "link", RUI)).trim());
          await page.locator(".sign-in-who").waitFor();
        }
        expect(await on.axeFindings(page), step).to.deep.equal([]);
        expect(await on.overflow(page), step).to.equal(0);
      }
      expect(errors).to.deep.equal([]);
    });
});

describe("An invitation without mail, in browsers", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let visits: Visits;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess();
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    browser = await startBrowser(executable);
    visits = new Visits(browser, service.base);
  });

  afterEach(() => visits?.end());

  after(async () => {
    await browser?.close();
    await service?.close();
  });

  it("is a link and a code that the admin sees once, and signs the person in with its role", async () => {
    const page = await visits.open(await visits.begin(), (await service.lucra("people", "link", ANA)).trim());
    await page.locator(".sign-in-who").waitFor();
    await press(page);
    await isIn(page);
    await on.goTo(page, "settings/people");
    await page.fill(".settings-form [name=email]", "Bia@Example.com ");
    await page.locator(".settings-form .primary").click();
    const once = page.locator(".settings-once");
    await once.waitFor();
    const { link, code } = linkIn({ to: "", text: await once.innerText() });
    expect(link).to.match(/^http/);
    await page.locator(".settings-rows", { hasText: "bia@example.com" }).waitFor();
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await page.reload();
    await page.locator(".settings-rows", { hasText: "bia@example.com" }).waitFor();
    expect(await page.locator("body").innerText()).to.not.include(code);

    const invited = await visits.open(await visits.begin(), link);
    await invited.getByText("Convite para o Lucra").waitFor();
    await type(invited, code);
    await isIn(invited);
    await invited.locator(".main-menu").click();
    expect(await invited.locator(".popover:popover-open").innerText())
      .to.include("bia@example.com")
      .and.to.not.include("Configurações");
    await invited.keyboard.press("Escape");
    await page.getByRole("button", { name: "Remover: bia@example.com" }).click();
    await page.locator(".settings-confirm .danger").click();
    await page.waitForFunction(() => !document.body.innerText.includes("bia@example.com"));
    await invited.waitForTimeout(1_500);
    await invited.reload();
    await invited.locator(".sign-in").waitFor();
  });

  it("does not take the last admin", async () => {
    const page = await visits.open(await visits.begin(), (await service.lucra("people", "link", ANA)).trim());
    await page.locator(".sign-in-who").waitFor();
    await press(page);
    await isIn(page);
    await on.goTo(page, "settings/people");
    await page.getByRole("button", { name: `Tornar leitor: ${ANA}` }).click();
    await page.locator(".settings-confirm .danger").click();
    await page.getByText("É o último administrador desta organização").waitFor();
  });
});
