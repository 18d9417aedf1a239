import { expect } from "chai";
import { type Contact, Portal } from "./portal.ts";
import { type Asked, Shop } from "./shop.ts";

describe("Pulling HubSpot", () => {
  let portal: Portal;
  let shop: Shop;

  beforeEach(async () => {
    portal = new Portal();
    shop = new Shop("crm", {}, (asked) => portal.answer(asked));
    await shop.open({ accessToken: "token-of-the-test" });
  });

  afterEach(() => shop.close());

  it("lists all contacts at first, archived ones too, whenever they were made", async () => {
    for (let id = 1; id <= 230; id++) portal.make(id, "2020-02-03T04:05:06.000Z", id > 225);
    const { complete, objects } = await shop.pull("contacts");
    expect([complete, objects]).to.deep.equal([true, 230]);
    const found = await shop.objects<Contact>("contacts");
    expect(new Set(found.map(({ id }) => id)).size).to.equal(230);
    const list = shop.asked.find(({ method }) => method === "GET") as Asked;
    expect(list.query.get("properties")).to.include("hs_latest_source_timestamp");
    expect(list.headers.authorization).to.equal("Bearer token-of-the-test");
  });

  it("then searches what has changed, of one instant more than a page holds, and never beyond the first page", async () => {
    for (let id = 1; id <= 520; id++) portal.make(id, "2025-06-29T00:00:00.000Z");
    await shop.pull("contacts");
    for (const contact of portal.contacts.slice(0, 450)) portal.change(contact, "2025-07-01T08:00:00.000Z");
    for (const contact of portal.contacts.slice(450, 460)) portal.change(contact, "2025-07-01T09:00:00.000Z");
    shop.now = "2025-07-01T12:00:00Z";
    const { complete } = await shop.pull("contacts");
    expect(complete).to.equal(true);
    const found = (await shop.objects<Contact>("contacts")).sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
    const states = new Map(found.map(({ id, updatedAt }) => [id, updatedAt]));
    const changed = [...states.values()].filter((at) => at >= "2025-07-01");
    expect([states.size, changed.length]).to.deep.equal([520, 460]);
  }).timeout(20_000);
});
