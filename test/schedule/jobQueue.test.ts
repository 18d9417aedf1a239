import { mock } from "node:test";
import { expect } from "chai";
import { type Job, JobQueue, RUN_MS, type RunEnd, retryMs } from "../../src/core/schedule/jobQueue.ts";

const SHOP = "shop";
const job = (integration: string, organization = SHOP): Job => ({ organization, integration });
const MINUTE = 60_000;

/** Landings that end when a test says so. */
class Landing {
  readonly begun: string[] = [];
  /** Those that were asked to end. */
  readonly asked: string[] = [];
  readonly #ends: ((end: RunEnd) => void)[] = [];

  run = ({ organization, integration }: Job, over: AbortSignal): Promise<RunEnd> => {
    over.addEventListener("abort", () => this.asked.push(integration));
    this.begun.push(organization === SHOP ? integration : `${organization}/${integration}`);
    return new Promise((done) => this.#ends.push(done));
  };

  /** Ends the running landing, and lets the next one begin. */
  async end(good: boolean | "unfinished"): Promise<void> {
    this.#ends.shift()?.(good === "unfinished" ? good : good ? "done" : "failed");
    await settled();
  }

  get running(): number {
    return this.#ends.length;
  }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("The turns of the integrations", () => {
  let landing: Landing;
  let turns: JobQueue;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    landing = new Landing();
    turns = new JobQueue(landing.run);
  });

  afterEach(() => mock.timers.reset());

  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    await settled();
  };

  it("come one at a time, first come, first served", async () => {
    for (const one of ["a", "b", "c"]) turns.due(job(one));
    await settled();
    expect([landing.begun, landing.running]).to.deep.equal([["a"], 1]);
    await landing.end(true);
    expect([landing.begun, landing.running]).to.deep.equal([["a", "b"], 1]);
    await landing.end(true);
    await landing.end(true);
    expect([landing.begun, landing.running]).to.deep.equal([["a", "b", "c"], 0]);
  });

  it("alternate between the organizations: many integrations of one do not delay another", async () => {
    for (const one of ["a", "b", "c", "d"]) turns.due(job(one));
    for (const one of ["x", "y"]) turns.due(job(one, "other"));
    await landing.end(true);
    turns.due(job("late", "third"));
    for (let n = 0; n < 6; n++) await landing.end(n % 2 === 0);
    expect(landing.begun).to.deep.equal(["a", "other/x", "third/late", "b", "other/y", "c", "d"]);
    await landing.end(true);
    // The least recently served is next, whatever the order of requests.
    for (const one of [job("e"), job("f"), job("z", "third")]) turns.due(one);
    for (let n = 0; n < 3; n++) await landing.end(true);
    expect(landing.begun.slice(7)).to.deep.equal(["e", "third/z", "f"]);
  });

  it("are not taken twice by one that is waiting or running", async () => {
    for (const one of ["a", "b", "a", "b", "b"]) turns.due(job(one));
    await landing.end(true);
    await landing.end(true);
    expect(landing.begun).to.deep.equal(["a", "b"]);
    turns.due(job("a"));
    await settled();
    expect(landing.begun).to.deep.equal(["a", "b", "a"]);
  });

  it("end when they are long and others wait, and go on after those", async () => {
    turns.due(job("large"));
    await pass(10 * RUN_MS);
    expect(landing.asked, "nobody waits").to.deep.equal([]);
    turns.due(job("x", "other"));
    expect(landing.asked).to.deep.equal(["large"]);
    turns.due(job("small"));
    await landing.end("unfinished");
    expect(turns.retryAt(job("large"))).to.equal(undefined);
    await pass(RUN_MS - 1);
    expect(landing.asked, "a short turn").to.deep.equal(["large"]);
    await pass(1);
    expect(landing.asked).to.deep.equal(["large", "x"]);
    for (let n = 0; n < 4; n++) await landing.end(true);
    expect(landing.begun).to.deep.equal(["large", "other/x", "small", "large"]);
  });

  it("of a removed integration do not go on", async () => {
    turns.due(job("a"));
    await settled();
    turns.drop(job("a"));
    await landing.end("unfinished");
    expect([landing.begun, landing.running]).to.deep.equal([["a"], 0]);
  });

  it("come again after a failure, later each time, with an upper limit", async () => {
    turns.due(job("a"));
    await landing.end(false);
    for (const [n, minutes] of [1, 2, 4, 8, 16].entries()) {
      expect(turns.retryAt(job("a"))).to.deep.equal(new Date(Date.now() + minutes * MINUTE));
      await pass(minutes * MINUTE - 1);
      expect(landing.begun).to.have.lengthOf(n + 1);
      await pass(1);
      expect(landing.begun).to.have.lengthOf(n + 2);
      await landing.end(false);
    }
    expect(turns.retryAt(job("a"))).to.equal(undefined);
    await pass(1000 * MINUTE);
    expect(landing.begun).to.have.lengthOf(6);
    turns.due(job("a"));
    await landing.end(false);
    expect(turns.retryAt(job("a")), "a new row of tries").to.deep.equal(new Date(Date.now() + MINUTE));
  });

  it("are no longer delayed by a retry once the schedule's own time has come", async () => {
    turns.due(job("a"));
    await landing.end(false);
    await pass(MINUTE / 2);
    turns.due(job("a"));
    await landing.end(true);
    expect(turns.retryAt(job("a"))).to.equal(undefined);
    await pass(1000 * MINUTE);
    expect(landing.begun).to.deep.equal(["a", "a"]);
  });

  it("of one that fails, or whose landing throws, do not affect the others", async () => {
    turns = new JobQueue(async (one) => {
      landing.begun.push(one.integration);
      if (one.integration === "bad") throw new Error("no");
      return "done";
    });
    for (const one of ["bad", "good", "better"]) turns.due(job(one));
    await settled();
    expect(landing.begun).to.deep.equal(["bad", "good", "better"]);
    await pass(MINUTE);
    expect(landing.begun).to.deep.equal(["bad", "good", "better", "bad"]);
  });

  it("end with the schedule: waiting, running or to be tried again", async () => {
    turns.due(job("failed"));
    await landing.end(false);
    for (const one of ["running", "waiting"]) turns.due(job(one));
    await settled();
    for (const one of ["failed", "running", "waiting"]) turns.drop(job(one));
    await landing.end(false);
    await pass(1000 * MINUTE);
    expect(landing.begun).to.deep.equal(["failed", "running"]);
  });

  it("are over once stopped, when the running landing has ended", async () => {
    for (const one of ["a", "b"]) turns.due(job(one));
    let stopped = false;
    const stopping = turns.stop().then(() => {
      stopped = true;
    });
    await settled();
    expect(stopped).to.equal(false);
    await landing.end(false);
    await stopping;
    await pass(1000 * MINUTE);
    expect(landing.begun).to.deep.equal(["a"]);
  });

  it("are tried again five times at most", () => {
    expect([1, 2, 3, 4, 5, 6].map(retryMs)).to.deep.equal([...[1, 2, 4, 8, 16].map((m) => m * MINUTE), undefined]);
  });
});
