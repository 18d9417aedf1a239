import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { violations } from "../../src/core/engine/integrity.ts";
import { AURORA } from "../support/data.ts";
import { findsWithoutStore, ofFixtures, WHOLE } from "../support/integrity.ts";

/** That all hold of the fixtures is in the cases of a reconciliation; over more parameters, a long test. */
describe("What must hold of the figures of any data", function () {
  this.timeout(0);
  const of = ofFixtures();

  findsWithoutStore(of, { "an order": "daily_orders_by_store" });

  it("finds an order that no value of an attribute has", async () => {
    const { folder } = await of.landed.generation(AURORA);
    const query = "breakdown-is-the-whole";
    const found = await of.landed.database.use(async (session) => {
      await session.set("marts", folder);
      // The cards are of daily sums, which still have it.
      await session.run("create temp table orders as from main.orders order by ordered_at, order_id offset 1");
      return violations(session, endpoints, WHOLE, { only: (one) => one === query });
    });
    expect(found.map((one) => one.query)).to.deep.equal([query]);
    expect(found[0]?.rows[0]).to.include({ ordersOfTotal: "16", ordersOfCards: "17" });
  });
});
