import { expect } from "chai";
import request from "supertest";
import { AURORA, type DataFolder, STOREA } from "../support/data.ts";
import { openService, type Service } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const SQL = "/v1/sql";
const QUALITY = "/v1/data-quality";
const asked = (query: string, more = ""): string => `${SQL}?query=${encodeURIComponent(query)}${more}`;

describe("Queries of clients' own, and the quality of data", () => {
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

  const plain = (address: string) =>
    request(service.app)
      .get(`${address}${address.includes("?") ? "&" : "?"}organizationId=${AURORA}`)
      .set("x-client-id", "test")
      .set("x-client-secret", "x");

  describe(SQL, () => {
    it("has the rows of the query, with names and types", async () => {
      const { status, body } = await service.get(
        asked("select 1 as one, 'a' as letter union all select 2, null order by 1"),
      );
      expect(status).to.equal(200);
      expect(body.columns).to.deep.equal([
        { name: "one", type: "INTEGER" },
        { name: "letter", type: "VARCHAR" },
      ]);
      expect(body.rows).to.deep.equal([
        [1, "a"],
        [2, null],
      ]);
      expect(body).to.include({ rowCount: 2, truncated: false });
    });

    it("agrees with the figures of the endpoints", async () => {
      const cards = await service.get("/v1/profitability/cards");
      const own = await service.get(asked("select sum(revenue)::double as revenue, count(*) as orders from orders"));
      expect((own.body.rows as number[][])[0]).to.deep.equal([cards.body.revenue, cards.body.orders]);
    });

    it("gives the period to the macros", async () => {
      const query = "select count(*) as orders from selected_orders()";
      const days = "&startDate=2025-02-01&endDate=2025-02-28";
      const cards = await service.get(`/v1/profitability/cards?${days.slice(1)}`);
      const own = await service.get(asked(query, days));
      expect((own.body.rows as number[][])[0]?.[0]).to.equal(cards.body.orders);
    });

    it("lists the views of the organization with their columns", async () => {
      const { body } = await service.get(
        asked(
          "select table_name, column_name from information_schema.columns where table_name = 'orders'",
          "&limit=5000",
        ),
      );
      expect((body.rows as string[][]).map(([, column]) => column)).to.include.members(["order_id", "revenue"]);
    });

    it("says that there are more rows than its limit", async () => {
      const { body } = await service.get(asked("select * from range(100)", "&limit=3"));
      expect(body).to.include({ rowCount: 3, truncated: true });
    });

    it("is not cached, and returns the number of rows in a header", async () => {
      const { headers } = await plain(asked("select 1 as one"));
      expect(headers).to.include({ "cache-control": "private, no-store", "x-row-count": "1", "x-truncated": "false" });
    });

    it("answers CSV in which no text is a formula", async () => {
      const query = `select '=1+1' as a, -2 as b, null as c, '' as d, 'x,"y"' as e, -1234567890123456789.5::decimal(38,1) as f`;
      const { headers, text } = await plain(asked(query, "&format=csv"));
      expect(headers["content-type"]).to.match(/^text\/csv/);
      expect(headers["content-disposition"]).to.equal("attachment; filename=sql.csv");
      expect(text).to.equal(`a,b,c,d,e,f\r\n'=1+1,-2,,"","x,""y""",-1234567890123456789.5\r\n`);
    });

    for (const [what, query, expected] of [
      ["a syntax error", "selec 1", /syntax error/],
      ["an unknown name", "select nothing_such from orders", /nothing_such/],
      ["a file", "select * from read_csv('/etc/passwd')", /read_csv/],
      ["a setting", "select current_setting('temp_directory')", /current_setting/],
      ["a statement that writes", "create table x (i int)", /one query/],
      ["two statements", "select 1; select 2", /one query/],
    ] as const) {
      it(`answers 400 with the engine's message to ${what}`, async () => {
        const { status, body } = await service.get(asked(query));
        expect(status).to.equal(400);
        expect(body.message).to.match(expected);
        expect((body.details as { parameter: string }[])[0]?.parameter).to.equal("query");
        expect(JSON.stringify(body)).not.to.include(data.config.dataDir);
      });
    }

    it("answers 400 to a text that is missing or too long", async () => {
      expect((await service.get(SQL)).status).to.equal(400);
      expect((await service.get(asked(`select ${"1".repeat(8_200)}`))).status).to.equal(400);
    });

    it("answers 406 to a format that it does not have", async () => {
      const { status } = await plain(asked("select 1")).set("accept", "application/vnd.apache.parquet");
      expect(status).to.equal(406);
    });

    it("refuses an organization that the credentials are not bound to", async () => {
      const { status } = await service.get(`${asked("select 1")}&organizationId=0aaaaaaa-0000-4000-8000-000000000003`);
      expect(status).to.equal(403);
    });
  });

  describe(QUALITY, () => {
    it("has every integration with its records, as landed", async () => {
      const { status, body } = await service.get(QUALITY);
      expect(status).to.equal(200);
      const integrations = body.integrations as {
        integrationId: string;
        records: { record: string; rows: number }[];
      }[];
      const orders = integrations
        .find((one) => one.integrationId === STOREA)
        ?.records.find((one) => one.record === "orders");
      const own = await service.get(
        asked("select rows from landed_records where record = 'orders' order by integration_id limit 1"),
      );
      expect(orders?.rows).to.be.above(0);
      expect(orders?.rows).to.equal((own.body.rows as number[][])[0]?.[0]);
    });

    it("contains no folder of the machine, no credential and no e-mail", async () => {
      const { text } = await service.get(QUALITY);
      expect(text).not.to.include(data.config.dataDir);
      expect(text).not.to.match(/exports\/|rejects\/|[^\s@"…*]+@[^\s@"…]+/);
      expect(text).not.to.match(/noCredentials|webhook/i);
    });

    it("is not sent again while it is unchanged", async () => {
      const { headers } = await plain(QUALITY);
      const again = await plain(QUALITY).set("if-none-match", String(headers.etag));
      expect(again.status).to.equal(304);
    });

    it("refuses an organization that the credentials are not bound to", async () => {
      expect((await service.get(`${QUALITY}?organizationId=0aaaaaaa-0000-4000-8000-000000000003`)).status).to.equal(
        403,
      );
    });
  });
});
