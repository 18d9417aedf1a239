import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { watchErrors } from "./opened.ts";
import * as on from "./page.ts";
import { linkIn, type MailServer, type Process, serveProcess, startMailServer } from "./service.ts";

const ANA = "ana@example.com";
const OPS = "ops@example.com";

/** Waits until an address is answered so: documents are read again within a second. */
async function answers(address: string, status: number, headers: Record<string, string> = {}): Promise<void> {
  let last = 0;
  for (let left = 30; left > 0; left--) {
    last = (await fetch(address, { headers })).status;
    if (last === status) return;
    await sleep(200);
  }
  expect(last, address).to.equal(status);
}

describe("The settings of the Explorer, in a browser", function () {
  this.timeout(600_000);
  let service: Process;
  let mails: MailServer;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  /** Signed in once: each test opens a page of its own. */
  let admin: BrowserContext;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    mails = await startMailServer();
    service = await serveProcess({
      LUCRA_SMTP_URL: mails.url,
      LUCRA_MAIL_FROM: "lucra@example.com",
      LUCRA_SHARE_LINKS: "on",
    });
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    await service.lucra("people", "add", OPS, "--operator");
    browser = await startBrowser(executable);
    admin = await signedIn(ANA);
  });

  afterEach(async () => {
    for (const page of contexts.flatMap((context) => context.pages())) await page.close();
  });

  after(async () => {
    await browser?.close();
    await service?.close();
    await mails?.close();
  });

  async function signedIn(email: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const all = {
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
      locale: "pt-BR",
      ...options,
    } as const;
    const context = await browser.newContext(all);
    contexts.push(context);
    const page = await context.newPage();
    await page.goto((await service.lucra("people", "link", email)).trim());
    await page.locator(".sign-in-who").waitFor({ timeout: 60_000 });
    await page.locator("form .primary").click();
    await page.locator(".main-menu").waitFor({ timeout: 60_000 });
    await page.close();
    return context;
  }

  async function open(section: string, context: BrowserContext = admin): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${service.base}/explorer#/${AURORA}/settings${section === "" ? "" : `/${section}`}`);
    await page.locator(".settings").waitFor();
    await loaded(page);
    return page;
  }

  const loaded = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => document.querySelector(".settings") && !document.querySelector(".settings .skeleton"));

  const shownOnce = (page: Page): Promise<string> => page.locator(".settings-once").innerText();

  it("are in the menu of an admin, and load no section before it is opened", async () => {
    const page = await admin.newPage();
    page.setDefaultTimeout(60_000);
    const scripts: string[] = [];
    page.on("request", (sent) => scripts.push(new URL(sent.url()).pathname));
    await page.goto(`${service.base}/explorer#/${AURORA}/data`);
    await page.locator(".main-menu").waitFor();
    expect(scripts.filter((name) => /settings|People|DataApi/i.test(name))).to.deep.equal([]);
    await on.chooseInMenu(page, "Configurações");
    await page.getByRole("link", { name: "Pessoas" }).click();
    await page.locator(".settings-rows", { hasText: ANA }).waitFor();
    expect(page.url()).to.match(/\/settings\/people$/);
    expect(scripts.filter((name) => /DataApi/.test(name))).to.deep.equal([]);
    await page.goBack();
    expect(page.url()).to.match(/\/settings$/);
  });

  for (const [locale, width] of [
    ["pt-BR", 1280],
    ["en-US", 390],
  ] as const)
    it(`can be read and reached at ${width} px in ${locale}: every section, without an error`, async () => {
      const context = await signedIn(OPS, { locale, viewport: { width, height: 844 } });
      const page = await open("", context);
      const errors: string[] = [];
      watchErrors(page, (text) => errors.push(text));
      const names = await page
        .locator(".settings-list a")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("/").at(-1) ?? ""));
      expect(names).to.include.members(["organization", "people", "data-api", "links", "log", "organizations"]);
      for (const name of ["", ...names]) {
        await on.goTo(page, `${AURORA}/settings${name === "" ? "" : `/${name}`}`);
        await loaded(page);
        expect(await on.axeFindings(page), name).to.deep.equal([]);
        expect(await on.overflow(page), name).to.equal(0);
        if (width === 390) {
          const isList = await page.locator(".settings-list").isVisible();
          expect(isList, `${name}: the list or the section`).to.equal(name === "");
        }
      }
      expect(errors).to.deep.equal([]);
    });

  it("show what changed meanwhile, and save on top of it", async () => {
    const [mine, theirs] = [await open("organization"), await open("organization")];
    await theirs.fill("[name=name]", "Aurora de outra pessoa");
    await theirs.locator(".settings-form .primary").click();
    await theirs.locator("header", { hasText: "Aurora de outra pessoa" }).first().waitFor();
    await mine.fill("[name=name]", "Aurora minha");
    await mine.locator(".settings-form .primary").click();
    await mine.getByText("Isto mudou enquanto você editava").waitFor();
    expect(await mine.locator(".problem").innerText()).to.include("Aurora de outra pessoa");
    await mine.getByRole("button", { name: "Salvar o meu mesmo assim" }).click();
    await mine.locator("header", { hasText: "Aurora minha" }).first().waitFor();
    expect(JSON.parse(await service.data.text(`organizations/${AURORA}.json`)).name).to.equal("Aurora minha");
  });

  it("make a credential whose secret is shown once, renew it and end it", async () => {
    const page = await open("data-api");
    const keysOf = (text: string): Record<string, string> => ({
      "x-client-id": /x-client-id: ([\w-]+)/.exec(text)?.[1] ?? "",
      "x-client-secret": /x-client-secret: ([\w-]+)/.exec(text)?.[1] ?? "",
    });
    const isAnswered = (keys: Record<string, string>, status: number): Promise<void> =>
      answers(`${service.base}/v1/profitability/cards?organizationId=${AURORA}`, status, keys);
    await page.fill("[name=name]", "Planilha");
    await page.locator(".settings-form .primary").click();
    await page.locator(".settings-once").waitFor();
    const first = keysOf(await shownOnce(page));
    await isAnswered(first, 200);
    await page.reload();
    await page.locator(".settings-rows", { hasText: "Planilha" }).waitFor();
    expect(await page.locator("body").innerText()).to.not.include(first["x-client-secret"]);
    await page.getByRole("button", { name: "Novo segredo: Planilha" }).click();
    await page.locator(".settings-rows select").selectOption("now");
    await page.getByRole("button", { name: "Gerar segredo" }).click();
    await page.locator(".settings-once").waitFor();
    const second = keysOf(await shownOnce(page));
    expect(second["x-client-secret"]).to.not.equal(first["x-client-secret"]);
    await isAnswered(second, 200);
    await isAnswered(first, 401);
    await page.getByRole("button", { name: "Revogar: Planilha" }).click();
    await page.locator(".settings-confirm .danger").click();
    await page.waitForFunction(() => !document.querySelector(".settings-rows"));
    await isAnswered(second, 401);
  });

  it("do once what is asked again after an answer that never came", async () => {
    const page = await open("data-api");
    let isLost = false;
    await page.route("**/credentials", async (route) => {
      if (isLost || route.request().method() !== "POST") return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await page.fill("[name=name]", "Uma só");
    const create = page.getByRole("button", { name: "Criar credencial" });
    await create.click();
    await page.getByText("O que já foi feito não é feito outra vez.").waitFor();
    await create.click();
    await page.getByText("Isto já foi feito, e o segredo só aparece uma vez.").waitFor();
    await page.reload();
    await page.locator(".settings-rows", { hasText: "Uma só" }).waitFor();
    expect(await page.locator(".settings-rows li", { hasText: "Uma só" }).count()).to.equal(1);
  });

  it("make a pin and a link to data, from the curl line of a card, and end both", async () => {
    const page = await open("links");
    await page.fill("[name=pin]", "fechamento");
    await page.getByRole("button", { name: "Marcar", exact: true }).click();
    await page.getByRole("link", { name: "fechamento" }).waitFor();
    await page.fill("[name=name]", "Canais");
    await page.fill(
      "[name=endpoint]",
      `curl -s -H "x-client-id: $ID" "${service.base}/v1/acquisition/channels?organizationId=$ORG&format=csv"`,
    );
    await page.getByRole("button", { name: "Criar link" }).click();
    await page.locator(".settings-once").waitFor();
    const [address = ""] = /http\S+/.exec(await shownOnce(page)) ?? [];
    await answers(address, 200);
    for (const name of ["Revogar: Canais", "Remover: fechamento"]) {
      await page.getByRole("button", { name }).click();
      await page.locator(".settings-confirm .danger").click();
      await page.getByRole("button", { name }).waitFor({ state: "detached" });
    }
    await answers(address, 404);
  });

  it("say in the log who changed what, and mark what was interrupted", async () => {
    const file = path.join(service.data.path, "audit", `${AURORA}.ndjson`);
    const line = { id: "interrupted1", at: new Date().toISOString(), person: ANA, organization: AURORA };
    const begun = { ...line, what: "pins.create", after: { name: "meio-feita" } };
    await writeFile(file, `${JSON.stringify(begun)}\n`, { flag: "a" });
    const page = await open("log");
    const text = await page.locator(".settings-rows").innerText();
    expect(text).to.match(/Comando no servidor \(.+\) deu acesso a ana@example.com \(administrador\)/);
    expect(text).to.include(`${ANA} criou a credencial Planilha`).and.to.include(`${ANA} revogou o link Canais`);
    const half = page.locator(".settings-rows li", { hasText: "meio-feita" });
    expect(await half.innerText()).to.include("interrompida");
    const renamed = page.locator(".settings-rows li", { hasText: "mudou os dados da organização" }).first();
    await renamed.locator("summary").click();
    expect(await renamed.innerText()).to.match(/name\s+Aurora de outra pessoa\s*→\s*Aurora minha/);
  });

  it("ask for a sign-in where the last one is older than 12 hours, and go on with the change", async () => {
    const file = path.join(service.data.path, "sessions.json");
    const content = JSON.parse(await readFile(file, "utf8"));
    const old = new Date(Date.now() - 13 * 3_600_000).toISOString();
    for (const session of content.sessions) if (session.person === ANA) session.createdAt = old;
    await writeFile(file, JSON.stringify(content));
    const page = await open("people");
    await page.waitForTimeout(1_500);
    await page.fill(".settings-form [name=email]", "leo@example.com");
    await page.locator(".settings-form .primary").click();
    const box = page.getByRole("dialog", { name: "Entrar de novo" });
    await box.waitFor();
    expect(await on.axeFindings(page)).to.deep.equal([]);
    await box.locator(".primary").click();
    await box.locator("[name=code]").fill(linkIn(await mails.next(ANA)).code);
    await box.locator("form:has([name=code]) .primary").click();
    await page.getByText("O convite para leo@example.com está a caminho.").waitFor();
    expect(linkIn(await mails.next("leo@example.com")).link).to.match(/^http/);
    await page.locator(".settings-rows", { hasText: "leo@example.com" }).waitFor();
  });

  it("let an operator add an organization, which is opened for its first data, and rename it", async () => {
    const operator = await signedIn(OPS);
    const first = await open("organizations", operator);
    await first.fill("[name=name]", "Loja Nova");
    await first.getByRole("button", { name: "Criar organização" }).click();
    await first.locator("[data-step=source]").waitFor();
    expect(await first.locator(".organization").first().innerText()).to.include("Loja Nova");
    const page = await open("organizations", operator);
    await page.locator(".settings-rows", { hasText: "Loja Nova" }).waitFor();
    await page.getByRole("button", { name: "Renomear: Loja Nova" }).click();
    await page.fill("[name=rename]", "Loja Renomeada");
    await page.locator(".settings-rows .primary").click();
    await page.locator(".settings-rows", { hasText: "Loja Renomeada" }).waitFor();
    await page.locator(".organization").first().click();
    await page.locator(".popover:popover-open", { hasText: "Loja Renomeada" }).waitFor();
  });
});
