import { expect } from "chai";
import request, { type Response } from "supertest";
import { comparesStates, isOfRecord, isTabular } from "../../src/core/contract/endpoint.ts";
import { FORMATS, type Format } from "../../src/core/contract/format.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { paths } from "../../src/core/files/paths.ts";
import { AURORA, type DataFolder, exportsOf, filesBelow, STOREA, storeaOrder } from "../support/data.ts";
import { type Read, readers, unguarded } from "../support/readers.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

type Tabular = keyof typeof readers;
const TABULAR = Object.keys(readers) as Tabular[];
type Value = Record<string, unknown>;

const FEBRUARY = "startDate=2025-02-01&endDate=2025-02-28";
const STORE = `integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;

/** A request for each endpoint whose answer is a table; the path of its rows in the JSON. */
const ANALYSES: Readonly<Record<string, readonly [query: string, rows: string]>> = {
  "/v1/profitability/new-vs-recurring": [FEBRUARY, "data"],
  "/v1/profitability/metrics-evolution": ["", "data"],
  "/v1/profitability/cmv-evolution": [FEBRUARY, "data"],
  "/v1/profitability/trend": [FEBRUARY, "data"],
  "/v1/profitability/cohort": ["breakBy=campanha", "data"],
  "/v1/profitability/payback": ["breakBy=campanha", "data"],
  "/v1/profitability/orders": ["counted=any&limit=20", "data"],
  "/v1/profitability/breakdown": [`${FEBRUARY}&by=store,channel`, "data"],
  "/v1/profit/statement": [`${FEBRUARY}&granularity=week`, "data"],
  "/v1/profit/orders": ["limit=20", "data"],
  "/v1/profit/unknown-goods": [FEBRUARY, "data"],
  "/v1/profit/pace": ["", "data"],
  "/v1/alerts": ["startDate=2025-03-01&endDate=2025-03-26", "data"],
  "/v1/alerts/replay": ["metric=revenue&rule=above&value=150", "data"],
  "/v1/acquisition/channels": [FEBRUARY, "data"],
  "/v1/acquisition/campaigns": [FEBRUARY, "data"],
  "/v1/acquisition/new-customers": [FEBRUARY, "data"],
  "/v1/acquisition/contribution": [FEBRUARY, "data"],
  "/v1/acquisition/products": [FEBRUARY, "data"],
  "/v1/products/integrations": ["", "data"],
  "/v1/products": [`${STORE}&pageSize=2`, "data"],
  "/v1/products/categories": [STORE, "categories"],
  "/v1/products/:productId/series": [STORE, "data"],
};

describe("The formats", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    // Texts that are difficult for formats, and one that a spreadsheet takes for a formula.
    const odd = [
      "=1+1",
      "+55 11",
      "-x",
      "@sum",
      'a "quoted", one',
      "two\nlines",
      "a\r\nb",
      "<&>",
      "x]]>y",
      "a;=1",
      "ção 🛒",
      "\u0001",
    ];
    const orders = odd.map((text, n) => ({ ...storeaOrder({ id: `odd-${n}`, value: 12.34 }), sequence: text }));
    await data.write(`${exportsOf(STOREA, "orders")}/odd.json`, JSON.stringify(orders));
    await data.sync();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  const get = (address: string, headers: Record<string, string> = {}, organization = AURORA): Promise<Response> =>
    new Promise((done, fail) => {
      const full = `${address}${address.includes("?") ? "&" : "?"}organizationId=${organization}`;
      request(service.app)
        .get(full.replace(":productId", "501"))
        .set({ "x-client-id": "test", "x-client-secret": "x", ...headers })
        .buffer()
        .parse((response, parsed) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => parsed(null, Buffer.concat(parts)));
        })
        .end((error, response) => (error ? fail(error) : done(response)));
    });
  const json = async (address: string): Promise<Value> => JSON.parse(String((await get(address)).body));
  const read = async (format: Tabular, address: string): Promise<Read> => {
    const { status, body } = await get(`${address}${address.includes("?") ? "&" : "?"}format=${format}`);
    expect(status, String(body).slice(0, 300)).to.equal(200);
    return readers[format](body);
  };

  it("are offered by every endpoint of this test, and by no other", () => {
    // The tables of what changed are tested over data with a history.
    const offered = endpoints.filter(
      (endpoint) =>
        isTabular(endpoint) && !isOfRecord(endpoint) && endpoint.by !== "model" && !comparesStates(endpoint),
    );
    expect(
      offered.map(({ path }) => path),
      "ANALYSES of this file",
    ).to.have.members(Object.keys(ANALYSES));
  });

  for (const format of TABULAR) {
    it(`${format} holds the rows of every row endpoint as in the JSON`, async () => {
      for (const { path } of endpoints.filter(isOfRecord)) {
        const address = `${path}?limit=2000`;
        const rows = (await json(address)).data as Value[];
        expect(rows, path).to.not.be.empty;
        const actual = await read(format, address);
        expect(actual.rows, path).to.have.lengthOf(rows.length);
        for (const [n, row] of rows.entries()) expectSame(actual.rows[n] ?? {}, row, format, `${path} ${n}`);
      }
    });

    it(`${format} holds the tables of the analyses as in the JSON, flat`, async () => {
      for (const [path, [query, member]] of Object.entries(ANALYSES)) {
        const address = query ? `${path}?${query}` : path;
        const rows = ((await json(address))[member] as Value[]).flatMap(flat);
        expect(rows, path).to.not.be.empty;
        const actual = await read(format, address);
        expect(actual.rows, path).to.have.lengthOf(rows.length);
        for (const [n, row] of rows.entries()) expectSame(actual.rows[n] ?? {}, row, format, `${path} ${n}`);
      }
    });

    it(`${format} gives the position of a page, also of an empty one`, async () => {
      for (const [query, rows, isMore] of [
        ["limit=2&page=1", 2, "true"],
        ["limit=2&page=500", 0, "false"],
      ] as const) {
        const { headers, body } = await get(`/v1/storea/orders?${query}&format=${format}`);
        expect(headers).to.include({ "x-row-count": String(rows), "x-limit": "2", "x-has-next-page": isMore });
        expect((await readers[format](body)).rows).to.have.lengthOf(rows);
      }
      for (const address of [`/v1/products?${STORE}&pageSize=2`, "/v1/profitability/orders?limit=2"]) {
        const { headers } = await get(`${address}&format=${format}`);
        expect(headers, address).to.include({ "x-page": "1", "x-limit": "2", "x-has-next-page": "true" });
      }
    });

    it(`${format} says whether there is a next page, also when the last one is full`, async () => {
      const { data: rows } = await json("/v1/storea/orders?limit=5000");
      const limit = (rows as Value[]).length;
      for (const [size, isMore] of [
        [limit, "false"],
        [limit - 1, "true"],
      ] as const) {
        const { headers } = await get(`/v1/storea/orders?limit=${size}&format=${format}`);
        expect(headers).to.include({ "x-row-count": String(size), "x-has-next-page": isMore });
      }
    });

    it(`${format} of a whole selection is all its pages, in their order`, async () => {
      const campaigns = "/v1/socialads/ads/campaigns?limit=2";
      for (const path of [
        campaigns,
        `${campaigns}&orderBy=spend&orderDirection=DESC`,
        `${campaigns}&dateStart=2025-02-01&dateEnd=2025-02-28`,
        `/v1/profitability/orders?limit=2&${FEBRUARY}`,
      ]) {
        const pages: Value[] = [];
        for (let page = 1, isMore = true; isMore; page++) {
          const { data: rows, meta } = await json(`${path}&page=${page}`);
          pages.push(...(rows as Value[]));
          isMore = (meta as { hasNextPage: boolean }).hasNextPage;
        }
        expect(pages.length).to.be.above(4);
        const { headers, body } = await get(`${path}&all=true&format=${format}`);
        expect(headers).to.include({ "x-row-count": String(pages.length), "content-length": String(body.length) });
        expect(headers).to.not.have.any.keys("content-encoding", "x-page");
        const { rows } = await readers[format](body);
        for (const [n, row] of pages.entries()) expectSame(rows[n] ?? {}, row, format, `${path} ${n}`);
        expect(rows).to.have.lengthOf(pages.length);
      }
    });
  }

  it("put rows whose sort column is null last, in either direction", async () => {
    for (const direction of ["ASC", "DESC"]) {
      const path = `/v1/socialads/ads/campaigns?orderBy=website_purchase_roas&orderDirection=${direction}&limit=5000`;
      const { data: rows } = await json(path);
      const values = (rows as Record<string, Value>[]).map((row) => row.website_purchase_roas);
      const known = values.filter((value) => value !== null);
      expect(known.length, direction).to.be.above(1).and.below(values.length);
      expect(
        values.slice(known.length).every((value) => value === null),
        direction,
      ).to.equal(true);
    }
  });

  it("json of a whole selection is one page that holds it, with or without rows", async () => {
    const { data: rows } = await json("/v1/socialads/ads/campaigns?limit=5000");
    const all = await json("/v1/socialads/ads/campaigns?all=true&limit=1");
    const limit = (rows as Value[]).length;
    expect(all).to.deep.equal({ data: rows, meta: { page: 1, limit, hasNextPage: false, hasPreviousPage: false } });
    const { meta, ...rest } = await json(`/v1/profitability/orders?${FEBRUARY}`);
    const whole = await json(`/v1/profitability/orders?${FEBRUARY}&all=true&limit=1`);
    expect(whole).to.deep.equal({ ...rest, meta: { ...(meta as Value), limit: (rest.data as Value[]).length } });
    const none = await json("/v1/socialads/ads/campaigns?all=true&userId=nobody");
    expect(none).to.deep.equal({ data: [], meta: { page: 1, limit: 0, hasNextPage: false, hasPreviousPage: false } });
  });

  it("keep the types", async () => {
    const [arrow, parquet] = await Promise.all([
      read("arrow", "/v1/socialads/ads/campaigns"),
      read("parquet", "/v1/socialads/ads/campaigns"),
    ]);
    const wanted: [string, string, string][] = [
      ["date_start", "Date32<DAY>", "INT32 DATE"],
      ["inserted_at", "Timestamp<MICROSECOND, UTC>", "INT64 TIMESTAMP_MICROS"],
      ["spend", "Decimal[18e+6]", "INT64 DECIMAL"],
      ["impressions", "Int64", "INT64 INT_64"],
      ["ctr", "Float64", "DOUBLE"],
      ["campaign_id", "Utf8", "BYTE_ARRAY UTF8"],
      ["actions", "Utf8", "BYTE_ARRAY UTF8"],
    ];
    for (const [name, inArrow, inParquet] of wanted) {
      expect([name, arrow.types[name], parquet.types[name]]).to.deep.equal([name, inArrow, inParquet]);
    }
    const [contacts, cohort] = await Promise.all([
      read("arrow", "/v1/crm/contacts"),
      read("parquet", "/v1/profitability/cohort"),
    ]);
    expect(contacts.types.archived).to.equal("Bool");
    expect(contacts.rows[0]?.archived).to.be.a("boolean");
    expect(cohort.types).to.include({ cohortMonth: "INT32 DATE", step: "INT64 INT_64", totalRevenue: "INT64 DECIMAL" });
    const xlsx = await read("xlsx", "/v1/crm/contacts");
    expect(xlsx.rows[0]?.archived).to.be.a("boolean");
    expect(xlsx.rows[0]?.created_at).to.be.an.instanceOf(Date);
  });

  it("csv has a header, line ends as in RFC 4180, no byte order mark, and no formulas", async () => {
    const { body, headers } = await get("/v1/storea/orders?format=csv");
    expect(headers["content-type"]).to.equal("text/csv; charset=utf-8; header=present");
    expect(headers["content-disposition"]).to.match(/^attachment; filename="?storea-orders\.csv"?$/);
    const text = String(body);
    expect(text)
      .to.match(/^order_id,[\w,]+\r\n/)
      .and.match(/\r\n$/);
    const cells = (await readers.csv(body)).rows.map(({ sequence }) => sequence);
    expect(cells).to.include.members([
      "'=1+1",
      "'+55 11",
      "'-x",
      "'@sum",
      "a;'=1",
      'a "quoted", one',
      "two\nlines",
      "a\r\nb",
    ]);
    expect(
      (await read("xlsx", "/v1/storea/orders")).rows.map(({ sequence }) => sequence),
      "is text there",
    ).to.include("=1+1");
  });

  describe("are chosen", () => {
    const CAMPAIGNS = "/v1/socialads/ads/campaigns";
    const typeOf = async (address: string, accept?: string): Promise<string> => {
      const { status, headers } = await get(address, accept === undefined ? {} : { accept });
      return status === 200 ? (String(headers["content-type"]).split(";")[0] ?? "") : String(status);
    };

    it("by Accept, the most preferred first", async () => {
      const accepts: [string | undefined, Format][] = [
        [undefined, "json"],
        ["*/*", "json"],
        ["application/*", "json"],
        ["text/*", "csv"],
        ["text/html, text/csv;q=0.5, */*;q=0.1", "csv"],
        ["text/csv;q=0.4, application/vnd.apache.parquet;q=0.6", "parquet"],
        ["application/json;q=0, */*", "csv"],
        ["text/csv; charset=utf-8", "csv"],
        ["application/json; charset=UTF-8", "json"],
        ...Object.entries(FORMATS).map(([format, type]): [string, Format] => [type, format as Format]),
      ];
      for (const [accept, format] of accepts) {
        expect([accept, await typeOf(CAMPAIGNS, accept)]).to.deep.equal([accept, FORMATS[format]]);
      }
    });

    it("by format, whatever Accept says", async () => {
      expect(await typeOf(`${CAMPAIGNS}?format=csv`, "application/json")).to.equal(FORMATS.csv);
      expect(await typeOf(`${CAMPAIGNS}?format=json`, "image/png")).to.equal(FORMATS.json);
    });

    it("or refused: 406 for an unsupported type, 400 for an unknown format, each on its own", async () => {
      expect(await typeOf(CAMPAIGNS, "image/png")).to.equal("406");
      expect(await typeOf("/v1/profitability/cards?format=csv")).to.equal("406");
      expect(await typeOf("/v1/profitability/cards", "text/csv")).to.equal("406");
      expect(await typeOf("/v1/profitability/cards?format=json", "text/csv")).to.equal(FORMATS.json);
      const refused = await get(CAMPAIGNS, { accept: "image/png" });
      expect(JSON.parse(String(refused.body))).to.deep.equal({
        error: "Not Acceptable",
        message: "O formato pedido não está disponível.",
      });
      for (const [address, parameter] of [
        [`${CAMPAIGNS}?format=xml`, "format"],
        ["/v1/profitability/cards?format=xml", "format"],
        [`${CAMPAIGNS}?all=yes`, "all"],
        ["/v1/acquisition/channels?all=true", "all"],
        [`${CAMPAIGNS}?locale=pt`, "locale"],
        [`${CAMPAIGNS}?headings=label`, "headings"],
        ["/v1/profitability/cards?locale=pt-BR", "locale"],
      ]) {
        const { status, body } = await get(address ?? "");
        const { details } = JSON.parse(String(body));
        expect([status, details[0].parameter], address).to.deep.equal([400, parameter]);
      }
      expect((await get(`${CAMPAIGNS}?startDate=2025-02-30&dateStart=x`, { accept: "image/png" })).status).to.equal(
        400,
      );
    });

    it("and refused for an unknown product or store", async () => {
      expect((await get(`/v1/products/none/series?${STORE}&format=csv`)).status).to.equal(404);
      const nowhere = STORE.replace(STOREA, AURORA);
      expect((await get(`/v1/products?${nowhere}&format=parquet`)).status).to.equal(404);
    });
  });

  it("have their own tags, for which nothing is sent again", async () => {
    const tags = new Set<string>();
    for (const query of ["format=json", "format=csv", "format=arrow", "format=csv&all=true", "format=arrow&all=true"]) {
      const first = await get(`/v1/crm/contacts?${query}`);
      const etag = String(first.headers.etag);
      tags.add(etag);
      expect(first.headers.vary).to.include("Accept");
      const again = await get(`/v1/crm/contacts?${query}`, { "if-none-match": etag });
      expect([again.status, again.body.length]).to.deep.equal([304, 0]);
    }
    expect(tags.size).to.equal(5);
  });

  it("are the same bytes at every request", async () => {
    const { body } = await get("/v1/crm/contacts?format=xlsx");
    // The date and time of the package's files in each one's header: 2000-01-01T00:00.
    const headers = body.toString("latin1").split("PK\x03\x04").slice(1);
    expect(headers.map((header: string) => Buffer.from(header.slice(6, 10), "latin1").readUInt32LE())).to.deep.equal(
      headers.map(() => ((20 << 25) | (1 << 21) | (1 << 16)) >>> 0),
    );
    expect(headers).to.have.lengthOf(6);
  });

  it("are refused to other organizations", async () => {
    for (const query of ["format=csv", "format=parquet&all=true"]) {
      const { status } = await get(`/v1/crm/contacts?${query}`, {}, "11111111-1111-4111-8111-111111111111");
      expect(status).to.equal(403);
    }
  });

  it("leave nothing in the spool", async () => {
    const left = await filesBelow(paths.spool(data.config.dataDir));
    // The lock of the running service stays.
    expect(left.filter((file) => !file.endsWith(".owner"))).to.deep.equal([]);
  });
});

/** Of two attributes the rows have these as pairs [D89]. */
const PAIRS = ["key", "label", "breakKey", "breakLabel"];

/**
 * The only rule of the tables: nested objects and pairs are flattened, and every key of a cohort's months, or point of a curve, is a
 * row.
 */
function flat(row: Value): Value[] {
  const { months, points, ...own } = row;
  const columns = (value: Value, above = ""): Value =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        if (Array.isArray(inner))
          return PAIRS.includes(name)
            ? inner.map((half, n) => [`${above}${name}.${n}`, half])
            : [[above + name, inner]];
        return typeof inner === "object" && inner !== null
          ? Object.entries(columns(inner as Value, `${above}${name}_`))
          : [[above + name, inner]];
      }),
    );
  if (points !== undefined) {
    return (points as Value[]).map((point) => ({ ...columns(own), ...columns(point, "points_") }));
  }
  if (months === undefined) return [columns(row)];
  return Object.entries(months as Record<string, Value>).map(([step, cell]) => ({
    ...columns(own),
    step: Number(step),
    ...columns(cell, "months_"),
  }));
}

/** Checks that a row of one of the formats equals the JSON. */
function expectSame(row: Value, wanted: Value, format: Tabular, where: string): void {
  expect(Object.keys(row), where).to.deep.equal(Object.keys(wanted));
  for (const [name, value] of Object.entries(wanted)) {
    expect(asJson(row[name], value, format), `${where} ${name}`).to.deep.equal(inFormat(value, format));
  }
}

/** The part of the JSON's value that the format can hold. */
function inFormat(value: unknown, format: Tabular): unknown {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what no XML can hold. The reader trims texts.
  if (typeof value === "string" && format === "xlsx") return value.replaceAll(/[\x00-\x08]/g, "\ufffd").trim();
  return value;
}

/** A reader's value, as the JSON would show it. */
function asJson(value: unknown, wanted: unknown, format: Tabular): unknown {
  if (format === "csv" && value === "") return null;
  if (format === "csv" && typeof wanted === "boolean") return value === "true";
  if (format === "csv" && typeof wanted === "string") return unguarded(String(value));
  if (typeof wanted === "number") return value === "" || value === null ? null : Number(value);
  // Spreadsheets have instants as fractions of days: a reader may be slightly below.
  if (value instanceof Date && format === "xlsx" && String(wanted).length > 10)
    return Math.abs(value.getTime() - Date.parse(String(wanted))) <= 1 ? wanted : value;
  if (value instanceof Date) return value.toISOString().slice(0, String(wanted).length === 10 ? 10 : undefined);
  if (Array.isArray(wanted)) return typeof value === "string" ? JSON.parse(value) : numbers(value);
  return value ?? null;
}

/** The reader's big integers within nested values, as numbers. */
const numbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, inner) => (typeof inner === "bigint" ? Number(inner) : inner)));
