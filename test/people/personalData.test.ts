import { expect } from "chai";
import request from "supertest";
import { Credentials } from "../../src/core/access/credentials.ts";
import { elementsOf, type Fields } from "../../src/core/contract/field.ts";
import { FORMAT_NAMES, type Format } from "../../src/core/contract/format.ts";
import { hiding, personalFields } from "../../src/core/contract/hidden.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { records } from "../../src/core/records/index.ts";
import { toolBackendOf } from "../../src/features/mcp/backend.ts";
import { PeopleAccess } from "../../src/features/people/access.ts";
import { People } from "../../src/features/people/people.ts";
import { Sessions } from "../../src/features/people/sessions.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { readers } from "../support/readers.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const CONTACTS = "/v1/crm/contacts";
const ORDERS = "/v1/storea/orders?limit=5000";

describe("Personal data [D90]", () => {
  let data: DataFolder;
  let service: Service;
  let viewer: string;
  let admin: string;
  let key: string;
  const names = new Set(records.flatMap(({ fields }) => personalFields(fields)));

  before(async () => {
    data = await landedFixtures();
    const credentials = new Credentials(data.path);
    const people = new People(data.path);
    const access = new PeopleAccess({ people, organizations: { ids: async () => [AURORA] } });
    const sessions = new Sessions({ dataDir: data.path, credentials, people: access });
    service = await openService(data.config, AURORA, { sessions });
    const sessionOf = async (email: string, role: "viewer" | "admin"): Promise<string> => {
      await people.add(email, { organizations: [AURORA], role });
      return `lucra_session=${(await sessions.startOf({ person: email }, "")).token}`;
    };
    viewer = await sessionOf("vera@example.com", "viewer");
    admin = await sessionOf("ana@example.com", "admin");
    const made = await credentials.create({ organizations: [AURORA], name: "" });
    key = `lucra_session=${(await sessions.start(made.client_id, made.client_secret)).token}`;
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  async function get(address: string, cookie?: string) {
    const full = `${address}${address.includes("?") ? "&" : "?"}organizationId=${AURORA}`;
    const who = cookie ? { cookie, "x-lucra-page": "1" } : { "x-client-id": "test", "x-client-secret": "x" };
    const { status, headers, body } = await request(service.app)
      .get(full)
      .set(who)
      .buffer()
      .parse((response, parsed) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => parsed(null, Buffer.concat(parts)));
      });
    return { status, headers, bytes: body as Buffer };
  }

  const rowsIn = async (bytes: Buffer, format: Format): Promise<Record<string, unknown>[]> =>
    format === "json" ? JSON.parse(bytes.toString()).data : (await readers[format](bytes)).rows;
  const of = async (address: string, field: string, cookie: string | undefined, format: Format = "json") => {
    const { status, bytes } = await get(`${address}${address.includes("?") ? "&" : "?"}format=${format}`, cookie);
    expect(status, bytes.toString().slice(0, 300)).to.equal(200);
    const rows = await rowsIn(bytes, format);
    expect(rows.length).to.be.above(1);
    return rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined && value !== "");
  };

  it("are declared, and the reference says so of no other field", () => {
    expect([...names].sort()).to.deep.equal(["email", "follow_up_email"]);
    const saysSo = (fields: Fields): string[] =>
      Object.entries(fields).flatMap(([name, field]) => [
        ...(/personal data/i.test(field.description) && !field.isPersonal ? [name] : []),
        ...saysSo(elementsOf(field)),
      ]);
    expect(records.flatMap(({ fields }) => saysSo(fields))).to.deep.equal([]);
    expect(endpoints.filter((one) => hiding(one)).map(({ path }) => path)).to.have.members([
      CONTACTS,
      "/v1/storea/orders",
      "/v1/storeb/orders",
    ]);
  });

  it("are null in rows for viewers and keys of the page, in every format and whole; admins and API clients have them", async () => {
    for (const format of FORMAT_NAMES) {
      for (const [address, field] of [
        [CONTACTS, "email"],
        [`${CONTACTS}?all=true`, "email"],
        [ORDERS, "follow_up_email"],
      ] as const) {
        const shown = await of(address, field, undefined, format);
        expect(shown.length, `${address} ${format}`).to.be.above(0);
        expect(await of(address, field, admin, format)).to.deep.equal(shown);
        for (const cookie of [viewer, key]) expect(await of(address, field, cookie, format), format).to.deep.equal([]);
      }
    }
  });

  it("stay null whoever asked before: answers of admins and viewers are kept apart", async () => {
    for (const cookie of [undefined, viewer, admin, key, viewer, undefined]) {
      const seen = await of(`${CONTACTS}?limit=4999`, "email", cookie);
      expect(seen.length > 0).to.equal(cookie === undefined || cookie === admin);
    }
    const tags = new Set<string>();
    for (const cookie of [viewer, admin])
      for (const address of [`${CONTACTS}?limit=4998`, `${CONTACTS}?all=true&format=csv`])
        tags.add(String((await get(address, cookie)).headers.etag));
    expect(tags.size).to.equal(4);
  });

  it("are told by no filter and no order", async () => {
    const [email = ""] = (await of(CONTACTS, "email", admin)) as string[];
    const asked = `${CONTACTS}?email=${encodeURIComponent(email)}`;
    expect(JSON.parse((await get(asked, admin)).bytes.toString()).data).to.have.lengthOf(1);
    for (const cookie of [viewer, key]) {
      for (const address of [asked, `${asked}&all=true&format=csv`, `${CONTACTS}?email=nobody@example.com`]) {
        const { status, bytes } = await get(address, cookie);
        expect(status, address).to.equal(400);
        expect(bytes.toString()).to.include("dados pessoais").and.not.include(email);
      }
    }
    for (const endpoint of endpoints) {
      const hidden = hiding(endpoint);
      const { orderBy } = endpoint.params;
      const choices = orderBy?.kind === "choice" ? orderBy.of : [];
      for (const field of choices.filter((name) => hidden?.fields.includes(name))) {
        const { status } = await get(`${endpoint.path}?orderBy=${field}`, viewer);
        expect(status, `${endpoint.path} by ${field}`).to.equal(400);
      }
    }
  });

  it("are in no relation that an own query reads, for anybody, and in no answer to one", async () => {
    const columns = "select table_name, column_name from information_schema.columns";
    const answer = JSON.parse(
      (await get(`/v1/sql?query=${encodeURIComponent(columns)}&limit=10000`, viewer)).bytes.toString(),
    );
    expect(answer.rows.length).to.be.above(300);
    for (const [table, column] of answer.rows) expect([...names], `${table}.${column}`).to.not.include(column);
    const [email = ""] = (await of(CONTACTS, "email", admin)) as string[];
    for (const query of [
      "select * from crm_contacts",
      "select email from contacts",
      "from 'crm_contacts.parquet'",
      "from read_parquet('crm_contacts*.parquet')",
      "select * from query_table('crm_contacts')",
      "select getvariable('marts')",
    ]) {
      const { status, bytes } = await get(`/v1/sql?query=${encodeURIComponent(query)}`, viewer);
      expect(status, query).to.equal(400);
      expect(bytes.toString()).to.not.include(email);
    }
  });

  it("are null for a viewer whom tools work for", async () => {
    const contacts = endpoints.find(({ path }) => path === CONTACTS);
    if (!contacts) throw new Error("no contacts");
    const asked: unknown[] = [];
    const handler = {
      ask: async (...all: unknown[]) => asked.push(all[2]) && { body: Buffer.from("{}"), incomplete: [] },
    };
    const client = { clientId: "token", organizations: [AURORA], isViewer: () => true };
    const backend = toolBackendOf(
      { endpoints: [], tools: { views: [] }, now: () => new Date() } as never,
      handler as never,
      client,
      "",
      new AbortController().signal,
    );
    await backend.ask(AURORA, contacts, {});
    expect(asked).to.deep.equal([{ clientId: "token", organizationId: AURORA, isViewer: true }]);
  });
});
