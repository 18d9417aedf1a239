import { expect } from "chai";
import { drop, refusals } from "../support/drop.ts";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";
import { landedBy } from "../support/tools.ts";

const head = "order_id,creation_date,value";

describe("A plain table", () => {
  it("has the numbers and dates of its whole file", async () => {
    const { rows, rejects } = await drop("storea", "orders", {
      "o.csv": "order_id;creation_date;value;total_shipping\n1;31/01/2025 10:00;1.234;0,5\n2;01/02/2025;99,90;\n",
    });
    expect(rejects).to.deep.equal([]);
    expect(
      rows.map(({ value, total_shipping, creation_date }) => [value, total_shipping, creation_date]),
    ).to.deep.equal([
      ["1234.000000", "0.500000", "2025-01-31 10:00:00+00"],
      ["99.900000", null, "2025-02-01 00:00:00+00"],
    ]);
  });

  it("is refused if its numbers read in two ways, or contradict each other", async () => {
    const both = {
      "either.csv": `${head}\n1,2025-01-01,1.234\n`,
      "two.csv": `${head}\n1,2025-01-01,9.90\n2,2025-01-01,"9,90"\n`,
    };
    const found = await drop("storea", "orders", both);
    expect(found.rows).to.deep.equal([]);
    expect(refusals(found)[0]).to.match(/"1\.234": set "numbers" of its integration/);
    expect(refusals(found)[1]).to.match(/"9\.90" and "9,90"/);
    const { rows } = await drop("storea", "orders", both, { numbers: "pt-BR" });
    expect(rows.map(({ value }) => value)).to.deep.equal(["1234.000000"]);
  });

  it("leaves typed values as they are: JSON and Parquet", async () => {
    const { rows } = await drop("storea", "orders", {
      "o.jsonl":
        '{"order_id":"1","creation_date":"2025-01-01","value":1.234}\n{"order_id":"2","creation_date":"2025-01-01","value":"1.234"}\n',
      "o.parquet": await parquet("select '3' as order_id, '2025-01-01' as creation_date, 1.234 as value"),
    });
    expect(rows.map(({ value }) => value)).to.deep.equal(["1.234000", "1.234000", "1.234000"]);
  });

  it("of Parquet with a number that JSON does not have lands but for that row, in whichever column it is", async () => {
    const row = (no: number, spend: string, others: string): string =>
      `select '${no}' as campaign_id, ${spend} as spend, date '2025-05-01' as date_start, ${others}`;
    const rows = (first: string, others: string): Promise<Buffer> =>
      parquet(`${row(1, first, others)} union all ${row(2, "2.0::double", others)}`);
    for (const others of [
      "'nan'::double as score",
      "{x: ['-inf'::double]} as s",
      "'inf'::float as ctr, 'a \"NaN' as t",
    ]) {
      const { outcome } = await land("socialads", "campaigns", { "a.parquet": await rows("1.0::double", others) });
      expect([outcome.refused, outcome.landed, outcome.rejected], others).to.deep.equal(
        others.includes("ctr") ? [[], 0, 2] : [[], 2, 0],
      );
    }
    const spend = await land("socialads", "campaigns", { "a.parquet": await rows("'nan'::double", "1 as score") });
    expect([spend.outcome.refused, spend.outcome.landed, spend.outcome.rejected]).to.deep.equal([[], 1, 1]);
    expect(spend.rejects[0]?.reason).to.match(/^spend: /);
  });

  it("does not read a sign and white space as 0", async () => {
    const values = ["- ", "+ ", " -\t", "-"];
    const { rows, rejects } = await drop("storea", "orders", {
      "o.csv": `${head}\n${values.map((value, at) => `${at},2025-01-01,"${value}"\n`).join("")}`,
      "vendor.jsonl": '{"orderId":"v","creationDate":"2025-01-01T00:00:00Z","value":"- "}\n',
      "signed.csv": `${head}\na,2025-01-01," +5 "\nb,2025-01-01,-.5\n`,
    });
    expect(rows.map(({ order_id, value }) => [order_id, value])).to.deep.equal([
      ["a", "5.000000"],
      ["b", "-0.500000"],
    ]);
    expect(rejects.map(({ reason }) => reason)).to.have.lengthOf(5);
    for (const { reason } of rejects) expect(reason).to.match(/^value: ".*" is not an amount$/s);
  });

  it("rejects a day with anything after it but a time", async () => {
    const days = ["2025-01-02", "2025-01-02T00:00:00Z", "2025-01-02f", '"2025-01-02,3"', "2025-01-02 x", "2025-01-02T"];
    const { rows, rejects } = await drop("searchads", "campaigns", {
      "c.csv": `campaign_id,date,cost\n${days.map((day, at) => `${at},${day},1.50\n`).join("")}`,
    });
    expect(rows.map(({ campaign_id }) => campaign_id)).to.deep.equal(["0", "1"]);
    expect(rejects.map(({ position }) => position)).to.deep.equal([3, 4, 5, 6]);
    for (const { reason } of rejects) expect(reason).to.match(/^date: ".*" is not a day \(YYYY-MM-DD\)$/);
  });

  it("adds rows that a column breaks down, as the vendor's objects do", async () => {
    const columns = "account_id,campaign_id,date_start,date_stop,spend,adset_id,ad_id,Age";
    const objects = [
      { ad_id: "8", adset_id: "7", age: "18-24" },
      { ad_id: "9", adset_id: "7", age: "18-24" },
    ].map((one) => ({
      account_id: "1",
      campaign_id: "2",
      date_start: "2025-01-01",
      date_stop: "2025-01-01",
      spend: "10.00",
      ...one,
    }));
    const plain = await drop("socialads", "campaigns", {
      "c.csv": `${columns}\n1,2,2025-01-01,2025-01-01,10.00,7,8,18-24\n1,2,2025-01-01,2025-01-01,20.00,7,9,18-24\n`,
    });
    const vendor = await drop("socialads", "campaigns", {
      "c.jsonl": objects.map((one) => JSON.stringify(one)).join("\n"),
    });
    expect(plain.outcome).to.include({ landed: 2, replaced: 0 });
    expect(plain.outcome.notes).to.deep.equal([]);
    expect(plain.rows.map(({ _segment }) => _segment)).to.deep.equal(vendor.rows.map(({ _segment }) => _segment));
    const search = await drop("searchads", "campaigns", {
      "c.csv":
        "campaign_id,date,cost,device,network\n1,2025-01-01,1.00,MOBILE,SEARCH\n1,2025-01-01,2.00,DESKTOP,SEARCH\n",
      "c.jsonl":
        '{"campaign":{"id":"1"},"metrics":{"costMicros":"1000000"},"segments":{"date":"2025-01-01","device":"MOBILE","adNetworkType":"SEARCH"}}',
      "c.parquet": await parquet("select '1' as campaign_id, '2025-01-01' as date, 2.0 as cost, 'TABLET' as device"),
    });
    expect(search.outcome).to.include({ landed: 4, replaced: 1 });
    expect([...new Set(search.rows.map(({ _segment }) => _segment))].sort()).to.deep.equal([
      '{"adNetworkType":"SEARCH","device":"DESKTOP"}',
      '{"adNetworkType":"SEARCH","device":"MOBILE"}',
      '{"device":"TABLET"}',
    ]);
  });

  it("knows its columns by the API's names with dots, and takes no absent figure of a table for 0", async () => {
    const named = await drop("searchads", "campaigns", {
      "c.csv": "date,campaign.id,cost,segments.device\n2025-01-01,1,10,MOBILE\n2025-01-01,1,20,DESKTOP\n",
    });
    expect(named.outcome).to.include({ landed: 2, replaced: 0 });
    expect(named.rows.map(({ _segment }) => _segment)).to.deep.equal(['{"device":"MOBILE"}', '{"device":"DESKTOP"}']);
    expect(named.outcome.notes).to.deep.equal([]);
    const { rows } = await landedBy("searchads/campaigns", {
      "c.csv": "segments.date,campaign.id,metrics.cost_micros,segments.device\n2025-01-01,1,10000000,MOBILE\n",
    });
    expect(rows).to.deep.equal([{ date: "2025-01-01", campaign_id: "1", cost: "10.000000" }]);
  });

  it("rejects a row that fills only what is required, if most columns are unknown", async () => {
    const unknown = await parquet("select '4' as id, 'A' as title, 'S' as option1, '1' as grams, 'x' as barcode");
    const found = await drop("storeb", "products", {
      "variants.csv": "id,title,option1,grams,barcode\n1,A,S,1,x\n2,B,M,2,y\n",
      "variants.parquet": unknown,
      "half.csv": "id,title,status,barcode,grams,color,size\n3,A,active,x,1,red,S\n",
    });
    expect(found.rows.map(({ id }) => id)).to.deep.equal(["3"]);
    expect(found.rejects.map(({ reason }) => reason)).to.deep.equal(
      Array(3).fill(
        'only id, title filled, and most columns are no fields of this record: "barcode", "grams", "option1"',
      ),
    );
    expect(found.outcome.notes.map(({ file, note }) => [file, note])).to.deep.include([
      "half.csv",
      "columns that are no fields of the record do not land: barcode, color, grams, size",
    ]);
  });

  it("of another record is refused with the folder that it belongs into", async () => {
    const found = await drop("storeb", "orders", { "p.csv": "id,title,status,product_type\n1,A,active,Shoes\n" });
    expect(refusals(found)).to.deep.equal([
      "p.csv is neither JSON nor Parquet, and as CSV it has no column that is a field of the record: it has the columns of " +
        "storeb/products, and belongs into that folder",
    ]);
  });

  it("whose ids a spreadsheet has shortened is refused", async () => {
    const found = await drop("socialads", "campaigns", {
      "c.csv": 'campaign_id,date_start,spend\n"1,2021E+17",2025-01-01,1\n',
      "d.csv": "campaign_id,date_start,spend\n120330000000001000,2025-01-01,1\n",
    });
    expect(found.rows).to.deep.equal([]);
    expect(refusals(found)[0]).to.contain('"1,2021E+17" in column campaign_id');
    expect(refusals(found)[1]).to.contain('"120330000000001000" in column campaign_id');
  });
});
