import { expect } from "chai";
import type { Page } from "playwright-core";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA, DataFolder, NOW, OTHER_STOREA, oneStore, storeaOrder } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

const NOVA = "9b7c2d10-1111-4c37-9e21-7b6d0a9c4e55";
const MARCH = "from=2025-03-01&to=2025-03-31";
const ASKED = "startDate=2025-03-01&endDate=2025-03-31";

type Statement = { readonly statement: Record<string, { readonly amount: number | null }> };

/** The fixtures, and a second organization in another currency. */
async function two(): Promise<DataFolder> {
  const data = await DataFolder.copyOf(await landedFixtures());
  await data.settings({ ...oneStore(NOVA, OTHER_STOREA), name: "Nova Loja", currency: "USD" });
  const orders = [10, 12, 20].map((day, no) => ({
    ...storeaOrder({ id: String(500 + no), value: 100 + no, at: `2025-03-${day}T15:00:00Z` }),
    storePreferencesData: { currencyCode: "USD" },
  }));
  await data.write(`exports/${NOVA}/${OTHER_STOREA}/orders/a.json`, JSON.stringify(orders), new Date(NOW));
  await data.sync(NOVA);
  return data;
}

describe("The portfolio, in a browser [D94]", () => {
  let opened: Opened;
  let page: Page;
  let problems: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    const holds = async (clientId: string) => ({ clientId, organizations: [AURORA, NOVA] });
    opened = await openExplorer(executable, await two(), AURORA, {
      sessions: new Sessions({ dataDir: undefined, credentials: { holds } }),
      credentials: { verify: holds },
    });
    page = await opened.openTab({}, (tab) => watchErrors(tab, (text) => problems.push(text)));
  });
  after(() => opened?.close());
  beforeEach(() => {
    problems = [];
  });

  const ready = (tab: Page): Promise<void> => tab.locator("[data-portfolio=ready]").waitFor();
  const rowOf = (tab: Page, name: string) => tab.locator(".portfolio tbody tr").filter({ hasText: name }).first();
  const cell = (tab: Page, name: string, column: string): Promise<string> =>
    rowOf(tab, name).locator(`[data-column=${column}]`).innerText();

  it("has the figures of each organization in its currency, and no sum across currencies", async () => {
    await on.chooseInMenu(page, "Todas as organizações");
    await on.goTo(page, `portfolio?${MARCH}`);
    await ready(page);
    const { body } = await opened.service.get(`/v1/profit/statement?${ASKED}`);
    const { revenue, contribution3 } = (body as Statement).statement;
    expect(await cell(page, "Casa Aurora", "revenue")).to.equal(on.brl(revenue?.amount ?? 0));
    const left = contribution3?.amount ?? null;
    expect(await cell(page, "Casa Aurora", "contribution3")).to.equal(left === null ? "N/D" : on.brl(left));
    expect(await cell(page, "Nova Loja", "revenue")).to.match(/^US\$\s303,00$/);
    expect(await cell(page, "Nova Loja", "orders")).to.equal("3");
    const sums = await page.locator("[data-part=sums] tbody tr").allInnerTexts();
    expect(sums.map((text) => text.slice(0, 3))).to.deep.equal(["BRL", "USD"]);
    expect(problems).to.deep.equal([]);
  });

  it("says first what the overview says first, and each row leads to its overview", async () => {
    await on.goTo(page, `portfolio?${MARCH}`);
    await ready(page);
    const said = await cell(page, "Casa Aurora", "first");
    await rowOf(page, "Casa Aurora").getByRole("link").first().click();
    await on.settled(page);
    expect(page.url()).to.match(/\/overview\?from=2025-03-01&to=2025-03-31/);
    const [first = ""] = await page.locator(".actions-card .action-text").allInnerTexts();
    expect(first).to.include(said);
  });

  it("says in its row that an organization fails, and reads it again", async () => {
    const tab = await opened.openTab({}, async (one) => {
      await one.route(`**/v1/profit/statement?organizationId=${NOVA}*`, (route) => route.abort());
    });
    await on.goTo(tab, `portfolio?${MARCH}`);
    await tab.locator(`[data-failed="${NOVA}"] .problem`).waitFor();
    await ready(tab);
    expect(await cell(tab, "Casa Aurora", "orders")).to.match(/^\d/);
    expect(await tab.locator("[data-part=sums] tr").count()).to.equal(0);
    await tab.unroute(`**/v1/profit/statement?organizationId=${NOVA}*`);
    await tab.locator(`[data-failed="${NOVA}"] button`).first().click();
    await tab.locator(`[data-failed="${NOVA}"]`).waitFor({ state: "detached" });
    await ready(tab);
    expect(await cell(tab, "Nova Loja", "orders")).to.equal("3");
    await tab.context().close();
  });

  for (const [locale, width] of [
    ["pt-BR", 390],
    ["en-US", 1280],
  ] as const) {
    it(`fits on ${width} px in ${locale}, and has no obstacle`, async () => {
      const tab = await opened.openTab({ viewport: { width, height: 900 }, locale });
      await on.goTo(tab, `portfolio?${MARCH}`);
      await ready(tab);
      if (process.env.PICTURES) await tab.screenshot({ path: `${process.env.PICTURES}/portfolio-${width}.png` });
      expect(await on.overflow(tab)).to.equal(0);
      expect(await on.axeFindings(tab)).to.deep.equal([]);
      await tab.context().close();
    });
  }
});
