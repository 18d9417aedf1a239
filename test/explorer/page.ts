import type { Page } from "playwright-core";
import { AXE } from "./browser.ts";

export interface Keys {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organizationId: string;
}

/** Types the credentials; the test checks whether that succeeds. */
export async function signIn(page: Page, { clientId, clientSecret }: Omit<Keys, "organizationId">): Promise<void> {
  await page.fill("[name=key]", `${clientId} ${clientSecret}`);
  await page.click("button[type=submit]");
}

/** Opens the menu at the right of the header, and chooses an entry. */
export async function chooseInMenu(page: Page, entry: string): Promise<void> {
  await page.locator(".main-menu").click();
  await page.locator(".popover:popover-open").getByText(entry, { exact: true }).click();
}

/** Opens the period's box, and chooses a preset. */
export async function choosePeriod(page: Page, preset: string): Promise<void> {
  await page.locator(".toolbar-wide .popover-button").first().click();
  await page.locator(".popover:popover-open").getByRole("button", { name: preset, exact: true }).click();
}

/** Opens a view and waits until it shows all its answers. */
export async function show(page: Page, hash: string): Promise<void> {
  await goTo(page, hash);
  await settled(page);
}

/** Changes the hash, as a link does, and waits until the page has rendered it. */
export const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate(async (next) => {
    if (location.hash === next) return;
    const isKnown = new Promise((known) => addEventListener("hashchange", known, { once: true }));
    location.hash = next;
    await isKnown;
    await new Promise(requestAnimationFrame);
  }, `#/${hash}`);

export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector("[data-picture]") &&
      !document.querySelector("[aria-busy=true], .skeleton, .chart:not([data-drawn])"),
  );
}

/** The texts of a table's cells, by row. */
export const tableTexts = (page: Page, picture: string): Promise<string[][]> =>
  page
    .locator(`[data-picture=${picture}] tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? "")));

/** The text of a figure, or of a part of it. */
export const figureText = (page: Page, picture: string, metric: string, within = ""): Promise<string> =>
  page.locator(`[data-picture=${picture}] [data-metric=${metric}] ${within}`).first().innerText();

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The serious and critical findings of axe, which can prevent the use of the page. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in window);
  if (!isThere) await page.evaluate(AXE);
  const options = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const findings = (await page.evaluate(run)) as Finding[];
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ""}`).slice(0, 3)}`,
    );
}

/** The width in pixels by which the page exceeds its viewport. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Numbers in Brazilian notation. */
const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat("pt-BR", options);
export const brl = (value: number): string =>
  numbers({ style: "currency", currency: "BRL" }).format(value).replace("-", "−");
export const whole = (value: number): string => numbers({ maximumFractionDigits: 0 }).format(value);
export const plain = (value: number): string => numbers({ maximumFractionDigits: 4 }).format(value);
export const percent = (ratio: number): string =>
  numbers({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ratio).replace("-", "−");
/** As in cells and changes, where a decimal 0 is left out. */
export const share = (ratio: number): string =>
  numbers({ style: "percent", maximumFractionDigits: 1 }).format(ratio).replace("-", "−");
