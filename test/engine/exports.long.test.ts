import path from "node:path";
import { expect } from "chai";
import type { Database } from "../../src/core/engine/database.ts";
import { writeRows } from "../../src/core/engine/formats/write.ts";
import { DataFolder } from "../support/data.ts";
import { openWriters } from "../support/writers.ts";

describe("The writers", () => {
  let data: DataFolder;
  let database: Database;

  before(async () => {
    data = await DataFolder.empty();
    database = await openWriters();
  });

  after(async () => {
    database.close();
    await data.remove();
  });

  it("keep the order of the rows, also with more than one thread", async () => {
    const file = path.join(data.path, "many.parquet");
    await database.use((session) =>
      session.run(
        `copy (select i, 'n' || i as name, timestamptz '2025-01-01' as at, [i] as list from range(300000) as r(i))
          to '${file}' (row_group_size 20480)`,
      ),
    );
    const write = (format: Parameters<typeof writeRows>[2]): Promise<number> =>
      database.use((session) =>
        writeRows(
          session,
          `select * from read_parquet('${file}', file_row_number = true)`,
          format,
          path.join(data.path, `rows.${format}`),
        ),
      );
    for (const format of ["csv", "ndjson", "json", "parquet"] as const) {
      expect(await write(format), format).to.equal(300_000);
      const numbers = await database.use((session) =>
        format === "parquet"
          ? session.texts(`select i from read_parquet('${path.join(data.path, "rows.parquet")}')`)
          : data
              .text(`rows.${format}`)
              .then((text) => [...text.matchAll(/\bn(\d+)\b/g)].map(([, number]) => String(number))),
      );
      expect(numbers.length, format).to.equal(300_000);
      expect(
        numbers.findIndex((number, place) => number !== String(place)),
        format,
      ).to.equal(-1);
    }
  });
});
