import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import request from "supertest";
import { build, gzippedSizes, MAX_BYTES, MAX_OPENED_BYTES } from "../../explorer/build.ts";
import { answerTypes, TYPES } from "../../explorer/types.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { makeApp } from "../support/app.ts";
import { AURORA } from "../support/data.ts";
import { openService } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import * as on from "./page.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "lucra-explorer-"));
  await build(folder);
});
after(() => rm(folder, { recursive: true, force: true }));

describe("The types of the answers", () => {
  it("match the API document; `npm run documents` writes them", () => {
    expect(answerTypes()).to.equal(readFileSync(TYPES, "utf8"));
  });
});

describe("/explorer", () => {
  it("is one page and its files, which load nothing from elsewhere and contain no inline script or style", async () => {
    const { app } = makeApp(undefined, { explorer: folder });
    const { status, text, headers } = await request(app).get("/explorer");
    expect(status).to.equal(200);
    expect(headers["content-type"]).to.match(/^text\/html/);
    const policy = String(headers["content-security-policy"]);
    expect(policy)
      .to.match(/default-src 'self'/)
      .and.to.match(/object-src 'none'/);
    expect(policy).to.not.match(/unsafe|https?:|\*|data:|upgrade/);
    expect(text).to.not.match(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
    const assets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, it]) => it ?? "");
    expect(assets.map((address) => address.replace(/-[A-Z0-9]{8}\./, "."))).to.include.members([
      "/explorer/main.js",
      "/explorer/main.css",
      "/explorer/icon.svg",
    ]);
    for (const address of assets) expect((await request(app).get(address)).status, address).to.equal(200);
  });

  it("shows its frame before the script runs, and has files that browsers keep for ever under names of their content", async () => {
    const { app } = makeApp(undefined, { explorer: folder });
    const { text } = await request(app).get("/explorer");
    expect(text).to.match(/<div id="app">\s*<header class="top">[\s\S]*class="skeleton/);
    const named = [...text.matchAll(/"(\/explorer\/main-[A-Z0-9]{8}\.(?:js|css))"/g)].map(([, it]) => it ?? "");
    expect(named).to.have.length(2);
    for (const address of named) {
      const { headers } = await request(app).get(address);
      expect(headers["cache-control"], address).to.equal("public, max-age=31536000, immutable");
    }
    for (const address of ["/explorer", "/explorer/icon.svg"]) {
      expect((await request(app).get(address)).headers["cache-control"], address).to.not.include("immutable");
    }
  });

  it("is read-only, and no other file is served next to it", async () => {
    const { app } = makeApp(undefined, { explorer: folder });
    expect((await request(app).post("/explorer")).status).to.equal(405);
    for (const address of ["/explorer/..%2fbuild.ts", "/explorer/src/main.tsx", "/Explorer"]) {
      expect((await request(app).get(address)).status, address).to.equal(404);
    }
  });

  it("says how to build it if it is not built, and leaves the rest unchanged", async () => {
    const { app } = makeApp(undefined, { explorer: path.join(folder, "nowhere") });
    const { status, text } = await request(app).get("/explorer");
    expect(status).to.equal(503);
    expect(text).to.include("npm run explorer");
    expect((await request(app).get("/docs")).status).to.equal(200);
    expect((await request(app).get("/healthz")).status).to.equal(200);
  });

  it(`is at most ${MAX_BYTES / 1000} kB to load, and has the licences of its components`, async () => {
    const { first, settings, report, personalData } = await gzippedSizes(folder);
    expect(first).to.be.within(100_000, MAX_BYTES);
    expect(settings, "the settings").to.be.within(5_000, MAX_OPENED_BYTES);
    expect(report, "the report").to.be.within(5_000, MAX_OPENED_BYTES);
    expect(personalData, "personal data").to.be.within(2_000, MAX_OPENED_BYTES);
    const licences = await readFile(path.join(folder, "licences.txt"), "utf8");
    expect(licences)
      .to.match(/^d3-shape$/m)
      .and.to.match(/^preact$/m)
      .and.to.include("Mike Bostock");
  });
});

describe("The Explorer in a browser", () => {
  it("shows the figures of the cards to a client with credentials", async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    const data = await landedFixtures();
    const holds = async (clientId: string) => ({ clientId, organizations: [AURORA] });
    const sessions = new Sessions({ dataDir: undefined, credentials: { holds } });
    const service = await openService(data.config, AURORA, { explorer: folder, sessions });
    const server = createServer(service.app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const browser = await startBrowser(executable);
    try {
      const page = await (await browser.newContext({ reducedMotion: "reduce", locale: "pt-BR" })).newPage();
      page.setDefaultTimeout(60_000);
      const consoleErrors: string[] = [];
      page.on(
        "console",
        (message) => ["error", "warning"].includes(message.type()) && consoleErrors.push(message.text()),
      );
      page.on("pageerror", (error) => consoleErrors.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/explorer`);
      await on.goTo(page, "overview?from=2025-02-01&to=2025-02-28");
      await on.signIn(page, { clientId: "client", clientSecret: "secret" });
      await on.settled(page);
      const { body } = await service.get("/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28");
      const revenue = page.locator("[data-picture=cards] [data-metric=revenue] [data-exact]");
      expect(await revenue.getAttribute("data-exact")).to.equal(on.brl(Number(body.revenue)));
      expect(consoleErrors, "the browser's console").to.deep.equal([]);
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await service.close();
      await data.remove();
    }
  });
});
