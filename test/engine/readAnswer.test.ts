import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { type Asking, readAnswer, readHere } from "../../src/features/explain/reading.ts";

const cohort = endpoints.find(({ path }) => path === "/v1/profitability/cohort");

/** 2,000 rows of 36 steps, more than a megabyte. */
const rows = Array.from({ length: 2_000 }, (_, no) => ({
  cohortMonth: "2024-01-01",
  breakKey: `p${no}`,
  breakLabel: null,
  firstPurchaseCustomers: no,
  months: Object.fromEntries(Array.from({ length: 36 }, (_, step) => [step, { pct: no + step, absolute: step }])),
}));

const asking = (figure: string, row: string): Asking => ({
  endpoint: cohort as Asking["endpoint"],
  accepted: { groupBy: "month", breakBy: "produto", startDate: null, endDate: null },
  figure,
  row,
  sources: new Map(),
});

const answer = JSON.stringify({ asOf: "2024-05-01T00:00:00.000Z", groupBy: "month", data: rows });

const waits = new AbortController().signal;

describe("An explanation of a large answer", () => {
  it("reads it while the service answers others, and reads the same", async () => {
    const large = asking("months.3.pct", "2024-01:p77");
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const read = await readAnswer(large, answer, waits);
    clearInterval(timer);
    expect(turns).to.be.above(2);
    expect(read.value).to.equal(80);
    expect(read).to.deep.equal(readHere(large, answer));
  });

  it("refuses what is not there like that of a small one", async () => {
    for (const one of [asking("months.3.pct", "2024-01:q"), asking("months.3.none", "2024-01:p77")]) {
      const error = await readAnswer(one, answer, waits).catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(ApiError);
      expect(() => readHere(one, answer))
        .to.throw(ApiError)
        .with.deep.property("details", (error as ApiError).details);
    }
  });

  it("ends when the client is gone", async () => {
    const gone = new AbortController();
    const reading = readAnswer(asking("months.3.pct", "2024-01:p77"), answer, gone.signal);
    setImmediate(() => gone.abort());
    const error = await reading.catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(ApiError).with.property("kind", "timeout");
  });

  it("is possible for each endpoint: a thread gets its declaration", () => {
    for (const endpoint of endpoints) expect(structuredClone(endpoint), endpoint.path).to.deep.equal(endpoint);
  });
});
