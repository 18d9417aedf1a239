import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { Client, LIMITS } from "../../src/features/pull/client.ts";
import { meta } from "../../src/features/pull/connectors/meta.ts";
import type { PullError } from "../../src/features/pull/declaration.ts";
import { checkedSecrets, keepSecrets } from "../../src/features/pull/secrets.ts";
import { AURORA, DataFolder, ended, SOCIALADS } from "../support/data.ts";
import { ACCOUNT, FakeVendor, TOKEN } from "./fakeVendor.ts";
import { type Answer, type Asked, Shop } from "./shop.ts";

const PEM = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(20)}-----END PRIVATE KEY-----\n`;
const LONG_TOKEN = Array.from({ length: 100 }, (_, n) => `part${n}of`).join("-");
const BOUNDS = { parsedBytes: 1_000_000, lineBytes: 10_000, bodyMs: 400, tries: 2, firstBackOffMs: 10 };

describe("A hostile vendor", () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  let client: Client;
  let folder: string;
  let requests: number;
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failure = (work: Promise<unknown>): Promise<PullError> =>
    work.then(
      () => Promise.reject(new Error("it succeeded")),
      (error: PullError) => error,
    );

  beforeEach(async () => {
    requests = 0;
    server = createServer((_, response) => {
      requests++;
      answer(response);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    folder = await mkdtemp(path.join(tmpdir(), "lucra-hostile-"));
    client = new Client({
      declaration: meta,
      account: {},
      secrets: { accessToken: LONG_TOKEN, private_key: PEM },
      set: { keys: ["accessToken"] },
      baseUrl: url(),
      tokenUrl: undefined,
      signal: new AbortController().signal,
      limits: { ...LIMITS, ...BOUNDS },
    });
  });

  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true });
  });

  const json = (response: ServerResponse, status: number, body: string): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(body);

  it("repeats a part of a secret, in any spelling: no message has one", async () => {
    const spellings = [
      LONG_TOKEN,
      LONG_TOKEN.slice(0, 60),
      LONG_TOKEN.slice(-40),
      encodeURIComponent(PEM),
      new URLSearchParams({ PEM }).toString(),
      PEM.replaceAll("\n", " "),
      JSON.stringify(PEM),
      PEM.slice(200, 300),
    ];
    for (const spelling of spellings) {
      for (const before of ["", "x".repeat(250), "x".repeat(380)]) {
        for (const type of ["application/json", "text/plain"]) {
          answer = (response) =>
            void response
              .writeHead(400, { "content-type": type })
              .end(
                type === "text/plain" ? before + spelling : JSON.stringify({ error: { message: before + spelling } }),
              );
          const { message } = await failure(client.json("GET", "x", undefined));
          expect(message).to.include("answered 400");
          expect(/part\d+of|MIIEvQ|BEGIN/.exec(message), `${spelling.slice(0, 30)} ${before.length}`).to.equal(null);
        }
      }
    }
  });

  it("writes escape sequences into its messages", async () => {
    answer = (response) => json(response, 400, JSON.stringify({ error: { message: "bad\u001b[2J\r\nnews" } }));
    expect((await failure(client.json("GET", "x", undefined))).message).to.equal("answered 400: bad [2J news");
  });

  it("answers with a gzip bomb, which is read up to the bound", async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, " "));
    answer = (response) =>
      void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
    const { kind } = await failure(client.json("GET", "x", undefined));
    expect(kind).to.equal("tooMuch");
    expect(client.counts.bytes).to.be.below(3_000_000);
  });

  it("drips a body without an end", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    expect((await failure(client.json("GET", "x", undefined))).kind).to.equal("transient");
  });

  it("sends a line without an end, which is not held", async () => {
    answer = (response) => json(response, 200, `"${"x".repeat(100_000)}"`);
    const { message } = await failure(client.lines("x", path.join(folder, "lines")));
    expect(message).to.include("a line of more than 10,000 bytes");
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it("names a signed address without https on another server", async () => {
    const { message } = await failure(
      client.lines("http://169.254.169.254/x", path.join(folder, "x"), { withoutCredentials: true }),
    );
    expect(message).to.include("without https");
    expect(requests).to.equal(0);
  });

  it("is not asked again when the file cannot be written", async () => {
    answer = (response) => json(response, 200, '{"id":1}\n');
    const { message } = await failure(client.lines("x", path.join(folder, "missing", "lines")));
    expect(message).to.include("ENOENT");
    expect(requests).to.equal(1);
  });

  it("wants a pause of days after a fine answer: nothing more is asked for in this run", async () => {
    const usage = JSON.stringify({ 1: [{ estimated_time_to_regain_access: 4000 }] });
    answer = (response) => {
      response.setHeader("x-business-use-case-usage", usage);
      json(response, 200, "{}");
    };
    await client.json("GET", "x", undefined);
    const { kind, retryAt } = await failure(client.json("GET", "x", undefined));
    expect([kind, requests]).to.deep.equal(["throttled", 1]);
    expect((retryAt?.getTime() ?? 0) - Date.now()).to.be.within(239_000_000, 240_000_000);
  });

  it("names a wait that no date has", async () => {
    answer = (response) => void response.writeHead(429, { "retry-after": "9".repeat(30) }).end();
    expect((await failure(client.json("GET", "x", undefined))).message).to.include("try again after");
  });

  it("has ids that no double holds: they stay whole", async () => {
    answer = (response) => json(response, 200, '{"data": [{"id": 23853619670380398123, "amount": 12.50}]}');
    const { body } = await client.json("GET", "x", undefined);
    expect(JSON.stringify(body)).to.include('"23853619670380398123"').and.include("12.5");
  });
});

describe("Secrets with line breaks", () => {
  it("are refused by name, but for a private key", () => {
    for (const value of ["token\n", " token", "to\r\nken", "tokén"]) {
      const { faults, secrets } = checkedSecrets("socialads", JSON.stringify({ accessToken: value }));
      expect(secrets).to.equal(undefined);
      expect(faults[0]).to.include("accessToken: has a line break");
    }
    const key = { client_email: "a@b.example", private_key: PEM };
    expect(checkedSecrets("webanalytics", JSON.stringify(key)).faults).to.deep.equal([]);
  });
});

describe("A list that does not go on", () => {
  let shop: Shop;
  let answered: (asked: Asked, url: string) => Answer;
  const open = async (...[connector, account, secrets]: [string, Record<string, string>, Record<string, string>]) => {
    shop = new Shop(connector as "crm", account, (asked, url) => {
      if (asked.path === "/token") return { body: { access_token: "token-of-the-test" } };
      return asked.path.endsWith("/debug_token") ? { body: { data: {} } } : answered(asked, url);
    });
    await shop.open(secrets);
  };
  const OAUTH = { clientId: "client", clientSecret: "client-secret", refreshToken: "refresh-token" };

  afterEach(() => shop.close());

  it("of Meta: cursors in a circle", async () => {
    await open("socialads", { adAccountId: "1" }, { accessToken: "token-of-the-test" });
    answered = ({ query }, url) => {
      const at = Number(query.get("after") ?? 0);
      const after = String(at > 5 ? 2 : at + 1);
      return { body: { data: [{ id: String(at) }], paging: { cursors: { after }, next: `${url}/x?after=${after}` } } };
    };
    const { complete, message } = await shop.pull("adset-config");
    expect([complete, message?.includes("does not go on")]).to.deep.equal([false, true]);
    expect(shop.asked.length).to.be.below(40);
  });

  it("of Meta: a next page whose cursor is in its address only is read", async () => {
    await open("socialads", { adAccountId: "1" }, { accessToken: "token-of-the-test" });
    answered = ({ query }) =>
      query.get("after")
        ? { body: { data: [{ id: "2" }] } }
        : {
            body: {
              data: [{ id: "1" }],
              paging: { next: "https://elsewhere.example/x?access_token=secret&after=abc" },
            },
          };
    const { complete, objects } = await shop.pull("adset-config");
    const asked = shop.asked.filter(({ path }) => path.endsWith("/adsets"));
    expect([complete, objects, asked.length]).to.deep.equal([true, 2, 2]);
  });

  it("of Meta: too many rows are asked for by fewer days", async () => {
    await open("socialads", { adAccountId: "1" }, { accessToken: "token-of-the-test" });
    shop.since = "2025-06-01";
    const days: string[] = [];
    answered = ({ query }) => {
      const { since, until } = JSON.parse(query.get("time_range") ?? "{}") as { since: string; until: string };
      if (until.slice(8) > since.slice(8))
        return {
          status: 400,
          body: { error: { message: "(#100) Too many rows", code: 100, error_subcode: 1_487_534 } },
        };
      days.push(since);
      return { body: { data: [{ campaign_id: "1", date_start: since, date_stop: since }] } };
    };
    const { complete, objects } = await shop.pull("campaigns");
    expect([complete, objects, new Set(days).size]).to.deep.equal([true, 30, 30]);
  }).timeout(20_000);

  it("of HubSpot: a cursor that is named again, and pages without objects", async () => {
    for (const next of [(at: number) => (at > 3 ? 2 : at + 1), (at: number) => at + 1]) {
      await open("crm", {}, { accessToken: "token-of-the-test" });
      answered = ({ path, query }) =>
        path.endsWith("/search")
          ? { body: { results: [] } }
          : { body: { results: [], paging: { next: { after: String(next(Number(query.get("after") ?? 0))) } } } };
      const { complete, message } = await shop.pull("products");
      expect([complete, message?.includes("does not go on")]).to.deep.equal([false, true]);
      if (next(9) === 2) await shop.close();
    }
  }).timeout(60_000);

  it("of Shopify: a cursor that is named again", async () => {
    await open("storeb", { shop: "my-shop", apiVersion: "2025-10" }, { accessToken: "token-of-the-test" });
    const order = { id: 1, created_at: "2025-02-01T00:00:00Z", updated_at: "2025-02-01T00:00:00Z" };
    answered = (_, url) => ({
      body: { orders: [order] },
      headers: { link: `<${url}/x?page_info=same>; rel="next"`, "x-shopify-api-version": "2026-01" },
    });
    const { complete, message } = await shop.pull("orders");
    expect([complete, message?.includes("does not go on")]).to.deep.equal([false, true]);
    expect(shop.asked.length).to.be.below(6);
  });

  it("of VTEX: pages shorter than was asked for are not the end", async () => {
    await open("storea", { account: "mystore" }, { appKey: "key-of-the-test", appToken: "token-of-the-test" });
    const all = Array.from({ length: 90 }, (_, n) => ({
      orderId: `${n}-01`,
      creationDate: `2025-06-26T00:${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000Z`,
      status: "invoiced",
    }));
    answered = ({ path, query }) => {
      const id = /orders\/(.+)$/.exec(path)?.[1];
      if (id) return { body: all.find(({ orderId }) => orderId === id) };
      const [, from = "", to = ""] = /\[(.*) TO (.*)\]/.exec(query.get("f_creationDate") ?? "[0 TO 9]") ?? [];
      const found = all.filter(({ creationDate }) => creationDate >= from && creationDate <= to);
      return { body: { list: found.slice(0, 20), paging: { perPage: 20 } } };
    };
    const { complete, objects } = await shop.pull("orders");
    expect([complete, objects]).to.deep.equal([true, 90]);
  }).timeout(20_000);

  it("of Google Ads: a stream that ends with an error after its first rows is not data", async () => {
    await open("searchads", { customerId: "1234567890" }, { ...OAUTH, developerToken: "developer" });
    const details = [{ errors: [{ errorCode: { queryError: "BAD" }, message: "broke off" }] }];
    answered = () => ({
      body: [{ results: [{ adGroup: { id: "1" } }] }, { error: { code: 400, message: "x", details } }],
    });
    const { complete, message, objects } = await shop.pull("ad-group-criterion");
    expect([complete, objects]).to.deep.equal([false, 0]);
    expect(message).to.include("BAD broke off");
  });

  it("of GA4: figures from a sample are asked for by fewer days", async () => {
    await open("webanalytics", { propertyId: "1" }, OAUTH);
    shop.since = "2025-06-24";
    answered = ({ body }) => {
      const [{ startDate, endDate }] = JSON.parse(body).dateRanges as [{ startDate: string; endDate: string }];
      const dimensionValues = [{ value: startDate.replaceAll("-", "") }, { value: "purchase" }];
      const metadata = startDate === endDate ? {} : { samplingMetadatas: [{ samplesReadCount: "1" }] };
      return { body: { dimensionHeaders: [], metricHeaders: [], rows: [{ dimensionValues }], rowCount: 1, metadata } };
    };
    const { complete, objects, message } = await shop.pull("events");
    expect([complete, objects, message]).to.deep.equal([true, 7, null]);
  }).timeout(20_000);
});

describe("The place and the account of a pull", () => {
  let shop: Shop;
  let ids: string[];

  beforeEach(async () => {
    ids = ["1"];
    shop = new Shop("socialads", { adAccountId: "1" }, () => ({ body: { data: ids.map((id) => ({ id })) } }));
    await shop.open({ accessToken: "token-of-the-test" });
  });

  afterEach(() => shop.close());

  it("is no link: landing would not follow it", async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), "lucra-elsewhere-"));
    const folder = shop.exports("adset-config");
    await mkdir(path.dirname(folder), { recursive: true });
    await symlink(elsewhere, folder);
    const { complete, message } = await shop.pull("adset-config");
    expect([complete, message?.includes("is a link")]).to.deep.equal([false, true]);
    expect([await readdir(elsewhere), shop.asked.length]).to.deep.equal([[], 0]);
    await rm(elsewhere, { recursive: true });
  });

  it("asks for everything again if the settings name another account", async () => {
    await shop.pull("campaigns");
    const first = shop.asked.length;
    shop.account = { adAccountId: "act_1" };
    await shop.pull("campaigns");
    expect(shop.asked.length).to.equal(first);
    shop.account = { adAccountId: "2" };
    const { message } = await shop.pull("campaigns");
    expect(message).to.include("another account");
    expect(shop.asked[0]?.path).to.include("act_2");
    expect(
      JSON.parse(await readFile(path.join(shop.exports("x"), "../../../..", "pulls", ...(await only(shop))), "utf8"))
        .account,
    ).to.equal("2");
  });
});

describe("A full disk", () => {
  it("is said for its record, and the next pull goes on", async () => {
    const environment = { LUCRA_NOW: "2024-06-15T12:00:00Z", LUCRA_METRICS_PORT: "0" };
    const vendor = await FakeVendor.start();
    const data = await DataFolder.empty(environment);
    try {
      const pull = { since: "2024-01-01", account: { adAccountId: ACCOUNT }, baseUrl: vendor.url };
      const integrations = [{ id: SOCIALADS, connector: "socialads" as const, name: "Social", pull }];
      await data.settings({ organizationId: AURORA, name: "Shop", currency: "BRL", integrations });
      await keepSecrets(foldersOf(data.path, AURORA), SOCIALADS, { accessToken: TOKEN });
      const run = (limit?: string) =>
        ended(data.start(["pull", "--json", "--record", "adset-config", "--record", "campaigns"], environment, limit));
      // The file of the lock is larger than the limit that follows.
      expect((await run()).status).to.equal(0);
      await rm(path.join(data.path, "exports"), { recursive: true });
      await rm(path.join(data.path, "pulls", AURORA, `${SOCIALADS}.json`));
      const { status, stdout } = await run("ulimit -f 8");
      const reports = JSON.parse(stdout) as { complete: boolean; message: string | null }[];
      expect([status, ...reports.map(({ complete }) => complete)], stdout).to.deep.equal([1, true, false]);
      expect(reports[1]?.message).to.include("the disk is full");
      const left = await data.files(`exports/${AURORA}/${SOCIALADS}/campaigns`);
      expect(left).to.deep.equal([]);
      expect((await run()).status).to.equal(0);
    } finally {
      await vendor.stop();
      await data.remove();
    }
  }).timeout(60_000);
});

async function only(shop: Shop): Promise<string[]> {
  const home = path.join(shop.exports("x"), "../../../..", "pulls");
  const [organization = ""] = await readdir(home);
  const file = (await readdir(path.join(home, organization))).find((name) => name.endsWith(".json")) ?? "";
  return [organization, file];
}
