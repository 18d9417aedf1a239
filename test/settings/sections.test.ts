import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { AURORA, type DataFolder } from "../support/data.ts";
import { openPlatformService, type Page, type PlatformService } from "../support/platform.ts";
import { landedFixtures } from "../support/shared.ts";

const at = (place: string): string => `/organizations/${AURORA}/${place}`;

describe("Sections of the settings [D92]", () => {
  let data: DataFolder;
  let platform: PlatformService;
  let admin: Page;
  let viewer: Page;
  let file: string;
  let original: string;

  before(async () => {
    data = await landedFixtures();
    platform = await openPlatformService(data);
    admin = await platform.as("admin");
    viewer = await platform.as("viewer");
    file = path.join(data.path, "organizations", `${AURORA}.json`);
    original = await readFile(file, "utf8");
  });
  afterEach(() => writeFile(file, original));
  after(async () => {
    await platform.close();
    await data.remove();
  });

  const section = (name: string): string => at(`settings/${name}`);

  it("are read by admins alone", async () => {
    const { status, body, headers } = await admin.get(section("margin"));
    expect(status).to.equal(200);
    expect(body.value.items.gateway).to.deep.equal({ percent: 4 });
    expect(headers.etag).to.match(/^"/);
    expect((await viewer.get(section("margin"))).status).to.equal(403);
    expect((await admin.get(section("nothing"))).status).to.equal(404);
    expect((await admin.get(section("webhook"))).body).to.deep.equal({ value: null });
    expect((await admin.get(section("organization"))).body.value).to.deep.equal({
      name: "Casa Aurora",
      locale: null,
      currency: "BRL",
    });
  });

  it("change one place of the file, and the rest of its text stays", async () => {
    const { status, body } = await admin.put(section("targets"), { value: { cac: 40 } });
    expect(status).to.equal(200);
    expect(body.value).to.deep.equal({ cac: 40 });
    const text = await readFile(file, "utf8");
    expect(JSON.parse(text).targets).to.deep.equal({ cac: 40 });
    expect(text).to.include('    { "id": "f62c1523-50a3-4e8f-9b66-73e49fb0c206", "connector": "crm",');
    expect(Object.keys(JSON.parse(text)).slice(0, 3)).to.deep.equal(["organizationId", "name", "currency"]);
    expect(await platform.last()).to.deep.include({
      what: "settings.change",
      after: { section: "targets", value: { cac: 40 } },
      outcome: "done",
    });
    expect((await admin.put(section("targets"), { value: null })).body).to.deep.equal({ value: null });
    expect(JSON.parse(await readFile(file, "utf8"))).to.not.have.property("targets");
  });

  it("give names of payments a group, and list those that nothing knows", async () => {
    const rules = [{ name: "appmax*", group: "credit_card" }];
    expect((await admin.put(section("payments"), { value: rules })).body).to.deep.equal({ value: rules });
    expect(JSON.parse(await readFile(file, "utf8")).payments).to.deep.equal(rules);
    const wrong = await admin.put(section("payments"), { value: [{ name: "x", group: "cash" }] });
    expect(wrong.status).to.equal(400);
    const { status, body } = await admin.get(at("payments"));
    expect(status).to.equal(200);
    for (const row of body.data)
      expect(Object.keys(row)).to.deep.equal([
        "integration",
        "integrationId",
        "payment",
        "orders",
        "counted",
        "revenue",
      ]);
    expect((await viewer.get(at("payments"))).status).to.equal(403);
  });

  it("say whose spend an ad account has, and keep that where it is not sent", async () => {
    const [store, outlet] = ["a1d7c0de-0b5e-4f3a-8c11-2e9f4a6b7d01", "b2e8d1ef-1c6f-4a4b-9d22-3fa05b7c8e02"];
    const account = at("connections/d40af301-3e81-4c6d-9f44-51c27d9ea004");
    const fields = { name: "Busca Aurora", timezone: null, schedule: null, pull: null };
    const inFile = async () => JSON.parse(await readFile(file, "utf8")).integrations[3].stores;
    expect((await admin.get(account)).body.integration.stores).to.deep.equal([outlet]);
    await admin.put(account, { ...fields, name: "Busca" });
    expect(await inFile()).to.deep.equal([outlet]);
    const both = await admin.put(account, { ...fields, stores: [store, outlet] });
    expect(both.body.integration.stores).to.deep.equal([store, outlet]);
    await admin.put(account, { ...fields, stores: null });
    expect(await inFile()).to.equal(undefined);
    const none = await admin.put(account, { ...fields, stores: ["d40af301-3e81-4c6d-9f44-51c27d9ea004"] });
    expect(none.status).to.equal(400);
    expect(none.body.details[0].parameter).to.equal("integrations[3].stores[0]");
    const ofStore = at(`connections/${store}`);
    expect((await admin.put(ofStore, { ...fields, stores: [store] })).status).to.equal(400);
  });

  it("write nothing that stays the same", async () => {
    const { body } = await admin.get(section("costs"));
    expect((await admin.put(section("costs"), { value: body.value })).status).to.equal(200);
    expect(await readFile(file, "utf8")).to.equal(original);
  });

  it("refuse a value with faults, with the place of each, and write nothing", async () => {
    const costs = [
      { item: "payment", percentOfRevenue: 120 },
      { item: "nothing", perOrder: 1 },
    ];
    for (const [name, value, places] of [
      ["costs", costs, ["costs[0].percentOfRevenue", "costs[1].item"]],
      ["targets", { cac: 0 }, ["targets.cac"]],
      ["pins", { monthly: 31 }, ["pins.monthly"]],
    ] as const) {
      const { status, body } = await admin.put(section(name), { value });
      expect(status, name).to.equal(400);
      expect(
        body.details.map(({ parameter }: { parameter: string }) => parameter),
        name,
      ).to.deep.equal(places);
    }
    expect(await readFile(file, "utf8")).to.equal(original);
    expect(await platform.last()).to.deep.include({ what: "settings.change", outcome: "failed" });
  });

  it("ask for the tag, and keep what changed meanwhile", async () => {
    const seen = await admin.get(section("targets"));
    expect((await admin.put(section("targets"), { value: { cac: 1 } }, "")).status).to.equal(428);
    await admin.put(section("funnel"), { value: { interest: ["view_item"], decision: ["purchase"] } });
    await admin.put(section("targets"), { value: { cac: 41 } }, seen.headers.etag);
    const late = await admin.put(section("targets"), { value: { cac: 42 } }, seen.headers.etag);
    expect([late.status, late.body.present]).to.deep.equal([412, { value: { cac: 41 } }]);
    expect(JSON.parse(await readFile(file, "utf8")).targets).to.deep.equal({ cac: 41 });
  });

  it("are not written into a file that has faults now, which are named", async () => {
    await writeFile(file, original.replace('"currency": "BRL"', '"currency": "real"'));
    const { status, body } = await admin.put(section("targets"), { value: { cac: 40 } });
    expect([status, body.kind, body.details[0].parameter]).to.deep.equal([409, "faulty", "currency"]);
    expect(await readFile(file, "utf8")).to.include('"real"');
  });

  it("keep the currency once something has landed", async () => {
    const { body } = await admin.get(section("organization"));
    const refused = await admin.put(section("organization"), { value: { ...body.value, currency: "USD" } });
    expect([refused.status, refused.body.details[0].parameter]).to.deep.equal([409, "currency"]);
    const renamed = await admin.put(section("organization"), {
      value: { ...body.value, name: "Aurora", locale: "en" },
    });
    expect(renamed.body.value).to.deep.equal({ name: "Aurora", locale: "en", currency: "BRL" });
    expect((await admin.put(section("organization"), { value: { currency: "BRL" } })).status).to.equal(400);
  });

  it("keep what the margin said before the first rule of a cost begins, as a rule of its own", async () => {
    const margin = { items: { gateway: { percent: 4 }, shipping: "orders", tax: { percent: 6 } } };
    await writeFile(file, JSON.stringify({ ...JSON.parse(original), margin, costs: [] }));
    const value = [
      { item: "payment", percentOfRevenue: 3, from: "2025-02-01" },
      { item: "shipping", perOrder: 12, from: "2025-03-01" },
      { item: "salesTax", percentOfRevenue: 5 },
    ];
    const { body } = await admin.put(section("costs"), { value });
    expect(body.value).to.deep.equal([
      { item: "payment", until: "2025-01-31", percentOfRevenue: 4 },
      value[0],
      { item: "shipping", until: "2025-02-28", charged: true },
      value[1],
      value[2],
    ]);
    expect((await admin.put(section("costs"), { value: body.value.slice(1) })).body.value).to.deep.equal(
      body.value.slice(1),
    );
  });

  it("show the host of a webhook alone, in answers and in the log", async () => {
    const url = "https://hooks.example.com/T0K3N/secret";
    const { body } = await admin.put(section("webhook"), { value: { url } });
    expect(body.value.url).to.equal("https://hooks.example.com/…");
    expect(body.secret).to.match(/^whsec_/);
    const shown = await admin.get(section("webhook"));
    const again = await admin.put(section("webhook"), { value: { url: `${url}2` } });
    expect(again.body).to.not.have.property("secret");
    expect(again.body.value.id).to.not.equal(body.value.id);
    expect((await admin.put(section("webhook"), { value: { url: shown.body.value.url } })).status).to.equal(400);
    expect((await admin.put(section("webhook"), { value: null })).body).to.deep.equal({ value: null });
    for (const name of ["ndjson", "settings.json"]) {
      const text = await data.text(`audit/${AURORA}.${name}`);
      expect(text, name).to.not.include("T0K3N");
      expect(text, name).to.not.include(body.secret);
    }
  });

  it("edited by hand are a line of the log before the next change by the page", async () => {
    await admin.put(section("targets"), { value: { cac: 1 } });
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"cac": 1', '"cac": 2'));
    await admin.put(section("funnel"), { value: null });
    const lines = (await platform.audit.entries(AURORA)).slice(-2);
    expect(lines.find(({ person }) => person === "file")).to.deep.include({
      what: "settings.file",
      before: { targets: { cac: 1 } },
      after: { targets: { cac: 2 } },
      outcome: "done",
    });
    expect((await stat(path.join(data.path, "audit", `${AURORA}.settings.json`))).mode & 0o777).to.equal(0o600);
  });
});
