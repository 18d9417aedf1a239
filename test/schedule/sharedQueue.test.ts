import { expect } from "chai";
import type { Jobs } from "../../src/core/coordination/coordination.ts";
import { SharedQueue } from "../../src/features/cluster/sharedQueue.ts";

const job = (n: number) => ({ organization: `o${n}`, integration: "i" });

describe("The queue that workers share", () => {
  it("gets what is due at the same time a few at a time, each once", async () => {
    const queued: string[] = [];
    let running = 0;
    let most = 0;
    let ended = (): void => {};
    const all = new Promise<void>((done) => {
      ended = done;
    });
    const due: Jobs["due"] = async ({ organization }) => {
      most = Math.max(most, ++running);
      await new Promise((done) => setImmediate(done));
      running--;
      if (queued.push(organization) === 100) ended();
    };
    const queue = new SharedQueue({ due } as Jobs, (_, error) => expect.fail(String(error)));
    for (let n = 0; n < 100; n++) queue.due(job(n), new Date(0));
    await all;
    expect(new Set(queued).size).to.equal(100);
    expect(most).to.equal(4);
    await queue.stop();
  });
});
