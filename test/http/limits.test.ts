import { expect } from "chai";
import fc from "fast-check";
import request from "supertest";
import { FAILURES, LIMIT, SlidingLog, WINDOW_MS } from "../../src/core/http/rateLimit.ts";
import {
  ask,
  CARDS,
  FakeAnswers,
  from,
  makeApp,
  OURS,
  onPort,
  SECRET,
  signed,
  THEIRS,
  withOrganization,
} from "../support/app.ts";

/** Milliseconds between requests: bursts, pauses, and the window to the millisecond. */
const gaps = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.nat(50) },
    { weight: 2, arbitrary: fc.nat(2 * WINDOW_MS) },
    { weight: 1, arbitrary: fc.constantFrom(WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1) },
  ),
  { minLength: 1, maxLength: 600 },
);

describe("the rate limit", () => {
  /** The limit [D43], request by request over all that was accepted before. */
  const accepts = (accepted: readonly number[], now: number, limit: number): boolean =>
    accepted.filter((time) => time > now - WINDOW_MS).length < limit;

  it("accepts 100 in any 60 seconds, never more and never fewer, however requests come", () => {
    fc.assert(
      fc.property(gaps, fc.constantFrom(1, 7, LIMIT), (steps, limit) => {
        let now = -12_345;
        const log = new SlidingLog(limit, () => now);
        const accepted: number[] = [];
        for (const step of steps) {
          now += step;
          const expected = accepts(accepted, now, limit);
          const { totalHits, resetTime } = log.increment("a");
          expect(totalHits <= limit).to.equal(expected);
          expect(resetTime).to.be.an.instanceOf(Date);
          if (expected) accepted.push(now);
        }
        log.shutdown();
        for (const [n, time] of accepted.entries()) {
          const next = accepted[n + limit];
          expect(next === undefined || next - time >= WINDOW_MS).to.equal(true);
        }
      }),
    );
  });

  it("says when the window's oldest request leaves it", () => {
    let now = 1000;
    const log = new SlidingLog(2, () => now);
    log.increment("a");
    now += 20_000;
    log.increment("a");
    now += 10_000;
    const { totalHits, resetTime } = log.increment("a");
    log.shutdown();
    expect(totalHits).to.equal(3);
    expect(Number(resetTime) - Date.now()).to.be.closeTo(30_000, 2_000);
  });

  it("does not count refused requests: a client that keeps asking recovers", () => {
    let now = 0;
    const log = new SlidingLog(1, () => now);
    const statuses = [0, 1, 30_000, 59_999, 60_000, 60_001].map((time) => {
      now = time;
      return log.increment("a").totalHits <= 1;
    });
    log.shutdown();
    expect(statuses).to.deep.equal([true, false, false, false, true, false]);
  });

  it("is counted separately for each credential", async () => {
    const { app } = makeApp(new FakeAnswers(), { limit: new SlidingLog(1) });
    const statuses: number[] = [];
    for (const client of ["good-1", "good-1", "good-2"]) {
      statuses.push((await signed(request(app).get(`${CARDS}?organizationId=${OURS}`), client)).status);
    }
    expect(statuses).to.deep.equal([200, 429, 200]);
  });

  it("is 100 by default", async () => {
    const { app } = makeApp();
    const { headers } = await ask(app, CARDS);
    expect(headers["x-ratelimit-limit"]).to.equal("100");
    expect(headers["x-ratelimit-remaining"]).to.equal("99");
  });

  it("refuses the 101st of 101 requests at once", async () => {
    const { app } = makeApp();
    await onPort(app, async (address) => {
      const headers = { "x-client-id": "good", "x-client-secret": SECRET };
      const statuses = await Promise.all(
        Array.from({ length: 101 }, async () => (await fetch(address + withOrganization(CARDS), { headers })).status),
      );
      expect(statuses.filter((status) => status === 200)).to.have.length(100);
      expect(statuses.filter((status) => status === 429)).to.have.length(1);
    });
  });

  it("is on every answer to a good credential: 200, 304, 400, 403, 404, 405, 429", async () => {
    const { app } = makeApp(new FakeAnswers(), { limit: new SlidingLog(8) });
    const { etag = "" } = (await ask(app, CARDS)).headers;
    const answers = [
      await ask(app, CARDS).set("if-none-match", etag),
      await ask(app, `${CARDS}?startDate=x`),
      await signed(request(app).get(CARDS)),
      await ask(app, `${CARDS}?organizationId=${THEIRS}`),
      await ask(app, "/v1/nothing"),
      await signed(request(app).post(CARDS)),
      await ask(app, CARDS),
      await ask(app, CARDS),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([304, 400, 400, 403, 404, 405, 200, 429]);
    for (const { status, headers } of answers) {
      expect(headers["x-ratelimit-limit"], String(status)).to.equal("8");
      expect(Number(headers["x-ratelimit-reset"]) * 1000).to.be.within(
        Date.now() - 2_000,
        Date.now() + WINDOW_MS + 2_000,
      );
    }
    const remaining = answers.map(({ headers }) => Number(headers["x-ratelimit-remaining"]));
    expect(remaining).to.deep.equal([6, 5, 4, 3, 2, 1, 0, 0]);
  });

  it("is not shown without credentials, nor on addresses without a limit", async () => {
    const { app } = makeApp();
    for (const address of [CARDS, "/healthz", "/elsewhere"]) {
      expect((await request(app).get(address)).headers, address).to.not.have.property("x-ratelimit-limit");
    }
  });
});

describe("failed credentials", () => {
  const fail = (app: ReturnType<typeof makeApp>["app"]) =>
    request(app).get(CARDS).set("x-client-id", "good").set("x-client-secret", "guess");

  it("are refused for a while if an address sends many, without locking out a good client there", async () => {
    const { app } = makeApp();
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await fail(app)).status);
    expect(statuses.slice(0, 30).every((status) => status === 401)).to.equal(true);
    expect(statuses.slice(30).every((status) => status === 429)).to.equal(true);
    expect((await ask(app, CARDS)).status).to.equal(200);
    const { headers, body } = await fail(app);
    expect(headers["retry-after"]).to.equal("60");
    expect(body).to.deep.equal({
      statusCode: 429,
      error: "Too Many Requests",
      message: "Credenciais inválidas demais vindas deste endereço. Aguarde 60 segundos e tente novamente.",
      retryAfter: 60,
    });
  });

  it("do not use up the rate of the client whose id they name", async () => {
    const { app } = makeApp(new FakeAnswers(), { limit: new SlidingLog(1) });
    await fail(app);
    expect((await ask(app, CARDS)).status).to.equal(200);
  });

  it("of one address do not affect the others, and are forgotten after a minute", async () => {
    let now = 0;
    const { app } = makeApp(new FakeAnswers(), { failures: new SlidingLog(FAILURES, () => now) });
    const failAt = async (address: string): Promise<number> => (await fail(from(address, app))).status;
    for (let n = 0; n < 30; n++) expect(await failAt("192.0.2.1")).to.equal(401);
    expect(await failAt("192.0.2.1")).to.equal(429);
    expect(await failAt("192.0.2.2")).to.equal(401);
    now = WINDOW_MS;
    expect(await failAt("192.0.2.1")).to.equal(401);
  });

  it("reveal nothing of the secret: an answer never repeats what was sent", async () => {
    const { text } = await request(makeApp().app).get(CARDS).set("x-client-id", "bad").set("x-client-secret", SECRET);
    expect(text).to.not.include(SECRET);
  });
});
