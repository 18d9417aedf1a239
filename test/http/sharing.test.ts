import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import type { Endpoint } from "../../src/core/contract/endpoint.ts";
import { ApiError } from "../../src/core/contract/error.ts";
import { AnswerCache, isFresh } from "../../src/core/http/cache.ts";
import { Queue } from "../../src/core/http/queue.ts";
import {
  ask,
  CARDS,
  CONTACTS,
  FakeAnswers,
  makeApp,
  OURS,
  onPort,
  SECRET,
  SUMMARY,
  THING,
  until,
  withOrganization,
} from "../support/app.ts";

const SECOND = "0aaaaaaa-0000-4000-8000-00000000000b";

/** A promise that the test resolves. */
function gate<T = string>(): { promise: Promise<T>; open: (value: T) => void; fail: (error: Error) => void } {
  let open: (value: T) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const promise = new Promise<T>((done, failed) => {
    open = done;
    fail = failed;
  });
  return { promise, open, fail };
}

const kindOf = (error: unknown): string => (error instanceof ApiError ? error.kind : String(error));
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch(kindOf);

describe("The cache of answers", () => {
  it("computes the same answer once", async () => {
    const { app, answers } = makeApp();
    const [first, second] = [await ask(app, CARDS), await ask(app, CARDS)];
    expect(answers.asked).to.have.length(1);
    expect(second.text).to.equal(first.text);
    expect(second.headers.etag).to.equal(first.headers.etag);
  });

  it("keeps organizations apart", async () => {
    const { app, answers } = makeApp(new FakeAnswers(({ organization }) => JSON.stringify({ organization })), {
      credentials: { verify: async (clientId) => ({ clientId, organizations: [OURS, SECOND] }) },
    });
    for (const id of [OURS, SECOND, OURS]) {
      expect((await ask(app, `${CARDS}?organizationId=${id}`)).body.organization).to.equal(id);
    }
    expect(answers.asked).to.have.length(2);
  });

  it("computes again when the organization's data or settings changed", async () => {
    const { app, answers } = makeApp(new FakeAnswers((_asked, nth) => JSON.stringify({ nth })));
    await ask(app, CARDS);
    answers.state = "2";
    expect((await ask(app, CARDS)).body).to.deep.equal({ nth: 2 });
  });

  it("keeps endpoints, parameters and path parameters apart", async () => {
    const { app, answers } = makeApp();
    const addresses = [
      CARDS,
      "/v1/profitability/cmv-evolution",
      `${CARDS}?startDate=2025-01-01&endDate=2025-01-31`,
      `${CARDS}?startDate=2025-01-01&endDate=2025-01-30`,
      `${CONTACTS}?id=a`,
      `${CONTACTS}?id=A`,
      `${CONTACTS}?email=a`,
      `${CONTACTS}?createdStart=2025-01-01`,
      `${CONTACTS}?createdEnd=2025-01-01`,
      "/v1/things/a",
      "/v1/things/b",
    ];
    for (const address of [...addresses, ...addresses]) expect((await ask(app, address)).status).to.equal(200);
    expect(answers.asked).to.have.length(addresses.length);
  });

  it("ignores differences only in order, explicit defaults, blanks and paging out of bounds", async () => {
    const groups = [
      ["?startDate=2025-01-01&endDate=2025-01-31", `?endDate=2025-01-31&organizationId=${OURS}&startDate=2025-01-01`],
    ].map((queries) => queries.map((query) => CARDS + query));
    groups.push(
      ["", "?view=revenue", "?groupBy=month&view=revenue", "?view=", "?startDate=2025-01-01"].map(
        (query) => `/v1/profitability/cohort${query}`,
      ),
      ["", "?page=1&limit=500", "?limit=abc&page=0", "?page=1.9", "?unknown=1", "?id="].map(
        (query) => CONTACTS + query,
      ),
      ["", "?period=30d", "?period="].map((query) => SUMMARY + query),
      ["?orderDirection=desc", "?orderDirection=DESC"].map((query) => `/v1/socialads/ads/campaigns${query}`),
    );
    const { app, answers } = makeApp();
    for (const [n, group] of groups.entries()) {
      for (const address of group) expect((await ask(app, address)).status, address).to.equal(200);
      expect(answers.asked, group.join(" ")).to.have.length(n + 1);
    }
  });

  it("keeps no failure", async () => {
    const { app, answers } = makeApp(
      new FakeAnswers((_asked, nth) => {
        if (nth === 1) throw new Error("once");
        return "{}";
      }),
    );
    expect((await ask(app, CARDS)).status).to.equal(500);
    expect((await ask(app, CARDS)).status).to.equal(200);
    expect(answers.asked).to.have.length(2);
  });

  it("keeps an answer for as long as its endpoint says, and not at all for 0 seconds", async () => {
    const short: Endpoint = {
      ...THING,
      path: "/v1/short",
      params: { organizationId: THING.params.organizationId as never },
      cacheSeconds: 0.05,
    };
    const never: Endpoint = { ...short, path: "/v1/never", cacheSeconds: 0 };
    const { app, answers } = makeApp(new FakeAnswers(), { endpoints: [short, never] });
    await ask(app, "/v1/never");
    await ask(app, "/v1/never");
    expect(answers.asked).to.have.length(2);
    await ask(app, "/v1/short");
    await until(async () => {
      await ask(app, "/v1/short");
      return answers.asked.length > 3;
    }, "an answer outlived its time");
  });

  it("stays within its bytes: the least recently used answers are removed first", async () => {
    const cache = new AnswerCache(10_000);
    let computed = 0;
    const get = (key: string, size = 3_000) =>
      cache.get(
        key,
        { seconds: 60 },
        async () => {
          computed++;
          return "x".repeat(size);
        },
        () => new AbortController().signal,
      );
    for (const key of ["a", "b", "a", "c", "a"]) await get(key);
    expect(computed).to.equal(3);
    await get("a");
    expect(computed, "a was asked for last").to.equal(3);
    await get("b");
    expect(computed, "b had to go").to.equal(4);
    await get("huge", 20_000);
    await get("huge", 20_000);
    expect(computed, "what is larger than all of it is not kept").to.equal(6);
  });

  it("counts the keys among its bytes", async () => {
    const cache = new AnswerCache(10_000);
    let computed = 0;
    const get = (key: string) =>
      cache.get(
        key,
        { seconds: 60 },
        async () => String(++computed),
        () => new AbortController().signal,
      );
    for (const letter of "abcab") await get(letter.repeat(4_000));
    expect(computed).to.be.above(3);
  });

  it("gives many simultaneous clients one computation", async () => {
    const { promise, open } = gate();
    const { app, answers } = makeApp(new FakeAnswers(() => promise));
    const asking = Array.from({ length: 20 }, () => ask(app, CARDS).then((answer) => answer));
    await until(() => answers.asked.length > 0);
    open('{"a":1}');
    const texts = (await Promise.all(asking)).map(({ text }) => text);
    expect(new Set(texts)).to.deep.equal(new Set(['{"a":1}']));
    expect(answers.asked).to.have.length(1);
  });

  it("fails for all simultaneous clients together, and computes again for the next", async () => {
    const { promise, fail } = gate();
    const { app, answers } = makeApp(new FakeAnswers((_asked, nth) => (nth === 1 ? promise : "{}")));
    const asking = Array.from({ length: 5 }, () => ask(app, CARDS).then(({ status }) => status));
    await until(() => answers.asked.length > 0);
    fail(new Error("once"));
    const statuses = await Promise.all(asking);
    expect(statuses.every((status) => status === 500 || status === 200)).to.equal(true);
    expect(statuses).to.include(500);
    expect((await ask(app, CARDS)).status).to.equal(200);
  });

  it("continues for the others when one client hangs up, and stops when all have", async () => {
    const cache = new AnswerCache(1_000);
    const [one, two] = [new AbortController(), new AbortController()];
    const { promise, open } = gate();
    let leave: AbortSignal | undefined;
    const get = (hangUp: AbortController) =>
      cache.get(
        "k",
        { seconds: 60 },
        (signal) => {
          leave = signal;
          return promise;
        },
        () => hangUp.signal,
      );
    const answers = [get(one), get(two)];
    one.abort();
    expect(leave?.aborted).to.equal(false);
    two.abort();
    expect(leave?.aborted).to.equal(true);
    open("{}");
    await Promise.all(answers);
  });

  it("starts a new computation for a client that comes while one is being stopped", async () => {
    const cache = new AnswerCache(1_000);
    const gone = new AbortController();
    const { promise, fail } = gate();
    const first = outcome(
      cache.get(
        "k",
        { seconds: 60 },
        () => promise,
        () => gone.signal,
      ),
    );
    gone.abort();
    const second = cache.get(
      "k",
      { seconds: 60 },
      async () => "fresh",
      () => new AbortController().signal,
    );
    fail(new ApiError("timeout"));
    expect(await first).to.equal("timeout");
    expect(String((await second).body)).to.equal("fresh");
  });

  it("starts nothing for a client that has already hung up", async () => {
    let computed = 0;
    const hungUp = new AbortController();
    hungUp.abort();
    const compute = async () => String(++computed);
    expect(await outcome(new AnswerCache(1_000).get("k", { seconds: 60 }, compute, () => hungUp.signal))).to.equal(
      "timeout",
    );
    expect(computed).to.equal(0);
  });

  it("stops the query over the wire when its client hangs up", async () => {
    const { app, answers } = makeApp(
      new FakeAnswers(
        ({ signal }) =>
          new Promise((_done, fail) => signal.addEventListener("abort", () => fail(new ApiError("timeout")))),
      ),
    );
    await onPort(app, async (address) => {
      const hangUp = new AbortController();
      const headers = { "x-client-id": "good", "x-client-secret": SECRET };
      const asking = outcome(fetch(address + withOrganization(CARDS), { headers, signal: hangUp.signal }));
      await until(() => answers.asked.length === 1);
      hangUp.abort();
      await asking;
      await until(() => answers.asked[0]?.signal.aborted === true, "the query went on");
    });
  });
});

describe("Conditional requests", () => {
  it("are answered 304 without a body if the client's copy is current", async () => {
    const { app } = makeApp();
    const { etag = "" } = (await ask(app, CARDS)).headers;
    expect(etag).to.match(/^"[\w-]{20,}"$/);
    for (const tags of [etag, `W/${etag}`, `"a", ${etag} ,"b"`, "*", `"a",W/${etag}`]) {
      const answer = await ask(app, CARDS).set("if-none-match", tags);
      expect([answer.status, answer.text], tags).to.deep.equal([304, ""]);
      expect(answer.headers.etag).to.equal(etag);
      expect(answer.headers["cache-control"]).to.equal("private, no-cache");
    }
  });

  it("are answered in full if it is another", async () => {
    const { app, answers } = makeApp(new FakeAnswers((_asked, nth) => JSON.stringify({ nth })));
    const { etag = "" } = (await ask(app, CARDS)).headers;
    for (const tags of ['"a"', "", etag.slice(1, -1), `${etag}x`, '"a", "b"']) {
      expect((await ask(app, CARDS).set("if-none-match", tags)).status, tags).to.equal(200);
    }
    answers.state = "2";
    expect((await ask(app, CARDS).set("if-none-match", etag)).status).to.equal(200);
  });

  it("keep their tag when new data does not change the answer", async () => {
    const { app, answers } = makeApp();
    const { etag = "" } = (await ask(app, CARDS)).headers;
    answers.state = "2";
    expect((await ask(app, CARDS).set("if-none-match", etag)).status).to.equal(304);
  });

  it("without the header are answered in full", () => expect(isFresh(undefined, '"a"')).to.equal(false));
});

describe("The queue", () => {
  const work = () => {
    const { promise, open, fail } = gate();
    const seen: { signal?: AbortSignal } = {};
    const run = (signal: AbortSignal): Promise<string> => {
      seen.signal = signal;
      return promise;
    };
    return { run, open, fail, seen };
  };

  it("runs as many as it has slots, lets as many wait, and refuses the next at once", async () => {
    const queue = new Queue(2, 1, 60_000);
    const [a, b, c, d] = [work(), work(), work(), work()];
    const running = [queue.run(a.run), queue.run(b.run)];
    const waiting = queue.run(c.run);
    expect(await outcome(queue.run(d.run))).to.equal("busy");
    expect([a.seen.signal, b.seen.signal].every(Boolean)).to.equal(true);
    expect([c.seen.signal, d.seen.signal]).to.deep.equal([undefined, undefined]);
    a.open("a");
    b.open("b");
    c.open("c");
    expect(await Promise.all([...running, waiting])).to.deep.equal(["a", "b", "c"]);
    const again = queue.run(async () => "e");
    expect(await again).to.equal("e");
  });

  it("starts waiting requests in the order they came, each when a slot is free", async () => {
    const queue = new Queue(1, 10, 60_000);
    const started: number[] = [];
    let most = 0;
    let running = 0;
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        queue.run(async () => {
          started.push(n);
          most = Math.max(most, ++running);
          await new Promise((done) => setImmediate(done));
          running--;
        }),
      ),
    );
    expect(started).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(most).to.equal(1);
  });

  it("frees the slot of a work that fails", async () => {
    const queue = new Queue(1, 1, 60_000);
    expect(await outcome(queue.run(() => Promise.reject(new Error("x"))))).to.equal("Error: x");
    expect(await queue.run(async () => "next")).to.equal("next");
  });

  it("stops the work at the deadline, and frees its slot when it has ended", async () => {
    const queue = new Queue(1, 5, 20);
    const slow = work();
    expect(await outcome(queue.run(slow.run))).to.equal("timeout");
    expect(slow.seen.signal?.aborted).to.equal(true);
    const next = work();
    expect(await outcome(queue.run(next.run)), "the slot was not free yet").to.equal("timeout");
    expect(next.seen.signal).to.equal(undefined);
    slow.fail(new Error("interrupted"));
    await new Promise((done) => setImmediate(done));
    expect(await queue.run(async () => "after")).to.equal("after");
  });

  it("keeps the deadline when garbage is collected meanwhile", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const queue = new Queue(1, 1, 50);
    const leave = new AbortController();
    const slow = outcome(queue.run(() => new Promise(() => {}), leave.signal));
    collect();
    const late = new Promise((done) => setTimeout(() => done("never stopped"), 5_000).unref());
    expect(await Promise.race([slow, late])).to.equal("timeout");
  });

  it("drops a client that waits too long, or hangs up", async () => {
    const queue = new Queue(1, 1, 60_000);
    const slow = work();
    const running = queue.run(slow.run);
    const leave = new AbortController();
    const waiting = outcome(queue.run(async () => "b", leave.signal));
    expect(await outcome(queue.run(async () => "c"))).to.equal("busy");
    leave.abort();
    expect(await waiting).to.equal("timeout");
    const next = queue.run(async () => "d");
    slow.open("a");
    expect(await Promise.all([running, next])).to.deep.equal(["a", "d"]);
  });

  it("does not start work for a client that has already hung up", async () => {
    const leave = new AbortController();
    leave.abort();
    let started = false;
    const run = new Queue(1, 1, 60_000).run(async () => {
      started = true;
    }, leave.signal);
    expect([await outcome(run), started]).to.deep.equal(["timeout", false]);
  });

  it("answers 503 at once when slots and queue are full, over the wire", async () => {
    const { promise, open } = gate();
    const { app, answers } = makeApp(new FakeAnswers(() => promise), {
      config: { slots: 1, queue: 1, timeoutMs: 60_000, slowMs: 1000, exportTimeoutMs: 1_000, cacheBytes: 1_000_000 },
    });
    const first = ask(app, `${CONTACTS}?page=1`).then(({ status }) => status);
    await until(() => answers.asked.length === 1);
    const others = [2, 3, 4].map((page) => ask(app, `${CONTACTS}?page=${page}`).then(({ status }) => status));
    const early = await Promise.race(others);
    expect(early).to.equal(503);
    let refused = 0;
    for (const other of others) void other.then((status) => (refused += Number(status === 503)));
    await until(() => refused === 2);
    open("{}");
    expect(await first).to.equal(200);
    expect((await Promise.all(others)).sort()).to.deep.equal([200, 503, 503]);
  });
});
