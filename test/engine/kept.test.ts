import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { KeptPlans } from "../../src/core/engine/kept.ts";
import { KINDS } from "../../src/core/engine/keptTables.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { AURORA } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";

describe("Kept plans", () => {
  it("are kept of every kind: their tables load, those of products in the engine with several threads, and the setup files read the request from a table", async () => {
    const data = await landedFixtures();
    const database = await openServing(data.config, AURORA);
    const folder = (await currentGeneration(foldersOf(data.path, AURORA)))?.folder ?? "";
    const failures: unknown[] = [];
    const onFailure = (_: string, error: unknown) => failures.push(error);
    const opened: string[] = [];
    const noted = (name: string): Database =>
      ({
        session: () => {
          opened.push(name);
          return database.session();
        },
      }) as unknown as Database;
    const engines = { database: noted("database"), small: noted("small") };
    const plans = new KeptPlans(engines, endpoints, { most: 1, mostBytes: 1e9, onFailure });
    for (const tables of KINDS) {
      const asked = { folder, tables, params: {}, accepted: {} };
      const statements = [{ name: "one", sql: "select 'a' as text" }];
      const rows = () => plans.rows(asked, statements, new AbortController().signal, (query) => query());
      for (let times = 0; times < 100 && failures.length === 0 && !(await rows()); times++) await sleep(20);
      expect([failures, await rows()], tables).to.deep.equal([[], [["a"]]]);
    }
    expect(KINDS.map((kind, no) => [kind, opened[no]])).to.deep.equal([
      ["days", "small"],
      ["products", "database"],
      ["profit", "small"],
    ]);
    plans.close();
    database.close();
    await data.remove();
  });
});
