import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { land } from "../support/landing.ts";
import { landed, ROWS, refusal } from "../support/limits.ts";
import { parquet } from "../support/parquet.ts";

describe("The cost of an export", function () {
  this.timeout(120_000);

  describe("as Parquet", () => {
    it("is measured by its unpacked size, whatever its columns are", async () => {
      const text = "repeat('a', 20000)";
      const bombs: Record<string, string> = {
        text: `${ROWS}, ${text} as utm_campaign`,
        blob: `${ROWS}, ${text}::blob as utm_campaign`,
        list: `${ROWS}, ['b', ${text}] as items`,
        struct: `${ROWS}, {a: 1, b: {c: ${text}}} as other`,
        map: `${ROWS}, map {'a': [${text}]} as other`,
        name: `${ROWS}, list_transform(range(100), lambda n: {${"n".repeat(300)}: 1}) as items`,
        null: `${ROWS}, case when range % 2 = 0 then ${text} end as utm_campaign`,
      };
      for (const [name, columns] of Object.entries(bombs)) {
        const content = await parquet(`select ${columns} from range(50000)`);
        expect(content.length, name).to.be.below(400_000);
        expect(await refusal("bomb.parquet", content), name).to.match(
          /^unpacks to (1,[05]|5)\d\d MB, from 0\.\d+ MB: at most 100 times its size is read, or 256 MB where/,
        );
      }
    });

    it("lands with columns that are named like those that the reader adds", async () => {
      for (const name of ["file_row_number", "FILE_ROW_NUMBER", "filename", "file_index", "columns"]) {
        const content = await parquet(`select ${ROWS}, {file_row_number: -range} as ${name} from range(5000)`);
        const { rows, outcome } = await land("storea", "orders", { [`${name}.parquet`]: content });
        expect(outcome.refused, name).to.deep.equal([]);
        expect(rows.map((row) => row.order_id)).to.deep.equal(Array.from({ length: 5000 }, (_, n) => `o${n}`));
        expect(rows.map((row) => row._position)).to.deep.equal(Array.from({ length: 5000 }, (_, n) => String(n + 1)));
      }
    });

    it("is measured by its footer if that is enough, also packed", async () => {
      const rows = await parquet("select null::varchar as order_id from range(20000000)");
      expect(await refusal("rows.parquet", rows)).to.match(/^unpacks to 660 MB, from 0\.\d+ MB/);
      expect(await refusal("rows.parquet.gz", gzipSync(rows))).to.match(/^unpacks to 660 MB, from 0\.\d+ MB/);
    });

    it("has a limit of nested levels, which the engine would follow until it crashes", async () => {
      const nested = (levels: number): Promise<Buffer> =>
        parquet(`select ${ROWS}, ${"{a: ".repeat(levels)}1${"}".repeat(levels)} as other from range(1)`);
      expect(await landed(await nested(20))).to.equal(1);
      expect(await refusal("deep.parquet", await nested(80))).to.match(/^has columns of more than 64 nested levels/);
    });

    it("has a limit of what its footer describes", async () => {
      const empty = Array.from({ length: 300 }, (_, n) => `null::int as c${n}`).join(", ");
      const groups = await parquet(`select ${ROWS}, ${empty} from range(400000)`, ", row_group_size 2048");
      expect(await refusal("footer.parquet", groups)).to.match(/^has a footer of \d MB, and at most 2 MB are read/);
    });

    it("is accepted if names repeat, columns are empty, or lists are long", async () => {
      const names = "'Casa e Cozinha > Utensilios > Panelas e Frigideiras ' || range % 30";
      const empty = Array.from({ length: 100 }, (_, n) => `null::varchar as empty_${n}`).join(", ");
      expect(await landed(await parquet(`select ${ROWS}, ${names} as utm_campaign from range(30000)`))).to.equal(
        30_000,
      );
      expect(await landed(await parquet(`select ${ROWS}, ${empty} from range(30000)`))).to.equal(30_000);
      const items = "list_transform(range(100), lambda n: {id: n::varchar, quantity: 1})";
      expect(await landed(await parquet(`select ${ROWS}, ${items} as items from range(500)`))).to.equal(500);
    });
  });

  it("has a limit of rows that cannot land, reported with the first of them", async () => {
    const short = `order_id,value\n${"x\n".repeat(250_001)}`;
    expect(await refusal("short.csv", short)).to.match(
      /^has more than 250,000 rows that cannot land, the first at 1 \(1 columns under 2 headings\)/,
    );
    // A status and a log must not hold what may be an e-mail.
    const shifted = `order_id,creation_date\n${"o,ana@example.com\n".repeat(250_001)}`;
    const reason = await refusal("shifted.csv", shifted);
    expect(reason).to.match(
      /^has more than 250,000 rows that cannot land, the first at 1 \(value: missing; creation_date: a value is not/,
    );
    expect(reason).to.not.include("ana@example.com");
    const missing = gzipSync(`{"orderId":"o"}\n${"{}\n".repeat(250_001)}`);
    expect(await refusal("missing.json.gz", missing)).to.match(
      /^has more than 250,000 rows that cannot land, the first at 1 \(.*creation_date: missing/,
    );
  });
});
