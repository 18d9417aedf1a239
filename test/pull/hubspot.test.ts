import { expect } from "chai";
import { type Answer, type Asked, Shop } from "./shop.ts";

interface Contact {
  readonly id: string;
  readonly properties: { readonly email: string; readonly createdate: string; lastmodifieddate: string };
  readonly createdAt: string;
  updatedAt: string;
  archived: boolean;
}

interface Search {
  readonly filterGroups?: readonly {
    readonly filters: readonly { readonly propertyName: string; readonly operator: string; readonly value: string }[];
  }[];
  readonly sorts: readonly { readonly propertyName: string; readonly direction: string }[];
  readonly limit: number;
  readonly after?: string;
}

/** Lists of 100 behind an id; a search that finds no archived objects and answers only its first page. */
class Portal {
  contacts: Contact[] = [];

  make(id: number, at: string, archived = false): Contact {
    const properties = { email: `c${id}@example.com`, createdate: at, lastmodifieddate: at };
    const contact = { id: String(id), properties, createdAt: at, updatedAt: at, archived };
    this.contacts.push(contact);
    return contact;
  }

  change(contact: Contact, at: string): void {
    contact.properties.lastmodifieddate = at;
    contact.updatedAt = at;
  }

  answer({ path, query, body }: Asked): Answer {
    if (path === "/crm/v3/objects/contacts") return this.#list(query);
    if (path === "/crm/v3/objects/contacts/search") return this.#search(JSON.parse(body) as Search);
    return { status: 404, body: { message: "not found" } };
  }

  #list(query: URLSearchParams): Answer {
    const after = Number(query.get("after") ?? 0);
    const isArchived = query.get("archived") === "true";
    const all = this.contacts.filter(({ id, archived }) => archived === isArchived && Number(id) > after);
    const results = all.sort((a, b) => Number(a.id) - Number(b.id)).slice(0, Number(query.get("limit")));
    return { body: { results, ...pagingOf(results.length < all.length, results.at(-1)?.id) } };
  }

  #search({ filterGroups = [], sorts, limit, after }: Search): Answer {
    if (after !== undefined) return { status: 400, body: { message: "beyond the total of a search" } };
    const value = ({ id, properties }: Contact, name: string): number =>
      name === "hs_object_id" ? Number(id) : Date.parse(properties[name as "createdate"]);
    const filters = filterGroups.flatMap((group) => group.filters);
    const fits = (contact: Contact): boolean =>
      filters.every(({ propertyName, operator, value: bound }) => {
        const has = value(contact, propertyName);
        if (operator === "EQ") return has === Number(bound);
        return operator === "GT" ? has > Number(bound) : has >= Number(bound);
      });
    const [{ propertyName, direction } = { propertyName: "hs_object_id", direction: "ASCENDING" }] = sorts;
    const sign = direction === "DESCENDING" ? -1 : 1;
    const all = this.contacts
      .filter((contact) => !contact.archived && fits(contact))
      .sort((a, b) => sign * (value(a, propertyName) - value(b, propertyName)));
    return { body: { total: 1, results: all.slice(0, limit), ...pagingOf(limit < all.length, String(limit)) } };
  }
}

const pagingOf = (isMore: boolean, after: string | undefined): object =>
  isMore ? { paging: { next: { after } } } : {};

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
