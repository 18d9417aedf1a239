import { expect } from "chai";
import { AURORA, DataFolder, SEARCHADS, SOCIALADS, STOREA } from "../support/data.ts";
import { openPlatformService, type Page, type PlatformService } from "../support/platform.ts";
import { landedFixtures } from "../support/shared.ts";

const at = (place: string): string => `/organizations/${AURORA}/${place}`;
const OTHER = "0aaaaaaa-0000-4000-8000-000000000009";
const DAY_MS = 86_400_000;

describe("The rooms of the settings [D92]", () => {
  let data: DataFolder;
  let platform: PlatformService;
  let admin: Page;
  let viewer: Page;

  before(async () => {
    data = await DataFolder.copyOf(await landedFixtures(), { LUCRA_SHARE_LINKS: "on" });
    platform = await openPlatformService(data);
    admin = await platform.as("admin");
    viewer = await platform.as("viewer");
  });
  after(async () => {
    await platform.close();
    await data.remove();
  });

  it("are for admins alone", async () => {
    const places = ["credentials", "connections", "campaigns", "events", "links", "settings/costs"];
    for (const place of [...places, `connections/${STOREA}`, `connections/${STOREA}/keys`]) {
      expect((await viewer.get(at(place))).status, place).to.equal(403);
      expect((await admin.get(at(place))).status, place).to.equal(200);
    }
  });

  describe("credentials", () => {
    it("are made with a secret that is shown once, and that the log does not have", async () => {
      const sent = admin.post(at("credentials"), { name: "BI" }, "one-and-the-same");
      const { status, body } = await sent;
      expect(status).to.equal(200);
      expect(body.client_secret).to.match(/^[\w-]{43}$/);
      expect(await platform.credentials.verify(body.client_id, body.client_secret)).to.deep.include({
        organizations: [AURORA],
      });
      const again = await admin.post(at("credentials"), { name: "BI" }, "one-and-the-same");
      expect(again.body).to.deep.equal({ client_id: body.client_id, isRepeated: true });
      expect(await data.text(`audit/${AURORA}.ndjson`)).to.not.include(body.client_secret);
    });

    it("ask for a sign-in of the last 12 hours", async () => {
      const early = await platform.as("admin", AURORA, new Date(Date.now() - DAY_MS).toISOString());
      const { status, body } = await early.post(at("credentials"), { name: "BI" });
      expect([status, body.kind]).to.deep.equal([403, "signInAgain"]);
    });

    it("are regenerated, with the old secret for as long as was chosen", async () => {
      const made = (await admin.post(at("credentials"), { name: "Planilha" })).body;
      const day = (await admin.post(at(`credentials/${made.client_id}/secrets`), { overlap: "day" })).body;
      const left = Date.parse(day.old_secret_until) - Date.now();
      expect(left).to.be.within(DAY_MS - 60_000, DAY_MS);
      expect(await platform.credentials.verify(made.client_id, made.client_secret)).to.not.equal(undefined);
      await admin.post(at(`credentials/${made.client_id}/secrets`), { overlap: "now" });
      for (const { client_secret } of [made, day])
        expect(await platform.credentials.verify(made.client_id, client_secret)).to.equal(undefined);
    });

    it("that others have too show their name alone, and lose only this organization", async () => {
      const made = await platform.credentials.create({ organizations: [AURORA, OTHER], name: "Agência" });
      const { client_id } = made;
      platform.lastUses.note(client_id);
      const { data: all } = (await admin.get(at("credentials"))).body;
      const shown = all.find((one: { client_id: string }) => one.client_id === client_id);
      expect(Object.keys(shown).sort()).to.deep.equal(["client_id", "isOwn", "lastUsedAt", "name"]);
      expect(Date.parse(shown.lastUsedAt)).to.be.closeTo(Date.now(), 60_000);
      const refused = await admin.post(at(`credentials/${client_id}/secrets`), { overlap: "now" });
      expect(refused.status).to.equal(409);
      expect((await admin.remove(at(`credentials/${client_id}`))).body).to.deep.equal({ isRevoked: false });
      expect(await platform.credentials.verify(client_id, made.client_secret)).to.deep.include({
        organizations: [OTHER],
      });
      expect((await admin.get(at(`credentials/${client_id}`))).status).to.equal(404);
    });

    it("of other organizations are not found", async () => {
      const { client_id } = await platform.credentials.create({ organizations: [OTHER], name: "" });
      expect((await admin.get(at(`credentials/${client_id}`))).status).to.equal(404);
      expect((await admin.post(at(`credentials/${client_id}/secrets`), { overlap: "now" })).status).to.equal(404);
    });
  });

  describe("connections", () => {
    it("show what arrived, and what is missing", async () => {
      const { data: all } = (await admin.get(at("connections"))).body;
      const store = all.find((one: { integration: { id: string } }) => one.integration.id === STOREA);
      expect(store).to.deep.include({ vendor: "VTEX", isRemoved: false, canBePulled: true });
      expect(store.arrived.records.find((one: { record: string }) => one.record === "orders").files).to.be.above(0);
      expect(store.arrived.missing).to.be.an("array");
    });

    it("are added, changed, removed, and put back with their id", async () => {
      const added = await admin.post(at("connections"), { connector: "shopify", name: "Nova", schedule: "0 6 * * *" });
      expect(added.status).to.equal(200);
      const { id } = added.body.integration;
      const listed = (await admin.get(at("connections"))).body.data.at(-1);
      expect(listed).to.deep.include({ scheduleWords: "At 06:00" });
      const pull = { since: "2024-01-01", records: null, account: { shop: "nova", apiVersion: "2025-10" } };
      const wanted = { name: "Nova loja", timezone: "America/Sao_Paulo", schedule: null, stores: null };
      const changed = await admin.put(at(`connections/${id}`), {
        ...wanted,
        pull: { since: "2024-01-01", account: pull.account },
      });
      expect(changed.body).to.deep.equal({
        integration: { id, connector: "storeb", ...wanted, pull },
        isRemoved: false,
      });
      expect((await admin.remove(at(`connections/${id}`))).status).to.equal(200);
      expect((await admin.get(at("connections"))).body.data.at(-1)).to.deep.include({ isRemoved: true });
      const back = await admin.post(at("connections"), { id });
      expect(back.body.integration).to.deep.equal({ id, connector: "storeb", ...wanted, pull });
    });

    it("that had data are put back although a hand removed them", async () => {
      const file = `organizations/${AURORA}.json`;
      const settings = JSON.parse(await data.text(file));
      const without = settings.integrations.filter(({ id }: { id: string }) => id !== SOCIALADS);
      await data.write(file, JSON.stringify({ ...settings, integrations: without }));
      const removed = await admin.get(at(`connections/${SOCIALADS}`));
      expect(removed.body).to.deep.include({ isRemoved: true });
      expect((await admin.post(at("connections"), { id: SOCIALADS })).body.integration.name).to.equal("Social Aurora");
    });

    it("are refused with the place of the fault, and what changed meanwhile is not overwritten", async () => {
      const place = at(`connections/${STOREA}`);
      const seen = await admin.get(place);
      const fields = { name: "Loja Aurora", timezone: "America/Sao_Paulo", schedule: "never", pull: null };
      const refused = await admin.put(place, fields);
      expect([refused.status, refused.body.details[0].parameter]).to.deep.equal([400, "integrations[0].schedule"]);
      await admin.put(place, { ...fields, schedule: "0 6 * * *" });
      const late = await admin.put(place, { ...fields, name: "Outra", schedule: null }, seen.headers.etag);
      expect([late.status, late.body.present.integration.schedule]).to.deep.equal([412, "0 6 * * *"]);
    });
  });

  it("campaigns: all that had spend, unclassified ones first, with the rule that decides", async () => {
    const { data: all } = (await admin.get(at("campaigns"))).body;
    expect(all.length).to.be.above(2);
    const isClassified = all.map(({ strategy }: { strategy: string | null }) => strategy !== null);
    expect(isClassified).to.deep.equal([...isClassified].sort());
    const { campaigns } = JSON.parse(await data.text(`organizations/${AURORA}.json`));
    for (const { rule, strategy } of all) {
      if (rule === null) expect(strategy).to.equal(null);
      else expect(campaigns[rule].strategy).to.equal(strategy);
    }
    const unclassified = all.filter(({ rule }: { rule: number | null }) => rule === null);
    const [first] = unclassified;
    const value = [{ strategy: "monetization", id: first.campaignId }, ...campaigns];
    await admin.put(at("settings/campaigns"), { value });
    const after = (await admin.get(at("campaigns"))).body.data;
    const found = after.find(({ campaignId }: { campaignId: string }) => campaignId === first.campaignId);
    expect(found).to.deep.include({ strategy: "monetization", rule: 0 });
  });

  it("events: counted, the most frequent first", async () => {
    const { data: all } = (await admin.get(at("events"))).body;
    expect(all.map(({ event }: { event: string }) => event)).to.include.members(["view_item", "purchase"]);
    const counts = all.map(({ count }: { count: number }) => count);
    expect(counts).to.deep.equal([...counts].sort((a, b) => b - a));
  });

  it("links: made, listed without their address, revoked", async () => {
    const made = await admin.post(at("links"), {
      name: "Canais",
      endpoint: "/v1/acquisition/channels?format=csv",
      days: 30,
    });
    expect(made.status).to.equal(200);
    const { id, url } = made.body;
    const token = url.split("/").at(-1);
    const listed = await admin.get(at("links"));
    expect(listed.body.isOn).to.equal(true);
    expect(listed.body.data[0]).to.deep.include({ id, name: "Canais", days: 30 });
    expect(listed.text).to.not.include(token);
    expect(await data.text(`audit/${AURORA}.ndjson`)).to.not.include(token);
    const wrong = await admin.post(at("links"), { name: "x", endpoint: "/v1/nothing" });
    expect([wrong.status, wrong.body.details[0].parameter]).to.deep.equal([400, "endpoint"]);
    expect((await admin.remove(at(`links/${id}`))).status).to.equal(200);
    expect((await admin.get(at("links"))).body.data).to.deep.equal([]);
  });

  it("organizations: for operators, added and renamed", async () => {
    expect((await admin.get("/organizations")).status).to.equal(403);
    const operator = await platform.as("operator");
    const added = await operator.post("/organizations", { name: "Nova", currency: "BRL" });
    expect(added.status).to.equal(200);
    const { id } = added.body;
    const names = async () =>
      (await operator.get("/organizations")).body.data.map(({ name }: { name: string }) => name);
    expect(await names()).to.include("Nova");
    expect((await operator.put(`/organizations/${id}/name`, { name: "Novíssima" })).body).to.deep.equal({
      name: "Novíssima",
    });
    expect(await names()).to.include("Novíssima");
    const refused = await operator.post("/organizations", { name: "x", currency: "real" });
    expect([refused.status, refused.body.details[0].parameter]).to.deep.equal([400, "currency"]);
    expect(await platform.last(id)).to.deep.include({ what: "organizations.rename", outcome: "done" });
  });

  it("keys of vendors ask for the account first", async () => {
    const { body, status } = await admin.put(at(`connections/${SEARCHADS}/keys`), { keys: { developerToken: "x" } });
    expect([status, body.details[0].parameter]).to.deep.equal([409, "pull"]);
  });
});
