import { expect } from "chai";
import { pino } from "pino";
import type { Organization } from "../../src/core/contract/settings.ts";
import { type Job, JobQueue } from "../../src/core/schedule/jobQueue.ts";
import { jitterMs, Schedule } from "../../src/core/schedule/schedule.ts";
import { until } from "../http/fake.ts";

const SHOP = "11111111-1111-4111-8111-111111111111";
const STORE = "22222222-2222-4222-8222-222222222222";
const ADS = "33333333-3333-4333-8333-333333333333";
const EVERY_SECOND = "* * * * * *";

describe("A schedule", () => {
  let organizations: Organization[];
  let landed: string[];
  let schedule: Schedule;

  const settings = (schedules: Record<string, string | undefined>, timezone?: string): void => {
    const integrations = Object.entries(schedules).map(([id, expression]) => ({
      id,
      connector: "storea" as const,
      ...(expression ? { schedule: expression } : {}),
      ...(timezone ? { timezone } : {}),
    }));
    organizations = [{ organizationId: SHOP, name: "Shop", integrations }];
  };

  beforeEach(() => {
    landed = [];
    schedule = new Schedule({
      organizations: async () => organizations,
      queue: new JobQueue(async ({ integration }: Job) => {
        landed.push(integration);
        return "done";
      }),
      log: pino({ level: "silent" }),
    });
  });

  afterEach(() => schedule.stop());

  const next = (integration: string): Date | undefined => schedule.nextRun({ organization: SHOP, integration });

  it("follows the settings while it runs: added, changed, removed; integrations without one are left to the operator", async () => {
    settings({ [STORE]: EVERY_SECOND, [ADS]: undefined });
    await schedule.start();
    await until(() => landed.length >= 2);
    expect(new Set(landed)).to.deep.equal(new Set([STORE]));
    expect(next(STORE)).to.be.instanceOf(Date);
    expect(next(ADS)).to.equal(undefined);
    settings({ [STORE]: "0 3 1 1 *", [ADS]: EVERY_SECOND });
    await schedule.look();
    await until(() => landed.at(-1) === ADS);
    expect(next(STORE)?.getUTCMonth()).to.equal(0);
    organizations = [];
    await schedule.look();
    await until(() => next(ADS) === undefined);
    expect(next(STORE)).to.equal(undefined);
  });

  it("uses the integration's timezone, else UTC", async () => {
    settings({ [STORE]: "0 3 * * *" }, "America/Sao_Paulo");
    await schedule.start();
    expect(next(STORE)?.getUTCHours()).to.equal(6);
    settings({ [STORE]: "0 3 * * *" });
    await schedule.look();
    await until(() => next(STORE)?.getUTCHours() === 3);
  });

  it("reports settings that cannot be read, and follows them once they can", async () => {
    settings({ [STORE]: EVERY_SECOND });
    let asked = 0;
    const failing = new Schedule({
      organizations: async () => {
        if (asked++ === 0) throw new Error("no");
        return organizations;
      },
      queue: new JobQueue(async ({ integration }) => {
        landed.push(integration);
        return "done";
      }),
      log: pino({ level: "silent" }),
    });
    try {
      const failure = await failing.start().catch((error: unknown) => error);
      expect(failure).to.be.an("error");
      await failing.look();
      await until(() => landed.length > 0);
    } finally {
      await failing.stop();
    }
  });
});

describe("The delay of an integration", () => {
  const ids = Array.from({ length: 200 }, (_, n) => `22222222-2222-4222-8222-${String(n).padStart(12, "0")}`);

  it("is always the same, another for each, within a tenth of the time until the next run and a minute", () => {
    for (const [untilNext, most] of [
      [1_000, 100],
      [60_000, 6_000],
      [30 * 60_000, 60_000],
      [86_400_000, 60_000],
    ] as const) {
      const delays = ids.map((id) => jitterMs(id, untilNext));
      expect(delays).to.deep.equal(ids.map((id) => jitterMs(id.toUpperCase(), untilNext)));
      expect(Math.min(...delays)).to.be.at.least(0);
      expect(Math.max(...delays))
        .to.be.below(most)
        .and.above(most * 0.9);
      expect(new Set(delays).size).to.be.above(most === 100 ? 60 : 190);
    }
  });
});
