import { expect } from "chai";
import { MemoryStore } from "express-rate-limit";
import fc from "fast-check";
import request from "supertest";
import { FAILURES, SlidingLog } from "../../src/core/http/rateLimit.ts";
import { from } from "../support/app.ts";
import { ask, FakeAnswers, fakeApp } from "./fake.ts";

const WINDOW = 60_000;

/** A log with a clock that the test moves. */
function turned(limit: number): { log: SlidingLog; admits: (at: number, key?: string) => boolean } {
  let now = 0;
  const log = new SlidingLog(limit, () => now);
  const admits = (at: number, key = "client"): boolean => {
    now = at;
    return log.increment(key).totalHits <= limit;
  };
  return { log, admits };
}

describe("The rate limit", () => {
  const gaps = (most: number) => fc.array(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 300 });

  it("never admits more than the limit in any 60 seconds, and never fewer than it allows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.oneof(gaps(5), gaps(700), gaps(90_000)), (limit, schedule) => {
        const { log, admits } = turned(limit);
        const admitted: number[] = [];
        let at = 0;
        for (const gap of schedule) {
          at += gap;
          const before = admitted.filter((time) => time > at - WINDOW).length;
          const is = admits(at);
          if (is !== before < limit) return false;
          if (is) admitted.push(at);
        }
        log.shutdown();
        return true;
      }),
    );
  });

  it("admits 100 at once, the next one 60 seconds after the first", () => {
    const { log, admits } = turned(100);
    for (let n = 0; n < 100; n++) expect(admits(n)).to.equal(true);
    expect(admits(100)).to.equal(false);
    expect(admits(59_999)).to.equal(false);
    expect(admits(60_000)).to.equal(true);
    expect(admits(60_000)).to.equal(false);
    log.shutdown();
  });

  it("does not count refused requests: a client that keeps asking recovers", () => {
    const { log, admits } = turned(1);
    expect(admits(0)).to.equal(true);
    for (let at = 100; at < WINDOW; at += 100) expect(admits(at)).to.equal(false);
    expect(admits(WINDOW)).to.equal(true);
    log.shutdown();
  });

  it("counts each credential separately", async () => {
    const limit = new SlidingLog(2, () => 0);
    const app = fakeApp(new FakeAnswers(), { limit });
    const statuses: number[] = [];
    for (const client of ["a", "a", "a", "b"]) statuses.push((await ask(app, "/v1/strict", client)).status);
    limit.shutdown();
    expect(statuses).to.deep.equal([200, 200, 429, 200]);
  });

  it("is counted by any store of the package", async () => {
    const limit = Object.assign(new MemoryStore(), { limit: 2 });
    const app = fakeApp(new FakeAnswers(), { limit });
    const answers = [await ask(app, "/v1/strict"), await ask(app, "/v1/strict"), await ask(app, "/v1/strict")];
    limit.shutdown();
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 429]);
    expect(Number(answers[2]?.headers["x-ratelimit-reset"]) * 1000).to.be.within(Date.now(), Date.now() + 2 * WINDOW);
  });

  it("is 100 a minute by default", async () => {
    const app = fakeApp();
    const statuses: number[] = [];
    for (let n = 0; n < 101; n++) statuses.push((await ask(app, "/v1/strict")).status);
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(100);
    expect(statuses.at(-1)).to.equal(429);
  });

  it("says when a place is free again", () => {
    let now = 0;
    const log = new SlidingLog(2, () => now);
    log.increment("a");
    now = 45_000;
    const { resetTime } = log.increment("a");
    log.shutdown();
    expect((resetTime?.getTime() ?? 0) - Date.now()).to.be.within(10_000, 15_000);
  });
});

describe("The limit on failed credentials", () => {
  it("is 30 a minute per address, an IPv6 subnet being one address", async () => {
    let now = 0;
    const app = fakeApp(new FakeAnswers(), { failures: new SlidingLog(FAILURES, () => now) });
    const failAt = async (address: string): Promise<number> =>
      (await request(from(address, app)).get("/v1/strict").set("authorization", "Bearer a.b")).status;
    for (let n = 0; n < 30; n++) expect(await failAt(`2001:db8:1:1::${n}`)).to.equal(401);
    expect(await failAt("2001:db8:1:1::ffff")).to.equal(429);
    expect(await failAt("192.0.2.1")).to.equal(401);
    now = WINDOW;
    expect(await failAt("2001:db8:1:1::ffff")).to.equal(401);
  });
});
