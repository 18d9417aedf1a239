import { csvOf } from "../../src/features/adhoc/own/csv.ts";
import { expectLinear } from "../support/perMegabyte.ts";

describe("CSV of a client's query", () => {
  it("takes time in proportion to its texts", async function () {
    this.timeout(120_000);
    const columns = [{ name: "a", type: "VARCHAR" }];
    await expectLinear("a row", (text) => csvOf(columns, false).row([text]), ["\t", '"', "=", "x"]);
    await expectLinear("a row in Portuguese", (text) => csvOf(columns, true).row([text]), [";"]);
  });
});
