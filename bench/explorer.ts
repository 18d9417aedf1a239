// Loads each page of the Explorer of a running service in a new browser context, and writes what Chromium measured, as a
// table: npm run bench:explorer -- <address> <client id> <client secret> …. Medians of five loads.

import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { findBrowser } from "../test/explorer/browser.ts";

const PAGES = ["overview", "acquisition", "customers", "products", "data", "sql"] as const;
const LOADS = 5;

interface Load {
  readonly bytes: number;
  readonly requests: number;
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly settled: number;
  readonly shift: number;
  readonly longestTask: number;
}

interface Seen {
  readonly fcp: number;
  readonly lcp: number;
  readonly shift: number;
}

/** Runs in the page before its own scripts. */
const OBSERVE = `
  window.__seen = { fcp: 0, lcp: 0, shift: 0 };
  const observe = (type, use) => new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true });
  observe("paint", (entry) => { if (entry.name === "first-contentful-paint") __seen.fcp = entry.startTime; });
  observe("largest-contentful-paint", (entry) => { __seen.lcp = entry.startTime; });
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) __seen.shift += entry.value; });
`;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of a page's main thread, in milliseconds. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && main.has(threadOf(event)));
  return Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000));
}

async function load(browser: Browser, base: string, keys: object, view: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "pt-BR" });
  try {
    const headers = { "x-lucra-page": "1" };
    const signedIn = await context.request.post(`${base}/explorer/session`, { data: keys, headers });
    if (!signedIn.ok()) throw new Error(`the sign-in was refused: ${signedIn.status()}`);
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    const counted = await countedBy(await context.newCDPSession(page));
    await browser.startTracing(page, {
      categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
    });
    const start = Date.now();
    await page.goto(`${base}/explorer#/${view}`);
    await settledOn(page);
    const settled = Date.now() - start;
    await page.waitForTimeout(500);
    const longest = longestTask(await browser.stopTracing());
    const seen = await page.evaluate(() => (window as unknown as { __seen: Seen }).__seen);
    return {
      ...counted,
      firstPaint: seen.fcp,
      largestPaint: seen.lcp,
      settled,
      shift: seen.shift,
      longestTask: longest,
    };
  } finally {
    await context.close();
  }
}

/** The requests of a tab and their bytes on the wire, counted up while it loads. */
async function countedBy(session: CDPSession): Promise<{ bytes: number; requests: number }> {
  const counted = { bytes: 0, requests: 0 };
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    counted.bytes += encodedDataLength;
    counted.requests += 1;
  });
  return counted;
}

const settledOn = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector("main .page") &&
      !document.querySelector("[aria-busy=true], .skeleton, .chart:not([data-drawn])"),
  );

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function main([base, ...credentials]: readonly string[]): Promise<void> {
  const executablePath = findBrowser();
  if (!base || credentials.length < 2) throw new Error("usage: <address> <client id> <client secret> …");
  // A client has 100 requests per minute: several clients take turns.
  const clients = Array.from({ length: credentials.length >> 1 }, (_, n) => ({
    clientId: credentials[2 * n],
    clientSecret: credentials[2 * n + 1],
  }));
  let turn = 0;
  if (!executablePath) throw new Error("the PATH has no chromium or google-chrome");
  const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
  try {
    console.log(
      "| page | kB | requests | first paint, ms | largest paint, ms | complete, ms | layout shift | longest task, ms |",
    );
    console.log("|---|---|---|---|---|---|---|---|");
    for (const view of PAGES) {
      const loads: Load[] = [];
      for (let n = 0; n < LOADS; n++)
        loads.push(await load(browser, base, clients[turn++ % clients.length] ?? {}, view));
      const of = (name: keyof Load): number => median(loads.map((one) => one[name]));
      const whole = (["firstPaint", "largestPaint", "settled"] as const).map((name) => Math.round(of(name)));
      console.log(
        `| ${view} | ${Math.round(of("bytes") / 1000)} | ${of("requests")} | ${whole.join(" | ")} | ${of("shift").toFixed(3)} | ${Math.round(of("longestTask"))} |`,
      );
    }
  } finally {
    await browser.close();
  }
}

await main(process.argv.slice(2));
