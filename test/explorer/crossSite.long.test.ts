import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { AURORA } from "../support/data.ts";
import { findBrowser, startBrowser } from "./browser.ts";
import { serve } from "./opened.ts";
import { type Process, serveProcess } from "./service.ts";

const ANA = "ana@example.com";

/** What another site would like the session of an admin to change, with a body that would be right. */
const CHANGES: readonly (readonly [method: "DELETE" | "POST" | "PUT", path: string, body: Record<string, unknown>])[] =
  [
    ["POST", "/platform/organizations", { name: "Evil", currency: "BRL" }],
    ["POST", `/platform/organizations/${AURORA}/people`, { email: "evil@example.com", role: "admin" }],
    ["PUT", `/platform/organizations/${AURORA}/people/${ANA}`, { role: "viewer" }],
    ["DELETE", `/platform/organizations/${AURORA}/people/${ANA}`, {}],
    ["PUT", `/platform/organizations/${AURORA}/name`, { name: "Evil" }],
    ["PUT", `/platform/organizations/${AURORA}/settings/margin`, { margin: { percent: 1 } }],
    ["POST", `/platform/organizations/${AURORA}/credentials`, { organizations: [AURORA] }],
    ["POST", `/platform/organizations/${AURORA}/connections`, { connector: "socialads", name: "Evil" }],
    ["POST", `/platform/organizations/${AURORA}/shares`, { name: "Evil", view: "overview" }],
    ["POST", `/platform/organizations/${AURORA}/links`, { endpoint: "/v1/organizations", days: 7 }],
    ["POST", `/platform/organizations/${AURORA}/pins`, { name: "evil" }],
    ["POST", `/platform/organizations/${AURORA}/uploads`, { name: "evil.csv", bytes: 10 }],
    ["POST", `/platform/organizations/${AURORA}/erasures`, { search: "x" }],
    ["POST", `/platform/organizations/${AURORA}/letters/preview`, { on: "daily" }],
    ["PUT", "/platform/me/language", { language: "en" }],
    ["DELETE", "/platform/me/sessions", {}],
    ["POST", "/platform/me/agents", { organization: AURORA, request: "x" }],
    ["POST", "/platform/me/views", { organization: AURORA, name: "Evil", page: "overview" }],
    // Signing somebody in as another person, or out, would be a change, too.
    ["POST", "/explorer/session", { clientId: "evil", clientSecret: "evil" }],
    ["DELETE", "/explorer/session", {}],
  ];

const READS = ["/platform/me", `/platform/organizations/${AURORA}/people`, `/platform/organizations/${AURORA}/log`];

type Attack = { readonly base: string; readonly changes: typeof CHANGES; readonly reads: readonly string[] };

/** Sends all requests that a script of another page can send; returns those that let it read an answer. */
async function fetches({ base, changes, reads }: Attack): Promise<string[]> {
  const read: string[] = [];
  const send = async (address: string, what: string, sent: RequestInit): Promise<void> => {
    const answer = await fetch(base + address, { credentials: "include", ...sent }).catch(() => undefined);
    if (answer && answer.type !== "opaque" && answer.type !== "opaqueredirect") read.push(`${what} ${address}`);
  };
  for (const [method, address, value] of changes) {
    const body = JSON.stringify(value);
    const json = { "content-type": "application/json", "idempotency-key": "evil-key-of-attack", "if-match": "*" };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json"])
      await send(address, `no-cors ${type}`, {
        method: "POST",
        mode: "no-cors",
        body,
        headers: { "content-type": type },
      });
    await send(address, "no-cors, untyped", { method: "POST", mode: "no-cors", body: new Blob([body]) });
    await send(address, "no-cors, kept alive", { method: "POST", mode: "no-cors", body, keepalive: true });
    await send(address, "no-cors, no referrer", {
      method: "POST",
      mode: "no-cors",
      body,
      referrerPolicy: "no-referrer",
    });
    await send(address, "no-cors, blob", {
      method: "POST",
      mode: "no-cors",
      body: new Blob([body], { type: "application/json" }),
    });
    await send(address, "form", {
      method: "POST",
      mode: "no-cors",
      body: new URLSearchParams({ _method: method, body }),
    });
    // These make the browser ask first.
    await send(address, "cors", { method, body, headers: json });
    await send(address, "cors, as the page", { method, body, headers: { ...json, "x-lucra-page": "1" } });
    navigator.sendBeacon(base + address, new Blob([body], { type: "text/plain" }));
    navigator.sendBeacon(base + address, new URLSearchParams({ _method: method }));
  }
  for (const address of reads) {
    for (const mode of ["no-cors", "cors"] as const) await send(address, mode, { mode });
    const { length } = Object.keys(window);
    await new Promise<void>((done) => {
      const script = document.createElement("script");
      script.src = base + address;
      script.onload = () => {
        read.push(`script ${address}`);
        done();
      };
      script.onerror = () => done();
      document.body.append(script);
    });
    if (Object.keys(window).length !== length) read.push(`variables ${address}`);
  }
  return read;
}

/** Sends a form in every encoding, into a frame. */
async function forms({ base, changes }: Attack): Promise<void> {
  for (const [method, address, value] of changes) {
    for (const enctype of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
      const frame = document.createElement("iframe");
      frame.name = `f${Math.random()}`;
      document.body.append(frame);
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", action: base + address, enctype, target: frame.name });
      // As text/plain it is JSON: {"…": "…", "x": "="}.
      const fields =
        enctype === "text/plain" ? { [`${JSON.stringify(value).slice(0, -1)},"x":"`]: '"}' } : { _method: method };
      for (const [name, text] of Object.entries({ ...fields, "x-lucra-page": "1" })) {
        const input = document.createElement("input");
        Object.assign(input, { type: "hidden", name, value: text });
        form.append(input);
        if (enctype === "text/plain") break;
      }
      document.body.append(form);
      const loaded = new Promise((done) => frame.addEventListener("load", done));
      form.submit();
      await Promise.race([loaded, new Promise((done) => setTimeout(done, 3_000))]);
      frame.remove();
    }
  }
}

/** A hash of each file in which changes of people, settings and access are. */
async function stateOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: Record<string, string> = {};
  for (const one of names) {
    const file = path.join(one.parentPath, one.name);
    const name = path.relative(folder, file);
    // Derived files, and what a running service writes of itself: when sessions were used, which answers to make ahead.
    if (!one.isFile() || /^(?:marts|lake|exports|status|ahead|work|spool)\b|^sessions\b|\.lock|\.tmp/.test(name))
      continue;
    found[name] = createHash("sha256")
      .update(await readFile(file))
      .digest("hex")
      .slice(0, 12);
  }
  return found;
}

describe("Pages of another origin, against the session of an admin [D91]", function () {
  this.timeout(600_000);
  let service: Process;
  let browser: Browser;
  let context: BrowserContext;
  let neighbour: Awaited<ReturnType<typeof serve>>;
  let mine: Page;
  let untouched: Record<string, string> = {};
  /** Requests of other pages that were answered as if they were the page's own. */
  let answered: string[] = [];
  let requests = 0;

  before(async function () {
    const executable = findBrowser();
    if (!executable) this.skip();
    service = await serveProcess();
    await service.lucra("people", "add", ANA, "--organization", AURORA, "--role", "admin");
    browser = await startBrowser(executable);
    neighbour = await serve((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>elsewhere</title><body></body>");
    });
    context = await browser.newContext({ locale: "pt-BR" });
    // The compiler names functions by it.
    await context.addInitScript("globalThis.__name ??= (named) => named");
    mine = await context.newPage();
    await mine.goto((await service.lucra("people", "link", ANA)).trim());
    await mine.locator("form .primary").click({ timeout: 60_000 });
    await mine.locator(".main-menu").waitFor({ timeout: 60_000 });
    untouched = await stateOf(service.data.path);
  });

  beforeEach(() => {
    answered = [];
  });

  after(async () => {
    await browser?.close();
    neighbour?.close();
    await service?.close();
  });

  /** The same machine by another port, which is the same site, and by another name, which is none. */
  const origins = (): string[] => {
    const { port } = new URL(neighbour.base);
    return [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  };

  async function elsewhere(origin: string): Promise<Page> {
    const page = await context.newPage();
    // Of most that scripts send, the browser shows nobody the answer: the disk says what became of it.
    page.on("request", (sent) => {
      if (sent.url().startsWith(service.base)) requests++;
    });
    page.on("response", (response) => {
      if (!response.url().startsWith(service.base)) return;
      // The page itself, and that nobody is signed in, are for everybody.
      const isPage = /^GET .*\/explorer(?:\/assets\/.*|\/session|\/?)(?:\?.*)?$/.test(
        `${response.request().method()} ${response.url()}`,
      );
      if (response.status() < 400 && !isPage)
        answered.push(`${response.request().method()} ${response.url()} ${response.status()}`);
    });
    await page.goto(origin);
    return page;
  }

  async function nothingHappened(): Promise<void> {
    expect(answered, "requests that were let through").to.deep.equal([]);
    expect(await stateOf(service.data.path), "what is on the disk").to.deep.equal(untouched);
    const me = await mine.evaluate(async () => {
      const answer = await fetch("/platform/me", { headers: { "x-lucra-page": "1" } });
      return [answer.status, ((await answer.json()) as { roles: unknown }).roles];
    });
    expect(me, "the session").to.deep.equal([200, { [AURORA]: "admin" }]);
  }

  const attack = (): Attack => ({ base: service.base, changes: CHANGES, reads: READS });

  it("what they ask for works where it comes from the page itself", async () => {
    const status = await mine.evaluate(async (organization) => {
      const headers = { "content-type": "application/json", "x-lucra-page": "1", "idempotency-key": "key-of-the-page" };
      const body = JSON.stringify({ organization, name: "of the page", page: "overview" });
      return (await fetch("/platform/me/views", { method: "POST", headers, body })).status;
    }, AURORA);
    expect(status).to.be.within(200, 299);
    const changed = await stateOf(service.data.path);
    expect(changed, "a change is seen on the disk").to.not.deep.equal(untouched);
    untouched = changed;
  });

  it("change and read nothing by fetch and beacons", async () => {
    for (const origin of origins()) {
      const page = await elsewhere(origin);
      expect(await page.evaluate(fetches, attack()), origin).to.deep.equal([]);
      await page.waitForTimeout(500);
      await page.close();
    }
    await nothingHappened();
  });

  it("change nothing by forms, whatever their encoding", async () => {
    for (const origin of origins()) {
      const page = await elsewhere(origin);
      await page.evaluate(forms, attack());
      await page.close();
    }
    await nothingHappened();
  });

  it("change and read nothing by leading the browser to an address, or by opening it", async () => {
    const addresses = [...READS, ...CHANGES.map(([, address]) => address)];
    for (const origin of origins()) {
      for (const address of new Set(addresses)) {
        const page = await elsewhere(origin);
        const left = page.waitForURL((url) => url.origin !== origin, { timeout: 10_000 });
        await page.evaluate((to) => {
          location.href = to;
        }, `${service.base}${address}?_method=DELETE`);
        await left;
        const text = await page.locator("body").innerText();
        for (const secret of [ANA, AURORA]) expect(text, address).to.not.include(secret);
        await page.close();
      }
      const page = await elsewhere(origin);
      const [opened] = await Promise.all([
        context.waitForEvent("page"),
        page.evaluate((to) => {
          (window as unknown as { opened: unknown }).opened = window.open(to);
        }, `${service.base}/explorer`),
      ]);
      await opened.waitForLoadState();
      const seen = await page.evaluate(() => {
        try {
          return (window as unknown as { opened: Window }).opened.document.title;
        } catch {
          return "refused";
        }
      });
      expect(["refused", ""]).to.include(seen);
      await opened.close();
      await page.close();
    }
    await nothingHappened();
  });

  it("were many", () => {
    expect(requests).to.be.greaterThan(CHANGES.length * 2 * 10);
    console.log(`      ${requests} requests of other pages`);
  });
});
