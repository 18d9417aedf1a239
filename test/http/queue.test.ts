import { expect } from "chai";
import { ApiError } from "../../src/contract/error.ts";
import { Queue } from "../../src/http/queue.ts";
import { ask, FakeAnswers, fakeApp, held, until } from "./fake.ts";

const kindOf = (error: unknown): string => (error instanceof ApiError ? error.kind : String(error));
const LONG = 60_000;

describe("The queue", () => {
  it("runs as many at once as it has slots, the rest in the order they came", async () => {
    const queue = new Queue(2, 10, LONG);
    const started: number[] = [];
    const works = [0, 1, 2, 3].map((n) => ({ n, ...held<number>() }));
    const answers = works.map(({ n, promise }) =>
      queue.run(() => {
        started.push(n);
        return promise;
      }),
    );
    await until(() => started.length === 2);
    expect(started).to.deep.equal([0, 1]);
    works[1]?.release(1);
    await until(() => started.length === 3);
    expect(started).to.deep.equal([0, 1, 2]);
    for (const { n, release } of works) release(n);
    expect(await Promise.all(answers)).to.deep.equal([0, 1, 2, 3]);
  });

  it("refuses at once what does not find a place, and has one again later", async () => {
    const queue = new Queue(1, 1, LONG);
    const { promise, release } = held<string>();
    const running = queue.run(() => promise);
    const waiting = queue.run(async () => "second");
    expect(await queue.run(async () => "third").catch(kindOf)).to.equal("busy");
    release("first");
    expect(await Promise.all([running, waiting])).to.deep.equal(["first", "second"]);
    expect(await queue.run(async () => "fourth")).to.equal("fourth");
  });

  it("stops what takes too long, whether it runs or waits", async () => {
    const queue = new Queue(1, 5, 20);
    const { promise, fail } = held<string>();
    let stopped = false;
    const running = queue.run((signal) => {
      signal.addEventListener("abort", () => {
        stopped = true;
      });
      return promise;
    });
    const waiting = queue.run(async () => "never");
    expect(await Promise.all([running.catch(kindOf), waiting.catch(kindOf)])).to.deep.equal(["timeout", "timeout"]);
    expect(stopped).to.equal(true);
    // The slot is not free before the work has really ended.
    let ran = false;
    const next = new Queue(1, 0, LONG).run(async () => "elsewhere");
    expect(await next).to.equal("elsewhere");
    expect(
      await queue
        .run(async () => {
          ran = true;
          return "";
        })
        .catch(kindOf),
    ).to.equal("timeout");
    expect(ran).to.equal(false);
    fail(new Error("interrupted"));
    expect(await queue.run(async () => "again")).to.equal("again");
  });

  it("frees the place of whoever went away while waiting", async () => {
    const queue = new Queue(1, 1, LONG);
    const { promise, release } = held<string>();
    const running = queue.run(() => promise);
    const gone = new AbortController();
    const waiting = queue.run(async () => "gone", gone.signal).catch(kindOf);
    gone.abort();
    expect(await waiting).to.equal("timeout");
    const next = queue.run(async () => "next");
    release("first");
    expect(await Promise.all([running, next])).to.deep.equal(["first", "next"]);
  });

  it("loses no slot to work that fails", async () => {
    const queue = new Queue(1, 0, LONG);
    for (let n = 0; n < 3; n++) {
      expect(await queue.run(() => Promise.reject(new Error("no"))).catch(kindOf)).to.equal("Error: no");
    }
    expect(await queue.run(async () => "yes")).to.equal("yes");
  });

  it("is told to callers as 503 with Retry-After", async () => {
    const { promise, release } = held<string>();
    const answers = new FakeAnswers(() => promise);
    const app = fakeApp(answers, {
      config: { slots: 1, queue: 0, timeoutMs: LONG, slowMs: 1000, exportTimeoutMs: LONG, cacheBytes: 1000 },
    });
    const running = ask(app, "/v1/strict").then(({ status }) => status);
    await until(() => answers.asked.length === 1);
    const refused = await ask(app, "/v1/strict?view=logo");
    expect([refused.status, refused.headers["retry-after"]]).to.deep.equal([503, "1"]);
    release("{}");
    expect(await running).to.equal(200);
  });

  it("answers 503 at the deadline and tells the work to stop", async () => {
    const answers = new FakeAnswers(() => new Promise(() => {}));
    const app = fakeApp(answers, {
      config: { slots: 1, queue: 0, timeoutMs: 20, slowMs: 1000, exportTimeoutMs: 1_000, cacheBytes: 1000 },
    });
    expect((await ask(app, "/v1/strict")).status).to.equal(503);
    expect(answers.asked[0]?.signal.aborted).to.equal(true);
  });
});
