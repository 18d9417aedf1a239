import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { land, type Reject } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";

const page = (...results: object[]): string =>
  JSON.stringify({ results, paging: { next: { after: "NTI1Cg%3D%3D", link: "https://crm.example/next" } } });
const lines = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const reasons = (rejects: readonly Reject[]): [number, string][] => rejects.map((r) => [r.position, r.reason]);

const contact = (changes: object = {}, properties: object = {}): object => ({
  id: "12345678901234567890",
  properties: {
    associatedcompanyid: "25177527565",
    email: "Ana@Example.com",
    hs_analytics_source: "PAID_SEARCH",
    hs_analytics_source_data_1: "brand",
    hs_analytics_source_data_2: "shoes",
    hs_latest_source_data_1: "newsletter",
    hs_latest_source_data_2: "",
    hs_latest_source_timestamp: "2025-05-02T08:00:00.5Z",
    lifecyclestage: "customer",
    closedate: "2014-08-31T00:00:00Z",
    createdate: "2025-04-28T16:39:00.846Z",
    first_deal_created_date: null,
    lastmodifieddate: "2025-05-03T10:00:00.000Z",
    ...properties,
  },
  createdAt: "2025-04-28T16:39:00.846Z",
  updatedAt: "2025-05-03T10:00:00.123Z",
  archived: false,
  associations: { companies: { results: [{ id: "25177527565", type: "contact_to_company" }] } },
  ...changes,
});

describe("landing CRM contacts", () => {
  it("lands a page, blank properties as null, ids whole", async () => {
    const { rows, outcome } = await land("crm", "contacts", { "a.json": page(contact()) });
    expect(outcome).to.include({ landed: 1, rejected: 0 });
    expect(rows[0]).to.include({
      id: "12345678901234567890",
      associated_company_id: "25177527565",
      email: "Ana@Example.com",
      crm_analytics_source: "PAID_SEARCH",
      crm_analytics_source_data_1: "brand",
      crm_analytics_source_data_2: "shoes",
      crm_latest_source_data_1: "newsletter",
      crm_latest_source_data_2: null,
      lifecycle_stage: "customer",
      close_date: "2014-08-31 00:00:00+00",
      create_date: "2025-04-28 16:39:00.846+00",
      first_deal_created_date: null,
      crm_latest_source_timestamp: "2025-05-02 08:00:00.5+00",
      last_modified_date: "2025-05-03 10:00:00+00",
      created_at: "2025-04-28 16:39:00.846+00",
      updated_at: "2025-05-03 10:00:00.123+00",
      archived: false,
    });
  });

  it("lands an empty page as nothing", async () => {
    const { outcome } = await land("crm", "contacts", { "a.json": '{"results":[]}' });
    expect(outcome).to.deep.include({ files: 1, landed: 0, rejected: 0, refused: [] });
  });

  it("leaves properties null that were not requested", async () => {
    const { rows } = await land("crm", "contacts", { "a.json": page({ id: "1", properties: {}, archived: true }) });
    expect(rows[0]).to.include({ id: "1", email: null, created_at: null, archived: true });
  });

  it("lands objects whose ids and properties are numbers, and dates without a time", async () => {
    const body = lines(
      contact(
        { id: 72810357568 },
        { associatedcompanyid: 5000526215, closedate: "2025-01-31", lifecyclestage: 1234567 },
      ),
      contact({ id: "2" }),
    );
    const { rows } = await land("crm", "contacts", { "a.jsonl.gz": gzipSync(body) });
    expect(rows[0]).to.include({
      id: "72810357568",
      associated_company_id: "5000526215",
      close_date: "2025-01-31 00:00:00+00",
      lifecycle_stage: "1234567",
    });
  });

  it("lands plain tables as CSV, lines and Parquet", async () => {
    const { rows, rejects } = await land("crm", "contacts", {
      "1.csv": "id,email,created_at,archived\n1,a@example.com,2025-05-01T00:00:00Z,true\n",
      "2.jsonl": lines({ id: "2", email: "b@example.com", created_at: "2025-05-01T00:00:00-03:00" }),
      "3.parquet": await parquet("select 3 as id, 'c@example.com' as email, false as archived"),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows.map((row) => [row.id, row.email, row.created_at, row.archived])).to.deep.equal([
      ["1", "a@example.com", "2025-05-01 00:00:00+00", true],
      ["2", "b@example.com", "2025-05-01 03:00:00+00", null],
      ["3", "c@example.com", null, false],
    ]);
  });

  it("rejects unreadable values, with position and reason, and lands the rest", async () => {
    const { rows, rejects } = await land("crm", "contacts", {
      "a.json": page(
        contact(),
        contact({ id: undefined }),
        contact({ archived: "perhaps" }, { closedate: "last week" }),
        contact({ updatedAt: "12020-04-05T00:00:00Z" }),
      ),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([
      [2, "id: missing"],
      [3, 'close_date: "last week" is not an instant (ISO 8601); archived: "perhaps" is not true or false'],
      [4, 'updated_at: "12020-04-05T00:00:00Z" is not an instant (ISO 8601)'],
    ]);
  });
});

describe("landing CRM products", () => {
  const product = (changes: object = {}, properties: object = {}): object => ({
    id: "1783898388",
    properties: { name: "Shoe", hs_sku: "SKU-1", price: "99.9", createdate: "2025-04-28T16:39:00.846Z", ...properties },
    createdAt: "2025-04-28T16:39:00.846Z",
    updatedAt: "2025-05-03T10:00:00.123Z",
    archived: false,
    ...changes,
  });

  it("lands a page", async () => {
    const { rows, outcome } = await land("crm", "products", {
      "a.json": page(product(), product({ id: "2" }, { hs_sku: "", price: null })),
    });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.include({
      id: "1783898388",
      name: "Shoe",
      crm_sku: "SKU-1",
      price: "99.900000",
      created_at: "2025-04-28 16:39:00.846+00",
      updated_at: "2025-05-03 10:00:00.123+00",
      archived: false,
    });
    expect(rows[1]).to.include({ crm_sku: null, price: null });
  });

  it("lands packed lines and plain tables", async () => {
    const { rows } = await land("crm", "products", {
      "1.gz": gzipSync(lines(product(), product({ id: "2" }))),
      "2.csv": "id,name,price\n3,Boot,10.5\n",
      "3.parquet": await parquet("select '4' as id, 'Sock' as name, 2.25 as price"),
    });
    expect(rows.map((row) => [row.id, row.price])).to.deep.equal([
      ["1783898388", "99.900000"],
      ["2", "99.900000"],
      ["3", "10.500000"],
      ["4", "2.250000"],
    ]);
  });

  it("rejects an unreadable price", async () => {
    const { rows, rejects } = await land("crm", "products", {
      "a.json": page(product({}, { price: "R$ 1" }), product()),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([[1, 'price: "R$ 1" is not an amount']]);
  });
});

describe("landing CRM pipelines", () => {
  const stage = (id: string, displayOrder: number, metadata: object): object => ({
    id,
    label: id.toUpperCase(),
    displayOrder,
    metadata,
    createdAt: "2025-01-01T00:00:00Z",
    updatedAt: "2025-01-01T00:00:00Z",
    archived: false,
  });
  const pipeline = (changes: object = {}): object => ({
    id: "default",
    label: "Sales",
    displayOrder: 0,
    createdAt: "2025-01-01T00:00:00Z",
    updatedAt: "2025-02-01T00:00:00Z",
    archived: false,
    stages: [
      stage("won", 10, { isClosed: "true", probability: "1.0" }),
      stage("new", 1, { isClosed: "false", probability: "0.2" }),
      stage("talk", 2, { isClosed: "false", probability: "0.4" }),
    ],
    ...changes,
  });

  it("lands a page, the stages in their order", async () => {
    const { rows, outcome } = await land("crm", "pipelines", { "a.json": page(pipeline()) });
    expect(outcome.rejected).to.equal(0);
    expect(rows[0]).to.deep.include({
      id: "default",
      label: "Sales",
      display_order: "0",
      created_at: "2025-01-01 00:00:00+00",
      updated_at: "2025-02-01 00:00:00+00",
      archived: false,
      object_type: "DEAL",
      stages: [
        { id: "new", label: "NEW", display_order: "1", is_closed: false, probability: 0.2, archived: false },
        { id: "talk", label: "TALK", display_order: "2", is_closed: false, probability: 0.4, archived: false },
        { id: "won", label: "WON", display_order: "10", is_closed: true, probability: 1, archived: false },
      ],
    });
  });

  it("distinguishes the default pipelines of deals and of tickets", async () => {
    const tickets = pipeline({ stages: [stage("1", 0, { isClosed: "false", ticketState: "OPEN" })] });
    const { rows } = await land("crm", "pipelines", { "a.json": page(pipeline(), tickets, pipeline({ stages: [] })) });
    expect(rows.map((row) => row.object_type)).to.deep.equal(["DEAL", "TICKET", null]);
  });

  it("lands the older API's names: pipelineId, stageId, active, times in milliseconds, 0 for none", async () => {
    const older = (changes: object): object => ({
      pipelineId: "default",
      objectType: "DEAL",
      objectTypeId: "0-3",
      label: " Sales ",
      displayOrder: 3,
      active: true,
      default: true,
      createdAt: 0,
      updatedAt: 1743685150749,
      stages: [
        { stageId: "b", label: "B", displayOrder: 1, metadata: { isClosed: "true" }, active: false },
        {
          stageId: "a",
          label: "A",
          displayOrder: 0,
          metadata: { isClosed: "false", probability: "0.1" },
          active: true,
        },
      ],
      ...changes,
    });
    const { rows, rejects } = await land("crm", "pipelines", {
      "a.jsonl": lines(older({}), older({ active: false, createdAt: "1970-01-01T00:00:00Z", updatedAt: 99 })),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows[0]).to.deep.include({
      id: "default",
      display_order: "3",
      created_at: null,
      updated_at: "2025-04-03 12:59:10.749+00",
      archived: false,
      object_type: "DEAL",
      stages: [
        { id: "a", label: "A", display_order: "0", is_closed: false, probability: 0.1, archived: false },
        { id: "b", label: "B", display_order: "1", is_closed: true, probability: null, archived: true },
      ],
    });
    expect(rows[1]).to.include({ archived: true, created_at: null, updated_at: "1970-01-01 00:00:00.099+00" });
  });

  it("lands packed lines and plain tables, stages as lists or as JSON text", async () => {
    const stages = [{ id: "s", label: "S", display_order: 0, is_closed: false, probability: 0.5, archived: false }];
    const { rows, rejects } = await land("crm", "pipelines", {
      "1.gz": gzipSync(lines(pipeline(), pipeline({ id: "2" }))),
      "2.jsonl": lines({ id: "3", label: "Plain", display_order: 2, stages, created_at: "2025-01-01T00:00:00Z" }),
      "3.csv": `id,display_order,stages\n4,1,"${JSON.stringify(stages).replaceAll('"', '""')}"\n`,
      "4.parquet": await parquet("select '5' as id, 7 as display_order, [{id: 's', display_order: 0}] as stages"),
    });
    expect(rejects).to.deep.equal([]);
    expect(rows.map((row) => [row.id, (row.stages as { id: string }[]).at(0)?.id])).to.deep.equal([
      ["default", "new"],
      ["2", "new"],
      ["3", "s"],
      ["4", "s"],
      ["5", "s"],
    ]);
  });

  it("rejects unreadable values, in stages too, and lands the rest", async () => {
    const { rows, rejects } = await land("crm", "pipelines", {
      "a.json": page(
        pipeline(),
        pipeline({ id: undefined }),
        pipeline({ stages: [stage("x", 0, { isClosed: "maybe" }), { ...stage("y", 1, {}), displayOrder: "last" }] }),
        pipeline({ stages: "none" }),
        pipeline({ updatedAt: "99999999999999999999" }),
        pipeline({ updatedAt: "9223372036854775807" }),
        pipeline({ active: "so-so", archived: undefined }),
      ),
    });
    expect(rows).to.have.length(1);
    expect(reasons(rejects)).to.deep.equal([
      [2, "id: missing"],
      [3, 'stages[].is_closed: "maybe" is not true or false'],
      [4, "stages: not a list"],
      [5, 'updated_at: "99999999999999999999" is not an instant (ISO 8601)'],
      [6, 'updated_at: "9223372036854775807" is not an instant (ISO 8601)'],
      [7, 'archived: "so-so" is not true or false'],
    ]);
  });
});
