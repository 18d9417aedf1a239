import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { KeptTables } from "../../src/core/contract/endpoint.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import { Database } from "../../src/core/engine/database.ts";
import { engineFor } from "../../src/core/engine/engines.ts";
import { KeptPlans } from "../../src/core/engine/kept.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { validate } from "../../src/core/params/validate.ts";
import { AURORA, type DataFolder, NOW, STOREA } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { asText, contextOf } from "../support/texts.ts";

/** Stands in for an engine that is asked for nothing. */
const named = (name: string): Database => ({ name }) as unknown as Database;

/** An engine that fails whatever is asked of it. */
const broken = {
  session: async () => expect.fail("the engine for large organizations was asked"),
  useUntil: async () => expect.fail("the engine for large organizations was asked"),
} as unknown as Database;

describe("Engines", () => {
  let data: DataFolder;
  let small: Database;
  let folder: string;

  before(async () => {
    data = await landedFixtures();
    small = await openServing({ ...data.config, threads: 1, memoryShare: 1 / 4 }, AURORA);
    folder = (await currentGeneration(foldersOf(data.path, AURORA)))?.folder ?? "";
  });

  after(async () => {
    small?.close();
    await data?.remove();
  });

  it("are chosen by the bytes of the files, and again if there were none", async () => {
    const engines = { database: named("database"), small: named("small") };
    const made = await mkdtemp(path.join(tmpdir(), "lucra-engines-"));
    const later = path.join(made, "later");
    try {
      expect(await engineFor(engines, later)).to.equal(engines.database);
      expect(await engineFor(engines, made)).to.equal(engines.small);
      const large = await mkdtemp(path.join(made, "large-"));
      await writeFile(path.join(large, "orders.parquet"), "");
      await truncate(path.join(large, "orders.parquet"), 32 * 1024 * 1024);
      expect(await engineFor(engines, large)).to.equal(engines.database);
      expect(await engineFor({ database: engines.database }, made)).to.equal(engines.database);
    } finally {
      await rm(made, { recursive: true });
    }
  });

  it("answer alike", async () => {
    const database = await openServing(data.config, AURORA);
    const generations = { current: async () => ({ folder, state: "1" }), recheck: async () => false };
    const [ofOne, ofSmall] = [{ database }, { database: broken, small }].map(
      (engines) => new EngineAnswers({ ...engines, generations }),
    ) as [EngineAnswers, EngineAnswers];
    const store = { integrationId: STOREA, dateFrom: "2025-01-01", dateTo: "2025-03-20" };
    for (const [at, sent] of [
      ["/v1/profitability/cards", { startDate: "2025-02-01", endDate: "2025-02-28" }],
      ["/v1/profitability/cohort", {}],
      ["/v1/products/:productId", { ...store, productId: "501" }],
    ] as const) {
      const endpoint = endpoints.find(({ path }) => path === at) as (typeof endpoints)[number];
      const accepted = validate(endpoint, { ...sent, organizationId: AURORA }, new Date(NOW));
      const ask = (answers: EngineAnswers) => asText(answers.answer(contextOf(endpoint, AURORA, accepted)));
      expect(await ask(ofSmall), at).to.equal(await ask(ofOne));
    }
    database.close();
  });

  it("keep tables of days in the small one, and those of products, whose lines are many, in the other", async () => {
    const opened: string[] = [];
    const noted = (name: string): Database =>
      ({
        session: () => {
          opened.push(name);
          return small.session();
        },
      }) as unknown as Database;
    const plans = new KeptPlans({ database: noted("database"), small: noted("small") }, endpoints, {
      most: 1,
      mostBytes: 1e9,
    });
    for (const tables of ["days", "products", "profit"] satisfies KeptTables[]) {
      const asked = { folder, tables, params: {}, accepted: {} };
      const statements = [{ name: "one", sql: "select 'a' as text" }];
      const rows = () => plans.rows(asked, statements, new AbortController().signal, (query) => query());
      for (let times = 0; times < 100 && !(await rows()); times++) await sleep(20);
      expect(await rows()).to.deep.equal([["a"]]);
    }
    expect(opened).to.deep.equal(["small", "database", "small"]);
    plans.close();
  });

  it("share the memory limit", async () => {
    const [whole, half] = await Promise.all(
      [undefined, 1 / 2].map((memoryShare) => Database.open({ memoryLimit: "1GiB", memoryShare, threads: 1 })),
    );
    const bytes = await Promise.all([whole, half].map((one) => one?.memoryBytes()));
    expect(bytes).to.deep.equal([1024 ** 3, 1024 ** 3 / 2]);
    for (const one of [whole, half]) one?.close();
  });
});
