import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { drop } from "../support/drop.ts";
import { land } from "../support/landing.ts";
import { parquet } from "../support/parquet.ts";
import { expectLinear, WORST_VALUES } from "../support/perMegabyte.ts";
import { archive, workbook } from "../support/workbook.ts";

/** A text, an id, an amount, an instant and a list of the record. */
const FIELDS = ["utm_campaign", "order_id", "value", "creation_date", "items"] as const;

type Table = readonly (readonly string[])[];

/** A row for each field, with the text as its value. */
const tableOf = (text: string): Table =>
  FIELDS.map((field, n) =>
    FIELDS.map((name) => {
      const usual = { utm_campaign: "", order_id: `o${n}`, value: "1.5", creation_date: "2025-01-01", items: "" }[name];
      return name === field ? text : usual;
    }),
  );

const objectsOf = (text: string): Record<string, string>[] =>
  tableOf(text).map((row) => Object.fromEntries(row.map((value, n) => [FIELDS[n] ?? "", value])));

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
const csv = (rows: Table, mark = ","): string => rows.map((row) => row.map(quoted).join(mark)).join("\n");
const withHeading = (text: string): Table => [FIELDS, ...tableOf(text)];

/** The vendor's own objects. */
const vendors = (text: string): string => {
  const order = { orderId: "1", value: 100, creationDate: "2025-01-01T00:00:00Z" };
  const items = [{ id: text, name: text, price: text }];
  return JSON.stringify({
    list: [
      { ...order, orderId: text },
      { ...order, value: text },
      { ...order, marketingData: { utmCampaign: text }, items },
    ],
  });
};

const FILES: Readonly<Record<string, (text: string) => Record<string, string | Buffer>>> = {
  "CSV in UTF-8": (text) => ({ "a.csv": csv(withHeading(text)) }),
  "CSV in Windows-1252": (text) => ({ "a.csv": Buffer.from(csv([...withHeading(text), ["\xe9"]], ";"), "latin1") }),
  "CSV in UTF-16": (text) => ({ "a.csv": Buffer.from(`\ufeff${csv(withHeading(text), "\t")}`, "utf16le") }),
  JSON: (text) => ({ "a.json": JSON.stringify({ list: objectsOf(text) }) }),
  "a vendor's JSON": (text) => ({ "a.json": vendors(text) }),
  "JSON of lines, in gzip": (text) => ({
    "a.jsonl.gz": gzipSync(
      objectsOf(text)
        .map((row) => JSON.stringify(row))
        .join("\n"),
    ),
  }),
  "workbooks with shared texts": (text) => ({ "a.xlsx": workbook({ Orders: withHeading(text) }) }),
  "workbooks with texts in their cells": (text) => ({ "a.xlsx": workbook({ Orders: withHeading(text) }, false) }),
  "ZIP archives": (text) => ({ "a.zip": archive({ "a.json": vendors(text), "b.csv": csv(withHeading(text)) }) }),
};

/** Rows of downloads, with the text in each column in turn. */
const DOWNLOADS: readonly (readonly [
  of: readonly ["storea" | "storeb" | "socialads" | "searchads", string],
  heading: string,
  row: string,
])[] = [
  [
    ["storeb", "orders"],
    "Name,Email,Financial Status,Subtotal,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id",
    "#1,a@x.com,paid,10.00,10.00,2025-05-01 10:00:00 -0300,1,Hat,10.00,1",
  ],
  [
    ["socialads", "campaigns"],
    "Reporting starts,Reporting ends,Campaign name,Campaign ID,Day,Amount spent (BRL),Impressions",
    "2025-01-01,2025-01-31,A,120330000000000001,2025-01-06,1020.50,5000",
  ],
  [["searchads", "campaigns"], "Day,Campaign,Campaign ID,Currency code,Cost,Impr.", "2025-01-06,A,1,BRL,10.50,100"],
];

const inEachColumn = (heading: string, row: string, text: string): string => {
  const cells = row.split(",");
  const rows = cells.map((_, at) => cells.map((cell, n) => quoted(n === at ? text : cell)).join(","));
  return [heading, ...rows].join("\n");
};

describe("The time to land a file", function () {
  this.timeout(300_000);
  before(() => land("storea", "orders", { "a.json": vendors("x") }));

  for (const [what, files] of Object.entries(FILES))
    it(`is in proportion to the texts in it: ${what}`, async () => {
      const { rows } = await land("storea", "orders", files("a"));
      expect(rows).to.not.deep.equal([]);
      await expectLinear(what, (text) => land("storea", "orders", files(text)), WORST_VALUES, 0.2);
    });

  it("is in proportion to the texts in it: Parquet", async () => {
    const columns = "'o' || n as order_id, 1.5 as value, timestamp '2025-01-01' as creation_date";
    const column = { text: "utm_campaign", list: "items" } as const;
    for (const [kind, name] of Object.entries(column)) {
      const work = async (text: string): Promise<void> => {
        const value = `repeat(chr(${text.codePointAt(0)}), ${text.length})`;
        await land("storea", "orders", {
          "a.parquet": await parquet(`select ${columns}, ${value} as ${name} from range(3) as t(n)`),
        });
      };
      await expectLinear(`Parquet with a ${kind}`, work, WORST_VALUES, 0.2);
    }
  });

  for (const [[connector, name], heading, row] of DOWNLOADS)
    it(`is in proportion to the texts in it: a download of ${connector}`, async () => {
      const files = (text: string) => ({ "a.csv": inEachColumn(heading, row, text) });
      const { rows, rejects } = await drop(connector, name, { "a.csv": `${heading}\n${row}\n` });
      expect([rows.length, rejects]).to.deep.equal([1, []]);
      await expectLinear(heading, (text) => drop(connector, name, files(text)), WORST_VALUES, 0.1);
    });
});
