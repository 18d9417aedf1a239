import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Credentials } from "../../src/core/access/credentials.ts";
import { FAILURES, LIMIT, type Limits } from "../../src/core/http/rateLimit.ts";
import { openRedisLimits } from "../../src/features/cluster/redisLimits.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { shopOfVersion1 } from "../support/generations.ts";
import { type Redis, redisServer, startRedis } from "../support/redis.ts";
import { startServing } from "../support/serving.ts";

describe("Limits that several processes count in Redis", function () {
  this.timeout(60_000);
  let redis: Redis;
  const open: Limits[] = [];
  const changes: boolean[] = [];
  let fallbacks = 0;

  /** What another process would have. */
  const limits = async (): Promise<Limits> => {
    const one = await openRedisLimits(redis.url, {
      onFallback: () => fallbacks++,
      onChange: (answers) => changes.push(answers),
    });
    open.push(one);
    return one;
  };
  /** How many of so many requests at once are accepted, spread over the processes. */
  const accepted = async (processes: readonly Limits[], requests: number, key: string): Promise<number> => {
    const hits = await Promise.all(
      Array.from({ length: requests }, (_, n) => processes[n % processes.length]?.requests.increment(key)),
    );
    return hits.filter((hit) => (hit?.totalHits ?? 0) <= LIMIT).length;
  };

  before(function () {
    if (redisServer() !== undefined) return;
    console.log("      neither Redis nor Valkey is installed, so that no limits are counted in it");
    this.skip();
  });

  beforeEach(async () => {
    redis = await startRedis();
    changes.length = 0;
    fallbacks = 0;
  });

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    await redis.kill();
  });

  it("admit 100 of all in 60 seconds, and 30 failures", async () => {
    const processes = [await limits(), await limits(), await limits()];
    expect(await accepted(processes, 330, "client")).to.equal(LIMIT);
    expect(await accepted(processes, 330, "other"), "another credential").to.equal(LIMIT);
    const failures = await Promise.all(
      Array.from({ length: 90 }, (_, n) => processes[n % 3]?.failures.increment("192.0.2.1")),
    );
    expect(failures.filter((hit) => (hit?.totalHits ?? 0) <= FAILURES)).to.have.lengthOf(FAILURES);
    const { totalHits, resetTime } = (await processes[0]?.requests.increment("client")) ?? expect.fail();
    expect(totalHits).to.equal(LIMIT + 1);
    expect(Number(resetTime) - Date.now()).to.be.within(30_000, 60_000);
    expect(fallbacks).to.equal(0);
  });

  it("move with the clock of Redis: what leaves the window is admitted again, and refused requests do not count", async () => {
    const one = await limits();
    expect(await accepted([one], 150, "client")).to.equal(LIMIT);
    // Forty of them become older than the window.
    const [seconds = 0] = redis.command("TIME").split("\n").map(Number);
    for (const member of redis.command("ZRANGE", "lucra:requests:client", "0", "39").split("\n"))
      redis.command("ZADD", "lucra:requests:client", String((seconds - 61) * 1e6), member);
    const again = await limits();
    expect(await accepted([again], 150, "client")).to.equal(40);
  });

  it("are those of each process while Redis is killed, and one again when it is back", async () => {
    const processes = [await limits(), await limits()];
    expect(await accepted(processes, 60, "client")).to.equal(60);
    const { port } = redis;
    await redis.kill();
    expect(await accepted(processes, 400, "client"), "at most the limit per process").to.equal(2 * LIMIT - 60);
    expect(fallbacks).to.be.above(0);
    expect(changes).to.deep.equal([false, false]);
    redis = await startRedis(port);
    for (let n = 0; !changes.includes(true) && n < 200; n++) {
      await processes[0]?.requests.increment(`probe ${n}`);
      await sleep(50);
    }
    await sleep(2_500);
    expect(await accepted(processes, 300, "client"), "each has admitted its own").to.equal(0);
    expect(await accepted(processes, 300, "later")).to.equal(LIMIT);
  });

  it("never exceed the limit per process when Redis forgets", async () => {
    const processes = [await limits(), await limits()];
    let sum = 0;
    for (let times = 0; times < 4; times++) {
      sum += await accepted(processes, 400, "client");
      redis.command("FLUSHALL");
    }
    expect(sum).to.equal(2 * LIMIT);
  });

  it("keep no request waiting for a Redis that is slow", async () => {
    const one = await limits();
    await one.requests.increment("client");
    redis.child.kill("SIGSTOP");
    try {
      const began = performance.now();
      for (let n = 0; n < 20; n++) await one.requests.increment("client");
      expect(performance.now() - began).to.be.below(3_000);
      expect(fallbacks).to.equal(20);
    } finally {
      redis.child.kill("SIGCONT");
    }
  });

  it("start without Redis", async () => {
    await redis.kill();
    const one = await limits();
    expect(await accepted([one], 150, "client")).to.equal(LIMIT);
    expect(fallbacks).to.equal(150);
  });

  it("hold for two services with one data folder", async () => {
    const data: DataFolder = await shopOfVersion1();
    const { client_id, client_secret } = await new Credentials(data.path).create({
      organizations: [AURORA],
      name: "client",
    });
    const start = () => startServing(data, ["--read-only"], undefined, { LUCRA_REDIS_URL: redis.url });
    const services = await Promise.all([start(), start()]);
    try {
      const headers = { "x-client-id": client_id, "x-client-secret": client_secret };
      const statuses = await Promise.all(
        Array.from({ length: 160 }, async (_, n) => {
          const { status } = await fetch(`http://127.0.0.1:${services[n % 2]?.port}/v1/organizations`, { headers });
          return status;
        }),
      );
      expect(statuses.filter((status) => status === 200)).to.have.lengthOf(LIMIT);
      expect(statuses.filter((status) => status === 429)).to.have.lengthOf(60);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await data.remove();
    }
  });
});

describe("A service without LUCRA_REDIS_URL", () => {
  it("does not load the client of Redis", () => {
    const loaded = (module: string): string => {
      const script = `
        import { createRequire } from "node:module";
        await import(${JSON.stringify(module)});
        const loaded = Object.keys(createRequire(import.meta.url).cache);
        console.log(loaded.some((file) => file.includes("@redis")));`;
      const args = ["--import", "./bin/typescript.mjs", "--input-type=module", "-e", script];
      return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout.trim();
    };
    expect([loaded("./src/commands/serve/serve.ts"), loaded("@redis/client")]).to.deep.equal(["false", "true"]);
  });
});
