import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { AURORA, NOW } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser } from "./browser.ts";
import { type Opened, openExplorer, watchErrors } from "./opened.ts";
import * as on from "./page.ts";

const MARCH = "from=2025-03-01&to=2025-03-20&compare=previous";
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe("The looks of the Explorer", () => {
  let opened: Opened;
  let page: Page;
  let problems: string[] = [];

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    opened = await openExplorer(executable, await landedFixtures(), AURORA);
  });
  after(() => opened?.close());
  beforeEach(() => {
    problems = [];
  });
  afterEach(() => expect(problems, "the browser's console").to.deep.equal([]));

  const open = async (options: object = {}): Promise<void> => {
    await page?.context().close();
    page = await opened.openTab(options, async (tab) => {
      await tab.clock.setFixedTime(NOW);
      watchErrors(tab, (text) => problems.push(text));
    });
  };

  describe("on a phone", () => {
    before(() => open(PHONE));

    it("show the days in the bar", async () => {
      await on.show(page, "overview?period=30d");
      expect(await page.locator(".toolbar-narrow").innerText()).to.match(/Últimos 30 dias\s+20 fev – 21 mar/);
      for (const view of ["overview?period=30d", "customers?period=12m", "overview?from=2024-11-01&to=2025-03-20"]) {
        await on.show(page, view);
        const hidden = await page
          .locator(".toolbar-lines > *")
          .evaluateAll((lines) => lines.map((line) => line.scrollWidth - line.clientWidth));
        expect(Math.max(...hidden), `what the bar cuts off, ${view}`).to.be.at.most(0);
      }
    });

    it("show the point of a tap until the next tap elsewhere, and open it with a second tap on it", async () => {
      await on.show(page, `overview?${MARCH}`);
      const plot = page.locator("[data-picture=evolution] .chart-plot");
      await plot.scrollIntoViewIfNeeded();
      await plot.tap({ position: { x: 200, y: 100 } });
      const tip = plot.locator(".chart-tip");
      expect(await tip.innerText()).to.include("mar");
      expect(await page.locator(".drawer").count()).to.equal(0);
      await page.locator("[data-picture=evolution] h2").tap();
      expect(await tip.count()).to.equal(0);
      for (const _ of [1, 2]) await plot.tap({ position: { x: 200, y: 100 } });
      await page.locator(".drawer").waitFor();
      await page.goBack();
    });

    it("have targets of at least 44 px in every view; the whole figure opens its explanation", async () => {
      for (const view of [
        "overview",
        "acquisition",
        "customers",
        "products",
        "data",
        "data?tab=rows",
        "sql",
        "report",
      ]) {
        await on.show(page, `${view}${view.includes("?") ? "&" : "?"}${MARCH}`);
        const small = await page.locator(":is(a, button, select, summary, input)").evaluateAll((all) =>
          all
            // A name in a row of bars, and that of a figure, are as large as the row and the figure.
            .filter((one) => one.checkVisibility() && !one.matches(".figure-explain, .skip, .bar-list-name a"))
            .map((one) => [
              one.outerHTML.slice(0, 80),
              Math.round(Math.max(...[...one.getClientRects()].map(({ height }) => height))),
            ])
            .filter(([, height]) => Number(height) < 44),
        );
        expect(small, view).to.deep.equal([]);
      }
      await on.show(page, `overview?${MARCH}`);
      const rows = await page.locator(".bar-list li").evaluateAll((all) =>
        all.map((row) => {
          const { left, top, bottom } = row.getBoundingClientRect();
          row.scrollIntoView({ block: "center" });
          const now = row.getBoundingClientRect();
          const hit = document.elementFromPoint(left + 4, now.top + 3);
          return [bottom - top, row.querySelector("a") === null || hit?.closest("a") !== null] as const;
        }),
      );
      expect(rows).to.not.be.empty;
      for (const [height, isWhole] of rows) expect([height >= 44, isWhole]).to.deep.equal([true, true]);
      const figure = page.locator("[data-picture=cards] [data-metric=orders]");
      await figure.tap({ position: { x: 10, y: 30 } });
      await page.locator(".drawer").waitFor();
      await page.goBack();
    });

    it("show what a mouse shows on hover by a tap", async () => {
      await on.show(page, `overview?${MARCH}`);
      const change = page.locator("[data-picture=channels] .change[title]").first();
      await change.scrollIntoViewIfNeeded();
      const exact = await change.getAttribute("title");
      await change.tap();
      expect(await page.locator(".tap-tip").innerText()).to.equal(exact);
      await page.locator("[data-picture=channels] h2").tap();
      expect(await page.locator(".tap-tip").count()).to.equal(0);
    });

    it("show the note of a day by a tap", async () => {
      await on.show(page, `overview?${MARCH}&by=day`);
      const plot = page.locator("[data-picture=evolution] .chart-plot");
      await plot.scrollIntoViewIfNeeded();
      const { x = 0, width = 0 } = (await plot.locator("[data-note=Carnaval] rect").boundingBox()) ?? {};
      const { x: left = 0 } = (await plot.boundingBox()) ?? {};
      await plot.tap({ position: { x: x - left + width / 2, y: 100 } });
      expect(await plot.locator(".chart-tip .tip-note").innerText()).to.equal("Carnaval");
    });

    it("show at the side of a table that it goes on", async () => {
      await on.show(page, `products?${MARCH}`);
      const table = page.locator("[data-picture=products] .table-scrolls");
      const [ground, name, whole] = await table.evaluate((box) => [
        getComputedStyle(box).backgroundImage,
        box.querySelector("tbody th")?.getBoundingClientRect().width ?? 0,
        box.clientWidth,
      ]);
      expect(String(ground)).to.include("gradient");
      expect(Number(name), "the names leave room for figures").to.be.below(Number(whole) / 2);
    });
  });

  describe("on a screen", () => {
    before(() => open());

    it("have the rules of a frozen column at the height of the others", async () => {
      await page.setViewportSize({ width: 800, height: 900 });
      await on.show(page, `products?${MARCH}`);
      const rows = await page
        .locator("[data-picture=products] .table-scrolls tbody tr")
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.getBoundingClientRect().bottom)));
      expect(rows).to.have.length.above(3);
      for (const [first = 0, ...others] of rows) {
        expect(new Set([first, ...others]).size).to.equal(1);
        expect(Math.abs(first - Math.round(first) - ((rows[0]?.[0] ?? 0) - Math.round(rows[0]?.[0] ?? 0)))).to.be.below(
          0.01,
        );
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    });

    it("mark the days of notes, and say them where the mark is not seen", async () => {
      await on.show(page, `overview?${MARCH}&by=day`);
      const plot = page.locator("[data-picture=evolution] .chart-plot");
      expect(
        await plot.locator("[data-note]").evaluateAll((all) => all.map((one) => one.getAttribute("data-note"))),
      ).to.deep.equal(["Carnaval", "Dia do Consumidor"]);
      expect(await plot.getAttribute("aria-label")).to.match(
        /Notas: Carnaval \(1 mar – 5 mar\); Dia do Consumidor \(15 mar\)\.$/,
      );
      await plot.focus();
      await page.keyboard.press("Home");
      expect(await plot.getAttribute("aria-valuetext")).to.match(/^1 de mar\. de 2025, Carnaval: Receita/);
      expect(await plot.locator(".tip-note").innerText()).to.equal("Carnaval");
      await on.show(page, `overview?from=2025-01-01&to=2025-03-20&by=month`);
      expect(await plot.locator("[data-note]").count(), "months, each with its notes").to.equal(2);
    });

    it("offer periods by name, by the keyboard", async () => {
      await on.show(page, "overview?period=30d");
      await page.locator(".toolbar-wide .popover-button").first().focus();
      await page.keyboard.press("Enter");
      const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
      await page.waitForFunction(() => document.activeElement?.textContent === "Últimos 30 dias");
      await page.keyboard.press("ArrowUp");
      expect(await focused()).to.equal("Últimos 7 dias");
      for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowUp");
      expect(await focused()).to.equal("Trimestre atual");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash.includes("period=quarter"));
      await on.settled(page);
      // The clock of the fixtures is at 1 April: the quarter has just begun.
      expect(await page.locator(".toolbar-wide .period-days").innerText()).to.equal("1 de abr. de 2025");
    });

    it("keep the page's width with very long names", async () => {
      const long = "Campanhadeinverno".repeat(20);
      const rename = (text: string): string => text.replaceAll(/"label":"[^"]+"/g, `"label":"${long}"`);
      await page.route("**/v1/profitability/bridge*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: rename(await response.text()) });
      });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await on.show(page, `overview?from=2025-03-01&to=2025-03-${width === 390 ? 19 : 18}&break=produto`);
        expect(await page.locator("[data-picture=sources]").innerText()).to.include("Campanhadeinverno");
        expect(await on.overflow(page), String(width)).to.equal(0);
      }
      await page.unroute("**/v1/profitability/bridge*");
      await page.setViewportSize({ width: 1280, height: 900 });
    });

    it("draw charts after a single day, which has none", async () => {
      await on.show(page, "overview?from=2025-03-01&to=2025-03-01");
      await on.show(page, `overview?${MARCH}`);
      await page.locator("[data-picture=evolution] svg.chart-svg").waitFor({ timeout: 10_000 });
    });

    it("save pictures with their days, and a dash for what is compared with", async () => {
      await on.show(page, `overview?${MARCH}`);
      await page.locator("[data-picture=evolution] .card-tools .popover-button").last().click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".popover:popover-open").getByText("Imagem SVG", { exact: true }).click(),
      ]);
      expect(file.suggestedFilename()).to.match(/^[a-z0-9-]+_evolution_2025-03-01_2025-03-20\.svg$/);
      const svg = await readFile(await file.path(), "utf8");
      expect(svg).to.include("1 – 20 de mar. de 2025");
      expect(svg).to.match(/<line[^>]+stroke-dasharray="3 2"/);
    });

    it("fill the height of their row with charts", async () => {
      await on.show(page, "customers?from=2025-01-01&to=2025-03-21");
      const empty = await page.locator("[data-picture=lines]").evaluate((card) => {
        const chart = card.querySelector("svg.chart-svg") ?? card;
        return card.getBoundingClientRect().bottom - chart.getBoundingClientRect().bottom;
      });
      expect(empty).to.be.within(0, 40);
    });

    it("print what they show, without its controls", async () => {
      await on.show(page, `products?${MARCH}`);
      await page.emulateMedia({ media: "print" });
      for (const control of [".list-tools", ".list-choice", ".card-tools", ".top-nav"]) {
        expect(await page.locator(control).first().isVisible(), control).to.equal(false);
      }
      const table = page.locator("[data-picture=products] .table");
      expect(await table.evaluate((box) => getComputedStyle(box).overflow)).to.equal("visible");
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      expect(await page.title()).to.match(/^Produtos · .+ · 1 – 20 de mar\. de 2025$/);
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      expect(await page.title()).to.match(/Lucra Explorer$/);
      await page.emulateMedia({ media: "screen" });
    });

    it("show a single point as figures, not as a chart", async () => {
      await on.show(page, "overview?from=2025-03-10&to=2025-03-10");
      const picture = page.locator("[data-picture=evolution]");
      expect(await picture.locator("svg.chart-svg").count()).to.equal(0);
      expect(await picture.locator(".chart-single").innerText()).to.include("10 de mar. de 2025");
    });

    for (const [refused, delay] of [
      ["at once", 0],
      ["after the time that an answer usually takes", 1_000],
    ] as const) {
      it(`keep what is shown while the page waits at the limit of requests, refused ${refused}`, async () => {
        await open();
        await on.show(page, `overview?${MARCH}`);
        const shown = await on.figureText(page, "cards", "revenue");
        let isOver = false;
        await page.route("**/v1/profitability/*", async (route) => {
          const isAnswered = isOver;
          await sleep(isAnswered && route.request().url().includes("/cards") ? 2_000 : delay);
          if (isAnswered) return route.continue();
          const headers = { "retry-after": "4" };
          return route.fulfill({ status: 429, headers, contentType: "application/json", body: "{}" });
        });
        const cards = page.locator("[data-picture=cards]");
        await on.goTo(page, "overview?from=2025-02-01&to=2025-02-20&compare=previous");
        await page.locator(".limit-note").waitFor();
        isOver = true;
        await sleep(1_000);
        expect(await on.figureText(page, "cards", "revenue")).to.equal(shown);
        expect(await cards.innerText(), "under its own days").to.include("de fev. de 2025");
        await page.clock.setFixedTime(Date.parse(NOW) + 5_000);
        await page.locator(".limit-note").waitFor({ state: "detached" });
        expect(await cards.locator(".skeleton").count(), "after the first other answer").to.equal(0);
        await on.settled(page);
        expect(await on.figureText(page, "cards", "revenue")).to.not.equal(shown);
        problems = problems.filter((text) => !text.includes("429"));
      });
    }
  });

  describe("before the script", () => {
    it("have their frame without it, and do not move when it comes", async () => {
      const still = await opened.browser.newContext({
        javaScriptEnabled: false,
        viewport: { width: 1280, height: 900 },
      });
      const bare = await still.newPage();
      await bare.goto(`${opened.base}/explorer`);
      const seen = await bare
        .locator(".top, .toolbar, .skeleton")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      expect(seen.length).to.be.above(4);
      for (const height of seen) expect(height).to.be.above(10);
      await still.close();
      await open();
      await page.evaluate(() => {
        history.replaceState(null, "", "#/overview?from=2025-03-01&to=2025-03-20");
      });
      await page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.reload();
      await page.locator("[data-picture=cards]").waitFor();
      const shifts = (await page.evaluate("shifts")) as number[];
      expect(shifts.reduce((sum, one) => sum + one, 0)).to.be.below(0.05);
    });
  });
});
