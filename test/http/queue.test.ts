import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { Queue } from "../../src/core/http/queue.ts";
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

  it("refuses at once what does not find a place, and has a place again later", async () => {
    const queue = new Queue(1, 1, LONG);
    const { promise, release } = held<string>();
    const running = queue.run(() => promise);
    const waiting = queue.run(async () => "second");
    expect(await queue.run(async () => "third").catch(kindOf)).to.equal("busy");
    release("first");
    expect(await Promise.all([running, waiting])).to.deep.equal(["first", "second"]);
    expect(await queue.run(async () => "fourth")).to.equal("fourth");
  });

  it("gives the next slot to the party with the fewest, and among several to the one that waits longest", async () => {
    for (const [slots, order] of [
      [1, ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]],
      [2, ["a0", "a1", "b0", "c0", "a2", "b1", "a3"]],
    ] as const) {
      const queue = new Queue(slots, 10, LONG);
      const started: string[] = [];
      const ends: (() => void)[] = [];
      const ask = (name: string): Promise<void> => {
        const { promise, release } = held<void>();
        const work = (): Promise<void> => {
          started.push(name);
          ends.push(() => release(undefined));
          return promise;
        };
        return queue.run(work, undefined, [`organization ${name[0]}`, "client of all"]);
      };
      const answers = ["a0", "a1", "a2", "a3", "b0", "b1", "c0"].map(ask);
      for (let n = 0; n < answers.length; n++) {
        await until(() => ends.length > 0);
        ends.shift()?.();
      }
      await Promise.all(answers);
      expect(started, `${slots} slots`).to.deep.equal(order);
    }
  });

  it("starves no party that asks more than one thing while new parties keep coming", async () => {
    const queue = new Queue(1, 50, LONG);
    const work = (): Promise<void> => new Promise((done) => setTimeout(done, 2));
    let goesOn = true;
    let others = 0;
    // Each asks one thing at a time: in between the queue does not know it.
    const one = async (party: string): Promise<void> => {
      for (; goesOn; others++) await queue.run(work, undefined, [party]);
    };
    const asking = ["b", "c", "d"].map(one);
    await Promise.all(Array.from({ length: 10 }, () => queue.run(work, undefined, ["a"])));
    goesOn = false;
    await Promise.all(asking);
    expect(others).to.be.lessThan(100);
  });

  it("has places for a party when another has taken all of its own", async () => {
    const queue = new Queue(1, 2, LONG);
    const { promise, release } = held<string>();
    const ask = (...parties: string[]): Promise<string> => queue.run(() => promise, undefined, parties);
    const taken = [ask("a", "x"), ask("a", "x"), ask("a", "y")];
    expect(await ask("a", "z").catch(kindOf), "the organization's").to.equal("busy");
    const another = [ask("b", "y")];
    expect(await ask("c", "y").catch(kindOf), "the credential's").to.equal("busy");
    release("done");
    expect(await Promise.all([...taken, ...another])).to.deep.equal(Array(4).fill("done"));
  });

  it("lets one party hold one of two slots if it says so", async () => {
    const queue = new Queue(2, 10, 10_000, 1);
    let end = (): void => {};
    const held = queue.run(
      () =>
        new Promise<void>((done) => {
          end = done;
        }),
      undefined,
      ["a"],
    );
    let isSecond = false;
    const second = queue.run(
      async () => {
        isSecond = true;
      },
      undefined,
      ["a"],
    );
    expect(await queue.run(async () => "other", undefined, ["b"])).to.equal("other");
    expect([isSecond, queue.waiting]).to.deep.equal([false, 1]);
    end();
    await Promise.all([held, second]);
  });

  it("lets one party hold no more slots than its share", async () => {
    const queue = new Queue(3, 5, LONG);
    const { promise, release } = held<string>();
    const running: string[] = [];
    const ask = (party: string): Promise<string> =>
      queue.run(
        () => {
          running.push(party);
          return promise;
        },
        undefined,
        [party],
      );
    const answers = ["a", "a", "a", "b"].map(ask);
    await until(() => running.length === 3);
    expect(running).to.deep.equal(["a", "a", "b"]);
    release("done");
    expect(await Promise.all(answers)).to.deep.equal(Array(4).fill("done"));
  });

  it("runs one long query of each length at a time for one party, and short ones next to it", async () => {
    const queue = new Queue(6, 20, LONG);
    const lasts = (milliseconds: number, party: string, kind: string): Promise<void> =>
      queue.run(() => new Promise((done) => setTimeout(done, milliseconds)), undefined, [party], kind);
    // Their lengths are known after the first of each.
    await Promise.all([lasts(80, "a", "long"), lasts(450, "a", "longer"), lasts(1, "a", "short")]);
    const { promise, release } = held<void>();
    const running: string[] = [];
    const ask = (party: string, kind: string): Promise<void> =>
      queue.run(
        () => {
          running.push(`${party} ${kind}`);
          return promise;
        },
        undefined,
        [party],
        kind,
      );
    const asked = [ask("a", "long"), ask("a", "long"), ask("a", "longer"), ask("a", "short"), ask("b", "long")];
    await until(() => running.length === 4);
    expect(running).to.deep.equal(["a long", "a longer", "a short", "b long"]);
    release();
    await Promise.all(asked);
    expect(running.slice(4)).to.deep.equal(["a long"]);
  });

  it("runs a query again, with fewer others, that did not fit into memory, and fails one that does not fit on its own", async () => {
    const queue = new Queue(6, 10, LONG);
    let running = 0;
    let most = 0;
    const work = (fits: number) => async (): Promise<string> => {
      most = Math.max(most, ++running);
      const others = running;
      await new Promise((done) => setTimeout(done, 5));
      running--;
      if (others > fits) throw new ApiError("tooLarge");
      return "fits";
    };
    const answers = Array.from({ length: 9 }, () => queue.run(work(2), undefined, ["a"]));
    expect(await Promise.all(answers)).to.deep.equal(Array(9).fill("fits"));
    expect(most).to.equal(3);
    expect(await queue.run(work(0), undefined, ["a"]).catch(kindOf)).to.equal("tooLarge");
    expect([queue.running, queue.waiting]).to.deep.equal([0, 0]);
  });

  it("refuses, once it knows how long queries take, those that would wait beyond their deadline, and answers the others", async () => {
    const queue = new Queue(1, 100, 1_000);
    const work = (): Promise<string> => new Promise((done) => setTimeout(done, 100, "done"));
    const came = performance.now();
    const answers = Array.from({ length: 40 }, () =>
      queue.run(work).catch((error) => [kindOf(error), performance.now() - came] as const),
    );
    const all = await Promise.all(answers);
    const refused = all.filter((one) => one !== "done");
    expect(all.length - refused.length).to.be.greaterThan(5);
    for (const [kind, after] of refused as [string, number][])
      if (kind !== "timeout") expect([kind, after < 900]).to.deep.equal(["busy", true]);
    expect(refused.filter(([kind]) => kind === "timeout").length).to.be.lessThan(3);
    expect(await queue.run(async () => "after")).to.equal("after");
  });

  it("stops queries that take too long, running or waiting", async () => {
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

  it("frees the place of a client that hung up while waiting", async () => {
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

  it("is full to clients as a 503 with Retry-After", async () => {
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

  it("answers 503 at the deadline and stops the work", async () => {
    const answers = new FakeAnswers(() => new Promise(() => {}));
    const app = fakeApp(answers, {
      config: { slots: 1, queue: 0, timeoutMs: 20, slowMs: 1000, exportTimeoutMs: 1_000, cacheBytes: 1000 },
    });
    expect((await ask(app, "/v1/strict")).status).to.equal(503);
    expect(answers.asked[0]?.signal.aborted).to.equal(true);
  });
});
