import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { type Reducing, reduce, reducedHere } from "../../src/features/mcp/reducing.ts";
import type { Section } from "../../src/features/mcp/tool.ts";
import { cohorts } from "../../src/features/mcp/tools/cohorts.ts";

/** 2,000 rows of 36 steps, more than a megabyte. */
const rows = Array.from({ length: 2_000 }, (_, no) => ({
  cohortMonth: "2024-01-01",
  firstPurchaseCustomers: (no * 7) % 2_000,
  months: Object.fromEntries(Array.from({ length: 36 }, (_, step) => [step, { pct: no + step, absolute: step }])),
}));

const asked = (text: string): Reducing => ({
  body: Buffer.from(text),
  name: "retention",
  section: ("sections" in cohorts ? cohorts.sections.retention : undefined) as Section,
  question: {
    sent: {},
    lists: { data: { top: 12, sortBy: "firstPurchaseCustomers", order: "desc" }, "data.months": { top: 3 } },
  },
  address: "/v1/profitability/cohort",
});

const waits = new AbortController().signal;

describe("An answer whose figures lack costs", () => {
  const lacks = (answer: object): readonly string[] =>
    reducedHere(asked(JSON.stringify({ data: [], ...answer }))).lacks;

  it("has a note: no margin, or items of it that are unknown [D16]", () => {
    const items = { gateway: "configured", tax: "pending", shipping: "synced", costOfGoods: "pending" };
    expect(lacks({ marginConfigured: false, marginItemStatus: null })).to.have.lengthOf(1);
    expect(lacks({ marginConfigured: false, marginItemStatus: null })[0]).to.match(
      /^No margin is configured: .* 100 %/,
    );
    expect(lacks({ marginConfigured: true, marginItemStatus: items })[0]).to.match(/tax, costOfGoods\.$/);
    expect(
      lacks({ marginConfigured: true, marginItemStatus: { ...items, tax: "synced", costOfGoods: "synced" } }),
    ).to.deep.equal([]);
    expect(lacks({ marginConfigured: true, marginItemStatus: null })).to.deep.equal([]);
  });
});

describe("A large answer", () => {
  it("is reduced in a thread to what it is reduced to here, with lists that can be shortened further", async () => {
    const large = asked(JSON.stringify({ asOf: null, data: rows }));
    expect(large.body.length).to.be.above(1_000_000);
    const [one, other] = await Promise.all([reduce(large, waits), reduce(large, waits)]);
    expect(one).to.deep.equal(reducedHere(large));
    expect(other).to.deep.equal(one);
    const [list] = one.lists;
    expect(list?.holder).to.equal(one.answer);
    expect((one.answer.data as { firstPurchaseCustomers: number }[])[0]?.firstPurchaseCustomers).to.equal(1_999);
  });

  it("fails like a small one, and the next one is reduced", async () => {
    const broken = await reduce(asked(`{"data": [${" ".repeat(600_000)}`), waits).catch((error: Error) => error);
    expect(broken).to.be.instanceOf(SyntaxError);
    expect((await reduce(asked(JSON.stringify({ data: rows })), waits)).answer).to.have.property("data");
  });

  it("is no longer reduced when its client is gone, neither the one that runs nor the one that waits", async () => {
    const large = asked(JSON.stringify({ data: rows }));
    const gone = new AbortController();
    const ended = [reduce(large, gone.signal), reduce(large, gone.signal)];
    setImmediate(() => gone.abort());
    for (const result of await Promise.allSettled(ended)) {
      expect(result.status).to.equal("rejected");
      expect((result as PromiseRejectedResult).reason).to.be.instanceOf(ApiError);
    }
    expect((await reduce(large, waits)).answer).to.have.property("data");
  });
});
