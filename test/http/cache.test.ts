import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { ApiError } from "../../src/core/contract/error.ts";
import { AnswerCache, isFresh } from "../../src/core/http/cache.ts";
import { ask, FakeAnswers, fakeApp, held, LENIENT, until } from "./fake.ts";

const here = (): AbortSignal => new AbortController().signal;

describe("The cache", () => {
  it("serves others while it encodes a large answer, and splits no character", async () => {
    const [few, many] = ["x".repeat((1 << 20) - 1), "ç😀\ud800".repeat(2_000_000)];
    const texts = [`${few}😀${many}`, `${few}\ud800x${many}\ud800`, `${many}x`, "", "😀"];
    const cache = new AnswerCache(0);
    for (const [n, text] of texts.entries()) {
      let [turns, isOver] = [0, false];
      const count = (): void => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const { body, etag } = await cache.get(String(n), { seconds: 0 }, async () => text, here);
      isOver = true;
      const whole = Buffer.from(text);
      expect(body.equals(whole)).to.equal(true);
      expect(etag).to.equal(`"${createHash("sha256").update(whole).digest("base64url").slice(0, 27)}"`);
      if (n < 3) expect(turns).to.be.at.least(5);
      const { body: same, etag: sameTag } = await cache.get(
        `b${n}`,
        { seconds: 0 },
        async () => ({ body: whole, headers: {} }),
        here,
      );
      expect([same === whole, sameTag]).to.deep.equal([true, etag]);
    }
  });

  describe("of the service", () => {
    it("computes once what depends on the same", async () => {
      const answers = new FakeAnswers();
      const app = fakeApp(answers);
      const first = await ask(app, "/v1/strict?startDate=2025-01-01&endDate=2025-01-31");
      const again = await ask(app, "/v1/strict?endDate=2025-01-31&view=revenue&startDate=2025-01-01&old=");
      expect(answers.asked).to.have.lengthOf(1);
      expect(again.text).to.equal(first.text);
      expect(again.headers.etag).to.equal(first.headers.etag);
    });

    it("computes again for other parameters, another state of the data and another endpoint", async () => {
      const answers = new FakeAnswers();
      const app = fakeApp(answers);
      await ask(app, "/v1/strict");
      await ask(app, "/v1/strict?view=logo");
      answers.state = "2";
      await ask(app, "/v1/strict");
      expect(answers.asked).to.have.lengthOf(3);
    });

    it("never gives one organization's answer to another", async () => {
      const answers = new FakeAnswers();
      const organizations = ["a", "b"];
      const app = fakeApp(answers, {
        endpoints: [{ ...LENIENT, params: {}, cacheSeconds: 60 }],
        credentials: { verify: async (clientId) => ({ clientId, organizations }) },
        organizations: { has: async () => true, settings: async () => undefined },
      });
      const a = await ask(app, "/v1/lenient?organizationId=a");
      const b = await ask(app, "/v1/lenient?organizationId=b");
      expect([a.body.id, b.body.id]).to.deep.equal(["a", "b"]);
    });

    it("computes once for simultaneous requests", async () => {
      const { promise, release } = held<string>();
      const answers = new FakeAnswers(() => promise);
      const app = fakeApp(answers);
      const asking = [1, 2, 3].map(() => ask(app, "/v1/strict").then(({ status }) => status));
      await until(() => answers.asked.length > 0);
      await new Promise((done) => setTimeout(done, 20));
      release("{}");
      expect(await Promise.all(asking)).to.deep.equal([200, 200, 200]);
      expect(answers.asked).to.have.lengthOf(1);
    });

    it("answers 304 without a body to a client that has the answer", async () => {
      const app = fakeApp();
      const { headers } = await ask(app, "/v1/strict");
      expect(headers.etag).to.match(/^"[\w-]{20,}"$/);
      for (const held of [headers.etag, `W/${headers.etag}`, `"x", ${headers.etag}`, "*"]) {
        const { status, text, headers: again } = await ask(app, "/v1/strict").set("if-none-match", String(held));
        expect([status, text, again.etag], held).to.deep.equal([304, "", headers.etag]);
        expect(again["cache-control"]).to.equal("private, no-cache");
      }
      expect((await ask(app, "/v1/strict").set("if-none-match", '"x"')).status).to.equal(200);
    });
  });

  it("keeps nothing longer than its time, and nothing for 0 seconds", async () => {
    const cache = new AnswerCache(10_000);
    let computed = 0;
    const compute = async (): Promise<string> => String(++computed);
    await cache.get("a", { seconds: 0 }, compute, here);
    await cache.get("a", { seconds: 0.001 }, compute, here);
    expect(computed).to.equal(2);
    await until(async () => String((await cache.get("a", { seconds: 0.001 }, compute, here)).body) !== "2");
    expect(computed).to.equal(3);
  });

  it("stays within its bytes, and keeps the most recently used answers", async () => {
    const cache = new AnswerCache(3_500);
    let computed = 0;
    const compute = async (): Promise<string> => {
      computed++;
      return "x".repeat(1_000);
    };
    for (const key of ["a", "b", "c", "c", "b"]) await cache.get(key, { seconds: 60 }, compute, here);
    expect(computed).to.equal(3);
    await cache.get("a", { seconds: 60 }, compute, here);
    expect(computed).to.equal(4);
  });

  it("continues for the others when one hangs up, and stops when all have", async () => {
    const cache = new AnswerCache(10_000);
    const { promise, release } = held<string>();
    const leaves: AbortSignal[] = [];
    const compute = (leave: AbortSignal): Promise<string> => {
      leaves.push(leave);
      return promise;
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = cache.get("a", { seconds: 60 }, compute, () => one.signal);
    const second = cache.get("a", { seconds: 60 }, compute, () => two.signal);
    one.abort();
    expect(leaves.map((leave) => leave.aborted)).to.deep.equal([false]);
    two.abort();
    expect(leaves.map((leave) => leave.aborted)).to.deep.equal([true]);
    release("done");
    await Promise.all([first, second]);
  });

  it("starts again for a client that asks while an abandoned computation stops", async () => {
    const cache = new AnswerCache(10_000);
    const { promise, fail } = held<string>();
    const gone = new AbortController();
    const abandoned = cache
      .get(
        "a",
        { seconds: 60 },
        () => promise,
        () => gone.signal,
      )
      .catch((error: ApiError) => error.kind);
    gone.abort();
    const { body } = await cache.get("a", { seconds: 60 }, async () => "new", here);
    fail(new ApiError("timeout"));
    expect(await abandoned).to.equal("timeout");
    expect(String(body)).to.equal("new");
  });

  it("computes nothing for a client that has already hung up", async () => {
    const cache = new AnswerCache(10_000);
    let computed = 0;
    const compute = async (): Promise<string> => String(++computed);
    await cache.get("a", { seconds: 60 }, compute, () => AbortSignal.abort()).catch(() => {});
    expect(computed).to.equal(0);
  });

  describe("of compressed bodies", () => {
    const answer = { body: Buffer.from("x".repeat(2_000)), etag: '"a"' };

    it("compresses once, also for simultaneous requests", async () => {
      const cache = new AnswerCache(10_000);
      const both = await Promise.all([cache.compressed(answer, "gzip", 60), cache.compressed(answer, "gzip", 60)]);
      const later = await cache.compressed(answer, "gzip", 60);
      expect(both[0] === both[1] && later === both[0]).to.equal(true);
      expect(gunzipSync(later).equals(answer.body)).to.equal(true);
      expect(await cache.compressed(answer, "br", 60)).to.not.equal(later);
    });

    it("counts them among its bytes", async () => {
      const cache = new AnswerCache(3_000);
      const first = await cache.compressed(answer, "gzip", 60);
      for (const key of ["a", "b"]) await cache.get(key, { seconds: 60 }, async () => "x".repeat(1_000), here);
      expect(await cache.compressed(answer, "gzip", 60)).to.not.equal(first);
    });

    it("keeps none of an answer that is not cached", async () => {
      const cache = new AnswerCache(10_000);
      const first = await cache.compressed(answer, "gzip", 0);
      expect(await cache.compressed(answer, "gzip", 0)).to.not.equal(first);
    });
  });

  it("finds no tag in a list that only resembles it", () => {
    expect(isFresh(undefined, '"a"')).to.equal(false);
    expect(isFresh('"ab"', '"a"')).to.equal(false);
    expect(isFresh("a", '"a"')).to.equal(false);
    expect(isFresh('"b",W/"a"', '"a"')).to.equal(true);
  });
});
