import { expect } from "chai";
import { Database, type Session } from "../../src/core/engine/database.ts";
import { divided, ONE_PARTITION, type PartitionPolicy, partition } from "../../src/core/marts/partitions.ts";

/** The planned partitions, from the newest on, have 10, 10, 20, 40, 80 and then 160 orders. */
const POLICY: PartitionPolicy = { partOrders: 160, mostTouched: 1, mostGrown: 4, mostDivided: 2 };

describe("Partitions of orders by day", () => {
  let database: Database;
  before(async () => {
    database = await Database.open();
  });
  after(() => database.close());

  /** So many days from 2025-01-01 on, each with so many orders. */
  async function withOrders<T>(days: number, ofDay: number, work: (session: Session) => Promise<T>): Promise<T> {
    return database.use(async (session) => {
      await session.run(
        `create or replace temp table store_orders as
          select date '2025-01-01' + day::int as ordered_on, (day * ${ofDay} + no)::varchar as order_id, 'storea' as connector
          from range(${days}) as days (day) cross join range(${ofDay}) as orders (no)`,
      );
      return work(session);
    });
  }

  it("are one for orders that fit into the newest", async () => {
    expect(await withOrders(10, 1, (session) => partition(session, POLICY))).to.deep.equal(ONE_PARTITION);
  });

  it("are at least four by id where there are several by day", async () => {
    const { days, ids } = await withOrders(12, 1, (session) => partition(session, POLICY));
    expect([days, ids]).to.deep.equal([["2025-01-03"], ["10", "3", "6"]]);
    expect((await withOrders(100, 5, (session) => partition(session, POLICY))).ids).to.have.length(11);
  });

  it("are by the ids of orders of both kinds of stores", async () => {
    const bounds = await withOrders(12, 1, async (session) => {
      await session.run("update store_orders set connector = 'storeb'");
      return partition(session, POLICY);
    });
    expect(bounds).to.deep.equal({ days: ["2025-01-03"], ids: ["10", "3", "6"] });
  });

  it("are the smaller the newer they are", async () => {
    const { days } = await withOrders(100, 5, (session) => partition(session, POLICY));
    const sizes = [...days, "2025-04-11"].map(
      (day, no, all) => ((Date.parse(day) - Date.parse(all[no - 1] ?? "2025-01-01")) / 86_400_000) * 5,
    );
    expect(sizes.toReversed()).to.deep.equal([10, 10, 20, 40, 80, 160, 160, 20]);
  });

  it("keep their bounds until the newest has four times its planned size, and then get one more", async () => {
    const bounds = { days: ["2025-01-03"], ids: ["5"] };
    const newest = (days: number): Promise<unknown> =>
      withOrders(days, 5, (session) => divided(session, bounds, POLICY, "from store_orders"));
    expect(await newest(10)).to.deep.equal(bounds);
    expect(await newest(11)).to.deep.equal({ days: ["2025-01-03", "2025-01-10"], ids: ["5"] });
  });

  it("are to be split again when there would be twice as many as planned", async () => {
    const bounds = { days: [2, 3, 4, 5, 6, 7, 8, 9].map((day) => `2025-01-0${day}`), ids: [] };
    const planned = await withOrders(20, 5, (session) => divided(session, bounds, POLICY, "from store_orders"));
    expect(planned).to.equal(undefined);
  });
});
