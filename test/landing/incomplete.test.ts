import { expect } from "chai";
import type { Connector } from "../../src/core/contract/record.ts";
import { storeaOrder } from "../support/data.ts";
import { land } from "../support/landing.ts";

const insight = (campaign: string): object => ({
  campaign_id: campaign,
  spend: "1.00",
  date_start: "2025-05-01",
  date_stop: "2025-05-01",
});
const delivery = (campaign: string): object => ({
  campaign: { id: campaign },
  segments: { date: "2025-06-01" },
  metrics: { costMicros: "1000000" },
});
const visits = {
  dimensionHeaders: [{ name: "date" }],
  metricHeaders: [{ name: "sessions", type: "TYPE_INTEGER" }],
  rows: [{ dimensionValues: [{ value: "20250601" }], metricValues: [{ value: "3" }] }],
};
const next = { cursors: { after: "x" }, next: "https://example.com/next" };

async function notes(connector: Connector, record: string, ...pages: readonly object[]): Promise<string[]> {
  const { outcome } = await land(connector, record, {
    "a.json": pages.length === 1 ? JSON.stringify(pages[0]) : pages.map((page) => JSON.stringify(page)).join("\n"),
  });
  expect(outcome.refused).to.deep.equal([]);
  expect(outcome.landed, "rows landed").to.be.above(0);
  return outcome.notes.map(({ note }) => note);
}

const MORE = /^says that more pages follow/;

describe("What a file says of its own completeness", () => {
  it("is a note if more pages follow, whatever the vendor", async () => {
    const cases: readonly (readonly [Connector, string, object])[] = [
      ["socialads", "campaigns", { data: [insight("1")], paging: next }],
      ["socialads", "campaigns", { paging: next, data: [insight("1")] }],
      ["searchads", "campaigns", { results: [delivery("1")], nextPageToken: "x" }],
      ["searchads", "campaigns", { results: [delivery("1")], next_page_token: "x" }],
      [
        "storea",
        "orders",
        { list: [storeaOrder({ id: "1", value: 1 })], paging: { total: 9, pages: 9, currentPage: 1 } },
      ],
      [
        "storeb",
        "products",
        {
          data: {
            products: { nodes: [{ id: "gid://shopify/Product/1", title: "A" }], pageInfo: { hasNextPage: true } },
          },
        },
      ],
      [
        "storeb",
        "products",
        {
          data: {
            products: {
              edges: [{ node: { id: "gid://shopify/Product/1", title: "A" } }],
              pageInfo: { hasNextPage: true },
            },
          },
        },
      ],
    ];
    for (const [connector, record, page] of cases)
      expect(
        (await notes(connector, record, page)).filter((note) => MORE.test(note)),
        JSON.stringify(page),
      ).to.have.length(1);
  });

  it("is no note if the next page is in the file, or there is none", async () => {
    expect(
      await notes(
        "socialads",
        "campaigns",
        { data: [insight("1")], paging: next },
        { data: [insight("2")], paging: { cursors: {} } },
      ),
    ).to.deep.equal([]);
    expect(
      await notes(
        "searchads",
        "campaigns",
        { results: [delivery("1")], nextPageToken: "x" },
        { results: [delivery("2")] },
      ),
    ).to.deep.equal([]);
    expect(await notes("searchads", "campaigns", { results: [delivery("1")], nextPageToken: "" })).to.deep.equal([]);
    const unlike = await notes(
      "searchads",
      "campaigns",
      { results: [delivery("1")] },
      { results: [delivery("2")], nextPageToken: "x" },
    );
    expect(unlike).to.have.length(1);
  });

  it("is a note if it names more rows than it has, and if the vendor left rows out of a report", async () => {
    expect(await notes("webanalytics", "customers", { ...visits, rowCount: 1 })).to.deep.equal([]);
    expect(await notes("webanalytics", "customers", { ...visits, rowCount: 25_000 })).to.deep.equal([
      "says that there are 25,000 rows, and has 1 row: the others are in another file, or missing",
    ]);
    const metadata = {
      samplingMetadatas: [{ samplesReadCount: "1", samplingSpaceSize: "9" }],
      subjectToThresholding: true,
      dataLossFromOtherRow: true,
    };
    expect(await notes("webanalytics", "customers", { ...visits, metadata })).to.have.length(3);
    expect(await notes("webanalytics", "customers", { ...visits, metadata: { currencyCode: "BRL" } })).to.deep.equal(
      [],
    );
  });

  it("takes a row with such a member for a row", async () => {
    const rows = [insight("1"), { ...insight("2"), paging: 1, rowCount: 9, metadata: {}, nextPageToken: "x" }];
    const { outcome } = await land("socialads", "campaigns", {
      "a.ndjson": rows.map((row) => JSON.stringify(row)).join("\n"),
      "b.json": JSON.stringify([{ paging: next, ...insight("3") }]),
    });
    expect([outcome.landed, outcome.rejected]).to.deep.equal([3, 0]);
  });
});
