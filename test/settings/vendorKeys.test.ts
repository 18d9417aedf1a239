import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { AURORA, DataFolder, STOREB } from "../support/data.ts";
import { openPlatformService, type Page, type PlatformService } from "../support/platform.ts";

const at = (place: string): string => `/organizations/${AURORA}/connections/${STOREB}${place}`;
const GOOD = "shpat_0123456789abcdef";

describe("Keys of vendors in the page [D92]", () => {
  let data: DataFolder;
  let platform: PlatformService;
  let admin: Page;
  let vendor: Server;
  const asked: string[] = [];

  before(async () => {
    vendor = createServer((request, response) => {
      const key = String(request.headers["x-shopify-access-token"]);
      asked.push(key);
      response.statusCode = key === GOOD ? 200 : 401;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(key === GOOD ? { data: { shop: { name: "Aurora Outlet" } } } : { errors: "no" }));
    });
    await new Promise<void>((done) => vendor.listen(0, "127.0.0.1", done));
    const { port } = vendor.address() as AddressInfo;
    data = await DataFolder.fixtures();
    const file = `organizations/${AURORA}.json`;
    const settings = JSON.parse(await data.text(file));
    settings.integrations[1].pull = {
      since: "2024-01-01",
      account: { shop: "aurora", apiVersion: "2025-10" },
      baseUrl: `http://127.0.0.1:${port}`,
    };
    await data.write(file, JSON.stringify(settings, null, 2));
    platform = await openPlatformService(data);
    admin = await platform.as("admin");
  });
  after(async () => {
    vendor.close();
    await platform.close();
    await data.remove();
  });

  const put = (accessToken: string) => admin.put(at("/keys"), { keys: { accessToken } });

  it("are checked at once, kept, and never shown again", async () => {
    const wrong = await put("shpat_wrong");
    expect([wrong.status, wrong.body.details[0].parameter]).to.deep.equal([400, "keys"]);
    expect((await admin.get(at("/keys"))).body).to.deep.include({ keys: [], isComplete: false });
    const { status, body } = await put(GOOD);
    expect([status, body]).to.deep.equal([200, { account: "Aurora Outlet" }]);
    const shown = await admin.get(at("/keys"));
    expect(shown.body).to.deep.include({ keys: ["accessToken"], isComplete: true, isAskedAgain: false });
    expect(shown.text).to.not.include(GOOD);
    const log = await data.text(`audit/${AURORA}.ndjson`);
    for (const key of [GOOD, "shpat_wrong"]) expect(log).to.not.include(key);
    expect(await platform.last()).to.deep.include({ what: "connections.keys", outcome: "done" });
  });

  it("are asked for again, and sent nowhere, once the settings name another account", async () => {
    const { integration } = (await admin.get(at(""))).body;
    const { name, timezone, schedule, pull } = integration;
    const other = { since: pull.since, account: { ...pull.account, shop: "somebody-else" } };
    expect((await admin.put(at(""), { name, timezone, schedule, pull: other })).status).to.equal(200);
    expect((await admin.get(at("/keys"))).body.isAskedAgain).to.equal(true);
    asked.length = 0;
    const { status, stderr } = await data.lucra(["pull", "--check", "--integration", STOREB]);
    expect(status).to.equal(1);
    expect(stderr).to.include("another account or address");
    expect(asked).to.deep.equal([]);
    await admin.put(at(""), { name, timezone, schedule, pull: { since: pull.since, account: pull.account } });
    expect((await admin.get(at("/keys"))).body.isAskedAgain).to.equal(false);
  });

  it("keep the address of the operator", async () => {
    const { name, timezone, schedule } = (await admin.get(at(""))).body.integration;
    const refused = await admin.put(at(""), { name, timezone, schedule, pull: null });
    expect([refused.status, refused.body.details[0].parameter]).to.deep.equal([409, "pull"]);
    expect((await admin.get(at(""))).text).to.not.include("127.0.0.1");
  });

  it("are forgotten", async () => {
    expect((await admin.remove(at("/keys"))).status).to.equal(200);
    expect((await admin.get(at("/keys"))).body).to.deep.include({ keys: [], setAt: null });
  });
});
