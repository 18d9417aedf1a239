import type { Answer, Asked } from "./shop.ts";

export interface Contact {
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
export class Portal {
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
