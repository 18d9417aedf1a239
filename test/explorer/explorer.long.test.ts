import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { SlidingLog } from "../../src/core/http/rateLimit.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors, watchForeign } from "./opened.ts";
import * as on from "./page.ts";

/** An organization without landed data, and one that the credentials have no access to. */
const NEWCOMER = "0bbbbbbb-0000-4000-8000-000000000001";
const THEIRS = "0bbbbbbb-0000-4000-8000-000000000002";
const SECRET = "the-secret-that-is-typed-once";
/** Requests per credential and minute. */
const LIMIT = 100;

/** The period contains all data of the fixtures. */
const FIRST_QUARTER = { from: "2025-01-01", to: "2025-03-31" };
const PERIOD = `from=${FIRST_QUARTER.from}&to=${FIRST_QUARTER.to}`;
const DAYS = `startDate=${FIRST_QUARTER.from}&endDate=${FIRST_QUARTER.to}`;

describe("The Explorer in a browser", () => {
  let opened: Opened;
  let base: string;
  let context: BrowserContext;
  let page: Page;
  const limit = new SlidingLog(LIMIT);

  /** Requests to other hosts, which no test may cause. */
  const foreignRequests: string[] = [];
  /** Errors and warnings of the browser's console. */
  let consoleErrors: string[] = [];
  let requested: string[] = [];
  let clients = 0;
  /** Whether the next test may reuse the tab. */
  let isTabReusable = false;

  before(async function () {
    const executable = findBrowser();
    if (!executable) {
      console.log("      The Explorer is not tested in a browser: the PATH has no chromium or google-chrome.");
      this.skip();
    }
    const data = await landedFixtures();
    await data.settings({ organizationId: NEWCOMER, name: "Nova", integrations: [] });
    await data.sync(NEWCOMER);
    const holds = async (clientId: string) => ({ clientId, organizations: [AURORA, NEWCOMER] });
    opened = await openExplorer(executable, data, AURORA, {
      limit,
      sessions: new Sessions({ dataDir: undefined, credentials: { holds } }),
      credentials: {
        verify: async (clientId, secret) => {
          // The tests' own requests have no limit.
          if (clientId === "test") return { clientId: `test-${clients++}`, organizations: [AURORA] };
          return secret === SECRET ? holds(clientId) : undefined;
        },
      },
    });
    base = opened.base;
  });

  after(async () => {
    limit.shutdown();
    await opened?.close();
  });

  afterEach(function () {
    expect(foreignRequests, "requests to other hosts").to.deep.equal([]);
    consoleErrors = [];
    if (this.currentTest?.state === "failed") isTabReusable = false;
  });

  const newKeys = (organizationId = AURORA): on.Keys => ({
    clientId: `client-${clients++}`,
    clientSecret: SECRET,
    organizationId,
  });

  /** Opens a new tab, which shows the login form. */
  async function openTab(options: BrowserContextOptions = {}): Promise<void> {
    await context?.close();
    // What the tab before said late is of another test.
    consoleErrors = [];
    page = await opened.openSignIn(options, async (tab) => {
      context = tab.context();
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
      watchForeign(tab, base, (address) => foreignRequests.push(address));
      watchErrors(tab, (text) => consoleErrors.push(text));
      tab.on("request", (sent) => {
        const { pathname, search } = new URL(sent.url());
        if (pathname.startsWith("/v1/")) requested.push(pathname + search);
      });
    });
  }

  /**
   * Opens a view of the fixtures' organization with unused credentials. Without options it reuses the previous test's
   * tab if possible, without its session.
   */
  async function openView(hash: string, options?: BrowserContextOptions): Promise<on.Keys> {
    if (options || !isTabReusable) await openTab(options);
    else {
      await context.clearCookies();
      await page.reload();
    }
    isTabReusable = options === undefined;
    const keys = newKeys();
    await page.locator("[name=key]").waitFor();
    await on.goTo(page, hash);
    requested = [];
    await on.signIn(page, keys);
    await on.settled(page);
    return keys;
  }

  /** The answer as CSV, as a client receives it. */
  const csv = async (address: string): Promise<string> => {
    const { clientId, clientSecret } = newKeys();
    const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
    return (await fetch(`${base}/v1/${address}&organizationId=${AURORA}&format=csv`, { headers })).text();
  };

  const expectNoConsoleErrors = () => expect(consoleErrors, "the browser's console").to.deep.equal([]);

  describe("asks for credentials", () => {
    it("and explains a refusal, in the page's language", async () => {
      isTabReusable = false;
      await openTab();
      await on.signIn(page, { ...newKeys(), clientSecret: "wrong" });
      await page.getByRole("alert").getByText("confira a chave").waitFor();
      await on.signIn(page, newKeys());
      await on.settled(page);
      expect(await page.getByRole("alert").count()).to.equal(0);
    });

    it("says what a key is, before it asks the service", async () => {
      isTabReusable = false;
      await openTab();
      await page.fill("[name=key]", "half");
      await page.click("button[type=submit]");
      await page.getByText("Isto não é uma chave").waitFor();
    });

    it("or takes the lines that `keys create` prints, in one paste", async () => {
      isTabReusable = false;
      await openTab();
      const { clientId, clientSecret } = newKeys();
      const printed = `client_id:     ${clientId}\nclient_secret: ${clientSecret}   (shown only once)`;
      await page.evaluate((text) => navigator.clipboard.writeText(text), printed);
      await page.locator("[name=key]").focus();
      await page.keyboard.press("Control+V");
      expect(await page.inputValue("[name=key]")).to.equal(`${clientId} ${clientSecret}`);
      await page.keyboard.press("Enter");
      await on.settled(page);
      expectNoConsoleErrors();
    });

    it("once: a reload, another tab and a link into the page show what they name", async () => {
      await openView(`cohorts?${PERIOD}&group=quarter`);
      expect(page.url(), "the address of the first edition").to.match(/#\/[\w-]+\/customers\?/);
      await page.reload();
      await on.settled(page);
      const other = await context.newPage();
      await other.goto(page.url());
      await on.settled(other);
      expect(await other.getByRole("button", { name: "Trimestre" }).getAttribute("aria-pressed")).to.equal("true");
      await other.close();
      expectNoConsoleErrors();
    });

    it("and keeps them nowhere: the session is in a cookie that scripts cannot read", async () => {
      const keys = await openView("overview");
      for (const view of ["customers", "acquisition", "products", "data"]) await on.show(page, view);
      const stored = await page.evaluate(async () => ({
        address: location.href,
        state: JSON.stringify(history.state),
        cookies: document.cookie,
        local: JSON.stringify(localStorage),
        session: sessionStorage.length,
        databases: (await indexedDB.databases()).length,
        caches: (await caches.keys()).length,
        page: document.documentElement.outerHTML,
      }));
      expect(stored).to.include({ cookies: "", local: "{}", session: 0, databases: 0, caches: 0, state: "null" });
      const [cookie] = await context.cookies();
      expect(cookie).to.include({ name: "lucra_session", httpOnly: true, sameSite: "Strict" });
      for (const secret of [keys.clientId, keys.clientSecret, cookie?.value ?? ""]) {
        expect(requested.join(), "secrets in an address").to.not.include(secret);
        expect(stored.address + stored.page, "secrets in the page").to.not.include(secret);
      }
      expectNoConsoleErrors();
    });

    it("and says if the address names an organization or a value that it ignores", async () => {
      await openView(`${THEIRS}/overview?from=2011-13-45&period=all&colour=blue`);
      const notes = (await page.locator(".banner").allInnerTexts()).join();
      expect(notes)
        .to.include("não dão acesso à organização deste endereço")
        .and.to.include("from=2011-13-45, colour=blue");
      expect(notes).to.not.include("period");
      isTabReusable = false;
      expectNoConsoleErrors();
    });

    it("again after signing out, and clears the fetched data", async () => {
      await openView("overview");
      // The last that is asked.
      await page.locator("[data-pace]").first().waitFor();
      const before = requested.length;
      await on.chooseInMenu(page, "Sair");
      await page.getByText("Você saiu.").waitFor();
      expect(await context.cookies()).to.deep.equal([]);
      await on.signIn(page, newKeys());
      await on.settled(page);
      await page.locator("[data-pace]").first().waitFor();
      expect(requested.slice(before)).to.have.members(requested.slice(0, before));
      expectNoConsoleErrors();
    });
  });

  describe("offers other ways to the data", () => {
    it("as a command without secrets that sends the request of the chart", async () => {
      const keys = await openView(`cohorts?${PERIOD}&group=quarter`);
      await page.locator("[data-picture=map]").getByRole("button", { name: "Mais opções de Coortes" }).click();
      await page.locator(".popover:popover-open").getByText("Copiar comando curl").click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).to.match(
        /^curl -s -H "x-client-id: \$LUCRA_CLIENT_ID" -H "x-client-secret: \$LUCRA_CLIENT_SECRET" "http/,
      );
      for (const secret of Object.values(keys)) expect(copied).to.not.include(secret);
      const address = /"(http[^"]+)"$/.exec(copied)?.[1]?.replace("$LUCRA_ORGANIZATION", keys.organizationId) ?? "";
      expect(requested).to.include(address.replace(base, ""));
      expectNoConsoleErrors();
    });

    it("as CSV, and with the name of its SQL file", async () => {
      await openView(`acquisition?${PERIOD}`);
      const open = () =>
        page.locator("[data-picture=channels]").getByRole("button", { name: "Mais opções de Canais" }).click();
      await open();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".popover:popover-open").getByText("Baixar CSV").click(),
      ]);
      const dialect = "locale=pt-BR&headings=labels";
      // Response.text() drops the byte order mark, which spreadsheets need.
      expect(await readFile(await download.path(), "utf8")).to.equal(
        `\ufeff${await csv(`acquisition/channels?${DAYS}&${dialect}`)}`,
      );
      await open();
      expect(await page.locator(".popover:popover-open").innerText()).to.include("acquisition/channels");
      expectNoConsoleErrors();
    });

    it("for every chart", async () => {
      await openView(`overview?${PERIOD}`);
      for (const view of ["overview", "cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        const pictures = page.locator("[data-picture]");
        const count = await pictures.count();
        expect(count, view).to.be.above(0);
        // A card has them in its menu, an older picture below it.
        const menus = await page.locator("[data-picture] .card-tools > .popover").count();
        const commands = await page.locator("[data-picture] [data-curl]").count();
        expect(Math.max(menus, commands), view).to.equal(count);
      }
      expectNoConsoleErrors();
    });
  });

  describe("is accessible", () => {
    it("with only the keyboard", async () => {
      isTabReusable = false;
      await openTab();
      const { clientId, clientSecret } = newKeys();
      await page.keyboard.press("Tab");
      await page.keyboard.type(`${clientId} ${clientSecret}`);
      await page.keyboard.press("Enter");
      await on.settled(page);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
      await page.keyboard.press("Tab");
      expect(await focused()).to.equal("Pular para o conteúdo");
      const walked: string[] = [];
      for (let n = 0; n < 8; n++) {
        await page.keyboard.press("Tab");
        walked.push(await focused());
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
        expect(outline, `${walked.at(-1)} shows that it has the focus`).to.equal("solid");
      }
      expect(walked.slice(2)).to.deep.equal(["Visão geral", "Aquisição", "Clientes", "Produtos", "Por…", "Dados"]);
      for (let n = 0; n < 4; n++) await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Aquisição" }).waitFor();
      expect(await focused(), "what a screen reader reads next").to.equal("Aquisição");
      await on.settled(page);
      expectNoConsoleErrors();
    });

    for (const colorScheme of ["light", "dark"] as const) {
      it(`without serious findings of axe, ${colorScheme}`, async () => {
        isTabReusable = false;
        await openTab({ colorScheme });
        // Only the contrast depends on the colors.
        const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
        expect(await on.axeFindings(page, rules), "the form").to.deep.equal([]);
        await on.signIn(page, newKeys());
        await on.settled(page);
        for (const view of [
          "overview",
          "cohorts",
          "cohorts?break=origem",
          "acquisition",
          "products",
          "products?product=501",
          "data",
        ]) {
          await on.show(page, view);
          expect(await on.axeFindings(page, rules), view).to.deep.equal([]);
        }
        expectNoConsoleErrors();
      });
    }

    it("on a phone, without scrolling sideways", async () => {
      await openView("overview", { viewport: { width: 390, height: 844 } });
      for (const view of ["overview", "cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        expect(await on.overflow(page), view).to.equal(0);
      }
      expectNoConsoleErrors();
    });

    it("in English too", async () => {
      await openView(`overview?${PERIOD}`);
      await on.chooseInMenu(page, "English");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      expect(await page.getAttribute("html", "lang")).to.equal("en");
      expect(await on.figureText(page, "cards", "revenue", ".value")).to.equal("R$3,000");
      expect(await page.title()).to.equal("Overview · Casa Aurora · Lucra Explorer");
      for (const view of ["cohorts", "acquisition", "products", "products?product=501", "data"]) {
        await on.show(page, view);
        expect(await page.innerText("main"), view).to.not.match(/N\/D|Período|Copiar|Tabela/);
      }
      expectNoConsoleErrors();
    });

    it("in the chosen color scheme, regardless of the system's", async () => {
      await openView("overview", {});
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await on.chooseInMenu(page, "Escuro");
      expect(await ground()).to.not.equal(light);
      await page.reload();
      await on.settled(page);
      expect(await ground(), "remembered").to.not.equal(light);
      await on.chooseInMenu(page, "Claro");
      expect(await ground()).to.equal(light);
      isTabReusable = false;
      expectNoConsoleErrors();
    });
  });

  describe("explains errors", () => {
    afterEach(async () => {
      await page.unrouteAll();
    });

    it("when credentials are no longer valid (401), and asks for new ones", async () => {
      await openView("overview");
      await page.route("**/v1/profitability/cohort*", (route) =>
        route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"Unauthorized"}' }),
      );
      await on.goTo(page, "cohorts");
      await page.getByText("A sessão terminou.").waitFor();
      expect(await page.locator("[name=key]").count()).to.equal(1);
      expect(await on.axeFindings(page)).to.deep.equal([]);
    });

    it("when the limit is reached (429): it says so once, counts the seconds down, and sends nothing meanwhile", async () => {
      const { clientId, clientSecret } = await openView("overview");
      const headers = { "x-client-id": clientId, "x-client-secret": clientSecret };
      const spend = () => fetch(`${base}/v1/products/integrations?organizationId=${AURORA}`, { headers });
      while ((await spend()).status !== 429);
      await on.goTo(page, "acquisition");
      const note = page.locator(".limit-note");
      await note.waitFor();
      const seconds = Number(/(\d+) s/.exec(await note.locator(".countdown").innerText())?.[1]);
      expect(seconds).to.be.within(40, 60);
      expect(await note.innerText()).to.include("Muitas consultas em um minuto.");
      expect(await page.getByRole("alert").count(), "a note for the page, none for each card").to.equal(0);
      const before = requested.length;
      await on.goTo(page, "products");
      await page.locator("[data-picture=products] .skeleton").waitFor();
      expect(requested.length, "requests that would be refused").to.equal(before);
      expect(await on.axeFindings(page)).to.deep.equal([]);
      isTabReusable = false;
    });

    it("and goes on by itself after the wait, at the start of the page too", async () => {
      await openView("overview");
      for (const refused of ["**/v1/acquisition/channels*", "**/v1/organizations"]) {
        let refusals = 0;
        await page.route(refused, (route) =>
          refusals++ > 1
            ? route.continue()
            : route.fulfill({
                status: 429,
                headers: { "retry-after": "1" },
                contentType: "application/json",
                body: '{"message":"Limite"}',
              }),
        );
        if (refused.includes("organizations")) await page.reload();
        else await on.goTo(page, "acquisition");
        await page.locator(".limit-note").waitFor();
        await page.locator("[data-picture=channels] tbody tr").first().waitFor();
        await page.locator(".limit-note").waitFor({ state: "detached" });
        expect(refusals, refused).to.be.above(2);
      }
    });

    it("when the service is busy (503), and retries on a click", async () => {
      await openView("overview");
      let refusals = 0;
      await page.route("**/v1/profitability/cohort*", (route) =>
        refusals++ > 0
          ? route.continue()
          : route.fulfill({
              status: 503,
              headers: { "retry-after": "30" },
              contentType: "application/json",
              body: '{"error":"Service Unavailable","message":"O serviço está ocupado. Tente novamente em instantes."}',
            }),
      );
      await on.goTo(page, "cohorts");
      const map = page.locator("[data-picture=map]");
      await map.getByText("O serviço está ocupado.", { exact: true }).waitFor();
      await map.getByText(/Nova tentativa em \d+ s/).waitFor();
      expect(await on.axeFindings(page)).to.deep.equal([]);
      await map.getByRole("button", { name: "Tentar agora" }).click();
      await map.locator(".cell").first().waitFor();
    });

    it("when the network is down, and recovers with it", async () => {
      await openView("overview");
      await context.setOffline(true);
      await on.goTo(page, "cohorts");
      await page.locator("[data-picture=map]").getByText("Sem conexão com o serviço.").waitFor();
      await context.setOffline(false);
      await page.locator("[data-picture=map] .cell").first().waitFor();
    });

    it("when the service fails (500), with the request id", async () => {
      await openView("overview");
      await page.route("**/v1/profitability/cohort*", (route) =>
        route.fulfill({
          status: 500,
          headers: { "x-request-id": "abc-123" },
          contentType: "application/json",
          body: "{}",
        }),
      );
      await on.goTo(page, "cohorts");
      await page.locator("[data-picture=map]").getByText("abc-123").waitFor();
    });

    it("when a parameter is refused (400), with its name", async () => {
      await openView(`products?${PERIOD}&minNetSales=5&maxNetSales=1`);
      const alert = page.locator("[data-picture=products]").getByRole("alert");
      expect(await alert.innerText()).to.include("minNetSales não pode ser maior que maxNetSales");
    });

    it("when the product does not exist (404)", async () => {
      await openView(`products?${PERIOD}&product=nothing`);
      expect(await page.locator("[data-picture=summary]").innerText()).to.include("Isto não existe.");
    });

    it("when there is no data yet, with instructions", async () => {
      isTabReusable = false;
      await openTab();
      await on.goTo(page, `${NEWCOMER.slice(0, 8)}/overview`);
      await on.signIn(page, newKeys());
      await page.getByRole("heading", { name: "Ainda não há dados" }).waitFor();
      expect(await page.innerText("main")).to.include("npm run -s lucra -- sync");
      expect(await on.axeFindings(page)).to.deep.equal([]);
      expectNoConsoleErrors();
    });
  });

  it("shows no investment where no account of ads is connected: it is unknown, not 0", async () => {
    await openTab();
    isTabReusable = false;
    await page.route("**/v1/organizations", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { connectors: { connector: string }[] }[] };
      const isStore = ({ connector }: { connector: string }) => !["socialads", "searchads"].includes(connector);
      const data = body.data.map((one) => ({ ...one, connectors: one.connectors.filter(isStore) }));
      await route.fulfill({ response, json: { ...body, data } });
    });
    await on.goTo(page, `overview?${PERIOD}`);
    await on.signIn(page, newKeys());
    await on.settled(page);
    expect(await on.figureText(page, "cards", "investment"))
      .to.include("N/D")
      .and.to.include("nenhuma conta de anúncios");
    await on.show(page, `acquisition?${PERIOD}`);
    expect(await page.locator("[data-picture=summary]").innerText()).to.include(
      "Nenhuma conta de anúncios está conectada",
    );
    expect(await on.figureText(page, "summary", "acquisitionInvestment", ".value")).to.include("N/D");
    await on.show(page, `data?${PERIOD}`);
    await page.locator("[data-picture=checks]").waitFor();
    expect(await page.locator("[data-picture=accounts]").count(), "what ad platforms claim").to.equal(0);
    await page.unrouteAll();
    expectNoConsoleErrors();
  });

  it("shows the number of remaining requests, and sends no request twice", async () => {
    await openView("overview");
    const left = async () => Number(/^\d+/.exec((await page.locator(".quota").textContent()) ?? "")?.[0]);
    const signIns = 1;
    // Cards below the first ones may still be loading.
    for (let n = 0; n < 100 && (await left()) !== LIMIT - signIns - requested.length; n++)
      await page.waitForTimeout(100);
    expect(await left()).to.equal(LIMIT - signIns - requested.length);
    await on.show(page, "cohorts");
    const all = requested.length;
    expect(new Set(requested).size).to.equal(all);
    await on.show(page, "overview");
    await on.show(page, "cohorts");
    expect(requested.length, "asked once").to.equal(all);
    await on.chooseInMenu(page, "Atualizar a página");
    await on.settled(page);
    expect(requested.length).to.be.above(all);
    expectNoConsoleErrors();
  });

  it("shows the same view again from its address", async () => {
    await openView("cohorts?period=all");
    await page.getByRole("button", { name: "Trimestre" }).click();
    await page.getByLabel("Detalhar por").selectOption("cupom");
    await on.settled(page);
    await page.reload();
    await on.settled(page);
    expect(requested.some((address) => /groupBy=quarter&breakBy=cupom$/.test(address))).to.equal(true);
    await page.locator(".toolbar-wide .popover-button").first().click();
    const hidden = await page.locator(".popover:popover-open").evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(hidden, "what the box of the period cuts off").to.equal(0);
    await page.getByLabel("De", { exact: true }).first().fill("2025-02-01");
    await page.getByRole("button", { name: "Aplicar" }).first().click();
    await on.settled(page);
    expect(page.url()).to.include("from=2025-02-01").and.to.include("to=2025-03-21");
    await page.goBack();
    await on.settled(page);
    expect(page.url(), "the step before").to.include("period=all").and.to.include("break=cupom");
    await page.goBack();
    await page.goBack();
    await on.settled(page);
    expect(page.url()).to.not.include("group=");
    expectNoConsoleErrors();
  });
});
