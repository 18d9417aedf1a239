import { expect } from "chai";
import { parse } from "csv-parse/sync";
import request from "supertest";
import { AURORA, type DataFolder, STOREA } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

type Value = Record<string, unknown>;
const STORE = `integrationId=${STOREA}&dateFrom=2025-02-01&dateTo=2025-02-28`;

describe("Whole tables", () => {
  let data: DataFolder;
  let service: Service;

  before(async () => {
    data = await landedFixtures();
    service = await openService(data.config, AURORA);
  });

  after(async () => {
    await service?.close();
    await data?.remove();
  });

  async function get(address: string): Promise<{ headers: Record<string, string>; text: string }> {
    const { status, headers, body } = await request(service.app)
      .get(`${address}&organizationId=${AURORA}`)
      .set({ "x-client-id": "test", "x-client-secret": "x" })
      .buffer()
      .parse((response, parsed) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => parsed(null, Buffer.concat(parts)));
      });
    expect(status, `${address} ${body}`).to.equal(200);
    return { headers, text: String(body) };
  }

  it("of products are the listing with one page that has all of them, in every order", async () => {
    for (const order of ["", "&sortBy=productName&sortOrder=asc", "&columns=netSales,orders&includeCategories=false"]) {
      const query = `${STORE}${order.replace(",orders", ",cogs")}`;
      const page = JSON.parse((await get(`/v1/products?${query}&pageSize=100`)).text);
      const { headers, text } = await get(`/v1/products?${query}&pageSize=2&page=2&all=true`);
      const total = page.data.length;
      expect(total).to.be.above(4);
      const pagination = { page: 1, pageSize: total, total, totalPages: 1 };
      expect(JSON.parse(text)).to.deep.equal({ ...page, pagination });
      expect(Object.keys(JSON.parse(text))).to.deep.equal(Object.keys(page));
      expect(headers).to.include({ "x-row-count": String(total), "content-length": String(Buffer.byteLength(text)) });
      const csv = await get(`/v1/products?${query}&pageSize=2&all=true&format=csv`);
      const rows = parse(csv.text, { columns: true }) as Value[];
      expect(rows.map(({ productId }) => productId)).to.deep.equal(page.data.map(({ productId }: Value) => productId));
      expect(csv.headers["x-row-count"]).to.equal(String(total));
      expect(csv.headers).to.not.have.any.keys("x-page", "x-has-next-page");
    }
  });

  it("of no product are an empty page", async () => {
    const { data: rows, pagination } = JSON.parse((await get(`/v1/products?${STORE}&search=nothing&all=true`)).text);
    expect([rows, pagination]).to.deep.equal([[], { page: 1, pageSize: 0, total: 0, totalPages: 0 }]);
    const { text } = await get(`/v1/products?${STORE}&search=nothing&all=true&format=csv&locale=pt-BR&headings=labels`);
    expect(text)
      .to.match(/^\ufeffID da loja;ID do produto;.*\r\n$/)
      .and.satisfy((csv: string) => csv.split("\r\n").length === 2);
  });

  it("of cohorts and payback curves have the rows that an answer leaves out", async () => {
    for (const path of ["cohort", "payback"]) {
      const address = `/v1/profitability/${path}?breakBy=campanha`;
      const answer = JSON.parse((await get(address)).text);
      const whole = await get(`${address}&all=true`);
      expect(JSON.parse(whole.text), path).to.deep.equal(answer);
      expect(whole.headers["x-row-count"]).to.equal(String(answer.data.length));
      const setup = "create or replace macro most_cells() as case when wants_all() then 1000000 else 8 end";
      await service.database.use((session) => session.run(setup));
      try {
        const cut = await get(`${address}&format=csv`);
        const all = await get(`${address}&all=true&format=csv&limit=1`.replace("&limit=1", ""));
        expect(Number(cut.headers["x-rows-left-out"]), path).to.be.above(0);
        expect(all.headers).to.not.have.any.keys("x-rows-left-out");
        expect(Number(all.headers["x-row-count"])).to.be.above(Number(cut.headers["x-row-count"]));
      } finally {
        await service.database.use((session) =>
          session.run(
            "create or replace macro most_cells() as case when wants_all() then 9_223_372_036_854_775_807 else 1_000_000 end",
          ),
        );
      }
    }
  });

  it("of pages have the members of a page, and the same rows", async () => {
    for (const address of ["/v1/acquisition/products?limit=5000", "/v1/profitability/orders?limit=5000"]) {
      const { meta, ...page } = JSON.parse((await get(address)).text);
      const { meta: whole, ...all } = JSON.parse((await get(`${address}&all=true`)).text);
      expect(all, address).to.deep.equal(page);
      expect(whole).to.deep.equal({ ...meta, page: 1, limit: page.data.length });
    }
  });

  it("keep their bytes in `en`, and in other formats whatever the locale", async () => {
    const address = `/v1/products?${STORE}&all=true`;
    for (const format of ["csv", "ndjson", "json"]) {
      const plain = (await get(`${address}&format=${format}`)).text;
      const locale = format === "csv" ? "en" : "pt-BR&headings=labels";
      expect((await get(`${address}&format=${format}&locale=${locale}`)).text, format).to.equal(plain);
    }
  });

  it("have labels as headings in the language of the locale; rows of records keep their names", async () => {
    const first = async (query: string): Promise<string> =>
      (await get(query)).text.replace(/^\ufeff/, "").split(/[;,]/, 1)[0] ?? "";
    const evolution = "/v1/profitability/metrics-evolution?format=csv&headings=labels";
    expect(await first(evolution)).to.equal("Month");
    expect(await first(`${evolution}&locale=pt-BR`)).to.equal("Mês");
    expect(await first("/v1/crm/contacts?format=csv&headings=labels&locale=pt-BR")).to.equal("id");
  });
});
