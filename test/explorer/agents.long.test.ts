import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Credentials } from "../../src/core/access/credentials.ts";
import { PeopleAccess } from "../../src/features/people/access.ts";
import { People } from "../../src/features/people/people.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA, type DataFolder, freePort } from "../support/data.ts";
import { GENERATIONS } from "../support/mcp.ts";
import {
  type Callback,
  KeptSignIn,
  type OfficialClient,
  officialClient,
  openCallback,
} from "../support/oauthClients.ts";
import { type Serving, startServing } from "../support/serving.ts";
import { landedFixtures } from "../support/shared.ts";
import { AXE, findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";

const ANA = "ana@example.com";

describe("Official clients sign in at a service that runs, with a browser [D97]", function () {
  this.timeout(300_000);
  let data: DataFolder;
  let serving: Serving;
  let browser: Browser;
  let context: BrowserContext;
  let callback: Callback;
  let base: string;
  let people: People;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    data = await landedFixtures();
    const port = await freePort();
    base = `http://localhost:${port}`;
    serving = await startServing(data, [], undefined, { PORT: String(port), LUCRA_PUBLIC_URL: base });
    people = new People(data.path);
    await people.add(ANA, { organizations: [AURORA], role: "viewer" });
    await people.update(ANA, { language: "en" });
    browser = await startBrowser(executable);
    callback = await openCallback();
  });
  after(async () => {
    callback?.close();
    await browser?.close();
    await serving?.stop();
  });
  beforeEach(async () => {
    const access = new PeopleAccess({ people, organizations: { ids: async () => [AURORA] } });
    const sessions = new Sessions({ dataDir: data.path, credentials: new Credentials(data.path), people: access });
    const { token } = await sessions.startOf({ person: ANA }, "Firefox/1 Linux");
    await sleep(600);
    context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
    await context.addCookies([{ name: "lucra_session", value: token, url: base, httpOnly: true, sameSite: "Strict" }]);
  });
  afterEach(() => context.close());

  /** The page of the consent, opened by a link of another site. */
  const consentTo = async (signIn: KeptSignIn, client: OfficialClient): Promise<Page> => {
    await client.list().then(
      () => expect.fail("it was let in without a consent"),
      () => {},
    );
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(callback.linkTo(String(signIn.asked)));
    await page.click("#go");
    await page.getByRole("button", { name: "Let it read" }).waitFor();
    return page;
  };
  const letIn = async (signIn: KeptSignIn, client: OfficialClient): Promise<void> => {
    const page = await consentTo(signIn, client);
    await page.getByRole("button", { name: "Let it read" }).click();
    const answer = await callback.next();
    expect(answer.get("iss")).equals(base);
    expect(answer.get("state")).equals(signIn.state());
    await client.finish(answer);
    await page.close();
  };

  for (const generation of GENERATIONS) {
    it(`the client of ${generation} signs in, refreshes in parallel, stays signed in, and ends in the page`, async () => {
      const signIn = new KeptSignIn(callback.address);
      const client = officialClient(`${base}/mcp`, signIn, generation);
      await letIn(signIn, client);
      expect(await client.list())
        .include("what_changed")
        .and.include("list_organizations");
      for (let round = 0; round < 3; round++) {
        // As after an hour: each of them finds its access token refused, and refreshes with the same one.
        signIn.kept = {
          ...signIn.kept,
          access_token: `${String(signIn.kept?.access_token).slice(0, 22)}.${"x".repeat(43)}`,
        };
        const same = { ...signIn.kept };
        const parallel = Array.from({ length: 5 }, () => {
          const one = new KeptSignIn(callback.address);
          one.saveClientInformation(signIn.clientInformation());
          one.kept = { ...same };
          return { one, client: officialClient(`${base}/mcp`, one, generation) };
        });
        const lists = await Promise.all(parallel.map((each) => each.client.list()));
        expect(lists.every((names) => names.length > 5)).equals(true);
        expect(new Set(parallel.map(({ one }) => one.kept?.refresh_token)).size).equals(5);
        signIn.kept = parallel.at(-1)?.one.kept;
      }
      const page = await context.newPage();
      await page.goto(`${base}/explorer`);
      await on.chooseInMenu(page, "My sessions");
      const row = page.locator("li", { hasText: "Official client" }).first();
      await row.getByRole("button").click();
      await row.waitFor({ state: "detached" });
      await sleep(1_000);
      signIn.asked = undefined;
      await client.list().catch(() => {});
      expect(String(signIn.asked)).contain("/oauth/authorize");
    });
  }

  it("the page says who asks, in both languages, at 390 px and without a fault of accessibility; refused, the client hears it", async () => {
    const signIn = new KeptSignIn(callback.address);
    const page = await consentTo(signIn, officialClient(`${base}/mcp`, signIn, "2026"));
    await page.setViewportSize({ width: 390, height: 844 });
    const text = await page.locator("main").innerText();
    expect(text).contain("Official client").and.contain(new URL(callback.address).host).and.contain("this computer");
    await page.evaluate(AXE);
    const faults = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
      return (await axe.run()).violations.map(({ id }) => id);
    });
    expect(faults).deep.equal([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wide).equals(false);
    await page.getByRole("button", { name: "Português" }).click();
    await page.getByRole("button", { name: "Permitir a leitura" }).waitFor();
    if (process.env.LUCRA_SCREENSHOTS) await page.screenshot({ path: `${process.env.LUCRA_SCREENSHOTS}/consent.png` });
    await page.getByRole("button", { name: "Recusar" }).click();
    const answer = await callback.next();
    expect(answer.get("error")).equals("access_denied");
    expect(answer.get("iss")).equals(base);
    expect(answer.get("state")).equals(signIn.state());
  });

  it("an answer that names another issuer is refused by the client (mix-up)", async () => {
    const signIn = new KeptSignIn(callback.address);
    const client = officialClient(`${base}/mcp`, signIn, "2026");
    const page = await consentTo(signIn, client);
    await page.getByRole("button", { name: "Let it read" }).click();
    const answer = await callback.next();
    for (const iss of ["https://evil.example", `${base}/`, undefined]) {
      const forged = new URLSearchParams(answer);
      forged.delete("iss");
      if (iss !== undefined) forged.set("iss", iss);
      const failure = await client.finish(forged).catch((error: Error) => error);
      expect(String(failure), String(iss)).match(/iss/i);
    }
    expect(signIn.kept).equals(undefined);
  });

  it("asks who is not signed in first, and the request is still there then", async () => {
    const signIn = new KeptSignIn(callback.address);
    await officialClient(`${base}/mcp`, signIn, "2026")
      .list()
      .catch(() => {});
    await context.clearCookies();
    const page = await context.newPage();
    await page.goto(String(signIn.asked));
    await page.locator("[name=key]").waitFor({ state: "attached" });
    expect(page.url()).contain("#/agent?");
    expect(await page.getByRole("button", { name: "Let it read" }).count()).equals(0);
  });

  it("is not shown in a frame, and what is wrong with a request is said without leaving the page", async () => {
    const { headers } = await fetch(`${base}/explorer`);
    expect(headers.get("content-security-policy")).contain("frame-ancestors 'none'");
    const signIn = new KeptSignIn(callback.address);
    await officialClient(`${base}/mcp`, signIn, "2026")
      .list()
      .catch(() => {});
    const asked = new URL(String(signIn.asked));
    asked.searchParams.set("redirect_uri", "https://evil.example/callback");
    const page = await context.newPage();
    await page.goto(asked.href);
    await page.getByText("not registered").waitFor();
    expect(new URL(page.url()).host).equals(new URL(base).host);
    expect(await page.getByRole("button", { name: "Let it read" }).count()).equals(0);
  });
});
