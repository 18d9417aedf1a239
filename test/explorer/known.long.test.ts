import { expect } from "chai";
import type { Page } from "playwright-core";
import { AURORA, type DataFolder, NOW } from "../support/data.ts";
import { LATER, landedTwice } from "../support/histories.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

const MARCH = "from=2025-03-01&to=2025-03-31&compare=none";
describe("The Explorer and what was known [D85]", () => {
  let data: DataFolder;
  let opened: Opened;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    data = await landedTwice();
    opened = await openExplorer(executable, data, AURORA);
  });
  after(() => opened?.close());

  const KNOWN = `knownAt=${NOW}`;
  const revenueOf = async (address: string): Promise<number> => {
    const { status, body } = await opened.service.get(
      `/v1/profitability/cards?startDate=2025-03-01&endDate=2025-03-31${address}`,
    );
    expect(status).to.equal(200);
    return body.revenue as number;
  };

  /** The paths and parameters of the requests of a page. */
  const requestsOf = (page: Page): URL[] => {
    const asked: URL[] = [];
    page.on("request", (sent) => {
      const url = new URL(sent.url());
      if (url.pathname.startsWith("/v1/")) asked.push(url);
    });
    return asked;
  };

  it("shows it on every page, asks every request for it, and returns to now with one click", async () => {
    const page = await opened.openTab();
    const errors: string[] = [];
    watchErrors(page, (text) => errors.push(text));
    const [then, now] = [await revenueOf(`&${KNOWN}`), await revenueOf("")];
    expect(then).to.not.equal(now);
    await on.show(page, `overview?${MARCH}`);
    expect(await on.figureText(page, "cards", "revenue")).to.include(on.brl(now));
    const asked = requestsOf(page);
    for (const view of ["overview", "acquisition", "customers", "products", "data", "data?tab=rows&x=", "sql"]) {
      await on.show(page, `${view}${view.includes("?") ? "&" : "?"}${MARCH}&known=closed`.replace("&x=", ""));
      expect(await page.locator(".banner strong").first().innerText(), view).to.match(
        /^Como se sabia em 1 de abr\. de 2025.*\(closed\)\.$/,
      );
    }
    const others = asked.filter(({ searchParams }) => searchParams.get("knownAt") !== "closed");
    expect(new Set(others.map(({ pathname }) => pathname))).to.deep.equal(new Set(["/v1/data-quality"]));
    expect(asked.length).to.be.above(20);
    await on.show(page, `overview?${MARCH}&known=closed`);
    expect(await on.figureText(page, "cards", "revenue")).to.include(on.brl(then));
    await page.getByRole("button", { name: "Voltar para agora" }).click();
    await on.settled(page);
    expect(page.url()).to.not.include("known");
    expect(await on.figureText(page, "cards", "revenue")).to.include(on.brl(now));
    expect(errors).to.deep.equal([]);
    await page.context().close();
  });

  it("takes a day as its last millisecond in the store's zone, or a pin, and names periods by the time of then", async () => {
    const page = await opened.openTab();
    await on.show(page, "overview?period=lastMonth&compare=none");
    const asked = requestsOf(page);
    const choice = page.locator(".toolbar-wide .popover-button").last();
    await choice.click();
    await page.locator(".popover:popover-open").getByText("closed").waitFor();
    await page.locator(".popover:popover-open input[type=date]").fill("2025-04-01");
    await page.locator(".popover:popover-open button[type=submit]").click();
    await page.waitForFunction(() => location.hash.includes("known=2025-04-02T02%3A59%3A59.999Z"));
    await on.settled(page);
    const cards = asked.filter(({ pathname }) => pathname === "/v1/profitability/cards").at(-1)?.searchParams;
    expect([cards?.get("knownAt"), cards?.get("startDate"), cards?.get("endDate")]).to.deep.equal([
      "2025-04-02T02:59:59.999Z",
      "2025-03-01",
      "2025-03-31",
    ]);
    await choice.click();
    await page.locator(".popover:popover-open").getByText("closed").click();
    await page.waitForFunction(() => location.hash.includes("known=closed"));
    await on.settled(page);
    await page.context().close();
  });

  it("says so in files, pictures and addresses", async () => {
    const page = await opened.openTab();
    await on.show(page, `acquisition?${MARCH}&known=closed`);
    const menu = page.locator("[data-picture=channels] .card-tools .popover-button").last();
    await menu.click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".popover:popover-open").getByText("Baixar CSV", { exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).to.match(/known-2025-04-01T12-00-00\.000Z.*\.csv$/);
    await menu.click();
    const open = page.locator(".popover:popover-open");
    expect(await open.locator("[data-curl]").getAttribute("data-curl")).to.include("knownAt=closed");
    await page.context().close();
  });

  it("shows the derivation as progress, and asks again", async () => {
    const page = await opened.openTab({}, async (tab) => {
      let refusals = 0;
      await tab.route("**/v1/sql?*", (route) => {
        refusals++;
        if (refusals > 1) return route.continue();
        const message = "O que era conhecido então está sendo preparado. Tente novamente em instantes.";
        return route.fulfill({
          status: 503,
          headers: { "retry-after": "1" },
          json: { error: "Service Unavailable", message },
        });
      });
    });
    await on.goTo(page, `overview?${MARCH}&known=closed`);
    await page.getByText("Preparando o que se sabia então…").waitFor();
    await page.getByRole("button", { name: "Voltar para agora" }).waitFor();
    await page.locator("[data-picture=cards]").waitFor();
    await on.settled(page);
    await page.context().close();
  });

  it("says that the quality of the data is that of now", async () => {
    const page = await opened.openTab();
    await on.show(page, `data?${MARCH}&known=closed`);
    expect(await page.locator(".banner-warn").innerText()).to.include("só existem para agora");
    expect(await page.locator("[data-picture=findings]").count()).to.equal(0);
    await page.context().close();
  });

  it("fits in both languages, on a phone too, and has no obstacle", async () => {
    for (const [locale, width] of [
      ["pt-BR", 1280],
      ["en-US", 1280],
      ["pt-BR", 390],
      ["en-US", 390],
    ] as const) {
      const page = await opened.openTab({ viewport: { width, height: 900 }, locale });
      for (const hash of [
        `overview?known=closed`,
        `overview?period=12m&compare=weekdays&known=${LATER}`,
        `data?tab=changes`,
        `overview?known=${LATER}`,
      ]) {
        await on.show(page, hash);
        expect(await on.overflow(page), `${hash} ${locale} ${width}`).to.equal(0);
        expect(await on.axeFindings(page), `${hash} ${locale} ${width}`).to.deep.equal([]);
      }
      await page.context().close();
    }
  });
});
