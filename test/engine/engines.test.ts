import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { engineFor } from "../../src/core/engine/engines.ts";
import { openEngines, openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { paths } from "../../src/core/files/paths.ts";
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
    small = await openServing({ ...data.config, threads: 1 }, AURORA);
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
      await mkdir(later);
      expect(await engineFor(engines, later)).to.equal(engines.small);
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
    const database = await openServing({ ...data.config, threads: 2 }, AURORA);
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

  it("of a service are two that share the memory limit, both locked; with one thread there is one", async () => {
    const places = { folders: [paths.marts(data.path)], spill: path.join(data.path, "spill") };
    const open = (threads: number) => openEngines({ ...data.config, memoryLimit: "1GiB", threads }, AURORA, places);
    const [two, one] = [await open(2), await open(1)];
    try {
      expect([two.memoryBytes, one.memoryBytes]).to.deep.equal([1024 ** 3, 1024 ** 3]);
      expect(await two.small?.memoryBytes()).to.equal(1024 ** 3 / 2);
      expect(one.small).to.equal(undefined);
      for (const engine of [two.database, two.small, one.database]) {
        const outside = engine?.use((session) => session.rows("from read_text('/etc/hostname')"));
        expect(await outside?.catch((error: Error) => error.message)).to.match(/^Permission Error/);
      }
      const threads = (engine: Database | undefined) =>
        engine?.use((session) => session.texts("select current_setting('threads')"));
      expect([await threads(two.database), await threads(two.small)]).to.deep.equal([["2"], ["1"]]);
      expect(two.isUsable()).to.equal(true);
    } finally {
      two.close();
      one.close();
    }
  });
});
