import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { build } from "../../explorer/build.ts";
import type { ServiceParts } from "../../src/commands/serve/app.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import type { DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { startBrowser } from "./browser.ts";
import { settled, signIn } from "./page.ts";

type Prepare = (page: Page) => void | Promise<void>;

export interface Opened {
  readonly service: Service;
  readonly browser: Browser;
  readonly base: string;
  /** A tab at the sign-in. `prepare` runs before the page is opened. */
  openSignIn(options?: BrowserContextOptions, prepare?: Prepare): Promise<Page>;
  /** A tab that is signed in. */
  openTab(options?: BrowserContextOptions, prepare?: Prepare): Promise<Page>;
  close(): Promise<void>;
}

/** Calls `note` with every error and warning of the page. */
export function watchErrors(page: Page, note: (text: string) => void): void {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(message.text());
  });
  page.on("pageerror", (error) => note(error.message));
}

/** Calls `note` with every request of the page to another host. */
export function watchForeign(page: Page, base: string, note: (address: string) => void): void {
  page.on("request", (sent) => {
    const { origin, protocol } = new URL(sent.url());
    if (origin !== base && !["blob:", "data:"].includes(protocol)) note(sent.url());
  });
}

/** Serves on a free port of this machine. */
export async function serve(handler: RequestListener): Promise<{ readonly base: string; close(): void }> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Builds the Explorer, serves it with the data of an organization, and starts a browser. All credentials are good, unless
 * `more` has its own.
 */
export async function openExplorer(
  executable: string,
  data: DataFolder,
  organizationId: string,
  more: Partial<ServiceParts> = {},
): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-explorer-"));
  await build(folder);
  const holds = async (clientId: string) => ({ clientId, organizations: [organizationId] });
  const service = await openService(data.config, organizationId, {
    explorer: folder,
    sessions: new Sessions({ dataDir: undefined, credentials: { holds } }),
    credentials: { verify: holds },
    ...more,
  });
  const server = await serve(service.app);
  const { base } = server;
  const browser = await startBrowser(executable);
  const openSignIn: Opened["openSignIn"] = async (options = {}, prepare = () => {}) => {
    const size = { width: 1280, height: 900 };
    const context = await browser.newContext({ viewport: size, reducedMotion: "reduce", locale: "pt-BR", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    // The page is in the organization's language until somebody chooses one.
    if (options.locale?.startsWith("en")) await page.addInitScript(() => localStorage.setItem("lucra.language", "en"));
    await prepare(page);
    await page.goto(`${base}/explorer`);
    await page.locator("[name=key]").waitFor();
    return page;
  };
  return {
    service,
    browser,
    base,
    openSignIn,
    async openTab(options, prepare) {
      const page = await openSignIn(options, prepare);
      await signIn(page, { clientId: "client", clientSecret: "secret" });
      await settled(page);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
      await service.close();
      await data.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
