import type { RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { allEndpoints } from "../../src/core/endpoints/index.ts";
import { Metrics } from "../../src/core/http/metrics.ts";
import { type Ahead, answersAhead } from "../../src/features/ahead/feature.ts";
import { ask, CARDS, FakeAnswers, makeApp, NOW, SUMMARY, until } from "../support/app.ts";

const STORE = "0aaaaaaa-0000-4000-8000-0000000000aa";
const LIST = "/v1/organizations";
const FEBRUARY = `${CARDS}?startDate=2025-02-01&endDate=2025-02-28`;

describe("Answers made ahead", () => {
  let answers: FakeAnswers;
  let metrics: Metrics;
  let ahead: Ahead;
  let app: RequestListener;
  let lastDay: string;
  let clock: number;
  /** While it is set, analyses wait. */
  let held: Promise<void> | undefined;

  beforeEach(() => {
    lastDay = "2025-03-30";
    clock = NOW.getTime();
    held = undefined;
    metrics = new Metrics();
    answers = new FakeAnswers(async ({ path, accepted }) => {
      if (path === LIST) return JSON.stringify({ lastDay });
      await held;
      return JSON.stringify({ path, accepted });
    });
    const organizations = {
      has: async () => true,
      settings: async (id: string) => ({ organizationId: id, name: "shop" }),
    };
    const now = (): Date => new Date(clock);
    const log = pino({ level: "silent" });
    ahead = answersAhead({ endpoints: allEndpoints, answers, organizations, now, log, lookMs: 10 });
    app = makeApp(answers, { ahead, metrics, organizations, now }).app;
  });

  afterEach(() => ahead.stop());

  /** The analyses that were computed, with their first days. */
  const computed = (): string[] =>
    answers.asked.filter(({ path }) => path !== LIST).map(({ path, accepted }) => `${path} ${accepted.startDate}`);

  /** By result, of the analyses. */
  async function lookups(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { labels, value } of (await metrics.lookups.get()).values) {
      if (labels.endpoint !== LIST) counts[String(labels.result)] = (counts[String(labels.result)] ?? 0) + value;
    }
    return counts;
  }

  /** The last day that is known of the organization. */
  const looked = (): Promise<void> => until(async () => answers.asked.some(({ path }) => path === LIST));

  async function landed(): Promise<void> {
    await looked();
    // The first look has ended, too.
    await sleep(30);
    lastDay = "2025-03-31";
    answers.state = "2";
  }

  it("are those of the last requests, for the days that the new data bring", async () => {
    await ask(app, `${CARDS}?startDate=2025-03-01&endDate=2025-03-30`).expect(200);
    await ask(app, `${SUMMARY}?startDate=2025-03-24&endDate=2025-03-30`).expect(200);
    await ask(app, FEBRUARY).expect(200);
    await ask(app, `${CARDS}?startDate=2025-13-01`).expect(400);
    await landed();
    await until(async () => computed().length === 6);
    expect(computed().slice(3)).to.have.members([
      `${CARDS} 2025-03-01`,
      `${SUMMARY} 2025-03-25`,
      `${CARDS} 2025-02-01`,
    ]);
    const counted = { miss: 3 };
    expect(await lookups()).to.deep.equal(counted);
    for (const address of [`${CARDS}?startDate=2025-03-01&endDate=2025-03-31`, FEBRUARY])
      await ask(app, address).expect(200);
    expect(await lookups()).to.deep.equal({ ...counted, ahead: 2 });
    await ask(app, FEBRUARY).expect(200);
    expect(await lookups()).to.deep.equal({ ...counted, ahead: 2, hit: 1 });
    expect(computed()).to.have.lengthOf(6);
  });

  it("wait while a client is answered", async () => {
    await ask(app, FEBRUARY).expect(200);
    let release = (): void => {};
    held = new Promise((done) => {
      release = done;
    });
    const waiting = ask(app, `${SUMMARY}?startDate=2025-01-01&endDate=2025-01-31`).then(({ status }) => status);
    await until(async () => computed().length === 2);
    await landed();
    await sleep(300);
    expect(computed()).to.have.lengthOf(2);
    release();
    expect(await waiting).to.equal(200);
    await until(async () => computed().length > 2);
  });

  it("are not those of requests more than a day old", async () => {
    await ask(app, FEBRUARY).expect(200);
    await looked();
    clock += 25 * 3_600_000;
    await ask(app, `${SUMMARY}?startDate=2025-01-01&endDate=2025-01-31`).expect(200);
    await landed();
    await until(async () => computed().length === 3);
    await sleep(50);
    expect(computed().slice(2)).to.deep.equal([`${SUMMARY} 2025-01-01`]);
  });

  it("are not those that depend on the time of the request", async () => {
    await ask(app, `/v1/products?dateFrom=2025-03-01&dateTo=2025-03-30&integrationId=${STORE}`).expect(200);
    await ask(app, `/v1/explain?endpoint=${CARDS}&startDate=2025-02-01&endDate=2025-02-28&figure=revenue`).expect(200);
    await ask(app, FEBRUARY).expect(200);
    await landed();
    await until(async () => computed().length === 4);
    await sleep(50);
    expect(computed().slice(3)).to.deep.equal([`${CARDS} 2025-02-01`]);
  });

  it("end with the service", async () => {
    await ask(app, FEBRUARY).expect(200);
    await looked();
    await ahead.stop();
    answers.state = "2";
    await sleep(50);
    expect(computed()).to.have.lengthOf(1);
  });
});
