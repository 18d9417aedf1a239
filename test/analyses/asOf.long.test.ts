import { expect } from "chai";
import { exportsOf, oneStore, STOREA, storeaOrder, withData } from "../support/data.ts";
import { asked } from "../support/service.ts";

describe("asOf", () => {
  it("is the time of the last landing, however many there were before", () =>
    withData(oneStore(), async (data) => {
      for (const [no, time] of ["2025-02-20T08:00:00.000Z", "2025-03-01T09:00:00.000Z"].entries()) {
        const order = storeaOrder({ id: String(no), value: 10 });
        await data.write(`${exportsOf(STOREA, "orders")}/${no}.json`, JSON.stringify(order));
        await data.syncAt(time);
      }
      const body = await asked(data, "/v1/profitability/cards");
      expect([body.orders, body.asOf]).to.deep.equal([2, "2025-03-01T09:00:00.000Z"]);
    }));
});
