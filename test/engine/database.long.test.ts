import { DuckDBInstance } from "@duckdb/node-api";
import { expect } from "chai";
import { Database } from "../../src/core/engine/database.ts";

describe("The engine", () => {
  let database: Database;

  before(async () => {
    database = await Database.open({ threads: 2 });
  });

  after(() => database?.close());

  it("serves others while it converts many texts, which keep their order", async function () {
    this.timeout(60_000);
    const sql = "select i || repeat('é', 300) from range(60000) as r(i) order by i";
    const other = await DuckDBInstance.create(":memory:", { threads: "2" });
    const connection = await other.connect();
    /** The longest time in which nothing else ran: the shortest of three, because the machine has other work. */
    const blocked = async (work: () => Promise<unknown>): Promise<number> => {
      const gaps: number[] = [];
      for (let n = 0; n < 3; n++) {
        let [longest, last] = [0, performance.now()];
        const look = (): void => {
          const now = performance.now();
          longest = Math.max(longest, now - last);
          last = now;
        };
        const timer = setInterval(look, 1);
        await work();
        look();
        clearInterval(timer);
        gaps.push(longest);
      }
      return Math.min(...gaps);
    };
    await database.use(async (session) => {
      const texts = await session.texts(sql);
      expect(texts.map((text) => Number.parseInt(text, 10))).to.deep.equal(Array.from({ length: 60_000 }, (_, i) => i));
      const atOnce = await blocked(async () => (await (await connection.run(sql)).getColumns())[0]?.map(String));
      expect(await blocked(() => session.texts(sql))).to.be.below(atOnce / 2);
    });
    connection.closeSync();
  });
});
