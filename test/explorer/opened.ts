import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { build } from "../../explorer/build.ts";
import { Sessions } from "../../src/access/sessions.ts";
import type { DataFolder } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { startBrowser } from "./browser.ts";
import { settled, signIn } from "./page.ts";

export interface Opened {
  readonly service: Service;
  readonly browser: Browser;
  readonly base: string;
  /** A tab that is signed in. `prepare` runs before the page is opened. */
  openTab(options?: BrowserContextOptions, prepare?: (page: Page) => void | Promise<void>): Promise<Page>;
  close(): Promise<void>;
}

/** Calls `note` with every error and warning of the page. */
export function watchErrors(page: Page, note: (text: string) => void): void {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(message.text());
  });
  page.on("pageerror", (error) => note(error.message));
}

/** Builds the Explorer, serves it with the data of an organization, and starts a browser. */
export async function openExplorer(executable: string, data: DataFolder, organizationId: string): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-explorer-"));
  await build(folder);
  const holds = async (clientId: string) => ({ clientId, organizations: [organizationId] });
  const service = await openService(data.config, organizationId, {
    explorer: folder,
    sessions: new Sessions({ dataDir: undefined, credentials: { holds } }),
    credentials: { verify: holds },
  });
  const server = createServer(service.app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await startBrowser(executable);
  return {
    service,
    browser,
    base,
    async openTab(options = {}, prepare = () => {}) {
      const size = { width: 1280, height: 900 };
      const context = await browser.newContext({
        viewport: size,
        reducedMotion: "reduce",
        locale: "pt-BR",
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await prepare(page);
      await page.goto(`${base}/explorer`);
      await page.locator("[name=clientSecret]").waitFor();
      await signIn(page, { clientId: "client", clientSecret: "secret" });
      await settled(page);
      return page;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await service.close();
      await data.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
