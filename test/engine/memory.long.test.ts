import { expect } from "chai";
import { AURORA, DataFolder, exportsOf, oneStore, STOREA, storeaOrder, syncFolder } from "../support/data.ts";
import { HEAVY, manyOrders, orders } from "../support/memory.ts";
import { openService } from "../support/service.ts";

describe("A sync with little memory", () => {
  it("reports which export does not fit and what to do, lands the others, and lands that one with more memory", async () => {
    const data = await DataFolder.empty({ LUCRA_MEMORY_LIMIT: "128MB" });
    try {
      await data.settings(oneStore());
      const [small, large] = [storeaOrder({ id: "a", value: 10 }), storeaOrder({ id: "b", value: 10 })];
      const folder = exportsOf(STOREA, "orders");
      await data.write(`${folder}/small.json`, JSON.stringify(small));
      await data.write(`${folder}/large.json`, JSON.stringify({ ...large, note: "x".repeat(20 * 1024 * 1024) }));
      const { failures, outcomes } = await data.sync();
      expect([outcomes[0]?.landed, failures]).to.deep.equal([1, []]);
      expect(outcomes[0]?.refused.map(({ file }) => file)).to.deep.equal(["large.json"]);
      expect(outcomes[0]?.refused[0]?.reason).to.match(/^out of memory: .* LUCRA_MEMORY_LIMIT .*higher$/);
      // It is read again by every second sync, then by every third, fifth …
      const read: string[] = [];
      const reasons: (string | undefined)[] = [];
      for (let n = 0; n < 5; n++) {
        const again = await data.sync(undefined, ({ file }) => read.push(`${n} ${file}`));
        reasons.push(again.outcomes[0]?.refused[0]?.reason.replace(/^.*higher ?/, ""));
      }
      const changes = "unless it changes, is touched, or LUCRA_MEMORY_LIMIT changes)";
      expect(reasons).to.deep.equal([
        `(not read again before the next sync, ${changes}`,
        "",
        `(not read again for 1 more syncs, ${changes}`,
        `(not read again before the next sync, ${changes}`,
        "",
      ]);
      expect(read).to.deep.equal(["1 large.json", "4 large.json"]);
      const roomy = await syncFolder({ ...data.config, memoryLimit: "2GB" });
      expect([roomy.failures, roomy.outcomes[0]?.landed]).to.deep.equal([[], 1]);
    } finally {
      await data.remove();
    }
  });

  it("lands and derives a small shop", async () => {
    const data = await DataFolder.empty({ LUCRA_MEMORY_LIMIT: "128MB" });
    try {
      await data.settings({
        organizationId: AURORA,
        name: "x",
        integrations: [{ id: STOREA, connector: "storea", name: "x" }],
      });
      const few = orders().slice(0, 100);
      await data.write(`${exportsOf(STOREA, "orders")}/orders.json`, JSON.stringify(few));
      const { failures, outcomes } = await data.sync();
      expect(failures).to.deep.equal([]);
      expect(outcomes[0]?.landed).to.equal(few.length);
    } finally {
      await data.remove();
    }
  });
});

describe("A service with little memory", () => {
  it("refuses as a table, which takes less, what does not fit in less memory", async () => {
    const data = await manyOrders();
    const least = await openService({ ...data.config, memoryLimit: "24MB", threads: 2 }, AURORA);
    try {
      const { status, body } = await least.get(`${HEAVY}&format=csv`);
      expect(status).to.equal(503);
      expect(body.message).to.match(/não coube na memória/);
    } finally {
      await least.close();
      await data.remove();
    }
  });
});
