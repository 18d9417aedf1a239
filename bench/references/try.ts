import "../../src/features/index.ts";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/core/config.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { openService } from "../../test/support/service.ts";
import { addressOf, questionsOf } from "../questions.ts";
import { NOW } from "../shop/shop.ts";
import { agreement } from "./agreement.ts";
import { ClickHouse } from "./clickhouse.ts";
import { Postgres } from "./postgres.ts";
import type { Reference } from "./reference.ts";

// Asks the references the service's questions over a landed, made-up shop, and reports where they differ and how long
// each takes. Exit status 1: something differs.
//
//     node --import ./bin/typescript.mjs bench/references/try.ts --data <folder> --organization <id>
//         [--only cohort] [--engine clickhouse] [--earlier <days>] [--runs 3]
//
// It writes into the folder's `spool`.

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    organization: { type: "string" },
    only: { type: "string", default: "" },
    engine: { type: "string", default: "" },
    earlier: { type: "string", default: "0" },
    runs: { type: "string", default: "3" },
  },
});
if (!values.data || !values.organization) throw new Error("--data and --organization are wanted");

const config = readConfig({ LUCRA_DATA_DIR: values.data, LUCRA_NOW: NOW, LUCRA_TIMEOUT_MS: "600000" });
const generation = await currentGeneration(foldersOf(config.dataDir, values.organization));
if (!generation) throw new Error(`${config.dataDir} has no derived files of ${values.organization}`);

const runs = Number(values.runs);
const shop = { organizationId: values.organization, orders: 0, products: 0, seed: 0 };
const questions = questionsOf(shop, Number(values.earlier)).filter(({ name }) => name.includes(values.only));
const service = await openService(config, values.organization);
const engines: Readonly<Record<string, () => Promise<Reference>>> = {
  postgres: () => Postgres.start(),
  clickhouse: () => ClickHouse.start(),
};

/** The shortest of some runs, after a warm-up run: other load of the machine can only add time. */
async function least(work: () => Promise<unknown>): Promise<number> {
  await work();
  let best = Number.POSITIVE_INFINITY;
  for (let no = 0; no < runs; no++) {
    const began = performance.now();
    await work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

const shown = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;

for (const [name, start] of Object.entries(engines)) {
  if (!name.includes(values.engine)) continue;
  const reference = await start();
  try {
    const began = performance.now();
    await reference.load({ folder: generation.folder, now: NOW });
    console.log(`${reference.name} ${await reference.version()}, loaded in ${shown(performance.now() - began)}`);
    for (const question of questions) {
      const address = addressOf(question);
      const asked = performance.now();
      const { status, body, text } = await service.get(address);
      if (status !== 200) throw new Error(`${address}: ${status} ${text}`);
      const ours = performance.now() - asked;
      const rows = question.rows(body);
      const found = agreement(rows, (await reference.answer(question)).rows());
      const its = await least(() => reference.answer(question));
      const verdict = found.differences.length === 0 ? "agrees" : "DIFFERS";
      console.log(
        `${question.name}: ${verdict}, ${rows.length} rows, figures: ${found.figures.length} of ${found.figures.length + found.missing.length}, ` +
          `ties: ${found.ties}, ${shown(its)} (service, asked once: ${shown(ours)})`,
      );
      for (const difference of found.differences) console.log(`    ${difference}`);
      if (found.missing.length > 0) console.log(`    not computed: ${found.missing.join(", ")}`);
      if (found.differences.length > 0) process.exitCode = 1;
    }
  } finally {
    await reference.close();
  }
}
await service.close();
